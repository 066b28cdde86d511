// Draws scenes with Pixi: what has the same key in two scenes walks, what is new appears, what is gone fades.

import 'pixi.js/unsafe-eval'
import { Application, type BitmapText, Container, Graphics, Sprite as PixiSprite } from 'pixi.js'
import type { Palette } from '../art/palette'
import { Atlas } from './atlas'
import { centre, fit, hold, sees, zoomAt, type Camera } from './camera'
import { Effects } from './effects'
import { lettering, LETTER_SIZE } from './lettering'
import type { Bar, Cell, Effect, Highlight, Label, Scene, Sprite } from './scene'

export const UNIT = 64 // pixels a cell before the camera scales
const SMALLEST = 15 // pixels a cell at which a piece is still recognised
const NEAR = 30

interface Shown {
  node: PixiSprite
  said: Sprite
}

interface Walk {
  node: PixiSprite
  from: Cell
  to: Cell
  alpha: [number, number]
}

const NO_SCENE: Scene = { width: 1, height: 1, ground: 'ground', areas: [], sprites: [], bars: [], labels: [], arrows: [] }
const MARKS: Record<Highlight['kind'], { line: string; fill: number; width: number; inset: number }> = {
  far: { line: 'target', fill: 0.13, width: 1.5, inset: 1 },
  reach: { line: 'able', fill: 0.22, width: 1.5, inset: 1 },
  last: { line: 'ink', fill: 0.06, width: 2, inset: 3 },
  able: { line: 'able', fill: 0.12, width: 3.5, inset: 3 },
  target: { line: 'target', fill: 0.16, width: 3.5, inset: 3 },
  danger: { line: 'danger', fill: 0.2, width: 4, inset: 3 },
  selected: { line: 'selected', fill: 0.2, width: 5, inset: 1 },
  cursor: { line: 'ink', fill: 0, width: 3, inset: -2 },
}

export class Stage {
  private readonly world = new Container()
  private readonly ground = new Graphics()
  private readonly layers = { ground: new Container(), piece: new Container(), over: new Container() }
  private readonly marks = new Graphics()
  private readonly bars = new Graphics()
  private readonly arrows = new Graphics()
  private readonly texts = new Container()
  private readonly shown = new Map<string, Shown>()
  private readonly labels = new Map<string, BitmapText>()
  private readonly atlas: Atlas
  private readonly effects: Effects
  private scene: Scene = NO_SCENE
  private groundKey = ''
  private walks: Walk[] = []
  private walkUntil = 0
  private walkFor = 1
  private asked = 0
  private fitted = true
  private guided = false
  private colours: Palette
  private last: Highlight[] = []
  camera: Camera = { x: 0, y: 0, scale: 16 }
  moved: () => void = () => {}
  /** Milliseconds that the last redraw took, without the browser's own part. */
  cost = 0

  private constructor(
    readonly app: Application,
    private readonly host: HTMLElement,
    colours: Palette,
  ) {
    this.colours = colours
    this.atlas = new Atlas(() => this.ask())
    this.effects = new Effects(this.atlas, () => this.ask())
    const { ground, piece, over } = this.layers
    this.world.addChild(this.ground, ground, this.marks, piece, this.bars, this.arrows, over, this.texts, this.effects.layer)
    app.stage.addChild(this.world)
    app.stage.eventMode = 'none'
  }

  static async create(host: HTMLElement, colours: Palette): Promise<Stage> {
    const app = new Application()
    await app.init({
      preference: 'webgl',
      backgroundAlpha: 0,
      antialias: true,
      autoDensity: true,
      autoStart: false,
      sharedTicker: false,
      resolution: Math.min(window.devicePixelRatio || 1, 2.5),
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
    })
    host.appendChild(app.canvas)
    app.canvas.setAttribute('aria-hidden', 'true')
    return new Stage(app, host, colours)
  }

  destroy(): void {
    cancelAnimationFrame(this.asked)
    this.asked = -1
    this.atlas.destroy()
    this.app.destroy({ removeView: true }, { children: true })
  }

  // --- what is shown ---

  paint(colours: Palette): void {
    this.colours = colours
    this.groundKey = ''
    this.show(this.scene, 0)
    this.highlight(this.last)
  }

  /** Show a scene; pieces take so many milliseconds to walk to their places. */
  show(scene: Scene, ms: number): void {
    const began = performance.now()
    this.finishWalks()
    const resized = scene.width !== this.scene.width || scene.height !== this.scene.height
    this.scene = scene
    this.drawGround()
    this.placeSprites(ms)
    this.drawBars(scene.bars)
    this.drawArrows()
    this.placeLabels(scene.labels)
    if (resized || this.fitted) this.fit()
    this.cost = performance.now() - began
    this.ask()
  }

  play(effects: Effect[], ms: number): void {
    this.effects.play(effects, ms, this.scene, this.colours)
  }

  highlight(cells: Highlight[]): void {
    this.last = cells
    this.guide(cells)
    this.marks.clear()
    for (const cell of cells) this.mark(cell)
    this.ask()
  }

  /** Where cells are too small to recognise, begin near the pieces that can act; once, and only by oneself. */
  private guide(cells: Highlight[]): void {
    const able = cells.filter((cell) => cell.kind === 'able' || cell.kind === 'selected')
    if (this.guided || !able.length) return
    this.guided = true
    if (!this.fitted || this.camera.scale >= SMALLEST) return
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const [x, y] = [mean(able.map((cell) => cell.x)), mean(able.map((cell) => cell.y))]
    this.look(centre({ ...this.camera, scale: NEAR }, this.frame, x, y))
  }

  private mark(cell: Highlight): void {
    const { line, fill, width, inset } = MARKS[cell.kind]
    const colour = this.colours[line] ?? '#fff'
    const [x, y] = [cell.x * UNIT + inset, cell.y * UNIT + inset]
    const [w, h] = [(cell.w ?? 1) * UNIT - 2 * inset, (cell.h ?? 1) * UNIT - 2 * inset]
    this.marks.roundRect(x, y, w, h, cell.kind === 'reach' || cell.kind === 'far' ? 3 : 10)
    if (fill) this.marks.fill({ color: colour, alpha: fill })
    if (width) this.marks.stroke({ color: colour, width, alpha: cell.kind === 'last' ? 0.5 : 1 })
  }

  private drawGround(): void {
    const { width, height, areas, ground, grid } = this.scene
    const key = JSON.stringify([width, height, ground, grid, areas])
    if (key === this.groundKey) return
    this.groundKey = key
    const pen = this.ground.clear()
    pen.roundRect(-6, -6, width * UNIT + 12, height * UNIT + 12, 14).fill(this.colour(ground))
    for (const { x, y, w, h, colour, alpha, round } of areas) {
      const box = [x * UNIT, y * UNIT, w * UNIT, h * UNIT] as const
      if (round) pen.roundRect(...box, round * UNIT)
      else pen.rect(...box)
      pen.fill({ color: this.colour(colour), alpha: alpha ?? 1 })
    }
    if (grid !== false) this.drawGrid(width, height)
  }

  private drawGrid(width: number, height: number): void {
    for (let x = 1; x < width; x++) this.ground.moveTo(x * UNIT, 0).lineTo(x * UNIT, height * UNIT)
    for (let y = 1; y < height; y++) this.ground.moveTo(0, y * UNIT).lineTo(width * UNIT, y * UNIT)
    this.ground.stroke({ color: this.colour('line'), width: 1.5, alpha: 0.6 })
  }

  private colour(name: string): string {
    return name.startsWith('#') ? name : (this.colours[name] ?? '#888888')
  }

  // --- sprites ---

  private placeSprites(ms: number): void {
    const wanted = new Set<string>()
    for (const said of this.scene.sprites) {
      wanted.add(said.key)
      const old = this.shown.get(said.key)
      if (old) this.change(old, said, ms)
      else this.appear(said, ms)
    }
    for (const [key, { node }] of this.shown) {
      if (wanted.has(key)) continue
      this.shown.delete(key)
      this.vanish(node, ms)
    }
    if (ms > 0 && this.walks.length) this.startWalks(ms)
  }

  private appear(said: Sprite, ms: number): void {
    const node = new PixiSprite(this.atlas.texture(said.art))
    node.anchor.set(0.5)
    this.layers[said.layer ?? 'piece'].addChild(node)
    this.shown.set(said.key, { node, said })
    settle(node, said)
    if (ms > 0) this.walks.push({ node, from: said, to: said, alpha: [0, said.alpha ?? 1] })
  }

  private change(old: Shown, said: Sprite, ms: number): void {
    const before = old.said
    if (same(before, said)) return
    if (before.art !== said.art) old.node.texture = this.atlas.texture(said.art)
    old.said = said
    settle(old.node, said)
    const walks = before.x !== said.x || before.y !== said.y
    if (walks && ms > 0) this.walks.push({ node: old.node, from: before, to: said, alpha: [before.alpha ?? 1, said.alpha ?? 1] })
  }

  private vanish(node: PixiSprite, ms: number): void {
    if (ms <= 0) {
      node.destroy()
      return
    }
    const here = { x: node.x / UNIT - 0.5, y: node.y / UNIT - 0.5 }
    this.walks.push({ node, from: here, to: here, alpha: [node.alpha, -1] })
  }

  private startWalks(ms: number): void {
    this.walkFor = ms
    this.walkUntil = performance.now() + ms
    this.stepWalks(performance.now())
  }

  private stepWalks(now: number): void {
    const done = Math.min(1, Math.max(0, 1 - (this.walkUntil - now) / this.walkFor))
    const eased = done * done * (3 - 2 * done)
    for (const { node, from, to, alpha } of this.walks) {
      node.position.set((from.x + (to.x - from.x) * eased + 0.5) * UNIT, (from.y + (to.y - from.y) * eased + 0.5) * UNIT)
      node.alpha = Math.max(0, alpha[0] + (Math.max(0, alpha[1]) - alpha[0]) * eased)
    }
    if (done >= 1) this.finishWalks()
  }

  private finishWalks(): void {
    for (const { node, to, alpha } of this.walks) {
      if (alpha[1] < 0) node.destroy()
      else {
        node.position.set((to.x + 0.5) * UNIT, (to.y + 0.5) * UNIT)
        node.alpha = alpha[1]
      }
    }
    this.walks = []
  }

  // --- bars, arrows, labels ---

  private drawBars(bars: Bar[]): void {
    const pen = this.bars.clear()
    for (const { x, y, share, colour, w } of bars) {
      const wide = (w ?? 1) * UNIT - 12
      pen.rect(x * UNIT + 6, y * UNIT + UNIT - 7, wide, 6).fill({ color: '#0b0e14', alpha: 0.75 })
      pen.rect(x * UNIT + 7, y * UNIT + UNIT - 6, (wide - 2) * Math.min(1, Math.max(0, share)), 4).fill(this.colour(colour))
    }
  }

  private drawArrows(): void {
    const pen = this.arrows.clear()
    for (const { from, to, colour, width } of this.scene.arrows) {
      const [ax, ay, bx, by] = [from.x, from.y, to.x, to.y].map((at) => (at + 0.5) * UNIT) as [number, number, number, number]
      const angle = Math.atan2(by - ay, bx - ax)
      const head = (turn: number) => [bx - 16 * Math.cos(angle + turn), by - 16 * Math.sin(angle + turn)] as const
      pen.moveTo(ax, ay).lineTo(bx, by)
      pen.moveTo(...head(0.5)).lineTo(bx, by).lineTo(...head(-0.5))
      pen.stroke({ color: this.colour(colour), width: width ?? 4, alpha: 0.85, cap: 'round', join: 'round' })
    }
  }

  private placeLabels(labels: Label[]): void {
    const wanted = new Set(labels.map((label) => label.key))
    for (const [key, node] of this.labels) {
      if (wanted.has(key)) continue
      node.destroy()
      this.labels.delete(key)
    }
    for (const label of labels) this.placeLabel(label)
  }

  private placeLabel({ key, text, x, y, colour, size }: Label): void {
    let node = this.labels.get(key)
    if (!node) {
      node = lettering(text)
      this.labels.set(key, node)
      this.texts.addChild(node)
    }
    if (node.text !== text) node.text = text
    node.tint = this.colour(colour ?? '#ffffff')
    node.position.set(x * UNIT, y * UNIT)
    node.scale.set(((size ?? 0.32) * UNIT) / LETTER_SIZE)
  }

  // --- the camera ---

  private get frame() {
    return { width: this.host.clientWidth, height: this.host.clientHeight }
  }

  resize(): void {
    const { width, height } = this.frame
    if (!width || !height) return
    this.app.renderer.resize(width, height)
    if (this.fitted) this.fit()
    else this.look(this.camera)
    this.app.render() // a canvas that has been resized is empty until it is drawn again
  }

  fit(): void {
    this.look(fit(this.frame, this.scene.width, this.scene.height))
    this.fitted = true
  }

  zoom(factor: number, x = this.frame.width / 2, y = this.frame.height / 2): void {
    const least = fit(this.frame, this.scene.width, this.scene.height).scale * 0.8
    this.look(zoomAt(this.camera, factor, x, y, least))
  }

  pan(dx: number, dy: number): void {
    this.look({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy })
  }

  /** Bring a cell into the frame if it is not there. */
  reveal(cell: Cell): void {
    if (!sees(this.camera, this.frame, cell.x, cell.y)) this.look(centre(this.camera, this.frame, cell.x, cell.y))
  }

  private look(camera: Camera): void {
    this.fitted = false
    this.camera = hold(camera, this.frame, this.scene.width, this.scene.height)
    this.world.position.set(this.camera.x, this.camera.y)
    this.world.scale.set(this.camera.scale / UNIT)
    this.moved()
    this.ask()
  }

  /** The cell under a point of the frame. */
  cellAt(x: number, y: number): Cell | null {
    const cell = { x: Math.floor((x - this.camera.x) / this.camera.scale), y: Math.floor((y - this.camera.y) / this.camera.scale) }
    return cell.x >= 0 && cell.y >= 0 && cell.x < this.scene.width && cell.y < this.scene.height ? cell : null
  }

  /** Where a cell is in the frame. */
  place(cell: Cell): { x: number; y: number; size: number } {
    const { x, y, scale } = this.camera
    return { x: x + cell.x * scale, y: y + cell.y * scale, size: scale }
  }

  // --- rendering, when there is a reason ---

  private ask(): void {
    if (this.asked === 0) this.asked = requestAnimationFrame((now) => this.render(now))
  }

  private render(now: number): void {
    if (this.asked < 0) return
    this.asked = 0
    if (this.walks.length) this.stepWalks(now)
    const busy = this.effects.step(now)
    this.app.render()
    if (this.walks.length || busy) this.ask()
  }
}

function settle(node: PixiSprite, said: Sprite): void {
  const size = (said.size ?? 1) * UNIT
  node.position.set((said.x + 0.5) * UNIT, (said.y + 0.5) * UNIT)
  node.setSize(size, size)
  node.alpha = said.alpha ?? 1
  node.rotation = ((said.turn ?? 0) * Math.PI) / 2
}

function same(a: Sprite, b: Sprite): boolean {
  return a.art === b.art && a.x === b.x && a.y === b.y && a.size === b.size && a.alpha === b.alpha && a.turn === b.turn
}
