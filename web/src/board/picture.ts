// Draws a scene as SVG text, for pages without a live board and for offline replays.

import { inside } from '../art'
import type { Palette } from '../art/palette'
import type { Highlight, Scene } from './scene'

const CELL = 64

/** The SVG of a scene. Each drawing is defined once and referenced wherever it appears. */
export function picture(scene: Scene, colours: Palette, title = '', marks: Highlight[] = []): string {
  const colour = (name: string) => (name.startsWith('#') ? name : (colours[name] ?? '#888888'))
  const names = [...new Set(scene.sprites.map((sprite) => sprite.art))]
  const ids = new Map(names.map((name) => [name, `art-${name.replace(/[^A-Za-z0-9_-]/g, (sign) => `-${sign.charCodeAt(0)}-`)}`]))
  const order = { ground: 0, piece: 1, over: 2 }
  const sprites = [...scene.sprites].sort((a, b) => order[a.layer ?? 'piece'] - order[b.layer ?? 'piece'])
  const parts = [
    `<rect width="${scene.width * CELL}" height="${scene.height * CELL}" fill="${colour(scene.ground)}"/>`,
    ...scene.areas.map((a) => `<rect x="${a.x * CELL}" y="${a.y * CELL}" width="${a.w * CELL}" height="${a.h * CELL}" rx="${(a.round ?? 0) * CELL}" fill="${colour(a.colour)}" opacity="${a.alpha ?? 1}"/>`),
    scene.grid === false ? '' : grid(scene, colour('line')),
    ...marks.map((m) => `<rect x="${m.x * CELL + 2}" y="${m.y * CELL + 2}" width="60" height="60" rx="10" fill="none" stroke="${colour('target')}" stroke-width="4"/>`),
    ...sprites.map((s) => {
      const size = (s.size ?? 1) * CELL
      const [x, y] = [(s.x + 0.5) * CELL - size / 2, (s.y + 0.5) * CELL - size / 2]
      const turn = s.turn ? ` transform="rotate(${s.turn * 90} ${(s.x + 0.5) * CELL} ${(s.y + 0.5) * CELL})"` : ''
      return `<use href="#${ids.get(s.art)}" x="${x}" y="${y}" width="${size}" height="${size}" opacity="${s.alpha ?? 1}"${turn}/>`
    }),
    ...scene.bars.map((b) => bar(b.x * CELL + 6, b.y * CELL + 57, (b.w ?? 1) * CELL - 12, b.share, colour(b.colour))),
    ...scene.arrows.map((a) => arrow(a.from.x, a.from.y, a.to.x, a.to.y, colour(a.colour))),
    ...scene.labels.map((l) => `<text x="${l.x * CELL}" y="${l.y * CELL}" font-size="${(l.size ?? 0.32) * CELL}" dominant-baseline="central" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700" fill="${colour(l.colour ?? '#ffffff')}" stroke="#10141b" stroke-width="4" paint-order="stroke">${escape(l.text)}</text>`),
  ]
  const symbols = names.map((name) => `<symbol id="${ids.get(name)}" viewBox="0 0 64 64" overflow="visible">${inside(name)}</symbol>`)
  const label = title ? ` role="img" aria-label="${escape(title)}"` : ' aria-hidden="true"'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${scene.width * CELL} ${scene.height * CELL}"${label}><defs>${symbols.join('')}</defs>${parts.join('')}</svg>`
}

function grid(scene: Scene, colour: string): string {
  const lines = []
  for (let x = 1; x < scene.width; x++) lines.push(`M${x * CELL} 0v${scene.height * CELL}`)
  for (let y = 1; y < scene.height; y++) lines.push(`M0 ${y * CELL}h${scene.width * CELL}`)
  return `<path d="${lines.join('')}" stroke="${colour}" stroke-width="1.5" opacity=".6"/>`
}

function bar(x: number, y: number, width: number, share: number, colour: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="6" fill="#0b0e14" opacity=".75"/><rect x="${x + 1}" y="${y + 1}" width="${(width - 2) * Math.min(1, Math.max(0, share))}" height="4" fill="${colour}"/>`
}

function arrow(ax: number, ay: number, bx: number, by: number, colour: string): string {
  const [x1, y1, x2, y2] = [ax, ay, bx, by].map((at) => (at + 0.5) * CELL) as [number, number, number, number]
  const angle = Math.atan2(y2 - y1, x2 - x1)
  const head = (turn: number) => `${x2 - 16 * Math.cos(angle + turn)} ${y2 - 16 * Math.sin(angle + turn)}`
  return `<path d="M${x1} ${y1}L${x2} ${y2}M${head(0.5)}L${x2} ${y2}L${head(-0.5)}" fill="none" stroke="${colour}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" opacity=".85"/>`
}

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)
}
