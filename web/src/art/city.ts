// Drawings for Anarchy: buildings and fires.

import { INK, LINE, plinth, tone } from './ink'
import { seatColour } from './palette'

const WALL = '#efe6d6'
const WINDOW = '#5c6a80'

function warehouse(seat: number): string {
  const roof = seatColour(seat)
  return `${plinth(seat)}<path d="M9 51v-27l12-9v9l12-9v9l12-9v9l10 -7v34z" fill="${WALL}" ${LINE}/>
    <path d="M9 24l12-9v9l12-9v9l12-9v9l10-7v9h-46z" fill="${roof}" ${LINE}/>
    <rect x="21" y="35" width="22" height="16" fill="#a9805a" ${LINE}/>
    <path d="M21 40h22M21 45h22" stroke="${INK}" stroke-width="1.6"/>`
}

function fireDepartment(seat: number): string {
  const roof = seatColour(seat)
  return `${plinth(seat)}<rect x="40" y="8" width="14" height="43" fill="${WALL}" ${LINE}/>
    <path d="M38 9l9-6 9 6z" fill="${roof}" ${LINE}/>
    <rect x="9" y="25" width="34" height="26" fill="${WALL}" ${LINE}/>
    <path d="M6 26l6-8h28l6 8z" fill="${roof}" ${LINE}/>
    <path d="M14 51v-15a9 9 0 0 1 18 0v15z" fill="#7fb8e0" ${LINE}/>
    <path d="M23 33c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z" fill="#2f7fc2" stroke="#fff" stroke-width="1.5"/>
    <rect x="44" y="17" width="6" height="7" rx="1" fill="${WINDOW}"/>`
}

function policeDepartment(seat: number): string {
  const roof = seatColour(seat)
  return `${plinth(seat)}<rect x="10" y="21" width="44" height="30" fill="${WALL}" ${LINE}/>
    <path d="M6 22l26-15 26 15z" fill="${roof}" ${LINE}/>
    <path d="M15 26v25M49 26v25" stroke="${tone(WALL, -0.25)}" stroke-width="5"/>
    <path d="M32 24l11 4v9c0 6-5 10-11 13c-6-3-11-7-11-13v-9z" fill="#33415c" ${LINE}/>
    <path d="M32 29l2.3 4.6 5.1.7-3.7 3.6.9 5.1-4.6-2.4-4.6 2.4.9-5.1-3.7-3.6 5.1-.7z" fill="#f2c744"/>`
}

function weatherStation(seat: number): string {
  const roof = seatColour(seat)
  return `${plinth(seat)}<path d="M22 51l4-27h12l4 27z" fill="${WALL}" ${LINE}/>
    <path d="M24 39h16M23 46h18" stroke="${tone(WALL, -0.3)}" stroke-width="2"/>
    <path d="M20 25a12 10 0 0 1 24 0z" fill="${roof}" ${LINE}/>
    <path d="M32 15v-11" ${LINE} fill="none"/><path d="M16 8l16-2 14-3v9l-14-3z" fill="#f4f6fa" ${LINE}/>
    <circle cx="32" cy="6" r="3" fill="${roof}" ${LINE}/>`
}

function headquarters(seat: number): string {
  const roof = seatColour(seat)
  const stone = '#d8d3e2'
  return `${plinth(seat)}<path d="M7 51v-26h5v-5h6v5h6v-5h5v5h6v-5h5v5h6v-5h6v5h5v26z" fill="${stone}" ${LINE}/>
    <path d="M20 25v-14h4v-4h5v4h6v-4h5v4h4v14z" fill="${tone(stone, -0.12)}" ${LINE}/>
    <path d="M32 7v-6M32 1l15 4-15 5z" fill="${roof}" ${LINE}/>
    <path d="M25 51v-9a7 7 0 0 1 14 0v9z" fill="${tone(roof, -0.3)}" ${LINE}/>
    <rect x="12" y="31" width="6" height="9" rx="3" fill="${WINDOW}"/><rect x="46" y="31" width="6" height="9" rx="3" fill="${WINDOW}"/>`
}

function ruin(seat: number): string {
  const ash = '#6b6670'
  return `${plinth(seat)}<path d="M9 51l1-17 6 5 4-12 5 9 7-4 3 9 6-13 5 9 4-4 4 18z" fill="${ash}" ${LINE}/>
    <path d="M20 51v-8h8v8M38 51l1-7 7 1v6" fill="${tone(ash, -0.5)}" stroke="${INK}" stroke-width="1.5"/>
    <path d="M14 30c-3-6 3-8 0-14M46 30c3-6-2-9 1-15" fill="none" stroke="#8d8994" stroke-width="2.4" stroke-linecap="round" opacity=".7"/>`
}

function flame(size: number): string {
  const shapes = [
    'M32 34c6 7 9 11 9 16a9 9 0 0 1-18 0c0-5 4-9 9-16z',
    'M33 20c2 9 13 14 13 26a14 14 0 0 1-28 0c0-8 4-11 6-17c3 3 4 5 4 8c4-4 6-9 5-17z',
    'M35 6c1 13 17 20 17 37a20 19 0 0 1-40 0c0-12 6-15 8-25c5 4 7 8 7 12c6-6 9-13 8-24z',
  ]
  const cores = ['M32 44c3 4 4 6 4 8a4 4 0 0 1-8 0c0-2 1-4 4-8z', 'M32 40c4 5 6 7 6 11a6 6 0 0 1-12 0c0-4 3-6 6-11z', 'M33 34c5 7 9 10 9 16a10 9 0 0 1-19 0c0-6 6-9 10-16z']
  return `<path d="${shapes[size]}" fill="#f4702a" stroke="#8c2a10" stroke-width="2.2" stroke-linejoin="round"/><path d="${cores[size]}" fill="#ffd75a"/>`
}

const COIN = `<circle cx="32" cy="32" r="20" fill="#f0c33c" ${LINE}/><circle cx="32" cy="32" r="13" fill="none" stroke="#a87a12" stroke-width="2.4"/><path d="M32 23v18M37 27c-3-3-10-2-10 2s10 2 10 6-7 5-10 2" fill="none" stroke="#7c560a" stroke-width="3" stroke-linecap="round"/>`
const EYE = `<path d="M6 32c8-13 18-18 26-18s18 5 26 18c-8 13-18 18-26 18s-18-5-26-18z" fill="#fff" ${LINE}/><circle cx="32" cy="32" r="10" fill="#6f4bb8" ${LINE}/><circle cx="32" cy="32" r="4" fill="#15101f"/>`
const EMBER = `<circle cx="32" cy="32" r="12" fill="#f4702a"/><circle cx="32" cy="32" r="6" fill="#ffe08a"/>`
const DROP = `<path d="M32 14c10 13 16 20 16 28a16 16 0 0 1-32 0c0-8 6-15 16-28z" fill="#4ea3e6" ${LINE}/>`
const BADGE = `<path d="M32 8l20 7v16c0 12-9 19-20 25c-11-6-20-13-20-25v-16z" fill="#33415c" ${LINE}/><path d="M32 18l4 8 9 1.300-6.500 6.300 1.500 9-8-4.200-8 4.200 1.500-9-6.500-6.300 9-1.300z" fill="#f2c744"/>`
const BLOW = 'M4 24h34a8 8 0 1 0-8-8M4 34h46a8 8 0 1 1-8 8M4 44h24'
const GUST = `<path d="${BLOW}" fill="none" stroke="${INK}" stroke-opacity=".75" stroke-width="8.500" stroke-linecap="round"/><path d="${BLOW}" fill="none" stroke="#e4f2fd" stroke-width="4.500" stroke-linecap="round"/>`

export const CITY: Record<string, (seat: number) => string> = {
  warehouse,
  fire_department: fireDepartment,
  police_department: policeDepartment,
  weather_station: weatherStation,
  headquarters,
  ruin,
  flame1: () => flame(0),
  flame2: () => flame(1),
  flame3: () => flame(2),
  coin: () => COIN,
  eye: () => EYE,
  ember: () => EMBER,
  drop: () => DROP,
  badge: () => BADGE,
  gust: () => GUST,
}
