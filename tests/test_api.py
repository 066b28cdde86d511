"""The public API: exactly these names, typed, quick to import, and the same matches as the command line."""

import subprocess
import sys
from pathlib import Path

import pytest

import endturn

TYPES = ["Accepted", "Batch", "Game", "Malformed", "Match", "Outcome", "Refusal", "Seen"]
EXPORTED = [*TYPES, "game", "games", "load", "play", "save"]
SHORT = {"max_turns": 4}


def python(text: str) -> str:
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_exported_names_are_exactly_the_api():
    assert sorted(endturn.__all__) == EXPORTED
    assert [name for name in dir(endturn) if not name.startswith("__")] == EXPORTED
    assert all(getattr(endturn, name).__doc__ for name in EXPORTED)
    assert (
        python("from endturn import *; print(sorted(n for n in globals() if n[0] != '_'))") == f"{EXPORTED}\n"
    )


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        endturn.chess  # noqa: B018


def test_import_loads_no_game_and_no_numpy():
    loaded = python("import sys, endturn; print(*sys.modules)").split()
    assert [name for name in loaded if name.startswith("endturn.")] == []
    assert "numpy" not in loaded and "msgspec" not in loaded


@pytest.mark.parametrize(
    "order",
    [
        "import endturn; print(endturn.games()); from endturn.games import find",
        "from endturn.games import find; import endturn; print(endturn.games())",
        "import endturn.games; endturn.games.find; print(endturn.games())",
        "from endturn import games; games.find; print(games())",
    ],
)
def test_games_is_a_list_and_a_package_in_any_order_of_imports(order):
    assert python(order) == f"{['anarchy', 'catastrophe', 'snowball', 'notchess', 'empires']}\n"


def test_types_reach_users(tmp_path):
    assert (Path(endturn.__file__).parent / "py.typed").is_file()
    (tmp_path / "user.py").write_text(
        "import endturn\n"
        "from endturn.games import find\n"
        "names: list[str] = endturn.games()\n"
        "match: endturn.Match = endturn.play(find(names[0]), 'random', 'random', seed=1)\n"
        "batch: endturn.Batch = endturn.Batch('anarchy', 2)\n"
        "def act(seen: endturn.Seen) -> object:\n"
        "    match: endturn.Match = seen.imagine()\n"
        "    answer = match.submit(0, {})\n"
        "    return answer.reason if isinstance(answer, endturn.Refusal | endturn.Malformed) else answer.turn\n"
        "endturn.play(7)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "user.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.stdout.count("error:") == 1, done.stdout
    assert "user.py:10: error:" in done.stdout


def test_unknown_game_names_the_games():
    with pytest.raises(LookupError, match="no game 'chess'. The games are anarchy"):
        endturn.game("chess")
    for make in (endturn.Match, lambda name: endturn.Batch(name, 2), endturn.play):
        with pytest.raises(LookupError, match="no game 'chess'. The games are anarchy"):
            make("chess")


@pytest.mark.parametrize("make", [endturn.Match, lambda game: endturn.Batch(game, 2), endturn.play])
def test_game_is_a_name_or_a_game(make):
    with pytest.raises(TypeError, match="game must be a name or a Game, not 7"):
        make(7)


def test_settings_are_a_dictionary_or_settings_of_the_game():
    for wrong in (7, endturn.game("snowball").configure()):
        with pytest.raises(TypeError, match="settings must be a dictionary or Anarchy's settings"):
            endturn.Match("anarchy", wrong)


def test_types_are_those_of_real_objects():
    match = endturn.Match("anarchy", SHORT)
    assert isinstance(match.game, endturn.Game) and match.game is endturn.game("anarchy")
    assert isinstance(match.submit(0, {"do": "end_turn"}), endturn.Accepted)
    assert isinstance(match.submit(0, {"do": "end_turn"}), endturn.Refusal)
    assert isinstance(match.submit(0, {}), endturn.Malformed)
    seen = []

    def act(given):
        seen.append(given)
        return {"do": "end_turn"}

    assert isinstance(endturn.play("anarchy", act, act, settings=SHORT, seed=1).outcome, endturn.Outcome)
    assert isinstance(seen[0], endturn.Seen) and isinstance(seen[0].imagine(), endturn.Match)


def test_names_work_without_the_package_of_games():
    assert python("import endturn; print(endturn.Match('snowball').game.title)") == "Snowball Fight\n"


@pytest.mark.parametrize("name", endturn.games())
@pytest.mark.parametrize("seat", [-1, 99, "0"])
def test_seat_that_does_not_exist_is_a_value_error(name, seat):
    match = endturn.Match(name)
    for ask in (match.view, match.legal, lambda seat: match.random_action(seat, 1, 1)):
        with pytest.raises(ValueError, match="seat must be a number from 0 to"):
            ask(seat)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"games": 0}, "games must be an integer from 1, not 0"),
        ({"games": -1}, "games must be an integer from 1, not -1"),
        ({"games": 2.5}, "games must be an integer from 1, not 2.5"),
        ({"threads": 0}, "threads must be an integer from 1, not 0"),
        ({"pool": 0}, "pool must be an integer from 1, not 0"),
        ({"seed": "a"}, "seed must be an integer from 0 to .*, not 'a'"),
    ],
)
def test_wrong_argument_of_a_batch_is_a_value_error(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        endturn.Batch("anarchy", **{"games": 2, "backend": "plain", **arguments})


def test_step_of_a_batch_needs_an_array_with_one_row_per_match():
    batch = endturn.Batch("anarchy", 2, backend="plain", pool=1)
    with pytest.raises(ValueError, match=r"expected a NumPy array of shape \(2, 6\), not list"):
        batch.step([1, 2])
    with pytest.raises(ValueError, match=r"expected shape \(2, 6\), one entry per match, not \(1, 6\)"):
        batch.step(batch.choose()[:1])


@pytest.mark.parametrize("seed", ["a", -1, 1 << 64, 1.5])
def test_wrong_seed_is_a_value_error(seed):
    for play in (endturn.play, lambda *words, seed: endturn.Match("anarchy", seed=seed)):
        with pytest.raises(ValueError, match="seed must be an integer"):
            play("anarchy", "random", "random", seed=seed)


def test_play_returns_a_finished_match():
    match = endturn.play("anarchy", "arsonist", "random", settings=SHORT, seed=7)
    assert match.outcome is not None and match.players == ("arsonist", "random") and match.seed == 7
    assert endturn.play("anarchy", "arsonist", "random", settings=SHORT, seed=7).dump() == match.dump()
    assert endturn.play("anarchy", "random", "random", profile="2022", settings=SHORT).settings.refills


def test_play_accepts_names_files_functions_and_objects(tmp_path):
    def lazy(seen):
        return {"do": "end_turn"}

    class Lazy:
        act = staticmethod(lazy)

    (tmp_path / "mine.py").write_text("def act(seen):\n    return {'do': 'end_turn'}\n")
    matches = [
        endturn.play("anarchy", player, "random", settings=SHORT, seed=1)
        for player in (lazy, Lazy(), tmp_path / "mine.py", str(tmp_path / "mine.py"))
    ]
    assert [match.players[0] for match in matches] == ["lazy", "Lazy", "mine", "mine"]
    assert len({match.dump() for match in matches}) == 1


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (["random"], "Anarchy needs 2 bots .Red, Blue., not 1"),
        (["random", "alphazero"], "no bot 'alphazero'. Choose random, arsonist"),
        (["random", 7], "7 is not a bot"),
        (["random", "none.py"], "none.py does not exist"),
    ],
)
def test_wrong_player_is_a_value_error(players, sentence):
    with pytest.raises(ValueError, match=sentence):
        endturn.play("anarchy", *players)


def test_on_action_sees_every_action():
    lengths = []
    match = endturn.play(
        "anarchy",
        "random",
        "random",
        settings=SHORT,
        seed=1,
        on_action=lambda m: lengths.append(len(m.played())),
    )
    assert lengths == list(range(1, len(match.played()) + 1))


def test_saved_match_loads_at_its_end_or_at_a_turn(tmp_path):
    file = tmp_path / "match.jsonl.gz"
    match = endturn.play("anarchy", "random", "random", settings=SHORT, seed=1)
    endturn.save(match, file)
    assert endturn.load(file).dump() == match.dump()
    assert endturn.load(str(file), turn=2).turn == 2
    with pytest.raises(ValueError, match="has no turn 9"):
        endturn.load(file, turn=9)
    with pytest.raises(ValueError, match="exists"):
        endturn.save(match, file)
    endturn.save(match, file, overwrite=True)
    with pytest.raises(FileNotFoundError):
        endturn.load(tmp_path / "missing.gz")
    with pytest.raises(IsADirectoryError):
        endturn.load(tmp_path)
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(ValueError, match=r"match.jsonl.gz, line \d+"):
        endturn.load(file)


def test_command_line_plays_the_same_match(tmp_path):
    command = [
        sys.executable,
        "-c",
        "from endturn.cli import main; main()",
        "play",
        "anarchy",
        "arsonist",
        "random",
    ]
    options = ["--seed", "7", "--set", "max_turns=4", "--out", "match.gz"]
    subprocess.run([*command, *options], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    endturn.save(endturn.play("anarchy", "arsonist", "random", settings=SHORT, seed=7), tmp_path / "same.gz")
    assert (tmp_path / "match.gz").read_bytes() == (tmp_path / "same.gz").read_bytes()
