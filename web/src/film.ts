// A replay as a film: the view after any step, and the game's measures over time.

import { patch, type Delta } from './delta'
import type { Measure, View } from './games/face'
import type { Event, ReplayPart, ReplayStep, TurnMark } from './protocol'

const KEY = 16 // steps between stored views; the views in between are computed on demand

export interface Point {
  step: number
  turn: number
  values: number[][] // by measure, by seat
}

export class Film {
  readonly steps: ReplayStep[] = []
  readonly points: Point[] = []
  private readonly keys: View[] = []
  private last: { step: number; view: View }

  constructor(
    first: ReplayPart,
    private readonly measures: Measure[],
    private readonly seats: number,
  ) {
    this.last = { step: 0, view: first.view as View }
    this.keys.push(first.view as View)
    this.turns = first.turns
    this.total = first.total
    this.measure(0, first.view as View)
    this.add(first.steps)
  }

  readonly turns: TurnMark[]
  readonly total: number

  get loaded(): number {
    return this.steps.length
  }

  /** Append steps, in order. */
  add(steps: ReplayStep[]): void {
    let view = this.view(this.loaded)
    const marks = new Set(this.turns.map((mark) => mark.step))
    for (const step of steps) {
      view = patch(view, step.change as Delta) as View
      this.steps.push(step)
      if (this.loaded % KEY === 0) this.keys.push(view)
      if (marks.has(this.loaded) || this.loaded === this.total) this.measure(this.loaded, view)
    }
    this.last = { step: this.loaded, view }
  }

  private measure(step: number, view: View): void {
    const seats = Array.from({ length: this.seats }, (_, seat) => seat)
    this.points.push({ step, turn: this.turnAt(step), values: this.measures.map(({ of }) => seats.map((seat) => of(view, seat))) })
  }

  /** The view after `step` steps. */
  view(step: number): View {
    const near = step >= this.last.step && step - this.last.step < KEY ? this.last : null
    const key = near ?? { step: Math.floor(step / KEY) * KEY, view: this.keys[Math.floor(step / KEY)] as View }
    let view = key.view
    for (let at = key.step; at < step; at++) view = patch(view, (this.steps[at] as ReplayStep).change as Delta) as View
    this.last = { step, view }
    return view
  }

  event(step: number): Event | null {
    return this.steps[step - 1]?.event ?? null
  }

  /** The number of actions and undos up to a step; a what-if match starts from it. */
  played(step: number): number {
    return this.steps[step - 1]?.played ?? 0
  }

  turnAt(step: number): number {
    return this.turns.findLast((mark) => mark.step <= step)?.turn ?? 0
  }

  /** The first step of the previous or next turn. */
  turnStep(step: number, by: 1 | -1): number {
    const found = by > 0 ? this.turns.find((mark) => mark.step > step) : this.turns.findLast((mark) => mark.step < step)
    return found?.step ?? (by > 0 ? this.total : 0)
  }

  /** The steps with the largest changes of the first measure; each gets a mark on the bar. */
  moments(most: number): number[] {
    const jumps = this.points.slice(1).map((point, i) => {
      const before = this.points[i]?.values[0] ?? []
      return { step: point.step, jump: Math.max(0, ...(point.values[0] ?? []).map((value, seat) => Math.abs(value - (before[seat] ?? value)))) }
    })
    const large = jumps.filter(({ jump }) => jump > 0).sort((a, b) => b.jump - a.jump)
    return large.slice(0, most).map(({ step }) => step)
  }
}
