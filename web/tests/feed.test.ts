import { describe, expect, it } from 'vitest'
import { fold, known, left, mayAct, type Feed } from '../src/feed'
import type { Event, MatchInfo, Now, Told } from '../src/protocol'

const MATCH: MatchInfo = { id: 'm', game: 'g', title: 'G', status: 'running', seats: [], settings: {}, clock: {}, created_at: 0, changed_at: 0, outcome: null, seed: null }
const NOW: Now = { turn: 0, to_act: [0], clocks: { left: [5000, null], running: [0], paused: false }, status: 'running', outcome: null }
const event = (number: number): Event => ({ number, kind: 'act', at: 0, seat: 0, action: { do: 'x' }, text: null, turn: 0 })
const welcome = (events: Event[], total = events.length): Told => ({ type: 'welcome', match: MATCH, seat: 0, view: { fire: [1] }, events, known: total, now: NOW })
const begun = (events: Event[] = []) => fold(null, welcome(events), 100) as Feed

describe('fold', () => {
  it('is empty before the welcome', () => {
    expect(fold(null, { type: 'presence', seats: [], watching: 1 }, 0)).toBeNull()
  })

  it('applies a change to the view and keeps the event', () => {
    const feed = fold(begun(), { type: 'happened', event: event(1), change: [{ fire: [{ '0': [4] }, 1] }, []], now: { ...NOW, turn: 1 } }, 200) as Feed
    expect(feed.view).toEqual({ fire: [4] })
    expect([feed.now.turn, known(feed), feed.heard]).toEqual([1, 1, 200])
  })

  it('applies a change without an event', () => {
    const feed = fold(begun(), { type: 'happened', event: null, change: [{ fire: [[2]] }, []], now: NOW }, 0) as Feed
    expect(feed.view).toEqual({ fire: [2] })
    expect(feed.events).toEqual([])
  })

  it('keeps known events after a reconnect and adds new ones once', () => {
    const back = fold(begun([event(1), event(2)]), welcome([event(3)], 3), 0) as Feed
    expect(back.events.map((each) => each.number)).toEqual([1, 2, 3])
    const again = fold(back, welcome([event(2), event(3)], 3), 0) as Feed
    expect(again.events.map((each) => each.number)).toEqual([1, 2, 3])
  })

  it('keeps the reason why a match was stopped', () => {
    expect((fold(begun(), { type: 'failed', reason: 'no power' }, 0) as Feed).failed).toBe('no power')
  })
})

describe('clocks', () => {
  it('run for the seat to act, by the client’s own clock', () => {
    expect(left(begun(), 0, 1100)).toBe(4000)
  })

  it('stop while paused and never go below zero', () => {
    expect(left(begun(), 0, 99999)).toBe(0)
    const paused = { ...begun(), now: { ...NOW, clocks: { ...NOW.clocks, paused: true } } }
    expect(left(paused, 0, 99999)).toBe(5000)
  })

  it('are null without a limit', () => {
    expect(left(begun(), 1, 500)).toBeNull()
  })
})

describe('mayAct', () => {
  it('is true only on the player’s turn and never for a spectator', () => {
    expect(mayAct(begun())).toBe(true)
    expect(mayAct({ ...begun(), seat: null })).toBe(false)
    expect(mayAct({ ...begun(), seat: 1 })).toBe(false)
    expect(mayAct({ ...begun(), now: { ...NOW, status: 'over' } })).toBe(false)
  })
})
