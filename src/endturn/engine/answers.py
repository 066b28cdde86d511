"""Answers to an action: accepted, refused by a rule, or malformed."""

import msgspec

MATCH_OVER, NOT_YOUR_TURN, NO_SUCH_ACTION = 1, 2, 3  # refusals of every game; a game's own numbers start at 4


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The action was played. `turn` is the turn after it."""

    turn: int


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """The action breaks a rule. `reason` says what is wrong, then what would be right."""

    rule: str
    reason: str


class Malformed(msgspec.Struct, frozen=True, gc=False):
    """The message is not an action. `reason` names the place in the message."""

    reason: str


COMMON_REFUSALS = {
    MATCH_OVER: Refusal("over", "The match is over."),
    NOT_YOUR_TURN: Refusal("turn", "It is another seat's turn."),
    NO_SUCH_ACTION: Refusal("action", "There is no such action."),
}
