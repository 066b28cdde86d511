// Shared by all drawings: outline, tones and the plates under pieces. Drawings are 64 by 64.

import { seatColour } from './palette'

export const INK = '#1c2230'
export const LINE = `stroke="${INK}" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"`

/** Mix a share of a second colour into the first. */
export function mix(colour: string, over: string, share: number): string {
  const part = (text: string, at: number) => parseInt(text.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(part(colour, at) + (part(over, at) - part(colour, at)) * share))
  return `#${mixed.map((each) => each.toString(16).padStart(2, '0')).join('')}`
}

/** Lighten (up to 1) or darken (down to -1) a colour. */
export function tone(colour: string, by: number): string {
  return mix(colour, by > 0 ? '#ffffff' : '#000000', Math.abs(by))
}

/** The plate under a piece. Each seat has its own shape, so that colour is never the only sign. */
export function plate(seat: number): string {
  const colour = seatColour(seat)
  const fill = `fill="${colour}" ${LINE}`
  if (seat === 0 || seat === 6 || seat === 8) return `<circle cx="32" cy="32" r="28" ${fill}/>`
  if (seat === 1 || seat === 7) return `<path d="M18 5h28l13 13v28l-13 13h-28l-13-13v-28z" ${fill}/>`
  if (seat === 2) return `<path d="M32 3l29 29-29 29-29-29z" ${fill}/>`
  if (seat === 3) return `<path d="M32 4l27 20-10 33h-34l-10-33z" ${fill}/>`
  return `<rect x="7" y="7" width="50" height="50" rx="10" ${fill} stroke-dasharray="5 4"/>`
}

/** The plot and plinth under a building: round ends for the first seat, cut corners for the second. */
export function plinth(seat: number): string {
  const colour = seatColour(seat)
  return `<rect width="64" height="64" rx="8" fill="${colour}" fill-opacity=".34"/>${foot(seat, colour)}`
}

function foot(seat: number, colour: string): string {
  const fill = `fill="${colour}" ${LINE}`
  if (seat === 0) return `<rect x="3" y="47" width="58" height="14" rx="7" ${fill}/>`
  return `<path d="M8 47h48l5 5v4l-5 5h-48l-5-5v-4z" ${fill}/>`
}
