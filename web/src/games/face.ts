// What the client must know of a game to show it. A game fills this in with two files, board.ts and input.ts;
// what it leaves out has a default, and a game without any file has defaults only.

import type { Cell, Effect, Highlight, Scene } from '../board/scene'
import type { Word } from '../words'

export type View = Record<string, unknown>
export type Action = Record<string, unknown> & { do: string }

/** A number of the game's own that is worth a line in a chart or a seat's card. */
export interface Measure {
  name: Word
  of: (view: View, seat: number) => number
  most?: (view: View, seat: number) => number // where it is shown as a share of a whole
}

/** A line in the status above the board: the wind, the month. */
export interface Fact {
  label: string
  value: string
  arts?: { art: string; title: string }[]
  title?: string
}

/** A drawing and what it means; on the ground that it is usually seen on. */
export interface Sign {
  art: string
  name: Word
  ground?: string
}

export interface BoardFace {
  /** Which colours and shapes the seats have, by number in the palette; 0, 1, 2… unless told. */
  sides?: number[]
  scene: (view: View, seat: number | null) => Scene
  picture: () => Scene // for the home page
  legend: Sign[]
  measures: Measure[]
  facts?: (view: View) => Fact[]
  /** What is on a cell, in words. */
  tell: (view: View, cell: Cell) => string
  /** Milliseconds that something should be seen for, where it is longer than usual: weather that drifts. */
  lasts?: (before: View, after: View, action: Action | null) => number
  effects?: (before: View, after: View, action: Action | null) => Effect[]
  /** What will happen by itself, drawn over the scene: where fire will go, say. `change` is the server's preview. */
  forecast?: (view: View, after: View) => Scene['labels']
  /** What the end of the turn will bring to a cell, in sentences, from the server's preview of it. */
  ahead?: (view: View, after: View, cell: Cell) => string[]
}

export interface InputFace {
  /** The piece on a cell, by the number that the server knows it by. */
  pieceAt: (view: View, cell: Cell) => number | null
  cellOf: (view: View, piece: number) => Cell | null
  nameOf: (view: View, piece: number) => string
  /** Where whoever does an action stands, in games whose pieces are not chosen by number. */
  about?: (view: View, action: Action) => Cell | null
  /** Where on the board an action is aimed; null where it is a matter of the piece alone, or of the turn. */
  aim: (view: View, action: Action) => Cell | null
  /** Whether an action is worth showing; one that is allowed and does nothing is not. */
  worth?: (view: View, action: Action) => boolean
  /** An action as a button says it. */
  label: (view: View, action: Action) => string
  /** A drawing for the button. */
  art?: (view: View, action: Action, seat: number) => string | null
  /** How the cell it is aimed at is marked. */
  mark?: (view: View, action: Action) => Highlight['kind']
  /** The action that ends the turn, or this part of it. */
  closes?: (action: Action) => boolean
  /** Areas to show around a chosen piece, from what the server says the seat could do at all. */
  reach?: (said: Record<string, unknown>, view: View, piece: number) => Highlight[]
  /** An action that was done, as a sentence without its seat; `exact` if the view is the one just before it. */
  told: (view: View, action: Action, exact: boolean) => string
  /** What a click on a cell would try if it were allowed, so that the server can say why it is not. */
  attempt: (view: View, piece: number, cell: Cell) => Action | null
  /** What comes of an action, in short sentences, from the view before and after. */
  outcome?: (before: View, after: View, action: Action) => string[]
  /** The same from the game's own preview, where the server's rules give one. */
  foretell?: (view: View, action: Action, said: Record<string, unknown>, after: View | null) => string[]
}

export interface Face {
  board: BoardFace
  input: InputFace
}
