import { describe, expect, it } from 'vitest'
import { Film } from '../src/film'
import type { MatchInfo, ReplayPart, ReplayStep } from '../src/protocol'

const STEPS: ReplayStep[] = Array.from({ length: 50 }, (_, i) => ({
  event: { number: i + 1, kind: 'act', at: 0, seat: i % 2, action: null, text: null, turn: Math.floor(i / 5) },
  change: [{ count: [i + 1] }, []],
  played: i + 1,
}))
const TURNS = Array.from({ length: 10 }, (_, turn) => ({ turn, step: turn * 5 }))
const part = (first: number, count: number): ReplayPart => ({ match: {} as MatchInfo, first, view: { count: first }, steps: STEPS.slice(first, first + count), total: 50, turns: TURNS })
const measure = { name: 'turn' as const, of: (view: Record<string, unknown>, seat: number) => (view.count as number) * (seat + 1) }

function film(): Film {
  const made = new Film(part(0, 20), [measure], 2)
  made.add(part(20, 30).steps)
  return made
}

describe('a film', () => {
  it('returns the view after any step, in any order', () => {
    const made = film()
    for (const step of [0, 50, 17, 16, 15, 33, 1, 49]) expect(made.view(step)).toEqual({ count: step })
  })

  it('knows where turns begin', () => {
    const made = film()
    expect([made.turnAt(0), made.turnAt(7), made.turnAt(50)]).toEqual([0, 1, 9])
    expect([made.turnStep(7, 1), made.turnStep(7, -1), made.turnStep(47, 1)]).toEqual([10, 5, 50])
  })

  it('measures every turn and the end of the match', () => {
    const made = film()
    expect(made.points.map((point) => point.step)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50])
    expect(made.points.at(-1)?.values).toEqual([[50, 100]])
    expect(made.moments(3)).toHaveLength(3)
  })

  it('says how many actions a what-if match starts from', () => expect(film().played(12)).toBe(12))
})
