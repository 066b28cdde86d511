// Drawings for Catastrophe: units, structures and goods.

import { INK, LINE, plate, tone } from './ink'
import { seatColour } from './palette'

const SKIN = '#f1c9a0'

function body(seat: number): string {
  const cloth = seat < 0 ? '#b9bdc6' : tone(seatColour(seat), 0.72)
  return `${plate(seat)}<path d="M15 53c0-13 7-19 17-19s17 6 17 19c-5 4-11 6-17 6s-12-2-17-6z" fill="${cloth}" ${LINE}/><circle cx="32" cy="23" r="11" fill="${SKIN}" ${LINE}/>`
}

const FACE = `<circle cx="28" cy="24" r="1.600" fill="${INK}"/><circle cx="36" cy="24" r="1.600" fill="${INK}"/>`

function human(seat: number): string {
  return `${body(seat)}<path d="M21 20c1-8 6-10 11-10s10 2 11 10c-5-4-8-5-11-5s-6 1-11 5z" fill="#7b5537" ${LINE}/>${FACE}`
}

function soldier(seat: number): string {
  return `${body(seat)}<path d="M20 24c0-10 5-15 12-15s12 5 12 15h-5l-1-4h-12l-1 4z" fill="#8d99ab" ${LINE}/>${FACE}
    <path d="M50 56l-1-32 3-7 3 7-1 32z" fill="#dfe6ee" ${LINE}/><path d="M45 44h13" ${LINE}/>
    <path d="M9 36h16v9c0 6-4 9-8 11c-4-2-8-5-8-11z" fill="${seat < 0 ? '#8a9099' : seatColour(seat)}" ${LINE}/>`
}

function gatherer(seat: number): string {
  return `${body(seat)}<path d="M12 21c6-3 8-12 20-12s14 9 20 12c-12 3-28 3-40 0z" fill="#e2b54e" ${LINE}/>${FACE}
    <path d="M20 43h24l-3 15h-18z" fill="#b17a3f" ${LINE}/><path d="M21 48h22M22 53h20" stroke="${INK}" stroke-width="1.500"/>
    <circle cx="27" cy="42" r="4" fill="#cf3f36" ${LINE}/><circle cx="36" cy="41" r="4" fill="#5aa447" ${LINE}/>`
}

function builder(seat: number): string {
  return `${body(seat)}<path d="M19 21c0-9 6-13 13-13s13 4 13 13z" fill="#f2a52c" ${LINE}/><path d="M16 21h32" ${LINE}/>${FACE}
    <path d="M24 57l19-21" stroke="#7b5537" stroke-width="5" stroke-linecap="round"/><path d="M35 33l6-7 14 12-6 7z" fill="#6d7687" ${LINE}/>`
}

function missionary(seat: number): string {
  return `${body(seat)}<path d="M18 31c-2-14 5-23 14-23s16 9 14 23c-4-2-4-12-14-12s-10 10-14 12z" fill="#f7f3e8" ${LINE}/>${FACE}
    <path d="M51 58v-34" ${LINE}/><path d="M51 10l2.500 5.500 6 .7-4.400 4 1.200 6-5.300-3-5.300 3 1.200-6-4.400-4 6-.7z" fill="#ffd75a" ${LINE}/>
    <path d="M25 43l7 6 7-6v11l-7 4-7-4z" fill="#f7f3e8" ${LINE}/>`
}

function overlord(seat: number): string {
  const fur = '#f0a35a'
  return `${plate(seat)}<path d="M14 49c-5-9-4-19-2-30l10 7c6-3 14-3 20 0l10-7c2 11 3 21-2 30c-4 7-10 10-18 10s-14-3-18-10z" fill="${fur}" ${LINE}/>
    <path d="M22 8l5 6 5-9 5 9 5-6 1 13h-22z" fill="#f6cf45" ${LINE}/>
    <path d="M25 27l2 6M32 25v7M39 27l-2 6" stroke="${tone(fur, -0.4)}" stroke-width="2.400" stroke-linecap="round"/>
    <ellipse cx="24" cy="39" rx="3.500" ry="4.500" fill="#cfe76a" ${LINE}/><ellipse cx="40" cy="39" rx="3.500" ry="4.500" fill="#cfe76a" ${LINE}/>
    <path d="M29 46h6l-3 3zM32 49c-1 4-6 4-7 1M32 49c1 4 6 4 7 1" fill="#b2453c" ${LINE}/>
    <path d="M8 43l10 2M8 50l10-1M56 43l-10 2M56 50l-10-1" stroke="${INK}" stroke-width="1.500" stroke-linecap="round"/>`
}

function flagOf(seat: number): string {
  if (seat < 0) return ''
  const flag = seat === 0 ? 'M46 4c9 0 9 4 14 3v10c-5 1-5-3-14-3z' : 'M46 3h14l-4 6 4 6h-14z'
  return `<path d="M46 30v-27" ${LINE}/><path d="${flag}" fill="${seatColour(seat)}" ${LINE}/>`
}

function wall(seat: number): string {
  const brick = seat < 0 ? '#a5a0a0' : tone(seatColour(seat), 0.45)
  return `<rect x="4" y="16" width="56" height="44" rx="3" fill="${brick}" ${LINE}/>
    <path d="M4 31h56M4 45h56M22 16v15M42 16v15M14 31v14M33 31v14M51 31v14M22 45v15M42 45v15" stroke="${INK}" stroke-width="2" fill="none"/>
    <path d="M4 19v-9h11v6M25 16v-6h13v6M49 16v-6h11v9" fill="${brick}" ${LINE}/>`
}

function shelter(seat: number): string {
  const cloth = seat < 0 ? '#b9bdc6' : seatColour(seat)
  return `${flagOf(seat)}<path d="M3 59l27-44 31 44z" fill="${tone(cloth, 0.55)}" ${LINE}/><path d="M3 59l27-44 4 5-16 39z" fill="${cloth}" ${LINE}/>
    <path d="M23 59l10-24 12 24z" fill="#3a3038" ${LINE}/><path d="M26 12l7 8" ${LINE}/>`
}

function monument(seat: number): string {
  const stone = seat < 0 ? '#b9bdc6' : tone(seatColour(seat), 0.5)
  return `<path d="M8 60v-8h48v8z" fill="#cfc8ba" ${LINE}/><path d="M14 52v-7h36v7z" fill="#ded8cb" ${LINE}/>
    <path d="M22 45l4-33 6-9 6 9 4 33z" fill="${stone}" ${LINE}/><path d="M32 3v42" stroke="${INK}" stroke-width="1.600" opacity=".5"/>
    <path d="M28 26l2-4 2 2 2-2 2 4c1 4-1 7-4 7s-5-3-4-7z" fill="#f6cf45" ${LINE}/>`
}

const NEUTRAL = `<path d="M6 60v-38l9-4v-8h9v5l8-5 8 6v-8h9v11l9 4v37z" fill="#a49c90" ${LINE}/>
  <path d="M14 30h7v9h-7zM29 24h7v10h-7zM43 31h7v9h-7z" fill="#4d4a4c" ${LINE}/><path d="M26 60v-14h12v14z" fill="#4d4a4c" ${LINE}/>
  <path d="M8 46l8 4M47 50l9-4M20 19l6 4" stroke="${INK}" stroke-width="1.600"/>`

function bush(rich: number): string {
  const berries = ['', '<circle cx="24" cy="36" r="4" fill="#d8423a" stroke="#741a16" stroke-width="1.500"/><circle cx="41" cy="40" r="4" fill="#d8423a" stroke="#741a16" stroke-width="1.500"/>', '<circle cx="20" cy="38" r="4.500" fill="#d8423a" stroke="#741a16" stroke-width="1.500"/><circle cx="33" cy="29" r="4.500" fill="#d8423a" stroke="#741a16" stroke-width="1.500"/><circle cx="45" cy="38" r="4.500" fill="#d8423a" stroke="#741a16" stroke-width="1.500"/><circle cx="32" cy="44" r="4.500" fill="#d8423a" stroke="#741a16" stroke-width="1.500"/>']
  const leaf = rich === 0 ? '#8b9a6a' : '#5a9b4c'
  return `<path d="M12 53c-8-3-8-15 1-18c-1-10 10-14 16-9c6-8 20-4 20 6c10 2 11 17 2 21z" fill="${leaf}" ${LINE}/><path d="M19 46c3-4 6-4 8-1M35 33c3-3 6-2 7 1" fill="none" stroke="${tone(leaf, -0.35)}" stroke-width="2" stroke-linecap="round"/>${berries[rich]}`
}

const FOOD = `<path d="M32 24c-12-6-22 2-19 16c2 10 9 17 14 16c3-1 7-1 10 0c5 1 12-6 14-16c3-14-7-22-19-16z" fill="#d8423a" ${LINE}/><path d="M32 24c0-6 2-10 6-13" ${LINE} fill="none"/><path d="M34 16c4-7 11-7 15-5c-2 6-9 8-15 5z" fill="#5a9b4c" ${LINE}/>`
const MATERIALS = `<path d="M6 46l30-12 22 8-30 13z" fill="#c8935a" ${LINE}/><path d="M6 36l30-12 22 8-30 13z" fill="#d9a76d" ${LINE}/><path d="M6 36v10l22 9v-10z" fill="#a87444" ${LINE}/><path d="M20 30l22 8" stroke="${INK}" stroke-width="1.600"/>`
const ENERGY = `<path d="M37 4l-24 33h15l-4 23 26-35h-16z" fill="#f4c53c" ${LINE}/>`
const SLEEP = `<path d="M14 16h16l-16 18h16M36 34h12l-12 14h12" fill="none" stroke="#f4f6fa" stroke-width="9" stroke-linejoin="round"/><path d="M14 16h16l-16 18h16M36 34h12l-12 14h12" fill="none" stroke="#3b4d8f" stroke-width="4.500" stroke-linejoin="round"/>`
const HUNGER = `<circle cx="32" cy="32" r="22" fill="#fff" ${LINE}/><path d="M22 18v10a5 5 0 0 0 5 5v13M22 18v8M27 18v8M32 18v8M32 26a5 5 0 0 1-5 5M42 18c-5 4-5 14 0 16v12" fill="none" stroke="#b33a2c" stroke-width="3" stroke-linecap="round"/><path d="M14 50l36-36" stroke="#b33a2c" stroke-width="4"/>`

export const CAMP: Record<string, (seat: number) => string> = {
  fresh_human: human,
  soldier,
  gatherer,
  builder,
  missionary,
  cat_overlord: overlord,
  wall,
  shelter,
  monument,
  neutral: () => NEUTRAL,
  bush0: () => bush(0),
  bush1: () => bush(1),
  bush2: () => bush(2),
  food: () => FOOD,
  materials: () => MATERIALS,
  energy: () => ENERGY,
  sleep: () => SLEEP,
  hunger: () => HUNGER,
}
