"""A server of one's own for a test, and a person at a browser who looks at boards and clicks on cells."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

PROGRAM = "from endturn.cli import main; main()"
CHROMIUM = next(
    (path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), ""
)
# Without a GPU the board is drawn by Chromium's own software renderer.
ARGUMENTS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]
STATIC = Path(__file__).parents[2] / "src/endturn/server/static/index.html"
PICTURES = Path(os.environ.get("ENDTURN_PICTURES", Path(__file__).parents[2] / "build" / "pictures"))
PATIENCE = 120_000  # milliseconds that anything may take on a busy machine
LOOK = 300  # milliseconds in which one sees whether anything came of a click
# What changes when something has been done: not the tip, which follows the pointer.
SEEN = """() => JSON.stringify([
    document.querySelector('.host').stage.last, document.querySelectorAll('.bubble.menu button').length,
    document.querySelector('.events')?.innerText, document.querySelector('.facts').innerText,
    document.querySelector('.buttons .primary')?.disabled, document.querySelector('.over') !== null])"""


class Arena:
    """A server that can be killed and started again where it was."""

    def __init__(self, folder, program=PROGRAM):
        self.db, self.port, self.process = f"sqlite:///{folder}/arena.db", 0, None
        self.program = program
        self.start()

    def start(self):
        options = ["--db", self.db, "--no-limits", "--no-cadre", "--port", str(self.port)]
        command = [sys.executable, "-c", self.program, "serve", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = (re.search(r"http://\S+", line) for line in self.process.stdout)
        self.url = next(found.group() for found in said if found)
        self.port = int(re.search(r":(\d+)/", self.url).group(1))

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def post(self, path, said):
        request = urllib.request.Request(
            f"{self.url}api/{path}", json.dumps(said).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def get(self, path):
        with urllib.request.urlopen(f"{self.url}api/{path}", timeout=60) as answer:
            return json.load(answer)

    def begin(self, game, *seats, **more):
        """A new match; seats are "me", "link" or a bot's name. Its id, and the token of the first seat of mine."""
        kinds = [{"kind": seat} if seat in ("me", "link") else {"kind": "bot", "bot": seat} for seat in seats]
        made = self.post("matches", {"game": game, "seats": kinds, **more})
        return made["match"]["id"], (made["tokens"] or [{"token": None}])[0]["token"]


class Person:
    """Someone at a browser."""

    def __init__(self, browser, arena, **context):
        self.arena, self.faults = arena, []
        # Fewer motions, less waiting; the tests of motions ask for them. Waiting for a condition takes `eval`,
        # which the server's policy forbids its pages; the test of newcomers keeps to that policy.
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", "bypass_csp": True}
        options |= context
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def open(self, path=""):
        self.page.goto(self.arena.url + path)
        return self

    def sit(self, match, token):
        """Go to a match with the token of a seat, as if one had begun it here."""
        self.open()
        self.page.evaluate(
            "([id, token]) => localStorage.setItem('endturn.seat.' + id, token)", [match, token]
        )
        return self.watch(match)

    def watch(self, match):
        self.page.goto(f"{self.arena.url}#/match/{match}")
        self.page.wait_for_selector("[data-ready=yes]")
        return self

    def see(self, text):
        self.page.get_by_text(text).first.wait_for()
        return self

    # --- the board ---

    def marks(self, kind=None):
        """The highlighted cells."""
        marks = self.page.evaluate("document.querySelector('.host').stage.last")
        return [mark for mark in marks if kind is None or mark["kind"] == kind]

    def point(self, cell):
        """Where a cell is on the screen."""
        place = """([x, y]) => {
            const host = document.querySelector('.host'), box = host.getBoundingClientRect()
            const at = host.stage.place({x, y})
            return [box.left + at.x + at.size / 2, box.top + at.y + at.size / 2]
        }"""
        return self.page.evaluate(place, [cell["x"], cell["y"]])

    def click(self, cell):
        self.page.mouse.click(*self.point(cell))

    def tap(self, cell):
        self.page.touchscreen.tap(*self.point(cell))

    def after(self, act):
        """Do something, and wait until it has shown: other marks, a menu, an event, another button."""
        before = self.page.evaluate(SEEN)
        act()
        self.page.wait_for_function(f"(before) => ({SEEN})() !== before", arg=before)
        return self

    def attempt(self, act):
        """Do something that may show nothing: what lies under a button, or opens the menu that is open already."""
        before = self.page.evaluate(SEEN)
        act()
        with suppress(Exception):  # Playwright's own, which need not be installed where this is read
            self.page.wait_for_function(f"(before) => ({SEEN})() !== before", arg=before, timeout=LOOK)
        return self

    def settle(self):
        """Wait until the server has said all that can be done now, or that it is over."""
        self.page.wait_for_function(
            "document.querySelector('.over') || document.querySelector('.buttons .primary:not(:disabled)')"
        )

    def over(self):
        return self.page.locator(".over").count() > 0

    def picture(self, name):
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")

    def close(self):
        self.context.close()
        assert self.faults == []
