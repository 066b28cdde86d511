"""`endturn play`: a match between bots, watched or not, kept in a file or not."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Group
from rich.live import Live
from rich.text import Text

from endturn import archive, bots
from endturn.bots import files
from endturn.cli import offline
from endturn.cli.terminal import (
    Mistake,
    Screen,
    command_line,
    complain,
    grid,
    next_steps,
    picture,
    quoted,
    require_within,
    say,
    say_json,
    screen,
)
from endturn.engine import gamelog
from endturn.engine.game import Game, Outcome
from endturn.engine.match import SEED_LIMIT, Acted, Match, TurnBegan, derived_seed
from endturn.engine.rule import require
from endturn.games import find

BACKENDS = "plain", "compiled"
BOT_SEEDS = 2000  # where the numbers of the bots' own seeds begin; those of what they see begin at 1000
LONGEST_DELAY = 60
DELAY = 0.3  # seconds that a turn stays on a terminal


class Order(NamedTuple):
    """Which match to play, as it was typed."""

    game: str
    bots: tuple[str, ...]
    seed: str | None
    profile: str | None
    chosen: tuple[str, ...]
    backend: str
    map: Path | None = None


class Keep(NamedTuple):
    """Where to keep the gamelog and a page to watch, if anywhere, and whether a file that is there may go."""

    file: Path | None
    force: bool
    html: Path | None = None


class Watch(NamedTuple):
    """Whether to show the turns, and how many seconds each."""

    wanted: bool
    delay: float | None


def play(order: Order, keep: Keep, watch: Watch, as_json: bool) -> None:
    """Play a match, keep its gamelog, and say how it ended."""
    if watch.wanted and as_json:
        raise Mistake("--watch is for people and --json for programs: choose one of them.")
    require_within("--delay", watch.delay, 0, LONGEST_DELAY)
    page = offline.require_page(keep.html, keep.force) if keep.html else ""
    match = begin(order)
    players = seat_bots(match.game, order.bots, match.seed)
    with _kept(match, keep) as note, _watched(match, watch) as look:

        def told(match: Match) -> None:
            note()
            look()

        outcome = bots.play(match, players, told)
    if keep.html is not None:
        offline.write_page(match, page, keep.html)
    if as_json:
        say_json({**facts(match), "file": keep.file and str(keep.file)})
    else:
        tell_outcome(match, outcome)
        _say_next(match, order, keep)


def begin(order: Order) -> Match:
    """The match that was ordered, not yet played; Mistake or SettingsError say what cannot be."""
    game = find(order.game)
    settings = game.configure(order.profile, {**read_settings(order.chosen), **_on_map(game, order.map)})
    game = game.seated(settings)
    _check_bots(game, order.bots)
    if order.backend not in BACKENDS:
        raise Mistake(f"A match is played by plain or compiled rules, and {order.backend!r} is neither.")
    require(order.backend, game)
    if order.backend == "compiled" and Screen(stderr=True).is_terminal:
        complain(f"Compiling the rules of {game.title}, unless they are in the cache: a few seconds.")
    return Match(
        game, settings, seed=read_seed(order.seed), players=player_names(order.bots), backend=order.backend
    )


def _on_map(game: Game, file: Path | None) -> Mapping[str, Any]:
    """The setting for a map of one's own, if one was named."""
    if file is None:
        return {}
    from endturn.cli import maps  # noqa: PLC0415  (a game's own)

    return maps.chosen(game, file)


def read_seed(said: str | None) -> int:
    """The seed that was typed, or one by chance."""
    if said is None:
        return secrets.randbits(64)
    try:
        seed = int(said, 16 if said.lower().startswith("0x") else 10)
    except ValueError:
        seed = -1
    if not 0 <= seed < SEED_LIMIT:
        raise Mistake(f"A seed is a whole number from 0 to 2^64-1, also as 0x..., and {said[:40]!r} is not.")
    return seed


def read_settings(chosen: Iterable[str]) -> Mapping[str, str]:
    """What was typed behind --set, by name."""
    values = {}
    for said in chosen:
        name, mark, value = said.partition("=")
        if not mark:
            raise Mistake(f"--set takes NAME=VALUE, and {said[:80]!r} has no =.")
        values[name.strip()] = value.strip()
    return values


def _check_bots(game: Game, names: Sequence[str]) -> None:
    known = bots.bots_of(game)
    for name in names:
        if name not in known and not files.is_file(name):
            others = f"{', '.join(known)}; or name a file of your own, ./mybot.py"
            raise Mistake(f"{game.title} has no bot {name[:40]!r}; it has {others}.")
    if len(names) != game.seat_count:
        seats = f"{game.seat_count} bots ({', '.join(game.seats)})"
        raise Mistake(f"{game.title} is played by {seats}, and you named {len(names)}.")


def seat_bots(game: Game, names: Sequence[str], seed: int) -> list[bots.Bot]:
    """The bots, each with a seed of its own that says nothing about the dice."""
    made = [files.load(Path(name)) if files.is_file(name) else bots.bots_of(game)[name] for name in names]
    return [make(derived_seed(seed, BOT_SEEDS + seat)) for seat, make in enumerate(made)]


def player_names(names: Sequence[str]) -> tuple[str, ...]:
    """What the players are called: a bot of one's own by the name of its file."""
    return tuple(Path(name).stem if files.is_file(name) else name for name in names)


# --- keeping ------------------------------------------------------------------------------------------------


@contextmanager
def _kept(match: Match, keep: Keep) -> Iterator[Callable[[], None]]:
    """A function that notes what is new; the file is there when the match is over, and only then."""
    if keep.file is None:
        yield lambda: None
        return
    if keep.file.is_file() and not keep.force:
        raise Mistake(f"{keep.file} exists: choose another name, or write over it with --force.")
    with archive.writing(keep.file, overwrite=keep.force) as write:
        writer = gamelog.Writer(match)
        write(writer.header())
        yield lambda: _note(writer, write)
        _note(writer, write)
        write(writer.end())


def _note(writer: gamelog.Writer, write: Callable[[str], None]) -> None:
    for line in writer.news():
        write(line)


# --- watching -----------------------------------------------------------------------------------------------


@contextmanager
def _watched(match: Match, watch: Watch) -> Iterator[Callable[[], None]]:
    """A function that shows the board when a turn has begun: drawn over on a terminal, else one by one."""
    if not watch.wanted:
        yield lambda: None
        return
    redraws = screen().redraws
    delay = watch.delay if watch.delay is not None else DELAY if redraws else 0
    say(_pairing(match))
    live = Live(console=screen(), auto_refresh=False, vertical_overflow="crop") if redraws else None
    with live or nullcontext():
        viewer = Viewer(match, live, delay)
        viewer.look()
        yield viewer.look
        if viewer.told < len(match.log):
            viewer.draw()


class Viewer:
    """Shows a match to a person: the board as a turn begins, above it what the turn before brought."""

    def __init__(self, match: Match, live: Live | None, delay: float) -> None:
        self.match, self.live, self.delay = match, live, delay
        self.told = 0

    def look(self) -> None:
        """Draw the board if a turn has begun since the last look."""
        if isinstance(self.match.log[-1], TurnBegan):
            self.draw()

    def draw(self) -> None:
        """Draw the board and leave it there for a while."""
        frame = Group(Text(self._news(), no_wrap=True, overflow="ellipsis"), picture(self._board()))
        if self.live is None:
            screen().print(frame, crop=False)
            say()
        else:
            self.live.update(frame, refresh=True)
        time.sleep(self.delay)

    def _board(self) -> str:
        return self.match.game.text.show(self.match.state)

    def _news(self) -> str:
        """What was done since the last look, in a line: Red (arsonist): 4 ignite, 1 end turn."""
        fresh = [entry for entry in self.match.log[self.told :] if isinstance(entry, Acted)]
        self.told = len(self.match.log)
        if not fresh:
            return "The match begins."
        by_seat = {seat: Counter[str]() for seat in sorted({entry.seat for entry in fresh})}
        for entry in fresh:
            by_seat[entry.seat][self.match.game.actions.to_json(entry.action)["do"].replace("_", " ")] += 1
        return "   ".join(f"{seated(self.match, seat)}: {_counted(done)}" for seat, done in by_seat.items())


def _counted(done: Counter[str]) -> str:
    return ", ".join(f"{count} {verb}" for verb, count in done.items())


# --- telling ------------------------------------------------------------------------------------------------


def seated(match: Match, seat: int) -> str:
    """Who sits where: Red (arsonist)."""
    return f"{match.game.seats[seat]} ({quoted(str(match.players[seat]))})"


def _pairing(match: Match) -> str:
    players = " against ".join(seated(match, seat) for seat in range(match.game.seat_count))
    return f"{match.game.title}: {players}, seed {match.seed:#x}"


def verdict(match: Match, outcome: Outcome | None) -> str:
    """Who has won, in a few words."""
    if outcome is None:
        return "broken off"
    return "nobody won" if outcome.winner is None else f"{seated(match, outcome.winner)} won"


def facts(match: Match) -> dict[str, Any]:
    """A match for programs: what was played and how it ended."""
    outcome = match.outcome
    return {
        "game": match.game.name,
        "version": match.game.version,
        "players": match.players,
        "seed": hex(match.seed),
        **match.length()._asdict(),
        "winner": outcome and outcome.winner,
        "outcome": outcome and outcome._asdict(),
    }


def tell_outcome(match: Match, outcome: Outcome) -> None:
    """Print who won, with a reason for each seat."""
    say(f"[bold]{verdict(match, outcome)}[/]: {match.length()}, seed {match.seed:#x}")
    order = sorted(range(match.game.seat_count), key=lambda seat: outcome.places[seat])
    rows = [
        (f"{outcome.places[seat]}.", seated(match, seat), quoted(outcome.reasons[seat])) for seat in order
    ]
    screen().print(grid("", "", "", rows=rows), soft_wrap=True)
    say()


def _say_next(match: Match, order: Order, keep: Keep) -> None:
    if keep.file is not None:
        next_steps(
            command_line("verify", keep.file),
            command_line("show", keep.file, "--turn", match.length().turns // 2),
        )
        return
    options = ["--profile", order.profile] if order.profile else []
    for each in order.chosen:
        options += ["--set", each]
    if order.map is not None:
        options += ["--map", str(order.map)]
    again = ("play", order.game, *order.bots, "--seed", hex(match.seed), *options)
    next_steps(command_line(*again, "--watch"), command_line(*again, "--out", f"{order.game}.jsonl.gz"))
