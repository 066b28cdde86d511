"""Compares JSON and MessagePack for WebSocket messages of real matches; see docs/decisions/0012.

python bench/wire.py
"""

import argparse
import json
import time
import zlib

import msgspec

from endturn.engine.delta import diff
from endturn.engine.match import Match
from endturn.games import find
from endturn.protocol import Clocks, Event, Happened, MatchInfo, Now, Welcome
from endturn.server.transports.web.describe import game_info

GAMES = "anarchy", "catastrophe"


def messages(name: str, actions: int) -> dict[str, list[object]]:
    """Return the welcome of a match and the messages for its first actions."""
    match = Match(find(name), seed=7)
    now = Now(0, [0], Clocks([None, None], [0]), "running")
    info = MatchInfo("x" * 12, name, game_info(name).title, "running", [], {}, None, 0, 0)
    view = match.view()
    welcome, told = Welcome(info, 0, view, [], 0, now), []
    for number in range(actions):
        seat = match.to_act()[0]
        action = match.random_action(seat, 3, number)
        match.submit(seat, action)
        before, view = view, match.view()
        event = Event(
            number, "act", 1_794_835_669_705, seat, match.game.actions.to_json(action), turn=match.turn
        )
        told.append(Happened(event, diff(before, view), now))
    return {"welcome": [welcome], "happened": told}


def microseconds(work, values: list[object]) -> float:
    """Return the time per value, the best of five rounds."""
    rounds = []
    for _ in range(5):
        began = time.perf_counter()
        for value in values:
            work(value)
        rounds.append((time.perf_counter() - began) / len(values))
    return round(1e6 * min(rounds), 2)


def measured(values: list[object]) -> dict[str, dict[str, float]]:
    made = {}
    for name, codec in ("json", msgspec.json), ("msgpack", msgspec.msgpack):
        encoder, decoder = codec.Encoder(), codec.Decoder()
        packed = [encoder.encode(value) for value in values]
        made[name] = {
            "bytes": round(sum(map(len, packed)) / len(packed)),
            "deflated": round(sum(len(zlib.compress(each, 1)) for each in packed) / len(packed)),
            "encode_us": microseconds(encoder.encode, values),
            "decode_us": microseconds(decoder.decode, packed),
        }
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=300)
    wanted = parser.parse_args()
    found = {
        f"{game} {kind}": measured(values)
        for game in GAMES
        for kind, values in messages(game, wanted.actions).items()
    }
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
