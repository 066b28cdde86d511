// Made by `endturn types` from src/endturn/protocol.py: change that file, not this one.

export const NAME_LENGTH = 80;

export const CHAT_LENGTH = 500;

export const ACCOUNT_LENGTH = 24;

export const LARGEST_MESSAGE = 16384;

/** Who is to sit somewhere: the one who asks, whoever gets the link, or a bot. */
export interface SeatWish {
  kind?: "bot" | "link" | "me";
  name?: string;
  bot?: string | null;
}

/** How a match is to be timed: see `server.clock.Timing`. */
export interface ClockWish {
  kind?: "bank" | "deadline" | "move" | "none" | "turn";
  seconds?: number;
  increment?: number;
  over?: "default" | "forfeit";
}

/** A match that someone wants to begin. */
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

/** Who sits where. */
export interface SeatInfo {
  seat: number;
  kind: "bot" | "link" | "person";
  name: string;
  taken: boolean;
  bot: string | null;
  present: boolean;
  side: string;
}

/** A match, as anyone may know it. */
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

/** The right to a seat. Whoever has the token plays; it is told once. */
export interface SeatToken {
  seat: number;
  token: string;
}

/** A match has been made; tokens for the seats that are the asker's, or for a link. */
export interface Created {
  match: MatchInfo;
  tokens: SeatToken[];
}

/** Someone wants an open seat. Who chooses the token can ask again where the answer was lost, and has one seat. */
export interface TakeSeat {
  name?: string;
  seat?: number | null;
  token?: string | null;
}

/** A setting: what it is for and what it can be. */
export interface SettingInfo {
  name: string;
  kind: "choice" | "flag" | "number" | "text";
  default: unknown;
  help: string;
  low: number | null;
  high: number | null;
  choices: string[];
}

/** A game that can be played. */
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

/** How a match ended for each seat. */
export interface Result {
  match: string;
  game: string;
  at: number;
  names: string[];
  places: number[];
  reasons: string[];
}

/** The games that can be played. */
export interface GameList {
  games: GameInfo[];
}

/** Public matches, the last changed first. */
export interface MatchList {
  matches: MatchInfo[];
}

/** How public matches ended, the newest first. */
export interface ResultList {
  results: Result[];
}

/** Whether a finished match, played again from its gamelog, came out the same; without what was taken back. */
export interface Verified {
  verified: boolean;
  reason: string | null;
  actions: number | null;
  turns: number | null;
}

/** A turn, and after how many steps of the replay it began. */
export interface TurnMark {
  turn: number;
  step: number;
}

/** How the server is. */
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

/** A key to act in an account's name: sent as `Authorization: Bearer`; it is told once. */
export interface LoggedIn {
  name: string;
  key: string;
  expires_at: number;
}

/** Who someone is. */
export interface AccountInfo {
  name: string;
}

/** An admin stops a match, and why. */
export interface Stop {
  reason?: string;
}

/** Why a request was not carried out: a sentence, and a short name of the rule by which. */
export interface Problem {
  reason: string;
  rule: string;
}

/** The first message: with a seat's token to play, without one to watch; how many events are known already. */
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

/** Take one's last action back. */
export interface Undo {
  type: "undo";
  ask: number;
}

/** What can I do now, with one piece or with all? */
export interface Legal {
  type: "legal";
  ask: number;
  piece?: number | null;
}

/** Which of my pieces can do anything now? All of their actions may be very many. */
export interface Ready {
  type: "ready";
  ask: number;
}

/** What would come of this action, as far as I may know? */
export interface Preview {
  type: "preview";
  ask: number;
  action: unknown;
}

/** Say something to everyone here. */
export interface Chat {
  type: "chat";
  ask: number;
  text: string;
}

/** Give the match up. */
export interface Resign {
  type: "resign";
  ask: number;
}

/** Stop the clocks, or let them go on. */
export interface Pause {
  type: "pause";
  ask: number;
  on: boolean;
}

/** Are you there? */
export interface Ping {
  type: "ping";
  ask: number;
}

/** Something that happened, in the order in which this client may know of it. */
export interface Event {
  number: number;
  kind: "act" | "chat" | "pause" | "resume" | "undo";
  at: number;
  seat: number | null;
  action: Record<string, unknown> | null;
  text: string | null;
  turn: number | null;
}

/** Of a replay: an event, what it changed in the view, and how many actions and undos there were by then. */
export interface Step {
  event: Event;
  change: unknown;
  played: number;
}

/** A part of a finished match: the view after `first` steps, the steps from there, and where turns begin. */
export interface Replay {
  match: MatchInfo;
  first: number;
  view: Record<string, unknown>;
  steps: Step[];
  total: number;
  turns: TurnMark[];
}

/** What the clocks say: milliseconds left by seat (none: no limit), and whose run. */
export interface Clocks {
  left: (number | null)[];
  running: number[];
  paused: boolean;
}

/** Where a match stands. */
export interface Now {
  turn: number;
  to_act: number[];
  clocks: Clocks;
  status: "failed" | "open" | "over" | "running";
  outcome: Record<string, unknown> | null;
}

/** The answer to `Join`: all that this client may know, and the events it does not know yet. Of these, it has the last few hundred: where the first has not the number after `since`, some are left out. */
export interface Welcome {
  type: "welcome";
  match: MatchInfo;
  seat: number | null;
  view: Record<string, unknown>;
  events: Event[];
  known: number;
  now: Now;
}

/** Something happened: what, what it changed in the view, and where the match stands now. Without an event where this client may see what changed, and not what was done; and when the last seat of a match is taken, which begins with that: `now` says "running". */
export interface Happened {
  type: "happened";
  event: Event | null;
  change: unknown;
  now: Now;
}

/** Who is here: by seat, and how many watch. Seats that were taken in the meantime have their names. */
export interface Presence {
  type: "presence";
  seats: SeatInfo[];
  watching: number;
}

/** What was asked has happened, or here is what was asked for. */
export interface Done {
  type: "done";
  ask: number;
  answer: unknown;
}

/** What was asked is against a rule, or cannot be now. */
export interface Refused {
  type: "refused";
  ask: number;
  rule: string;
  reason: string;
}

/** What was received is no message; the sentence names the place. */
export interface Malformed {
  type: "malformed";
  reason: string;
  ask: number | null;
  rule: string;
}

/** The match was stopped, and why. */
export interface Failed {
  type: "failed";
  reason: string;
}

export type Said = Join | Act | Undo | Legal | Ready | Preview | Chat | Resign | Pause | Ping;

export type Told = Welcome | Happened | Presence | Done | Refused | Malformed | Failed;
