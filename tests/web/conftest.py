"""The server and the browser that the tests of this folder share."""

import pytest

from web.arena import ARGUMENTS, CHROMIUM, STATIC, Arena, Person

playwright = pytest.importorskip("playwright.sync_api")


# Not for the whole session: while Playwright runs, its event loop does, and no other test here could have one.
@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    if not STATIC.exists():
        pytest.skip("the browser client has not been built: make serve, or npm --prefix web run build")
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
    """A function that seats another person at a browser."""
    people = []

    def another(**context):
        people.append(Person(browser, arena, **context))
        return people[-1]

    yield another
    for each in people:
        each.close()
