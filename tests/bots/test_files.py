"""A bot of one's own is a file with a class or a function; what cannot be one is explained."""

import pytest

from endturn.bots.files import BadBot, load


def made(folder, text):
    file = folder / "mine.py"
    file.write_text(text)
    return load(file)


def test_a_function_is_a_bot(tmp_path):
    assert made(tmp_path, "def act(seen):\n    return seen + 1\n")(5).act(1) == 2


SEEDED = """
class Mine:
    def __init__(self, seed):
        self.seed = seed

    def act(self, seen):
        return self.seed
"""


def test_a_class_is_a_bot_with_or_without_a_seed(tmp_path):
    assert made(tmp_path, SEEDED)(5).act(None) == 5
    assert made(tmp_path, "class Mine:\n    def act(self, seen):\n        return seen\n")(5).act(7) == 7


def test_of_several_classes_the_one_called_bot_plays(tmp_path):
    two = "class Bot:\n    def act(self, seen):\n        return 1\nclass Other(Bot):\n    pass\n"
    assert made(tmp_path, two)(0).act(None) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import json\n", "needs one class with a method act.*it has none"),
        ("class A:\n    act = print\nclass B:\n    act = print\n", "it has A, B"),
        ("\nx = 1 / 0\n", r"ZeroDivisionError: division by zero \(line 2\)"),
        ("def act(:\n", "SyntaxError"),
    ],
)
def test_a_file_without_a_bot_is_explained(tmp_path, text, told):
    with pytest.raises(BadBot, match=told):
        made(tmp_path, text)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadBot, match="There is no file .*nowhere.py"):
        load(tmp_path / "nowhere.py")
