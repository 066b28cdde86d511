// Sentences by their key. The catalogue is `words/english.ts`; another language is another file of the same keys and a
// line here.

import { ENGLISH } from './words/english'

export type Word = keyof typeof ENGLISH
export type Catalogue = Record<Word, string>

const LANGUAGES: Record<string, Catalogue> = { en: ENGLISH }

let spoken: Catalogue = ENGLISH

/** Speak the first of these languages that there is; English where there is none. Its name is the answer. */
export function speak(wanted: readonly string[], known: Record<string, Catalogue> = LANGUAGES): string {
  const found = wanted.map((each) => each.split('-')[0] ?? '').find((each) => each in known) ?? 'en'
  spoken = known[found] ?? ENGLISH
  return found
}

/** A sentence of the catalogue, its {words} filled in. */
export function say(word: Word, words: Record<string, string | number> = {}): string {
  return spoken[word].replace(/\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole))
}

/** What a game calls something, by the word that the server has for it; that word itself where nobody named it. */
export function term(game: string, id: string): string {
  return (spoken as Record<string, string>)[`${game}.${id}`] ?? id.replaceAll('_', ' ')
}

/** With a capital letter, for the beginning of a sentence. */
export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
