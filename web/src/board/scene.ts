// What a board shows, as plain values: a game's board.ts makes a scene of a view, and the stage (Pixi) or a
// picture (SVG) draws it. One unit is one cell; x grows to the east, y to the south.

export interface Cell {
  x: number
  y: number
}

/** A drawing from the art, keyed so that the same thing in two scenes is moved and not exchanged. */
export interface Sprite extends Cell {
  key: string
  art: string
  size?: number // in cells, 1 unless told
  alpha?: number
  turn?: number // quarter turns clockwise
  layer?: 'ground' | 'piece' | 'over'
  drift?: { kind: string; x: number; y: number } // weather, and where the wind takes it
}

/** A filled part of the ground; the colour is a name of the palette. */
export interface Area extends Cell {
  w: number
  h: number
  colour: string
  alpha?: number
  round?: number
}

/** How much of something is left, as a thin bar in a cell. */
export interface Bar extends Cell {
  key: string
  share: number
  colour: string
  w?: number
}

export interface Label extends Cell {
  key: string
  text: string
  colour?: string
  size?: number // in cells
}

/** A line with a head, from the middle of a cell to the middle of another. */
export interface Arrow {
  from: Cell
  to: Cell
  colour: string
  width?: number
}

export interface Scene {
  width: number
  height: number
  ground: string
  grid?: boolean
  areas: Area[]
  sprites: Sprite[]
  bars: Bar[]
  labels: Label[]
  arrows: Arrow[]
}

/** Something that is seen for a moment: a flight from cell to cell, a flash, a number rising, wind over the board. */
export type Effect =
  | { kind: 'flight'; art: string; from: Cell; to: Cell; arc?: number }
  | { kind: 'flash'; at: Cell; colour: string }
  | { kind: 'rise'; at: Cell; text: string; colour: string }
  | { kind: 'wind'; x: number; y: number; strength: number } // towards x and y

export interface Highlight extends Cell {
  kind: 'able' | 'target' | 'danger' | 'selected' | 'cursor' | 'last' | 'reach' | 'far'
  w?: number
  h?: number
  text?: string // in its corner: what it costs, say
}

/** A scene without anything on it. */
export function blank(width: number, height: number, ground = 'ground'): Scene {
  return { width, height, ground, areas: [], sprites: [], bars: [], labels: [], arrows: [] }
}
