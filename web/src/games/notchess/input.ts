// Turns clicks into actions: a figure moves or strikes; an empty square is settled.

import type { Cell, Highlight } from '../../board/scene'
import { begun, say } from '../../words'
import type { Action, InputFace } from '../face'
import { artOf, cellOfSquare, named, pieceOn } from './board'
import type { BoardPreview, BoardView } from './view'

const squareAt = (view: BoardView, cell: Cell) => cell.x + cell.y * view.width
const place = (view: BoardView, square: unknown) => {
  const { x, y } = cellOfSquare(view, square as number)
  return say('notchess.place', { x: x + 1, y: y + 1 })
}

/** The server numbers squares as pieces; the number after the last square stands for the turn. */
function cellOf(view: BoardView, piece: number): Cell | null {
  return piece < view.squares.length ? cellOfSquare(view, piece) : null
}

function aim(view: BoardView, action: Action): Cell | null {
  const square = action.to ?? action.target ?? action.square
  return typeof square === 'number' ? cellOfSquare(view, square) : null
}

function nameOf(view: BoardView, piece: number): string {
  const there = pieceOn(view, piece)
  if (piece >= view.squares.length) return say('game.the_turn')
  const { x, y } = cellOfSquare(view, piece)
  return begun(say('game.at', { what: there ? named(there.kind) : say('notchess.empty_square'), x: x + 1, y: y + 1 }))
}

function label(view: BoardView, action: Action): string {
  if (action.do === 'settle') return say('notchess.settle')
  if (action.do === 'raise') return say('notchess.raise', { kind: named(String(action.kind)) })
  if (action.do === 'move') return say('notchess.move', { place: place(view, action.to) })
  if (action.do === 'attack') return say('notchess.attack', { what: figureAt(view, action.target), place: place(view, action.target) })
  return action.do === 'end_turn' ? say('game.end_turn') : named(action.do)
}

const figureAt = (view: BoardView, square: unknown) => named(pieceOn(view, square as number)?.kind ?? 'figure')

/** Names figures only in the view just before: later they may have moved or died. */
function told(view: BoardView, action: Action, seat: string, exact: boolean): string {
  if (action.do === 'settle') return say('notchess.did_settle', { seat, place: place(view, action.square) })
  if (action.do === 'raise') return say('notchess.did_raise', { seat, kind: named(String(action.kind)), place: place(view, action.square) })
  const words = { seat, what: exact ? figureAt(view, action.figure) : named('figure'), from: place(view, action.figure) }
  if (action.do === 'move') return say('notchess.did_move', { ...words, place: place(view, action.to) })
  return say('notchess.did_attack', { ...words, place: place(view, action.target) })
}

function attempt(view: BoardView, piece: number, cell: Cell): Action | null {
  const square = squareAt(view, cell)
  const actor = pieceOn(view, piece)
  const there = pieceOn(view, square)
  if (!actor || piece === square) return there ? { do: 'move', figure: square, to: square } : { do: 'settle', square }
  return there && there.owner !== actor.owner ? { do: 'attack', figure: piece, target: square } : { do: 'move', figure: piece, to: square }
}

/** The squares that a figure can reach, each with the cost of the path. */
function reach(said: BoardPreview, view: BoardView, piece: number): Highlight[] {
  const walks = (said.walks ?? []).filter((walk) => walk.figure === piece)
  return walks.map(({ square, cost }) => ({ ...cellOfSquare(view, square), kind: 'target', text: String(cost) }))
}

/** The cost of a path, the movement it leaves, the chance that a shot hits, and its effects. */
function foretell(view: BoardView, action: Action, said: BoardPreview, after: BoardView | null): string[] {
  if (action.do === 'raise') return [say('notchess.raised')]
  const lines: string[] = []
  const walk = said.walk
  if (walk) lines.push(say(walk.wind ? 'notchess.cost_wind' : 'notchess.cost', { cost: walk.cost, points: walk.points }))
  if (walk && after) lines.push(...rested(after, action.to as number))
  if (typeof said.chance === 'number') lines.push(say('notchess.hits', { chance: say('game.percent', { n: Math.round(said.chance * 100) }) }))
  if (action.do === 'attack' && after && said.chance === 1) lines.push(...[action.target, action.figure].flatMap((square) => struck(view, after, square as number)))
  return lines
}

function rested(after: BoardView, square: number): string[] {
  const piece = pieceOn(after, square)
  if (!piece) return []
  return [piece.mp > 0 ? say('notchess.mp_left', { n: piece.mp }) : say('notchess.must_rest')]
}

function struck(before: BoardView, after: BoardView, square: number): string[] {
  const [was, is] = [pieceOn(before, square), pieceOn(after, square)]
  if (!was || is?.health === was.health) return []
  const what = named(was.kind)
  return [is && is.owner === was.owner ? say('notchess.struck', { what, was: was.health, is: is.health }) : say('notchess.falls', { what })]
}

export const input: InputFace<BoardView, BoardPreview> = {
  pieceAt: squareAt,
  cellOf,
  nameOf,
  aim,
  label,
  told,
  art: (view, action) => (action.do === 'raise' ? artOf(String(action.kind), view.seat) : action.do === 'settle' ? artOf('pawn', view.seat) : null),
  mark: (_view, action) => (action.do === 'attack' ? 'danger' : 'target'),
  attempt,
  reach,
  foretell,
}
