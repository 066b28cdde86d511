// Applies the server's changes to a view; `engine/delta.py` is the other half.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A change: [] none, [value] a new value, [parts, gone] for a dictionary, [parts, length] for a list. */
export type Delta = unknown[]

type Parts = Record<string, Delta>

/** The view after a change. The old view is not modified; unchanged parts are shared. */
export function patch(before: unknown, delta: Delta): unknown {
  if (delta.length === 0) return before
  if (delta.length === 1) return delta[0]
  const [parts, rest] = delta as [Parts, number | string[]]
  return typeof rest === 'number' ? patchList(before, parts, rest) : patchDictionary(before, parts, rest)
}

function patchList(before: unknown, parts: Parts, length: number): unknown[] {
  const old = Array.isArray(before) ? before : []
  const after: unknown[] = old.slice(0, length)
  while (after.length < length) after.push(null)
  for (const [index, part] of Object.entries(parts)) after[Number(index)] = patch(after[Number(index)], part)
  return after
}

function patchDictionary(before: unknown, parts: Parts, gone: string[]): Record<string, unknown> {
  const after: Record<string, unknown> = { ...(before as Record<string, unknown> | null) }
  for (const key of gone) delete after[key]
  for (const [key, part] of Object.entries(parts)) after[key] = patch(after[key], part)
  return after
}
