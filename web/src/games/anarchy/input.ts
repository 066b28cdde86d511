// Turns clicks into actions: choose a building, then its target.

import type { Cell } from '../../board/scene'
import { begun, say, term } from '../../words'
import type { Action, InputFace } from '../face'
import { buildingAt, kindOf } from './board'
import type { CityView } from './view'

const ACTORS = ['warehouse', 'fire_department', 'police_department', 'weather_station']
const BY_KIND: Record<string, (b: number, target: number) => Action> = {
  warehouse: (b, target) => ({ do: 'ignite', warehouse: b, building: target }),
  fire_department: (b, target) => ({ do: 'extinguish', fire_department: b, building: target }),
  police_department: (b, target) => ({ do: 'raid', police_department: b, warehouse: target }),
  weather_station: (b) => ({ do: 'rotate', weather_station: b, counterclockwise: false }),
}

function actor(_view: CityView, action: Action): number | null {
  if (action.do === 'raid') return action.police_department as number
  const name = ACTORS.find((each) => each in action)
  return name ? (action[name] as number) : null
}

function target(action: Action): number | null {
  if (action.do === 'raid') return action.warehouse as number
  return typeof action.building === 'number' ? action.building : null
}

function aim(view: CityView, action: Action): Cell | null {
  const b = target(action)
  const building = b === null ? undefined : view.buildings[b]
  return building ? { x: building.x, y: building.y } : null
}

function cellOf(view: CityView, piece: number): Cell | null {
  const building = view.buildings[piece]
  return building ? { x: building.x, y: building.y } : null
}

function named(view: CityView, b: number | null): string {
  const building = b === null ? undefined : view.buildings[b]
  return building ? say('anarchy.at', { kind: kindOf(view, b as number), x: building.x, y: building.y }) : say('game.the_turn')
}

type Deed = 'ignite' | 'extinguish' | 'raid'
const DEEDS: readonly string[] = ['ignite', 'extinguish', 'raid'] satisfies Deed[]

/** The key of a weather station's action in the catalogue. */
function bend(action: Action): 'rotate_left' | 'rotate_right' | 'weaken' | 'strengthen' {
  if (action.do === 'rotate') return action.counterclockwise ? 'rotate_left' : 'rotate_right'
  return action.negative ? 'weaken' : 'strengthen'
}

const bends = (action: Action) => action.do === 'rotate' || action.do === 'intensify'

function label(view: CityView, action: Action): string {
  if (bends(action)) return say(`anarchy.${bend(action)}`)
  if (action.do === 'end_turn') return say('game.end_turn')
  if (DEEDS.includes(action.do)) return say(`anarchy.${action.do as Deed}`, { what: named(view, target(action)) })
  return term('anarchy', action.do)
}

function told(view: CityView, action: Action, seat: string): string {
  if (bends(action)) return say(`anarchy.did_${bend(action)}`, { seat })
  if (action.do === 'keep_turn') return say('anarchy.did_keep_turn', { seat })
  return say(`anarchy.did_${action.do as Deed}`, { seat, what: named(view, target(action)) })
}

function attempt(view: CityView, piece: number, cell: Cell): Action | null {
  const b = buildingAt(view, cell)
  const kind = view.buildings[piece]?.kind
  return b === null || !kind ? null : (BY_KIND[kind]?.(piece, b) ?? null)
}

/** What changes for the target and for the acting building. */
function outcome(before: CityView, after: CityView, action: Action): string[] {
  if (action.do === 'rotate' || action.do === 'intensify') {
    const next = after.forecasts[after.next_forecast]
    return next ? [say('anarchy.next_wind', { direction: term('anarchy', next.direction), strength: next.intensity })] : []
  }
  if (action.do === 'end_turn') return turnOutcome(before, after)
  return [...new Set([target(action), actor(before, action)])].flatMap((b) => (b === null ? [] : changes(before, after, b)))
}

function changes(before: CityView, after: CityView, b: number): string[] {
  const [old, now] = [before.buildings[b], after.buildings[b]]
  if (!old || !now) return []
  const said = (['fire', 'health', 'exposure'] as const).filter((name) => old[name] !== now[name])
  const what = say('anarchy.numbered', { kind: kindOf(before, b), n: b })
  return said.map((name) => say('game.goes', { what, name: term('anarchy', name), was: old[name], is: now[name] }))
}

function turnOutcome(before: CityView, after: CityView): string[] {
  const lost = [0, 0]
  let caught = 0
  after.buildings.forEach((building, b) => {
    const old = before.buildings[b]
    if (!old) return
    lost[building.owner] = (lost[building.owner] ?? 0) + old.health - building.health
    if (building.fire > old.fire) caught += 1
  })
  return [say('anarchy.turn_losses', { red: lost[0] ?? 0, blue: lost[1] ?? 0 }), say('anarchy.turn_fires', { n: caught })]
}

export const input: InputFace<CityView> = { pieceAt: buildingAt, cellOf, nameOf: (view, piece) => begun(named(view, piece)), aim, label, told, attempt, outcome }
