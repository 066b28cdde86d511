"""News: events as sentences, for one player or for everybody (V8)."""

from endturn.games.empires.state import World, WorldEvent

# {0} is the first fact of the event in words, {last} the last; {city}, {unit}, {people} are its subject.
SENTENCES = {
    "achievement": "A nation has earned an achievement: {0}.",
    "anarchy": "Disorder in {city} has overthrown the government.",
    "building_advised": "{city} builds {0} next, as advised.",
    "building_built": "{city} has built {0}.",
    "building_cant_be_built": "{city} can no longer build {0}.",
    "building_lost": "{city} has lost its {0}.",
    "building_sold": "{city} had to sell its {0}: {last}.",
    "ceasefire_ends_soon": "A cease-fire is about to end.",
    "ceasefire_over": "A cease-fire has ended in war.",
    "choose_government": "The revolution is over. Choose a government.",
    "city_celebrates": "{city} celebrates.",
    "city_destroyed": "{0} is gone: {last}.",
    "city_disorder": "{city} is in disorder.",
    "city_famine": "{city} starves.",
    "city_founded": "{city} was founded.",
    "city_grew": "{city} has grown to size {0}.",
    "city_nationality": "A citizen of {city} has adopted your nationality.",
    "city_needs_aqueduct": "{city} needs more water to grow.",
    "city_plague": "Plague has struck {city}.",
    "disaster": "A disaster has struck {city}: {0}.",
    "explored": "{unit} has nothing left to explore.",
    "fog_changed": "The fog of war setting has changed.",
    "game_ended": "The game is over: {0}.",
    "government_changed": "The government is now {0}.",
    "left": "{people} has left the match.",
    "low_on_funds": "Gold is running low.",
    "migration": "A citizen of {city} has moved away.",
    "orders_cancelled": "{unit} has stopped: {0}.",
    "pact_cancelled": "A nation has cancelled a treaty with you. The new state is {last}.",
    "player_died": "{people} is out of the game.",
    "pollution": "A tile near {city} is polluted.",
    "production_lost": "{city} can no longer build {0}.",
    "route_cancelled": "A trade route of {city} has ended.",
    "spaceship": "A new part was built for a spaceship: {0}.",
    "spaceship_launched": "A spaceship was launched.",
    "spaceship_lost": "A spaceship was lost.",
    "spaceship_placed": "Your spaceship has a new part: {0}.",
    "tech_given": "{0} was acquired.",
    "tech_learned": "{0} was learnt.",
    "tech_lost": "A tech was lost.",
    "tile_changed": "{unit} has finished its work.",
    "treaty_peace": "An armistice has turned into peace.",
    "unit_became_veteran": "{unit} has become veteran.",
    "unit_built": "{unit} was built.",
    "unit_cant_be_built": "{city} cannot build {0} now.",
    "unit_lost": "A unit was lost: {last}.",
    "unit_retired": "A unit has retired.",
    "unit_upgraded": "{unit} was upgraded.",
    "uprising": "Barbarians have landed near {city}.",
    "vote_called": "{people} calls a vote: {last}.",
    "vote_carried": "The vote was carried: {0}.",
    "vote_failed": "The vote has failed.",
}
SUBJECTS: dict[object, str] = {
    "end": "end the match with this turn", "longer": "ten turns more", "fog": "turn the fog of war on or off",
}  # fmt: skip
# Facts are part of the state and keep their spelling; these are the words that people read, by kind of event.
WORDS: dict[str, dict[object, str]] = {
    "building_sold": {"cannot upkeep": "its upkeep could not be paid", "obsolete": "it is obsolete"},
    "city_destroyed": {
        "given up": "its owner has left", "unit upkeep": "unit upkeep took the last citizen",
        "unit built": "a unit took the last citizen", "migration": "its last citizen moved away",
        "plague": "plague took the last citizen", "famine": "famine took the last citizen",
        "disbanded into the last settler": "its last citizens became settlers",
    },
    "game_ended": {
        "the last turn": "the last turn is over", "the last": "one side is left",
        "spaceship": "a spaceship has arrived", "allied": "all living nations are allied",
    },
    "orders_cancelled": {"enemy": "an enemy is near", "blocked": "its way is blocked"},
    "spaceship_placed": {"life_support": "life support", "solar_panels": "solar panels"},
    "unit_lost": {
        "cannot upkeep": "its upkeep could not be paid", "fuel": "out of fuel", "hp": "no hit points left",
        "peace": "it stood on foreign land when peace came",
    },
    "vote_called": SUBJECTS,
    "vote_carried": SUBJECTS,
}  # fmt: skip
NAMED = {"player_died", "left", "vote_called"}  # the first fact is the number of a player
LONGEST = 80  # the most news in a view


def told(world: World, event: WorldEvent) -> str | None:
    """The sentence of an event; None if it is only for programs. Sentences for everybody name no city (V8)."""
    if event.kind not in SENTENCES:
        return None
    city, unit = world.cities.get(event.subject), world.units.get(event.subject)
    facts, words = event.facts or ("",), WORDS.get(event.kind, {})
    people = world.players.get(int(str(facts[0]))) if event.kind in NAMED else None
    return SENTENCES[event.kind].format(
        words.get(facts[0], facts[0]),
        last=words.get(facts[-1], facts[-1]),
        city=city.name if city and event.audience is not None else "A city",
        unit=f"{unit.type.name} #{unit.id}" if unit else "A unit",
        people=people.name if people else "",
    )


def news(world: World, player: int | None) -> list[str]:
    """V8: the latest news for a player since the phase changed, theirs and everybody's."""
    for_it = (event for event in world.events if event.audience in (None, player))
    sentences = (told(world, event) for event in for_it)
    return [sentence for sentence in sentences if sentence][-LONGEST:]
