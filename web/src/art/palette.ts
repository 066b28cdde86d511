// The colours of boards, by name, in the dark and in the light. Seats differ in lightness and shape too.

export type Theme = 'dark' | 'light'

const SHARED = {
  seat0: '#d9492e',
  seat1: '#3173d8',
  seat2: '#2b9a66',
  seat3: '#c79613',
  seat4: '#8d5bd0',
  seat5: '#14949c',
  nobody: '#8a9099',
  fire: '#ff9d2e',
  health: '#4cb56b',
  energy: '#e9b93c',
  target: '#ffd25e',
  danger: '#ff6a4d',
  selected: '#ffffff',
  water: '#4f9fd6',
  deep: '#2f6fae',
}

const DARK = {
  ...SHARED,
  ground: '#232a36',
  plot: '#2d3645',
  grass: '#2f4436',
  sand: '#5a5038',
  snow: '#5d6b7c',
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
  snow: '#f4f8fc',
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
