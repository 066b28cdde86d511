// All drawings by name: "warehouse/0" is the first seat's warehouse, "coin" belongs to nobody.

import { CAMP } from './camp'
import { CITY } from './city'
import { LINE, plate } from './ink'
import { REALM } from './realm'
import { SNOW } from './snow'

const SIGNS: Record<string, (seat: number) => string> = {
  check: () => `<circle cx="32" cy="32" r="24" fill="#3fa564" ${LINE}/><path d="M20 33l9 9 16-19" fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>`,
  seat: plate,
}

const ART: Record<string, (seat: number) => string> = { ...CITY, ...CAMP, ...SNOW, ...REALM, ...SIGNS }

/** A letter on a seat's plate, for pieces that nobody has drawn yet: "letter:K/1". */
function letter(text: string, seat: number): string {
  const safe = text.replace(/[^\p{L}\p{N}+*?#@·-]/gu, '?')
  return `${plate(seat)}<text x="32" y="43" font-family="system-ui, sans-serif" font-size="30" font-weight="700" text-anchor="middle" fill="#fff" stroke="#1c2230" stroke-width=".8">${safe}</text>`
}

/** What is inside the drawing of that name, for a viewBox of 0 0 64 64. */
export function inside(name: string): string {
  const [kind = '', said] = name.split('/')
  const seat = said === undefined ? -1 : Number(said)
  if (kind.startsWith('letter:')) return letter(kind.slice(7), seat)
  const draw = ART[kind]
  return draw ? draw(seat) : letter(kind.slice(0, 1).toUpperCase(), seat)
}

/** The whole drawing as SVG. */
export function svg(name: string, size = 64): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}">${inside(name)}</svg>`
}

export const NAMES = Object.keys(ART)
