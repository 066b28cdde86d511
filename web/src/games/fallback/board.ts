// How a game looks that nobody has drawn yet: a grid where the view has one, pieces by letter, all else as text.

import { blank, type Cell, type Scene } from '../../board/scene'
import { say } from '../../words'
import type { BoardFace, View } from '../face'

export interface Thing extends Cell {
  key: string
  name: string
  owner: number
  index: number
  list: string
  said: Record<string, unknown>
}

const NAMES = ['name', 'kind', 'job', 'type', 'piece', 'unit']
const OWNERS = ['owner', 'seat', 'player', 'team', 'side', 'color', 'colour']

/** Width and height, from wherever a view usually has them. */
export function sizeOf(view: View): { width: number; height: number } | null {
  const places = [view, view.settings, view.map, view.board].filter((each) => each !== null && typeof each === 'object') as View[]
  for (const place of places) {
    const width = place.map_width ?? place.width ?? place.columns ?? place.size
    const height = place.map_height ?? place.height ?? place.rows ?? place.size
    if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0) return { width, height }
  }
  return null
}

/** Everything in a view that has a place. */
export function things(view: View): Thing[] {
  const width = sizeOf(view)?.width ?? 1
  return Object.entries(view).flatMap(([list, entries]) =>
    Array.isArray(entries) ? entries.flatMap((said, index) => thing(list, said, index, width)) : [],
  )
}

function thing(list: string, said: unknown, index: number, width: number): Thing[] {
  if (said === null || typeof said !== 'object') return []
  const entry = said as Record<string, unknown>
  const cell = cellOf(entry, width)
  if (!cell) return []
  const name = NAMES.map((each) => entry[each]).find((each) => typeof each === 'string') as string | undefined
  const owner = OWNERS.map((each) => entry[each]).find((each) => typeof each === 'number') as number | undefined
  return [{ ...cell, key: `${list}${index}`, name: name ?? list.replace(/s$/, ''), owner: owner ?? -1, index, list, said: entry }]
}

function cellOf(entry: Record<string, unknown>, width: number): Cell | null {
  if (typeof entry.x === 'number' && typeof entry.y === 'number') return { x: entry.x, y: entry.y }
  const tile = entry.tile ?? entry.cell ?? entry.square
  return typeof tile === 'number' && tile >= 0 ? { x: tile % width, y: Math.floor(tile / width) } : null
}

function scene(view: View): Scene {
  const size = sizeOf(view) ?? { width: 8, height: 8 }
  const made = blank(size.width, size.height)
  for (const { key, x, y, name, owner } of things(view)) {
    made.sprites.push({ key, art: `letter:${name.slice(0, 1).toUpperCase()}/${owner}`, x, y, size: 0.86 })
  }
  return made
}

function picture(): Scene {
  const made = blank(8, 4)
  const put = (letter: string, x: number, y: number, seat: number) => made.sprites.push({ key: `${x},${y}`, art: `letter:${letter}/${seat}`, x, y, size: 0.86 })
  put('A', 1, 1, 0), put('B', 2, 2, 0), put('C', 1, 3, 0), put('X', 6, 1, 1), put('Y', 5, 2, 1), put('Z', 6, 3, 1)
  return made
}

function tell(view: View, cell: Cell): string {
  const here = things(view).filter((each) => each.x === cell.x && each.y === cell.y)
  return here.length ? here.map(describe).join(' ') : say('game.nothing_here')
}

function describe({ name, index, said }: Thing): string {
  const values = Object.entries(said).filter(([, value]) => typeof value !== 'object')
  const told = values.map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`).join(', ')
  return say('game.described', { what: name.replaceAll('_', ' '), n: index, values: told })
}

export const board: BoardFace = { scene, picture, legend: [], measures: [], tell }
