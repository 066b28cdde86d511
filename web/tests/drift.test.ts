import { describe, expect, it } from 'vitest'
import { drifted } from '../src/board/drift'
import type { Sprite } from '../src/board/scene'

const EAST = { kind: 'rain', x: 1, y: 0 }
const cloud = (x: number, y: number, drift = EAST): Sprite => ({ key: `r${x},${y}`, art: 'rain', x, y, drift })

describe('clouds', () => {
  it('move with the wind, even onto the old place of another cloud', () => {
    const found = drifted([cloud(1, 1), cloud(2, 1)], [cloud(2, 1), cloud(3, 1)])
    expect([...found]).toEqual([['r2,1', 'r1,1'], ['r3,1', 'r2,1']])
  })

  it('move to a neighbouring cell without wind', () => {
    const calm = { kind: 'rain', x: 0, y: 0 }
    expect([...drifted([cloud(1, 1, calm)], [cloud(2, 2, calm)])]).toEqual([['r2,2', 'r1,1']])
  })

  it('that are new, gone or far away match no other cloud', () => {
    expect(drifted([cloud(1, 1)], [cloud(5, 5)]).size).toBe(0)
    expect(drifted([cloud(1, 1)], [cloud(2, 1, { kind: 'wind', x: 1, y: 0 })]).size).toBe(0)
  })

  it('in the same place have not moved', () => {
    expect(drifted([cloud(1, 1), cloud(2, 1)], [cloud(1, 1), cloud(2, 1)]).size).toBe(0)
  })
})
