// Clouds have no ids. This matches each cloud of a new scene with one of the old scene, by the direction of the wind.

import type { Sprite } from './scene'

const STAYS = 3 // cost of a match that does not move; a match that follows the wind costs 0

/** For each drifting sprite of the new scene, the key of its match in the old scene. */
export function drifted(before: Sprite[], after: Sprite[]): Map<string, string> {
  const found = new Map<string, string>()
  const kept = new Set(before.map((old) => old.key))
  if (after.length === before.length && after.every((now) => kept.has(now.key))) return found
  const taken = new Set<string>()
  for (const { old, now } of pairs(before, after)) {
    if (taken.has(old.key) || found.has(now.key)) continue
    taken.add(old.key)
    found.set(now.key, old.key)
  }
  return found
}

/** Possible matches, the likeliest first. */
function pairs(before: Sprite[], after: Sprite[]): { old: Sprite; now: Sprite }[] {
  const made = before.flatMap((old) => after.flatMap((now) => ({ old, now, cost: cost(old, now) })))
  return made.filter((pair) => pair.cost !== null).sort((a, b) => (a.cost as number) - (b.cost as number))
}

function cost(old: Sprite, now: Sprite): number | null {
  const [dx, dy] = [Math.round(now.x - old.x), Math.round(now.y - old.y)]
  if (old.drift?.kind !== now.drift?.kind || Math.max(Math.abs(dx), Math.abs(dy)) > 1) return null
  if (dx === 0 && dy === 0) return STAYS
  const [wx, wy] = [old.drift?.x ?? 0, old.drift?.y ?? 0]
  return dx === wx && dy === wy ? 0 : 1 + Math.abs(Math.sign(dx - wx)) * 0.5 + Math.abs(Math.sign(dy - wy)) * 0.5
}
