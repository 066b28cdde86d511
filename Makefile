# make serve    start the arena: play in a browser, or let programs play
# make test     everything that must hold: style, types, tests
# make check    style and types only
# make bench    how fast the rules are on this machine
# Each sets up its own virtual environment in .venv; all that is needed before is Python 3.11 or newer.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Compiled rules are kept in the project, so that the next run finds them whoever's home folder it has.
export ENDTURN_CACHE := $(CURDIR)/build

.PHONY: serve test check bench clean browser oracle

# The browser client needs Node 20 or newer; without it the server starts all the same, and says so.
CLIENT := $(if $(and $(wildcard web/package.json),$(shell command -v npm)),src/endturn/server/static/index.html)
SERVE ?=

serve: $(READY) $(CLIENT)
	$(BIN)/endturn serve $(SERVE)

src/endturn/server/static/index.html: web/node_modules/.ready $(shell find web -path web/node_modules -prune -o -type f -print 2>/dev/null)
	npm --prefix web run build
	touch $@

web/node_modules/.ready: web/package.json $(wildcard web/package-lock.json)
	npm --prefix web install --no-save --no-fund --no-audit  # not ci, which wants other systems' builds in the lock
	touch $@

test: check $(CLIENT) browser oracle
	$(BIN)/pytest -n 2 --dist loadfile

# Tests in a browser want Debian's Chromium; where it cannot be installed they are skipped, and say so.
browser:
	@command -v chromium chromium-browser > /dev/null \
		|| { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium > /dev/null; } \
		|| echo "There is no Chromium, so the tests in a browser are skipped: apt-get install chromium"

# The real server that Empires is compared with, from Debian where we may install it; without it those tests are
# skipped, and say so.
oracle:
	@if [ ! -x /usr/games/freeciv-server ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		timeout 180 apt-get install -qq -y --no-install-recommends freeciv-server freeciv-data >/dev/null 2>&1 \
			|| echo "freeciv-server could not be installed: the tests beside the real server are skipped."; \
	fi

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict

bench: $(READY)
	$(BIN)/python bench/run.py

clean:
	rm -rf .venv build web/node_modules src/endturn/server/static

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "endturn needs Python 3.11 or newer: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	touch $@
