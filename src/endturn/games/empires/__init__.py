"""Empires: peoples found cities, study, build and outlast each other. Its table of contents."""

from endturn.engine.actions import Actions, Leave, Rule, leaving
from endturn.engine.choices import Choices
from endturn.engine.game import Game, Knowledge, Rules, Storage, Text
from endturn.games.empires import bots, notation, setup, view
from endturn.games.empires.actions import (
    Aim,
    Arrange,
    Ballot,
    Build,
    Buy,
    Call,
    CancelPact,
    Disband,
    Employ,
    Found,
    Go,
    Launch,
    Move,
    PhaseDone,
    Plan,
    Release,
    Retrain,
    Revolt,
    Sell,
    SetRates,
    Study,
    Unplan,
    Work,
)
from endturn.games.empires.rules import commanding, governing, planning
from endturn.games.empires.rules.refusals import REFUSALS
from endturn.games.empires.state import World

game = Game(
    name="empires",
    title="Empires",
    summary="Found cities, study, build, and see further than the others: a 4X whose turn changes are freeciv's.",
    version=2,
    seats=setup.seat_names(setup.Settings()),
    seats_for=setup.seat_names,
    settings=setup.Settings,
    actions=Actions(
        {
            PhaseDone: Rule(None, governing.phase_done, ends_turn=True),
            SetRates: Rule(governing.refuse_set_rates, governing.set_rates, hidden=True),
            Study: Rule(governing.refuse_study, governing.study, hidden=True),
            Aim: Rule(governing.refuse_aim, governing.aim, hidden=True),
            Revolt: Rule(governing.refuse_revolt, governing.revolt, hidden=True),
            CancelPact: Rule(governing.refuse_cancel_pact, governing.cancel_pact, hidden=True),
            Launch: Rule(governing.refuse_launch, governing.launch, reveals=True),
            Call: Rule(governing.refuse_call, governing.call, reveals=True),
            Ballot: Rule(governing.refuse_ballot, governing.ballot, reveals=True),
            Build: Rule(planning.refuse_build, planning.build, hidden=True),
            Plan: Rule(planning.refuse_plan, planning.plan, hidden=True),
            Unplan: Rule(planning.refuse_unplan, planning.unplan, hidden=True),
            Buy: Rule(planning.refuse_buy, planning.buy, hidden=True),
            Sell: Rule(planning.refuse_sell, planning.sell, hidden=True),
            Arrange: Rule(planning.refuse_arrange, planning.arrange, hidden=True),
            Release: Rule(planning.refuse_release, planning.release, hidden=True),
            Employ: Rule(planning.refuse_employ, planning.employ, hidden=True),
            Retrain: Rule(planning.refuse_retrain, planning.retrain, hidden=True),
            Move: Rule(commanding.refuse_move, commanding.move, hidden=True, reveals=True),
            Go: Rule(commanding.refuse_go, commanding.go, hidden=True, reveals=True),
            Work: Rule(commanding.refuse_work, commanding.work, hidden=True, reveals=True),
            Found: Rule(commanding.refuse_found, commanding.found, hidden=True, reveals=True),
            Disband: Rule(commanding.refuse_disband, commanding.disband, hidden=True),
            Leave: Rule(governing.refuse_leave, governing.leave, anytime=True),
        }
    ),
    rules=Rules(
        state=World,
        setup=setup.new_match,
        to_act=governing.to_act,
        turn=governing.turn,
        outcome=view.outcome,
        default_action=PhaseDone(),
        forfeit=leaving,
    ),
    choices=Choices(
        pieces=bots.pieces,
        options=bots.options,
        action_of=bots.action_of,
        is_idle=bots.is_idle,
        sampled=frozenset({Go, SetRates}),
        random_action=bots.random_action,
    ),
    knowledge=Knowledge(
        view=view.view,
        conceal=view.conceal,
    ),
    text=Text(
        refusals=REFUSALS,
        words=view.words,
        show=view.show,
        write=notation.write,
        read=notation.read,
    ),
    storage=Storage(
        copy=notation.copy,
        dump=notation.dump,
        load=notation.load,
        compiles=False,
    ),
    bots={"steward": bots.Steward},
)
