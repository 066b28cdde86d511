"""Kill `endturn serve` while programs play: what they were told is saved, and they continue."""

import asyncio
import os

import pytest

import shipwreck

KILLS = int(os.environ.get("ENDTURN_KILLS", "10"))


def test_clients_continue_after_every_kill(tmp_path):
    seen = asyncio.run(shipwreck.trial(f"sqlite:///{tmp_path}/arena.db", tmp_path, KILLS, 1))
    told = shipwreck.summary(seen)
    # The trial was one: every game was played, matches ended and others went on after a kill.
    assert set(told["games"]) == set(shipwreck.TABLES)
    assert told["acknowledged"] > 10 * KILLS and told["over"] > 3 and told["resumed"] > 2 * KILLS
    notices_what_is_lost(seen)


def notices_what_is_lost(seen):
    player = next(each for pair in seen.created.values() for each in pair if each.done and each.resumed)
    player.done.append({"do": "never"})
    with pytest.raises(AssertionError, match="has lost"):
        seen.check()
    player.done.pop()
    player.events[len(player.events) + 1] = player.events[1] | {"number": len(player.events) + 1}
    with pytest.raises(AssertionError, match="was told"):
        seen.check()
    later = {"clocks": {"left": [left - 10_000 for left in player.now["clocks"]["left"]]}}
    player.now_at = player.table.ship.ready_at = shipwreck.steady()
    with pytest.raises(AssertionError, match="ms gone"):
        player._compare_clocks(later)


def test_kills_lose_nothing_acknowledged_on_postgresql(cluster, tmp_path):
    seen = asyncio.run(shipwreck.trial(cluster.database(), tmp_path, max(3, KILLS // 4), 2))
    assert shipwreck.summary(seen)["acknowledged"] > 20
