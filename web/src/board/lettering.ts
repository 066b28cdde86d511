// Short texts on boards, from one font that is rasterised once.

import { BitmapFont, BitmapText } from 'pixi.js'

export const LETTER_SIZE = 40 // pixels before scaling
const FONT = 'endturn-board'
const SIGNS = [['a', 'z'], ['A', 'Z'], ['0', '9'], ' +-−–▲▼✕×%.,:/()#?!*']

let installed = false

function install(): void {
  installed = true
  BitmapFont.install({
    name: FONT,
    chars: SIGNS,
    style: { fontFamily: 'system-ui, sans-serif', fontSize: LETTER_SIZE, fontWeight: '700', fill: '#ffffff', stroke: { color: '#10141b', width: 7 } },
  })
}

/** A centred text, white with a dark outline; tint it for other colours. */
export function lettering(text: string): BitmapText {
  if (!installed) install()
  const made = new BitmapText({ text, style: { fontFamily: FONT, fontSize: LETTER_SIZE } })
  made.anchor.set(0.5)
  return made
}
