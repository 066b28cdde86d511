"""Snowball Fight: two teams throw snowballs from behind cover. This module lists its parts."""

from endturn.engine.actions import Actions, Leave, Rule, leaving
from endturn.engine.choices import Choices
from endturn.engine.game import Game, Knowledge, Rules, Text
from endturn.engine.parts import Maps
from endturn.games.snowball import bots, choices, notation, refusals, setup, text, view
from endturn.games.snowball.actions import (
    ACTIONS,
    Attack,
    Defend,
    Delay,
    Dismiss,
    HelpAlly,
    Move,
    Pick,
    Place,
    Ready,
    Rearm,
    Reconsider,
    Recruit,
    Stand,
)
from endturn.games.snowball.rules import moving, muster, previews, tending, throwing, turns
from endturn.games.snowball.setup import maps
from endturn.games.snowball.state import Battle, Settings

game = Game(
    name="snowball",
    title="Snowball Fight",
    summary="Two teams behind trees and mounds: an initiative queue, cover, ice, aimed throws. Knock all enemies out.",
    version=2,
    seats=text.SEATS,
    settings=Settings,
    profiles={"official": {}, "automated": {"max_ticks": 12000}},
    actions=Actions(
        {
            Pick: Rule(muster.refuse_pick, muster.pick),
            Recruit: Rule(muster.refuse_recruit, muster.recruit, hidden=True),
            Dismiss: Rule(muster.refuse_dismiss, muster.dismiss, hidden=True),
            Place: Rule(muster.refuse_place, muster.place, hidden=True),
            Ready: Rule(muster.refuse_ready, muster.make_ready),
            Move: Rule(moving.refuse_move, moving.move),
            Attack: Rule(throwing.refuse_attack, throwing.attack),
            Rearm: Rule(tending.refuse_rearm, tending.rearm),
            Defend: Rule(tending.refuse_defend, tending.defend),
            Delay: Rule(muster.refuse_delay, muster.delay_or_ready),
            Stand: Rule(tending.refuse_stand, tending.stand),
            HelpAlly: Rule(tending.refuse_help_ally, tending.help_ally),
            Reconsider: Rule(muster.refuse_reconsider, muster.reconsider, anytime=True),
            Leave: Rule(None, turns.leave, anytime=True),
        },
        ACTIONS,
    ),
    rules=Rules(
        state=Battle,
        setup=setup.new_battle,
        to_act=muster.to_act,
        turn=turns.turn,
        outcome=text.outcome,
        default_action=Delay(),
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
        conceal=view.conceal,
        observe=view.observe,
        observation_size=view.observation_size,
        foresee=view.foresee,
        preview=previews.foresee,
        preview_size=previews.preview_size,
    ),
    text=Text(
        refusals=refusals.REFUSALS,
        words=text.words,
        show=text.show,
        write=notation.write,
        read=notation.read,
    ),
    maps=Maps(example=maps.example, check=maps.check, settings=maps.settings),
    bots={"tactician": bots.Tactician},
)
