// Creates a match and opens it.

import { create } from './api'
import { keepToken, prefs } from './prefs.svelte'
import type { GameInfo, NewMatch, SeatWish } from './protocol'
import { go } from './route.svelte'

/** The default opponent: one of the game's own bots, because a random one is too weak. */
export function sparring(game: GameInfo): string {
  return game.bots.find((bot) => bot !== 'random') ?? game.bots[0] ?? 'random'
}

export async function begin(wish: NewMatch): Promise<void> {
  const made = await create(wish)
  const token = made.tokens[0]?.token
  if (token) keepToken(made.match.id, token)
  go('match', made.match.id)
}

/** Start a match against a bot with the default settings. */
export function playNow(game: GameInfo): Promise<void> {
  const others: SeatWish[] = game.seats.slice(1).map(() => ({ kind: 'bot', bot: sparring(game) }))
  return begin({ game: game.name, seats: [{ kind: 'me', name: prefs.name }, ...others] })
}
