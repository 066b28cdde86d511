"""A server for a test, and a person who looks at boards and clicks cells in a browser."""

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
# Chromium's software renderer draws the board without a GPU.
ARGUMENTS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]
STATIC = Path(__file__).parents[2] / "src/endturn/server/static/index.html"
PICTURES = Path(os.environ.get("ENDTURN_PICTURES", Path(__file__).parents[2] / "build" / "pictures"))
PATIENCE = 120_000  # milliseconds; generous for a busy machine
LOOK = 300  # milliseconds until a click shows an effect
# What an action changes on the page. Not the tip: it follows the pointer.
SEEN = """() => JSON.stringify([
    document.querySelector('.host').stage.last, document.querySelectorAll('.bubble.menu button').length,
    document.querySelector('.events')?.innerText, document.querySelector('.facts').innerText,
    document.querySelector('.buttons .primary')?.disabled, document.querySelector('.over') !== null])"""


class Arena:
    """A server that can be killed and restarted at the same address."""

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
        """Create a match; seats are "me", "link" or a bot. Returns its id and the first "me" seat's token."""
        kinds = [{"kind": seat} if seat in ("me", "link") else {"kind": "bot", "bot": seat} for seat in seats]
        made = self.post("matches", {"game": game, "seats": kinds, **more})
        return made["match"]["id"], (made["tokens"] or [{"token": None}])[0]["token"]


class Person:
    """A person at a browser."""

    def __init__(self, browser, arena, **context):
        self.arena, self.faults = arena, []
        # Reduced motion saves time; tests of animations turn it on. Playwright waits with `eval`, which the server's
        # content security policy forbids; the test of newcomers keeps the policy.
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
        """Open a match with the token of a seat, as if this browser had created it."""
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
        """The screen position of a cell."""
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
        """Act and wait for its effect on the page: marks, a menu, an event or a button."""
        before = self.page.evaluate(SEEN)
        act()
        self.page.wait_for_function(f"(before) => ({SEEN})() !== before", arg=before)
        return self

    def attempt(self, act):
        """Act without requiring an effect: the cell may be under a button, or its menu already open."""
        before = self.page.evaluate(SEEN)
        act()
        with suppress(Exception):  # Playwright's TimeoutError; Playwright may not be installed
            self.page.wait_for_function(f"(before) => ({SEEN})() !== before", arg=before, timeout=LOOK)
        return self

    def settle(self):
        """Wait until the legal actions have arrived or the match is over."""
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
