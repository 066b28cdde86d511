// How a game is played that has no input.ts yet: legal actions as a list, aimed at cells where they name one.

import type { Cell } from '../../board/scene'
import type { Action, InputFace, View } from '../face'
import { sizeOf } from './board'

/** A piece's number means something to its own game only: without its files no piece is chosen on the board. */
const nowhere = () => null

function aim(view: View, action: Action): Cell | null {
  if (typeof action.x === 'number' && typeof action.y === 'number') return { x: action.x, y: action.y }
  const tile = action.tile ?? action.cell ?? action.square ?? action.to
  const width = sizeOf(view)?.width
  return typeof tile === 'number' && width ? { x: tile % width, y: Math.floor(tile / width) } : null
}

export function plain(action: Action): string {
  const values = Object.entries(action).filter(([key]) => key !== 'do')
  const said = action.do.replaceAll('_', ' ')
  const name = said.charAt(0).toUpperCase() + said.slice(1)
  return values.length ? `${name}: ${values.map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`).join(', ')}` : name
}

/** What ends a turn is called so in nearly every game. */
const ENDS = ['end_turn', 'phase_done', 'pass', 'done']

export const input: InputFace = {
  closes: (action) => ENDS.includes(action.do),
  pieceAt: nowhere,
  cellOf: nowhere,
  nameOf: (_view, piece) => `#${piece}`,
  aim,
  label: (_view, action) => plain(action),
  told: (_view, action) => plain(action).toLowerCase(),
  attempt: () => null,
}
