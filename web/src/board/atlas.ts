// Drawings as textures. Each is rasterised once, when a scene first needs it, and shares a page with others.

import { CanvasSource, Rectangle, Texture } from 'pixi.js'
import { svg } from '../art'

const SLOT = 192 // pixels; sharp enough for large screens
const ROW = 10 // slots
const PER_PAGE = ROW * ROW
const EDGE = 4 // clear pixels around each drawing, so that neighbours do not bleed in at small sizes

/** The factor that makes up for the clear edge around a drawing. */
export const BLEED = SLOT / (SLOT - 2 * EDGE)

class Page {
  private readonly canvas = document.createElement('canvas')
  /** Kept in main memory: a canvas on the graphics card would be lost when the card resets. */
  readonly pen = this.canvas.getContext('2d', { willReadFrequently: true })
  readonly source: CanvasSource
  stale = false

  constructor() {
    this.canvas.width = this.canvas.height = SLOT * ROW
    this.source = new CanvasSource({ resource: this.canvas, autoGenerateMipmaps: true, scaleMode: 'linear' })
  }
}

export class Atlas {
  private readonly pages: Page[] = []
  private readonly known = new Map<string, Texture>()

  /** `drawn` is called when a drawing is ready and the board needs a new render. */
  constructor(private readonly drawn: () => void) {}

  texture(name: string): Texture {
    const known = this.known.get(name)
    if (known) return known
    const slot = this.known.size % PER_PAGE
    if (slot === 0) this.pages.push(new Page())
    const page = this.pages.at(-1) as Page
    const [x, y] = [(slot % ROW) * SLOT, Math.floor(slot / ROW) * SLOT]
    const texture = new Texture({ source: page.source, frame: new Rectangle(x, y, SLOT, SLOT) })
    this.known.set(name, texture)
    void this.rasterise(name, page, x, y)
    return texture
  }

  private async rasterise(name: string, page: Page, x: number, y: number): Promise<void> {
    const image = new Image()
    image.src = `data:image/svg+xml,${encodeURIComponent(svg(name, SLOT - 2 * EDGE))}`
    await image.decode()
    page.pen?.drawImage(image, x + EDGE, y + EDGE, SLOT - 2 * EDGE, SLOT - 2 * EDGE)
    page.stale = true
    this.drawn()
  }

  /** Upload pages with new drawings to the renderer. */
  refresh(): void {
    for (const page of this.pages) {
      if (page.stale) page.source.update()
      page.stale = false
    }
  }

  destroy(): void {
    for (const { source } of this.pages) source.destroy()
  }
}
