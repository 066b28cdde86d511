// What the client needs to show a game: board.ts draws it, input.ts turns clicks into actions. Optional fields have
// defaults, and a game without these files uses games/fallback.

import type { Cell, Effect, Highlight, Scene } from '../board/scene'
import type { Word } from '../words'

/** A view of any game. Each game's own type is in its view.ts. */
export type View = Record<string, unknown>
export type Action = Record<string, unknown> & { do: string }

/** A number for each seat, shown in its card and in the charts. */
export interface Measure<V = View> {
  name: Word
  of: (view: V, seat: number) => number
  most?: (view: V, seat: number) => number // the maximum; with it the card shows a bar
}

/** A line above the board, such as the wind or the month. */
export interface Fact {
  label: string
  value: string
  arts?: { art: string; title: string }[]
  title?: string
}

/** A line of the legend: a drawing, its meaning and the ground to show it on. */
export interface Sign {
  art: string
  name: Word
  ground?: string
}

export interface BoardFace<V = View> {
  /** The palette number of each seat's colour and shape; the default is 0, 1, 2… */
  sides?: number[]
  scene: (view: V, seat: number | null) => Scene
  picture: () => Scene // a picture of the game for the home page
  legend: Sign[]
  measures: Measure<V>[]
  facts?: (view: V) => Fact[]
  /** The contents of a cell in words. */
  tell: (view: V, cell: Cell) => string
  /** Milliseconds to show a change for, if it needs longer than usual: drifting weather, for example. */
  lasts?: (before: V, after: V, action: Action | null) => number
  effects?: (before: V, after: V, action: Action | null) => Effect[]
  /** Labels for what happens at the end of the turn, such as where fire spreads; `after` is the server's preview. */
  forecast?: (view: V, after: V) => Scene['labels']
  /** What happens to a cell at the end of the turn, in sentences; `after` is the server's preview. */
  ahead?: (view: V, after: V, cell: Cell) => string[]
}

export interface InputFace<V = View, P = View> {
  /** The server's number for the piece on a cell. */
  pieceAt: (view: V, cell: Cell) => number | null
  cellOf: (view: V, piece: number) => Cell | null
  nameOf: (view: V, piece: number) => string
  /** The cell of the piece that acts, in games whose pieces are not chosen by number. */
  about?: (view: V, action: Action) => Cell | null
  /** The target cell of an action; null if the action has none. */
  aim: (view: V, action: Action) => Cell | null
  /** False for a legal action that changes nothing; it is not offered. */
  worth?: (view: V, action: Action) => boolean
  /** The text of an action's button. */
  label: (view: V, action: Action) => string
  /** The drawing on the button. */
  art?: (view: V, action: Action, seat: number) => string | null
  /** The mark on the target cell. */
  mark?: (view: V, action: Action) => Highlight['kind']
  /** Whether an action ends the turn or the phase. */
  closes?: (action: Action) => boolean
  /** The area to mark around a chosen piece; `said` is the server's preview of the seat's options. */
  reach?: (said: P, view: V, piece: number) => Highlight[]
  /** A past action as a sentence; `seat` is the name of its seat, `exact` means that the view is the one just before. */
  told: (view: V, action: Action, seat: string, exact: boolean) => string
  /** The action to preview when a click on a cell is not a legal action, so that the server explains why. */
  attempt: (view: V, piece: number, cell: Cell) => Action | null
  /** The effects of an action in short sentences, from the views before and after. */
  outcome?: (before: V, after: V, action: Action) => string[]
  /** The same, from the game's own preview. */
  foretell?: (view: V, action: Action, said: P, after: V | null) => string[]
}

export interface Face<V = View, P = View> {
  board: BoardFace<V>
  input: InputFace<V, P>
}
