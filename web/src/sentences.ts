// Turns events into sentences, for the event list and for screen readers.

import type { Action, Face, View } from './games/face'
import type { Event } from './protocol'
import { say, type Word } from './words'

const LEFT: Record<string, Word> = { resigned: 'game.resigned', timed_out: 'game.timed_out', disconnected: 'game.disconnected' }

/** One event as a sentence. `view` names the pieces; `exact` means that it is the view just before the event. */
export function sentence(face: Face, view: View, event: Event, names: string[], exact = false): string {
  const name = event.seat === null || event.seat === undefined ? '' : (names[event.seat] ?? `#${event.seat}`)
  if (event.kind === 'undo') return say('undone', { name })
  if (event.kind === 'pause') return say('paused_by', { name })
  if (event.kind === 'resume') return say('resumed_by', { name })
  if (event.kind === 'chat') return event.text ?? ''
  return event.action ? acted(face, view, event.action as Action, name, exact) : ''
}

function acted(face: Face, view: View, action: Action, seat: string, exact: boolean): string {
  if (action.do === 'end_turn') return say('game.ended_turn', { seat })
  if (action.do === 'leave') return say(LEFT[String(action.why)] ?? 'game.resigned', { seat })
  return face.input.told(view, action, seat, exact)
}
