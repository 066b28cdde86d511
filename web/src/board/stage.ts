// Draws scenes with Pixi. A sprite with the same key in two scenes walks, a new one appears, a removed one fades.

import 'pixi.js/unsafe-eval'
import { Application, type BitmapText, Container, Graphics, Sprite as PixiSprite } from 'pixi.js'
import type { Palette } from '../art/palette'
import { Atlas } from './atlas'
import { type Box, Boxes } from './boxes'
import { centre, fit, hold, sees, zoomAt, type Camera } from './camera'
import { drifted } from './drift'
import { Effects } from './effects'
import { lettering, LETTER_SIZE } from './lettering'
import type { Area, Bar, Cell, Effect, Highlight, Label, Scene, Sprite } from './scene'

export const UNIT = 64 // pixels per cell before the camera scales
const SMALLEST = 15 // pixels per cell below which pieces cannot be recognised
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
const MARKS: Record<Highlight['kind'], string> = {
  far: 'target',
  reach: 'able',
  last: 'ink',
  able: 'able',
  target: 'target',
  danger: 'danger',
  selected: 'selected',
  cursor: 'ink',
}
const BAR = '#0b0e14' // the empty part of a bar

export class Stage {
  private readonly world = new Container()
  private readonly ground = new Graphics()
  private readonly lines = new Graphics()
  private readonly layers = { ground: new Container(), piece: new Container(), over: new Container() }
  private readonly arrows = new Graphics()
  private readonly texts = new Container()
  private readonly shown = new Map<string, Shown>()
  private readonly labels = new Map<string, BitmapText>()
  private readonly atlas: Atlas
  private readonly areas: Boxes
  private readonly marks: Boxes
  private readonly bars: Boxes
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

  private constructor(
    readonly app: Application,
    private readonly host: HTMLElement,
    colours: Palette,
  ) {
    this.colours = colours
    this.atlas = new Atlas(() => this.ask())
    this.areas = new Boxes(this.atlas)
    this.marks = new Boxes(this.atlas)
    this.bars = new Boxes(this.atlas)
    this.effects = new Effects(this.atlas, () => this.ask())
    const { ground, piece, over } = this.layers
    this.world.addChild(this.ground, this.areas.layer, this.lines, ground, piece, this.marks.layer, this.bars.layer, this.arrows, over, this.texts, this.effects.layer)
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

  // --- scenes ---

  paint(colours: Palette): void {
    this.colours = colours
    this.groundKey = ''
    this.show(this.scene, 0)
    this.highlight(this.last)
  }

  /** Show a scene; pieces walk to their places within `ms` milliseconds. */
  show(scene: Scene, ms: number): void {
    this.finishWalks()
    const resized = scene.width !== this.scene.width || scene.height !== this.scene.height
    this.scene = scene
    this.drawGround()
    this.placeSprites(ms)
    this.drawBars(scene.bars)
    this.drawArrows()
    this.placeLabels(scene.labels)
    if (resized || this.fitted) this.fit()
    this.ask()
  }

  play(effects: Effect[], ms: number): void {
    this.effects.play(effects, ms, this.scene, this.colours)
  }

  highlight(cells: Highlight[]): void {
    this.last = cells
    this.guide(cells)
    this.marks.show(cells.map((cell) => this.mark(cell)))
    this.ask()
  }

  /** If cells are too small to recognise, zoom in on the pieces that can act: once, unless the user moved the camera. */
  private guide(cells: Highlight[]): void {
    const able = cells.filter((cell) => cell.kind === 'able' || cell.kind === 'selected')
    if (this.guided || !able.length) return
    this.guided = true
    if (!this.fitted || this.camera.scale >= SMALLEST) return
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const [x, y] = [mean(able.map((cell) => cell.x)), mean(able.map((cell) => cell.y))]
    this.look(centre({ ...this.camera, scale: NEAR }, this.frame, x, y))
  }

  private mark({ x, y, w = 1, h = 1, kind }: Highlight): Box {
    const colour = this.colours[MARKS[kind]] ?? '#ffffff'
    return { x: x * UNIT, y: y * UNIT, w: w * UNIT, h: h * UNIT, colour, alpha: kind === 'last' ? 0.6 : 1, art: `mark_${kind}` }
  }

  private drawGround(): void {
    const { width, height, areas, ground, grid } = this.scene
    this.areas.show(areas.map((area) => this.patch(area)))
    const key = [width, height, ground, grid].join()
    if (key === this.groundKey) return
    this.groundKey = key
    this.ground.clear().roundRect(-6, -6, width * UNIT + 12, height * UNIT + 12, 14).fill(this.colour(ground))
    this.lines.clear()
    if (grid !== false) this.drawGrid(width, height)
  }

  private patch({ x, y, w, h, colour, alpha, round = 0 }: Area): Box {
    const box = { x: x * UNIT, y: y * UNIT, w: w * UNIT, h: h * UNIT, colour: this.colour(colour), alpha: alpha ?? 1 }
    return round ? { ...box, art: round > 0.2 ? 'rounder' : 'box' } : box
  }

  private drawGrid(width: number, height: number): void {
    for (let x = 1; x < width; x++) this.lines.moveTo(x * UNIT, 0).lineTo(x * UNIT, height * UNIT)
    for (let y = 1; y < height; y++) this.lines.moveTo(0, y * UNIT).lineTo(width * UNIT, y * UNIT)
    this.lines.stroke({ color: this.colour('line'), width: 1.5, alpha: 0.6 })
  }

  private colour(name: string): string {
    return name.startsWith('#') ? name : (this.colours[name] ?? '#888888')
  }

  // --- sprites ---

  private placeSprites(ms: number): void {
    if (ms > 0) this.drift()
    const wanted = new Set<string>()
    for (const said of this.scene.sprites) {
      wanted.add(said.key)
      const old = this.shown.get(said.key)
      if (old) this.change(old, said, ms)
      else this.appear(said, ms)
    }
    for (const [key, { node, said }] of this.shown) {
      if (wanted.has(key)) continue
      this.shown.delete(key)
      this.vanish(node, said, ms)
    }
    if (ms > 0 && this.walks.length) this.startWalks(ms)
  }

  /** Renames drifting sprites to their keys in the new scene, so that they walk there. */
  private drift(): void {
    const before = [...this.shown.values()].map(({ said }) => said).filter((said) => said.drift)
    const moved = drifted(before, this.scene.sprites.filter((said) => said.drift))
    const were = [...moved].map(([now, old]) => [now, this.shown.get(old)] as const)
    for (const old of moved.values()) this.shown.delete(old)
    for (const [now, shown] of were) {
      const left = this.shown.get(now)
      if (left) this.shown.set(`${now} gone`, left) // another cloud takes this key: the old one fades
      if (shown) this.shown.set(now, shown)
    }
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

  private vanish(node: PixiSprite, { x, y, drift }: Sprite, ms: number): void {
    if (ms <= 0) {
      node.destroy()
      return
    }
    this.walks.push({ node, from: { x, y }, to: { x: x + (drift?.x ?? 0), y: y + (drift?.y ?? 0) }, alpha: [node.alpha, -1] })
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
    this.bars.show(bars.flatMap(({ x, y, share, colour, w }) => {
      const wide = (w ?? 1) * UNIT - 12
      const full = { x: x * UNIT + 6, y: y * UNIT + UNIT - 7, w: wide, h: 6, colour: BAR, alpha: 0.75 }
      return [full, { x: full.x + 1, y: full.y + 1, w: (wide - 2) * Math.min(1, Math.max(0, share)), h: 4, colour: this.colour(colour), alpha: 1 }]
    }))
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
    this.draw() // a resized canvas is empty until it is redrawn
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

  /** Move the camera so that a cell is visible. */
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

  /** The place of a cell in the frame. */
  place(cell: Cell): { x: number; y: number; size: number } {
    const { x, y, scale } = this.camera
    return { x: x + cell.x * scale, y: y + cell.y * scale, size: scale }
  }

  // --- rendering on demand ---

  private ask(): void {
    if (this.asked === 0) this.asked = requestAnimationFrame((now) => this.render(now))
  }

  /** Render immediately. */
  draw(): void {
    this.atlas.refresh()
    this.app.render()
  }

  private render(now: number): void {
    if (this.asked < 0) return
    this.asked = 0
    if (this.walks.length) this.stepWalks(now)
    const busy = this.effects.step(now)
    this.draw()
    if (this.walks.length || busy) this.ask()
  }
}

function settle(node: PixiSprite, said: Sprite): void {
  const size = (said.size ?? 1) * UNIT
  node.position.set((said.x + 0.5) * UNIT, (said.y + 0.5) * UNIT)
  node.scale.set(size / node.texture.frame.width)
  node.alpha = said.alpha ?? 1
  node.rotation = ((said.turn ?? 0) * Math.PI) / 2
}

function same(a: Sprite, b: Sprite): boolean {
  return a.art === b.art && a.x === b.x && a.y === b.y && a.size === b.size && a.alpha === b.alpha && a.turn === b.turn
}
