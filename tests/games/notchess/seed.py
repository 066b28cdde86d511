"""The document on weather: its text, and the tables in it. Other games that use its numbers compare theirs too."""

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
    """The text from a kind of weather's title to the next one's."""
    return TEXT.split(f"- **{title}**", 1)[1].split("- **", 1)[0]


def rows(text):
    """The rows of the tables in a text: month, then two cells."""
    return [
        (month, one.strip(), other.strip()) for month, one, other in ROW.findall(text) if month != "Month"
    ]


def column(climate, which):
    """A climate's chances by month: 1 that it appears, 2 that it disappears."""
    found = rows(chapter(CHAPTERS[climate]))
    assert [month for month, *_ in found] == [month_name(month) for month in range(MONTHS)]
    return tuple(int(row[which]) for row in found)


RAIN = chapter("Rain")


def rain_example():
    """How many rains appear and disappear in each month on ten by ten squares."""
    return [(int(one), int(other)) for _, one, other in rows(RAIN.split("10x10 board", 1)[1])[:MONTHS]]


def pairs_of(readme, rule_id):
    """The pairs like 95/2 in the sentence of a README that has this id."""
    sentence = next(line for line in readme.splitlines() if line.startswith(f"- **{rule_id}** "))
    return [(int(one), int(other)) for one, other in re.findall(r"\b(\d+)/(\d+)\b", sentence)]
