"""`endturn play`: plays a match between bots, and shows or saves it if asked."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Group
from rich.live import Live
from rich.text import Text

from endturn import archive, bots
from endturn.bots.seating import seat_all
from endturn.cli import offline
from endturn.cli.terminal import (
    Mistake,
    command_line,
    grid,
    next_steps,
    picture,
    quoted,
    require_within,
    say,
    say_json,
    screen,
)
from endturn.compiling import Compilation
from endturn.engine import gamelog
from endturn.engine.game import Game, Outcome
from endturn.engine.match import SEED_LIMIT, Acted, Match, TurnBegan
from endturn.engine.rule import require
from endturn.games import find

BACKENDS = "plain", "compiled"
LONGEST_DELAY = 60
DELAY = 0.3  # seconds per turn on a terminal


class Order(NamedTuple):
    """The match to play, as typed."""

    game: str
    bots: tuple[str, ...]
    seed: str | None
    profile: str | None
    chosen: tuple[str, ...]
    backend: str
    map: Path | None = None


class Keep(NamedTuple):
    """Where to save the gamelog and the replay page, and whether to overwrite existing files."""

    file: Path | None
    force: bool
    html: Path | None = None


class Watch(NamedTuple):
    """Whether to show the board, and for how many seconds per turn."""

    wanted: bool
    delay: float | None


def play(order: Order, keep: Keep, watch: Watch, as_json: bool) -> None:
    """Play a match, save it if asked, and print the outcome."""
    if watch.wanted and as_json:
        raise Mistake("--watch and --json cannot be combined. --json prints only the outcome.")
    require_within("--delay", watch.delay, 0, LONGEST_DELAY)
    page = offline.require_page(keep.html, keep.force) if keep.html else ""
    match, players = begin(order)
    with (
        _compiled(match, order.backend) as switch,
        _kept(match, keep) as note,
        _watched(match, watch) as look,
    ):

        def acted(match: Match) -> None:
            switch()
            note()
            look()

        outcome = bots.play(match, players, acted)
    if keep.html is not None:
        offline.write_page(match, page, keep.html)
    if as_json:
        say_json({**facts(match), "file": keep.file and str(keep.file)})
    else:
        tell_outcome(match, outcome)
        _say_next(match, order, keep)


def begin(order: Order) -> tuple[Match, list[bots.Bot]]:
    """Set up the match and its bots. Raises an error with one sentence if the order is impossible."""
    game = find(order.game)
    settings = game.configure(order.profile, {**read_settings(order.chosen), **_on_map(game, order.map)})
    game, seed = game.seated(settings), read_seed(order.seed)
    if order.backend not in BACKENDS:
        raise Mistake(f"--backend must be plain or compiled, not {order.backend!r}.")
    require(order.backend, game)
    seated = seat_all(game, order.bots, seed)
    match = Match(game, settings, seed=seed, players=[each.name for each in seated])
    return match, [each.bot for each in seated]


@contextmanager
def _compiled(match: Match, backend: str) -> Iterator[Callable[[], None]]:
    """A function that switches the match to compiled rules once they are ready."""
    if backend == "plain":
        yield lambda: None
        return
    compilation: Compilation | None = Compilation(match.game, match.settings)

    def switch() -> None:
        nonlocal compilation
        if compilation is not None and not compilation.is_running():
            if compilation.is_found():
                match.change_backend(backend)
            compilation = None

    try:
        yield switch
    finally:
        if compilation is not None:
            compilation.stop()


def _on_map(game: Game, file: Path | None) -> Mapping[str, Any]:
    """The setting for the map file, if one was named."""
    if file is None:
        return {}
    from endturn.cli import maps  # noqa: PLC0415  (belongs to one game)

    return maps.chosen(game, file)


def read_seed(said: str | None) -> int:
    """The seed as typed, or a random one."""
    if said is None:
        return secrets.randbits(64)
    try:
        seed = int(said, 16 if said.lower().startswith("0x") else 10)
    except ValueError:
        seed = -1
    if not 0 <= seed < SEED_LIMIT:
        raise Mistake(f"The seed must be a whole number from 0 to 2^64-1, not {said[:40]!r}.")
    return seed


def read_settings(chosen: Iterable[str]) -> Mapping[str, str]:
    """The values of --set by setting name."""
    values = {}
    for said in chosen:
        name, mark, value = said.partition("=")
        if not mark:
            raise Mistake(f"--set needs NAME=VALUE, not {said[:80]!r}.")
        values[name.strip()] = value.strip()
    return values


# --- saving ------------------------------------------------------------------------------------------------


@contextmanager
def _kept(match: Match, keep: Keep) -> Iterator[Callable[[], None]]:
    """A function that writes new entries. The file appears only when the match is over."""
    if keep.file is None:
        yield lambda: None
        return
    if keep.file.is_file() and not keep.force:
        raise Mistake(f"{keep.file} exists. Choose another name, or overwrite it with --force.")
    with archive.writing(keep.file, overwrite=keep.force) as write:
        writer = gamelog.GamelogWriter(match)
        write(writer.header())
        yield lambda: _note(writer, write)
        _note(writer, write)
        write(writer.end())


def _note(writer: gamelog.GamelogWriter, write: Callable[[str], None]) -> None:
    for line in writer.news():
        write(line)


# --- watching -----------------------------------------------------------------------------------------------


@contextmanager
def _watched(match: Match, watch: Watch) -> Iterator[Callable[[], None]]:
    """A function that shows the board when a turn begins. A terminal redraws it in place."""
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
        if viewer.shown < len(match.log):
            viewer.draw()


class Viewer:
    """Shows a match: the board at the start of each turn, below a summary of the turn before."""

    def __init__(self, match: Match, live: Live | None, delay: float) -> None:
        self.match, self.live, self.delay = match, live, delay
        self.shown = 0

    def look(self) -> None:
        """Draw the board if a turn has just begun."""
        if isinstance(self.match.log[-1], TurnBegan):
            self.draw()

    def draw(self) -> None:
        """Draw the board and wait."""
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
        """The actions since the last board in one line, such as Red (arsonist): 4 ignite, 1 end turn."""
        fresh = [entry for entry in self.match.log[self.shown :] if isinstance(entry, Acted)]
        self.shown = len(self.match.log)
        if not fresh:
            return "The match begins."
        by_seat = {seat: Counter[str]() for seat in sorted({entry.seat for entry in fresh})}
        for entry in fresh:
            by_seat[entry.seat][self.match.game.actions.to_json(entry.action)["do"].replace("_", " ")] += 1
        return "   ".join(f"{seated(self.match, seat)}: {_counted(done)}" for seat, done in by_seat.items())


def _counted(done: Counter[str]) -> str:
    return ", ".join(f"{count} {verb}" for verb, count in done.items())


# --- printing ------------------------------------------------------------------------------------------------


def seated(match: Match, seat: int) -> str:
    """A side and its player, such as Red (arsonist)."""
    return f"{match.game.seats[seat]} ({quoted(str(match.players[seat]))})"


def _pairing(match: Match) -> str:
    players = " vs ".join(seated(match, seat) for seat in range(match.game.seat_count))
    return f"{match.game.title}: {players}, seed {match.seed:#x}"


def verdict(match: Match, outcome: Outcome | None) -> str:
    """Who won, in a few words."""
    if outcome is None:
        return "unfinished"
    return "draw" if outcome.winner is None else f"{seated(match, outcome.winner)} won"


def facts(match: Match) -> dict[str, Any]:
    """What was played and how it ended, for --json."""
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
