import { describe, expect, it } from 'vitest'
import { inside, NAMES } from '../src/art'
import { picture } from '../src/board/picture'
import { palette } from '../src/art/palette'
import { faceOf, isDrawn } from '../src/games'
import { render } from '../src/markdown'
import { say } from '../src/words'

describe('the catalogue', () => {
  it('fills in words and keeps unknown ones', () => {
    expect(say('turn', { n: 7 })).toBe('Turn 7')
    expect(say('turn')).toBe('Turn {n}')
  })

  it('chooses between a and an', () => {
    expect(['archer', 'warrior'].map((kind) => say('notchess.raise', { kind }))).toEqual(['Raise an archer', 'Raise a warrior'])
    expect(say('catastrophe.structure_stands', { what: 'old wall' })).toBe('An old wall is built here')
  })
})

describe('rules', () => {
  it('are rendered without raw HTML or scripts', () => {
    const html = render('# Hi\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n- **M1** A rule.')
    expect(html).not.toMatch(/<script|href="javascript/)
    expect(html).toContain('id="rule-M1"')
  })
})

describe('drawings', () => {
  it('are well-formed XML for every seat', () => {
    for (const name of NAMES) for (const seat of [-1, 0, 1, 6, 7, 8]) expect(inside(`${name}/${seat}`)).not.toMatch(/undefined|NaN/)
  })

  it('of an unknown piece are its letter, never markup', () => {
    expect(inside('dragon/1')).toContain('>D<')
    expect(inside('letter:</0')).not.toContain('><<')
  })
})

describe('a game without drawings', () => {
  const view = { turn: 1, width: 4, height: 3, figures: [{ kind: 'king', owner: 1, square: 6 }, { kind: 'pawn', owner: 0, x: 0, y: 2 }] }
  const face = faceOf('no_such_game')

  it('has a grid with pieces as letters', () => {
    expect(isDrawn('no_such_game')).toBe(false)
    const scene = face.board.scene(view, 0)
    expect([scene.width, scene.height]).toEqual([4, 3])
    expect(scene.sprites.map(({ art, x, y }) => [art, x, y])).toEqual([['letter:K/1', 2, 1], ['letter:P/0', 0, 2]])
    expect(picture(scene, palette('dark'))).toContain('>K<')
  })

  it('shows actions in words, aimed at the cells they name', () => {
    const action = { do: 'move_far', unit: 0, tile: 7 }
    expect(face.input.label(view, action)).toBe('Move far: unit 0, tile 7')
    expect(face.input.aim(view, action)).toEqual({ x: 3, y: 1 })
  })
})

describe('the fallback for a game with a map of letters', () => {
  const view = {
    turn: 3,
    width: 3,
    height: 2,
    round: true,
    terrain: ['~~.', '.w '],
    units: [{ id: 7, kind: 'Scout', owner: 1, x: 2, y: 1, hp: 9, fuel: 0 }],
    rules: { techs: ['None', 'Fire'], headings: ['north', 'east'], terrain: { '~': 'Deep', w: 'Wood', '.': 'Meadow' } },
  }
  const { board, input } = faceOf('no_such_game')

  it('paints the ground in areas', () => {
    const { areas } = board.scene(view, 0)
    expect(areas.map(({ x, y, w }) => [x, y, w])).toEqual([[0, 0, 2], [2, 0, 1], [0, 1, 1], [1, 1, 1], [2, 1, 1]])
    expect(areas[0]?.colour).not.toBe(areas[1]?.colour)
    expect(board.tell(view, { x: 2, y: 1 })).toBe('Scout #7: owner 1, hp 9. Unexplored.')
    expect(board.facts?.(view)).toEqual([{ label: 'Turn', value: '3' }])
  })

  it('names the numbers, the actor and the target of an action', () => {
    const move = { do: 'move', unit: 7, heading: 1 }
    expect(input.label(view, move)).toBe('Move: Scout #7, heading east')
    expect(input.about?.(view, move)).toMatchObject({ x: 2, y: 1 })
    expect(input.aim(view, move)).toEqual({ x: 0, y: 1 })
    expect(input.label(view, { do: 'study', tech: 1 })).toBe('Study: tech Fire')
  })

  it('says what an action would change', () => {
    const after = { ...view, units: [{ ...view.units[0], x: 0, hp: 8 }] }
    expect(input.outcome?.(view, after, { do: 'move' })).toEqual(['Scout #7: x 2 → 0', 'Scout #7: hp 9 → 8'])
  })
})
