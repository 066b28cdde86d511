// The WebSocket of a match: joins, sends requests, matches answers and reconnects.

import { socketOf } from './api'
import type { Said, Told } from './protocol'

export type LinkState = 'connecting' | 'open' | 'lost' | 'closed'
export interface RefusedAnswer {
  rule: string
  reason: string
}
export type Answer = { ok: true; answer: unknown } | ({ ok: false } & RefusedAnswer)

type Question = Said extends infer Each ? (Each extends { ask: number } ? Omit<Each, 'ask'> : never) : never

const FIRST_WAIT = 400 // milliseconds before the first reconnect; doubles each time
const LONGEST_WAIT = 8000
const PATIENCE = 15000 // milliseconds to wait for an answer

export class Connection {
  private socket: WebSocket | null = null
  private asked = 0
  private readonly waiting = new Map<number, (answer: Answer) => void>()
  private wait = FIRST_WAIT
  private timer: ReturnType<typeof setTimeout> | undefined
  private ended = false

  constructor(
    private readonly match: string,
    private readonly token: () => string | null,
    private readonly since: () => number,
    private readonly hear: (told: Told) => void,
    private readonly state: (state: LinkState) => void,
  ) {
    this.open()
    window.addEventListener('online', this.hurry)
  }

  close(): void {
    this.ended = true
    clearTimeout(this.timer)
    window.removeEventListener('online', this.hurry)
    this.socket?.close()
    this.state('closed')
  }

  /** Join again, to receive the current state of the match. */
  rejoin(): void {
    const old = this.socket
    if (!old) return
    old.onclose = old.onmessage = null
    old.close()
    this.open(false)
  }

  /** Send a request. If the connection is lost first, the answer is a refusal with the rule "link". */
  ask(question: Question): Promise<Answer> {
    const ask = ++this.asked
    return new Promise((resolve) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return resolve(gone)
      const answered = (answer: Answer) => {
        clearTimeout(late)
        this.waiting.delete(ask)
        resolve(answer)
      }
      const late = setTimeout(() => answered(gone), PATIENCE)
      this.waiting.set(ask, answered)
      this.socket.send(JSON.stringify({ ...question, ask }))
    })
  }

  private open(tell = true): void {
    if (tell) this.state(this.asked || this.wait > FIRST_WAIT ? 'lost' : 'connecting')
    const socket = new WebSocket(socketOf(this.match))
    this.socket = socket
    socket.onopen = () => socket.send(JSON.stringify({ type: 'join', token: this.token(), since: this.since() }))
    socket.onmessage = (message) => this.received(JSON.parse(message.data as string) as Told)
    socket.onclose = () => this.lost()
  }

  private received(told: Told): void {
    if (told.type === 'welcome') {
      this.wait = FIRST_WAIT
      this.state('open')
    }
    if (told.type === 'done') this.waiting.get(told.ask)?.({ ok: true, answer: told.answer })
    else if (told.type === 'refused') this.waiting.get(told.ask)?.({ ok: false, rule: told.rule, reason: told.reason })
    else if (told.type === 'malformed') this.waiting.get(told.ask ?? 0)?.({ ok: false, rule: told.rule, reason: told.reason })
    else this.hear(told)
  }

  private lost(): void {
    for (const answered of [...this.waiting.values()]) answered(gone)
    if (this.ended) return
    this.state('lost')
    this.timer = setTimeout(() => this.open(), this.wait)
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2)
  }

  private readonly hurry = (): void => {
    if (this.ended || this.socket?.readyState === WebSocket.OPEN) return
    clearTimeout(this.timer)
    this.wait = FIRST_WAIT
    this.open()
  }
}

const gone: Answer = { ok: false, rule: 'link', reason: '' }
