"""Anarchy in words and pictures: names, outcomes and the board."""

from collections.abc import Callable

from endturn.engine.game import Outcome
from endturn.engine.words import Names, Words
from endturn.games.anarchy.rules import is_headquarters
from endturn.games.anarchy.state import (
    NONE,
    City,
    Decision,
    Ending,
    Kind,
)
from endturn.games.anarchy.view import KINDS
from endturn.mechanisms.endings import decided
from endturn.mechanisms.weather import is_in

SEATS = "Red", "Blue"
IN_WORDS = {kind: name.replace("_", " ") for kind, name in KINDS.items()}


# --- in words -----------------------------------------------------------------------------------------------


def named(city: City, b: int, names: Names | None = None) -> str:
    """Name a building in a sentence: warehouse #12 at (3, 4)."""
    if b >= city.building_count:
        return f"building #{b}"
    kind = "headquarters" if is_headquarters(city, b) else IN_WORDS[city.kind[b]]
    return f"{kind} #{b if names is None else names.number(b)} at ({city.x[b]}, {city.y[b]})"


WANTED = {
    "Ignite": "warehouse",
    "Extinguish": "fire department",
    "Raid": "police department",
    "Rotate": "weather station",
    "Intensify": "weather station",
}


VERBS = {name: name.lower() for name in WANTED} | {
    "EndTurn": "ending the turn",
    "KeepTurn": "keeping the turn",
    "Leave": "leaving",
}


class About(Words, gc=False):
    """The words of a refusal."""

    @property
    def actor(self) -> int:
        """The building that should act."""
        return self._number(0)

    @property
    def target(self) -> int:
        """The building it should act on."""
        return self._number(1)

    def _number(self, place: int) -> int:
        names = self.action.__struct_fields__
        return getattr(self.action, names[place]) if place < len(names) else 0


def _missing(about: About) -> int:
    return about.actor if about.actor >= about.state.building_count else about.target


WORDS: dict[str, Callable[[About], object]] = {
    "verb": lambda about: VERBS[about.kind],
    "me": lambda about: about.who(about.seat),
    "other": lambda about: about.who(1 - about.seat),
    "actor": lambda about: named(about.state, about.actor, about.names),
    "target": lambda about: named(about.state, about.target, about.names),
    "kind": lambda about: named(about.state, about.actor).split(" #")[0],
    "wanted": lambda about: WANTED.get(about.kind, "building"),
    "missing": _missing,
    "last": lambda about: about.state.building_count - 1,
    "base": lambda about: about.state.settings.base_bribes,
    "strongest": lambda about: about.state.settings.max_intensity,
}


About.table, About.seats = WORDS, SEATS


ENDINGS = {
    Ending.TURN_LIMIT: "The turn limit was reached: ",
    Ending.BOTH_HEADQUARTERS_BURNED: "Both headquarters burned down: ",
    Ending.RESIGNED: "resigned",
    Ending.TIMED_OUT: "ran out of time",
    Ending.DISCONNECTED: "disconnected",
}


DECISIONS = {
    Decision.HEADQUARTERS_DAMAGE: (
        "did more damage to the enemy headquarters",
        "did less damage to the enemy headquarters",
    ),
    Decision.BUILDINGS_STANDING: ("has more buildings left", "has fewer buildings left"),
    Decision.HEALTH_SUM: ("has more health left in its buildings", "has less health left in its buildings"),
    Decision.COIN: ("won the toss of a coin", "lost the toss of a coin"),
}


def outcome(city: City) -> Outcome | None:
    """Return the outcome with a reason for each seat, or None while the match goes on."""
    if city.ended == Ending.GOING_ON:
        return None
    won, lost = (f"{name} {said}." for name, said in zip(_ordered(city), _reasons(city), strict=True))
    prefix = ENDINGS[Ending(city.ended)] if city.decided in DECISIONS else ""
    return decided(city, Ending(city.ended), Decision(city.decided), prefix + won, prefix + lost)


def _ordered(city: City) -> tuple[str, str]:
    return SEATS[city.winner], SEATS[1 - city.winner]


def _reasons(city: City) -> tuple[str, str]:
    if city.decided == Decision.HEADQUARTERS_FALL:
        return "burned down the enemy headquarters", "lost its headquarters"
    if city.decided == Decision.OPPONENT_LEFT:
        return f"wins, for its opponent {ENDINGS[Ending(city.ended)]}", ENDINGS[Ending(city.ended)]
    return DECISIONS[Decision(city.decided)]


# --- as a picture -------------------------------------------------------------------------------------------


LETTERS = {
    Kind.WAREHOUSE: "w",
    Kind.FIRE_DEPARTMENT: "f",
    Kind.POLICE_DEPARTMENT: "p",
    Kind.WEATHER_STATION: "s",
}


COLOURS = "red", "blue"
ARROWS = "↑→↓←"


def show(city: City) -> str:
    """Draw the map in letters with fires, the standing of both seats, and the wind now and next."""
    cells = {(city.x[b], city.y[b]): b for b in range(city.building_count)}
    rows = [
        "".join(
            _cell(city, cells.get((x, y)), _sky(city, x + y * city.settings.map_width))
            for x in range(city.settings.map_width)
        )
        for y in range(city.settings.map_height)
    ]
    return "\n".join([_title(city), *rows, *(_standing(city, seat) for seat in (0, 1)), _legend()])


def _title(city: City) -> str:
    now, then = (_wind(city, f) for f in (city.current_forecast, city.next_forecast))
    state = f"{SEATS[city.seat]} to act" if city.ended == Ending.GOING_ON else f"{SEATS[city.winner]} has won"
    return f"Turn {city.turn} of {city.settings.max_turns}   wind {now}, next {then}   {state}"


def _wind(city: City, f: int) -> str:
    return "–" if f == NONE else f"{ARROWS[city.direction[f]]}{city.intensity[f]}"


def _cell(city: City, b: int | None, sky: str) -> str:
    if b is None:
        return f"[dim]·[/]{sky}" if sky else "[dim]· [/]"
    letter = "h" if is_headquarters(city, b) else LETTERS[Kind(city.kind[b])]
    letter = letter if city.health[b] > 0 else "x"
    letter = letter.upper() if city.owner[b] == 1 else letter  # the owner must be visible without colours
    fire = f"[bold yellow]{_fire_digit(city.fire[b])}[/]" if city.fire[b] else sky or " "
    return f"[{COLOURS[city.owner[b]]}]{letter}[/]{fire}"


def _sky(city: City, cell: int) -> str:
    """Return a sign for rain or a storm, shown if nothing burns on the cell (Y1)."""
    if not city.settings.rain or not (is_in(city.rain, cell) or is_in(city.storm, cell)):
        return ""
    return "[bold yellow]⚡[/]" if is_in(city.storm, cell) else "[bright_blue]'[/]"


def _fire_digit(fire: int) -> str:
    return str(fire) if fire < 10 else "*"


def _standing(city: City, seat: int) -> str:
    own = [b for b in range(city.building_count) if city.owner[b] == seat]
    standing, health = sum(city.health[b] > 0 for b in own), sum(city.health[b] for b in own)
    headquarters = city.headquarters[seat]
    return (
        f"[{COLOURS[seat]}]{SEATS[seat]:<5}[/] headquarters {city.health[headquarters]:>3}   "
        f"buildings {standing:>3} of {len(own)}   health {health:>6}   bribes {city.bribes[seat]}"
    )


def _legend() -> str:
    return (
        "[dim]h headquarters w warehouse f fire department p police s station x burned down[/]\n"
        "[dim]small letters: Red; capitals: Blue; digit: fire, * for 10 or more[/]"
    )
