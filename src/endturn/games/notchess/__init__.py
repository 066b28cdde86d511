"""Not-Chess: two capitals on a board with terrain, seasons and weather. This module lists its parts."""

from endturn.engine.actions import Actions, Leave, Rule, leaving
from endturn.engine.choices import Choices
from endturn.engine.game import Game, Knowledge, Rules, Text
from endturn.games.notchess import bots, choices, notation, refusals, setup, text, view
from endturn.games.notchess.actions import ACTIONS, Attack, EndTurn, Move, Raise, Settle
from endturn.games.notchess.rules import combat, moving, placing, previews, turns
from endturn.games.notchess.state import Board, Settings

game = Game(
    name="notchess",
    title="Not-Chess",
    summary="Peasants, warriors, archers and riders under snow, ice, rain and wind. Enter the enemy capital.",
    version=3,
    seats=text.SEATS,
    settings=Settings,
    profiles={
        "seed": {},
        "latest": {
            "summer_rain": False,
            "heavy_rain_misses": True,
            "rain_melts_snow": True,
            "flood": True,
            "drought": True,
        },
    },
    actions=Actions(
        {
            Settle: Rule(placing.refuse_settle, placing.settle, ends_turn=True),
            Raise: Rule(placing.refuse_raise, placing.raise_figure),
            Move: Rule(moving.refuse_move, moving.move),
            Attack: Rule(combat.refuse_attack, combat.attack),
            EndTurn: Rule(None, turns.end_turn, ends_turn=True),
            Leave: Rule(None, turns.leave, anytime=True),
        },
        ACTIONS,
    ),
    rules=Rules(
        state=Board,
        setup=setup.new_board,
        to_act=turns.to_act,
        turn=turns.turn,
        outcome=text.outcome,
        default_action=EndTurn(),
        forfeit=leaving,
    ),
    choices=Choices(
        pieces=choices.pieces,
        options=choices.options,
        action_of=choices.action_of,
        is_idle=choices.is_idle,
        random_action=choices.random_action,
    ),
    knowledge=Knowledge(
        view=view.view,
        one_view=True,
        observe=view.observe,
        observation_size=view.observation_size,
        foresee=previews.foresee,
    ),
    text=Text(
        refusals=refusals.REFUSALS,
        words=text.words,
        show=text.show,
        write=notation.write,
        read=notation.read,
    ),
    bots={"chieftain": bots.Chieftain},
)
