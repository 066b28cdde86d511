// How clicks in Not-Chess become actions: a figure and where it goes or strikes, or an empty square to settle.

import type { Cell } from '../../board/scene'
import type { Action, InputFace, View } from '../face'
import { artOf, cellOfSquare, NAMES, pieceOn, realm } from './board'

const squareAt = (view: View, cell: Cell) => cell.x + cell.y * realm(view).width
const place = (view: View, square: unknown) => {
  const { x, y } = cellOfSquare(view, square as number)
  return `(${x + 1}, ${y + 1})`
}

/** Every square is a piece to the server; the last number stands for the turn. */
function cellOf(view: View, piece: number): Cell | null {
  return piece < realm(view).squares.length ? cellOfSquare(view, piece) : null
}

function aim(view: View, action: Action): Cell | null {
  const square = action.to ?? action.target ?? action.square
  return typeof square === 'number' ? cellOfSquare(view, square) : null
}

function nameOf(view: View, piece: number): string {
  const there = pieceOn(view, piece)
  return piece < realm(view).squares.length ? `${there ? (NAMES[there.kind] ?? there.kind) : 'empty square'} ${place(view, piece)}` : 'the turn'
}

function label(view: View, action: Action): string {
  if (action.do === 'settle') return 'Settle a peasant (ends the turn)'
  if (action.do === 'raise') return `Raise a ${NAMES[String(action.kind)] ?? action.kind}`
  if (action.do === 'move') return `Move to ${place(view, action.to)}`
  if (action.do === 'attack') return `Strike ${nameOf(view, action.target as number)}`
  return action.do === 'end_turn' ? 'End turn' : action.do
}

function told(view: View, action: Action): string {
  if (action.do === 'settle') return `settles a peasant on ${place(view, action.square)}`
  if (action.do === 'raise') return `raises a ${NAMES[String(action.kind)] ?? action.kind} on ${place(view, action.square)}`
  if (action.do === 'move') return `moves from ${place(view, action.figure)} to ${place(view, action.to)}`
  if (action.do === 'attack') return `strikes ${place(view, action.target)} from ${place(view, action.figure)}`
  return action.do === 'end_turn' ? 'ends the turn' : 'leaves'
}

function attempt(view: View, piece: number, cell: Cell): Action | null {
  const square = squareAt(view, cell)
  const actor = pieceOn(view, piece)
  const there = pieceOn(view, square)
  if (!actor || piece === square) return there ? { do: 'move', figure: square, to: square } : { do: 'settle', square }
  return there && there.owner !== actor.owner ? { do: 'attack', figure: piece, target: square } : { do: 'move', figure: piece, to: square }
}

function outcome(before: View, after: View, action: Action): string[] {
  if (action.do === 'move') return moved(before, after, action)
  if (action.do === 'attack') return [struck(before, after, action.target as number), struck(before, after, action.figure as number)].filter(Boolean)
  if (action.do === 'raise') return ['It acts from the next turn on']
  return []
}

function moved(before: View, after: View, action: Action): string[] {
  const [was, is] = [pieceOn(before, action.figure as number), pieceOn(after, action.to as number)]
  if (!was || !is) return []
  return [is.mp > 0 ? `Movement left for its next turn: ${is.mp}` : 'It will have to rest next turn']
}

function struck(before: View, after: View, square: number): string {
  const [was, is] = [pieceOn(before, square), pieceOn(after, square)]
  if (!was || is?.health === was.health) return ''
  const name = NAMES[was.kind] ?? was.kind
  return is && is.owner === was.owner ? `${name}: health ${was.health} → ${is.health}` : `${name} falls`
}

export const input: InputFace = {
  pieceAt: squareAt,
  cellOf,
  nameOf,
  aim,
  label,
  told,
  art: (view, action) => (action.do === 'raise' ? artOf(String(action.kind), realm(view).seat) : action.do === 'settle' ? artOf('pawn', realm(view).seat) : null),
  mark: (_view, action) => (action.do === 'attack' ? 'danger' : 'target'),
  attempt,
  outcome,
}
