// Drawings for Not-Chess: pieces, land and weather.

import { INK, LINE, plate, tone } from './ink'
import { seatColour } from './palette'

/** The colour of a figure: dark on light plates, light on dark ones. */
function figure(seat: number): string {
  if (seat === 6) return '#3a3f4d'
  return seat < 0 || seat === 2 ? '#f2ead8' : '#f6f1e4'
}

function capital(seat: number): string {
  return `${plate(seat)}<path d="M12 52v-26h5v5h5v-5h5v-11h4v4h4v-4h4v11h5v5h5v-5h3v26z" fill="${figure(seat)}" ${LINE}/><path d="M27 52v-8a5 5 0 0 1 10 0v8z" fill="${tone(seatColour(seat), -0.2)}" ${LINE}/><path d="M33 15v-9l10 4-10 4z" fill="#e0b13c" ${LINE}/>`
}

function peasant(seat: number): string {
  return `${plate(seat)}<path d="M16 50v-18h32v18z" fill="${figure(seat)}" ${LINE}/><path d="M11 34l21-19 21 19z" fill="#c08a4a" ${LINE}/><rect x="28" y="38" width="9" height="12" fill="#6b4a2f" ${LINE}/>`
}

function warrior(seat: number): string {
  return `${plate(seat)}<path d="M18 14h6v5h5v-5h6v5h5v-5h6v13l-5 4v12l5 5v5h-28v-5l5-5v-12l-5-4z" fill="${figure(seat)}" ${LINE}/><path d="M23 31h18" stroke="${INK}" stroke-width="2"/>`
}

function archer(seat: number): string {
  return `${plate(seat)}<path d="M21 10c21 9 21 35 0 44" fill="none" stroke="${INK}" stroke-width="8"/><path d="M21 10c21 9 21 35 0 44" fill="none" stroke="${figure(seat)}" stroke-width="4"/><path d="M21 10v44" stroke="${figure(seat)}" stroke-width="2"/><path d="M11 32h38" stroke="${INK}" stroke-width="6"/><path d="M11 32h38" stroke="${figure(seat)}" stroke-width="3"/><path d="M44 26l11 6-11 6z" fill="${figure(seat)}" ${LINE}/>`
}

function rider(seat: number): string {
  return `${plate(seat)}<path d="M19 53c0-9 7-13 9-20c-4 2-6 6-11 5l-4-6c5-4 7-10 13-14l1-7 6 5c11 2 17 11 15 37z" fill="${figure(seat)}" ${LINE}/><circle cx="27" cy="24" r="2" fill="${INK}"/><path d="M36 20c6 4 9 13 8 24" fill="none" stroke="${INK}" stroke-width="2"/>`
}

function ship(seat: number): string {
  return `${plate(seat)}<path d="M11 43h42l-7 11h-28z" fill="#a9805a" ${LINE}/><path d="M33 9v34" ${LINE}/><path d="M31 12v26h-16z" fill="${figure(seat)}" ${LINE}/><path d="M35 15l13 23h-13z" fill="${figure(seat)}" ${LINE}/>`
}

function nomad(): string {
  return `<path d="M32 4l28 28-28 28-28-28z" fill="#a8814f" ${LINE}/><path d="M20 50c0-16 5-28 12-28s12 12 12 28z" fill="#e8d8b4" ${LINE}/><circle cx="32" cy="21" r="7" fill="#e0b48a" ${LINE}/><path d="M23 22c1-9 5-12 9-12s8 3 9 12c-6-4-12-4-18 0z" fill="#7a4c8c" ${LINE}/><path d="M48 52v-30" ${LINE}/>`
}

const PINE = (x: number, y: number, s: number) => `<path d="M${x} ${y}l${9 * s} ${14 * s}h-${4 * s}l${6 * s} ${10 * s}h-${22 * s}l${6 * s}-${10 * s}h-${4 * s}z" fill="#3b7a4f" stroke="${INK}" stroke-width="1.800" stroke-linejoin="round"/>`
const FOREST = `${PINE(20, 6, 1)}${PINE(44, 10, 1)}${PINE(31, 26, 1.2)}`
const MOUNTAIN = `<path d="M2 58l20-38 10 14 12-24 18 48z" fill="#8d8a92" ${LINE}/><path d="M44 10l-6 13 5 4 4-4 4 3zM22 20l-5 10 4 3 4-3 3 1z" fill="#f4f8fc" stroke="${INK}" stroke-width="1.500" stroke-linejoin="round"/>`
const WAVES = `<path d="M6 20c5-5 9-5 13 0s9 5 13 0 9-5 13 0 9 5 13 0M6 36c5-5 9-5 13 0s9 5 13 0 9-5 13 0 9 5 13 0M6 52c5-5 9-5 13 0s9 5 13 0 9-5 13 0 9 5 13 0" fill="none" stroke="#d8ecfa" stroke-width="3" stroke-linecap="round" opacity=".8"/>`
const DUNES = `<path d="M2 44c12-14 22-14 32-2c8-8 18-9 28 2M8 56c14-8 30-8 48 0" fill="none" stroke="#a97f35" stroke-width="3" stroke-linecap="round"/><path d="M44 36v-20M44 26h7v-7M44 30h-6v-7" fill="none" stroke="#4d8a4a" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>`
const REEDS = `<path d="M6 52h52M12 58h40" stroke="#3f6f78" stroke-width="3" stroke-linecap="round"/><path d="M16 52c0-14-2-20-6-28M24 52v-34M38 52c0-14 2-22 6-30M48 52c0-8 2-14 6-20" fill="none" stroke="#557a3a" stroke-width="3" stroke-linecap="round"/><path d="M24 12v10M45 14l-3 10" stroke="#6b4a2f" stroke-width="6" stroke-linecap="round"/>`
const FLAKES = (at: [number, number][]) => at.map(([x, y]) => `<path d="M${x} ${y - 6}v12M${x - 5} ${y - 3}l10 6M${x - 5} ${y + 3}l10-6" stroke="#fff" stroke-width="2.200" stroke-linecap="round"/>`).join('')
const CLOUD = (fill: string) => `<path d="M16 34c-9 0-11-12-2-14c0-10 14-14 19-6c8-4 16 2 14 9c8 1 8 11 0 11z" fill="${fill}" ${LINE}/>`
const RAIN = `${CLOUD('#c5d2e2')}<path d="M20 40l-4 9M31 40l-4 9M42 40l-4 9M26 50l-3 7M37 50l-3 7" stroke="#4f9fd6" stroke-width="3.400" stroke-linecap="round"/>`
const STORM = `${CLOUD('#7d889b')}<path d="M34 34l-10 14h8l-5 14 15-18h-9l6-10z" fill="#ffd75a" ${LINE}/>`
const CRACKS = `<path d="M8 50l14-8 6 8 12-10 8 6 10-8M22 42l-4-10M40 40l4-10" fill="none" stroke="#7b5b2a" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>`
const FLOOD = `<path d="M4 44c5-5 9-5 14 0s9 5 14 0 9-5 14 0 9 5 14 0v16h-56z" fill="#4f9fd6" opacity=".8"/>`
const HEART = `<path d="M32 56c-34-22-26-46-10-44c6 1 10 8 10 8s4-7 10-8c16-2 24 22-10 44z" fill="#d8423a" ${LINE}/>`

export const REALM: Record<string, (seat: number) => string> = {
  king: capital,
  pawn: peasant,
  rook: warrior,
  bishop: archer,
  knight: rider,
  ship,
  nomad,
  forest: () => FOREST,
  mountain: () => MOUNTAIN,
  waves: () => WAVES,
  dunes: () => DUNES,
  reeds: () => REEDS,
  flakes: () => FLAKES([[12, 14], [50, 12], [16, 50], [52, 48], [32, 32]]),
  rain: () => RAIN,
  storm: () => STORM,
  cracks: () => CRACKS,
  flood: () => FLOOD,
  heart: () => HEART,
}
