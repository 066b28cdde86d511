// All drawings by name: "warehouse/0" is seat 0's warehouse, "coin" has no owner.

import { CAMP } from './camp'
import { CITY } from './city'
import { LINE, plate } from './ink'
import { REALM } from './realm'
import { SNOW } from './snow'

interface Frame {
  fill: number
  width: number
  inset: number
  round: number
}

/** The marks on cells, by kind. Shapes differ as well as colours. */
const FRAMES: Record<string, Frame> = {
  mark_far: { fill: 0.13, width: 1.5, inset: 2, round: 3 },
  mark_reach: { fill: 0.22, width: 1.5, inset: 2, round: 3 },
  mark_last: { fill: 0.06, width: 2, inset: 4, round: 10 },
  mark_able: { fill: 0.12, width: 3.5, inset: 4, round: 10 },
  mark_target: { fill: 0.16, width: 3.5, inset: 4, round: 10 },
  mark_danger: { fill: 0.2, width: 4, inset: 4, round: 10 },
  mark_selected: { fill: 0.2, width: 5, inset: 3, round: 10 },
  mark_cursor: { fill: 0, width: 3, inset: 1.5, round: 10 },
}

function outline({ fill, width, inset, round }: Frame): string {
  return `<rect x="${inset}" y="${inset}" width="${64 - 2 * inset}" height="${64 - 2 * inset}" rx="${round}" fill="#fff" fill-opacity="${fill}" stroke="#fff" stroke-width="${width}"/>`
}

const SIGNS: Record<string, (seat: number) => string> = {
  check: () => `<circle cx="32" cy="32" r="24" fill="#3fa564" ${LINE}/><path d="M20 33l9 9 16-19" fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>`,
  seat: plate,
  // White; the stage tints them.
  box: () => '<rect width="64" height="64" rx="9" fill="#fff"/>',
  rounder: () => '<rect width="64" height="64" rx="19" fill="#fff"/>',
  ...Object.fromEntries(Object.entries(FRAMES).map(([name, frame]) => [name, () => outline(frame)])),
}

const ART: Record<string, (seat: number) => string> = { ...CITY, ...CAMP, ...SNOW, ...REALM, ...SIGNS }

/** A letter on a seat's plate, for pieces without a drawing: "letter:K/1". */
function letter(text: string, seat: number): string {
  const safe = text.replace(/[^\p{L}\p{N}+*?#@·-]/gu, '?')
  return `${plate(seat)}<text x="32" y="43" font-family="system-ui, sans-serif" font-size="30" font-weight="700" text-anchor="middle" fill="#fff" stroke="#1c2230" stroke-width=".8">${safe}</text>`
}

/** The content of a drawing, for the viewBox 0 0 64 64. */
export function inside(name: string): string {
  const [kind = '', said] = name.split('/')
  const seat = said === undefined ? -1 : Number(said)
  if (kind.startsWith('letter:')) return letter(kind.slice(7), seat)
  const draw = ART[kind]
  return draw ? draw(seat) : letter(kind.slice(0, 1).toUpperCase(), seat)
}

/** A drawing as a complete SVG. */
export function svg(name: string, size = 64): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}">${inside(name)}</svg>`
}

export const NAMES = Object.keys(ART)
