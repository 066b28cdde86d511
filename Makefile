# make serve    play a match and show it in this terminal
# make test     everything that must hold: style, types, tests
# make check    style and types only
# make bench    how fast the rules are on this machine
# Each sets up its own virtual environment in .venv; all that is needed before is Python 3.11 or newer.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Compiled rules are kept in the project, so that the next run finds them whoever's home folder it has.
export ENDTURN_CACHE := $(CURDIR)/build

.PHONY: serve test check bench clean

serve: $(READY)
	$(BIN)/endturn play anarchy arsonist warden --watch

test: check
	$(BIN)/pytest -n 2 --dist loadfile

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict

bench: $(READY)
	$(BIN)/python bench/run.py

clean:
	rm -rf .venv build

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "endturn needs Python 3.11 or newer: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	touch $@
