// Formats times, names and settings for people.

import type { GameInfo, MatchInfo, Result, SeatInfo } from './protocol'
import { say } from './words'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A clock's time: 0:07.3, 4:05, 2:10:00, 3 d 4 h. */
export function clock(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`
  const whole = Math.floor(seconds)
  if (whole >= DAY) return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`
  const two = (n: number) => String(n).padStart(2, '0')
  if (whole >= HOUR) return `${Math.floor(whole / HOUR)}:${two(Math.floor((whole % HOUR) / MINUTE))}:${two(whole % MINUTE)}`
  return `${Math.floor(whole / MINUTE)}:${two(whole % MINUTE)}`
}

/** The age of something, such as "5 min ago". */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, (now - at) / 1000)
  if (seconds < MINUTE) return say('ago_now')
  if (seconds < HOUR) return say('ago_minutes', { n: Math.floor(seconds / MINUTE) })
  if (seconds < DAY) return say('ago_hours', { n: Math.floor(seconds / HOUR) })
  return say('ago_days', { n: Math.floor(seconds / DAY) })
}

/** The name of a seat's player, or "open seat". */
export function player(seat: SeatInfo): string {
  return seat.taken ? seat.name : say('open_seat')
}

export function pairing(match: MatchInfo): string {
  return match.seats.map(player).join(' – ')
}

/** The result in a few words. */
export function verdict(result: Result): string {
  const first = result.names.filter((_, seat) => result.places[seat] === 1)
  return first.length === 1 ? say('won', { name: first[0] ?? '' }) : say('drawn')
}

/** map_width becomes Map width. */
export function humane(name: string): string {
  const said = name.replaceAll('_', ' ')
  return said.charAt(0).toUpperCase() + said.slice(1)
}

/** A number with at most one decimal. */
export function amount(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}

/** The names of a game's profiles, the default first: the one that changes no setting. (The order of the keys says nothing,
 * because JavaScript moves keys such as "2017" to the front.) */
export function profiles(game: Pick<GameInfo, 'profiles'>): string[] {
  const names = Object.keys(game.profiles)
  const plain = names.find((name) => Object.keys(game.profiles[name] ?? {}).length === 0)
  return plain === undefined ? names : [plain, ...names.filter((name) => name !== plain)]
}
