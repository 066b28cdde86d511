// The board for games without drawings: a grid if the view has one, ground colours if it has rows of letters, pieces as
// letters, everything else as text.

import { blank, type Cell, type Label, type Scene } from '../../board/scene'
import { begun, say } from '../../words'
import type { BoardFace, Fact, View } from '../face'

export interface Thing extends Cell {
  key: string
  name: string
  owner: number
  index: number // the number that actions use: its id, or its index in the list
  list: string
  said: Record<string, unknown>
}

type Entry = Record<string, unknown>

const NAMES = ['name', 'kind', 'job', 'type', 'piece', 'unit']
const OWNERS = ['owner', 'seat', 'player', 'team', 'side', 'color', 'colour']
const MOST_FACTS = 9
const isEntry = (said: unknown): said is Entry => said !== null && typeof said === 'object' && !Array.isArray(said)

/** Width and height, from the usual places in a view. */
export function sizeOf(view: View): { width: number; height: number } | null {
  const places = [view, view.settings, view.map, view.board].filter(isEntry)
  for (const place of places) {
    const width = place.map_width ?? place.width ?? place.columns ?? place.size
    const height = place.map_height ?? place.height ?? place.rows ?? place.size
    if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0) return { width, height }
  }
  return null
}

// --- things with a place ---

const known = new WeakMap<View, Thing[]>()

/** Everything in a view that has coordinates. */
export function things(view: View): Thing[] {
  const before = known.get(view)
  if (before) return before
  const width = sizeOf(view)?.width ?? 1
  const made = Object.entries(view).flatMap(([list, entries]) =>
    Array.isArray(entries) ? entries.flatMap((said, index) => thing(list, said, index, width)) : [],
  )
  known.set(view, made)
  return made
}

function thing(list: string, said: unknown, index: number, width: number): Thing[] {
  if (!isEntry(said)) return []
  const cell = cellOf(said, width)
  if (!cell) return []
  const name = NAMES.map((each) => said[each]).find((each) => typeof each === 'string') as string | undefined
  const owner = OWNERS.map((each) => said[each]).find((each) => typeof each === 'number') as number | undefined
  const id = typeof said.id === 'number' ? said.id : index
  return [{ ...cell, key: `${list}${id}`, name: name ?? list.replace(/s$/, ''), owner: owner ?? -1, index: id, list, said }]
}

function cellOf(entry: Entry, width: number): Cell | null {
  if (typeof entry.x === 'number' && typeof entry.y === 'number') return { x: entry.x, y: entry.y }
  const tile = entry.tile ?? entry.cell ?? entry.square
  return typeof tile === 'number' && tile >= 0 ? { x: tile % width, y: Math.floor(tile / width) } : null
}

// --- the ground ---

const LIKE: [RegExp, string][] = [
  [/deep|ocean/, '#3f86c4'],
  [/water|sea|shallow|lake|river/, '#6fb1e0'],
  [/wood|forest|jungle/, '#5f9a68'],
  [/meadow|grass|plain|field/, '#a9c77f'],
  [/hill|ridge|mountain|rock/, '#a6a2a0'],
  [/desert|waste|sand|dune/, '#e0c788'],
  [/fen|swamp|marsh|bog/, '#86a894'],
  [/ice|snow|tundra|glacier/, '#e6eff6'],
  [/road|street/, '#b9b2a4'],
  [/wall|tree|block/, '#6d6f78'],
]
const OTHERS = ['#c9b6d6', '#d6b6b0', '#b6cbd6', '#d6d0b0', '#b8d6c4', '#cfcfcf']

/** The rows of letters that show the ground, if the view has them. */
function rowsOf(view: View): string[] | null {
  const size = sizeOf(view)
  const grids = Object.values(view).filter((rows) => Array.isArray(rows) && rows.length === size?.height && rows.every((row) => typeof row === 'string' && row.length === size.width))
  return (grids[0] as string[] | undefined) ?? null
}

/** The meaning of each letter: the first table of single letters in the view. */
function meanings(view: View): Record<string, string> {
  const tables = [view, ...Object.values(view).filter(isEntry)].flatMap((place) => Object.values(place)).filter(isEntry)
  const found = tables.find((table) => Object.entries(table).length > 1 && Object.entries(table).every(([key, name]) => key.length === 1 && typeof name === 'string'))
  return (found ?? {}) as Record<string, string>
}

function colourOf(letter: string, name: string): string {
  if (letter === ' ') return 'shade'
  const like = LIKE.find(([words]) => words.test(name.toLowerCase()))?.[1]
  return like ?? (letter === '.' && !name ? 'ground' : (OTHERS[letter.charCodeAt(0) % OTHERS.length] ?? 'ground'))
}

/** Equal neighbours in a row become one area. */
function addGround(made: Scene, view: View): void {
  const names = meanings(view)
  for (const [y, row] of (rowsOf(view) ?? []).entries()) {
    for (let x = 0, w = 1; x < row.length; x += w) {
      const letter = row[x] ?? ' '
      for (w = 1; row[x + w] === letter; ) w++
      made.areas.push({ x, y, w, h: 1, colour: colourOf(letter, names[letter] ?? '') })
    }
  }
}

function scene(view: View): Scene {
  const size = sizeOf(view) ?? { width: 8, height: 8 }
  const made = blank(size.width, size.height)
  addGround(made, view)
  const piles = new Map<string, number>()
  for (const { key, x, y, name, owner } of things(view)) {
    const place = `${x},${y}`
    piles.set(place, (piles.get(place) ?? 0) + 1)
    made.sprites.push({ key, art: `letter:${name.slice(0, 1).toUpperCase()}/${owner}`, x, y, size: 0.86 })
  }
  made.labels.push(...[...piles].flatMap(([place, count]) => (count > 1 ? pile(place, count) : [])))
  return made
}

function pile(place: string, count: number): Label {
  const [x = 0, y = 0] = place.split(',').map(Number)
  return { key: `pile${place}`, x: x + 0.82, y: y + 0.2, text: String(count), size: 0.36 }
}

function picture(): Scene {
  const made = blank(8, 4)
  const put = (letter: string, x: number, y: number, seat: number) => made.sprites.push({ key: `${x},${y}`, art: `letter:${letter}/${seat}`, x, y, size: 0.86 })
  made.areas.push({ x: 0, y: 0, w: 3, h: 2, colour: '#a9c77f' }, { x: 3, y: 0, w: 2, h: 4, colour: '#6fb1e0' }, { x: 0, y: 2, w: 3, h: 2, colour: '#5f9a68' }, { x: 5, y: 0, w: 3, h: 2, colour: '#e0c788' }, { x: 5, y: 2, w: 3, h: 2, colour: '#a9c77f' })
  put('A', 1, 1, 0), put('B', 2, 2, 0), put('C', 1, 3, 0), put('X', 6, 1, 1), put('Y', 5, 2, 1), put('Z', 6, 3, 1)
  return made
}

// --- in words ---

export const spaced = (name: string) => name.replaceAll('_', ' ')
const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'

/** The plain values at the top of a view and those under `me`. */
function facts(view: View): Fact[] {
  const own = isEntry(view.me) ? Object.entries(view.me) : []
  const size = ['width', 'height', 'seat', 'size']
  const told = [...Object.entries(view), ...own].filter(([name, value]) => isPlain(value) && typeof value !== 'boolean' && value !== '' && !size.includes(name))
  return told.slice(0, MOST_FACTS).map(([name, value]) => ({ label: begun(spaced(name)), value: String(value) }))
}

function tell(view: View, cell: Cell): string {
  const here = things(view).filter((each) => each.x === cell.x && each.y === cell.y)
  const letter = rowsOf(view)?.[cell.y]?.[cell.x]
  const ground = letter === undefined ? '' : (meanings(view)[letter] ?? (letter === ' ' ? say('game.unknown_ground') : letter))
  const lines = [...here.map(describe), ...(ground ? [`${ground}.`] : [])]
  return lines.join(' ') || say('game.nothing_here')
}

function describe({ name, index, said }: Thing): string {
  // Zero and false values would only fill the line.
  const values = Object.entries(said).filter(([key, value]) => isPlain(value) && value && value !== name && !['x', 'y', 'tile', 'id'].includes(key))
  const told = values.map(([key, value]) => (value === true ? spaced(key) : `${spaced(key)} ${value}`)).join(', ')
  return say('game.described', { what: spaced(name), n: index, values: told })
}

export const board: BoardFace = { scene, picture, legend: [], measures: [], facts, tell }
