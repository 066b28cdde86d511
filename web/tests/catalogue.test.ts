import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterEach, describe, expect, it } from 'vitest'
import { faceOf } from '../src/games'
import { type Catalogue, say, speak, term, type Word } from '../src/words'
import { ENGLISH } from '../src/words/english'

const SOURCE = join(import.meta.dirname, '..', 'src')
const files = (end: string) => readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end))
const CATALOGUE = /^words\/|^protocol\.ts$/

/** Text that looks like words for people: two words in a row, or one capitalised word. */
const isProse = (text: string) => !text.includes('<') && (/[A-Za-z]{2,} [a-z]{2,}/.test(text) || /^[A-Z][a-z]+$/.test(text))

/** Every string literal in a file, except imports, errors and types. */
function texts(name: string): string[] {
  const found: string[] = []
  const tree = ts.createSourceFile(name, readFileSync(join(SOURCE, name), 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isThrowStatement(node) || ts.isTypeNode(node)) return
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

const FONTS = 'system-ui, sans-serif'
const KEYS = ['Enter', 'Escape', 'Join'] // names of browser keys and events

afterEach(() => void speak(['en']))

describe('the catalogue', () => {
  it('holds every sentence of the modules', () => {
    const stray = files('.ts').filter((name) => !CATALOGUE.test(name)).flatMap((name) => texts(name).filter((text) => isProse(text) && text !== FONTS && !KEYS.includes(text)).map((text) => `${name}: ${text}`))
    expect(stray).toEqual([])
  })

  it('holds every sentence of the pages', () => {
    const markup = (name: string) => readFileSync(join(SOURCE, name), 'utf8').replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '')
    const plain = (text: string) => text.replace(/\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, '')
    const stray = files('.svelte').flatMap((name) => [...plain(markup(name)).matchAll(/>([^<>]*)</g)].map((found) => found[1] ?? '').filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll('&nbsp;', ''))).map((text) => `${name}: ${text}`))
    expect(stray).toEqual([])
  })

  it('can be in another language, including the games', () => {
    const shouted = Object.fromEntries(Object.entries(ENGLISH).map(([key, text]) => [key, text.toUpperCase().replace(/\{[\w:]+\}/g, (word) => word.toLowerCase())])) as Catalogue
    expect(speak(['xx-YY', 'en'], { en: ENGLISH, xx: shouted })).toBe('xx')
    expect(say('turn', { n: 7 })).toBe('TURN 7')
    expect(faceOf('anarchy').input.label({ buildings: [], headquarters: [] }, { do: 'end_turn' })).toBe('END TURN')
    expect(say(faceOf('notchess').board.measures[0]?.name as Word)).toBe('WAR FIGURES')
  })

  it('falls back to English for an unknown language', () => {
    expect(speak(['tlh'])).toBe('en')
    expect(say('end_turn')).toBe('End turn')
  })

  it('shows the server’s word if the game has no name for it', () => {
    expect([term('anarchy', 'fire_department'), term('anarchy', 'ice_cream_van')]).toEqual(['fire department', 'ice cream van'])
  })
})
