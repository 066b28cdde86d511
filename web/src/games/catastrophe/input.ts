// Turns clicks into actions: choose a unit, then a tile; if several actions fit, choose one from the menu.

import type { Cell, Highlight } from '../../board/scene'
import type { Action, InputFace } from '../face'
import { begun, say, term } from '../../words'
import { cellOfTile, said, seatName, tileAt, unitAt } from './board'
import type { TileView, UnitView, WorldPreview, WorldView } from './view'

function aim(view: WorldView, action: Action): Cell | null {
  return typeof action.tile === 'number' ? cellOfTile(view, action.tile) : null
}

function cellOf(view: WorldView, piece: number): Cell | null {
  const unit = view.units[piece]
  return unit ? cellOfTile(view, unit.tile) : null
}

function named(view: WorldView, piece: number): string {
  const unit = view.units[piece]
  if (!unit) return say('game.the_turn')
  return say('catastrophe.at', { job: said(unit.job), ...cellOfTile(view, unit.tile) })
}

function brief(view: WorldView, piece: number): string {
  const unit = view.units[piece]
  return unit ? say('catastrophe.numbered', { job: said(unit.job), n: piece }) : ''
}

function place(view: WorldView, action: Action): string {
  const cell = aim(view, action)
  return cell ? `(${cell.x}, ${cell.y})` : ''
}

function goods(action: Action): string {
  const amount = action.amount as number | undefined
  return say('catastrophe.goods', { amount: amount && amount > 0 ? amount : say('catastrophe.all'), what: said(String(action.resource)) })
}

type Deed = 'change_job' | 'construct' | 'drop' | 'pickup' | 'rest' | 'move' | 'attack' | 'convert' | 'deconstruct' | 'harvest'
const DEEDS: readonly string[] = ['change_job', 'construct', 'drop', 'pickup', 'rest', 'move', 'attack', 'convert', 'deconstruct', 'harvest'] satisfies Deed[]

/** The words that sentences about an action use. */
function wordsOf(view: WorldView, action: Action): Record<string, string> {
  const unit = view.units[action.unit as number]
  const who = unit ? said(unit.job) : ''
  return { who, place: place(view, action), goods: goods(action), job: said(String(action.job)), structure: said(String(action.structure)) }
}

function label(view: WorldView, action: Action): string {
  if (action.do === 'end_turn') return say('game.end_turn')
  return DEEDS.includes(action.do) ? say(`catastrophe.${action.do as Deed}`, wordsOf(view, action)) : term('catastrophe', action.do)
}

function told(view: WorldView, action: Action, seat: string): string {
  return say(`catastrophe.did_${action.do as Deed}`, { seat, ...wordsOf(view, action) })
}

/** The likeliest meaning of a click: the action of the unit's job if the tile allows it, otherwise a move. */
function attempt(view: WorldView, piece: number, cell: Cell): Action | null {
  const unit = view.units[piece]
  if (!unit) return null
  const tile = tileAt(view, cell)
  const there = unitAt(view, cell)
  if (there === piece) return { do: 'rest', unit: piece }
  return { do: verbFor(unit, there === null ? null : (view.units[there] ?? null), view.tiles[tile] ?? {}), unit: piece, tile }
}

function verbFor(unit: UnitView, there: UnitView | null, tile: TileView): string {
  if (unit.job === 'soldier' && (there || (tile.structure && tile.structure !== 'road'))) return 'attack'
  if (unit.job === 'missionary' && there) return 'convert'
  if (unit.job === 'gatherer' && tile.harvest_rate) return 'harvest'
  if (unit.job === 'builder' && tile.structure && tile.structure !== 'road') return 'deconstruct'
  return 'move'
}

/** What changes for the units and on the target tile. */
function outcome(before: WorldView, after: WorldView, action: Action): string[] {
  const lines: string[] = []
  after.units.forEach((unit, u) => lines.push(...unitChanges(before, before.units[u] ?? null, unit, u)))
  if (typeof action.tile === 'number') lines.push(...tileChanges(before.tiles[action.tile] ?? {}, after.tiles[action.tile] ?? {}))
  after.store.forEach((food, seat) => food !== before.store[seat] && lines.push(say('catastrophe.store', { seat: seatName(seat), was: before.store[seat] ?? 0, is: food })))
  return lines.slice(0, 6)
}

function unitChanges(view: WorldView, old: UnitView | null, now: UnitView | null, u: number): string[] {
  if (!old) return []
  const who = brief(view, u)
  if (!now) return [say('catastrophe.gone', { who })]
  if (old.owner !== now.owner) return [now.owner < 0 ? say('catastrophe.beaten', { who }) : say('catastrophe.joins', { who, seat: seatName(now.owner) })]
  const parts = (['energy', 'moves', 'food', 'materials'] as const).filter((key) => Math.round(old[key]) !== Math.round(now[key]))
  const changes = parts.map((key) => say('catastrophe.change', { name: said(key), was: Math.round(old[key]), is: Math.round(now[key]) }))
  return parts.length ? [say('catastrophe.unit_change', { who, changes: changes.join(', ') })] : []
}

function tileChanges(old: TileView, now: TileView): string[] {
  if (old.structure && !now.structure) return [say('catastrophe.structure_gone', { what: said(old.structure) })]
  if (!old.structure && now.structure) return [say('catastrophe.structure_stands', { what: said(now.structure) })]
  const [was, is] = [old.structure_materials ?? 0, now.structure_materials ?? 0]
  return was !== is ? [say('catastrophe.materials_change', { was, is })] : []
}

/** Hides drops of goods that the unit does not carry; of amounts it offers only "all". */
function worth(view: WorldView, action: Action): boolean {
  if (action.do !== 'drop' && action.do !== 'pickup') return true
  if ((action.amount as number) > 0) return false
  const unit = view.units[action.unit as number]
  return action.do === 'pickup' || Boolean(unit?.[action.resource as 'food' | 'materials'])
}

/** The tiles that a unit can walk to this turn, and the members of its squad. */
function reach(said: WorldPreview, view: WorldView, piece: number): Highlight[] {
  const far = (said.walks ?? []).filter(({ unit, steps }) => unit === piece && steps > 1)
  const squad = (view.units[piece]?.squad ?? []).filter((u) => u !== piece)
  const mates = squad.flatMap((u) => cellOf(view, u) ?? [])
  return [...far.map(({ tile }): Highlight => ({ ...cellOfTile(view, tile), kind: 'far' })), ...mates.map((cell): Highlight => ({ ...cell, kind: 'last' }))]
}

export const input: InputFace<WorldView, WorldPreview> = {
  worth,
  pieceAt: unitAt,
  cellOf,
  nameOf: (view, piece) => begun(named(view, piece)),
  aim,
  label,
  told,
  attempt,
  reach,
  outcome,
}
