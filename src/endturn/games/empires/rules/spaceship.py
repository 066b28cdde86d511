"""Spaceships: parts are placed (E8), a ship is launched, and arrives years later (N16)."""

from endturn.games.empires.state import Player, World

NONE, STARTED, LAUNCHED, ARRIVED = range(4)
COMPONENTS = "fuel", "propulsion"
MODULES = "habitation", "life_support", "solar_panels"
SLOWEST = 16  # years of travel without components; each pair of components shortens it
QUICKEST = 6


def place_parts(world: World, player: Player) -> None:
    """E8: place each component and module as the kind that the ship has fewest of."""
    ship = player.spaceship
    if ship.get("state", NONE) not in (NONE, STARTED):
        return
    for parts, kinds in ("components", COMPONENTS), ("modules", MODULES):
        unplaced = ship.get(parts, 0) - sum(ship.get(kind, 0) for kind in kinds)
        for _ in range(unplaced):
            kind = min(kinds, key=lambda kind: ship.get(kind, 0))
            ship[kind] = ship.get(kind, 0) + 1
            world.tell("spaceship_placed", player.number, 0, kind)
    if ship.get("structurals", 0) + ship.get("components", 0) + ship.get("modules", 0):
        ship["state"] = STARTED


def may_launch(player: Player) -> bool:
    """Whether the ship has a hull, an engine with fuel, and one module of each kind."""
    ship = player.spaceship
    needed = "structurals", *COMPONENTS, *MODULES
    return ship.get("state", NONE) == STARTED and all(ship.get(part, 0) for part in needed)


def launch(world: World, player: Player) -> None:
    """Launch the ship; more engines make it arrive earlier."""
    years = max(SLOWEST - 2 * min(player.spaceship["fuel"], player.spaceship["propulsion"]), QUICKEST)
    player.spaceship["state"] = LAUNCHED
    player.spaceship["launch_year"] = world.year
    player.spaceship["arrival_year"] = world.year + years * world.settings["spaceship_travel_time"] // 100
    world.tell("spaceship_launched", None, 0, player.number)


def lose_ship(world: World, player: Player) -> None:
    """A player who loses the capital loses the ship."""
    if player.spaceship.get("state", NONE) in (STARTED, LAUNCHED):
        player.spaceship.clear()
        world.tell("spaceship_lost", None, 0, player.number)


def has_arrived(world: World, player: Player) -> bool:
    """Whether the ship has arrived."""
    ship = player.spaceship
    return ship.get("state") == LAUNCHED and world.year >= ship["arrival_year"]
