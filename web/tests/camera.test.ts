import { describe, expect, it } from 'vitest'
import { centre, CLOSEST, fit, hold, sees, zoomAt } from '../src/board/camera'

const FRAME = { width: 800, height: 600 }

describe('the camera', () => {
  it('fits the whole board into the middle of the frame', () => {
    const camera = fit(FRAME, 40, 20)
    expect(camera.scale).toBeCloseTo((800 - 24) / 40)
    expect(camera.x).toBeCloseTo(12)
    expect(camera.y).toBeCloseTo((600 - 20 * camera.scale) / 2)
  })

  it('keeps the point under the pointer when it zooms', () => {
    const before = fit(FRAME, 40, 20)
    const after = zoomAt(before, 2, 300, 200, 1)
    const under = (camera: typeof before) => [(300 - camera.x) / camera.scale, (200 - camera.y) / camera.scale]
    expect(under(after)[0]).toBeCloseTo(under(before)[0] as number)
    expect(under(after)[1]).toBeCloseTo(under(before)[1] as number)
  })

  it('stays within its zoom limits', () => {
    const camera = fit(FRAME, 8, 8)
    expect(zoomAt(camera, 100, 0, 0, 10).scale).toBe(CLOSEST)
    expect(zoomAt(camera, 0.001, 0, 0, 10).scale).toBe(10)
  })

  it('keeps part of the board in the frame', () => {
    const far = hold({ x: 99999, y: -99999, scale: 100 }, FRAME, 40, 20)
    expect(far.x).toBeLessThan(FRAME.width)
    expect(far.y + 2000).toBeGreaterThan(0)
  })

  it('centres a cell', () => {
    const camera = centre({ x: 0, y: 0, scale: 100 }, FRAME, 30, 10)
    expect(sees(camera, FRAME, 30, 10)).toBe(true)
    expect(sees(camera, FRAME, 0, 0)).toBe(false)
  })
})
