// Draws Anarchy: buildings, fires, rain and wind.

import { blank, type Cell, type Effect, type Label, type Scene } from '../../board/scene'
import { say, term } from '../../words'
import type { Action, BoardFace, Fact, Measure } from '../face'
import type { BuildingView, CityView } from './view'

export const WINDS = ['north', 'east', 'south', 'west']
const TOWARDS = [{ x: 0, y: -1 }, { x: 1, y: 0 }, { x: 0, y: 1 }, { x: -1, y: 0 }]
const END_OF_TURN = 700 // milliseconds to show fire spreading with the wind
const ARROWS = ['↑', '→', '↓', '←']


export function kindOf(view: CityView, b: number): string {
  const building = view.buildings[b]
  if (!building) return say('anarchy.building', { n: b })
  return term('anarchy', isHeadquarters(view, b) ? 'headquarters' : building.kind)
}

export function isHeadquarters(view: CityView, b: number): boolean {
  return view.headquarters.includes(b)
}

export function fullHealth(view: CityView, b: number): number {
  const { building_health, headquarters_factor } = view.settings
  return isHeadquarters(view, b) ? building_health * headquarters_factor : building_health
}

/** The building on a cell; of several, the one built last counts as the neighbour. */
export function buildingAt(view: CityView, cell: Cell): number | null {
  const found = view.buildings.findLastIndex((building) => building.x === cell.x && building.y === cell.y)
  return found < 0 ? null : found
}

function scene(view: CityView): Scene {
  const { settings, buildings } = view
  const made = blank(settings.map_width, settings.map_height)
  buildings.forEach((building, b) => addBuilding(made, view, building, b))
  addSky(made, view)
  return made
}

const blowing = (direction: string) => TOWARDS[WINDS.indexOf(direction)] ?? { x: 0, y: 0 }

/** Rain and thunderstorms, if the match has them. */
function addSky(made: Scene, view: CityView): void {
  const { sky, settings, forecasts, current_forecast } = view
  const drift = { kind: 'rain', ...blowing(forecasts[current_forecast]?.direction ?? '') }
  for (const [art, cells] of [['rain', sky?.rain ?? []], ['storm', sky?.storms ?? []]] as const) {
    for (const cell of cells) {
      made.sprites.push({ key: `${art}${cell}`, art, x: cell % settings.map_width, y: Math.floor(cell / settings.map_width) - 0.1, size: 0.8, alpha: 0.85, layer: 'over', drift })
    }
  }
}

function addBuilding(made: Scene, view: CityView, building: BuildingView, b: number): void {
  const { x, y, health, fire, owner, kind, bribed, exposure } = building
  const main = isHeadquarters(view, b)
  const art = health <= 0 ? 'ruin' : main ? 'headquarters' : kind
  made.sprites.push({ key: `b${b}`, art: `${art}/${owner}`, x, y, size: main ? 1.1 : 0.98 })
  const sign = (name: string, art: string, dx: number, dy: number, size: number) =>
    made.sprites.push({ key: `${name}${b}`, art, x: x + dx, y: y + dy, size, layer: 'over' })
  if (bribed) sign('c', 'coin', 0.3, 0.3, 0.36)
  if (exposure > 0 && health > 0) sign('e', 'eye', -0.3, -0.32, 0.36)
  if (fire > 0) {
    sign('f', `flame${fire < 5 ? 1 : fire < 12 ? 2 : 3}`, 0, -0.14, 0.6 + Math.min(fire, 20) / 50)
    made.labels.push({ key: `f${b}`, x: x + 0.5, y: y + 0.78, text: String(fire), size: 0.3 })
  }
  const full = fullHealth(view, b)
  if (health > 0 && (health < full || main)) made.bars.push({ key: `h${b}`, x, y, share: health / full, colour: health / full < 0.34 ? 'danger' : 'health' })
}

function picture(): Scene {
  const made = blank(8, 4)
  const put = (art: string, x: number, y: number, size = 0.98) => made.sprites.push({ key: `${x},${y}`, art, x, y, size })
  const burn = (x: number, y: number, level: number) => made.sprites.push({ key: `f${x},${y}`, art: `flame${level}`, x, y: y - 0.06, size: 0.8, layer: 'over' })
  put('headquarters/0', 1, 1, 1.1), put('warehouse/0', 1, 2), put('fire_department/0', 2, 2), put('police_department/1', 3, 2), put('warehouse/1', 3, 1)
  put('weather_station/0', 4, 1), put('ruin/1', 4, 2), put('police_department/0', 5, 2), put('headquarters/1', 6, 1, 1.1), put('warehouse/1', 6, 2), put('fire_department/1', 5, 1)
  burn(3, 1, 2), burn(4, 2, 1), burn(5, 1, 3), burn(5, 2, 1)
  made.sprites.push({ key: 'g1', art: 'gust', x: 2, y: 0.1, alpha: 0.9, layer: 'over' }, { key: 'g2', art: 'gust', x: 4.6, y: 0.2, alpha: 0.7, layer: 'over' }, { key: 'g3', art: 'gust', x: 0.4, y: 2.9, alpha: 0.5, layer: 'over' })
  return made
}

function own(view: CityView, seat: number): BuildingView[] {
  return view.buildings.filter((building) => building.owner === seat)
}

function headquartersOf(view: CityView, seat: number): BuildingView | undefined {
  return view.buildings[view.headquarters[seat] ?? -1]
}

const measures: Measure<CityView>[] = [
  { name: 'anarchy.measure_hq', of: (view: CityView, seat: number) => headquartersOf(view, seat)?.health ?? 0, most: (view: CityView, seat: number) => fullHealth(view, view.headquarters[seat] ?? 0) },
  { name: 'anarchy.measure_standing', of: (view: CityView, seat: number) => own(view, seat).filter((building) => building.health > 0).length, most: (view: CityView, seat: number) => own(view, seat).length },
  { name: 'game.health', of: (view: CityView, seat: number) => own(view, seat).reduce((sum, building) => sum + building.health, 0) },
  { name: 'anarchy.measure_bribes', of: (view: CityView, seat: number) => view.bribes[seat] ?? 0 },
]

function wind(view: CityView, index: number, label: string): Fact {
  const forecast = view.forecasts[index]
  if (!forecast) return { label, value: '–' }
  const direction = WINDS.indexOf(forecast.direction)
  const value = forecast.intensity === 0 ? say('anarchy.calm') : `${ARROWS[direction]} ${forecast.intensity}`
  return { label, value, title: say('anarchy.wind_told', { label, direction: term('anarchy', forecast.direction), strength: forecast.intensity }) }
}

function facts(view: CityView): Fact[] {
  const { turn, settings, current_forecast, next_forecast } = view
  return [
    { label: say('game.turn'), value: say('game.turn_of', { turn, last: settings.max_turns }) },
    wind(view, current_forecast, say('anarchy.wind_now')),
    wind(view, next_forecast, say('anarchy.wind_next')),
  ]
}

function tell(view: CityView, cell: Cell): string {
  const b = buildingAt(view, cell)
  const building = b === null ? undefined : view.buildings[b]
  if (b === null || !building) return say('anarchy.empty')
  const what = say('anarchy.numbered', { kind: kindOf(view, b), n: b })
  const parts = [say('game.whose', { seat: term('game', `seat${building.owner}`), what })]
  parts.push(building.health > 0 ? say('anarchy.tell_health', { health: building.health, full: fullHealth(view, b) }) : say('anarchy.tell_ruin'))
  if (building.fire) parts.push(say('anarchy.tell_fire', { n: building.fire }))
  if (building.exposure) parts.push(say('anarchy.tell_exposure', { n: building.exposure }))
  if (building.bribed) parts.push(say('anarchy.tell_bribed'))
  return `${parts.join(', ')}.`
}

const SHOTS: Record<string, { by: string; at: string; art: string }> = {
  ignite: { by: 'warehouse', at: 'building', art: 'ember' },
  extinguish: { by: 'fire_department', at: 'building', art: 'drop' },
  raid: { by: 'police_department', at: 'warehouse', art: 'badge' },
}

function effects(before: CityView, after: CityView, action: Action | null): Effect[] {
  const made: Effect[] = []
  const shot = action && SHOTS[action.do]
  if (action && shot) {
    const [from, to] = [shot.by, shot.at].map((name) => before.buildings[action[name] as number])
    if (from && to) made.push({ kind: 'flight', art: shot.art, from, to })
  }
  const blown = before.forecasts[before.current_forecast]
  if (action?.do === 'end_turn' && blown) made.push({ kind: 'wind', ...blowing(blown.direction), strength: blown.intensity })
  after.buildings.forEach((building, b) => {
    const lost = (before.buildings[b]?.health ?? 0) - building.health
    if (lost > 0) made.push({ kind: 'rise', at: building, text: `−${lost}`, colour: 'danger' })
    if (building.fire > (before.buildings[b]?.fire ?? 0)) made.push({ kind: 'flash', at: building, colour: 'fire' })
  })
  return made
}

/** Labels for the fires and losses at the end of the turn. */
function forecast(view: CityView, after: CityView): Label[] {
  return after.buildings.flatMap((building, b) => {
    const old = view.buildings[b]
    if (!old) return []
    const lost = old.health - building.health
    const caught = building.fire > old.fire
    const made: Label[] = []
    if (caught) made.push({ key: `x${b}`, x: building.x + 0.78, y: building.y + 0.2, text: `▲${building.fire}`, colour: 'fire', size: 0.3 })
    if (lost > 0) made.push({ key: `y${b}`, x: building.x + 0.24, y: building.y + 0.2, text: `−${lost}`, colour: 'danger', size: 0.3 })
    return made
  })
}

const legend: BoardFace<CityView>['legend'] = [
  { art: 'headquarters/0', name: 'anarchy.sign_headquarters' },
  { art: 'warehouse/0', name: 'anarchy.sign_warehouse' },
  { art: 'fire_department/0', name: 'anarchy.sign_fire_department' },
  { art: 'police_department/0', name: 'anarchy.sign_police_department' },
  { art: 'weather_station/0', name: 'anarchy.sign_weather_station' },
  { art: 'ruin/0', name: 'anarchy.sign_ruin' },
  { art: 'flame2', name: 'anarchy.sign_flame2' },
  { art: 'coin', name: 'anarchy.sign_coin' },
  { art: 'eye', name: 'anarchy.sign_eye' },
]

/** The effect of fire and wind on a building at the end of the turn, in sentences. */
function ahead(view: CityView, after: CityView, cell: Cell): string[] {
  const b = buildingAt(view, cell) ?? -1
  const [was, is] = [view.buildings[b], after.buildings[b]]
  if (!was || !is) return []
  const lines: string[] = []
  if (was.fire !== is.fire) lines.push(say(was.fire ? 'anarchy.ahead_fire' : 'anarchy.ahead_catches', { was: was.fire, is: is.fire }))
  if (was.health !== is.health) lines.push(say('anarchy.ahead_health', { was: was.health, is: is.health }))
  return lines
}

export const board: BoardFace<CityView> = { scene, picture, legend, measures, facts, tell, effects, forecast, ahead, lasts: (_before, _after, action) => (action?.do === 'end_turn' ? END_OF_TURN : 0) }
