"""Every sentence of the design document is traced to rules that exist."""

import re
from pathlib import Path

from endturn.games import snowball
from endturn.testing.traceability import sentences

FOLDER = Path(snowball.__file__).parent
HEADINGS = {1, 9, 20, 28, 35, 38, 44, 65, 80, 84}  # of the document: they say nothing that could be kept
ROW = re.compile(r"^\| (S\d+(?:, S\d+)*) \| (.+) \| ([A-Z]\d+(?:, [A-Z]\d+)*) \|$", re.MULTILINE)
TRACED = ROW.findall((FOLDER / "DEVELOPING.md").read_text())


def test_each_sentence_of_the_document_is_traced_once():
    numbers = [int(number[1:]) for row in TRACED for number in row[0].split(", ")]
    assert sorted(numbers) == [number for number in range(1, 90) if number not in HEADINGS]


def test_traced_rules_exist():
    rules = set(sentences(FOLDER))
    assert {rule for row in TRACED for rule in row[2].split(", ")} <= rules
