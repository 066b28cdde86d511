"""What happened, in words: events have an audience, one player or everybody (V8)."""

from endturn.games.empires.state import Event, World

# {0} is the first fact of the event, {last} the last; {city}, {unit}, {people} what it is about
SENTENCES = {
    "achievement": "A people has done a deed: {0}.",
    "anarchy": "Unrest in {city} has overthrown the government.",
    "building_advised": "{city} builds {0} next, as it was advised.",
    "building_built": "{city} has built {0}.",
    "building_cant_be_built": "{city} cannot build {0} any more.",
    "building_lost": "{city} has lost its {0}.",
    "building_sold": "{city} had to sell its {0}: {last}.",
    "ceasefire_ends_soon": "A cease-fire ends soon.",
    "ceasefire_over": "A cease-fire is over: there is war.",
    "choose_government": "The revolution is over: choose a government.",
    "city_celebrates": "{city} celebrates.",
    "city_destroyed": "{0} is no more: {last}.",
    "city_disorder": "There is disorder in {city}.",
    "city_famine": "{city} starves.",
    "city_founded": "{city} was founded.",
    "city_grew": "{city} has grown to {0}.",
    "city_nationality": "A citizen of {city} has taken the nation of its rulers.",
    "city_needs_aqueduct": "{city} needs more water to grow.",
    "city_plague": "{city} has the plague.",
    "disaster": "{city} has suffered a {0}.",
    "explored": "{unit} finds nothing new.",
    "fog_changed": "The fog of war has changed.",
    "game_ended": "The game is over: {0}.",
    "government_changed": "The government is now {0}.",
    "left": "{people} has left.",
    "low_on_funds": "Gold is running low.",
    "migration": "A citizen of {city} has moved away.",
    "orders_cancelled": "{unit} cannot go on: {0}.",
    "pact_cancelled": "A treaty was cancelled: {last}.",
    "player_died": "{people} is no more.",
    "pollution": "The land of {city} is fouled.",
    "production_lost": "{city} cannot build {0} any more.",
    "route_cancelled": "A trade route of {city} has ended.",
    "spaceship": "A spaceship has a new part: {0}.",
    "spaceship_launched": "A spaceship was launched.",
    "spaceship_lost": "A spaceship is lost.",
    "spaceship_placed": "The ship has a new {0}.",
    "tech_given": "{0} is known now.",
    "tech_learned": "{0} was learnt.",
    "tech_lost": "A tech is forgotten.",
    "tile_changed": "{unit} has finished its work.",
    "treaty_peace": "There is peace.",
    "unit_became_veteran": "{unit} has learnt from its work.",
    "unit_built": "{unit} was built.",
    "unit_cant_be_built": "{city} cannot build {0} now.",
    "unit_lost": "A unit is lost: {last}.",
    "unit_retired": "A unit has retired.",
    "unit_upgraded": "{unit} was upgraded.",
    "uprising": "Barbarians rise near {city}.",
    "vote_called": "{people} asks for a vote: {last}.",
    "vote_carried": "The vote was carried: {0}.",
    "vote_failed": "The vote has failed.",
}
NAMED = {"player_died", "left", "vote_called"}  # the first fact is the number of a people
LONGEST = 80  # news that a view has


def told(world: World, event: Event) -> str | None:
    """The sentence of an event; None where it is only for programs. What all are told names no city (V8)."""
    if event.kind not in SENTENCES:
        return None
    city, unit = world.cities.get(event.subject), world.units.get(event.subject)
    facts = event.facts or ("",)
    people = world.players.get(int(str(facts[0]))) if event.kind in NAMED else None
    return SENTENCES[event.kind].format(
        facts[0],
        last=facts[-1],
        city=city.name if city and event.audience is not None else "A city",
        unit=f"{unit.type.name} #{unit.id}" if unit else "A unit",
        people=people.name if people else "",
    )


def news(world: World, player: int | None) -> list[str]:
    """V8: what was told to a player, or to everybody, since the phase changed; the last so many."""
    for_it = (event for event in world.events if event.audience in (None, player))
    sentences = (told(world, event) for event in for_it)
    return [sentence for sentence in sentences if sentence][-LONGEST:]
