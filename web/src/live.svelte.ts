// A live match: the connection, the latest view, and a queue that shows events one by one.

import { match } from './api'
import { Connection, type Answer, type LinkState } from './connection'
import { patch, type Delta } from './delta'
import { fold, known, mayAct, type Feed } from './feed'
import type { Action, View } from './games/face'
import { tokenOf } from './prefs.svelte'
import type { Event, Told } from './protocol'
import { say } from './words'

/** One step to show: the views around it and its event, or null if the event is hidden. */
export interface Beat {
  before: View
  view: View
  event: Event | null
  ms: number
}

const OWN = 260 // milliseconds to show an action of this player
const OTHERS = 420
const IN_ALL = 3600 // at most, for a whole queue
const SHORTEST = 45
const SOON = 50 // milliseconds until the client asks whether a full match has started
const PATIENCE = 4000

export class Live {
  feed = $state.raw<Feed | null>(null)
  link = $state<LinkState>('connecting')
  returned = $state(false) // true after a reconnect
  beat = $state.raw<Beat | null>(null) // shown on the board now
  waiting = $state(0) // beats in the queue
  refusal = $state<string | null>(null)
  /** The view just before each event that this client received live. */
  readonly befores = new Map<number, View>()
  private queue: Beat[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private asking: ReturnType<typeof setTimeout> | undefined
  private readonly connection: Connection

  constructor(
    readonly id: string,
    private readonly animated: () => boolean,
    private readonly lasts: (before: View, after: View, event: Event | null) => number = () => 0,
  ) {
    this.connection = new Connection(
      id,
      () => tokenOf(id),
      () => known(this.feed),
      (told) => this.hear(told),
      (state) => this.linked(state),
    )
  }

  get mine(): boolean {
    return mayAct(this.feed)
  }

  close(): void {
    clearTimeout(this.timer)
    clearTimeout(this.asking)
    this.connection.close()
  }

  private linked(state: LinkState): void {
    this.returned = state === 'open' && this.link === 'lost'
    this.link = state
  }

  private hear(told: Told): void {
    const before = this.feed
    this.feed = fold(before, told, performance.now())
    if (!this.feed) return
    if (this.feed.now.status === 'open') this.await(this.feed.seats.every((seat) => seat.taken) ? SOON : PATIENCE)
    if (told.type === 'welcome') this.show({ before: told.view, view: told.view, event: null, ms: 0 })
    if (told.type === 'happened' && before && (told.event === null || told.event.kind === 'act' || told.event.kind === 'undo')) {
      this.enqueue(before.view, told.event)
    }
  }

  /** While the match waits for players, poll for its start, in case no message announces it. */
  private await(ms: number): void {
    clearTimeout(this.asking)
    this.asking = setTimeout(() => {
      if (this.feed?.now.status !== 'open') return
      match(this.id).then(
        ({ status }) => (status === 'open' ? this.await(PATIENCE) : this.connection.rejoin()),
        () => this.await(PATIENCE),
      )
    }, ms)
  }

  private enqueue(before: View, event: Event | null): void {
    const view = this.feed?.view ?? before
    if (event) this.befores.set(event.number, before)
    const own = event?.seat === this.feed?.seat
    this.queue.push({ before, view, event, ms: Math.max(own ? OWN : OTHERS, this.lasts(before, view, event)) })
    this.waiting = this.queue.length
    if (!this.animated()) this.skip()
    else if (this.timer === undefined) this.next()
  }

  private next(): void {
    const beat = this.queue.shift()
    this.waiting = this.queue.length
    if (!beat) {
      this.timer = undefined
      return
    }
    const share = Math.max(SHORTEST, Math.min(beat.ms, IN_ALL / (this.queue.length + 1)))
    this.beat = { ...beat, ms: share }
    this.timer = setTimeout(() => this.next(), share)
  }

  /** Skip the queue and show the latest view. */
  skip(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.queue = []
    this.waiting = 0
    const view = this.feed?.view
    if (view && this.beat?.view !== view) this.show({ before: view, view, event: this.feed?.events.at(-1) ?? null, ms: 0 })
  }

  private show(beat: Beat): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.queue = []
    this.waiting = 0
    this.beat = beat
  }

  // --- requests ---

  async act(action: Action): Promise<Answer> {
    return worded(await this.connection.ask({ type: 'act', action }))
  }

  async undo(): Promise<Answer> {
    return worded(await this.connection.ask({ type: 'undo' }))
  }

  async resign(): Promise<Answer> {
    return worded(await this.connection.ask({ type: 'resign' }))
  }

  async pause(on: boolean): Promise<Answer> {
    return worded(await this.connection.ask({ type: 'pause', on }))
  }

  async chat(text: string): Promise<Answer> {
    return worded(await this.connection.ask({ type: 'chat', text }))
  }

  async legal(piece: number | null): Promise<Action[]> {
    const answer = await this.connection.ask({ type: 'legal', piece })
    return answer.ok ? (answer.answer as { actions: Action[] }).actions : []
  }

  /** The pieces that can act. */
  async ready(): Promise<number[]> {
    const answer = await this.connection.ask({ type: 'ready' })
    return answer.ok ? (answer.answer as { pieces: number[] }).pieces : []
  }

  /** Preview an action: the server's sentences about it, and the view after it if the server sends one. */
  async preview(action: Action | null): Promise<Foreseen> {
    const answer = worded(await this.connection.ask({ type: 'preview', action }))
    if (!answer.ok) return { refused: answer.reason, view: null, said: {} }
    const said = answer.answer as Record<string, unknown>
    const change = said.change as Delta | undefined
    const view = change && this.feed ? (patch(this.feed.view, change) as View) : null
    return { refused: null, view, said }
  }
}

export interface Foreseen {
  refused: string | null
  view: View | null
  said: Record<string, unknown>
}

/** The reason of a refusal, with its rule id if it has one. */
function worded(answer: Answer): Answer {
  if (answer.ok) return answer
  if (answer.rule === 'link') return { ...answer, reason: say('link_action') }
  return /^[A-Z]+\d+$/.test(answer.rule) ? { ...answer, reason: `${answer.reason} (${answer.rule})` } : answer
}
