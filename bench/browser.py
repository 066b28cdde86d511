"""Measures the browser client: download size, first paint, first move, and redraws of the largest boards.

python bench/browser.py [--fresh] [--save]

Starts its own server and Chromium. `--fresh` also runs `make serve` in a fresh clone and plays a newcomer's first
action there. `--save` writes the figures to the section Browser of bench/RESULTS.md.
"""

import argparse
import gzip
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import sync_playwright  # noqa: E402

from endturn.games import find  # noqa: E402
from web.arena import ARGUMENTS, CHROMIUM, PROGRAM, STATIC, Arena, Person  # noqa: E402

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "RESULTS.md"
BEGIN, END = "<!-- browser: written by browser.py --save -->", "<!-- end of browser -->"
REDRAWS = 40
LARGEST = {
    "anarchy": {"map_width": 100, "map_height": 100, "max_turns": 100},
    "catastrophe": {"map_width": 100, "map_height": 100},
    "snowball": {"map_width": 62, "map_height": 60},
    "notchess": {"width": 30, "height": 18},
}
# Changes every drawing, area and mark on the board each time, which no single action does.
REDRAW = """(times) => {
    const stage = document.querySelector('.host').stage, was = stage.scene, marks = stage.last
    const changed = (part) => part.map((each) => ({ ...each, alpha: (each.alpha ?? 1) * 0.9 }))
    const other = { ...was, areas: changed(was.areas), sprites: changed(was.sprites) }
    for (let i = 0; i < times; i++) {
        stage.show(i % 2 ? was : other, 0)
        stage.highlight(i % 2 ? marks : [])
        stage.draw()
    }
}"""
ORDINARY = {"anarchy": "arsonist", "catastrophe": "warlord", "snowball": "tactician", "notchess": "chieftain"}


def line(what: str, value: str, target: str = "", held: bool | None = None) -> str:
    """Format a row of the table."""
    return f"| {what} | {value} | {target} | {'' if held is None else 'yes' if held else 'NO'} |"


def report(fresh: bool) -> Iterator[str]:
    """Yield all figures, row by row."""
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield f"{time.strftime('%Y-%m-%d')}, Chromium with its software renderer, {load}:"
    yield ""
    yield "| | measured | target | held |"
    yield "|---|--:|--:|---|"
    yield weigh()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        arena = Arena(folder)
        try:
            yield first_paint(browser, arena)
            yield first_move(browser, arena)
            if fresh:
                yield from from_a_fresh_clone(browser)
            yield from redraws(browser, arena)
        finally:
            arena.kill()
            browser.close()
    yield from kept_pages()


def weigh() -> str:
    files = [STATIC, *STATIC.parent.glob("assets/*")]
    weight = sum(len(gzip.compress(file.read_bytes())) for file in files) / 1000
    return line("all files of the client, compressed", f"{weight:.0f} kB", "<= 600 kB", weight <= 600)


def first_paint(browser: Any, arena: Arena) -> str:
    paints = []
    for _ in range(5):
        one = Person(browser, arena).open()
        one.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
        paints.append(
            one.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
        one.close()
    return line(
        "first paint of the home page, best of five", f"{min(paints):.0f} ms", "< 1 s", min(paints) < 1000
    )


def newcomer(browser: Any, arena: Any) -> float:
    """Return the seconds from opening the address to the first action, for a first-time visitor."""
    started = time.monotonic()
    one = Person(browser, arena).open()
    one.page.get_by_role("button", name="Play now").first.click()
    one.page.wait_for_selector("[data-ready=yes]")
    one.settle()
    one.page.locator(".buttons .primary").click()
    one.page.wait_for_selector(".events li button")
    took = time.monotonic() - started
    one.close()
    return took


def first_move(browser: Any, arena: Arena) -> str:
    took = newcomer(browser, arena)
    return line(
        "newcomer, from opening the address to the first action", f"{took:.1f} s", "< 30 s", took < 30
    )


class Fresh:
    """A clone in which `make serve` runs."""

    def __init__(self, folder: str) -> None:
        clone = f"{folder}/endturn"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        started = time.monotonic()
        words = ["make", "serve", f"SERVE=--port 0 --no-cadre --db sqlite:///{folder}/fresh.db"]
        plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MAKEFLAGS")}
        self.process = subprocess.Popen(
            words,
            cwd=clone,
            env=plain,
            text=True,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout
        said = (re.search(r"running at (http://\S+)", each) for each in self.process.stdout)
        self.url = next(found.group(1) for found in said if found)
        self.took = time.monotonic() - started

    def stop(self) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


def from_a_fresh_clone(browser: Any) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Fresh(folder)
        try:
            yield line(
                "`make serve` in a fresh clone until it prints its address (installs Python and Node packages)",
                f"{fresh.took:.0f} s",
            )
            took = newcomer(browser, fresh)
            yield line("newcomer, from then to the first action", f"{took:.1f} s", "< 30 s", took < 30)
        finally:
            fresh.stop()


def redraws(browser: Any, arena: Arena) -> Iterator[str]:
    for game, settings in LARGEST.items():
        one = Person(browser, arena)
        one.sit(*arena.begin(game, "me", "random", settings=settings)).settle()
        one.page.evaluate(REDRAW, 10)
        cost = cpu_of(one, lambda page: page.evaluate(REDRAW, REDRAWS)) / REDRAWS
        drawings = one.page.evaluate("document.querySelector('.host').stage.scene.sprites.length")
        size = " x ".join(str(side) for side in list(settings.values())[:2])
        what = (
            f"redraw of {find(game).title}'s largest map ({size}, {drawings} drawings), CPU time of the page"
        )
        yield line(what, f"{cost:.1f} ms", "< 16 ms", cost < 16)
        one.close()


def cpu_of(one: Person, work: Any) -> float:
    """Return the milliseconds of CPU time of the page's own thread, independent of other load."""
    session = one.context.new_cdp_session(one.page)
    session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
    session.send("Performance.enable")

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")

    before = spent()
    work(one.page)
    return 1000 * (spent() - before)


def kept_pages() -> Iterator[str]:
    for game, bot in ORDINARY.items():
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "match.html"
            words = ["play", game, bot, bot, "--seed", "1", "--backend", "compiled", "--html", str(page)]
            subprocess.run([sys.executable, "-c", PROGRAM, *words], check=True, capture_output=True)
            weight = page.stat().st_size / 1000
        yield line(f"`endturn play {game} {bot} {bot} --html`", f"{weight:.0f} kB", "<= 1 MB", weight <= 1000)


def save(lines: list[str]) -> None:
    """Write the figures into their section of RESULTS.md; add the section if it is missing."""
    text = RESULTS.read_text()
    if BEGIN not in text:
        text = f"{text.rstrip()}\n\n## Browser\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    RESULTS.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{rest.partition(END)[2]}")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--fresh", action="store_true", help="also run make serve in a fresh clone")
    asked.add_argument("--save", action="store_true", help="write the figures to RESULTS.md")
    options = asked.parse_args()
    lines = []
    for each in report(options.fresh):
        print(each, flush=True)
        lines.append(each)
    if options.save:
        save(lines)
    return 1 if any("| NO |" in each for each in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
