"""People play whole matches by mouse, keyboard and touch, and against each other by link."""

from pathlib import Path

import pytest

from games.notchess.position import notation
from web.arena import PROGRAM, Arena, Person

SHORT = {
    "anarchy": ("arsonist", {"max_turns": 6, "map_width": 12, "map_height": 8}),
    "catastrophe": ("warlord", {"max_turns": 6}),
    "snowball": ("tactician", {"max_ticks": 150}),
    "notchess": ("random", {"max_months": 3}),
    "empires": ("steward", {"width": 24, "height": 16, "last_turn": 5}),
}
TRIES = 120  # more clicks than any match here needs


def act_by_mouse(one):
    """Choose a marked piece and play one of its actions, if it has one."""
    ready = one.marks("able")
    if ready and not one.marks("selected"):
        one.attempt(lambda: one.click(ready[0]))
    targets = one.marks("danger") + one.marks("target")
    if targets and not one.page.locator(".bubble.menu button").count():
        one.attempt(lambda: one.click(targets[0]))
    if one.page.locator(".bubble.menu button").count():
        one.attempt(one.page.locator(".bubble.menu button").first.click)


def end_turn(one):
    one.settle()
    if not one.over():
        one.after(one.page.locator(".buttons .primary").click)


@pytest.mark.parametrize("game", SHORT)
def test_whole_match_is_played_by_mouse(person, arena, game):
    bot, settings = SHORT[game]
    one = person().sit(*arena.begin(game, "me", bot, settings=settings))
    for _ in range(TRIES):
        one.settle()
        if one.over():
            break
        act_by_mouse(one)
        end_turn(one)
    one.page.wait_for_selector(".over")
    one.picture(f"{game}-over")
    assert one.page.locator(".events li button").count() > 2


def test_turn_ends_without_choosing_the_only_active_piece(person, arena):
    one = person().sit(*arena.begin("snowball", "me", "tactician", settings={"max_ticks": 150}))
    for _ in range(TRIES):
        if one.marks("selected"):
            break
        end_turn(one)
        one.settle()
    one.after(lambda: one.click(one.marks("selected")[0]))
    assert not one.marks("selected")
    one.after(one.page.locator(".buttons .primary:not(:disabled)").click)


def test_game_without_drawings_is_playable(person, arena):
    one = person().sit(*arena.begin("notchess", "me", "random", settings={"max_months": 2}))
    one.page.goto(one.page.url + "?plain")
    one.settle()
    drawn = one.page.evaluate("document.querySelector('.host').stage.scene.sprites.map((each) => each.art)")
    assert "letter:K/0" in drawn
    one.page.locator(".plain button", has_text="Raise: kind rook").first.click()
    one.page.wait_for_selector(".events li button")
    one.picture("undrawn")
    for _ in range(4):
        end_turn(one)
    one.page.wait_for_selector(".over")


# Pig from docs/adding-a-game.md: a registered game that the client does not know.
WITH_PIG = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
import endturn.games
endturn.games.GAMES["pig"] = "toy_game"
{PROGRAM}
"""


def test_new_game_is_playable_without_client_files(browser, tmp_path):
    arena = Arena(tmp_path, WITH_PIG)
    try:
        one = Person(browser, arena).open()
        one.page.locator("article", has_text="Pig").get_by_role("button", name="Play now").click()
        one.page.wait_for_selector("[data-ready=yes]")
        one.page.get_by_role("button", name="Roll").click()
        one.page.wait_for_selector(".events li button")
        one.picture("new-game")
        one.close()
    finally:
        arena.kill()


def test_clicked_cell_lists_its_actions_without_drawings(person, arena):
    one = person().sit(*arena.begin("empires", "me", "random", settings=SHORT["empires"][1], seed="3"))
    one.settle()
    listed = one.page.locator("section[aria-label=Actions] .plain button")
    before = listed.count()
    one.after(lambda: one.click(one.marks("able")[0]))
    one.page.get_by_label("Kind").select_option("move")
    one.page.wait_for_function("document.querySelector('.plain button').innerText.includes('heading')")
    assert 0 < listed.count() < before
    targets = one.marks("target")
    one.after(lambda: one.click(targets[0]))
    if one.page.locator(".bubble.menu button").count():
        one.page.locator(".bubble.menu button", has_text="Move").first.click()
    one.page.wait_for_selector(".events li button")
    one.picture("empires")


def test_figure_shows_path_costs_and_previews(person, arena):
    where = notation("N4.5 B2.7", "P6.6", turn=6, begun=1)
    one = person().sit(*arena.begin("notchess", "me", "random", position=where))
    one.settle()
    one.after(lambda: one.click({"x": 3, "y": 4}))
    one.page.wait_for_function("document.querySelector('.host').stage.last.some((mark) => mark.text === '2')")
    near = next(mark for mark in one.marks("target") if mark["text"] == "1")
    one.page.mouse.move(*one.point(near))
    one.see("Costs 1 of 2 movement")
    one.picture("costs")


def test_newcomer_starts_a_match_with_one_click(person):
    one = person(bypass_csp=False).open()
    one.page.get_by_role("button", name="Settings").click()
    assert not one.page.get_by_label("Sound").is_checked()
    one.page.get_by_role("button", name="Play now").first.click()
    one.page.wait_for_selector("[data-ready=yes]")
    one.see("Your turn")


def test_match_is_played_by_keyboard_alone(person, arena):
    one = person().sit(*arena.begin("anarchy", "me", "warden", settings=SHORT["anarchy"][1]))
    one.settle()
    one.page.locator(".host").focus()
    chosen = "document.querySelector('.host').stage.last.some((mark) => mark.kind === 'selected')"
    for _ in range(TRIES):  # a weather station has no targets
        one.page.keyboard.press("n")
        one.page.keyboard.press("Enter")
        one.page.wait_for_function(chosen)
        if one.marks("target"):
            break
        one.page.keyboard.press("Escape")
        one.page.wait_for_function(f"!{chosen}")
    one.page.keyboard.press("n")
    one.page.keyboard.press("Enter")
    one.page.wait_for_selector(".events li button")
    before = one.page.locator(".facts").inner_text()
    one.page.keyboard.press("e")
    one.page.wait_for_function(
        "(before) => document.querySelector('.facts').innerText !== before", arg=before
    )
    one.see("ended the turn")


def test_match_is_played_by_touch_on_a_phone(person, arena):
    one = person(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    one.sit(*arena.begin("catastrophe", "me", "warlord", settings={"max_turns": 20}))
    one.settle()
    one.tap(one.marks("able")[1])
    one.page.wait_for_function("document.querySelector('.host').stage.last.some((m) => m.kind === 'target')")
    one.picture("phone-catastrophe")
    one.tap(one.marks("target")[0])
    one.page.wait_for_function(
        "document.querySelector('.bubble.menu') || document.querySelector('.events li button')"
    )
    wide = one.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


def test_two_people_play_each_other_by_link(person, arena):
    match, token = arena.begin("notchess", "me", "link", public=False)
    white = person().sit(match, token)
    link = white.page.locator(".invite input").input_value()
    black = person()
    black.page.goto(link)
    black.page.get_by_role("button", name="Play as Black").click()
    black.page.wait_for_selector("[data-ready=yes]")
    white.settle()
    end_turn(white)
    black.see("Your turn")
    end_turn(black)
    white.see("Your turn")
    white.page.get_by_role("tab", name="Chat").click()
    white.page.get_by_label("Write a message").fill("Good luck!")
    white.page.keyboard.press("Enter")
    black.page.get_by_role("tab", name="Chat").click()
    black.see("Good luck!")


def test_seat_is_kept_if_the_answer_is_lost(person, arena):
    match, _ = arena.begin("notchess", "me", "link", public=False)
    black, lost = person(), []

    def lose(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)  # the server gives the seat, but its answer is lost
        route.abort()

    black.page.route("**/seats", lose)
    black.open(f"#/join/{match}")
    black.page.get_by_role("button", name="Play as Black").click()
    black.page.wait_for_selector("[data-ready=yes]")
    assert lost == [201] and all(seat["taken"] for seat in arena.get(f"matches/{match}")["seats"])


def test_refusal_with_its_rule_appears_beside_the_cell(person, arena):
    one = person().sit(*arena.begin("anarchy", "me", "warden"))
    one.settle()
    theirs = one.page.evaluate(
        "() => { const s = document.querySelector('.host').stage.scene;"
        " return s.sprites.find((each) => each.art === 'warehouse/1') }"
    )
    one.click(theirs)
    one.page.wait_for_selector(".tip.refused")
    assert "(B2)" in one.page.locator(".tip").inner_text()
    one.picture("refused")


def test_undo_takes_back_an_action(person, arena):
    one = person().sit(*arena.begin("catastrophe", "me", "warlord"))
    one.settle()
    one.click(one.marks("able")[1])
    one.page.wait_for_function("document.querySelector('.host').stage.last.some((m) => m.kind === 'target')")
    moves = one.page.locator(".plain button").first
    moves.click()
    one.see("became")
    one.page.get_by_role("button", name="Undo").click()
    one.see("took back the last action")


def test_resigning_asks_for_confirmation(person, arena):
    one = person().sit(*arena.begin("anarchy", "me", "warden"))
    one.settle()
    one.page.get_by_role("button", name="Resign").click()
    one.page.get_by_role("button", name="Yes, resign").click()
    one.see("You lost.")


def test_animation_can_be_skipped(person, arena):
    one = person(reduced_motion="no-preference").sit(*arena.begin("anarchy", "me", "arsonist"))
    one.settle()
    one.page.locator(".buttons .primary").click()
    one.page.locator(".skip.small").click()
    one.page.wait_for_function("document.querySelector('.caption') === null")
    one.see("Your turn")
