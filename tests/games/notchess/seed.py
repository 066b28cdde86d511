"""The document on weather: its text and tables. Tests of other games that use its numbers read them here, too."""

import gzip
import re
from pathlib import Path

from endturn.games.notchess.state import MONTHS, Climate
from endturn.games.notchess.view import month_name

TEXT = gzip.decompress((Path(__file__).parent / "weather.md.gz").read_bytes()).decode()
ROW = re.compile(r"^\|(\w+)\s*\|([^|\n]*)\|([^|\n]*)$", re.MULTILINE)
CHAPTERS = {
    Climate.MOUNTAIN_SNOW: "Snow over the Mountain",
    Climate.ICE: "Ice",
    Climate.FOREST_SNOW: "Snow over the Forest/Swamp",
    Climate.PLAIN_SNOW: "Snow over the Plain",
    Climate.DESERT_SNOW: "Snow over the Desert",
}


def chapter(title):
    """The text from one kind of weather's title to the next."""
    return TEXT.split(f"- **{title}**", 1)[1].split("- **", 1)[0]


def rows(text):
    """The table rows in a text: a month and two cells."""
    return [
        (month, one.strip(), other.strip()) for month, one, other in ROW.findall(text) if month != "Month"
    ]


def column(climate, which):
    """A climate's chances by month: to appear if `which` is 1, to disappear if it is 2."""
    found = rows(chapter(CHAPTERS[climate]))
    assert [month for month, *_ in found] == [month_name(month) for month in range(MONTHS)]
    return tuple(int(row[which]) for row in found)


RAIN = chapter("Rain")


def rain_example():
    """How many rains appear and disappear in each month on 10 by 10 squares."""
    return [(int(one), int(other)) for _, one, other in rows(RAIN.split("10x10 board", 1)[1])[:MONTHS]]


def pairs_of(readme, rule_id):
    """The pairs such as 95/2 in the rule of a README with this id."""
    sentence = next(line for line in readme.splitlines() if line.startswith(f"- **{rule_id}** "))
    return [(int(one), int(other)) for one, other in re.findall(r"\b(\d+)/(\d+)\b", sentence)]
