"""Measures how often one bot beats another, in pairs of matches with the same seed and exchanged seats.

python bench/bots.py                            # Snowball Fight, tactician against random, 100 matches
python bench/bots.py anarchy arsonist warden --matches 20
"""

from argparse import ArgumentParser
from collections import Counter
from typing import NamedTuple

from endturn.bots import bots_of, play
from endturn.engine.match import Match
from endturn.games import find


class Score(NamedTuple):
    """Results and mean length of a bot's matches."""

    won: int
    drawn: int
    lost: int
    turns: int  # mean
    how: dict[str, int]


def measure(name: str, bot: str, opponent: str, matches: int) -> Score:
    """Play an even number of matches, the same way as the tests of the game's bots."""
    game, results, turns, how = find(name), Counter[bool | None](), 0, Counter[str]()
    makers = bots_of(game)
    for number in range(matches):
        seed, seat = number // 2, number % 2
        bots = [makers[opponent](2 * seed), makers[opponent](2 * seed + 1)]
        bots[seat] = makers[bot](seed)
        profile = "automated" if "automated" in game.profiles else None
        match = Match(game, game.configure(profile), seed=seed)
        outcome = play(match, bots)
        results[None if outcome.winner is None else outcome.winner == seat] += 1
        turns += match.turn
        how[outcome.how] += 1
    return Score(results[True], results[None], results[False], turns // matches, dict(how))


def main() -> None:
    asked = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("game", nargs="?", default="snowball")
    asked.add_argument("bot", nargs="?", default="tactician")
    asked.add_argument("opponent", nargs="?", default="random")
    asked.add_argument("--matches", type=int, default=100)
    said = asked.parse_args()
    score = measure(said.game, said.bot, said.opponent, said.matches)
    print(f"{said.game}: {said.bot} against {said.opponent}: {score.won} of {said.matches} won, ", end="")
    print(f"{score.drawn} drawn, {score.lost} lost; {score.turns} turns on average; {score.how}")


if __name__ == "__main__":
    main()
