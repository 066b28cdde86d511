// How clicks in Snowball Fight become actions: the kid at turn walks to a tile or throws at an enemy.

import type { Cell, Highlight } from '../../board/scene'
import type { Action, InputFace, View } from '../face'
import { battle, cellOfTile, kidAt, ROW, SIDES, type Kid } from './board'

function cellOf(view: View, piece: number): Cell | null {
  const kid = battle(view).units[piece]
  return kid && kid.x !== null && kid.y !== null ? { x: kid.x, y: kid.y } : null
}

function aim(view: View, action: Action): Cell | null {
  if (typeof action.tile === 'number') return cellOfTile(action.tile)
  if (action.do === 'attack') return cellOf(view, action.target as number)
  return action.do === 'help_ally' ? cellOf(view, action.unit as number) : null
}

const title = (name: unknown) => String(name).split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
const nameOf = (view: View, piece: number) => battle(view).units[piece]?.name ?? 'the team'
const where = (cell: Cell | null) => (cell ? `(${cell.x}, ${cell.y})` : '')

const PLAIN: Record<string, string> = { ready: 'Ready', rearm: 'Rearm: scoop up snowballs', defend: 'Defend', delay: 'Delay: end the turn', stand: 'Stand up', reconsider: 'Reconsider' }

function label(view: View, action: Action): string {
  if (action.do === 'pick') return title(action.hero)
  if (action.do === 'recruit') return `Buy ${title(action.kind)}`
  if (action.do === 'dismiss') return 'Give back'
  if (action.do === 'attack') return `Throw at ${nameOf(view, action.target as number)}`
  if (action.do === 'help_ally') return `Help ${nameOf(view, action.unit as number)} up`
  if (action.do === 'move' || action.do === 'place') return `${title(action.do)} to ${where(aim(view, action))}`
  return PLAIN[action.do] ?? title(action.do)
}

const DID: Record<string, string> = { ready: 'is ready', rearm: 'rearms', defend: 'defends', delay: 'delays', stand: 'stands up', reconsider: 'reconsiders', leave: 'leaves' }

/** Battle actions do not name who does them: it is the kid that was at turn. */
function told(view: View, action: Action, exact: boolean): string {
  const who = exact && battle(view).phase === 'battle' ? nameOf(view, battle(view).active) : ''
  return `${who} ${deed(view, action)}`.trim()
}

function deed(view: View, action: Action): string {
  if (action.do === 'pick') return `picks ${title(action.hero)}`
  if (action.do === 'recruit') return `buys a ${title(action.kind)}`
  if (action.do === 'dismiss') return 'gives a unit back'
  if (action.do === 'attack') return `throws at ${nameOf(view, action.target as number)}`
  if (action.do === 'help_ally') return `helps ${nameOf(view, action.unit as number)} up`
  if (action.do === 'move') return `walks to ${where(aim(view, action))}`
  if (action.do === 'place') return `places ${nameOf(view, action.unit as number)} on ${where(aim(view, action))}`
  return DID[action.do] ?? action.do
}

function art(_view: View, action: Action, seat: number): string | null {
  const kind = action.do === 'pick' ? action.hero : action.do === 'recruit' ? action.kind : null
  return kind ? `kid_${kind}/${SIDES[seat]}` : null
}

function attempt(view: View, piece: number, cell: Cell): Action | null {
  const tile = cell.x + cell.y * ROW
  if (battle(view).phase !== 'battle') return { do: 'place', unit: piece, tile }
  const there = kidAt(view, cell)
  const kid: Kid | null = there === null ? null : (battle(view).units[there] ?? null)
  const actor = battle(view).units[battle(view).active]
  if (kid && actor && there !== null) return kid.seat === actor.seat ? { do: 'help_ally', unit: there } : { do: 'attack', target: there }
  return { do: 'move', tile }
}

interface Walk extends Cell {
  cost: number
  double: boolean
  ice: boolean
}
interface Stray {
  unit: number
  hurt: number
}
interface Throw {
  target: number
  open: number
  cover: number
  dodge: number
  hurt: number
  friends: Stray[]
  enemies: Stray[]
}

const percent = (share: number) => `${Math.round(share * 100)} %`

/** Both radii: what a single move reaches, and what only a double one does. */
function reach(said: Record<string, unknown>): Highlight[] {
  const walks = (said.walks as Walk[] | undefined) ?? []
  return walks.map(({ x, y, double }) => ({ x, y, kind: double ? 'far' : 'reach' }))
}

function foretell(view: View, action: Action, said: Record<string, unknown>): string[] {
  const lines: string[] = []
  const thrown = said.throw as Throw | null | undefined
  if (thrown) lines.push(...chances(view, thrown))
  const walk = said.walk as Walk | null | undefined
  if (walk) lines.push(`Costs ${walk.cost}${walk.double ? ': a double move, the turn ends' : ''}${walk.ice ? '. On ice whoever is struck falls' : ''}`)
  if (action.do === 'move') lines.push(...fromThere(view, (said.throws as Throw[] | undefined) ?? []))
  const order = said.order as [number, number][] | undefined
  if (order) lines.push(`Then: ${order.slice(0, 5).map(([u]) => nameOf(view, u)).join(', ')}`)
  return lines
}

function chances(view: View, thrown: Throw): string[] {
  const lines = [`${percent(thrown.hurt)} to hurt: ${percent(thrown.open)} in the open, −${percent(thrown.cover)} cover, −${percent(thrown.dodge)} dodge`]
  for (const { unit, hurt } of thrown.friends.filter((each) => each.hurt > 0.004)) lines.push(`Friendly fire: ${percent(hurt)} ${nameOf(view, unit)}`)
  for (const { unit, hurt } of thrown.enemies.filter((each) => each.hurt > 0.004)) lines.push(`Also ${percent(hurt)} ${nameOf(view, unit)}`)
  return lines
}

function fromThere(view: View, throws: Throw[]): string[] {
  const best = throws.toSorted((a, b) => b.hurt - a.hurt).slice(0, 2)
  return best.map((each) => `From there ${percent(each.hurt)} at ${nameOf(view, each.target)}`)
}

export const input: InputFace = {
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
  worth: (view, action) => action.do !== 'delay' || battle(view).phase === 'battle',
  closes: (action) => action.do === 'ready' || action.do === 'delay',
}

