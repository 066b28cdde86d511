// Board colours by name, for the dark and light themes. Seats also differ in lightness and shape.

export type Theme = 'dark' | 'light'

const SHARED = {
  seat0: '#d9492e',
  seat1: '#3173d8',
  seat2: '#2b9a66',
  seat3: '#c79613',
  seat4: '#8d5bd0',
  seat5: '#14949c',
  seat6: '#ece6d6', // white
  seat7: '#343a48', // black
  seat8: '#ea8a2e', // orange
  nobody: '#8a9099',
  fire: '#ff9d2e',
  health: '#4cb56b',
  energy: '#e9b93c',
  target: '#ffd25e',
  danger: '#ff6a4d',
  selected: '#ffffff',
}

const DARK = {
  ...SHARED,
  ground: '#232a36',
  plot: '#2d3645',
  grass: '#2f4436',
  sand: '#5a5038',
  snow: '#92a4b7',
  ice: '#6fb7e0',
  road: '#3d4049',
  line: '#394354',
  ink: '#eef2f8',
  shade: '#10141b',
  able: '#7fd6ff',
}

const LIGHT = {
  ...SHARED,
  ground: '#e6e3da',
  plot: '#d8d4c8',
  grass: '#c9dcb5',
  sand: '#eadcb2',
  snow: '#eef4fa',
  ice: '#a9d8f2',
  road: '#bdb9b0',
  line: '#cfcabd',
  ink: '#1c2230',
  shade: '#ffffff',
  able: '#0a7fb8',
  target: '#d08a00',
  selected: '#101828',
}

export type Palette = Record<string, string>

export function palette(theme: Theme): Palette {
  return theme === 'dark' ? DARK : LIGHT
}

export function seatColour(seat: number): string {
  return SHARED[`seat${seat}` as keyof typeof SHARED] ?? SHARED.nobody
}
