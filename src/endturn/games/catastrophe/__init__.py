"""Catastrophe: two cat overlords gather humans, food and squads to defeat each other."""

from endturn.engine.actions import Actions, Leave, Rule, leaving
from endturn.engine.choices import Choices
from endturn.engine.game import Game, Knowledge, Rules, Text
from endturn.games.catastrophe import bots, choices, notation, refusals, setup, text, view
from endturn.games.catastrophe.actions import (
    ACTIONS,
    Attack,
    ChangeJob,
    Construct,
    Convert,
    Deconstruct,
    Drop,
    EndTurn,
    Harvest,
    Move,
    Pickup,
    Rest,
)
from endturn.games.catastrophe.rules import combat, labour, previews, supply, turns
from endturn.games.catastrophe.state import Settings, World

SERVER_OF_2017 = {
    "starting_food": 50,
    "upkeep_first": False,
    "gatherers_only": False,
    "construct_acts": False,
    "cost_after_construct": True,
    "deconstructs_underfoot": True,
    "pickup_amount": "by_materials",
    "early_decline": True,
    "humans_together": False,
    "stale_squads": True,
}

game = Game(
    name="catastrophe",
    title="Catastrophe",
    summary="Two cat overlords and their humans: food, energy, structures, squads. Beat the enemy overlord.",
    version=1,
    seats=text.SEATS,
    settings=Settings,
    profiles={
        "official": {},
        "2017": SERVER_OF_2017,
        "2022": {
            **SERVER_OF_2017,
            "neutral_job": "builder",
            "moves_far": True,
            "attacks_far": True,
            "constructs_all": True,
            "deconstructs_underfoot": False,
            "back_to_fresh_human": False,
            "pickup_amount": "as_asked",
            "squads_north_south": True,
            "overlord_first": True,
            "primary_on_last_turn": False,
        },
    },
    actions=Actions(
        {
            Move: Rule(labour.refuse_move, labour.move),
            Attack: Rule(combat.refuse_attack, combat.attack),
            ChangeJob: Rule(labour.refuse_change_job, labour.change_job),
            Construct: Rule(labour.refuse_construct, labour.construct),
            Convert: Rule(labour.refuse_convert, labour.convert),
            Deconstruct: Rule(labour.refuse_deconstruct, labour.deconstruct),
            Harvest: Rule(supply.refuse_harvest, supply.harvest),
            Drop: Rule(supply.refuse_drop, supply.drop),
            Pickup: Rule(supply.refuse_pickup, supply.pickup),
            Rest: Rule(supply.refuse_rest, supply.rest),
            EndTurn: Rule(None, turns.end_turn),
            Leave: Rule(None, turns.leave, anytime=True),
        },
        ACTIONS,
    ),
    rules=Rules(
        state=World,
        setup=setup.new_world,
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
        sampled=frozenset({Drop, Pickup}),
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
        words=text.About,
        show=text.show,
        write=notation.write,
        read=notation.read,
    ),
    bots={"warlord": bots.Warlord},
)
