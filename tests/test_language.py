"""Keeps phrases out that mark a translated sentence, in documentation, code, browser client and names of tests.

The list is short on purpose: each phrase has crept in before, and a match is nearly always a sentence to rewrite.
"""

import ast
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
INSTALLED = {"node_modules", ".venv", "build", "dist", ".peers", ".git", ".pytest_cache"}

PHRASES = {
    r"anew": "again",
    r"all the same(?=[ ]?[,.;:)]|$)": "anyway",
    r"by chance": "at random, random",
    r"(?<!there )(?:is|are|was|were) none": "say what is missing, or 'is not a …'",
    r"none of (?:it|these|them) is": "no … is",
    r"(?<!there )(?<!There )(?<!it )is no [a-z]+ (?:of|that|which|who)": "is not a …",
    r"is no (?:message|map|text|seat|setting|word|action|request|name|number|file|match|game)(?=[,.;:])": "not a …",
    r"one's own": "your own, custom",
    r"put away": "unloaded, removed",
    r"taken up": "resumed, used",
    r"faults? of ours": "internal error",
    r"dear(?:er|est)": "more expensive, most expensive, slowest",
    r"mend(?:s|ed|ing)?": "fix",
    r"learnt of": "heard of, knows",
    r"gone by": "passed",
    r"go(?:es)? by": "follow, use",
    r"go(?:es)? on with": "continue with",
    r"Besides|besides(?=,)": "also, in addition",
    r"be it": "even if it is",
    r"who is late": "a player who is late",
    r"nobody won alone": "draw",
    r"(?:has|have|had) been (?:said|told)": "active voice: who says it to whom",
    r"is (?:said|told) (?:that|so|in)": "active voice: who says it to whom",
    r"in the mean": "on average",
    r"as long as (?:it|one|they|he|she) likes?": "without a limit",
    r"what it is about": "name the thing",
    r"where there (?:is|are) (?:no|none|any)": "if there is no …",
    r"fingerprints?": "checksum",
    r"(?:a|per) turn's beginning": "the start of a turn",
    r"Who(?: [a-z']+){1,8} (?:is|are|has|gets|loses|comes|hears|joins|can|may|must)(?![^.]*\?)": "a player who …",
    r"a (?!one\b|once\b|eu|and\b|or\b|is\b|in\b|if\b|of\b|on\b|are\b|at\b|as\b|it\b|else\b)[aeio][a-z]+": "an",
    r"an (?!hour|honest|heir|honou?r|sdist|npm|http|html|sql|svg)[bcdfghjklmnpqrstvwxyz][a-z]+": "a",
}
PATTERNS = [(re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])"), advice) for phrase, advice in PHRASES.items()]

# Quoted texts of the originals keep their words: the end of a path and the quotation, with the reason.
QUOTED = {
    ("docs/glossary.md", "fingerprint"): "a word that the glossary advises against",
    ("docs/glossary.md", "nobody won alone"): "a phrase that the glossary advises against",
    ("docs/glossary.md", "put away"): "a phrase that the glossary advises against",
    ("docs/glossary.md", "by chance"): "a phrase that the glossary advises against",
}


class Finding(NamedTuple):
    """A phrase in a file."""

    path: str
    line: int
    phrase: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: '{self.phrase}': {self.advice}"


class Text(NamedTuple):
    """A text that people read, and the line where it begins."""

    line: int
    text: str


def files(*patterns: str) -> list[Path]:
    found = (file for pattern in patterns for file in ROOT.glob(pattern))
    return sorted(file for file in found if not INSTALLED & set(file.relative_to(ROOT).parts))


def whole(file: Path) -> Iterator[Text]:
    yield Text(1, file.read_text())


def strings_and_comments(file: Path) -> Iterator[Text]:
    kinds = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", None)}
    for token in tokenize.generate_tokens(io.StringIO(file.read_text()).readline):
        if token.type in kinds:
            yield Text(token.start[0], token.string)


def names_of_tests(file: Path) -> Iterator[Text]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield Text(node.lineno, node.name.removeprefix("test_").replace("_", " "))


def is_quoted(path: str, text: str, span: tuple[int, int]) -> bool:
    for end, quotation in QUOTED:
        begins = text.find(quotation) if path.endswith(end) else -1
        if begins >= 0 and begins <= span[0] and span[1] <= begins + len(quotation):
            return True
    return False


def findings(path: str, texts: Iterator[Text]) -> Iterator[Finding]:
    for begins, text in texts:
        lines = [line.strip() for line in text.split("\n")]
        ends = list(accumulate(len(line) + 1 for line in lines))
        joined = " ".join(lines)  # a phrase may go over the end of a line
        for pattern, advice in PATTERNS:
            for found in pattern.finditer(joined):
                if not is_quoted(path, joined, found.span()):
                    yield Finding(path, begins + bisect_right(ends, found.start()), found.group(), advice)


SCOPES = {
    "markdown": (
        whole,
        ("*.md", "docs/**/*.md", "src/**/*.md", "bench/**/*.md", "tests/**/*.md", "web/*.md"),
    ),
    "python": (strings_and_comments, ("src/**/*.py", "bench/*.py")),
    "browser": (whole, ("web/src/**/*.ts", "web/src/**/*.svelte")),
    "names of tests": (names_of_tests, ("tests/**/test_*.py",)),
}


@pytest.mark.parametrize("scope", SCOPES)
def test_text_is_plain_english(scope):
    read, patterns = SCOPES[scope]
    paths = {str(file.relative_to(ROOT)): file for file in files(*patterns)}
    assert [str(found) for path, file in paths.items() for found in findings(path, read(file))] == []


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("The match is read anew.", "anew"),
        ("Raise a archer", "a archer"),
        ("This is an warrior.", "an warrior"),
        ("This\nis none.", "is none"),
        ("It ends. Who leaves has lost.", "Who leaves has"),
    ],
)
def test_translated_phrase_is_found(text, phrase):
    assert [found.phrase for found in findings("x.md", iter([Text(1, text)]))] == [phrase]


@pytest.mark.parametrize(
    "text",
    [
        "There is no building #7.",
        "A one-time token, an hour, a European map, an f64.",
        "The cells are all the same size.",
        "Who plays next? The server knows.",
        "Recommended settings depend on the map.",
    ],
)
def test_plain_sentence_passes(text):
    assert list(findings("x.md", iter([Text(1, text)]))) == []
