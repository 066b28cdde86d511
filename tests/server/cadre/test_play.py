"""Whole matches over real sockets: deltas, bots, gamelogs, clocks, leaving, and clients in other processes."""

import asyncio
import gzip
import json
import subprocess
import sys

import pytest

from endturn.cadre import dialect
from endturn.cadre.conformance import conform
from endturn.cadre.gamelogs import ran
from endturn.cadre.messages import answered_with
from endturn.cadre.state import wire
from endturn.cadre.table import Run
from endturn.engine.match import Match
from endturn.games import find
from endturn.server.transports.cadre import background_compiler, connections
from server.cadre.client import SMALL, Client, as_lists, pair, serving

GAMES = {"Anarchy": SMALL, "Catastrophe": "maxTurns=24&randomSeed=c1"}


def room_of(server):
    (room,) = server.lobby.rooms.values()
    return room


async def play_on(server, clients, order, look=lambda: None, most=400):
    """Both clients play random actions for a while; `look` is called after every answer."""
    room, play = room_of(server), next(iter(server.sessions.open.values())).match
    cadre = dialect(room.game)
    for luck in range(most):
        seat = play._to_act[0]
        action = room.match.random_action(seat, 7, luck)
        if action in (cadre.end_turn, cadre.again.get(play.era)):
            await clients[seat].finish(order, action == cadre.end_turn)
            done = [asyncio.create_task(client.until("order", "over")) for client in clients]
            await asyncio.wait(done, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0.01)
            orders = [task.result() for task in done if task.done()]
            for task in done:
                task.cancel()
            await asyncio.gather(*done, return_exceptions=True)
            if "gamelogURL" in orders[0]:
                return orders[0]
            order = orders[0]
        else:
            run = cadre.run_of(room.match.glance, play.live.objects, action)
            await clients[seat].run(run.caller["id"], run.function_name, **run.args)
        await look()
    return None


async def caught_up(client, shown):
    """Let a client read until its state equals the server's."""
    while (merged := as_lists(client.state)) != shown:
        await client.receive()
    return merged


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("profile", ["official", "2022", "2017"])
def test_merged_deltas_equal_the_state_after_every_answer(game, profile, tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "SOON", 0.01)  # spectators are awaited after every run

    async def go():
        async with serving(tmp_path) as server:
            settings = f"{GAMES[game]}&profile={profile}"
            one, two, order = await pair(server, settings, gameName=game)
            room, play = room_of(server), next(iter(server.sessions.open.values())).match
            looks, before = 0, as_lists(one.state)

            async def look():
                nonlocal looks, before
                merged = [await caught_up(client, play.live.shown) for client in (one, two)]
                settled = before["currentTurn"] != room.match.turn
                verdict = dialect(room.game).verdict(room.match.state, play.era)
                ours = wire(
                    dialect(room.game), room.match.state, play.era, play.session, verdict, before, settled
                )
                assert merged == [ours, ours]
                before, looks = merged[0], looks + 1

            await play_on(server, (one, two), order, look, most=60)
            assert looks > 15

    asyncio.run(go())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("profile", ["2022", "2017"])
def test_gamelog_conforms_to_the_original(game, profile, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            short = GAMES[game].replace("maxTurns=24", "maxTurns=6")
            one, two, order = await pair(server, f"{short}&profile={profile}", gameName=game)
            assert (await one.run("0", "log", message="caf\u00e9")) is None
            await play_on(server, (one, two), order, _nothing)
            row = server.lobby.store.gamelog(kind="cadre")
            report = conform(find(game.lower()), row["packed"], row["name"])
            assert (report.mismatches, report.first, report.era) == (0, None, profile)
            assert report.deltas > 10
            log = json.loads(gzip.decompress(row["packed"]))
            assert log["constants"] == {"DELTA_REMOVED": "&RM", "DELTA_LIST_LENGTH": "&LEN"}
            assert ("settings" in log) == (profile == "2022")

    asyncio.run(go())


async def _nothing():
    pass


def test_client_can_play_one_of_our_bots(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            client = await Client.connect(server)
            await client.play("new", f"{SMALL}&opponent=arsonist", playerIndex=1)
            order = await client.until("order")  # the bot has played its first turn
            assert [client.objects[seat]["name"] for seat in "01"] == ["arsonist", "A"]
            assert client.state["currentTurn"] == 1
            await client.finish(order)
            await client.finish(await client.until("order"))
            over = await client.until("over")
            name = over["gamelogURL"].rsplit("/", 1)[1]
            log = json.loads(gzip.decompress(server.lobby.store.gamelog(kind="cadre", name=name)["packed"]))
            runs = [each["data"] for each in log["deltas"] if each["type"] == "ran"]
            assert runs and all(each["player"] == {"id": "0"} and "returned" in each for each in runs)

    asyncio.run(go())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("playerNames[]=Ann&playerNames[]=Bob", ["Ann", "Bob"]),
        ("playerNames=Ann&playerNames=Bob", ["Ann", "Bob"]),
        ("playerNames[]=Ann", ["Ann", "A"]),
        ("playerNames=Ann", ["A", "A"]),  # without brackets it is not a list, and ignored as in the original
    ],
)
def test_list_setting_needs_brackets_or_repetition(text, names, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, *_ = await pair(server, f"{SMALL}&{text}")
            assert [one.objects[seat]["name"] for seat in "01"] == names

    asyncio.run(go())


def test_unknown_opponent_is_answered_with_the_known_ones(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            client = await Client.connect(server)
            await client.send("play", {"gameName": "Anarchy", "gameSettings": "opponent=nobody"})
            message = (await client.until("fatal"))["message"]
            assert message.startswith("opponent setting is invalid") and "arsonist" in message

    asyncio.run(go())


@pytest.mark.parametrize("era", ["2022", "2017"])
def test_player_out_of_time_loses(era, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            clock = "playerStartingTime=150000000&timeAddedPerTurn=0"
            one, two, _ = await pair(server, f"{SMALL}&{clock}&profile={era}")
            said = await one.until("fatal")
            assert said == {
                "message": "Your client has run out of time, and has been timed out.",
                "timedOut": True,
            }
            assert await one.closed()
            await two.until("over")
            loser, winner = two.objects["0"], two.objects["1"]
            lost = "Timed out during gameplay." if era == "2017" else "Disconnected during gameplay."
            assert (loser["lost"], loser["reasonLost"], loser["timeRemaining"]) == (True, lost, 0)
            assert (winner["won"], winner["reasonWon"]) == (True, "All other players timed out.")
            row = server.lobby.store.gamelog(kind="cadre")
            (standing,) = json.loads(gzip.decompress(row["packed"]))["losers"]
            assert (standing["timedOut"], standing["disconnected"]) == (True, False)

    asyncio.run(go())


def test_clocks_show_time_left_and_grow_by_the_increment(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server)
            await asyncio.sleep(0.05)
            await one.run(one.mine(0)[0], "ignite", building={"id": "9999"})
            used = 60_000_000_000 - one.objects["0"]["timeRemaining"]
            assert used >= 50_000_000
            await one.finish(order)
            await two.until("order")
            assert two.objects["1"]["timeRemaining"] == 61_000_000_000
            assert 0 < two.objects["0"]["timeRemaining"] < 60_000_000_000 - used

    asyncio.run(go())


def test_disconnected_player_loses_and_the_other_is_told(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            one.close()
            await two.until("over")
            assert two.objects["0"]["reasonLost"] == "Disconnected during gameplay."
            assert two.objects["1"]["reasonWon"] == "All other players disconnected."
            assert await two.closed()
            assert room_of(server).match.outcome.winner == 1

    asyncio.run(go())


def test_nothing_is_told_before_it_is_in_the_archive(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server)
            store, heard = server.lobby.store, len(two.heard)

            def full(step):
                if step == "commit":
                    raise OSError(28, "No space left on device")

            store.at = full
            target = {"id": one.mine(0)[0]}
            assert await one.run(target["id"], "ignite", building=target) == -1
            assert "No space left" in next(m for m in one.heard if m["event"] == "invalid")["data"]["message"]
            await asyncio.sleep(0.05)
            assert not any("fire" in json.dumps(m) for m in two.heard[heard:])
            store.at = lambda step: None
            for _ in range(100):  # until the room has asked the archive again
                if await one.run(target["id"], "ignite", building=target) == 0:
                    break
                await asyncio.sleep(0.1)
            await one.finish(order)
            await two.until("order")
            assert two.objects[target["id"]]["health"] < 100

    asyncio.run(go())


def test_the_same_seed_settings_and_actions_give_the_same_match(tmp_path):
    async def go():
        digests = set()
        for number in range(2):
            (tmp_path / str(number)).mkdir()
            async with serving(tmp_path / str(number)) as server:
                one, two, order = await pair(server)
                await play_on(server, (one, two), order, _nothing)
                room = room_of(server)
                again = Match(room.game, room.match.settings, seed=int(room.row["seed"], 16))
                for entry in room.entries:
                    again.submit(entry.seat, entry.body)
                assert again.dump() == room.match.dump()
                digests.add(again.dump())
        assert len(digests) == 1

    asyncio.run(go())


@pytest.mark.parametrize(
    ("game", "bot", "settings"),
    [("anarchy", "arsonist", SMALL.replace("=4", "=12", 1)), ("catastrophe", "warlord", "maxTurns=40")],
)
def test_two_processes_play_a_whole_match(game, bot, settings, tmp_path):
    """Both local matches, the server's match and its replay end in the same state."""

    async def go():
        async with serving(tmp_path) as server:
            place = f"127.0.0.1:{server.ports['tcp']}"
            words = ["bot", game, "--connect", place, "--settings", settings, "--json", "--seed", "5"]
            command = [sys.executable, "-c", "from endturn.cli import main; main()", *words]
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            programs = [
                await asyncio.create_subprocess_exec(*command[:4], game, name, *command[5:], **pipes)
                for name in (bot, "random")
            ]
            answers = [await program.communicate() for program in programs]
            assert [program.returncode for program in programs] == [0, 0], answers
            ended = [json.loads(out) for out, _ in answers]
            room = room_of(server)
            again = Match(room.game, room.match.settings, seed=int(room.row["seed"], 16))
            for entry in room.entries:
                again.submit(entry.seat, entry.body)
            assert again.dump() == room.match.dump()
            assert sorted(each["won"] for each in ended) == [False, True]
            assert {each["state"] for each in ended} == {_digest(again)}
            assert len(room.entries) > 20

    asyncio.run(go())


def _digest(match):
    from endturn.engine.record import digest

    return digest(match.dump())


def test_match_switches_to_compiled_rules_when_ready(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(background_compiler, "ENOUGH", 3)

    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, f"{SMALL}&playerStartingTime={10**12}")
            room, before = room_of(server), []

            async def look():
                before.append(room.match.backend)
                if len(before) == 5:
                    while not server.sessions.compiler.ready:
                        await asyncio.sleep(0.05)

            assert await play_on(server, (one, two), order, look) is not None
            assert before[:5] == ["plain"] * 5 and before[6:] == ["compiled"] * len(before[6:])
            alone = Match(room.game, room.match.settings, seed=room.match.seed)
            for entry in room.entries:
                alone.submit(entry.seat, entry.body)
            assert alone.dump() == room.match.dump() and room.status == "over"

    asyncio.run(go())


def test_numbers_and_booleans_are_answered_as_such():
    for returned, said in ((1, b"1"), (True, b"true"), (0, b"0"), (False, b"false"), (-1, b"-1")):
        assert answered_with(returned) == (b',"returned":' + said, b'{"event":"ran","data":' + said + b"}")
    assert answered_with(None) == (b"", b'{"event":"ran"}')


@pytest.mark.parametrize(("era", "invalid"), [("2017", {"message": "No."}), ("2022", "No.")])
def test_run_is_logged_in_the_format_of_its_era(era, invalid):
    run, said = Run({"id": "7"}, "move", {"tile": None}), {"caller": {"id": "7"}, "functionName": "move"}
    returned, _ = answered_with(False)
    refused = json.loads(ran(era, 1, run, returned, b'{"x":1}', b'"No."'))
    data = {"player": {"id": "1"}, "run": said | {"args": {"tile": None}}}
    assert refused == {
        "type": "ran",
        "data": data | {"invalid": invalid, "returned": False},
        "game": {"x": 1},
    }
    assert json.loads(ran(era, 1, run, b"", b"{}", None)) == {"type": "ran", "data": data, "game": {}}
