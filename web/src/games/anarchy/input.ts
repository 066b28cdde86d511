// How clicks in Anarchy become actions: choose a building, then what it works on.

import type { Cell } from '../../board/scene'
import type { Action, InputFace, View } from '../face'
import { buildingAt, city, kindOf } from './board'

const ACTORS = ['warehouse', 'fire_department', 'police_department', 'weather_station']
const BY_KIND: Record<string, (b: number, target: number) => Action> = {
  warehouse: (b, target) => ({ do: 'ignite', warehouse: b, building: target }),
  fire_department: (b, target) => ({ do: 'extinguish', fire_department: b, building: target }),
  police_department: (b, target) => ({ do: 'raid', police_department: b, warehouse: target }),
  weather_station: (b) => ({ do: 'rotate', weather_station: b, counterclockwise: false }),
}

function actor(_view: View, action: Action): number | null {
  if (action.do === 'raid') return action.police_department as number
  const name = ACTORS.find((each) => each in action)
  return name ? (action[name] as number) : null
}

function target(action: Action): number | null {
  if (action.do === 'raid') return action.warehouse as number
  return typeof action.building === 'number' ? action.building : null
}

function aim(view: View, action: Action): Cell | null {
  const b = target(action)
  const building = b === null ? undefined : city(view).buildings[b]
  return building ? { x: building.x, y: building.y } : null
}

function cellOf(view: View, piece: number): Cell | null {
  const building = city(view).buildings[piece]
  return building ? { x: building.x, y: building.y } : null
}

function named(view: View, b: number | null): string {
  const building = b === null ? undefined : city(view).buildings[b]
  return building ? `${kindOf(view, b as number)} #${b} (${building.x}, ${building.y})` : 'the turn'
}

function label(view: View, action: Action): string {
  if (action.do === 'rotate') return action.counterclockwise ? 'Turn the next wind ↺' : 'Turn the next wind ↻'
  if (action.do === 'intensify') return action.negative ? 'Weaken the next wind −1' : 'Strengthen the next wind +1'
  if (action.do === 'end_turn') return 'End turn'
  if (action.do === 'keep_turn') return 'Keep the turn'
  return `${action.do.charAt(0).toUpperCase()}${action.do.slice(1)} ${named(view, target(action))}`
}

const DID: Record<string, string> = { ignite: 'ignites', extinguish: 'extinguishes', raid: 'raids' }

function told(view: View, action: Action): string {
  const verb = DID[action.do]
  if (verb) return `${named(view, actor(view, action))} ${verb} ${named(view, target(action))}`
  if (action.do === 'rotate') return `turns the next wind ${action.counterclockwise ? 'counterclockwise' : 'clockwise'}`
  if (action.do === 'intensify') return action.negative ? 'weakens the next wind' : 'strengthens the next wind'
  if (action.do === 'end_turn') return 'ends the turn'
  if (action.do === 'keep_turn') return 'keeps the turn'
  return 'leaves'
}

function attempt(view: View, piece: number, cell: Cell): Action | null {
  const b = buildingAt(view, cell)
  const kind = city(view).buildings[piece]?.kind
  return b === null || !kind ? null : (BY_KIND[kind]?.(piece, b) ?? null)
}

/** What becomes of the target and of the one who does it. */
function outcome(before: View, after: View, action: Action): string[] {
  if (action.do === 'rotate' || action.do === 'intensify') {
    const next = city(after).forecasts[city(after).next_forecast]
    return next ? [`Next wind: to the ${next.direction}, strength ${next.intensity}`] : []
  }
  if (action.do === 'end_turn') return turnOutcome(before, after)
  return [target(action), actor(before, action)].flatMap((b) => (b === null ? [] : changes(before, after, b)))
}

function changes(before: View, after: View, b: number): string[] {
  const [old, now] = [city(before).buildings[b], city(after).buildings[b]]
  if (!old || !now) return []
  const said = (['fire', 'health', 'exposure'] as const).filter((name) => old[name] !== now[name])
  return said.map((name) => `${kindOf(before, b)} #${b}: ${name} ${old[name]} → ${now[name]}`)
}

function turnOutcome(before: View, after: View): string[] {
  const lost = [0, 0]
  let caught = 0
  city(after).buildings.forEach((building, b) => {
    const old = city(before).buildings[b]
    if (!old) return
    lost[building.owner] = (lost[building.owner] ?? 0) + old.health - building.health
    if (building.fire > old.fire) caught += 1
  })
  return [`Red loses ${lost[0]} health, Blue ${lost[1]}`, `Fire reaches or grows on ${caught} buildings`]
}

export const input: InputFace = { pieceAt: buildingAt, cellOf, nameOf: named, aim, label, told, attempt, outcome }
