"""Anarchy: two gangs bribe a city's buildings to burn down each other's headquarters."""

from endturn.engine.actions import Actions, Leave, Rule, leaving
from endturn.engine.choices import Choices
from endturn.engine.game import Game, Knowledge, Rules, Text
from endturn.games.anarchy import bots, choices, notation, refusals, rules, setup, text, view
from endturn.games.anarchy.actions import (
    ACTIONS,
    EndTurn,
    Extinguish,
    Ignite,
    Intensify,
    KeepTurn,
    Raid,
    Rotate,
)
from endturn.games.anarchy.state import City, Settings

game = Game(
    name="anarchy",
    title="Anarchy",
    summary="Two gangs bribe a city's buildings: fire, wind forecasts, raids. Burn the enemy headquarters down.",
    version=1,
    seats=text.SEATS,
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
    actions=Actions(
        {
            Ignite: Rule(rules.refuse_ignite, rules.ignite),
            Extinguish: Rule(rules.refuse_extinguish, rules.extinguish),
            Raid: Rule(rules.refuse_raid, rules.raid),
            Rotate: Rule(rules.refuse_rotate, rules.rotate),
            Intensify: Rule(rules.refuse_intensify, rules.intensify),
            EndTurn: Rule(None, rules.end_turn, ends_turn=True),
            KeepTurn: Rule(rules.refuse_keep_turn, rules.keep_turn),
            Leave: Rule(None, rules.leave, anytime=True),
        },
        ACTIONS,
    ),
    rules=Rules(
        state=City,
        setup=setup.new_city,
        to_act=rules.to_act,
        turn=rules.turn,
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
    ),
    text=Text(
        refusals=refusals.REFUSALS,
        words=text.About,
        show=text.show,
        write=notation.write,
        read=notation.read,
    ),
    bots={"arsonist": bots.Arsonist, "warden": bots.Warden},
)
