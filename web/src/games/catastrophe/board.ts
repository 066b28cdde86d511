// Draws Catastrophe: food and materials on the ground, structures, and units with their energy.

import { blank, type Cell, type Effect, type Scene } from '../../board/scene'
import { begun, say, term } from '../../words'
import type { Action, BoardFace, Fact, Measure } from '../face'
import type { TileView, UnitView, WorldView } from './view'

export const said = (name: string) => term('catastrophe', name)
export const seatName = (seat: number) => term('game', `seat${seat}`)

export function cellOfTile(view: WorldView, tile: number): Cell {
  const width = view.settings.map_width
  return { x: tile % width, y: Math.floor(tile / width) }
}

export function tileAt(view: WorldView, cell: Cell): number {
  return cell.x + cell.y * view.settings.map_width
}

export function unitAt(view: WorldView, cell: Cell): number | null {
  const tile = tileAt(view, cell)
  const found = view.units.findIndex((unit) => unit?.tile === tile)
  return found < 0 ? null : found
}

function scene(view: WorldView): Scene {
  const { settings, tiles, units } = view
  const made = blank(settings.map_width, settings.map_height, 'grass')
  tiles.forEach((tile, t) => addTile(made, tile, cellOfTile(view, t), t))
  units.forEach((unit, u) => unit && addUnit(made, view, unit, u))
  return made
}

function addTile(made: Scene, tile: TileView, { x, y }: Cell, t: number): void {
  const owner = tile.structure_owner ?? -1
  const put = (name: string, art: string, more: object = {}) => made.sprites.push({ key: `${name}${t}`, art, x, y, layer: 'ground', ...more })
  if (tile.structure === 'road') made.areas.push({ x, y, w: 1, h: 1, colour: 'road' })
  else if (tile.structure) {
    if (owner >= 0) made.areas.push({ x: x + 0.02, y: y + 0.02, w: 0.96, h: 0.96, colour: `seat${owner}`, alpha: 0.3, round: 0.12 })
    put('s', tile.structure === 'neutral' ? 'neutral' : `${tile.structure}/${owner}`, { size: 0.96 })
  } else if (tile.harvest_rate) {
    const ripe = !tile.turns_to_harvest
    put('h', ripe ? (tile.harvest_rate > 75 ? 'bush2' : 'bush1') : 'bush0', { size: 0.86, alpha: ripe ? 1 : 0.6 })
  }
  if (tile.food) put('f', 'food', { x: x - 0.24, y: y + 0.2, size: 0.5 })
  if (tile.materials) put('m', 'materials', { x: x + 0.2, y: y + 0.2, size: 0.55 })
}

function addUnit(made: Scene, view: WorldView, unit: UnitView, u: number): void {
  const { x, y } = cellOfTile(view, unit.tile)
  const spent = unit.acted && unit.moves === 0 && unit.owner === view.seat
  made.sprites.push({ key: `u${u}`, art: `${unit.job}/${unit.owner}`, x, y, size: unit.job === 'cat_overlord' ? 1 : 0.86, alpha: spent ? 0.72 : 1 })
  made.bars.push({ key: `e${u}`, x, y, share: unit.energy / 100, colour: unit.energy < 30 ? 'danger' : 'energy' })
  const sign = (name: string, art: string, dx: number, dy: number, size = 0.36) => made.sprites.push({ key: `${name}${u}`, art, x: x + dx, y: y + dy, size, layer: 'over' })
  if (unit.food) sign('uf', 'food', -0.34, 0.22, 0.34)
  if (unit.materials) sign('um', 'materials', 0.34, 0.22, 0.38)
  if (unit.starving) sign('us', 'hunger', 0.32, -0.32)
}

function picture(): Scene {
  const made = blank(8, 4, 'grass')
  made.areas.push({ x: 0, y: 2, w: 8, h: 1, colour: 'road' })
  const put = (art: string, x: number, y: number, layer: 'ground' | 'piece' = 'piece', size = 0.9) => made.sprites.push({ key: `${art}${x},${y}`, art, x, y, layer, size })
  put('shelter/0', 1, 1, 'ground'), put('shelter/1', 6, 1, 'ground'), put('bush2', 3, 1, 'ground'), put('bush1', 4, 0, 'ground'), put('neutral', 4, 3, 'ground'), put('wall/0', 2, 0, 'ground'), put('monument/1', 7, 3, 'ground'), put('materials', 3, 3, 'ground', 0.6)
  put('cat_overlord/0', 0, 1), put('gatherer/0', 2, 1), put('soldier/0', 1, 3), put('soldier/0', 2, 3), put('fresh_human/-1', 4, 2), put('missionary/1', 5, 2), put('cat_overlord/1', 7, 1), put('soldier/1', 5, 1), put('builder/1', 6, 3)
  return made
}

const own = (view: WorldView, seat: number) => view.units.filter((unit) => unit?.owner === seat)

const measures: Measure<WorldView>[] = [
  { name: 'catastrophe.measure_overlord', of: (view: WorldView, seat: number) => view.units[view.overlord[seat] ?? -1]?.energy ?? 0, most: () => 100 },
  { name: 'catastrophe.measure_units', of: (view: WorldView, seat: number) => own(view, seat).length },
  { name: 'catastrophe.measure_food', of: (view: WorldView, seat: number) => view.store[seat] ?? 0 },
  { name: 'catastrophe.measure_upkeep', of: (view: WorldView, seat: number) => view.upkeep[seat] ?? 0 },
  { name: 'catastrophe.measure_structures', of: (view: WorldView, seat: number) => view.tiles.filter((tile) => tile.structure && tile.structure_owner === seat).length },
]

function facts(view: WorldView): Fact[] {
  const { turn, settings } = view
  return [{ label: say('game.turn'), value: say('game.turn_of', { turn, last: settings.max_turns }) }]
}

function tell(view: WorldView, cell: Cell): string {
  const tile = view.tiles[tileAt(view, cell)] ?? {}
  const u = unitAt(view, cell)
  const unit = u === null ? null : view.units[u]
  return [unit ? tellUnit(view, unit, u as number) : '', tellTile(tile)].filter(Boolean).join(' ') || say('catastrophe.empty')
}

function tellUnit(view: WorldView, unit: UnitView, u: number): string {
  const what = say('catastrophe.numbered', { job: said(unit.job), n: u })
  const whose = unit.owner < 0 ? say('catastrophe.tell_neutral', { what }) : say('game.whose', { seat: seatName(unit.owner), what })
  const parts = [whose, say('catastrophe.tell_energy', { n: Math.round(unit.energy) })]
  if (unit.owner >= 0) parts.push(say('catastrophe.tell_moves', { n: unit.moves }))
  if (unit.acted) parts.push(say('catastrophe.tell_acted'))
  if (unit.food) parts.push(say('catastrophe.tell_carries', { n: unit.food, what: said('food') }))
  if (unit.materials) parts.push(say('catastrophe.tell_carries', { n: unit.materials, what: said('materials') }))
  if (unit.starving) parts.push(say('catastrophe.tell_starves'))
  if (unit.squad.length > 1) parts.push(say('catastrophe.tell_squad', { n: unit.squad.length, energy: Math.round(strength(view, unit)) }))
  if (unit.owner < 0 && unit.turns_to_die >= 0) parts.push(say('catastrophe.tell_gone', { n: unit.turns_to_die }))
  return `${parts.join(', ')}.`
}

const strength = (view: WorldView, unit: UnitView) => unit.squad.reduce((sum, u) => sum + (view.units[u]?.energy ?? 0), 0)

function tellTile(tile: TileView): string {
  const parts: string[] = []
  if (tile.structure === 'road') parts.push(say('catastrophe.tell_road'))
  else if (tile.structure) parts.push(tellStructure(tile, tile.structure))
  if (tile.harvest_rate) parts.push(tile.turns_to_harvest ? say('catastrophe.tell_grows', { n: tile.turns_to_harvest }) : say('catastrophe.tell_ripe', { n: tile.harvest_rate }))
  if (tile.food) parts.push(say('catastrophe.tell_lies', { n: tile.food, what: said('food') }))
  if (tile.materials) parts.push(say('catastrophe.tell_lies', { n: tile.materials, what: said('materials') }))
  return parts.length ? `${begun(parts.join(', '))}.` : ''
}

function tellStructure(tile: TileView, structure: string): string {
  const [owner, n] = [tile.structure_owner ?? -1, tile.structure_materials ?? 0]
  return owner < 0 ? say('catastrophe.tell_old', { n }) : say('catastrophe.tell_structure', { seat: seatName(owner), what: said(structure), n })
}

const SHOTS: Record<string, string> = { attack: 'danger', convert: 'able', harvest: 'health', construct: 'energy', deconstruct: 'energy', pickup: 'energy', drop: 'energy' }

function effects(before: WorldView, after: WorldView, action: Action | null): Effect[] {
  const made: Effect[] = []
  const colour = action ? SHOTS[action.do] : undefined
  if (action && colour && typeof action.tile === 'number') {
    made.push({ kind: 'flash', at: cellOfTile(before, action.tile), colour })
  }
  after.units.forEach((unit, u) => {
    const old = before.units[u]
    if (!old || !unit || old.owner !== unit.owner) return
    const change = Math.round(unit.energy - old.energy)
    if (change) made.push({ kind: 'rise', at: cellOfTile(after, unit.tile), text: change > 0 ? `+${change}` : `−${-change}`, colour: change > 0 ? 'health' : 'danger' })
  })
  return made
}

const legend: BoardFace<WorldView>['legend'] = [
  { art: 'cat_overlord/0', name: 'catastrophe.sign_cat_overlord' },
  { art: 'fresh_human/0', name: 'catastrophe.sign_fresh_human' },
  { art: 'soldier/0', name: 'catastrophe.sign_soldier' },
  { art: 'gatherer/0', name: 'catastrophe.sign_gatherer' },
  { art: 'builder/0', name: 'catastrophe.sign_builder' },
  { art: 'missionary/0', name: 'catastrophe.sign_missionary' },
  { art: 'fresh_human/-1', name: 'catastrophe.sign_nobody' },
  { art: 'shelter/0', name: 'catastrophe.sign_shelter' },
  { art: 'monument/0', name: 'catastrophe.sign_monument' },
  { art: 'wall/0', name: 'catastrophe.sign_wall' },
  { art: 'neutral', name: 'catastrophe.sign_neutral' },
  { art: 'bush2', name: 'catastrophe.sign_bush2' },
  { art: 'bush0', name: 'catastrophe.sign_bush0' },
  { art: 'food', name: 'catastrophe.sign_food' },
  { art: 'materials', name: 'catastrophe.sign_materials' },
  { art: 'hunger', name: 'catastrophe.sign_hunger' },
]

export const board: BoardFace<WorldView> = { scene, picture, legend, measures, facts, tell, effects }
