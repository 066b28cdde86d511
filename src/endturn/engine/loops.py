"""The loops around a game's rules: single actions, batches of matches, whole gamelogs, masks, random play.

`rule.kernels` does not import this module. It appends the text below the line to a game's rules, which have the same
names for every game (`refuse`, `perform_within`, `to_act` and so on), and runs the result plain, compiled or on a GPU.

    games    the states: a list of records (plain) or an array of them (compiled, gpu)
    words    the same memory as rows of integers, which copy fast; for plain the list itself
    action   an action as numbers: verb, a, b, c, d
    rows     many actions as numbers: seat, verb, a, b, c, d
    batch    a batch's arrays: `batch.Arrays`
    dice     the seed of a match
    start, stop   the matches that this call works on, so that threads can share a batch
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
)  # purposes of rolls; a game's own are smaller
TRIES = 24
SEAT, VERB, A, B, C, D = 0, 1, 2, 3, 4, 5


@rule
def submit(game, seat, action, dice):
    """Play one action, or return the number of the rule it breaks."""
    reason = refuse(game, seat, action)
    if reason == 0 and ends_turn(action[0]):
        perform_ending(game, seat, action, dice)
    elif reason == 0:
        perform_within(game, seat, action, dice)
    return reason


@rule
def split(row):
    """A row's seat and action, as Python's integers: in plain rules NumPy's would overflow."""
    return int(row[SEAT]), (int(row[VERB]), int(row[A]), int(row[B]), int(row[C]), int(row[D]))


@rule
def first_seat(waiting):
    """The first seat that is to act."""
    for seat in range(SEATS):
        if (waiting >> seat) & 1:
            return seat
    return 0


@rule
def is_legal(game, seat, piece, option):
    """Whether a choice is a legal action."""
    action = action_of(game, piece, option)
    return action[0] >= 0 and refuse(game, seat, action) == 0


@rule
def has_choice(game, seat, piece):
    """Whether the piece has a legal action."""
    if is_idle(game, seat, piece):
        return False
    for option in range(options(game)):
        if is_legal(game, seat, piece, option):
            return True
    return False


@rule
def any_action(game, seat, luck, when):
    """A random legal action: by trial, and after too many misses the first one after a random choice."""
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
    """The prepared start of a new match i."""
    return below(luck, len(pool), MATCH_CHOICE, i, when, 0)


@rule
def new_seed(i, luck, when):
    """The seed of a new match i."""
    high, low, _, _ = philox(luck, RESET, i, when, 0)
    return (high >> 1) << 32 | low


@rule
def begin_again(batch, i, luck, when):
    """Replace match i with a new one."""
    copy_into(batch.words, i, batch.pool, chosen_start(batch.pool, i, luck, when))
    batch.seeds[i] = new_seed(i, luck, when)


@entry
def step_one(games, i, seat, verb, a, b, c, d, dice):
    """Play one action in match i. Returns the number of the rule it breaks, or 0."""
    # Numbers, not a tuple: Numba takes 0.6 us for a call from Python with these, 0.85 us with a tuple.
    return submit(games[i], seat, (verb, a, b, c, d), dice)


@entry
def refuse_one(games, i, seat, verb, a, b, c, d):
    """The number of the rule an action would break, or 0. Nothing changes."""
    return refuse(games[i], seat, (verb, a, b, c, d))


@entry
def waiting_one(games, i):
    """The seats to act (one bit per seat), and the turn."""
    return to_act(games[i]), turn_of(games[i])


@entry
def differing(before, now, columns, found):
    """Find the entries that differ, comparing eight bytes at a time, and copy them from `now` to `before`.

    `columns` holds the offset of each column and the size of its entries. For each column that differs, `found`
    receives its number, the end of its list of entries, and the list. Returns the end of the last list.
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
    """Previews of a seat's next action, as numbers."""
    preview(games[i], seat, out)


@entry
def step_many(batch, rows, reasons, start, stop):
    """Play one action in every match, one row each. Rows with a negative verb are skipped."""
    for i in range(start, stop):
        if rows[i, VERB] >= 0:
            seat, action = split(rows[i])
            reasons[i] = submit(batch.games[i], seat, action, batch.seeds[i])


@entry
def waiting_many(games, waiting, start, stop):
    """The seats to act in every match: one bit per seat, 0 if it is over."""
    for i in range(start, stop):
        waiting[i] = to_act(games[i])


@entry
def begin_many(batch, luck, when, start, stop):
    """Start every match again."""
    for i in range(start, stop):
        begin_again(batch, i, luck, when)


@entry
def restart_many(batch, luck, when, start, stop):
    """Replace every match that is over."""
    for i in range(start, stop):
        if to_act(batch.games[i]) == 0:
            batch.ended[i] += 1
            begin_again(batch, i, luck, when)


@entry
def play_many(batch, luck, begin, steps, start, stop):
    """Random players take `steps` actions in every match; matches that end are replaced.

    Random players choose only legal actions (the contract tests check this), so no rule is asked again.
    """
    games, seeds = batch.games, batch.seeds
    for i in range(start, stop):
        for when in range(begin, begin + steps):
            if to_act(games[i]) == 0:
                batch.ended[i] += 1
                begin_again(batch, i, luck, when)
            seat = first_seat(to_act(games[i]))
            action = random_action(games[i], seat, luck + i, when)
            if ends_turn(action[0]):
                perform_ending(games[i], seat, action, seeds[i])
            else:
                perform_within(games[i], seat, action, seeds[i])


@entry
def choose_many(games, luck, when, rows, start, stop):
    """A random legal action for the first seat to act in every match, as rows; verb -1 if it is over."""
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
    """In every match, the seat's pieces that have a legal action."""
    for i in range(start, stop):
        for piece in range(pieces(games[i])):
            masks[i, piece] = has_choice(games[i], seats[i], piece)


@entry
def option_masks(games, seats, chosen, masks, start, stop):
    """In every match, the legal options of the chosen piece."""
    for i in range(start, stop):
        if 0 <= chosen[i] < pieces(games[i]):
            for option in range(options(games[i])):
                masks[i, option] = is_legal(games[i], seats[i], chosen[i], option)


@entry
def observe_many(games, seats, out, start, stop):
    """The seat's observation in every match."""
    for i in range(start, stop):
        observe(games[i], seats[i], out[i])


@entry
def replay_rows(games, words, i, rows, dice, kept, turns):
    """Play rows in match i, and keep the state at the start of each turn. Stops when `kept` is full.

    Returns the number of rows played, of turns begun, and of the rule that the last row broke (0 if none).
    """
    begun, turn = 0, turn_of(games[i])
    for played in range(len(rows)):
        seat, action = split(rows[played])
        reason = submit(games[i], seat, action, dice)
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
