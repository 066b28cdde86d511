// Looks up sentences by key. `words/english.ts` is the catalogue. To add a language, add a file with the same keys and a
// line in LANGUAGES.

import { ENGLISH } from './words/english'

export type Word = keyof typeof ENGLISH
export type Catalogue = Record<Word, string>

const LANGUAGES: Record<string, Catalogue> = { en: ENGLISH }

const VOWEL = /^(?!uni|use|eu|one)[aeiou]/i // judged by sound: a unit, a university

let spoken: Catalogue = ENGLISH

/** Use the first wanted language that has a catalogue, otherwise English. Returns its code. */
export function speak(wanted: readonly string[], known: Record<string, Catalogue> = LANGUAGES): string {
  const found = wanted.map((each) => each.split('-')[0] ?? '').find((each) => each in known) ?? 'en'
  spoken = known[found] ?? ENGLISH
  return found
}

/** A sentence with its {words} filled in; `{a:kind}` adds the indefinite article. */
export function say(word: Word, words: Record<string, string | number> = {}): string {
  return spoken[word].replace(/\{(?:(a):)?(\w+)\}/gi, (whole, article: string | undefined, name: string) => {
    const value = words[name]
    if (value === undefined) return whole
    return article ? `${article}${VOWEL.test(String(value)) ? 'n' : ''} ${value}` : String(value)
  })
}

/** The game's name for a word of the server, such as "archer" for "bishop"; without a name, the word itself. */
export function term(game: string, id: string): string {
  return (spoken as Record<string, string>)[`${game}.${id}`] ?? id.replaceAll('_', ' ')
}

/** The text with a capital first letter. */
export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
