// Draws many plain boxes: ground, bars, marks. Each is a tinted sprite, and only changed ones are updated: redrawing them
// as vector shapes takes a hundred times as long.

import { Color, Container, Sprite, Texture } from 'pixi.js'
import { BLEED, type Atlas } from './atlas'

/** A box in board pixels; `art` is its drawing, a plain white box by default. */
export interface Box {
  x: number
  y: number
  w: number
  h: number
  colour: string
  alpha: number
  art?: string
}

export class Boxes {
  readonly layer = new Container()
  private readonly nodes: Sprite[] = []
  private shown: Box[] = []

  constructor(private readonly atlas: Atlas) {}

  show(boxes: Box[]): void {
    for (let i = 0; i < boxes.length; i++) this.put(i, boxes[i] as Box)
    for (const gone of this.nodes.splice(boxes.length)) gone.destroy()
    this.shown = boxes
  }

  private put(at: number, box: Box): void {
    const before = this.shown[at]
    let node = this.nodes[at]
    if (node && before && same(before, box)) return
    if (!node) {
      node = new Sprite()
      node.anchor.set(0.5)
      this.nodes.push(node)
      this.layer.addChild(node)
    }
    const texture = box.art ? this.atlas.texture(box.art) : Texture.WHITE
    if (node.texture !== texture) node.texture = texture
    const bleed = box.art ? BLEED : 1
    node.position.set(box.x + box.w / 2, box.y + box.h / 2)
    node.scale.set((box.w * bleed) / texture.frame.width, (box.h * bleed) / texture.frame.height)
    node.tint = paint(box.colour)
    if (node.alpha !== box.alpha) node.alpha = box.alpha
  }
}

const paints = new Map<string, number>()

/** A colour as a number, cached: Pixi would parse the text every time. */
function paint(colour: string): number {
  const known = paints.get(colour)
  if (known !== undefined) return known
  const made = new Color(colour).toNumber()
  paints.set(colour, made)
  return made
}

function same(a: Box, b: Box): boolean {
  return a === b || (a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h && a.colour === b.colour && a.alpha === b.alpha && a.art === b.art)
}
