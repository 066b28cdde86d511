// A board as plain values. A game's board.ts turns a view into a scene, and the stage (Pixi) or a picture (SVG) draws it.
// One unit is one cell; x grows to the east, y to the south.

export interface Cell {
  x: number
  y: number
}

/** A drawing. The same key in two scenes is the same thing: it moves instead of being replaced. */
export interface Sprite extends Cell {
  key: string
  art: string
  size?: number // in cells; 1 by default
  alpha?: number
  turn?: number // quarter turns clockwise
  layer?: 'ground' | 'piece' | 'over'
  drift?: { kind: string; x: number; y: number } // weather: its kind and the direction of the wind
}

/** A filled area of the ground; the colour is a palette name or a CSS colour. */
export interface Area extends Cell {
  w: number
  h: number
  colour: string
  alpha?: number
  round?: number
}

/** A thin bar in a cell that shows a share, such as health. */
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

/** An arrow between the middles of two cells. */
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

/** A short effect: a flight from cell to cell, a flash, a rising number, or wind over the board. */
export type Effect =
  | { kind: 'flight'; art: string; from: Cell; to: Cell; arc?: number }
  | { kind: 'flash'; at: Cell; colour: string }
  | { kind: 'rise'; at: Cell; text: string; colour: string }
  | { kind: 'wind'; x: number; y: number; strength: number } // towards x and y

export interface Highlight extends Cell {
  kind: 'able' | 'target' | 'danger' | 'selected' | 'cursor' | 'last' | 'reach' | 'far'
  w?: number
  h?: number
  text?: string // shown in the corner, such as a cost
}

/** An empty scene. */
export function blank(width: number, height: number, ground = 'ground'): Scene {
  return { width, height, ground, areas: [], sprites: [], bars: [], labels: [], arrows: [] }
}
