// Draws Not-Chess: terrain, weather, capitals, peasants, war figures and nomads.

import { mix } from '../../art/ink'
import { blank, type Cell, type Effect, type Scene } from '../../board/scene'
import { begun, say, term } from '../../words'
import type { Action, BoardFace, Fact, Measure } from '../face'
import type { BoardView, MonthView, PieceView, SquareView } from './view'

export const SIDES = [6, 7]
export const named = (word: string) => term('notchess', word)
const COMPASS = ['north', 'north_east', 'east', 'south_east', 'south', 'south_west', 'west', 'north_west']
const TOWARDS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]] as const
const WEATHER = 1100 // milliseconds for clouds and wind to drift
const ARROWS = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖']
const LAND = { plain: '#9dbb74', forest: '#4f8a5b', water: '#4f9fd6', desert: '#dcc07c', marsh: '#7d9a86', mountain: '#a3a0a0', ice: '#a9d8f2' } as Record<string, string> & { plain: string }
const ART: Record<string, string> = { forest: 'forest', mountain: 'mountain', water: 'waves', desert: 'dunes', marsh: 'reeds' }


export function cellOfSquare(view: BoardView, square: number): Cell {
  return { x: square % view.width, y: Math.floor(square / view.width) }
}

export function pieceOn(view: BoardView, square: number): PieceView | undefined {
  return view.pieces.find((piece) => piece.square === square)
}

export const artOf = (kind: string, owner: number) => (owner in SIDES ? `${kind}/${SIDES[owner]}` : kind)

function scene(view: BoardView): Scene {
  const { width, height, squares, pieces, wind } = view
  const made = blank(width, height)
  squares.forEach((square, s) => addSquare(made, square, cellOfSquare(view, s), s, wind))
  pieces.forEach((piece) => addPiece(made, piece, cellOfSquare(view, piece.square), pieces))
  return made
}

function addSquare(made: Scene, square: SquareView, { x, y }: Cell, s: number, wind: string | null): void {
  const frozen = square.terrain === 'water' && square.snow
  const bare = LAND[frozen ? 'ice' : square.terrain] ?? LAND.plain
  const land = square.snow && !frozen ? mix(bare, '#ffffff', 0.74) : bare
  made.areas.push({ x, y, w: 1, h: 1, colour: square.dark ? mix(land, '#1c2a48', 0.27) : land })
  const put = (key: string, art: string, more: object) => made.sprites.push({ key: `${key}${s}`, art, x, y, ...more })
  const art = frozen ? undefined : ART[square.terrain]
  if (art) put('t', art, { size: 0.84, layer: 'ground', alpha: square.snow ? 0.75 : 0.95 })
  if (square.snow) put('s', 'flakes', { size: 0.9, layer: 'ground', alpha: 0.85 })
  if (square.drought) put('c', 'cracks', { size: 0.9, layer: 'ground' })
  if (square.flood) put('f', 'flood', { layer: 'ground' })
  if (!square.wind && !square.rain && !square.storm) return
  const [wx, wy] = square.wind ? blowing(wind) : ([0, 0] as const)
  if (square.wind) put('w', 'gust', { x: x + 0.24, y: y + 0.26, size: 0.5, layer: 'over', turn: COMPASS.indexOf(wind ?? 'east') / 2 - 1, drift: { kind: 'wind', x: wx, y: wy } })
  if (square.rain || square.storm) put('r', square.storm ? 'storm' : 'rain', { x: x - 0.18, y: y - 0.2, size: 0.62, layer: 'over', drift: { kind: 'rain', x: wx, y: wy } })
}

const blowing = (wind: string | null) => TOWARDS[COMPASS.indexOf(wind ?? '')] ?? ([0, 0] as const)

/** Whether clouds or wind have moved. */
function hasDrifted(before: BoardView, after: BoardView): boolean {
  const old = before.squares
  return after.squares.some(({ rain, storm, wind }, s) => rain !== old[s]?.rain || storm !== old[s]?.storm || wind !== old[s]?.wind)
}

/** Pieces have no id in the view: kind, owner and place in the list make the key. */
function addPiece(made: Scene, piece: PieceView, { x, y }: Cell, pieces: PieceView[]): void {
  const alike = pieces.filter((each) => each.kind === piece.kind && each.owner === piece.owner)
  const key = `${piece.kind}${piece.owner},${alike.indexOf(piece)}`
  const rests = piece.mp === 0 && ['rook', 'bishop', 'knight', 'ship'].includes(piece.kind)
  made.sprites.push({ key, art: artOf(piece.kind, piece.owner), x, y, size: piece.kind === 'king' ? 0.98 : 0.84, alpha: rests ? 0.7 : 1 })
  if (piece.kind === 'rook') made.bars.push({ key, x, y, share: piece.health / 2, colour: piece.health < 2 ? 'danger' : 'health' })
  if (rests) made.sprites.push({ key: `z${key}`, art: 'sleep', x: x + 0.32, y: y - 0.32, size: 0.36, layer: 'over' })
}

function picture(): Scene {
  const made = blank(8, 4)
  const land = ['ffpmmpww', 'fpppmdww', 'pwpddpfp', 'wwpppffp']
  const names: Record<string, SquareView['terrain']> = { f: 'forest', m: 'mountain', w: 'water', d: 'desert', p: 'plain' }
  land.forEach((row, y) => [...row].forEach((sign, x) => addSquare(made, { terrain: names[sign] ?? 'plain', dark: (x + y) % 2 === 1, snow: x < 3 && y < 2, rain: (x === 5 && y === 1) || (x === 6 && y === 2), storm: x === 4 && y === 0 ? 1 : 0, wind: x === 3 && y === 2, flood: 0, drought: false }, { x, y }, y * 8 + x, 'east')))
  const put = (art: string, x: number, y: number) => made.sprites.push({ key: `p${x},${y}`, art, x, y, size: 0.86 })
  put('king/6', 0, 3), put('pawn/6', 1, 2), put('knight/6', 2, 1), put('rook/6', 3, 2), put('bishop/7', 5, 2), put('king/7', 7, 0), put('pawn/7', 6, 1), put('nomad', 4, 3), put('rook/7', 5, 0)
  return made
}

const own = (view: BoardView, seat: number) => view.pieces.filter((piece) => piece.owner === seat)
const isWar = (piece: PieceView) => ['rook', 'bishop', 'knight', 'ship'].includes(piece.kind)
const pool = (view: BoardView, seat: number) => Object.values(view.pools[seat] ?? {}).reduce((sum, each) => sum + each, 0)

const measures: Measure<BoardView>[] = [
  { name: 'notchess.measure_war', of: (view: BoardView, seat: number) => own(view, seat).filter(isWar).length },
  { name: 'notchess.measure_peasants', of: (view: BoardView, seat: number) => own(view, seat).filter((piece) => piece.kind === 'pawn').length },
  { name: 'notchess.measure_raise', of: (view: BoardView, seat: number) => Math.max(0, view.allowance[seat] ?? 0) },
  { name: 'notchess.measure_pool', of: pool },
]

function facts(view: BoardView): Fact[] {
  const { turn, forecast, wind, squares } = view
  const made: Fact[] = [{ label: say('game.turn'), value: String(turn) }]
  const [now, next] = forecast
  if (now) made.push({ label: say('notchess.fact_month'), value: monthName(now), title: weather(now, squares.length) })
  if (wind) made.push({ label: say('notchess.fact_wind'), value: `${ARROWS[COMPASS.indexOf(wind)] ?? ''} ${named(wind)}` })
  if (next) made.push({ label: say('notchess.next_month'), value: short(next, squares.length), title: weather(next, squares.length) })
  return made
}

/** "Winter, month 1" for the code W1nter. */
const monthName = ({ month, season }: MonthView) => say('notchess.month', { season, n: /\d/.exec(month)?.[0] ?? '' })

/** How many rains disappear: a number, or "all". */
const going = ({ rain }: MonthView, squares: number) => (rain.disappear >= squares ? say('notchess.month_all') : rain.disappear)

function short(ahead: MonthView, squares: number): string {
  const { rain, snow: { plain } } = ahead
  const words = { month: monthName(ahead), comes: rain.appear, goes: going(ahead, squares), snow: plain?.appear ?? 0 }
  return say(plain ? 'notchess.month_snow' : 'notchess.month_short', words)
}

function weather(ahead: MonthView, squares: number): string {
  const { snow, rain, wind, flood, drought } = ahead
  const layers = Object.entries(snow).map(([name, { appear, disappear }]) => say('notchess.month_layer', { what: named(name), comes: appear, goes: disappear }))
  const winds = Object.entries(wind).map(([name, chance]) => say('notchess.month_wind', { direction: named(name), chance }))
  const words = { month: monthName(ahead), layers: layers.join('; '), comes: rain.appear, goes: going(ahead, squares), winds: winds.join(', ') || say('notchess.month_calm') }
  const plight = [flood > 0 && say('notchess.month_flood', { n: flood }), drought > 0 && say('notchess.month_drought', { n: drought })]
  return [say('notchess.month_told', words), ...plight.filter(Boolean)].join(' ')
}

function tell(view: BoardView, cell: Cell): string {
  const square = view.squares[cell.x + cell.y * view.width]
  const piece = pieceOn(view, cell.x + cell.y * view.width)
  return [piece ? tellPiece(piece) : '', square ? tellSquare(square) : ''].filter(Boolean).join(' ')
}

function tellPiece(piece: PieceView): string {
  const what = named(piece.kind)
  const parts = [piece.owner in SIDES ? say('game.whose', { seat: named(`seat${piece.owner}`), what }) : what]
  if (isWar(piece)) parts.push(say('notchess.tell_movement', { n: piece.mp }), say('notchess.tell_health', { n: piece.health }))
  return `${begun(parts.join(', '))}.`
}

function tellSquare(square: SquareView): string {
  const parts = [square.terrain, square.dark ? 'dark' : 'light']
  if (square.snow) parts.push(square.terrain === 'water' ? 'ice' : 'snow')
  if (square.storm) parts.push('storm')
  else if (square.rain) parts.push('rain')
  for (const name of ['wind', 'flood', 'drought'] as const) if (square[name]) parts.push(name)
  return `${begun(parts.map(named).join(', '))}.`
}

function effects(before: BoardView, after: BoardView, action: Action | null): Effect[] {
  const made: Effect[] = []
  const { wind } = after
  if (wind && hasDrifted(before, after)) made.push({ kind: 'wind', x: blowing(wind)[0], y: blowing(wind)[1], strength: 2 })
  if (action?.do === 'attack') {
    const [from, to] = [action.figure, action.target].map((square) => cellOfSquare(before, square as number)) as [Cell, Cell]
    const archer = pieceOn(before, action.figure as number)?.kind === 'bishop'
    if (archer) made.push({ kind: 'flight', art: 'ember', from, to, arc: 0.5 })
    made.push({ kind: 'flash', at: to, colour: 'danger' })
  }
  for (const old of before.pieces) {
    const gone = !after.pieces.some((piece) => piece.owner === old.owner && piece.kind === old.kind && piece.square === old.square)
    if (gone && action?.do === 'attack' && old.square === action.target) made.push({ kind: 'rise', at: cellOfSquare(before, old.square), text: '✕', colour: 'danger' })
  }
  return made
}

const legend: BoardFace<BoardView>['legend'] = [
  { art: 'king/6', name: 'notchess.sign_king' },
  { art: 'pawn/6', name: 'notchess.sign_pawn' },
  { art: 'rook/6', name: 'notchess.sign_rook' },
  { art: 'bishop/6', name: 'notchess.sign_bishop' },
  { art: 'knight/6', name: 'notchess.sign_knight' },
  { art: 'nomad', name: 'notchess.sign_nomad' },
  { art: 'forest', name: 'notchess.sign_forest', ground: LAND.plain },
  { art: 'mountain', name: 'notchess.sign_mountain', ground: LAND.mountain },
  { art: 'waves', name: 'notchess.sign_waves', ground: LAND.water },
  { art: 'dunes', name: 'notchess.sign_dunes', ground: LAND.desert },
  { art: 'reeds', name: 'notchess.sign_reeds', ground: LAND.marsh },
  { art: 'flakes', name: 'notchess.sign_flakes', ground: LAND.ice },
  { art: 'rain', name: 'notchess.sign_rain', ground: LAND.plain },
  { art: 'storm', name: 'notchess.sign_storm', ground: LAND.plain },
  { art: 'gust', name: 'notchess.sign_gust', ground: LAND.plain },
  { art: 'sleep', name: 'notchess.sign_sleep' },
]

export const board: BoardFace<BoardView> = { sides: SIDES, scene, picture, legend, measures, facts, tell, effects, lasts: (before, after) => (hasDrifted(before, after) ? WEATHER : 0) }
