"""The type of a view of Empires: what a client or bot receives."""

from typing import Annotated, NotRequired, TypedDict

from endturn.games.empires.actions import Subject


class NationView(TypedDict):
    """A nation. Fields after `to_act` need contact or an embassy (V6)."""

    number: Annotated[int, "Its seat."]
    name: Annotated[str, "Its name."]
    team: Annotated[int, "Its team."]
    alive: Annotated[bool, "Whether it is alive."]
    score: Annotated[int, "Its score."]
    to_act: Annotated[bool, "Whether it has not yet ended the phase."]
    relation: NotRequired[
        Annotated[str, "Only for other nations: the diplomatic state, such as War or Peace."]
    ]
    turns_left: NotRequired[
        Annotated[int, "Only for other nations: the turns until that state changes; 0 if it lasts."]
    ]
    embassy: NotRequired[Annotated[bool, "Only for other nations: whether the seat has an embassy with it."]]
    government: NotRequired[Annotated[str, "Only with an embassy: its government."]]
    gold: NotRequired[Annotated[int, "Only with an embassy: its gold."]]
    techs: NotRequired[Annotated[list[str], "Only with an embassy: the techs it knows."]]


class AffairsView(TypedDict):
    """The seat's own nation."""

    seat: Annotated[int, "The seat."]
    gold: Annotated[int, "Its gold."]
    tax: Annotated[int, "The share of trade for gold, in percent."]
    luxury: Annotated[int, "The share of trade for luxury, in percent."]
    science: Annotated[int, "The share of trade for science, in percent."]
    government: Annotated[str, "Its government."]
    revolution: Annotated[str | None, "The government that a revolution leads to; null without one."]
    revolution_turn: Annotated[int, "The turn in which the revolution ends; -1 without one."]
    studies: Annotated[str | None, "The tech it studies."]
    goal: Annotated[str | None, "The tech it works towards."]
    bulbs: Annotated[int, "The bulbs collected for the tech it studies."]
    bulbs_needed: Annotated[int, "The bulbs that this tech needs."]
    techs: Annotated[list[str], "The techs it knows."]
    can_study: Annotated[list[int], "The numbers of the techs it can study."]
    spaceship: Annotated[dict[str, int], "Its spaceship: how many of each part."]


class LandView(TypedDict):
    """The fields of `WorldView` about tiles."""

    terrain: list[str]
    borders: list[str]
    sight: list[str]
    extras: dict[str, list[str]]


class CityView(TypedDict):
    """A city. Fields after `seen` are for the seat's own cities; others are as last seen (V4)."""

    id: Annotated[int, "Its number in actions."]
    name: Annotated[str, "Its name."]
    owner: Annotated[int, "The seat that owns it."]
    size: Annotated[int, "Its citizens."]
    tile: Annotated[int, "Its tile: x + y * width."]
    x: Annotated[int, "Its column."]
    y: Annotated[int, "Its row."]
    seen: Annotated[bool, "Whether the seat sees it now."]
    making: NotRequired[Annotated[str, "What it builds."]]
    stock: NotRequired[Annotated[int, "The shields collected for it."]]
    cost: NotRequired[Annotated[int, "The shields that it needs."]]
    price: NotRequired[Annotated[int, "The gold to buy it now."]]
    can_build: NotRequired[Annotated[list[int], "The numbers of the items it can build."]]
    worklist: NotRequired[Annotated[list[int], "The numbers of the items it builds next."]]
    buildings: NotRequired[Annotated[list[str], "The buildings in it."]]
    food: NotRequired[Annotated[int, "The food in its granary."]]
    granary: NotRequired[Annotated[int, "The food it needs to grow."]]
    surplus: NotRequired[Annotated[dict[str, int], "Its surplus of each output a turn."]]
    specialists: NotRequired[Annotated[list[int], "How many specialists of each kind it has."]]
    worked: NotRequired[Annotated[list[int], "The tiles it works."]]
    happy: NotRequired[Annotated[int, "Happy citizens."]]
    content: NotRequired[Annotated[int, "Content citizens."]]
    unhappy: NotRequired[Annotated[int, "Unhappy citizens."]]
    angry: NotRequired[Annotated[int, "Angry citizens."]]
    disorder: NotRequired[Annotated[int, "The turns of disorder so far."]]
    bought: NotRequired[Annotated[bool, "Whether it has bought something this turn."]]
    sold: NotRequired[Annotated[bool, "Whether it has sold a building this turn."]]


class UnitView(TypedDict):
    """A unit. Fields after `veteran` are for the seat's own units."""

    id: Annotated[int, "Its number in actions."]
    kind: Annotated[str, "Its type."]
    owner: Annotated[int, "The seat that owns it."]
    tile: Annotated[int, "Its tile: x + y * width."]
    x: Annotated[int, "Its column."]
    y: Annotated[int, "Its row."]
    hp: Annotated[int, "Its hit points."]
    veteran: Annotated[int, "Its veteran level."]
    moves: NotRequired[Annotated[int, "Its movement left this turn, in fragments of a move."]]
    fuel: NotRequired[Annotated[int, "Its fuel in turns."]]
    activity: NotRequired[Annotated[str, "What it does, such as idle or sentried."]]
    auto: NotRequired[Annotated[bool, "Whether it works on its own."]]
    bound_for: NotRequired[Annotated[int | None, "The tile it was sent to; null without orders."]]
    home: NotRequired[Annotated[int | None, "The city that supports it."]]


class MotionView(TypedDict):
    """A vote."""

    subject: Annotated[str, Subject, "What the vote is about."]
    mover: Annotated[int, "The seat that called it."]
    turns_left: Annotated[int, "The turns until it is decided."]
    yes: Annotated[list[int], "The seats in favour."]
    no: Annotated[list[int], "The seats against."]


class NamesView(TypedDict):
    """The names of the ruleset. A number in an action or view is an index in these lists."""

    items: Annotated[list[str], "Buildings and units that cities can build."]
    techs: Annotated[list[str], "Techs."]
    governments: Annotated[list[str], "Governments."]
    specialists: Annotated[list[str], "Kinds of specialists."]
    headings: Annotated[list[str], "Directions."]
    terrain: Annotated[dict[str, str], "The terrain of each letter in `terrain`."]


class WorldView(TypedDict):
    """A match of Empires, as one seat or a spectator may know it. A spectator sees the land only after the end (V5)."""

    turn: Annotated[int, "The turn, from 1."]
    year: Annotated[int, "The year."]
    phase: Annotated[int, "The phase of this turn, if players or teams act one after the other."]
    last_turn: Annotated[int, "The last turn of the match."]
    is_over: Annotated[bool, "Whether the match is over."]
    winners: Annotated[list[int], "The seats that won."]
    width: Annotated[int, "The number of columns."]
    height: Annotated[int, "The number of rows."]
    round: Annotated[bool, "Whether the map wraps around from west to east."]
    hexagonal: Annotated[bool, "Whether tiles are hexagons."]
    terrain: Annotated[
        list[str], "Rows of letters, a space for unknown tiles; `rules.terrain` explains them."
    ]
    borders: Annotated[list[str], "Rows of owners: a seat's number, `-` for nobody or unknown."]
    sight: Annotated[list[str], "Rows of `1` for tiles that the seat sees now and `0` for others."]
    extras: Annotated[dict[str, list[str]], "By tile number: roads, rivers, resources and other extras."]
    players: Annotated[list[NationView], "All nations except barbarians."]
    me: Annotated[AffairsView | None, "The seat's own nation; null for spectators."]
    cities: Annotated[list[CityView], "The seat's own cities, then the others it knows of."]
    units: Annotated[list[UnitView], "The units that the seat sees."]
    motion: Annotated[MotionView | None, "The vote in progress; null without one."]
    news: Annotated[list[str], "The latest news for the seat."]
    rules: Annotated[NamesView, "The names of the ruleset."]
