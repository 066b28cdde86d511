// How clicks in Catastrophe become actions: choose a unit, then the tile; where a tile allows several, choose one.

import type { Cell } from '../../board/scene'
import type { Action, InputFace, View } from '../face'
import { cellOfTile, said, tileAt, unitAt, world, type Tile, type Unit } from './board'

function aim(view: View, action: Action): Cell | null {
  return typeof action.tile === 'number' ? cellOfTile(view, action.tile) : null
}

function cellOf(view: View, piece: number): Cell | null {
  const unit = world(view).units[piece]
  return unit ? cellOfTile(view, unit.tile) : null
}

function named(view: View, piece: number): string {
  const unit = world(view).units[piece]
  if (!unit) return 'the turn'
  const { x, y } = cellOfTile(view, unit.tile)
  return `${said(unit.job)} #${piece} (${x}, ${y})`
}

function place(view: View, action: Action): string {
  const cell = aim(view, action)
  return cell ? `(${cell.x}, ${cell.y})` : ''
}

function goods(action: Action): string {
  const amount = action.amount as number | undefined
  return `${amount && amount > 0 ? amount : 'all'} ${said(String(action.resource))}`
}

function label(view: View, action: Action): string {
  switch (action.do) {
    case 'change_job':
      return `Become ${said(String(action.job))}`
    case 'construct':
      return `Construct a ${said(String(action.structure))}`
    case 'drop':
      return `Drop ${goods(action)}`
    case 'pickup':
      return `Pick up ${goods(action)}`
    case 'rest':
      return 'Rest'
    case 'end_turn':
      return 'End turn'
    default:
      return `${action.do.charAt(0).toUpperCase()}${said(action.do.slice(1))} ${place(view, action)}`
  }
}

const DID: Record<string, string> = { move: 'moves to', attack: 'attacks', convert: 'converts on', deconstruct: 'deconstructs', harvest: 'harvests' }

function told(view: View, action: Action): string {
  if (action.do === 'end_turn') return 'ends the turn'
  if (action.do === 'leave') return 'leaves'
  const unit = typeof action.unit === 'number' ? named(view, action.unit).replace(/ \(.*/, '') : ''
  const verb = DID[action.do]
  if (verb) return `${unit} ${verb} ${place(view, action)}`
  if (action.do === 'change_job') return `${unit} becomes ${said(String(action.job))}`
  if (action.do === 'rest') return `${unit} rests`
  if (action.do === 'construct') return `${unit} constructs a ${said(String(action.structure))} on ${place(view, action)}`
  return `${unit} ${action.do === 'drop' ? 'drops' : 'picks up'} ${goods(action)} on ${place(view, action)}`
}

/** What a click most likely means: the unit's own trade where it applies, else a step. */
function attempt(view: View, piece: number, cell: Cell): Action | null {
  const unit = world(view).units[piece]
  if (!unit) return null
  const tile = tileAt(view, cell)
  const there = unitAt(view, cell)
  if (there === piece) return { do: 'rest', unit: piece }
  return { do: verbFor(unit, there === null ? null : (world(view).units[there] ?? null), world(view).tiles[tile] ?? {}), unit: piece, tile }
}

function verbFor(unit: Unit, there: Unit | null, tile: Tile): string {
  if (unit.job === 'soldier' && (there || (tile.structure && tile.structure !== 'road'))) return 'attack'
  if (unit.job === 'missionary' && there) return 'convert'
  if (unit.job === 'gatherer' && tile.harvest_rate) return 'harvest'
  if (unit.job === 'builder' && tile.structure && tile.structure !== 'road') return 'deconstruct'
  return 'move'
}

/** What changes for the units and on the tile aimed at. */
function outcome(before: View, after: View, action: Action): string[] {
  const lines: string[] = []
  world(after).units.forEach((unit, u) => lines.push(...unitChanges(before, world(before).units[u] ?? null, unit, u)))
  if (typeof action.tile === 'number') lines.push(...tileChanges(world(before).tiles[action.tile] ?? {}, world(after).tiles[action.tile] ?? {}))
  world(after).store.forEach((food, seat) => food !== world(before).store[seat] && lines.push(`Store of ${seat === 0 ? 'Red' : 'Blue'}: ${world(before).store[seat]} → ${food} food`))
  return lines.slice(0, 6)
}

function unitChanges(view: View, old: Unit | null, now: Unit | null, u: number): string[] {
  if (!old) return []
  const name = named(view, u).replace(/ \(.*/, '')
  if (!now) return [`${name} is gone`]
  if (old.owner !== now.owner) return [now.owner < 0 ? `${name} is beaten` : `${name} joins ${now.owner === 0 ? 'Red' : 'Blue'}`]
  const parts = (['energy', 'moves', 'food', 'materials'] as const).filter((key) => old[key] !== now[key])
  return parts.length ? [`${name}: ${parts.map((key) => `${key} ${Math.round(old[key])} → ${Math.round(now[key])}`).join(', ')}`] : []
}

function tileChanges(old: Tile, now: Tile): string[] {
  if (old.structure && !now.structure) return [`The ${said(old.structure)} is gone`]
  if (!old.structure && now.structure) return [`A ${said(now.structure)} stands there`]
  const [was, is] = [old.structure_materials ?? 0, now.structure_materials ?? 0]
  return was !== is ? [`Materials in it: ${was} → ${is}`] : []
}

/** Dropping what it does not carry does nothing; of amounts only "all" is offered. */
function worth(view: View, action: Action): boolean {
  if (action.do !== 'drop' && action.do !== 'pickup') return true
  if ((action.amount as number) > 0) return false
  const unit = world(view).units[action.unit as number]
  return action.do === 'pickup' || Boolean(unit?.[action.resource as 'food' | 'materials'])
}

export const input: InputFace = {
  worth,
  pieceAt: unitAt,
  cellOf,
  nameOf: named,
  aim,
  label,
  told,
  attempt,
  outcome,
}
