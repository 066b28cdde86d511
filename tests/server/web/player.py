"""A program that plays random legal actions from its own seed and prints its last view."""

import asyncio
import json
import random
import sys

from websockets.asyncio.client import connect

from web_arena import Client


async def play(url, token, seed):
    luck = random.Random(seed)
    async with connect(url, max_size=None) as socket:
        client = Client(socket)
        await client.join(token)
        now, seat = client.welcome["now"], client.welcome["seat"]
        while now["status"] != "over":
            if seat in now["to_act"]:
                actions = (await client.ask("legal"))["answer"]["actions"]
                # Ending the turn is one of very many choices: without this a match would take a minute.
                ends = {"do": "end_turn"}
                await client.ask("act", action=ends if luck.random() < 0.2 else luck.choice(actions))
            else:
                await client.until("happened")
            now = [m["now"] for m in client.heard if m["type"] == "happened"][-1]
        print(json.dumps({"view": client.view, "events": len(client.events())}))


asyncio.run(play(sys.argv[1], sys.argv[2], int(sys.argv[3])))
