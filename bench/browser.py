"""How heavy and how quick the browser client is: page weight, first paint, first move, redraws of the largest boards.

python bench/browser.py     starts a server of its own, and Chromium
"""

import gzip
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import sync_playwright  # noqa: E402

from web.arena import ARGUMENTS, CHROMIUM, STATIC, Arena, Person  # noqa: E402

LARGEST = {
    "anarchy": {"map_width": 100, "map_height": 100, "max_turns": 100},
    "catastrophe": {"map_width": 100, "map_height": 100},
    "snowball": {"map_width": 62, "map_height": 60},
    "notchess": {"width": 30, "height": 18},
}
# Everything on the board changes each time, which no single action does.
REDRAWS = """() => {
    const stage = document.querySelector('.host').stage, costs = [], was = stage.scene
    const changed = (part) => part.map((each) => ({ ...each, alpha: (each.alpha ?? 1) * 0.9 }))
    const other = { ...was, areas: changed(was.areas), sprites: changed(was.sprites) }
    for (let i = 0; i < 20; i++) { stage.show(i % 2 ? was : other, 0); costs.push(stage.cost) }
    return costs.sort((a, b) => a - b)
}"""


def main() -> None:
    weigh()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        arena = Arena(folder)
        try:
            first_move(browser, arena)
            redraws(browser, arena)
        finally:
            arena.kill()
            browser.close()


def weigh() -> None:
    files = [STATIC, *STATIC.parent.glob("assets/*")]
    sizes = [len(gzip.compress(file.read_bytes())) for file in files]
    print(f"page weight, all files, compressed: {sum(sizes) / 1000:.0f} kB")


def first_move(browser, arena) -> None:
    print(
        f"first paint of the home page, best of five: {min(first_paint(browser, arena) for _ in range(5)):.0f} ms"
    )
    one = Person(browser, arena).open()
    started = time.monotonic()
    one.page.get_by_role("button", name="Play now").first.click()
    one.page.wait_for_selector("[data-ready=yes]")
    one.settle()
    print(f"from a click on Play now until one can act: {time.monotonic() - started:.1f} s")


def first_paint(browser, arena) -> float:
    one = Person(browser, arena).open()
    one.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    paint = one.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    one.close()
    return float(paint)


def redraws(browser, arena) -> None:
    one = Person(browser, arena)
    for game, settings in LARGEST.items():
        one.sit(*arena.begin(game, "me", "random", settings=settings)).settle()
        costs = one.page.evaluate(REDRAWS)
        sprites = one.page.evaluate("document.querySelector('.host').stage.scene.sprites.length")
        middle, worst = costs[len(costs) // 2], costs[-1]
        print(f"redraw of {game}'s largest map, {sprites} drawings: {middle:.1f} ms, at worst {worst:.1f} ms")


if __name__ == "__main__":
    main()
