// Drawings for Snowball Fight: units, cover and snowballs.

import { INK, LINE, plate, tone } from './ink'
import { seatColour } from './palette'

const SKIN = '#f4cda5'
const EYES = `<circle cx="27" cy="31" r="1.800" fill="${INK}"/><circle cx="37" cy="31" r="1.800" fill="${INK}"/><path d="M28 37c2 2 6 2 8 0" fill="none" stroke="${INK}" stroke-width="1.800" stroke-linecap="round"/>`
const BALL = (x: number, y: number, r: number) => `<circle cx="${x}" cy="${y}" r="${r}" fill="#fff" ${LINE}/>`

interface Look {
  hat: (cloth: string) => string
  more?: string
  beard?: string
}

const bobble = (cloth: string) => `<path d="M18 26c0-11 6-15 14-15s14 4 14 15z" fill="${cloth}" ${LINE}/><path d="M16 27h32" stroke="#fff" stroke-width="5" stroke-linecap="round"/>${BALL(32, 9, 4)}`
const cap = (cloth: string) => `<path d="M18 25c0-9 6-13 14-13s14 4 14 13z" fill="${cloth}" ${LINE}/><path d="M44 25h12" stroke="${INK}" stroke-width="5" stroke-linecap="round"/>`

const LOOKS: Record<string, Look> = {
  rookie: { hat: bobble },
  scout: { hat: (cloth) => `${cap(cloth)}<path d="M20 20c-6-4-8-10-6-15c5 2 9 7 9 12z" fill="#5aa447" ${LINE}/>` },
  pitcher: { hat: cap, more: BALL(51, 44, 7) },
  bundle: { hat: bobble, more: `<path d="M14 35h36v11c-10 6-26 6-36 0z" fill="#e6b94d" ${LINE}/><path d="M14 40h36" stroke="${INK}" stroke-width="1.600"/>` },
  slugger: { hat: (cloth) => `<path d="M19 21h26v6h-26z" fill="${cloth}" ${LINE}/><path d="M20 21c0-6 5-9 12-9s12 3 12 9z" fill="#6b4a2f" ${LINE}/>`, more: BALL(50, 46, 10) },
  runner: { hat: (cloth) => `<path d="M19 28c-1-11 5-17 13-17s14 6 13 17" fill="#c98b4e" ${LINE}/><path d="M18 27a14 15 0 0 1 28 0" fill="none" stroke="${cloth}" stroke-width="4"/><circle cx="18" cy="29" r="5" fill="${cloth}" ${LINE}/><circle cx="46" cy="29" r="5" fill="${cloth}" ${LINE}/>`, more: `<path d="M4 44h9M2 50h11M5 56h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/>` },
  bulwark: { hat: () => `<path d="M17 27l3-17h24l3 17z" fill="#8f9aab" ${LINE}/><path d="M18 22h28" stroke="${INK}" stroke-width="1.800"/>`, more: `<path d="M6 40h20v8c0 7-5 10-10 13c-5-3-10-6-10-13z" fill="#a9805a" ${LINE}/><path d="M16 40v20M6 48h20" stroke="${INK}" stroke-width="1.800"/>` },
  captain: { hat: (cloth) => `<path d="M15 24c2-10 8-13 17-13s15 3 17 13c-10 4-24 4-34 0z" fill="${cloth}" ${LINE}/><path d="M32 12l1.600 3.400 3.700.4-2.700 2.500.7 3.700-3.300-1.900-3.300 1.900.7-3.700-2.700-2.500 3.700-.4z" fill="#ffd75a"/>` },
  aunt_avalanche: { hat: () => `<path d="M18 30c-2-12 5-18 14-18s16 6 14 18c-3-6-7-9-14-9s-11 3-14 9z" fill="#c9cdd6" ${LINE}/><circle cx="32" cy="8" r="6" fill="#c9cdd6" ${LINE}/>`, beard: `<circle cx="27" cy="31" r="5" fill="none" stroke="${INK}" stroke-width="2"/><circle cx="37" cy="31" r="5" fill="none" stroke="${INK}" stroke-width="2"/>` },
  professor_parabola: { hat: () => `<path d="M10 17l22-9 22 9-22 9z" fill="#33415c" ${LINE}/><path d="M22 22v6h20v-6" fill="#33415c" ${LINE}/><path d="M52 18v10" stroke="#ffd75a" stroke-width="3"/>`, beard: `<path d="M21 31h10M33 31h10" stroke="${INK}" stroke-width="1.800"/><circle cx="26" cy="31" r="4" fill="none" stroke="${INK}" stroke-width="2"/><circle cx="38" cy="31" r="4" fill="none" stroke="${INK}" stroke-width="2"/>` },
  big_boots_boris: { hat: () => `<path d="M16 26c-1-10 5-16 16-16s17 6 16 16z" fill="#7b5537" ${LINE}/><path d="M13 22h9v14h-9zM42 22h9v14h-9z" fill="#9a6c46" ${LINE}/>`, beard: `<path d="M22 38c4-4 8-3 10-1c2-2 6-3 10 1c-5 3-8 2-10 0c-2 2-5 3-10 0z" fill="#5b3d26"/>` },
  nurse_nonna: { hat: () => `<path d="M17 26c1-10 6-16 15-16s14 6 15 16c-8-5-22-5-30 0z" fill="#fff" ${LINE}/><path d="M32 24c-8-5-6-11-2.500-10c1.500 0 2.500 2 2.500 2s1-2 2.500-2c3.500-1 5.500 5-2.500 10z" fill="#d8423a"/>` },
  dodgy_dot: { hat: () => `<path d="M19 28c-1-12 5-17 13-17s14 5 13 17c-4-7-8-9-13-9s-9 2-13 9z" fill="#c9562c" ${LINE}/><circle cx="14" cy="24" r="6" fill="#c9562c" ${LINE}/><circle cx="50" cy="24" r="6" fill="#c9562c" ${LINE}/>`, beard: `<path d="M23 35h.1M26 36h.1M38 36h.1M41 35h.1" stroke="#b0602e" stroke-width="2.400" stroke-linecap="round"/>` },
  captain_kettle: { hat: (cloth) => `<path d="M18 27c-2-11 4-15 14-15s16 4 14 15z" fill="#b9c2cf" ${LINE}/><path d="M46 19c6-1 8-5 11-9" ${LINE} fill="none"/><path d="M26 12a6 5 0 0 1 12 0" fill="none" stroke="${cloth}" stroke-width="4"/>` },
}

const HEROES = new Set(['aunt_avalanche', 'professor_parabola', 'big_boots_boris', 'nurse_nonna', 'dodgy_dot', 'captain_kettle'])

function kid(kind: string, seat: number): string {
  const { hat, more, beard } = LOOKS[kind] ?? { hat: bobble }
  const cloth = seatColour(seat)
  const star = HEROES.has(kind) ? `<path d="M9 6l2.300 4.700 5.200.7-3.800 3.700.9 5.100-4.600-2.400-4.600 2.400.9-5.100-3.800-3.700 5.200-.7z" fill="#ffd75a" ${LINE}/>` : ''
  return `${plate(seat)}<path d="M14 56c0-12 8-17 18-17s18 5 18 17c-5 3-11 4-18 4s-13-1-18-4z" fill="${tone(cloth, 0.3)}" ${LINE}/>
    <circle cx="32" cy="30" r="13" fill="${SKIN}" ${LINE}/>${hat(cloth)}${EYES}${beard ?? ''}
    <path d="M21 42c7 4 15 4 22 0v5c-7 4-15 4-22 0z" fill="#fff" ${LINE}/>${more ?? ''}${star}`
}

const TREE = `<path d="M28 62v-12h8v12z" fill="#7b5537" ${LINE}/><path d="M32 2l20 30h-9l12 18h-46l12-18h-9z" fill="#3f7a55" ${LINE}/><path d="M32 2l8 12-8 4-8-4zM21 32l11 5 11-5 5 8-16 5-16-5z" fill="#f4f8fc"/>`
const MOUND = `<path d="M4 56c4-18 14-28 28-28s24 10 28 28z" fill="#f7fbff" ${LINE}/><path d="M16 48c3-7 8-10 14-11" fill="none" stroke="#b9cfe2" stroke-width="3" stroke-linecap="round"/>`
const HOLE = `<ellipse cx="32" cy="36" rx="25" ry="17" fill="#26303f" ${LINE}/><path d="M10 32c4-9 13-13 22-13s18 4 22 13" fill="none" stroke="#dfeaf5" stroke-width="3"/>`
const FLAG = (seat: number) => `<path d="M20 60v-54" ${LINE}/><path d="M20 6h30l-8 10 8 10h-30z" fill="${seatColour(seat)}" ${LINE}/>`
const SNOWBALL = `<circle cx="32" cy="32" r="18" fill="#fff" ${LINE}/><path d="M22 26c3-4 7-6 11-6" stroke="#bcd0e4" stroke-width="3" fill="none" stroke-linecap="round"/>`
const SHIELD = `<path d="M32 6l22 7v17c0 13-10 21-22 28c-12-7-22-15-22-28v-17z" fill="#dfe6ee" ${LINE}/><path d="M32 14v36" stroke="#8f9aab" stroke-width="3"/>`

export const SNOW: Record<string, (seat: number) => string> = {
  ...Object.fromEntries(Object.keys(LOOKS).map((kind) => [`kid_${kind}`, (seat: number) => kid(kind, seat)])),
  tree: () => TREE,
  mound: () => MOUND,
  hole: () => HOLE,
  flag: FLAG,
  snowball: () => SNOWBALL,
  shield: () => SHIELD,
}
