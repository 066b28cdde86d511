"""Kills a server many times, on SQLite and PostgreSQL, and prints what an outside witness saw.

    python bench/crash.py --kills 1000

Half of the kills hit a step of a write, half a random moment. The script fails at the first acknowledged action that
is missing from the archive, and at the first match that differs from its log.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--kills", type=int, default=1000, help="number of kills on each database")
    asked.add_argument(
        "--seed", type=int, default=2, help="seed for the moments of the kills and the matches"
    )
    asked.add_argument("--db", help="URL of one empty database to use instead of both kinds")
    said = asked.parse_args()
    if said.db:
        trial(said.db, said)
        return
    with tempfile.TemporaryDirectory() as folder:
        trial(f"sqlite:///{folder}/arena.db", said)
    on_postgresql(said)


def on_postgresql(said: argparse.Namespace) -> None:
    import postgres  # noqa: PLC0415  (needs pytest; --help does not)

    if postgres.BINARIES is None:
        print("PostgreSQL is not installed: /usr/lib/postgresql/*/bin does not exist.")
        return
    cluster = postgres.Cluster()
    try:
        trial(cluster.database(), said)
    finally:
        cluster.close()


def trial(url: str, said: argparse.Namespace) -> None:
    import nursery  # noqa: PLC0415

    began = time.monotonic()
    seen = nursery.trial(url, said.kills, said.seed)
    kills = ", ".join(f"{many} {where}" for where, many in seen.pop("kills").items())
    rest = ", ".join(f"{name} {many}" for name, many in seen.items())
    print(
        f"{url.partition(':')[0]}: killed {said.kills} times ({kills}) in {time.monotonic() - began:.0f} s; {rest}"
    )
    print("  no acknowledged action was lost, and every match agrees with its log")


if __name__ == "__main__":
    main()
