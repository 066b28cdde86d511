// Stored in this browser: theme, name, sound, animations and the tokens of the user's seats.

import type { Theme } from './art/palette'

type Choice = 'auto' | Theme

function read(key: string): string | null {
  try {
    return localStorage.getItem(`endturn.${key}`)
  } catch {
    return null // the browser may forbid storage
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(`endturn.${key}`, value)
  } catch {
    // the browser may forbid storage
  }
}

const dark = window.matchMedia('(prefers-color-scheme: dark)')
const still = window.matchMedia('(prefers-reduced-motion: reduce)')

class Prefs {
  choice = $state<Choice>((read('theme') as Choice | null) ?? 'auto')
  name = $state(read('name') ?? '')
  sound = $state(read('sound') === 'on')
  animations = $state(read('animations') ? read('animations') === 'on' : !still.matches)
  private systemDark = $state(dark.matches)
  theme: Theme = $derived(this.choice === 'auto' ? (this.systemDark ? 'dark' : 'light') : this.choice)

  constructor() {
    dark.addEventListener('change', () => (this.systemDark = dark.matches))
  }

  save(): void {
    write('theme', this.choice)
    write('name', this.name)
    write('sound', this.sound ? 'on' : 'off')
    write('animations', this.animations ? 'on' : 'off')
  }
}

export const prefs = new Prefs()

// --- seats ---

export function tokenOf(match: string): string | null {
  return read(`seat.${match}`)
}

/** Store the token of a seat and add the match to the user's matches. */
export function keepToken(match: string, token: string): void {
  write(`seat.${match}`, token)
  write('mine', JSON.stringify([match, ...myMatches().filter((each) => each !== match)].slice(0, 30)))
}

export function myMatches(): string[] {
  try {
    return JSON.parse(read('mine') ?? '[]') as string[]
  } catch {
    return []
  }
}
