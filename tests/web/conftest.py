"""The server and the browser for the tests in this folder."""

import pytest

from web.arena import ARGUMENTS, CHROMIUM, STATIC, Arena, Person

playwright = pytest.importorskip("playwright.sync_api")


# Per module, not per session: while Playwright runs, its event loop blocks other tests from running their own.
@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        pytest.skip("Chromium missing: apt-get install chromium")
    if not STATIC.exists():
        pytest.skip("client not built: run npm --prefix web run build")
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield made
        made.close()


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    made = Arena(tmp_path_factory.mktemp("arena"))
    yield made
    made.kill()


@pytest.fixture
def person(browser, arena):
    """A function that opens another browser for a person."""
    people = []

    def another(**context):
        people.append(Person(browser, arena, **context))
        return people[-1]

    yield another
    for each in people:
        each.close()
