// What happened, as sentences: for the list of events and for announcements.

import type { Face, View } from './games/face'
import type { Action } from './games/face'
import type { Event } from './protocol'
import { say } from './words'

/** An event in words; `view` has the pieces it speaks of, and is `exact` if it is the one just before it. */
export function sentence(face: Face, view: View, event: Event, names: string[], exact = false): string {
  const name = event.seat === null || event.seat === undefined ? '' : (names[event.seat] ?? `#${event.seat}`)
  if (event.kind === 'undo') return say('undone', { name })
  if (event.kind === 'pause') return say('paused_by', { name })
  if (event.kind === 'resume') return say('resumed_by', { name })
  if (event.kind === 'chat') return event.text ?? ''
  return event.action ? `${name}: ${face.input.told(view, event.action as Action, exact)}.` : ''
}
