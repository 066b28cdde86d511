"""Empires in words and pictures: outcomes, the words of refusals, and the map."""

from endturn.engine.actions import Action
from endturn.engine.game import Outcome
from endturn.games.empires.notation import items
from endturn.games.empires.rules import governing, victory
from endturn.games.empires.rules.planning import item_at, price_of
from endturn.games.empires.rules.research import researchable
from endturn.games.empires.state import (
    City,
    Player,
    World,
)
from endturn.games.empires.view import letters


def outcome(world: World) -> Outcome | None:
    """The outcome; None while the match continues."""
    if not world.is_over:
        return None
    how = next((event.facts[0] for event in world.events if event.kind == "game_ended"), "over")
    ranks = victory.ranking(world)
    seats = range(world.seats)
    places = tuple(1 + sum(ranks[other] < ranks[seat] for other in seats) for seat in seats)
    return Outcome(str(how), places, tuple(_reason(world, seat, str(how)) for seat in seats))


def _reason(world: World, seat: int, how: str) -> str:
    player = world.players[seat]
    score = player.score.get("total", 0)
    if not player.is_alive:
        return f"{player.name} is no more; its score was {score}."
    if how == "the last turn":
        return f"The last turn is over, and the score of {player.name} is {score}."
    won = seat in world.winners
    return f"{player.name} has {'won' if won else 'not won'} ({how}), with a score of {score}."


def words(world: World, seat: int, action: Action) -> dict[str, object]:
    """The {words} of refusals; they reveal nothing that the seat may not know."""
    player, said = world.players[seat], {name: getattr(action, name) for name in action.__struct_fields__}
    mine = {city.id: city for city in player.cities}
    city, unit = mine.get(said.get("city", -1)), world.units.get(said.get("unit", -1))
    thing = item_at(world.rules, said["item"]) if "item" in said else None
    made: dict[str, object] = {
        "people": player.name,
        "number": said.get("city", said.get("unit", said.get("people", 0))),
        "rates": "/".join(str(said.get(name, 0)) for name in ("tax", "luxury", "science")),
        "highest": governing.highest_rate(world, player),
        "tech": _tech_name(world, said.get("tech", 0)),
        "techs": ", ".join(tech.name for tech in researchable(world, player.research)) or "nothing",
        "governments": ", ".join(possible_governments(world, seat)) or "no other",
        "other": getattr(world.players.get(said.get("people", -1)), "name", "nobody"),
        "cities": ", ".join(f"{each.name} (#{each.id})" for each in player.cities[:8]) or "none",
        "item": said.get("item", 0),
        "last": len(items(world.rules)) - 1,
        "thing": thing.name if thing else "nothing",
        "place": said.get("place", 0),
        "tile": said.get("tile", 0),
        "gold": player.gold,
        "unit": f"{unit.type.name} #{unit.id}" if unit and unit.owner is player else "The unit",
        "task": str(getattr(said.get("task"), "name", "do that")).lower(),
        "apart": 2,
    }
    return made | (_words_of_city(world, city) if city else {"city": "The city"})


def _words_of_city(world: World, city: City) -> dict[str, object]:
    names = zip(world.rules.specialists, city.specialists, strict=True)
    return {
        "city": city.name,
        "length": len(city.worklist),
        "making": city.production.name,
        "price": price_of(world, city),
        "specialists": ", ".join(f"{count} {name}" for name, count in names),
    }


def possible_governments(world: World, seat: int) -> list[str]:
    """The governments for which the seat can start a revolution now."""
    names = list(world.rules.governments)
    return [name for place, name in enumerate(names) if governing.refuse_revolt(world, seat, place) == 0]


def _tech_name(world: World, number: int) -> str:
    return world.rules.techs[number].name if 0 < number < len(world.rules.techs) else f"Tech #{number}"


COLOURS = "green", "yellow", "cyan", "magenta"


GROUND = {
    ".": "green",
    "w": "green4",
    "^": "grey62",
    "f": "dark_cyan",
    ":": "yellow4",
    "~": "blue",
    "=": "dark_blue",
}


def show(world: World) -> str:
    """A picture for the terminal of everything: cities by size, units by letter, terrain by sign."""
    width = world.geometry.width
    cells = [_cell(world, tile) for tile in range(world.geometry.tiles)]
    rows = ["".join(cells[start : start + width]) for start in range(0, len(cells), width)]
    lines = [_line(world, each) for each in world.players.values() if not each.barbarian]
    return "\n".join([f"turn {world.turn}, year {world.year}", *rows, *lines])


def _cell(world: World, tile: int) -> str:
    city, units = world.city_at.get(tile), world.units_at.get(tile)
    if city is not None:
        return f"[bold reverse {_colour(city.owner)}]{min(city.size, 9)}[/]"
    if units:
        return f"[bold {_colour(units[0].owner)}]{units[0].type.name[0]}[/]"
    sign = letters(world.rules)[world.terrain[tile].name]
    return f"[{GROUND.get(sign, 'white')}]{sign}[/]"


def _colour(player: Player) -> str:
    return "red" if player.barbarian else COLOURS[player.number % len(COLOURS)]


def _line(world: World, player: Player) -> str:
    said = f"{len(player.cities)} cities, {len(player.units)} units, {player.gold} gold, {player.government}"
    return f"[bold {_colour(player)}]{player.name}[/]: score {player.score.get('total', 0)}, {said}"
