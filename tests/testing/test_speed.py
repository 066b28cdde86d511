"""Measuring: what is timed is really done, and comes back as sensible figures; nothing is said on time."""

from pathlib import Path

import pytest

import toy_game
from endturn.engine import record
from endturn.engine.match import Match
from endturn.testing import speed
from endturn.testing.speed import Load

GAME = toy_game.game
BACKENDS = pytest.mark.parametrize("backend", ["plain", "compiled"])


@pytest.fixture(scope="module")
def match():
    return speed.random_match(GAME, seed=3, backend="plain")


@BACKENDS
def test_random_play_counts_the_actions_of_all_matches(backend):
    found = speed.measure(GAME, load=Load(backend, games=3, steps=20), repeats=2)
    assert (found.game, found.backend, found.games, found.threads) == ("pig", backend, 3, 1)
    assert found.actions == 60
    assert found.rate == found.actions / found.seconds > 0


def test_several_threads_are_timed_in_wall_time():
    assert speed.measure(GAME, load=Load(games=4, steps=5), repeats=1).clock == "cpu"
    assert speed.measure(GAME, load=Load(games=4, threads=2, steps=5), repeats=1).clock == "wall"


def test_progress_sees_every_repeat():
    seen = []

    def watch(numbers):
        for number in numbers:
            seen.append(number)
            yield number

    speed.measure(GAME, load=Load("plain", steps=5), repeats=3, progress=watch)
    assert seen == [0, 1, 2]


def test_best_of_alternating_runs_counts():
    times = iter([3.0, 30.0, 1.0, 20.0, 2.0, 10.0])
    order = []

    def run(name):
        order.append(name)
        return next(times)

    best = speed.best_of({"a": lambda: run("a"), "b": lambda: run("b")}, 3)
    assert best == {"a": 1.0, "b": 10.0}
    assert order == ["a", "b"] * 3


@BACKENDS
def test_a_spread_batch_has_matches_at_different_stages(backend):
    batch = speed.spread_batch(GAME, backend=backend, games=20)
    assert len({batch.state(i).turn for i in range(20)}) > 5


@BACKENDS
def test_a_large_batch_has_copies_that_go_their_own_ways(backend, monkeypatch):
    monkeypatch.setattr(speed, "SPREAD", 4)
    batch = speed.spread_batch(GAME, backend=backend, games=10)
    assert record.dump(batch.state(1)) == record.dump(batch.state(5)) == record.dump(batch.state(9))
    batch.play(40)
    assert len({record.dump(batch.state(i)) for i in (1, 5, 9)}) == 3


def test_a_random_match_is_played_to_its_end(match):
    assert match.outcome is not None
    assert len(speed.rows_of(match)) == len(match.played()) > 0


@BACKENDS
def test_every_action_of_the_match_is_called_once(match, backend):
    found = speed.measure_calls(match, backend=backend, repeats=2)
    assert found.times == len(match.played())
    assert found.each == pytest.approx(1 / found.rate)


@BACKENDS
def test_every_action_of_the_match_is_submitted_once(match, backend):
    assert speed.measure_submits(match, backend=backend, repeats=1).times == len(match.played())


def test_copies_are_counted(match):
    assert speed.measure_copies(match, copies=10, repeats=1).times == 10


def test_replays_count_the_actions_of_all_matches(match):
    other = speed.random_match(GAME, seed=4, backend="plain")
    found = speed.measure_replays([match, other], repeats=1)
    assert {part.times for part in found} == {len(match.played()) + len(other.played())}
    assert all(part.seconds > 0 for part in found)


def test_replay_gives_the_checksums_of_the_log(match):
    again = speed._Again(match, speed.room_for_turns([match])).play()
    told = [entry.state for entry in match.log if not hasattr(entry, "seat")]
    assert again.fingerprints() == told[1:]


def test_a_replay_that_breaks_a_rule_is_an_error(match):
    again = speed._Again(match, speed.room_for_turns([match]))
    again.rows[0] = (1, 0, 0, 0, 0, 0)  # the second seat, before its turn
    with pytest.raises(RuntimeError, match="action 0 "):
        again.play()


def test_compiling_is_timed_in_new_processes(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(toy_game.__file__).parent))
    first, cached = speed.measure_compile("toy_game")
    assert first.entries == cached.entries > 10
    assert min(*first, *cached) > 0


def test_failed_process_is_an_error_with_its_output():
    with pytest.raises(RuntimeError, match="no_such_game"):
        speed.measure_compile("no_such_game")


def test_an_entry_point_that_was_not_called_is_named():
    class Entry:
        signatures = ()

    class Module:
        forgotten = Entry()

    with pytest.raises(RuntimeError, match="not called: forgotten"):
        speed._count_entries(Module, GAME, 8)


def test_the_machine_tells_its_cpu_and_versions():
    found = speed.machine()
    assert found["cpu"] and found["cores"] >= 1
    assert {"numpy", "numba", "msgspec"} <= set(found["packages"])
    assert found["python"].count(".") == 2


def test_a_match_can_be_measured_from_its_first_state_however_it_was_played():
    played = speed.random_match(GAME, seed=9, backend="compiled")
    again = Match(GAME, seed=9)
    for acted in played.played():
        again.submit(acted.seat, acted.action)
    assert again.dump() == played.dump()
