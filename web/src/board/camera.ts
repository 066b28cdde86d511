// The camera: a scale (pixels per cell) and the place of the board's top left corner in the frame.

export interface Camera {
  x: number
  y: number
  scale: number
}

export interface Frame {
  width: number
  height: number
}

export const CLOSEST = 160 // most pixels per cell

/** Show the whole board, as large as the frame allows. */
export function fit(frame: Frame, width: number, height: number, margin = 12): Camera {
  const wide = (frame.width - 2 * margin) / width
  const high = (frame.height - 2 * margin) / height
  const scale = Math.max(1, Math.min(wide, high, CLOSEST))
  return { scale, x: (frame.width - width * scale) / 2, y: (frame.height - height * scale) / 2 }
}

/** Zoom, keeping the point under the pointer in place. */
export function zoomAt(camera: Camera, factor: number, x: number, y: number, least: number): Camera {
  const scale = Math.min(CLOSEST, Math.max(least, camera.scale * factor))
  const ratio = scale / camera.scale
  return { scale, x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio }
}

/** Limit the camera so that part of the board stays in the frame. */
export function hold(camera: Camera, frame: Frame, width: number, height: number): Camera {
  return {
    scale: camera.scale,
    x: within(camera.x, frame.width, width * camera.scale),
    y: within(camera.y, frame.height, height * camera.scale),
  }
}

function within(at: number, frame: number, board: number): number {
  if (board <= frame) return Math.min(Math.max(at, 0), frame - board)
  const slack = frame / 3
  return Math.min(slack, Math.max(frame - board - slack, at))
}

/** Centre the camera on a cell. */
export function centre(camera: Camera, frame: Frame, x: number, y: number): Camera {
  const middle = (size: number, at: number) => size / 2 - (at + 0.5) * camera.scale
  return { scale: camera.scale, x: middle(frame.width, x), y: middle(frame.height, y) }
}

/** Whether a whole cell is inside the frame. */
export function sees(camera: Camera, frame: Frame, x: number, y: number): boolean {
  const left = camera.x + x * camera.scale
  const top = camera.y + y * camera.scale
  return left >= 0 && top >= 0 && left + camera.scale <= frame.width && top + camera.scale <= frame.height
}
