// Starts an offline replay: the page itself contains the match, compressed.

import { mount } from 'svelte'
import style from '../app.css?inline'
import type { ReplayPart } from '../protocol'
import Offline from './Offline.svelte'

interface Kept {
  names: string[]
  replay: ReplayPart
}

async function kept(): Promise<Kept> {
  const text = document.getElementById('match')?.textContent ?? ''
  const bytes = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return (await new Response(stream).json()) as Kept
}

async function start(): Promise<void> {
  const sheet = document.createElement('style')
  sheet.textContent = style
  document.head.append(sheet)
  const { names, replay } = await kept()
  mount(Offline, { target: document.body, props: { names, replay } })
}

void start()
