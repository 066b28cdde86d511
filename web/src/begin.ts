// Begin a match and go to it.

import { create } from './api'
import { keepToken, prefs } from './prefs.svelte'
import type { GameInfo, NewMatch, SeatWish } from './protocol'
import { go } from './route.svelte'

/** The bot that a newcomer meets: one of the game's own, for a random player is no opponent. */
export function sparring(game: GameInfo): string {
  return game.bots.find((bot) => bot !== 'random') ?? game.bots[0] ?? 'random'
}

export async function begin(wish: NewMatch): Promise<void> {
  const made = await create(wish)
  const token = made.tokens[0]?.token
  if (token) keepToken(made.match.id, token)
  go('match', made.match.id)
}

/** Against a bot, with everything as the game has it: one click. */
export function playNow(game: GameInfo): Promise<void> {
  const others: SeatWish[] = game.seats.slice(1).map(() => ({ kind: 'bot', bot: sparring(game) }))
  return begin({ game: game.name, seats: [{ kind: 'me', name: prefs.name }, ...others] })
}
