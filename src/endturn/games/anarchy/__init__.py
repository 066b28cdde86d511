"""Anarchy: two gangs bribe a city's buildings to burn each other's headquarters down. Its table of contents."""

from endturn.engine.game import Game, Rule
from endturn.games.anarchy import bots, notation, rules, setup, view
from endturn.games.anarchy.actions import (
    EndTurn,
    Extinguish,
    Ignite,
    Intensify,
    KeepTurn,
    Leave,
    Raid,
    Rotate,
    Why,
)
from endturn.games.anarchy.state import City, Settings

WHY = {"resigned": Why.RESIGNED, "timed out": Why.TIMED_OUT, "disconnected": Why.DISCONNECTED}

game = Game(
    name="anarchy",
    title="Anarchy",
    summary="Two gangs bribe a city's buildings: fire, wind forecasts, raids. Burn the enemy headquarters down.",
    version=1,
    seats=view.SEATS,
    state=City,
    settings=Settings,
    profiles={
        "official": {},
        "2017": {
            "wind_crosses_buildings": False,
            "bonus_bribes": "while_burning",
            "headquarters_on_last_turn": False,
        },
        "2022": {
            "max_turns": 200,
            "generator": "stacked",
            "weak_forecasts": True,
            "wind_crosses_buildings": False,
            "bonus_bribes": "never",
            "extinguish_removes": 0,
            "one_headquarters_ends": False,
            "headquarters_on_last_turn": False,
            "late_forecasts": True,
            "refills": True,
            "fire_at_the_edge": False,
        },
    },
    setup=setup.new_city,
    rules={
        Ignite: Rule(rules.refuse_ignite, rules.ignite),
        Extinguish: Rule(rules.refuse_extinguish, rules.extinguish),
        Raid: Rule(rules.refuse_raid, rules.raid),
        Rotate: Rule(rules.refuse_rotate, rules.rotate),
        Intensify: Rule(rules.refuse_intensify, rules.intensify),
        EndTurn: Rule(None, rules.end_turn, ends_turn=True),
        KeepTurn: Rule(rules.refuse_keep_turn, rules.keep_turn),
        Leave: Rule(None, rules.leave, anytime=True),
    },
    refusals=rules.REFUSALS,
    words=view.words,
    to_act=rules.to_act,
    turn=rules.turn,
    outcome=view.outcome,
    default_action=EndTurn(),
    forfeit=lambda why: Leave(WHY[why]),
    pieces=bots.pieces,
    options=bots.options,
    action_of=bots.action_of,
    is_idle=bots.is_idle,
    random_action=bots.random_action,
    view=view.view,
    observe=view.observe,
    observation_size=view.observation_size,
    show=view.show,
    write=notation.write,
    read=notation.read,
    cadre=notation.CADRE,
    bots={"arsonist": bots.Arsonist, "warden": bots.Warden},
)
