"""Around a match: watching, reconnecting, replays, settings, rules, accessibility."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from endturn.games.snowball.setup.maps import frozen_ring, write_map
from web.arena import PROGRAM

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"


def test_spectator_watches_a_running_match(person, arena):
    match, token = arena.begin("catastrophe", "me", "warlord")
    player, guest = person().sit(match, token), person().watch(match)
    guest.see("You are watching this match.")
    player.settle()
    player.page.locator(".buttons .primary").click()
    guest.see("Red ended the turn.")
    assert guest.marks("able") == []


def finished(arena, *bots, **more):
    """A finished match between bots."""
    match, _ = arena.begin("notchess", *bots, **{"settings": {"max_months": 4}, **more})
    deadline = time.monotonic() + 60
    while arena.get(f"matches/{match}")["status"] != "over" and time.monotonic() < deadline:
        time.sleep(0.1)
    return match


def test_finished_match_is_replayed_verified_and_linked(person, arena):
    match = finished(arena, "random", "random")
    one = person(permissions=["clipboard-read", "clipboard-write"]).open(f"#/replay/{match}")
    one.page.wait_for_selector(".verified")
    bar = one.page.get_by_label("Position in the replay", exact=True)
    bar.fill("3")
    one.see("3 of ")
    one.picture("replay")
    one.page.get_by_role("button", name="Copy link to this position").click()
    link = one.page.evaluate("navigator.clipboard.readText()")
    other = person()
    other.page.goto(link)
    other.see("3 of ")
    other.page.get_by_label("Speed").select_option("16 ×")
    other.page.get_by_role("button", name="Play", exact=True).click()
    total = bar.get_attribute("max")
    other.see(f"{total} of {total}")
    with one.page.expect_download() as kept:
        one.page.get_by_role("link", name="Download gamelog").click()
    assert kept.value.suggested_filename.endswith(".jsonl.gz")


def test_weather_drifts_on_the_board(person, arena):
    match = finished(arena, "random", "random", settings={"max_months": 16}, seed="5")
    one = person(reduced_motion="no-preference").open(f"#/replay/{match}")
    one.page.wait_for_selector(".verified")
    one.page.wait_for_selector("[data-ready=yes]")
    moved = """() => {
        const { walks, layers } = document.querySelector('.host').stage
        const above = walks.filter(({ node }) => node.parent === layers.over)
        return above.some(({ from, to }) => from.x !== to.x || from.y !== to.y)
    }"""
    one.page.locator(".host").focus()
    for _ in range(int(one.page.get_by_label("Position in the replay", exact=True).get_attribute("max"))):
        one.page.keyboard.press(".")
        if one.page.evaluate(moved):
            break
    else:
        pytest.fail("no cloud or wind moved in sixteen months")
    one.page.wait_for_function("document.querySelector('.host').stage.walks.length === 0")
    layers = "Object.values(document.querySelector('.host').stage.layers)"
    drawn = one.page.evaluate(f"{layers}.reduce((sum, layer) => sum + layer.children.length, 0)")
    assert drawn == one.page.evaluate("document.querySelector('.host').stage.scene.sprites.length")


def test_what_if_match_starts_from_any_position(person, arena):
    one = person().open(f"#/replay/{finished(arena, 'random', 'random')}")
    one.page.wait_for_selector(".verified")
    one.page.get_by_label("Position in the replay", exact=True).fill("2")
    turn = one.page.locator(".facts").inner_text()
    one.page.get_by_role("tab", name="What if?").click()
    one.page.get_by_role("button", name="Play as Black").click()
    one.page.wait_for_url("**/#/match/*")
    one.page.wait_for_selector("[data-ready=yes]")
    one.see("Your turn")
    assert "Turn" in turn
    one.page.go_back()
    one.page.wait_for_selector(".verified")
    one.page.get_by_role("tab", name="What if?").click()
    one.page.get_by_label("White", exact=True).select_option("chieftain")
    one.page.get_by_role("button", name="Let bots play").click()
    one.page.wait_for_url("**/#/match/*")
    one.see("You are watching this match.")
    one.page.wait_for_selector(".over")
    one.see("chieftain")


def test_marks_on_the_replay_bar_seek(person, arena):
    one = person().open(f"#/replay/{finished(arena, 'chieftain', 'random', settings={'max_months': 8})}")
    one.page.wait_for_selector(".verified")
    mark = one.page.locator(".marks button").first
    assert mark.get_attribute("title").startswith("Turn ")
    mark.click()
    one.page.wait_for_function("document.querySelector('.bar input').valueAsNumber > 0")


def test_reload_in_mid_turn_keeps_the_turn(person, arena):
    one = person().sit(*arena.begin("catastrophe", "me", "warlord"))
    one.settle()
    one.click(one.marks("able")[1])
    one.page.locator(".plain button").first.click()
    one.see("became")
    one.page.reload()
    one.page.wait_for_selector("[data-ready=yes]")
    one.settle()
    one.see("became")
    one.see("Your turn")


def test_client_reconnects_to_a_killed_server(person, arena):
    one = person().sit(*arena.begin("catastrophe", "me", "warlord"))
    one.settle()
    one.page.locator(".buttons .primary").click()
    one.see("Red ended the turn.")
    arena.kill()
    one.see("Connection lost.")
    one.picture("lost")
    arena.start()
    one.see("Reconnected.")
    one.settle()
    one.page.locator(".buttons .primary").click()
    one.page.wait_for_function("document.querySelectorAll('.events li button').length > 3")


def test_invalid_setting_is_explained(person):
    one = person().open("#/new/anarchy")
    assert one.page.get_by_label("Profile").input_value() == "official"
    one.page.get_by_text("All settings").click()
    one.page.get_by_label("Map width").fill("7")
    one.page.get_by_role("button", name="Start match").click()
    one.see("map_width must be even")
    one.page.get_by_label("Map width").fill("8")
    one.page.get_by_role("button", name="Start match").click()
    one.page.wait_for_selector("[data-ready=yes]")


def test_deadline_is_set_in_hours_or_days(person, arena):
    one = person().open("#/new/notchess")
    one.page.get_by_label("Clock").last.select_option("deadline")
    one.page.get_by_label("Time for each turn").last.fill("2")
    assert one.page.get_by_label("Unit").input_value() == "days"
    one.page.get_by_role("button", name="Start match").click()
    one.page.wait_for_selector("[data-ready=yes]")
    one.see("1 d 23 h")
    match = arena.get(f"matches/{one.page.url.rpartition('/')[2]}")
    assert match["clock"]["kind"] == "deadline" and match["clock"]["seconds"] == 2 * 86_400


def test_missing_match_says_so(person):
    person().open("#/match/nothing").see("There is no match")


def test_rules_page_shows_the_legend(person):
    one = person().open("#/rules/anarchy?rule=I1")
    one.page.wait_for_selector("#rule-I1")
    one.see("Weather station: changes the next wind")
    one.picture("rules")


@pytest.mark.parametrize(
    "colours, size",
    [("light", (360, 740)), ("dark", (360, 740)), ("light", (1280, 800))],
    ids=["light phone", "dark phone", "light desktop"],
)
def test_pages_have_no_serious_accessibility_faults(person, arena, colours, size):
    one = person(color_scheme=colours, viewport={"width": size[0], "height": size[1]})
    pages = {"home": "", "new": "#/new/catastrophe", "rules": "#/rules/notchess"}
    for name, path in pages.items():
        one.open(path)
        one.page.reload()
        one.page.wait_for_load_state("networkidle")
        one.page.wait_for_selector("h1")
        check(one, f"{name}-{colours}-{size[0]}")
    one.sit(*arena.begin("snowball", "me", "tactician")).settle()
    check(one, f"match-{colours}-{size[0]}")
    one.open(f"#/replay/{finished(arena, 'random', 'random')}")
    one.page.wait_for_selector(".verified")
    check(one, f"replay-{colours}-{size[0]}")


def test_match_fills_a_very_large_screen(person, arena):
    one = person(color_scheme="dark", viewport={"width": 3840, "height": 2160})
    one.sit(*arena.begin("catastrophe", "me", "warlord")).settle()
    check(one, "match-dark-3840")
    assert one.page.evaluate("document.querySelector('.host').stage.camera.scale") > 80


def check(one, name):
    one.picture(name)
    assert one.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
        f"{name} is too wide"
    )
    one.page.evaluate(AXE.read_text())
    found = one.page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']})")
    serious = [
        f"{each['id']}: {each['nodes'][0]['html'][:160]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == [], json.dumps(serious, indent=1)


def test_events_are_announced_to_screen_readers(person, arena):
    one = person().sit(*arena.begin("anarchy", "me", "arsonist"))
    one.settle()
    one.page.get_by_role("tab", name="Text").click()
    one.page.locator(".text button").first.click()
    one.page.locator(".text li button").first.click()
    one.page.locator(".buttons .primary").click()
    one.page.wait_for_function(
        "[...document.querySelectorAll('[aria-live=polite]')].some((each) => each.textContent.startsWith('Blue '))"
    )


def test_largest_maps_are_drawn(person, arena):
    largest = {
        "anarchy": {"map_width": 100, "map_height": 100, "max_turns": 100},
        "catastrophe": {"map_width": 100, "map_height": 100},
        "snowball": {"map_width": 62, "map_height": 60},
    }
    one = person()
    for game, settings in largest.items():
        one.sit(*arena.begin(game, "me", "random", settings=settings)).settle()
        one.picture(f"largest-{game}")
        shown = one.page.evaluate("document.querySelector('.host').stage.shown.size")
        assert shown == one.page.evaluate("document.querySelector('.host').stage.scene.sprites.length") > 100


def test_offline_replay_opens_without_a_server(person, tmp_path):
    page = tmp_path / "match.html"
    words = ["play", "anarchy", "arsonist", "warden", "--seed", "7", "--set", "max_turns=20", "--html", page]
    subprocess.run([sys.executable, "-c", PROGRAM, *words], check=True, capture_output=True)
    assert page.stat().st_size < 1_000_000
    one = person(offline=True)
    one.page.goto(page.as_uri())
    one.see("Anarchy: arsonist – warden")
    bar = one.page.get_by_label("Position in the replay", exact=True)
    bar.fill(bar.get_attribute("max"))
    one.see("The turn limit was reached")
    one.picture("offline")
    refused = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True)
    assert refused.returncode != 0 and "--force" in refused.stderr


def test_custom_map_is_played_from_a_file(person, tmp_path):
    drawn = tmp_path / "map.txt"
    drawn.write_text("T" + write_map(frozen_ring())[1:])
    one = person().open("#/new/snowball")
    one.page.get_by_text("All settings").click()
    one.page.get_by_label("Map text: or choose a file").set_input_files(drawn)
    one.page.wait_for_function("document.getElementById('setting-map_text').value.startsWith('T')")
    one.picture("map-text")
    one.page.get_by_role("button", name="Start match").click()
    one.page.wait_for_selector("[data-ready=yes]")
    trees = one.page.evaluate(
        "document.querySelector('.host').stage.scene.sprites.filter((each) => each.art === 'tree')"
    )
    assert {"x": 0, "y": 0} in [{"x": each["x"], "y": each["y"]} for each in trees]
