import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { patch } from '../src/delta'

describe('patch', () => {
  it('keeps the view if nothing changed', () => {
    const view = { turn: 1 }
    expect(patch(view, [])).toBe(view)
  })

  it('replaces a value', () => {
    expect(patch(3, [null])).toBeNull()
  })

  it('changes, adds and removes keys, and shares unchanged parts', () => {
    const before = { turn: 1, fire: [0, 3], gone: true, same: { deep: 1 } }
    const after = patch(before, [{ turn: [2], fire: [{ '1': [2], '2': [9] }, 3], fresh: [{ a: 1 }] }, ['gone']]) as typeof before
    expect(after).toEqual({ turn: 2, fire: [0, 2, 9], same: { deep: 1 }, fresh: { a: 1 } })
    expect(after.same).toBe(before.same)
    expect(before.fire).toEqual([0, 3])
  })

  it('shortens a list', () => {
    expect(patch([1, 2, 3], [{ '0': [7] }, 1])).toEqual([7])
  })

  it('replaces null with a list', () => {
    expect(patch({ a: 1 }, [{ a: [[4, 5]] }, []])).toEqual({ a: [4, 5] })
  })
})

const PYTHON = process.env.ENDTURN_PYTHON
const SCRIPT = `
import json, sys
from endturn.bots import bots_of, play
from endturn.engine.delta import diff
from endturn.engine.match import Match
from endturn.games import find
game = find("catastrophe")
match = Match(game, {"max_turns": 4}, seed=5)
views = [match.view(0)]
play(match, [bots_of(game)["random"](seat) for seat in (0, 1)], lambda m: views.append(m.view(0)))
print(json.dumps({"first": views[0], "changes": [diff(a, b) for a, b in zip(views, views[1:])], "last": views[-1]}))
`

describe.skipIf(!PYTHON)('a change from the engine', () => {
  it('gives the same view as in the engine', () => {
    const made = JSON.parse(execFileSync(PYTHON as string, ['-c', SCRIPT], { maxBuffer: 1 << 26 }).toString()) as { first: unknown; changes: unknown[][]; last: unknown }
    expect(made.changes.length).toBeGreaterThan(10)
    expect(made.changes.reduce((view, change) => patch(view, change), made.first)).toEqual(made.last)
  })
})
