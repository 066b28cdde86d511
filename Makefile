# make serve        start the server and print its address
# make test         run the linters, the type checker and all tests
# make check        run only the linters and the type checker
# make bench        measure how fast the rules run
# make wheel        build a wheel and an sdist that contain the browser client, in dist/
# make constraints  refresh constraints.txt, the exact versions that are installed
# make clean        delete everything that these commands create
# Every command first installs what it needs into .venv. You need Python 3.11 or newer.

PYTHON ?= python3
BIN := .venv/bin
# An empty file stands for each set of packages that is installed; the test set contains the serve set.
SERVE_SET := .venv/.serve
TEST_SET := .venv/.test

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_BUILD_CONSTRAINT := $(PIP_CONSTRAINT)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
INSTALL := $(BIN)/python -m pip install --quiet --editable

# Keep compiled rules in the project: they survive a change of the home folder, and `make clean` deletes them.
export ENDTURN_CACHE := $(CURDIR)/build

.PHONY: serve test check bench wheel constraints clean browser oracle

# The browser client needs Node 20 or newer. Without Node the server starts and explains what is missing.
CLIENT := $(if $(and $(wildcard web/package.json),$(shell command -v npm)),src/endturn/server/static/index.html)
SERVE ?=

serve: $(SERVE_SET) $(CLIENT)
	$(BIN)/endturn serve $(SERVE)

src/endturn/server/static/index.html: web/node_modules/.ready $(shell find web -path web/node_modules -prune -o -type f -print 2>/dev/null)
	npm --prefix web run build
	touch $@

web/node_modules/.ready: web/package.json web/package-lock.json
	npm --prefix web ci --no-fund --no-audit
	touch $@

test: check $(CLIENT) browser oracle
	$(BIN)/pytest -n 2 --dist loadfile

# Browser tests need Chromium; without it they are skipped.
browser:
	@command -v chromium chromium-browser > /dev/null \
		|| { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium > /dev/null; } \
		|| echo "Chromium is not installed, so the browser tests are skipped. To run them: apt-get install chromium"

# Some Empires tests compare with the real freeciv server; without it they are skipped.
oracle:
	@if [ ! -x /usr/games/freeciv-server ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		timeout 180 apt-get install -qq -y --no-install-recommends freeciv-server freeciv-data >/dev/null 2>&1 \
			|| echo "freeciv-server could not be installed, so the tests that compare with it are skipped."; \
	fi

check: $(TEST_SET)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict

bench: $(TEST_SET)
	$(BIN)/python bench/run.py

wheel: $(TEST_SET) $(CLIENT)
	@[ -f src/endturn/server/static/index.html ] \
		|| { echo "The browser client is not built, because npm was not found. Install Node 20 or newer."; exit 1; }
	$(BIN)/hatchling build

constraints: | .venv
	env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT $(BIN)/python .ci/constraints.py

clean:
	rm -rf .venv build dist web/node_modules src/endturn/server/static

.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "endturn needs Python 3.11 or newer. To choose one: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

$(SERVE_SET): pyproject.toml constraints.txt | .venv
	$(INSTALL) '.[server,fast]'
	touch $@

$(TEST_SET): pyproject.toml constraints.txt | .venv
	$(INSTALL) '.[all]'
	touch $(SERVE_SET) $@
