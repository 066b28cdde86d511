// Games with custom boards and input. All others use the fallback.

import { board as anarchyBoard } from './anarchy/board'
import { input as anarchyInput } from './anarchy/input'
import { board as catastropheBoard } from './catastrophe/board'
import { input as catastropheInput } from './catastrophe/input'
import { board as plainBoard } from './fallback/board'
import { input as plainInput } from './fallback/input'
import { board as notchessBoard } from './notchess/board'
import { input as notchessInput } from './notchess/input'
import { board as snowballBoard } from './snowball/board'
import { input as snowballInput } from './snowball/input'
import type { BoardFace, Face, InputFace } from './face'

/** A game's face for pages that show any game: the server sends it views of its own game only. */
function drawn<V, P>(board: BoardFace<V>, input: InputFace<V, P>): Face {
  return { board, input } as unknown as Face
}

export const FALLBACK: Face = { board: plainBoard, input: plainInput }

const FACES: Record<string, Face> = {
  anarchy: drawn(anarchyBoard, anarchyInput),
  catastrophe: drawn(catastropheBoard, catastropheInput),
  snowball: drawn(snowballBoard, snowballInput),
  notchess: drawn(notchessBoard, notchessInput),
}

export function faceOf(game: string): Face {
  return FACES[game] ?? FALLBACK
}

export const isDrawn = (game: string) => game in FACES
