"""Kills a server many times over SQLite and PostgreSQL, and says what a witness outside it saw.

    python bench/crash.py --kills 1000

Half of the kills hit a step of a write, half a random moment. The program fails at the first acknowledged action
that is not in the archive, and at the first match that is not what its log says.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--kills", type=int, default=1000, help="how often, on each database")
    asked.add_argument("--seed", type=int, default=2, help="other moments, other matches")
    asked.add_argument("--db", help="the address of one empty database instead of both kinds")
    said = asked.parse_args()
    if said.db:
        trial(said.db, said)
        return
    with tempfile.TemporaryDirectory() as folder:
        trial(f"sqlite:///{folder}/arena.db", said)
    on_postgresql(said)


def on_postgresql(said: argparse.Namespace) -> None:
    import postgres  # noqa: PLC0415  (needs pytest, which --help does without)

    if postgres.BINARIES is None:
        print("PostgreSQL is not on this machine: there is no /usr/lib/postgresql/*/bin.")
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
    print("  nothing acknowledged was lost, and every match is what its log says")


if __name__ == "__main__":
    main()
