"""A bot file has a class or a function; errors say what a file without a bot needs."""

import pytest

from endturn.bots.files import BadBot, load


def made(folder, text):
    file = folder / "mine.py"
    file.write_text(text)
    return load(file)


def test_function_is_a_bot(tmp_path):
    assert made(tmp_path, "def act(seen):\n    return seen + 1\n")(5).act(1) == 2


SEEDED = """
class Mine:
    def __init__(self, seed):
        self.seed = seed

    def act(self, seen):
        return self.seed
"""


def test_class_with_or_without_a_seed_is_a_bot(tmp_path):
    assert made(tmp_path, SEEDED)(5).act(None) == 5
    assert made(tmp_path, "class Mine:\n    def act(self, seen):\n        return seen\n")(5).act(7) == 7


def test_class_named_bot_wins_among_several(tmp_path):
    two = "class Bot:\n    def act(self, seen):\n        return 1\nclass Other(Bot):\n    pass\n"
    assert made(tmp_path, two)(0).act(None) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import json\n", "needs one class with a method act.* Found: none"),
        ("class A:\n    act = print\nclass B:\n    act = print\n", "Found: A, B"),
        ("\nx = 1 / 0\n", r"ZeroDivisionError: division by zero \(line 2\)"),
        ("def act(:\n", "SyntaxError"),
    ],
)
def test_file_without_a_bot_is_an_error(tmp_path, text, told):
    with pytest.raises(BadBot, match=told):
        made(tmp_path, text)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(BadBot, match="bot file .*nowhere.py does not exist"):
        load(tmp_path / "nowhere.py")
