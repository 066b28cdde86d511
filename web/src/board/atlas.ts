// Drawings as one texture: each is rasterised once, when a scene first asks for it.

import { CanvasSource, Rectangle, Texture } from 'pixi.js'
import { svg } from '../art'

const SLOT = 128 // pixels
const ROW = 16 // slots
const EDGE = 3 // pixels kept clear, so that neighbours do not show at small sizes

export class Atlas {
  private readonly canvas = document.createElement('canvas')
  private readonly source: CanvasSource
  private readonly known = new Map<string, Texture>()

  /** `drawn` is called when a drawing has arrived and the board should be rendered again. */
  constructor(private readonly drawn: () => void) {
    this.canvas.width = this.canvas.height = SLOT * ROW
    this.source = new CanvasSource({ resource: this.canvas, autoGenerateMipmaps: true, scaleMode: 'linear' })
  }

  texture(name: string): Texture {
    const known = this.known.get(name)
    if (known) return known
    const slot = this.known.size
    const x = (slot % ROW) * SLOT
    const y = (Math.floor(slot / ROW) % ROW) * SLOT
    const texture = new Texture({ source: this.source, frame: new Rectangle(x, y, SLOT, SLOT) })
    this.known.set(name, texture)
    void this.rasterise(name, x, y)
    return texture
  }

  private async rasterise(name: string, x: number, y: number): Promise<void> {
    const image = new Image()
    image.src = `data:image/svg+xml,${encodeURIComponent(svg(name, SLOT - 2 * EDGE))}`
    await image.decode()
    const context = this.canvas.getContext('2d')
    context?.drawImage(image, x + EDGE, y + EDGE, SLOT - 2 * EDGE, SLOT - 2 * EDGE)
    this.source.update()
    this.drawn()
  }

  destroy(): void {
    this.source.destroy()
  }
}
