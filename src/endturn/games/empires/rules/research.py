"""Research (TURN_CHANGE 6): what techs cost, and how they are chosen, learnt and lost."""

from collections.abc import Iterable
from math import sqrt

from endturn.games.empires.rules.cities import refresh_and_arrange, remove_building
from endturn.games.empires.rules.effects import Target, holds, obsolete, of_player
from endturn.games.empires.rules.numbers import percent
from endturn.games.empires.rules.terrain import extras_on
from endturn.games.empires.ruleset import SCIENCE, Extra, Tech
from endturn.games.empires.state import UNSET, City, Player, Research, World
from endturn.games.empires.vocabulary import EffectType, RequirementType

FUTURE = 10**6  # stands for a future tech
OF_UNIT = RequirementType.UNIT_FLAG, RequirementType.UNIT_CLASS, RequirementType.UNIT_TYPE
EACH_BONUS = "Bonus_Tech_Each"  # every player who researches it gets a free tech


def knows(research: Research, tech: int) -> bool:
    """Whether the tech is known."""
    return bool(research.known >> tech & 1)


def can_research(world: World, research: Research, tech: Tech) -> bool:
    """Whether the tech is unknown and its requirements are known."""
    if tech.index == 0 or knows(research, tech.index) or -1 in tech.needs:
        return False
    if tech.root and (tech.root < 0 or (tech.root != tech.index and not knows(research, tech.root))):
        return False
    if tech.root == tech.index:
        return False  # a tech that is its own root requirement cannot be researched
    return all(need == 0 or knows(research, need) for need in tech.needs)


def researchable(world: World, research: Research) -> list[Tech]:
    """The techs that can be studied next, in the ruleset's order."""
    return [tech for tech in world.rules.techs if can_research(world, research, tech)]


def step_towards(world: World, research: Research, goal: int) -> int:
    """The next tech on the way to a goal: first requirements first, second ones later."""
    if goal == UNSET or knows(research, goal):
        return UNSET
    waiting, seen, at = [goal], {goal}, 0
    while at < len(waiting):
        tech = world.rules.techs[waiting[at]]
        if can_research(world, research, tech):
            return tech.index
        new = [need for need in dict.fromkeys(tech.needs) if need > 0 and need not in seen]
        seen.update(new)
        if new:
            waiting[at] = new[0]
            waiting.extend(new[1:])
        else:
            at += 1
    return UNSET


def pick_random(world: World, techs: Iterable[Tech], purpose: str) -> int:
    """A random tech; like Freeciv, draws once for each candidate."""
    chosen = UNSET
    for number, tech in enumerate(techs, start=1):
        if world.chance.below(number, purpose) == 0:
            chosen = tech.index
    return chosen


def choose_research(world: World, player: Player) -> None:
    """E2a: a player who studies nothing continues towards the goal, or studies a random tech."""
    research = player.research
    if research.researching != UNSET:
        return
    step = step_towards(world, research, research.goal)
    research.researching = (
        step if step != UNSET else pick_random(world, researchable(world, research), "random tech")
    )
    player.chose_tech = True


def lose_if_in_debt(world: World, player: Player) -> None:
    """E2b: check only players who just got a tech to study."""
    if player.chose_tech:
        player.chose_tech = False
        update_bulbs(world, player, 0, may_learn=False)


def factor(world: World, research: Research) -> float:
    """The average tech cost factor of a team."""
    members = research.players
    return sum(of_player(world, player, EffectType.TECH_COST_FACTOR) for player in members) / max(
        len(members), 1
    )


def root_cost(world: World, tech: Tech) -> float:
    """The cost of a tech by its place among the others."""
    rules, count = world.rules.parameters, tech.all_needs.bit_count()
    style = rules.tech_cost_style
    if style.endswith("Preset") and tech.cost >= 0:
        return float(tech.cost)
    if style == "Linear":
        found = float(rules.base_tech_cost * count)
    elif style.startswith("Experimental"):
        found = rules.base_tech_cost * (count**2 / (1 + sqrt(sqrt(count + 1))) - 0.5)
    else:
        found = rules.base_tech_cost * (1 + count) * sqrt(1 + count) / 2
    return max(found, float(rules.base_tech_cost))


def bulbs_needed(world: World, research: Research, tech: int) -> int:
    """What a tech costs a team."""
    if tech in (UNSET, FUTURE) or world.rules.parameters.tech_cost_style == "Civ I|II":
        count = research.techs + (research.future_techs if tech == FUTURE else 0)
        cost = float(world.rules.parameters.base_tech_cost * count) * world.settings["sciencebox"] / 100
        return max(int(cost), 1)
    cost = float(int(root_cost(world, world.rules.techs[tech]))) * factor(world, research)
    cost -= leaked(world, research, tech, cost)
    return max(int(cost * world.settings["sciencebox"] / 100), 1)


def leaked(world: World, research: Research, tech: int, cost: float) -> float:
    """How much cheaper a tech is because other players know it."""
    style = world.rules.parameters.tech_leakage
    if style == "None":
        return 0.0
    others = [
        p for p in world.players.values() if p.is_alive and (style != "Normal players" or not p.barbarian)
    ]
    knowing = [p for p in others if knows(p.research, tech)]
    if style == "Embassies":
        knowing = [p for p in knowing if any(_embassy(world, member, p) for member in research.players)]
    return cost * len(knowing) * int(world.settings["techleak"]) / max(len(others), 1) / 100


def _embassy(world: World, player: Player, other: Player) -> bool:
    if player is other or other.barbarian:
        return False
    return player.relations[other.number].embassy or of_player(world, player, EffectType.HAVE_EMBASSIES) > 0


def update_bulbs(world: World, player: Player, bulbs: int, may_learn: bool) -> None:
    """Add or remove bulbs; techs may be lost below zero, and learnt if allowed."""
    research = player.research
    player.bulbs_last_turn += bulbs
    research.bulbs += bulbs
    while True:
        if _loses(world, research):
            lose(world, player)
        if not may_learn or research.researching == UNSET:
            return
        if research.bulbs < bulbs_needed(world, research, research.researching):
            return
        research.bulbs -= bulbs_needed(world, research, research.researching)
        learn(world, player, research.researching, researched=True)


def _loses(world: World, research: Research) -> bool:
    patience = int(world.settings["techlossforgiveness"])
    if patience < 0 or research.bulbs >= 0 or research.techs <= 1:
        return False
    return research.bulbs < -(bulbs_needed(world, research, research.researching) * patience // 100)


def lose(world: World, player: Player) -> None:
    """E2b: lose a future tech, or a random tech; the ruleset may spare techs that known techs need."""
    research = player.research
    if research.future_techs:
        research.future_techs -= 1
        lost = FUTURE
    else:
        lost = _forgettable(world, research)
        if lost == UNSET:
            research.bulbs = max(research.bulbs, 0)
            return
    restored = world.settings["techlossrestore"]
    if restored < 0:
        research.bulbs = 0
    else:
        research.bulbs += percent(bulbs_needed(world, research, lost), restored)
    for member in research.players:
        member.has_lost_tech = True
    if lost != FUTURE:
        research.known &= ~(1 << lost)
        research.techs -= 1
        _changed(world, research)
    world.tell("tech_lost", player.number, lost)


def _forgettable(world: World, research: Research) -> int:
    known = [tech for tech in world.rules.techs[1:] if knows(research, tech.index)]
    if not world.rules.parameters.tech_loss_allow_holes:
        needed = {need for tech in known for need in tech.needs}
        known = [tech for tech in known if tech.index not in needed]
    return known[world.chance.below(len(known), "tech lost")].index if known else UNSET


def learn(world: World, player: Player, tech: int, researched: bool = False) -> None:
    """Learn a tech, choose what comes next, and refresh all cities."""
    research = player.research
    first = not world.global_techs >> tech & 1
    was_obsolete = {member.number: obsolete(world, member) for member in research.players}
    research.known |= 1 << tech
    world.global_techs |= 1 << tech
    world.stamp += (
        first and world.rules.far_reaching["techs"] >> tech & 1
    )  # for everybody, once somebody knows it
    research.techs += 1
    research.got_tech = research.got_tech or researched
    research.saved = UNSET
    _changed(world, research)
    world.tell("tech_learned", player.number, 0, world.rules.techs[tech].name)
    for member in research.players:
        _sell_obsolete(world, member, was_obsolete[member.number])
        _improve_city_tiles(world, member)
    for each in world.players.values():
        for city in each.cities:
            refresh_and_arrange(world, city)
    if research.goal == tech or (research.goal != UNSET and knows(research, research.goal)):
        research.goal = UNSET
    if tech == research.researching:
        research.researching = step_towards(world, research, research.goal)
        if research.researching == UNSET and player.is_ai:
            research.researching = pick_random(world, researchable(world, research), "random tech")
    flags = world.rules.techs[tech].flags
    if (first and "Bonus_Tech" in flags) or (researched and EACH_BONUS in flags):
        give_immediate_techs(world, player, 1)


def _changed(world: World, research: Research) -> None:
    for member in research.players:
        member.stamp += 1


def _sell_obsolete(world: World, player: Player, before: int) -> None:
    """Sell improvements that became obsolete."""
    gone = obsolete(world, player) & ~before
    for city in player.cities:
        for building in world.rules.buildings:
            if building.bit & gone and city.has(building) and building.is_improvement:
                player.gold += percent(building.build_cost, world.settings["shieldbox"])
                remove_building(world, city, building)
                world.tell("building_sold", player.number, city.id, building.name, "obsolete")


def _improve_city_tiles(world: World, player: Player) -> None:
    """Add the roads that city tiles get for free once they are known."""
    for city in player.cities:
        target = Target(player=player, city=city, tile=city.tile)
        for extra in world.rules.extras:
            if "AutoOnCityCenter" not in extra.flags or extra.bit & world.extras[city.tile]:
                continue
            wanted = [req for req in extra.requirements if req.kind not in OF_UNIT]
            if holds(world, wanted, target) and _bridged(world, player, city.tile, extra):
                world.extras[city.tile] |= extra.bit


def _bridged(world: World, player: Player, tile: int, road: Extra) -> bool:
    """A road over a river needs a tech with bridges."""
    if "RequiresBridge" not in road.road_flags:
        return True
    has_river = any("PreventsOtherRoads" in extra.road_flags for extra in extras_on(world, tile))
    bridges = any("Bridge" in tech.flags and knows(player.research, tech.index) for tech in world.rules.techs)
    return bridges or not has_river


def give_immediate_techs(world: World, player: Player, count: int) -> None:
    """Give free techs, by the ruleset's method."""
    for _ in range(max(count, 0)):
        tech = _free_tech(world, player)
        if tech == UNSET:
            return
        world.tell("tech_given", player.number, 0, world.rules.techs[tech].name)
        learn(world, player, tech)


def _free_tech(world: World, player: Player) -> int:
    research, method = player.research, world.rules.parameters.free_tech_method
    candidates = researchable(world, research)
    if method == "Goal" and research.researching != UNSET:
        return research.researching
    if method != "Cheapest":
        return pick_random(world, candidates, "random tech")
    if not candidates:
        return UNSET
    price = {tech.index: bulbs_needed(world, research, tech.index) for tech in candidates}
    least = [tech for tech in candidates if price[tech.index] == min(price.values())]
    return least[world.chance.below(len(least), "cheapest tech") if len(least) > 1 else 0].index


def parasite(world: World, player: Player) -> None:
    """E5c: give a tech that enough other players know."""
    enough = of_player(world, player, EffectType.TECH_PARASITE)
    if enough <= 0:
        return
    known_by = {
        tech.index: sum(knows(research, tech.index) for research in world.research.values())
        for tech in world.rules.techs
    }
    unknown = [tech for tech in world.rules.techs[1:] if not knows(player.research, tech.index)]
    if not world.rules.parameters.tech_parasite_allow_holes:
        unknown = researchable(world, player.research)
    tech = pick_random(world, (each for each in unknown if known_by[each.index] >= enough), "parasite tech")
    if tech != UNSET:
        learn(world, player, tech)


def upkeep(world: World, research: Research) -> int:
    """The bulbs that a team's techs cost each turn."""
    rules = world.rules.parameters
    if rules.tech_upkeep_style == "None":
        return 0
    members = max(len(research.players), 1)
    total = sum(root_cost(world, tech) for tech in world.rules.techs[1:] if knows(research, tech.index))
    total *= (
        sum(of_player(world, player, EffectType.TECH_COST_FACTOR) + 1 for player in research.players)
        / members
    )
    total *= world.settings["sciencebox"] / 100
    total /= members * rules.tech_upkeep_divider
    total -= max(of_player(world, player, EffectType.TECH_UPKEEP_FREE) for player in research.players)
    if rules.tech_upkeep_style == "Cities":
        total *= sum(len(player.cities) for player in research.players)
    return max(int(total), 0)


def harvest_bulbs(world: World, city: City) -> None:
    """E20: add a city's bulbs to its owner's research."""
    update_bulbs(world, city.owner, city.made[SCIENCE], may_learn=False)


def reset_got_tech(world: World, player: Player) -> None:
    """E5: a tech learnt last turn no longer counts as new."""
    player.research.got_tech = player.research.got_tech_multi = False


def finish_research(world: World, player: Player) -> None:
    """E28: pay tech upkeep, and learn the tech if there are enough bulbs."""
    update_bulbs(world, player, -upkeep(world, player.research), may_learn=True)
