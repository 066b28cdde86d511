// Made by `endturn types` from src/endturn/protocol.py: change that file, not this one.

export const NAME_LENGTH = 80;

export const CHAT_LENGTH = 500;

export const ACCOUNT_LENGTH = 24;

export const LARGEST_MESSAGE = 16384;

/** Who gets a seat: the client that asks, the person with the link, or a bot. */
export interface SeatWish {
  kind?: "bot" | "link" | "me";
  name?: string;
  bot?: string | null;
}

/** The clock of a new match; see `server.clock.Timing`. */
export interface ClockWish {
  kind?: "bank" | "deadline" | "move" | "none" | "turn";
  seconds?: number;
  increment?: number;
  over?: "default" | "forfeit";
}

/** A request for a new match. */
export interface NewMatch {
  game: string;
  seats?: SeatWish[];
  settings?: Record<string, unknown>;
  profile?: string | null;
  clock?: ClockWish;
  public?: boolean;
  seed?: string | null;
  position?: string | null;
  from_match?: string | null;
  from_action?: number | null;
}

/** A seat and its player. */
export interface SeatInfo {
  seat: number;
  kind: "bot" | "link" | "person";
  name: string;
  taken: boolean;
  bot: string | null;
  present: boolean;
  side: string;
}

/** Public facts about a match. */
export interface MatchInfo {
  id: string;
  game: string;
  title: string;
  status: "failed" | "open" | "over" | "running";
  seats: SeatInfo[];
  settings: Record<string, unknown>;
  clock: ClockWish;
  created_at: number;
  changed_at: number;
  outcome: Record<string, unknown> | null;
  seed: string | null;
}

/** A token that opens a seat. The server sends it once. */
export interface SeatToken {
  seat: number;
  token: string;
}

/** A new match, with tokens for your own seats and for links. */
export interface Created {
  match: MatchInfo;
  tokens: SeatToken[];
}

/** A request for an open seat. A client that chooses its own token can safely repeat the request. */
export interface TakeSeat {
  name?: string;
  seat?: number | null;
  token?: string | null;
}

/** A setting, its meaning and its limits. */
export interface SettingInfo {
  name: string;
  kind: "choice" | "flag" | "number" | "text";
  default: unknown;
  help: string;
  low: number | null;
  high: number | null;
  choices: string[];
}

/** A game. */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  version: number;
  seats: string[];
  settings: SettingInfo[];
  profiles: Record<string, Record<string, unknown>>;
  bots: string[];
}

/** The outcome of a match for each seat. */
export interface Result {
  match: string;
  game: string;
  at: number;
  names: string[];
  places: number[];
  reasons: string[];
}

/** All games. */
export interface GameList {
  games: GameInfo[];
}

/** Public matches, most recently changed first. */
export interface MatchList {
  matches: MatchInfo[];
}

/** Results of public matches, newest first. */
export interface ResultList {
  results: Result[];
}

/** Whether the gamelog of a finished match is valid. The counts leave out actions that were undone. */
export interface Verified {
  verified: boolean;
  reason: string | null;
  actions: number | null;
  turns: number | null;
}

/** A turn, and the number of replay steps before it. */
export interface TurnMark {
  turn: number;
  step: number;
}

/** The state of the server. */
export interface Health {
  status: "archive down" | "ok";
  version: string;
  matches: number;
  watching: number;
  reason: string | null;
}

/** A name and a password. */
export interface Credentials {
  name: string;
  password: string;
}

/** A key for an account, to send as `Authorization: Bearer`. The server sends it once. */
export interface LoggedIn {
  name: string;
  key: string;
  expires_at: number;
}

/** An account. */
export interface AccountInfo {
  name: string;
}

/** An admin's request to stop a match, with the reason. */
export interface Stop {
  reason?: string;
}

/** Why a request failed: a sentence, and the id of the rule. */
export interface Problem {
  reason: string;
  rule: string;
}

/** The first message. Send a seat's token to play, or none to watch; `since` is the last event you know. */
export interface Join {
  type: "join";
  token?: string | null;
  since?: number;
}

/** Play an action. */
export interface Act {
  type: "act";
  ask: number;
  action: unknown;
}

/** Take your last action back. */
export interface Undo {
  type: "undo";
  ask: number;
}

/** Ask for your legal actions, of one piece or of all. */
export interface Legal {
  type: "legal";
  ask: number;
  piece?: number | null;
}

/** Ask which of your pieces have a legal action; listing all their actions can be slow. */
export interface Ready {
  type: "ready";
  ask: number;
}

/** Ask what an action would do, as far as your seat may know. */
export interface Preview {
  type: "preview";
  ask: number;
  action: unknown;
}

/** Send a message to everyone in the match. */
export interface Chat {
  type: "chat";
  ask: number;
  text: string;
}

/** Resign. */
export interface Resign {
  type: "resign";
  ask: number;
}

/** Pause or resume the clocks. */
export interface Pause {
  type: "pause";
  ask: number;
  on: boolean;
}

/** Ask the server to answer. */
export interface Ping {
  type: "ping";
  ask: number;
}

/** Something that happened in the match and that this client may know of. */
export interface Event {
  number: number;
  kind: "act" | "chat" | "pause" | "resume" | "undo";
  at: number;
  seat: number | null;
  action: Record<string, unknown> | null;
  text: string | null;
  turn: number | null;
}

/** One step of a replay: an event, its change of the view, and the number of actions and undos so far. */
export interface Step {
  event: Event;
  change: unknown;
  played: number;
}

/** A part of a finished match: the view after `first` steps, later steps, and the start of each turn. */
export interface Replay {
  match: MatchInfo;
  first: number;
  view: Record<string, unknown>;
  steps: Step[];
  total: number;
  turns: TurnMark[];
}

/** The clocks: milliseconds left for each seat (null without a limit), and the seats whose clock runs. */
export interface Clocks {
  left: (number | null)[];
  running: number[];
  paused: boolean;
}

/** The current turn, clocks and status of a match. */
export interface Now {
  turn: number;
  to_act: number[];
  clocks: Clocks;
  status: "failed" | "open" | "over" | "running";
  outcome: Record<string, unknown> | null;
}

/** The answer to `Join`: the client's view, and the events after `since`. It contains at most the last few hundred events. If the first one is not number `since + 1`, events are missing. */
export interface Welcome {
  type: "welcome";
  match: MatchInfo;
  seat: number | null;
  view: Record<string, unknown>;
  events: Event[];
  known: number;
  now: Now;
}

/** An event, its change of the view, and the current state of the match. `event` is null if the client may see the change but not the action that caused it, and when a match starts because its last seat was taken; then `now.status` is "running". */
export interface Happened {
  type: "happened";
  event: Event | null;
  change: unknown;
  now: Now;
}

/** Who is connected: the seats with their players' names, and the number of spectators. */
export interface Presence {
  type: "presence";
  seats: SeatInfo[];
  watching: number;
}

/** The request succeeded; `answer` is its result. */
export interface Done {
  type: "done";
  ask: number;
  answer: unknown;
}

/** The request broke a rule, or is not possible now. */
export interface Refused {
  type: "refused";
  ask: number;
  rule: string;
  reason: string;
}

/** The message has the wrong shape. The reason names the bad field. */
export interface Malformed {
  type: "malformed";
  reason: string;
  ask: number | null;
  rule: string;
}

/** The match was stopped, with the reason. */
export interface Failed {
  type: "failed";
  reason: string;
}

export type Said = Join | Act | Undo | Legal | Ready | Preview | Chat | Resign | Pause | Ping;

export type Told = Welcome | Happened | Presence | Done | Refused | Malformed | Failed;
