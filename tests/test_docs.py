"""Runs every command and every Python example in the README and the docs, and checks every link."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "ARCHITECTURE.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
PAGES += sorted((ROOT / "src").rglob("*.md")) + sorted((ROOT / "bench").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "NO_COLOR": "1"}


def blocks(page, language):
    return [text for found, text in BLOCK.findall(page.read_text()) if found == language]


def commands(page):
    return [line for text in blocks(page, "sh") for line in text.splitlines() if line.strip()]


def run(command, folder):
    if command.startswith("make "):
        command = f"make --dry-run -C {shlex.quote(str(ROOT))} {command.removeprefix('make ')}"
    if command.startswith("source "):
        return
    if command.startswith("python bench/"):
        command = command.split()[0] + f" {ROOT}/{command.split()[1]} --help"
    done = subprocess.run(command, shell=True, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_run_in_order(page, tmp_path):
    for command in commands(page):
        run(command, tmp_path)


def test_readme_bot_plays(tmp_path):
    (tmp_path / "mybot.py").write_text(blocks(ROOT / "README.md", "python")[0])
    run("endturn play anarchy ./mybot.py random --seed 1 --set max_turns=20", tmp_path)


def test_readme_example_prints_the_output_shown(tmp_path):
    example, printed = blocks(ROOT / "README.md", "python")[1], blocks(ROOT / "README.md", "text")[0]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == printed, done.stderr


def test_readme_batch_example_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", blocks(ROOT / "README.md", "python")[2]], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("number", range(5))
def test_python_page_examples_run(number, tmp_path):
    example = blocks(ROOT / "docs" / "python.md", "python")[number]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_tutorial_game_matches_the_tested_game_and_runs(tmp_path):
    toy, trial = blocks(ROOT / "docs" / "adding-a-game.md", "python")
    assert toy == (ROOT / "tests" / "toy_game.py").read_text()
    (tmp_path / "pig.py").write_text(toy)
    done = subprocess.run([sys.executable, "-c", trial], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("Outcome("), done.stderr


@pytest.mark.parametrize("number", [0, 1])
def test_writing_a_bot_examples_run(number, tmp_path):
    example = blocks(ROOT / "docs" / "writing-a-bot.md", "python")[number]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for file in tmp_path.iterdir():
        run(f"endturn verify {file.name}", tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_point_to_existing_files(page):
    prose = BLOCK.sub("", page.read_text())
    assert [link for link in LINK.findall(prose) if not (page.parent / link).exists()] == []
