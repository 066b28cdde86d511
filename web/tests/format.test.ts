import { describe, expect, it } from 'vitest'
import { ago, amount, clock, humane, profiles, verdict } from '../src/format'

describe('clock', () => {
  it.each([
    [0, '0:00.0'],
    [7349, '0:07.3'],
    [9999, '0:09.9'],
    [10000, '0:10'],
    [245000, '4:05'],
    [7800000, '2:10:00'],
    [273600000, '3 d 4 h'],
  ])('shows %d ms as %s', (ms, text) => expect(clock(ms)).toBe(text))
})

describe('ago', () => {
  it.each([
    [0, 'just now'],
    [61, '1 min ago'],
    [7300, '2 h ago'],
    [200000, '2 d ago'],
  ])('says %d s as %s', (seconds, text) => expect(ago(0, seconds * 1000)).toBe(text))

  it('is never negative when clocks differ', () => expect(ago(5000, 0)).toBe('just now'))
})

describe('names and numbers', () => {
  it('are formatted for people', () => {
    expect(humane('map_width')).toBe('Map width')
    expect([amount(3), amount(2.25)]).toEqual(['3', '2.3'])
  })

  it('name the winner or say that it was a draw', () => {
    const result = { match: 'm', game: 'g', at: 0, names: ['Ann', 'Ben'], places: [2, 1], reasons: [] }
    expect(verdict(result)).toBe('Ben won')
    expect(verdict({ ...result, places: [1, 1] })).toBe('Draw')
  })
})

describe('profiles', () => {
  it('start with the one that changes no setting', () => {
    const known = JSON.parse('{"official": {}, "2017": {"a": 1}, "2022": {"b": 2}}') as Record<string, Record<string, unknown>>
    expect(profiles({ profiles: known })).toEqual(['official', '2017', '2022'])
  })
})
