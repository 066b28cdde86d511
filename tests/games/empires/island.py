"""A small world for tests: one island with one city and rules of our own, written as a savegame and loaded."""

from pathlib import Path

from endturn.games.empires.freeciv import secfile
from endturn.games.empires.freeciv.savegame import from_secfile
from endturn.games.empires.rules import sequence
from endturn.games.empires.rules.chance import seeded

HERE = Path(__file__).parent
MAP = """
~~~~~~~
~mmmmm~
~mmcmm~
~mcmmm~
~mmmmm~
~mmmmm~
~~~~~~~
"""
CITY = {
    "y": 3, "x": 3, "id": 10, "original": 0, "size": 2, "nspe0": 0, "nspe1": 0, "nspe2": 0, "food_stock": 0,
    "shield_stock": 0, "history": 0, "airlift": 0, "was_happy": False, "turn_plague": -1, "anarchy": 0, "rapture": 0,
    "turn_founded": 1, "did_buy": False, "did_sell": False, "turn_last_built": 1, "name": "Reed",
    "currently_building_kind": "Building", "currently_building_name": "Mint", "changed_from_kind": "Building",
    "changed_from_name": "Mint", "before_change_shields": 0, "caravan_shields": 0, "disbanded_shields": 0,
    "last_turns_shield_surplus": 0, "city_radius_sq": 2, "improvements": "1000", "wl_length": 0,
}  # fmt: skip
UNIT = {
    "id": 20, "x": 3, "y": 3, "facing": "1", "nationality": 0, "veteran": 0, "hp": 10, "homecity": 10,
    "type_by_name": "Guard", "activity": 0, "activity_count": 0, "activity_tgt": -1, "changed_from": 0,
    "changed_from_count": 0, "changed_from_tgt": -1, "done_moving": False, "moves": 3, "fuel": 0, "born": 1,
    "ai": False, "ord_map": 0, "ord_city": 0, "moved": False, "paradropped": False, "transported_by": -1,
}  # fmt: skip


def table(*rows):
    columns = list(rows[0])
    lines = [_line(row[c] for c in columns) for row in rows]
    return "{" + _line(columns) + "\n" + "\n".join(lines) + "\n}"


def _line(values):
    return ",".join(secfile._item(value) for value in values)


def text(city=None, units=(), **changes):
    """The savegame of the island, with a test's changes."""
    rows = MAP.split()
    worked = {24, 17, 23, *changes.pop("worked", ())}
    lists = {"owner": lambda t: "0" if t in worked else "-", "source": lambda t: "24" if t in worked else "-",
             "worked": lambda t: "10" if t in worked else "-", "eowner": lambda t: "-"}  # fmt: skip
    world = "\n".join(f't{y:04d}="{row}"\nk00_{y:04d}="1111111"' for y, row in enumerate(rows))
    for name, entry in lists.items():
        for y in range(7):
            world += f'\n{name}{y:04d}="' + ",".join(entry(7 * y + x) for x in range(7)) + '"'
    player = {"gold": 20, "tax": 50, "science": 50, "luxury": 0, "government": "Council", **changes}
    tables = "c=" + table({**CITY, **(city or {})})
    if units:
        tables += "\nu=" + table(*({**UNIT, **unit} for unit in units))
    generator = seeded(1)
    words = "\n".join(
        f'table{r}="' + " ".join(f"{n:x}" for n in generator.table[7 * r : 7 * r + 7]) + '"' for r in range(8)
    )
    return f"""
[savefile]
version=40
rulesetdir="tiny"
improvement_vector="Hall","Store","Tower","Mint"
technology_vector="A_NONE","Clay","Song","Kiln"
activities_vector="Idle","Mine","Irrigate","Fortified","Fortifying","Sentry","Road"
extras_vector="Ditch","Pit","Path","Soot","Herd"
city_options_vector="Disband"
terrident={{"name","identifier"
"Meadow","m"
"Crag","c"
"Mere","~"
}}
[game]
turn=5
year=40
scoreturn=99
globalwarming=0
heating=0
warminglevel=4
nuclearwinter=0
cooling=0
coolinglevel=4
global_advances="1000"
[random]
index_J={generator.j}
index_K={generator.k}
index_X={generator.x}
{words}
[settings]
set={{"name","value","gamestart"
"xsize",7,7
"ysize",7,7
"topology","",""
}}
[ruledata]
government={{"name","changes"
"Council",1
}}
[map]
{world}
[players]
nplayers=1
identity_number_used=50
shuffled_player_0=0
[player0]
name="Ada"
nation="Reedfolk"
team_no=0
government_name="{player["government"]}"
is_alive=TRUE
turns_alive=5
gold={player["gold"]}
rates.tax={player["tax"]}
rates.science={player["science"]}
rates.luxury={player["luxury"]}
research.bulbs_last_turn=0
{tables}
[research]
r={{"number","goal_name","techs","futuretech","bulbs_before","saved_name","bulbs","now_name","got_tech","done"
0,"A_UNSET",1,0,0,"",0,"Kiln",FALSE,"1000"
}}
"""


def island(city=None, units=(), **changes):
    """The world of the island, its city refreshed."""
    file = secfile.parse(text(city, units, **changes), "island.sav")
    world = from_secfile(file, HERE)
    sequence.prepare(world)
    return world
