"""The wheel installs without Node: with only the core the command line works, with the server extra a browser plays."""

import gzip
import json
import os
import re
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
PAGE = "src/endturn/server/static/index.html"
hatchling = pytest.importorskip("hatchling", reason="builds the wheel: pip install 'endturn[dev]'")


def program(*words, **options):
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=300, **options
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel and an sdist of this working tree."""
    if not (ROOT / PAGE).is_file():
        pytest.skip("the browser client is not built: npm --prefix web ci && npm --prefix web run build")
    folder = tmp_path_factory.mktemp("dist")
    done = program(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def install(environment, *wanted):
    """Install into an environment; skip the test if there is no package index, except in CI."""
    pip = environment / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-compile"
    done = program(*pip, "--constraint", CONSTRAINTS, *wanted)
    if done.returncode and not os.environ.get("ENDTURN_NEEDS_PYPI"):
        pytest.skip(f"no package index: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def core(built, tmp_path_factory):
    """A clean environment with the wheel and no extra."""
    environment = tmp_path_factory.mktemp("core")
    assert program(sys.executable, "-m", "venv", environment).returncode == 0
    install(environment, built[0])
    return environment


def endturn(environment, folder, *words):
    variables = {"PATH": f"{environment}/bin:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
    return program(environment / "bin" / "endturn", *words, cwd=folder, env=variables)


# --- building -----------------------------------------------------------------------------------------------


def test_wheel_contains_client_types_and_rules(built):
    names = zipfile.ZipFile(built[0]).namelist()
    assert {"endturn/server/static/index.html", "endturn/server/static/replay.html"} <= set(names)
    assert any(re.fullmatch(r"endturn/server/static/assets/.+\.js", name) for name in names)
    assert {"endturn/py.typed", "endturn/games/anarchy/README.md"} <= set(names)
    assert not [name for name in names if name.startswith(("tests", "web", "bench"))]


def test_sdist_builds_the_same_wheel_without_node(built, tmp_path):
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    done = program(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=tree)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name == built[0].name
    assert set(zipfile.ZipFile(wheel).namelist()) == set(zipfile.ZipFile(built[0]).namelist())


def test_build_without_the_client_says_so_in_its_version(built, tmp_path):
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    (tree / PAGE).unlink()
    (tree / "PKG-INFO").unlink()
    done = program(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=tree)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert "+without.client-" in wheel.name


def test_constraints_are_exact_versions_without_addresses():
    lines = CONSTRAINTS.read_text().splitlines()
    assert lines[0].startswith("#")
    assert all(re.fullmatch(r"[a-z0-9._-]+==[0-9a-z.]+", line) for line in lines[1:])


# --- with only the core -------------------------------------------------------------------------------------


def commands(folder):
    """Every command with real arguments, its exit code, and a part of what it prints."""
    (folder / "mybot.py").write_text("def act(seen):\n    return seen.random_action()\n")
    (folder / "foreign.json.gz").write_bytes(gzip.compress(json.dumps({"gameName": "Anarchy"}).encode()))
    short = ["play", "anarchy", "./mybot.py", "random", "--seed", "7", "--set", "max_turns=3"]
    yield ["--version"], 0, "endturn 0"
    yield ["--help"], 0, "Usage: endturn"
    yield ["games"], 0, "anarchy"
    yield ["rules", "empires"], 0, "Settings of Empires"
    yield [*short, "--out", "m.gz", "--html", "m.html"], 0, "vs|won|draw"
    yield [*short, "--watch"], 0, "Turn 0 of 3"
    yield [*short, "--backend", "compiled"], 2, "pip install 'endturn[fast]'"
    yield ["play", "empires", "random", "random", "--set", "last_turn=5"], 0, "random"
    yield ["verify", "m.gz"], 0, "ok"
    yield ["show", "m.gz", "--turn", "1"], 0, "Turn 1 of 3"
    yield ["map", "snowball"], 0, "T"
    yield ["bot", "anarchy", "random", "--connect", "127.0.0.1:1"], 2, "127.0.0.1:1"
    yield ["conform", "anarchy", "foreign.json.gz"], 2, "foreign.json.gz"
    yield ["conform", "empires", "."], 2, "savegames|.sav"
    yield ["turn-change", "empires"], 0, "turn start"
    yield ["bench", "anarchy", "--games", "1"], 0, "pip install 'endturn[fast]'"
    yield ["bench", "--gpu"], 2, "pip install 'endturn[gpu]'"
    yield ["schema", "anarchy"], 0, '"$ref"|"properties"'
    yield ["types", "."], 2, "not a checkout of endturn"
    yield ["serve"], 2, "endturn serve needs the server extra: pip install 'endturn[server]'"
    yield ["loadtest"], 2, "endturn loadtest needs the server extra: pip install 'endturn[server]'"


def test_core_runs_every_command(core, tmp_path):
    listed = set(re.findall(r"│ ([a-z-]+) ", endturn(core, tmp_path, "--help").stdout))
    tried = set()
    for words, code, part in commands(tmp_path):
        done = endturn(core, tmp_path, *words)
        printed = done.stdout + done.stderr
        assert done.returncode == code, f"{words}\n{printed}"
        assert any(each in printed for each in part.split("|")), f"{words}\n{printed}"
        assert "Traceback" not in printed
        tried.add(words[0])
    assert listed and listed <= tried


# --- with the server extra ----------------------------------------------------------------------------------


def get(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


def test_server_extra_serves_page_and_scripts(core, built, tmp_path):
    install(core, f"endturn[server] @ {built[0].as_uri()}")
    options = ["--port", "0", "--no-cadre", "--db", f"sqlite:///{tmp_path}/a.db"]
    command = [str(core / "bin" / "endturn"), "serve", *options]
    server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        url = next(found.group() for line in server.stdout if (found := re.search(r"http://\S*\d", line)))
        page = get(url)
        scripts = re.findall(r'(?:src|href)="\.?(/[^"]+\.(?:js|css))"', page)
        assert scripts, page
        assert all(len(get(url + script)) > 500 for script in scripts)
        assert "anarchy" in get(f"{url}/api/games")
    finally:
        server.terminate()
        server.communicate(timeout=60)
