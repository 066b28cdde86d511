// The typed HTTP API. A failed request throws NotDone with the server's reason.

import type { Created, GameInfo, MatchInfo, NewMatch, Problem, Result, SeatToken } from './protocol'
import type { ReplayPart, Verification } from './protocol'
import { say } from './words'

export class NotDone extends Error {
  constructor(
    reason: string,
    readonly status: number,
    readonly rule: string | null = null,
  ) {
    super(reason)
  }
}

export const ROOT = new URL('api/', document.baseURI)

async function ask(path: string, said?: unknown): Promise<Response> {
  const init = said === undefined ? {} : { method: 'POST', body: JSON.stringify(said), headers: { 'Content-Type': 'application/json' } }
  let response: Response
  try {
    response = await fetch(new URL(path, ROOT), init)
  } catch {
    throw new NotDone(say('no_server'), 0)
  }
  if (!response.ok) throw await problem(response)
  return response
}

async function problem(response: Response): Promise<NotDone> {
  try {
    const { reason, rule } = (await response.json()) as Problem
    return new NotDone(reason, response.status, rule)
  } catch {
    return new NotDone(say('strange_answer', { status: response.status }), response.status)
  }
}

async function get<T>(path: string): Promise<T> {
  return (await ask(path)).json() as Promise<T>
}

async function post<T>(path: string, said: unknown): Promise<T> {
  return (await ask(path, said)).json() as Promise<T>
}

const at = encodeURIComponent
const AGAIN = 1500 // milliseconds until a retry

let known: Promise<GameInfo[]> | undefined

/** The games; fetched once and cached, unless the request fails. */
export function games(): Promise<GameInfo[]> {
  known ??= get<{ games: GameInfo[] }>('games').then((answer) => answer.games)
  known.catch(() => (known = undefined))
  return known
}

export const game = async (name: string) => (await games()).find((each) => each.name === name)
export const rules = async (name: string) => (await ask(`games/${at(name)}/rules`)).text()
export const matches = async (status: string, limit = 20) => (await get<{ matches: MatchInfo[] }>(`matches?status=${status}&limit=${limit}`)).matches
export const match = (id: string) => get<MatchInfo>(`matches/${at(id)}`)
export const create = (wish: NewMatch) => post<Created>('matches', wish)
/** Take a seat. The client makes the token, so that a retry gets the same seat if the first answer is lost. */
export async function takeSeat(id: string, name: string, seat: number): Promise<SeatToken> {
  const token = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const wish = () => post<SeatToken>(`matches/${at(id)}/seats`, { name, seat, token })
  try {
    return await wish()
  } catch (error) {
    if (!(error instanceof NotDone) || error.status !== 0) throw error
    await new Promise((done) => setTimeout(done, AGAIN))
    return wish()
  }
}

export const results = async (limit = 12) => (await get<{ results: Result[] }>(`results?limit=${limit}`)).results
export const replay = (id: string, first = 0) => get<ReplayPart>(`matches/${at(id)}/replay?first=${first}`)
export const verify = (id: string) => get<Verification>(`matches/${at(id)}/verify`)
export const gamelog = (id: string) => new URL(`matches/${at(id)}/gamelog`, ROOT).href

/** The WebSocket address of a match. */
export function socketOf(id: string): string {
  const url = new URL(`matches/${at(id)}/play`, ROOT)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
