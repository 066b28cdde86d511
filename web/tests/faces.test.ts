import { describe, expect, it } from 'vitest'
import { mix } from '../src/art/ink'
import { seatColour } from '../src/art/palette'
import { faceOf } from '../src/games'

describe('the tip over a cell', () => {
  it('in Snowball Fight: hit chance, cover, dodge, friendly fire, the next turns', () => {
    const kid = (name: string, seat: number) => ({ name, kind: 'rookie', seat, x: 1, y: 1, movement: 5 })
    const view = { phase: 'battle', active: 0, units: [kid('Ann', 0), kid('Ben', 0), kid('Cy', 1)], map: ['...'] }
    const thrown = { target: 2, open: 0.9, cover: 0.4, dodge: 0.05, hurt: 0.45, friends: [{ unit: 1, hurt: 0.12 }], enemies: [] }
    const { foretell, reach } = faceOf('snowball').input
    expect(foretell?.(view, { do: 'attack', target: 2 }, { throw: thrown, order: [[2, 0], [1, 0]] }, null)).toEqual([
      '45 % to hit: 90 % in the open, −40 % cover, −5 % dodge',
      'Friendly fire: 12 % to hit Ben',
      'Next: Cy (Orange), Ben (Blue)',
    ])
    expect(foretell?.(view, { do: 'move', tile: 3 }, { walk: { x: 3, y: 0, cost: 8, double: true, ice: true } }, null)).toEqual(['Costs 8 of 5 movement', 'Double move: ends the turn', 'On ice: a hit makes this unit fall prone'])
    const walks = [{ x: 1, y: 0, double: false, ice: false }, { x: 2, y: 0, double: true, ice: true }]
    expect(reach?.({ walks }, view, 0)).toEqual([{ x: 1, y: 0, kind: 'reach' }, { x: 2, y: 0, kind: 'far', text: '!' }])
  })

  it('in Anarchy: where fire spreads at the end of the turn', () => {
    const building = (x: number, fire: number, health: number) => ({ x, y: 0, kind: 'warehouse', owner: 0, fire, health, exposure: 0, bribed: false })
    const before = { buildings: [building(0, 5, 80), building(1, 0, 100)], headquarters: [] }
    const after = { buildings: [building(0, 4, 75), building(1, 3, 100)], headquarters: [] }
    const { ahead } = faceOf('anarchy').board
    expect(ahead?.(before, after, { x: 0, y: 0 })).toEqual(['At the end of this turn: fire 5 → 4', 'At the end of this turn: health 80 → 75'])
    expect(ahead?.(before, after, { x: 1, y: 0 })).toEqual(['At the end of this turn: catches fire, 3'])
    expect(ahead?.(before, after, { x: 5, y: 0 })).toEqual([])
  })

  it('in Catastrophe: energy, the squad, the tiles in reach', () => {
    const unit = (tile: number, energy: number) => ({ job: 'soldier', owner: 0, tile, energy, moves: 2, acted: false, starving: false, food: 0, materials: 0, turns_to_die: -1, squad: [0, 1] })
    const view = { units: [unit(0, 90), unit(1, 60)], tiles: [], store: [0, 0], seat: 0, settings: { map_width: 10, map_height: 2 } }
    const { board, input } = faceOf('catastrophe')
    expect(board.tell(view, { x: 0, y: 0 })).toBe('Red’s soldier #0, energy 90, 2 moves left, squad of 2 with 150 energy in total.')
    const walks = [{ unit: 0, tile: 10, steps: 1 }, { unit: 0, tile: 11, steps: 2 }, { unit: 1, tile: 12, steps: 2 }]
    expect(input.reach?.({ walks }, view, 0)).toEqual([{ x: 1, y: 1, kind: 'far' }, { x: 1, y: 0, kind: 'last' }])
    const after = { ...view, units: [unit(0, 65), unit(1, 35)] }
    expect(input.outcome?.(view, after, { do: 'attack', unit: 0, tile: 5 })).toEqual(['soldier #0: energy 90 → 65', 'soldier #1: energy 60 → 35'])
  })

  it('in Not-Chess: the cost of a path, the chance to hit, the forecast', () => {
    const view = { width: 4, height: 1, squares: [{}, {}, {}, {}], pieces: [{ kind: 'knight', owner: 0, square: 0, mp: 2, health: 1 }] }
    const { input, board } = faceOf('notchess')
    const walk = { figure: 0, square: 2, cost: 2, points: 3, wind: true }
    expect(input.reach?.({ walks: [walk] }, view, 0)).toEqual([{ x: 2, y: 0, kind: 'target', text: '2' }])
    expect(input.foretell?.(view, { do: 'move', figure: 0, to: 2 }, { walk }, { ...view, pieces: [{ ...view.pieces[0], square: 2, mp: 0 }] })).toEqual(['Costs 2 of 3 movement, including 1 for the wind', 'Must rest next turn'])
    expect(input.foretell?.(view, { do: 'attack', figure: 0, target: 1 }, { chance: 0.7 }, view)).toEqual(['Hits with a chance of 70 %'])
    const month = { month: 'Aut1mn', season: 'Autumn', snow: { plain: { appear: 46, disappear: 2 } }, rain: { appear: 2, disappear: 3 }, wind: { north_east: 50 }, flood: 0, drought: 0 }
    const told = board.facts?.({ ...view, turn: 1, wind: 'north', forecast: [month, month] }).map(({ title }) => title).filter(Boolean)
    expect(told?.[0]).toBe('Autumn, month 1. Snow and ice: plain appears 46 %, disappears 2 %. Rain: 2 appear, 3 disappear. Wind: north-east 50 %.')
    const rough = { ...month, rain: { appear: 0, disappear: view.squares.length }, flood: 3, drought: 4 }
    expect(board.facts?.({ ...view, turn: 1, wind: null, forecast: [rough] })[1]?.title).toContain('Rain: 0 appear, all disappear. Wind: north-east 50 %. Floods: 3 squares. Drought: 4 % of dry plains.')
  })
})

describe('the colours of seats', () => {
  // Viénot, Brettel and Mollon: how red, green and blue look if one kind of cone is missing.
  const SIGHT = {
    protanopia: [[0.112, 0.888, 0], [0.112, 0.888, 0], [0.004, -0.004, 1]],
    deuteranopia: [[0.293, 0.707, 0], [0.293, 0.707, 0], [-0.021, 0.021, 1]],
    tritanopia: [[1, 0.152, -0.152], [0, 0.867, 0.133], [0, 0.867, 0.133]],
  }
  const linear = (colour: string) => [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2)
  const seen = (colour: string, sight: number[][]) => sight.map((row) => row.reduce((sum, share, i) => sum + share * (linear(colour)[i] ?? 0), 0))
  const apart = (a: number[], b: number[]) => Math.hypot(...a.map((part, i) => Math.max(0, part) ** (1 / 2.2) - Math.max(0, b[i] ?? 0) ** (1 / 2.2)))

  it.each(Object.entries(SIGHT))('of the two sides of every game differ in %s', (_, sight) => {
    for (const game of ['anarchy', 'catastrophe', 'snowball', 'notchess', 'any other']) {
      const [first = 0, second = 1] = faceOf(game).board.sides ?? []
      expect(apart(seen(seatColour(first), sight), seen(seatColour(second), sight))).toBeGreaterThan(0.25)
    }
  })

  it('are mixed channel by channel', () => expect(mix('#000000', '#ff8000', 0.5)).toBe('#804000'))
})
