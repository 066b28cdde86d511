"""Anarchy: two gangs bribe a city's buildings to burn each other's headquarters down. Its table of contents."""

from endturn.engine.actions import Actions, Leave, Rule, leaving
from endturn.engine.choices import Choices
from endturn.engine.game import Game, Knowledge, Rules, Text
from endturn.games.anarchy import bots, notation, rules, setup, view
from endturn.games.anarchy.actions import (
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
    seats=view.SEATS,
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
        }
    ),
    rules=Rules(
        state=City,
        setup=setup.new_city,
        to_act=rules.to_act,
        turn=rules.turn,
        outcome=view.outcome,
        default_action=EndTurn(),
        forfeit=leaving,
    ),
    choices=Choices(
        pieces=bots.pieces,
        options=bots.options,
        action_of=bots.action_of,
        is_idle=bots.is_idle,
        random_action=bots.random_action,
    ),
    knowledge=Knowledge(
        view=view.view,
        one_view=True,
        observe=view.observe,
        observation_size=view.observation_size,
    ),
    text=Text(
        refusals=rules.REFUSALS,
        words=view.About,
        show=view.show,
        write=notation.write,
        read=notation.read,
    ),
    bots={"arsonist": bots.Arsonist, "warden": bots.Warden},
)
