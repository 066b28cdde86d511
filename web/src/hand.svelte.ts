// The player's current choice: the chosen piece, its legal actions, and the tip beside the board.

import type { Cell, Highlight } from './board/scene'
import type { Action, Face, View } from './games/face'
import type { Foreseen, Live } from './live.svelte'
import type { Now } from './protocol'
import { begun } from './words'

export interface Tip {
  cell: Cell
  lines: string[]
  kind: 'what' | 'foreseen' | 'refused'
}

export interface Menu {
  cell: Cell
  actions: Action[]
}

const MOST_LISTED = 2000 // actions without a piece on the board; games without drawings have only such actions

const MANY = 60 // targets; more get a softer mark

const same = (a: Cell | null, b: Cell | null) => a !== null && b !== null && a.x === b.x && a.y === b.y

export class Hand {
  ready = $state.raw<number[]>([]) // pieces that can act
  private sole = $state.raw<Action[]>([]) // legal actions of the only piece that can act
  piece = $state<number | null>(null)
  actions = $state.raw<Action[]>([]) // of the chosen piece
  reach = $state.raw<Highlight[]>([]) // marked area around the chosen piece
  turnActions = $state.raw<Action[]>([]) // actions that belong to no piece on the board
  here = $state.raw<Cell | null>(null) // the chosen cell, in games whose pieces are not chosen by number
  menu = $state.raw<Menu | null>(null)
  tip = $state.raw<Tip | null>(null)
  cursor = $state.raw<Cell | null>(null)
  alert = $state('') // read aloud immediately
  busy = $state(false)
  private asked = 0
  private hovered = 0
  private coming: { now: Now; view: Promise<View | null> } | null = null // the preview of ending this turn, requested once

  constructor(
    private readonly live: Live,
    private readonly face: () => Face,
  ) {}

  private get view(): View {
    return this.live.feed?.view ?? {}
  }

  private get input() {
    return this.face().input
  }

  // --- legal actions ---

  /** Fetch the legal actions again. Keeps the chosen piece if it can still act. */
  async refresh(): Promise<void> {
    const asked = ++this.asked
    if (!this.live.mine) return this.forget()
    const ready = await this.live.ready()
    if (asked !== this.asked) return
    this.ready = ready
    await this.askTurn(asked, ready)
    if (asked !== this.asked) return
    const placed = ready.filter((piece) => this.input.cellOf(this.view, piece))
    if (this.piece !== null && !ready.includes(this.piece)) this.deselect()
    const only = this.piece ?? (placed.length === 1 ? (placed[0] ?? null) : null)
    const actions = only === null ? [] : await this.select(only)
    if (asked === this.asked) this.sole = placed.length === 1 ? actions : []
  }

  /** Fetch the actions that belong to no piece on the board, such as ending the turn. */
  private async askTurn(asked: number, ready: number[]): Promise<void> {
    const loose = ready.filter((piece) => !this.input.cellOf(this.view, piece))
    if (this.input.about) {
      const all = ready.length ? await this.live.legal(null) : []
      if (asked === this.asked) this.turnActions = all.slice(0, MOST_LISTED)
      return
    }
    const found: Action[] = []
    for (const piece of loose) {
      if (asked !== this.asked || found.length >= MOST_LISTED) break
      found.push(...(await this.offered(piece)))
    }
    if (asked === this.asked) this.turnActions = found.slice(0, MOST_LISTED)
  }

  private forget(): void {
    this.ready = []
    this.turnActions = []
    this.sole = []
    this.deselect()
  }

  async select(piece: number): Promise<Action[]> {
    const actions = await this.offered(piece)
    this.piece = actions.length ? piece : null
    this.actions = actions
    this.menu = null
    const { reach } = this.input
    this.reach = reach && actions.length ? reach((await this.live.preview(null)).said, this.view, piece) : []
    return actions
  }

  private async offered(piece: number): Promise<Action[]> {
    const { worth } = this.input
    const actions = await this.live.legal(piece)
    return worth ? actions.filter((action) => worth(this.view, action)) : actions
  }

  deselect(): void {
    this.piece = null
    this.here = null
    this.actions = []
    this.reach = []
    this.menu = null
    this.tip = null
  }

  get targets(): Map<string, Action[]> {
    const found = new Map<string, Action[]>()
    for (const action of [...this.actions, ...this.listed]) {
      const cell = this.input.aim(this.view, action)
      if (cell) found.set(`${cell.x},${cell.y}`, [...(found.get(`${cell.x},${cell.y}`) ?? []), action])
    }
    return found
  }

  /** The actions without a chosen piece that are offered now: those of the chosen cell, or all. */
  get listed(): Action[] {
    const { about } = this.input
    return about && this.here ? this.turnActions.filter((action) => same(about(this.view, action), this.here)) : this.turnActions
  }

  /** The cells of pieces that can act. */
  private get actors(): Cell[] {
    const { about } = this.input
    const cells = about ? this.turnActions.flatMap((action) => about(this.view, action) ?? []) : []
    return [...new Map(cells.map((cell) => [`${cell.x},${cell.y}`, cell])).values()]
  }

  /** Actions of the chosen piece without a target cell. */
  get plain(): Action[] {
    return this.actions.filter((action) => !this.input.aim(this.view, action))
  }

  /** The action of the main button, even if it belongs to the only piece that can act. */
  get closing(): Action | null {
    const closes = this.input.closes ?? ((action: Action) => action.do === 'end_turn')
    return [...this.turnActions, ...this.actions, ...this.sole].find(closes) ?? null
  }

  highlights(): Highlight[] {
    const made: Highlight[] = []
    for (const piece of this.piece === null ? this.ready : []) {
      const cell = this.input.cellOf(this.view, piece)
      if (cell) made.push({ ...cell, kind: 'able' })
    }
    const undrawn = this.input.about !== undefined
    if (undrawn && !this.here) return this.actors.length ? this.actors.map(({ x, y }) => ({ x, y, kind: 'able' })) : this.aims()
    made.push(...this.reach)
    const marked = new Set(this.reach.map(({ x, y, kind }) => `${x},${y},${kind}`))
    const { targets } = this
    for (const [key, [first]] of targets) {
      const [x = 0, y = 0] = key.split(',').map(Number)
      const usual = targets.size > MANY ? 'reach' : 'target'
      const kind = first ? (this.input.mark?.(this.view, first) ?? usual) : usual
      if (!marked.has(`${key},${kind}`) && (kind !== 'reach' || !this.reach.length)) made.push({ x, y, kind })
    }
    const chosen = this.here ?? (this.piece === null ? null : this.input.cellOf(this.view, this.piece))
    if (chosen) made.push({ ...chosen, kind: 'selected' })
    return made
  }

  private aims(): Highlight[] {
    return [...this.targets.keys()].map((key) => ({ x: Number(key.split(',')[0]), y: Number(key.split(',')[1]), kind: 'reach' }))
  }

  // --- pointing ---

  /** A click or Enter on a cell: play the action aimed there, choose the piece there, or explain why neither is legal. */
  async pick(cell: Cell): Promise<void> {
    this.live.skip()
    this.cursor = cell
    this.menu = null
    const here = this.targets.get(`${cell.x},${cell.y}`) ?? []
    const piece = this.input.pieceAt(this.view, cell)
    if (this.input.about && this.actors.some((each) => same(each, cell)) && !(this.here && here.length)) {
      this.here = same(this.here, cell) ? null : { x: cell.x, y: cell.y }
      return
    }
    if (here.length === 1 && here[0]) return void (await this.play(here[0], cell))
    if (here.length > 1) {
      this.menu = { cell, actions: here }
      return
    }
    if (piece !== null && piece === this.piece) return this.deselect()
    if (piece !== null && this.ready.includes(piece)) return this.choose(piece, cell)
    await this.why(cell, piece)
  }

  /** Choose a piece; if all its actions target its own cell, open the menu. */
  private async choose(piece: number, cell: Cell): Promise<void> {
    await this.select(piece)
    const here = this.actions.filter((action) => same(this.input.aim(this.view, action), cell))
    if (here.length && here.length === this.actions.length) this.menu = { cell, actions: here }
  }

  /** No legal action there: show the refusal, or the contents of the cell. */
  private async why(cell: Cell, piece: number | null): Promise<void> {
    const what = this.face().board.tell(this.view, cell)
    const actor = this.piece ?? piece
    const attempt = actor === null || !this.live.feed || this.live.feed.seat === null ? null : this.input.attempt(this.view, actor, cell)
    const foreseen = attempt ? await this.live.preview(attempt) : null
    const kind = foreseen?.refused ? 'refused' : 'what'
    this.say({ cell, kind, lines: foreseen?.refused ? [foreseen.refused] : [what] })
  }

  private say(tip: Tip): void {
    this.tip = tip
    this.alert = tip.lines.join(' ')
  }

  /** The pointer or cursor moved over a cell: show its contents and a preview. */
  async hover(cell: Cell | null): Promise<void> {
    const asked = ++this.hovered
    if (this.menu) return
    if (!cell) {
      this.tip = null
      return
    }
    const what = this.face().board.tell(this.view, cell)
    this.tip = { cell, lines: [what], kind: 'what' }
    const here = this.targets.get(`${cell.x},${cell.y}`) ?? []
    const first = here[0]
    if (!this.live.mine) return
    if (!first) return this.lookAhead(cell, what, asked)
    const lines = here.length > 1 ? here.map((action) => this.input.label(this.view, action)) : [this.input.label(this.view, first)]
    this.tip = { cell, lines: [what, ...lines], kind: 'foreseen' }
    if (here.length > 1) return
    const foreseen = await this.live.preview(first)
    if (asked === this.hovered && same(this.tip?.cell ?? null, cell)) this.tip = { cell, kind: 'foreseen', lines: [what, ...lines, ...this.foretold(first, foreseen)] }
  }

  /** Add what happens to the cell at the end of the turn, if the game previews it. */
  private async lookAhead(cell: Cell, what: string, asked: number): Promise<void> {
    const { ahead } = this.face().board
    const now = this.live.feed?.now
    if (!ahead || !now || !this.closing) return
    if (this.coming?.now !== now) this.coming = { now, view: this.live.preview(this.closing).then((foreseen) => foreseen.view) }
    const after = await this.coming.view
    if (!after || asked !== this.hovered || !same(this.tip?.cell ?? null, cell)) return
    const lines = ahead(this.view, after, cell)
    if (lines.length) this.tip = { cell, kind: 'foreseen', lines: [what, ...lines] }
  }

  preview(action: Action): Promise<Foreseen> {
    return this.live.preview(action)
  }

  /** A preview in sentences. */
  foretold(action: Action, foreseen: Foreseen): string[] {
    if (foreseen.refused) return [foreseen.refused]
    const { outcome, foretell } = this.input
    if (foretell) return foretell(this.view, action, foreseen.said, foreseen.view).map(begun)
    return foreseen.view && outcome ? outcome(this.view, foreseen.view, action).map(begun) : []
  }

  // --- playing ---

  async play(action: Action, beside: Cell | null = null): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.menu = null
    this.tip = null
    const answer = await this.live.act(action)
    this.busy = false
    if (!answer.ok) this.refused(answer.reason, beside ?? this.input.aim(this.view, action))
    return answer.ok
  }

  async undo(): Promise<void> {
    const answer = await this.live.undo()
    if (!answer.ok) this.refused(answer.reason, null)
  }

  private refused(reason: string, cell: Cell | null): void {
    this.live.refusal = cell ? null : reason
    if (cell) this.tip = { cell, lines: [reason], kind: 'refused' }
    this.alert = reason
  }

  // --- keyboard ---

  /** Go to the next piece that can act. */
  next(by: number): Cell | null {
    const placed = this.ready.map((piece) => this.input.cellOf(this.view, piece)).filter((cell) => cell !== null)
    const cells = placed.length ? placed : this.actors
    if (!cells.length) return null
    const at = cells.findIndex((cell) => same(cell, this.cursor))
    const cell = cells[(at + by + cells.length) % cells.length] ?? null
    if (cell) this.point(cell)
    return cell
  }

  /** Go to the next target of the chosen piece. */
  nextTarget(by: number): Cell | null {
    const cells = [...this.targets.keys()].map((key) => ({ x: Number(key.split(',')[0]), y: Number(key.split(',')[1]) }))
    if (!cells.length) return this.next(by)
    const at = cells.findIndex((cell) => same(cell, this.cursor))
    const cell = cells[(at + by + cells.length) % cells.length] ?? null
    if (cell) this.point(cell)
    return cell
  }

  point(cell: Cell): void {
    this.cursor = cell
    void this.hover(cell)
  }
}
