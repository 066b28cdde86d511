// The client's knowledge of a match, and how each server message changes it.

import { patch, type Delta } from './delta'
import type { Event, MatchInfo, Now, SeatInfo, Told } from './protocol'
import type { View } from './games/face'

export interface Feed {
  match: MatchInfo
  seat: number | null
  view: View
  events: Event[]
  now: Now
  heard: number // when `now` arrived, by this client's clock
  seats: SeatInfo[]
  watching: number
  failed: string | null
}

/** The feed after a message. Answers to requests change nothing. */
export function fold(feed: Feed | null, told: Told, at: number): Feed | null {
  if (told.type === 'welcome') return welcomed(feed, told, at)
  if (!feed) return null
  if (told.type === 'happened') {
    const events = told.event ? [...feed.events, told.event] : feed.events
    return { ...feed, view: patch(feed.view, told.change as Delta) as View, events, now: told.now, heard: at }
  }
  if (told.type === 'presence') return { ...feed, seats: told.seats, watching: told.watching }
  if (told.type === 'failed') return { ...feed, failed: told.reason }
  return feed
}

function welcomed(before: Feed | null, told: Extract<Told, { type: 'welcome' }>, at: number): Feed {
  const first = told.events[0]?.number ?? told.known + 1
  const kept = (before?.events ?? []).filter((event) => event.number < first)
  const { match, seat, view, now } = told
  return { match, seat, view, now, heard: at, events: [...kept, ...told.events], seats: match.seats, watching: before?.watching ?? 0, failed: null }
}

/** The number of known events; after a reconnect the server sends only the others. */
export function known(feed: Feed | null): number {
  return feed?.events.at(-1)?.number ?? 0
}

/** A seat's remaining milliseconds at a time of this client's clock; null without a limit. */
export function left(feed: Feed, seat: number, at: number): number | null {
  const { left, running, paused } = feed.now.clocks
  const told = left[seat] ?? null
  if (told === null) return null
  const runs = running.includes(seat) && !paused && feed.now.status === 'running'
  return Math.max(0, told - (runs ? at - feed.heard : 0))
}

/** Whether this client may play an action now. */
export function mayAct(feed: Feed | null): boolean {
  return feed !== null && feed.seat !== null && feed.now.status === 'running' && feed.now.to_act.includes(feed.seat)
}
