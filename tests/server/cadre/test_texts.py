"""Texts that clients choose: names, sessions and messages that the protocol or file names cannot hold."""

import asyncio
import gzip
import json

import pytest

from endturn.cadre.client import Connection, JoinRequest, RemotePlayer
from endturn.games import find
from server.cadre.client import SMALL, pair, serving

MARK = "&RM"  # marks a removal on the wire


@pytest.mark.parametrize("era", ["2022", "2017"])
def test_text_equal_to_the_removal_mark_reaches_clients_and_gamelog(era, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            given = {"playerName": MARK, "clientType": MARK}
            one, two, _ = await pair(server, f"{SMALL}&profile={era}&playerNames[]=%26RM", MARK, **given)
            assert one.state["session"] == "& RM"
            for seat in "01":
                assert (one.objects[seat]["name"], one.objects[seat]["clientType"]) == ("& RM", "& RM")
            for message in (MARK, "hi", MARK):
                await one.run("2", "log", message=message)
            two.close()
            await one.until("over")
            assert one.objects["2"]["logs"] == {"0": "& RM", "1": "hi", "2": "& RM", "&LEN": 3}
            log = json.loads(gzip.decompress(server.lobby.store.gamelog(kind="cadre")["packed"]))
            noted = [
                each["game"]["gameObjects"]["2"]["logs"] for each in log["deltas"][1:] if "2" in _told(each)
            ]
            assert noted[0] == {"0": "& RM", "&LEN": 1}

    asyncio.run(go())


def _told(entry):
    return entry["game"].get("gameObjects", {})


class Silent:
    """A connection without answers."""

    sent = b""

    def sendall(self, data):
        self.sent += data

    def recv(self, many):
        return b""


def test_our_bot_avoids_the_removal_mark_and_tolerates_it():
    wanted, connection = JoinRequest(name=MARK), Silent()
    player = RemotePlayer(find("anarchy"), None, 1, Connection(connection), wanted, print)
    with pytest.raises(RuntimeError, match="closed the connection"):
        player.run()
    assert json.loads(connection.sent[:-1])["data"]["playerName"] == "& RM"
    player.shown = {"players": [{"id": "0"}, {"id": "1"}], "gameObjects": {"0": {"name": "A"}, "1": {}}}
    assert player._names() == ["A", "Unknown"]  # an original server whose other player has that name
