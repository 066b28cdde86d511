"""Writes constraints.txt: the exact version of every package that endturn and its extras install today."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PIP = [
    sys.executable,
    "-m",
    "pip",
    "install",
    "--disable-pip-version-check",
    "--dry-run",
    "--ignore-installed",
]
HEAD = "# Exact versions for `make` and CI, on Linux with Python 3.11 to 3.13. To refresh them: make constraints\n"


def resolved() -> list[str]:
    """What pip would install into an empty environment, as NAME==VERSION."""
    command = [*PIP, "--quiet", "--report", "-", f"{ROOT}[all,gpu]"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found = [package["metadata"] for package in json.loads(done.stdout)["install"]]
    return sorted(f"{each['name'].lower()}=={each['version']}" for each in found if each["name"] != "endturn")


if __name__ == "__main__":
    (ROOT / "constraints.txt").write_text(HEAD + "".join(f"{line}\n" for line in resolved()))
