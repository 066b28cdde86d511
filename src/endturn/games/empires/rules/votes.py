"""Votes on the match (A9, A10): a motion ages, fails, or is carried."""

from endturn.games.empires.actions import Subject
from endturn.games.empires.state import Motion, World

MORE_TURNS = 10  # by which a vote makes a match longer


def age(world: World) -> None:
    """N11: a motion that nobody decided in time fails."""
    if world.motion is not None:
        world.motion.turns_left -= 1
        if world.motion.turns_left <= 0:
            fail(world)


def fail(world: World) -> None:
    """Drop the motion."""
    world.motion = None
    world.tell("vote_failed", None)


def carry(world: World, motion: Motion) -> None:
    """A10: do what the motion asks for."""
    settings = world.settings
    if motion.subject == Subject.END:
        settings["endturn"] = world.turn
    elif motion.subject == Subject.LONGER:
        settings["endturn"] += MORE_TURNS
    else:
        settings["fogofwar"] = not settings["fogofwar"]
    world.motion = None
    world.tell("vote_carried", None, 0, Subject(motion.subject).name.lower())
