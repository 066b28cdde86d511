// Draws Snowball Fight: snow, ice, cover, units with health and snowballs, and throws.

import { blank, type Cell, type Effect, type Scene } from '../../board/scene'
import { say, term } from '../../words'
import type { Action, BoardFace, Fact, Measure } from '../face'
import type { BattleView, UnitView } from './view'

export const ROW = 64 // tiles are numbered x + 64 y
export const SIDES = [1, 8]

export const cellOfTile = (tile: number): Cell => ({ x: tile % ROW, y: Math.floor(tile / ROW) })
export const artOf = (kid: UnitView) => `kid_${kid.kind}/${SIDES[kid.seat]}`

export function kidAt(view: BattleView, cell: Cell): number | null {
  const found = view.units.findIndex((kid) => kid !== null && kid.x === cell.x && kid.y === cell.y && kid.posture !== 'downed')
  if (found >= 0) return found
  const down = view.units.findIndex((kid) => kid !== null && kid.x === cell.x && kid.y === cell.y)
  return down < 0 ? null : down
}

function scene(view: BattleView): Scene {
  const { map, starts, units, active } = view
  const made = blank(map[0]?.length ?? 1, map.length, 'snow')
  map.forEach((row, y) => [...row].forEach((sign, x) => addGround(made, sign, x, y)))
  starts.forEach(([x = 0, y = 0], seat) => made.sprites.push({ key: `start${seat}`, art: `flag/${SIDES[seat]}`, x, y, layer: 'ground', size: 0.8, alpha: 0.8 }))
  units.forEach((kid, u) => kid && addKid(made, kid, u, u === active))
  return made
}

function addGround(made: Scene, sign: string, x: number, y: number): void {
  if (sign === '~') made.areas.push({ x, y, w: 1, h: 1, colour: 'ice' })
  const art = { T: 'tree', m: 'mound', o: 'hole' }[sign]
  if (art) made.sprites.push({ key: `g${x},${y}`, art, x, y, size: sign === 'T' ? 1.1 : 0.95, layer: 'ground' })
}

function addKid(made: Scene, kid: UnitView, u: number, active: boolean): void {
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

const own = (view: BattleView, seat: number) => view.units.filter((kid): kid is UnitView => kid !== null && kid.seat === seat)
const up = (view: BattleView, seat: number) => own(view, seat).filter((kid) => kid.posture !== 'downed')
const sum = (kids: UnitView[], of: (kid: UnitView) => number) => kids.reduce((all, kid) => all + of(kid), 0)

const measures: Measure<BattleView>[] = [
  { name: 'snowball.measure_up', of: (view: BattleView, seat: number) => up(view, seat).length, most: (view: BattleView, seat: number) => own(view, seat).length },
  { name: 'game.health', of: (view: BattleView, seat: number) => sum(up(view, seat), (kid) => kid.health), most: (view: BattleView, seat: number) => sum(own(view, seat), (kid) => kid.most_health) },
  { name: 'snowball.measure_snowballs', of: (view: BattleView, seat: number) => sum(up(view, seat), (kid) => kid.snowballs) },
]

function facts(view: BattleView): Fact[] {
  const { phase, order, units, points } = view
  if (phase !== 'battle') return [{ label: say('snowball.phase'), value: term('snowball', `phase_${phase}`) }, { label: say('snowball.points'), value: points.map((each) => each ?? '?').join(' : ') }]
  const arts = order.slice(0, 10).flatMap(([u = -1]) => (units[u] ? [{ art: artOf(units[u]), title: units[u].name }] : []))
  return [{ label: say('snowball.order'), value: '', arts, title: arts.map((each) => each.title).join(', ') }]
}

const GROUND: Record<string, 'snow' | 'ice' | 'tree' | 'mound' | 'hole'> = { '.': 'snow', '~': 'ice', T: 'tree', m: 'mound', o: 'hole' }

function tell(view: BattleView, cell: Cell): string {
  const u = kidAt(view, cell)
  const kid = u === null ? null : view.units[u]
  const sign = GROUND[view.map[cell.y]?.[cell.x] ?? '']
  const ground = sign ? say(`snowball.ground_${sign}`) : ''
  return kid ? `${tellKid(kid)} ${ground}.` : `${ground}.`
}

function tellKid(kid: UnitView): string {
  const { health, most_health: most, snowballs, speed, movement, range, accuracy, dodge } = kid
  const who = say('game.whose', { seat: term('snowball', `seat${kid.seat}`), what: kid.name })
  const parts = [say('snowball.tell', { who, health, most, snowballs, speed, movement, range, accuracy, dodge })]
  if (kid.posture !== 'standing') parts.push(term('snowball', kid.posture))
  if (kid.defending) parts.push(say('snowball.defends'))
  return `${parts.join(', ')}.`
}

function effects(before: BattleView, after: BattleView, action: Action | null): Effect[] {
  const made: Effect[] = []
  const thrown = after.throw
  if (action?.do === 'attack' && thrown) {
    const hit = after.units[thrown.struck] ?? after.units[thrown.target]
    if (hit && hit.x !== null && hit.y !== null) made.push({ kind: 'flight', art: 'snowball', from: thrown, to: { x: hit.x, y: hit.y }, arc: 0.6 })
    if (hit && hit.x !== null && hit.y !== null && thrown.flight !== 'hit') made.push({ kind: 'rise', at: { x: hit.x, y: hit.y }, text: term('snowball', thrown.flight), colour: 'ink' })
  }
  after.units.forEach((kid, u) => {
    const old = before.units[u]
    if (!kid || !old || kid.x === null || kid.y === null) return
    const change = kid.health - old.health
    if (change) made.push({ kind: 'rise', at: { x: kid.x, y: kid.y }, text: change > 0 ? `+${change}` : `−${-change}`, colour: change > 0 ? 'health' : 'danger' })
  })
  return made
}

const legend: BoardFace<BattleView>['legend'] = [
  { art: 'kid_captain/1', name: 'snowball.sign_captain' },
  { art: 'kid_aunt_avalanche/8', name: 'snowball.sign_hero' },
  { art: 'tree', name: 'snowball.sign_tree' },
  { art: 'mound', name: 'snowball.sign_mound' },
  { art: 'hole', name: 'snowball.sign_hole' },
  { art: 'shield', name: 'snowball.sign_shield' },
  { art: 'flag/1', name: 'snowball.sign_flag' },
]

export const board: BoardFace<BattleView> = { sides: SIDES, scene, picture, legend, measures, facts, tell, effects }
