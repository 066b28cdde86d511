// Turns clicks into actions: the unit to act moves to a tile or throws at an enemy.

import type { Cell, Highlight } from '../../board/scene'
import { say, term } from '../../words'
import type { Action, InputFace } from '../face'
import { cellOfTile, kidAt, ROW, SIDES } from './board'
import type { BattlePreview, BattleView, ThrowPreview, UnitView } from './view'

function cellOf(view: BattleView, piece: number): Cell | null {
  const kid = view.units[piece]
  return kid && kid.x !== null && kid.y !== null ? { x: kid.x, y: kid.y } : null
}

function aim(view: BattleView, action: Action): Cell | null {
  if (typeof action.tile === 'number') return cellOfTile(action.tile)
  if (action.do === 'attack') return cellOf(view, action.target as number)
  return action.do === 'help_ally' ? cellOf(view, action.unit as number) : null
}

const title = (name: unknown) => String(name).split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
const nameOf = (view: BattleView, piece: number) => view.units[piece]?.name ?? say('snowball.team')
const where = (cell: Cell | null) => (cell ? say('snowball.place', { ...cell }) : '')

type Deed = 'pick' | 'recruit' | 'dismiss' | 'attack' | 'help_ally' | 'move' | 'ready' | 'rearm' | 'defend' | 'delay' | 'stand' | 'reconsider'
const DEEDS: readonly string[] = ['pick', 'recruit', 'dismiss', 'attack', 'help_ally', 'move', 'ready', 'rearm', 'defend', 'delay', 'stand', 'reconsider'] satisfies Deed[]

/** The words that sentences about an action use. */
function wordsOf(view: BattleView, action: Action): Record<string, string> {
  const whom = action.target ?? action.unit
  return { who: typeof whom === 'number' ? nameOf(view, whom) : '', place: where(aim(view, action)), hero: title(action.hero), kind: title(action.kind) }
}

function label(view: BattleView, action: Action): string {
  const words = wordsOf(view, action)
  if (action.do === 'place') return say('snowball.place_on', words)
  if (action.do === 'ready' && view.phase === 'draft') return say('snowball.stop_draft')
  return DEEDS.includes(action.do) ? say(`snowball.${action.do as Deed}`, words) : term('snowball', action.do)
}

/** Battle actions do not name their unit: it is the one to act in the view just before. */
function told(view: BattleView, action: Action, seat: string, exact: boolean): string {
  const actor = exact && view.phase === 'battle' ? say('game.whose', { seat, what: nameOf(view, view.active) }) : seat
  if (action.do === 'ready' && exact && view.phase === 'draft') return say('snowball.did_stop_draft', { seat })
  return say(`snowball.did_${action.do as Deed | 'place'}`, { seat, actor, ...wordsOf(view, action) })
}

function art(_view: BattleView, action: Action, seat: number): string | null {
  const kind = action.do === 'pick' ? action.hero : action.do === 'recruit' ? action.kind : null
  return kind ? `kid_${kind}/${SIDES[seat]}` : null
}

function attempt(view: BattleView, piece: number, cell: Cell): Action | null {
  const tile = cell.x + cell.y * ROW
  if (view.phase !== 'battle') return { do: 'place', unit: piece, tile }
  const there = kidAt(view, cell)
  const kid: UnitView | null = there === null ? null : (view.units[there] ?? null)
  const actor = view.units[view.active]
  if (kid && actor && there !== null) return kid.seat === actor.seat ? { do: 'help_ally', unit: there } : { do: 'attack', target: there }
  return { do: 'move', tile }
}

const percent = (share: number) => say('game.percent', { n: Math.round(share * 100) })

/** Marks the tiles of a standard move and of a double move; ice gets a warning sign. */
function reach(said: BattlePreview): Highlight[] {
  const walks = said.walks ?? []
  return walks.map(({ x, y, double, ice }) => ({ x, y, kind: double ? 'far' : 'reach', ...(ice && { text: '!' }) }))
}

function foretell(view: BattleView, action: Action, said: BattlePreview): string[] {
  const lines: string[] = []
  const thrown = said.throw
  if (thrown) lines.push(...chances(view, thrown))
  const walk = said.walk
  if (walk) lines.push(say('snowball.walk', { cost: walk.cost, movement: view.units[view.active]?.movement ?? '' }))
  if (walk?.double) lines.push(say('snowball.walk_double'))
  if (walk?.ice) lines.push(say('snowball.walk_ice'))
  if (action.do === 'move') lines.push(...fromThere(view, said.throws ?? []))
  const order = said.order
  if (order) lines.push(say('snowball.then', { names: order.slice(0, 5).map(([u = -1]) => teamed(view, u)).join(', ') }))
  return lines
}

function teamed(view: BattleView, u: number): string {
  const kid = view.units[u]
  return kid ? say('snowball.of_team', { who: kid.name, team: term('snowball', `seat${kid.seat}`) }) : ''
}

function chances(view: BattleView, thrown: ThrowPreview): string[] {
  const lines = [say('snowball.chance', { hurt: percent(thrown.hurt), open: percent(thrown.open), cover: percent(thrown.cover), dodge: percent(thrown.dodge) })]
  for (const { unit, hurt } of thrown.friends.filter((each) => each.hurt > 0.004)) lines.push(say('snowball.friendly', { hurt: percent(hurt), who: nameOf(view, unit) }))
  for (const { unit, hurt } of thrown.enemies.filter((each) => each.hurt > 0.004)) lines.push(say('snowball.also', { hurt: percent(hurt), who: nameOf(view, unit) }))
  return lines
}

function fromThere(view: BattleView, throws: ThrowPreview[]): string[] {
  const best = throws.toSorted((a, b) => b.hurt - a.hurt).slice(0, 2)
  return best.map((each) => say('snowball.from_there', { hurt: percent(each.hurt), who: nameOf(view, each.target) }))
}

export const input: InputFace<BattleView, BattlePreview> = {
  pieceAt: kidAt,
  cellOf,
  nameOf,
  aim,
  label,
  told,
  art,
  attempt,
  reach,
  foretell,
  mark: (_view, action) => (action.do === 'attack' ? 'danger' : action.do === 'move' || action.do === 'place' ? 'reach' : 'target'),
  worth: (view, action) => action.do !== 'delay' || view.phase === 'battle',
  closes: (action) => action.do === 'ready' || action.do === 'delay',
}

