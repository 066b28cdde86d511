"""The loops around a game's rules: one action, many matches, whole gamelogs, masks, random play.

This is a text more than a module: `rule.kernels` sets it behind a game's rules (`refuse`, `perform`, `to_act`
and so on, under these names for every game) and runs the result plain, compiled or on a GPU. Everything below
the line is part of it.

    games   the states: a list of records (plain) or an array of them (compiled, gpu)
    words   the same memory as rows of whole numbers, which copy fast; for plain the list itself
    pool    prepared starts, as words
    row     an action as numbers: seat, verb, a, b, c, d
    dice    the seed of a match
    start, stop   the part of the matches that this call works on, so that threads can share a batch
"""

from typing import Any

from endturn.engine.dice import below, philox
from endturn.engine.rule import rule

entry: Any
copy_into: Any
ends_turn: Any
SEATS: int
refuse: Any
perform_within: Any
perform_ending: Any
to_act: Any
turn_of: Any
pieces: Any
options: Any
action_of: Any
is_idle: Any
random_action: Any
observe: Any
preview: Any

# --- the loops ---

MATCH_CHOICE, RESET, ANY_ACTION = (
    1 << 16,
    (1 << 16) + 1,
    (1 << 16) + 2,
)  # purposes of rolls, beyond any game's own
TRIES = 24
SEAT, VERB, A, B, C, D = 0, 1, 2, 3, 4, 5


@rule
def submit(game, seat, verb, a, b, c, d, dice):
    """Play one action, or say which rule it breaks."""
    reason = refuse(game, seat, verb, a, b, c, d)
    if reason == 0 and ends_turn(verb):
        perform_ending(game, seat, verb, a, b, c, d, dice)
    elif reason == 0:
        perform_within(game, seat, verb, a, b, c, d, dice)
    return reason


@rule
def first_seat(waiting):
    """The first seat of those that are to act."""
    for seat in range(SEATS):
        if (waiting >> seat) & 1:
            return seat
    return 0


@rule
def is_legal(game, seat, piece, option):
    """Whether the numbered choice is an action, and one that no rule forbids."""
    verb, a, b, c, d = action_of(game, piece, option)
    return verb >= 0 and refuse(game, seat, verb, a, b, c, d) == 0


@rule
def has_choice(game, seat, piece):
    """Whether the piece can do anything at all."""
    if is_idle(game, seat, piece):
        return False
    for option in range(options(game)):
        if is_legal(game, seat, piece, option):
            return True
    return False


@rule
def any_action(game, seat, luck, when):
    """A legal action: drawn, and after too many misses the first one behind a random place."""
    many, each = pieces(game), options(game)
    number = 0
    for tries in range(TRIES):
        number = below(luck, many * each, ANY_ACTION, seat, when, tries)
        if is_legal(game, seat, number // each, number % each):
            return action_of(game, number // each, number % each)
    for _ in range(many * each):
        number = (number + 1) % (many * each)
        if is_legal(game, seat, number // each, number % each):
            return action_of(game, number // each, number % each)
    return -1, 0, 0, 0, 0


@rule
def chosen_start(pool, i, luck, when):
    """Which of the prepared starts a new match in place i begins with."""
    return below(luck, len(pool), MATCH_CHOICE, i, when, 0)


@rule
def new_seed(i, luck, when):
    """The seed of a new match in place i."""
    high, low, _, _ = philox(luck, RESET, i, when, 0)
    return (high >> 1) << 32 | low


@rule
def begin_again(words, seeds, pool, i, luck, when):
    """Put a new match in the place of one that is over."""
    copy_into(words, i, pool, chosen_start(pool, i, luck, when))
    seeds[i] = new_seed(i, luck, when)


@entry
def step_one(games, i, seat, verb, a, b, c, d, dice):
    """One action in match i; the number of the rule it breaks, or 0."""
    return submit(games[i], seat, verb, a, b, c, d, dice)


@entry
def refuse_one(games, i, seat, verb, a, b, c, d):
    """The number of the rule an action would break, or 0; nothing changes."""
    return refuse(games[i], seat, verb, a, b, c, d)


@entry
def waiting_one(games, i):
    """Who is to act (a bit a seat), and which turn it is."""
    return to_act(games[i]), turn_of(games[i])


@entry
def differing(before, now, columns, found):
    """Which entries of which columns differ, looked for in words of eight bytes; then they are the same.

    `columns` has where each column begins, and how large an entry is. Into `found` goes each column that differs: its
    number, where its entries end, and they themselves. Gives where the last one's end.
    """
    column, last, head, end = 0, -1, 0, 0
    for word in range(len(before)):
        apart = before[word] ^ now[word]
        if apart != 0:
            before[word] = now[word]
            for byte in range(8):
                if (apart >> 8 * byte) & 255 != 0:
                    place = 8 * word + byte
                    while column + 1 < len(columns) and columns[column + 1, 0] <= place:
                        column += 1
                        last = -1
                    if last == -1:
                        found[end] = column
                        head, end = end + 1, end + 2
                    entry = (place - columns[column, 0]) // columns[column, 1]
                    if entry != last:
                        found[end] = last = entry
                        end += 1
                        found[head] = end
    return end


@entry
def random_one(games, i, seat, luck, when):
    """A random legal action for a seat."""
    return random_action(games[i], seat, luck, when)


@entry
def preview_one(games, i, seat, out):
    """What may come of a seat's next action, as numbers."""
    preview(games[i], seat, out)


@entry
def step_many(games, seeds, rows, reasons, start, stop):
    """One action in every match, a row each; a row whose verb is negative is left out.

    Plain rules want Python's own integers, not NumPy's.
    """
    for i in range(start, stop):
        if rows[i, VERB] >= 0:
            a, b, c, d = int(rows[i, A]), int(rows[i, B]), int(rows[i, C]), int(rows[i, D])
            reasons[i] = submit(games[i], int(rows[i, SEAT]), int(rows[i, VERB]), a, b, c, d, seeds[i])


@entry
def waiting_many(games, waiting, start, stop):
    """Who is to act in every match: a bit a seat, 0 where it is over."""
    for i in range(start, stop):
        waiting[i] = to_act(games[i])


@entry
def begin_many(words, seeds, pool, luck, when, start, stop):
    """Begin every match anew."""
    for i in range(start, stop):
        begin_again(words, seeds, pool, i, luck, when)


@entry
def restart_many(games, words, seeds, pool, luck, when, ended, start, stop):
    """Begin again wherever a match is over."""
    for i in range(start, stop):
        if to_act(games[i]) == 0:
            ended[i] += 1
            begin_again(words, seeds, pool, i, luck, when)


@entry
def play_many(games, words, seeds, pool, luck, begin, steps, ended, start, stop):
    """Random players make `steps` actions in every match; where one ends, another begins.

    What they choose is legal (the contract's tests see to that), so it is not asked about a second time.
    """
    for i in range(start, stop):
        for when in range(begin, begin + steps):
            if to_act(games[i]) == 0:
                ended[i] += 1
                begin_again(words, seeds, pool, i, luck, when)
            seat = first_seat(to_act(games[i]))
            verb, a, b, c, d = random_action(games[i], seat, luck + i, when)
            if ends_turn(verb):
                perform_ending(games[i], seat, verb, a, b, c, d, seeds[i])
            else:
                perform_within(games[i], seat, verb, a, b, c, d, seeds[i])


@entry
def choose_many(games, luck, when, rows, start, stop):
    """A random legal action for whoever is to act in every match, as rows; verb -1 where it is over."""
    for i in range(start, stop):
        waiting = to_act(games[i])
        rows[i, VERB] = -1
        if waiting != 0:
            seat = first_seat(waiting)
            verb, a, b, c, d = random_action(games[i], seat, luck + i, when)
            rows[i, SEAT], rows[i, VERB] = seat, verb
            rows[i, A], rows[i, B], rows[i, C], rows[i, D] = a, b, c, d


@entry
def piece_masks(games, seats, masks, start, stop):
    """For every match the pieces that have a legal action for the seat."""
    for i in range(start, stop):
        for piece in range(pieces(games[i])):
            masks[i, piece] = has_choice(games[i], seats[i], piece)


@entry
def option_masks(games, seats, chosen, masks, start, stop):
    """For every match the legal options of its chosen piece."""
    for i in range(start, stop):
        if 0 <= chosen[i] < pieces(games[i]):
            for option in range(options(games[i])):
                masks[i, option] = is_legal(games[i], seats[i], chosen[i], option)


@entry
def observe_many(games, seats, out, start, stop):
    """What the seat sees in every match, as numbers."""
    for i in range(start, stop):
        observe(games[i], seats[i], out[i])


@entry
def replay_rows(games, words, i, rows, dice, kept, turns):
    """Play rows in match i; keep the state of each turn's beginning, and stop when `kept` has no room left for one.

    Gives the number of rows played, of turns begun, and of the rule that the last row broke (0 for none).
    """
    begun, turn = 0, turn_of(games[i])
    for played in range(len(rows)):
        row = rows[played]
        a, b, c, d = int(row[A]), int(row[B]), int(row[C]), int(row[D])
        reason = submit(games[i], int(row[SEAT]), int(row[VERB]), a, b, c, d, dice)
        if reason != 0:
            return played, begun, reason
        if turn_of(games[i]) != turn:
            if begun == len(kept):
                return played + 1, begun, 0
            turn = turn_of(games[i])
            copy_into(kept, begun, words, i)
            turns[begun] = played + 1
            begun += 1
    return len(rows), begun, 0
