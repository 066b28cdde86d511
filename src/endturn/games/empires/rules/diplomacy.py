"""Diplomatic states that run out (TURN_CHANGE N8), and contact between players."""

from endturn.games.empires.rules.effects import of_player
from endturn.games.empires.rules.support import is_military
from endturn.games.empires.rules.units import lose
from endturn.games.empires.rules.workers import arrange, is_workable
from endturn.games.empires.state import Player, Relation, World
from endturn.games.empires.vocabulary import DiplomaticState, EffectType

WARNING = 1


def count_down(world: World) -> None:
    """N8: reasons to cancel fade, contacts end, armistices become peace, and cease-fires become war."""
    for player in world.players.values():
        for other in world.players.values():
            if player is other or other.number not in player.relations:
                continue
            relation = player.relations[other.number]
            if relation.first_contact_turn == world.turn:
                continue
            relation.reason_to_cancel = max(relation.reason_to_cancel - 1, 0)
            relation.contact_turns_left = max(relation.contact_turns_left - 1, 0)
            if relation.state == DiplomaticState.ARMISTICE:
                _towards_peace(world, player, other, relation)
            elif relation.state == DiplomaticState.CEASE_FIRE:
                _towards_war(world, player, other, relation)


def _towards_peace(world: World, player: Player, other: Player, relation: Relation) -> None:
    relation.turns_left -= 1
    if relation.turns_left <= 0:
        relation.state = DiplomaticState.PEACE
        relation.turns_left = 0
        _send_home(world, player, other)
        world.tell("treaty_peace", player.number, 0, other.number)


def _send_home(world: World, player: Player, other: Player) -> None:
    """Military units in the other's land are lost when peace comes."""
    for unit in list(player.units):
        if unit.id in world.units and is_military(unit) and world.owner[unit.tile] == other.number:
            lose(world, unit, "peace")


def _towards_war(world: World, player: Player, other: Player, relation: Relation) -> None:
    relation.turns_left -= 1
    if relation.turns_left == WARNING:
        world.tell("ceasefire_ends_soon", player.number, 0, other.number)
    if relation.turns_left <= 0:
        for one, two in ((player, other), (other, player)):
            one.relations[two.number].state = DiplomaticState.WAR
            one.relations[two.number].turns_left = 0
            world.tell("ceasefire_over", one.number, 0, two.number)
        _leave_occupied_tiles(world, player, other)


def _leave_occupied_tiles(world: World, *players: Player) -> None:
    """Citizens leave tiles where enemies now stand."""
    for player in players:
        for city in player.cities:
            if not all(tile == city.tile or is_workable(world, city, tile) for tile in city.worked):
                arrange(world, city)


def renew_contact(world: World, player: Player, tile: int) -> None:
    """Players whose units or cities are adjacent are in contact, for as long as the setting says."""
    turns = world.settings["contactturns"]
    for near in world.geometry.square(tile, 1):
        others = {unit.owner.number for unit in world.units_at.get(near, ())}
        if near in world.city_at:
            others.add(world.city_at[near].owner.number)
        for number in others - {player.number}:
            other = world.players[number]
            if player.barbarian or other.barbarian:
                continue
            for one, two in ((player, other), (other, player)):
                relation = one.relations[two.number]
                if relation.state == DiplomaticState.NEVER_MET:
                    relation.state = DiplomaticState.WAR
                    relation.first_contact_turn = world.turn
                relation.contact_turns_left = turns


def give_contact(world: World, player: Player) -> None:
    """E32: an effect keeps a player in contact with all others."""
    if not player.is_alive or of_player(world, player, EffectType.HAVE_CONTACTS) <= 0:
        return
    for other in world.players.values():
        if other is player or not other.is_alive or other.barbarian or player.barbarian:
            continue
        for one, two in ((player, other), (other, player)):
            one.relations[two.number].contact_turns_left = world.settings["contactturns"]
