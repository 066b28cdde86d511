// Draws Snowball Fight: snow, ice, cover, units with health and snowballs, and throws.

import { blank, type Cell, type Effect, type Scene } from '../../board/scene'
import { say, term } from '../../words'
import type { Action, BoardFace, Fact, Measure, View } from '../face'

export interface Kid {
  name: string
  kind: string
  seat: number
  x: number | null
  y: number | null
  health: number
  most_health: number
  snowballs: number
  posture: string
  defending: boolean
  speed: number
  movement: number
  range: number
  accuracy: number
  dodge: number
  cost: number
}

interface Throw {
  thrower: number
  target: number
  x: number
  y: number
  struck: number
  flight: string
}

export interface Battle extends View {
  phase: string
  turn: number
  active: number
  points: (number | null)[]
  ready: boolean[]
  map: string[]
  starts: [number, number][]
  order: [number, number][]
  throw: Throw | null
  units: (Kid | null)[]
}

export const ROW = 64 // tiles are numbered x + 64 y
export const SIDES = [1, 8]

export const battle = (view: View) => view as Battle
export const cellOfTile = (tile: number): Cell => ({ x: tile % ROW, y: Math.floor(tile / ROW) })
export const artOf = (kid: Kid) => `kid_${kid.kind}/${SIDES[kid.seat]}`

export function kidAt(view: View, cell: Cell): number | null {
  const found = battle(view).units.findIndex((kid) => kid !== null && kid.x === cell.x && kid.y === cell.y && kid.posture !== 'downed')
  if (found >= 0) return found
  const down = battle(view).units.findIndex((kid) => kid !== null && kid.x === cell.x && kid.y === cell.y)
  return down < 0 ? null : down
}

function scene(view: View): Scene {
  const { map, starts, units, active } = battle(view)
  const made = blank(map[0]?.length ?? 1, map.length, 'snow')
  map.forEach((row, y) => [...row].forEach((sign, x) => addGround(made, sign, x, y)))
  starts.forEach(([x, y], seat) => made.sprites.push({ key: `start${seat}`, art: `flag/${SIDES[seat]}`, x, y, layer: 'ground', size: 0.8, alpha: 0.8 }))
  units.forEach((kid, u) => kid && addKid(made, kid, u, u === active))
  return made
}

function addGround(made: Scene, sign: string, x: number, y: number): void {
  if (sign === '~') made.areas.push({ x, y, w: 1, h: 1, colour: 'ice' })
  const art = { T: 'tree', m: 'mound', o: 'hole' }[sign]
  if (art) made.sprites.push({ key: `g${x},${y}`, art, x, y, size: sign === 'T' ? 1.1 : 0.95, layer: 'ground' })
}

function addKid(made: Scene, kid: Kid, u: number, active: boolean): void {
  const { x, y } = kid
  if (x === null || y === null) return
  const down = kid.posture === 'downed'
  if (active) made.areas.push({ x: x - 0.06, y: y - 0.06, w: 1.12, h: 1.12, colour: 'energy', alpha: 0.75, round: 0.3 })
  made.sprites.push({ key: `u${u}`, art: artOf(kid), x, y, size: kid.cost > 2 ? 1.02 : 0.9, alpha: down ? 0.4 : 1, turn: kid.posture === 'standing' ? 0 : 1 })
  if (down) return
  made.bars.push({ key: `h${u}`, x, y, share: kid.health / kid.most_health, colour: kid.health / kid.most_health < 0.34 ? 'danger' : 'health' })
  for (let i = 0; i < kid.snowballs; i++) made.sprites.push({ key: `b${u},${i}`, art: 'snowball', x: x - 0.36 + i * 0.17, y: y + 0.3, size: 0.24, layer: 'over' })
  if (kid.defending) made.sprites.push({ key: `d${u}`, art: 'shield', x: x + 0.34, y: y - 0.3, size: 0.4, layer: 'over' })
}

function picture(): Scene {
  const made = blank(8, 4, 'snow')
  made.areas.push({ x: 3, y: 1, w: 2, h: 2, colour: 'ice' })
  const put = (art: string, x: number, y: number, size = 0.95) => made.sprites.push({ key: `${x},${y}`, art, x, y, size })
  put('tree', 0, 0), put('tree', 7, 3), put('tree', 3, 0), put('mound', 2, 2), put('mound', 5, 1), put('mound', 4, 3)
  put('kid_big_boots_boris/1', 1, 1), put('kid_scout/1', 1, 3), put('kid_pitcher/1', 2, 1), put('kid_aunt_avalanche/8', 6, 1), put('kid_slugger/8', 5, 2), put('kid_dodgy_dot/8', 6, 3)
  made.sprites.push({ key: 'b1', art: 'snowball', x: 3.2, y: 0.8, size: 0.4, layer: 'over' }, { key: 'b2', art: 'snowball', x: 4.2, y: 1.9, size: 0.4, layer: 'over' })
  return made
}

const own = (view: View, seat: number) => battle(view).units.filter((kid): kid is Kid => kid !== null && kid.seat === seat)
const up = (view: View, seat: number) => own(view, seat).filter((kid) => kid.posture !== 'downed')
const sum = (kids: Kid[], of: (kid: Kid) => number) => kids.reduce((all, kid) => all + of(kid), 0)

const measures: Measure[] = [
  { name: 'snowball.measure_up', of: (view: View, seat: number) => up(view, seat).length, most: (view: View, seat: number) => own(view, seat).length },
  { name: 'game.health', of: (view: View, seat: number) => sum(up(view, seat), (kid) => kid.health), most: (view: View, seat: number) => sum(own(view, seat), (kid) => kid.most_health) },
  { name: 'snowball.measure_snowballs', of: (view: View, seat: number) => sum(up(view, seat), (kid) => kid.snowballs) },
]

function facts(view: View): Fact[] {
  const { phase, order, units, points } = battle(view)
  if (phase !== 'battle') return [{ label: say('snowball.phase'), value: term('snowball', `phase_${phase}`) }, { label: say('snowball.points'), value: points.map((each) => each ?? '?').join(' : ') }]
  const arts = order.slice(0, 10).flatMap(([u]) => (units[u] ? [{ art: artOf(units[u]), title: units[u].name }] : []))
  return [{ label: say('snowball.order'), value: '', arts, title: arts.map((each) => each.title).join(', ') }]
}

const GROUND: Record<string, 'snow' | 'ice' | 'tree' | 'mound' | 'hole'> = { '.': 'snow', '~': 'ice', T: 'tree', m: 'mound', o: 'hole' }

function tell(view: View, cell: Cell): string {
  const u = kidAt(view, cell)
  const kid = u === null ? null : battle(view).units[u]
  const sign = GROUND[battle(view).map[cell.y]?.[cell.x] ?? '']
  const ground = sign ? say(`snowball.ground_${sign}`) : ''
  return kid ? `${tellKid(kid)} ${ground}.` : `${ground}.`
}

function tellKid(kid: Kid): string {
  const { health, most_health: most, snowballs, speed, movement, range, accuracy, dodge } = kid
  const who = say('game.whose', { seat: term('snowball', `seat${kid.seat}`), what: kid.name })
  const parts = [say('snowball.tell', { who, health, most, snowballs, speed, movement, range, accuracy, dodge })]
  if (kid.posture !== 'standing') parts.push(term('snowball', kid.posture))
  if (kid.defending) parts.push(say('snowball.defends'))
  return `${parts.join(', ')}.`
}

function effects(before: View, after: View, action: Action | null): Effect[] {
  const made: Effect[] = []
  const thrown = battle(after).throw
  if (action?.do === 'attack' && thrown) {
    const hit = battle(after).units[thrown.struck] ?? battle(after).units[thrown.target]
    if (hit && hit.x !== null && hit.y !== null) made.push({ kind: 'flight', art: 'snowball', from: thrown, to: { x: hit.x, y: hit.y }, arc: 0.6 })
    if (hit && hit.x !== null && hit.y !== null && thrown.flight !== 'hit') made.push({ kind: 'rise', at: { x: hit.x, y: hit.y }, text: term('snowball', thrown.flight), colour: 'ink' })
  }
  battle(after).units.forEach((kid, u) => {
    const old = battle(before).units[u]
    if (!kid || !old || kid.x === null || kid.y === null) return
    const change = kid.health - old.health
    if (change) made.push({ kind: 'rise', at: { x: kid.x, y: kid.y }, text: change > 0 ? `+${change}` : `−${-change}`, colour: change > 0 ? 'health' : 'danger' })
  })
  return made
}

const legend: BoardFace['legend'] = [
  { art: 'kid_captain/1', name: 'snowball.sign_captain' },
  { art: 'kid_aunt_avalanche/8', name: 'snowball.sign_hero' },
  { art: 'tree', name: 'snowball.sign_tree' },
  { art: 'mound', name: 'snowball.sign_mound' },
  { art: 'hole', name: 'snowball.sign_hole' },
  { art: 'shield', name: 'snowball.sign_shield' },
  { art: 'flag/1', name: 'snowball.sign_flag' },
]

export const board: BoardFace = { sides: SIDES, scene, picture, legend, measures, facts, tell, effects }
