// Input for games without an input.ts: legal actions as a list. A click on a cell shows only the actions of the pieces on
// it; actions that name a cell can be clicked on the board.

import type { Cell } from '../../board/scene'
import { begun, say } from '../../words'
import type { Action, InputFace, View } from '../face'
import { sizeOf, spaced, type Thing, things } from './board'

/** Only the game's own files know what a piece number means, so no piece can be chosen on the board. */
const nowhere = () => null

const COMPASS: Record<string, [number, number]> = {
  north: [0, -1],
  'north-east': [1, -1],
  east: [1, 0],
  'south-east': [1, 1],
  south: [0, 1],
  'south-west': [-1, 1],
  west: [-1, 0],
  'north-west': [-1, -1],
}

/** The thing that a field of an action names: `unit: 102` is number 102 in the list `units`. */
function named(view: View, key: string, value: unknown): Thing | undefined {
  if (typeof value !== 'number') return undefined
  const lists = [`${key}s`, key.replace(/y$/, 'ies'), key]
  return things(view).find((each) => each.index === value && lists.includes(each.list))
}

/** A number as a name, if the view has a list of names for it: `tech: 1` is the second of `techs`. */
function inWords(view: View, key: string, value: unknown): string {
  const thing = named(view, key, value)
  if (thing) return `${spaced(thing.name)} #${thing.index}`
  const places = [view, view.rules, view.settings].filter((each) => each !== null && typeof each === 'object') as View[]
  const lists = places.map((place) => place[`${key}s`]).filter((list) => Array.isArray(list))
  const name = typeof value === 'number' ? lists.map((list) => (list as unknown[])[value]).find((each) => typeof each === 'string') : undefined
  return name === undefined ? String(value) : spaced(name as string)
}

const parts = (action: Action) => Object.entries(action).filter(([key]) => key !== 'do')

/** The thing that acts: the first one that the action names. */
function doer(view: View, action: Action): Thing | null {
  for (const [key, value] of parts(action)) {
    const thing = named(view, key, value)
    if (thing) return thing
  }
  return null
}

function aim(view: View, action: Action): Cell | null {
  if (typeof action.x === 'number' && typeof action.y === 'number') return { x: action.x, y: action.y }
  const size = sizeOf(view)
  const tile = action.tile ?? action.cell ?? action.square ?? action.to
  if (typeof tile === 'number' && size) return { x: tile % size.width, y: Math.floor(tile / size.width) }
  return beside(view, action)
}

/** The neighbouring cell, if an action names a direction. */
function beside(view: View, action: Action): Cell | null {
  const from = doer(view, action)
  const size = sizeOf(view)
  if (!from || !size || view.hexagonal) return null
  const steps = parts(action).flatMap(([key, value]) => [COMPASS[inWords(view, key, value).replaceAll(' ', '-')]])
  const step = steps.find((each) => each !== undefined)
  if (!step) return null
  const [x, y] = [from.x + step[0], from.y + step[1]]
  return { x: view.round ? (x + size.width) % size.width : x, y }
}

function label(view: View, action: Action): string {
  if (action.do === 'phase_done') return say('game.end_phase')
  const name = begun(spaced(action.do))
  const said = parts(action).map(([key, value]) => (named(view, key, value) ? inWords(view, key, value) : `${spaced(key)} ${inWords(view, key, value)}`))
  return said.length ? `${name}: ${said.join(', ')}` : name
}

/** Which things on the board would change. */
function outcome(before: View, after: View): string[] {
  const now = new Map(things(after).map((each) => [each.key, each]))
  return things(before).flatMap((old) => {
    const is = now.get(old.key)
    const what = `${spaced(old.name)} #${old.index}`
    if (!is) return [say('game.is_gone', { what })]
    const changed = Object.entries(old.said).filter(([key, value]) => typeof value !== 'object' && value !== is.said[key])
    return changed.map(([key, value]) => say('game.goes', { what, name: spaced(key), was: String(value), is: String(is.said[key]) }))
  }).slice(0, 6)
}

/** Usual names of the action that ends a turn. */
const ENDS = ['end_turn', 'phase_done', 'pass', 'done']

export const input: InputFace = {
  closes: (action) => ENDS.includes(action.do),
  pieceAt: nowhere,
  cellOf: nowhere,
  nameOf: (_view, piece) => `#${piece}`,
  about: doer,
  aim,
  label,
  told: (view, action, seat) => (action.do === 'phase_done' ? say('game.ended_phase', { seat }) : say('game.played', { seat, action: label(view, action) })),
  attempt: () => null,
  outcome,
}
