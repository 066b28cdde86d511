// Short effects: flights, flashes, rising numbers, wind.

import { Container, Graphics, Sprite } from 'pixi.js'
import type { Palette } from '../art/palette'
import type { Atlas } from './atlas'
import { lettering, LETTER_SIZE } from './lettering'
import type { Effect, Scene } from './scene'

const UNIT = 64
const STREAKS = 14 // wind streaks for each point of strength, up to four points

interface Playing {
  node: Container
  step: (share: number) => void
}

export class Effects {
  readonly layer = new Container()
  private playing: Playing[] = []
  private until = 0
  private lasts = 1

  constructor(
    private readonly atlas: Atlas,
    private readonly ask: () => void,
  ) {}

  play(effects: Effect[], ms: number, scene: Scene, colours: Palette): void {
    this.clear()
    if (ms <= 0) return
    this.lasts = ms
    this.until = performance.now() + ms
    this.playing = effects.map((effect) => this.begin(effect, scene, colours))
    for (const { node } of this.playing) this.layer.addChild(node)
    this.step(performance.now())
    this.ask()
  }

  /** Advance all effects; returns whether any is still running. */
  step(now: number): boolean {
    if (!this.playing.length) return false
    const share = Math.min(1, 1 - (this.until - now) / this.lasts)
    for (const each of this.playing) each.step(Math.max(0, share))
    if (share >= 1) this.clear()
    return this.playing.length > 0
  }

  private clear(): void {
    for (const { node } of this.playing) node.destroy({ children: true })
    this.playing = []
  }

  private begin(effect: Effect, scene: Scene, colours: Palette): Playing {
    if (effect.kind === 'flight') return this.flight(effect)
    if (effect.kind === 'flash') return flash(effect, colours)
    if (effect.kind === 'rise') return rise(effect, colours)
    return wind(effect, scene)
  }

  private flight({ art, from, to, arc }: Extract<Effect, { kind: 'flight' }>): Playing {
    const node = new Sprite(this.atlas.texture(art))
    node.anchor.set(0.5)
    node.setSize(UNIT * 0.6, UNIT * 0.6)
    const lift = arc ?? Math.min(2, Math.hypot(to.x - from.x, to.y - from.y) / 4)
    const step = (share: number) => {
      const x = from.x + (to.x - from.x) * share
      const y = from.y + (to.y - from.y) * share - lift * 4 * share * (1 - share)
      node.position.set((x + 0.5) * UNIT, (y + 0.5) * UNIT)
    }
    return { node, step }
  }
}

function flash({ at, colour }: Extract<Effect, { kind: 'flash' }>, colours: Palette): Playing {
  const node = new Graphics()
  node.roundRect(-UNIT / 2, -UNIT / 2, UNIT, UNIT, 14).fill({ color: colours[colour] ?? colour, alpha: 0.65 })
  node.position.set((at.x + 0.5) * UNIT, (at.y + 0.5) * UNIT)
  const step = (share: number) => {
    node.alpha = Math.sin(Math.PI * share)
    node.scale.set(0.6 + 0.7 * share)
  }
  return { node, step }
}

function rise({ at, text, colour }: Extract<Effect, { kind: 'rise' }>, colours: Palette): Playing {
  const node = lettering(text)
  node.tint = colours[colour] ?? colour
  node.scale.set(30 / LETTER_SIZE)
  const step = (share: number) => {
    node.position.set((at.x + 0.5) * UNIT, (at.y + 0.4 - 0.7 * share) * UNIT)
    node.alpha = share < 0.7 ? 1 : (1 - share) / 0.3
  }
  return { node, step }
}

/** Streaks of wind over the whole board. */
function wind({ x: dx, y: dy, strength }: Extract<Effect, { kind: 'wind' }>, scene: Scene): Playing {
  const node = new Graphics()
  const count = STREAKS * Math.min(4, strength)
  const streaks = Array.from({ length: count }, (_, i) => ({ x: frac(i * 0.618034), y: frac(i * 0.754877), late: frac(i * 0.569840) }))
  const reach = 2 + strength
  const step = (share: number) => {
    node.clear()
    for (const { x, y, late } of streaks) streak(x * scene.width, y * scene.height, share * 1.6 - late * 0.6)
    node.stroke({ color: '#cfe6f7', width: 5, alpha: 0.55 * Math.sin(Math.PI * Math.min(1, share)), cap: 'round' })
  }
  const streak = (x: number, y: number, along: number) => {
    if (along <= 0 || along >= 1) return
    const [ax, ay] = [x + dx * reach * along, y + dy * reach * along]
    node.moveTo(ax * UNIT, ay * UNIT).lineTo((ax - dx * 1.2) * UNIT, (ay - dy * 1.2) * UNIT)
  }
  return { node, step }
}

function frac(value: number): number {
  return value - Math.floor(value)
}
