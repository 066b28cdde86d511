"""Rules, code and tests cite the same ids, such as F2 or E10f.3, which number the rules in a game's README."""

import re
from pathlib import Path

ID = r"[A-Z]\d+[a-z]?(?:\.\d+)?"
SENTENCE = re.compile(rf"^- \*\*({ID})\*\*", re.MULTILINE)
CITED = re.compile(rf"(?:^|[\s(,/\"'])({ID})(?=[\s),.:;\"'/]|$)", re.MULTILINE)
TESTED = re.compile(rf"@?rule\(\"({ID})\"\)")
CODE = (
    *("state.py", "actions.py", "refusals.py", "rules.py", "rules/*.py"),
    *("setup.py", "setup/*.py", "view.py", "text.py"),
)


def sentences(folder: Path) -> list[str]:
    """The ids of the rules in a game's README, in order."""
    return SENTENCE.findall((folder / "README.md").read_text())


def cited(folder: Path) -> set[str]:
    """The ids that a game's code cites, in comments, docstrings and refusals."""
    texts = [file.read_text() for name in CODE for file in folder.glob(name)]
    letters = {rule[0] for rule in sentences(folder)}
    return {rule for text in texts for rule in CITED.findall(text) if rule[0] in letters}


def marked(folder: Path) -> set[str]:
    """The ids that a folder of tests is marked with."""
    return {rule for file in folder.rglob("test_*.py") for rule in TESTED.findall(file.read_text())}
