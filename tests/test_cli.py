import gzip
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from endturn import compiling
from endturn.cadre import dialect
from endturn.cadre.state import SessionFacts, wire
from endturn.cli import EXTRAS, app
from endturn.cli.terminal import screen
from endturn.engine.match import Match
from endturn.games import GAMES, find
from test_archive import forged

ENDTURN = Path(sys.executable).with_name("endturn")
QUICK = ["--set", "max_turns=6", "--seed", "7"]
SHORT = ["play", "anarchy", "arsonist", "random", *QUICK]


@pytest.fixture(autouse=True)
def _fresh_screen() -> None:
    """Give each run its own standard output."""
    screen.cache_clear()


class Ran:
    """What a command printed, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*words: object) -> Ran:
    """Run a command in this process."""
    done = CliRunner().invoke(app, list(map(str, words)))
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ran(done.exit_code, done.stdout, done.stderr)


def shell(*words: object, cwd: Path | None = None, **environment: str) -> Ran:
    """Run a command as a separate program with its output in a pipe."""
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    env["PATH"] = f"{ENDTURN.parent}:{env['PATH']}"
    command = [str(ENDTURN), *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**env, **environment}, timeout=60, cwd=cwd
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def assert_one_sentence(ran: Ran, *parts: str) -> None:
    """A user's mistake exits with code 2 and prints one line on standard error."""
    assert ran.code == 2
    assert ran.out.strip() == ""
    assert len(ran.err.splitlines()) == 1, ran.err
    assert ran.err.endswith(".\n")
    assert "Traceback" not in ran.err
    for part in parts:
        assert part in ran.err


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The gamelog of a short match."""
    file = tmp_path / "match.jsonl.gz"
    assert run(*SHORT, "--out", file).code == 0
    return file


def altered(file: Path, name: str = "altered.jsonl") -> Path:
    """A copy in which one action was changed."""
    text = gzip.decompress(file.read_bytes()).decode()
    made = file.with_name(name)
    made.write_text(text.replace('"do":"end_turn"', '"do":"keep_turn"', 1))
    return made


# --- games and rules ---


def test_games_lists_games_bots_and_next_steps() -> None:
    ran = run("games")
    assert ran.code == 0
    for name in GAMES:
        assert name in ran.out
        assert find(name).title in ran.out
    assert "random, arsonist, warden" in ran.out
    assert "Next: endturn rules anarchy" in ran.out


def test_games_as_json() -> None:
    listed = {game["name"]: game for game in run("games", "--json").json}
    assert list(listed) == list(GAMES)
    assert listed["anarchy"]["seats"] == ["Red", "Blue"]
    assert listed["anarchy"]["profiles"] == ["official", "2017", "2022"]
    assert "random" in listed["anarchy"]["bots"]


def modules_loaded_by(*words: str) -> set[str]:
    """The modules that a command imports in a new process."""
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", ENDTURN, *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return {
        line.rsplit("|", 1)[1].strip() for line in ran.stderr.splitlines() if line.startswith("import time:")
    }


def test_games_imports_nothing_slow() -> None:
    loaded = modules_loaded_by("games")
    assert "endturn.games.anarchy.rules" in loaded
    slow = {"numpy", "numba", "pydantic", "asyncio", "rich.markdown", "rich.live", "rich.progress"}
    assert not loaded & slow


def test_plain_play_imports_neither_numpy_nor_numba() -> None:
    loaded = modules_loaded_by(*SHORT)
    assert "endturn.bots.player" in loaded
    assert not loaded & {"numpy", "numba"}


def test_rules_in_a_pipe_print_the_readme_and_settings() -> None:
    ran = shell("rules", "anarchy")
    assert ran.code == 0
    assert ran.out.startswith("# Anarchy\n")
    assert re.search(r"^max_turns +300 +.*from 1 to 1000", ran.out, re.MULTILINE)
    assert re.search(r"^2017 +.*bonus_bribes=while_burning", ran.out, re.MULTILINE)
    assert "Next: endturn play anarchy" in ran.out


def test_rules_json_has_typed_defaults() -> None:
    said = run("rules", "anarchy", "--json").json
    settings = {setting["name"]: setting for setting in said["settings"]}
    assert settings["max_turns"]["default"] == 300
    assert settings["refills"]["default"] is False
    assert settings["generator"]["default"] == "spaced"
    assert said["profiles"]["2022"]["max_turns"] == 200


# --- play ---


def test_play_prints_winner_reasons_and_next_steps() -> None:
    ran = run(*SHORT)
    assert ran.code == 0
    assert re.search(r"(Red \(arsonist\)|Blue \(random\)) won: 6 turns, \d+ actions, seed 0x7", ran.out)
    assert "The turn limit was reached" in ran.out
    assert "endturn play anarchy arsonist random --seed 0x7 --set max_turns=6 --watch" in ran.out


def test_gamelog_depends_only_on_the_seed(kept: Path) -> None:
    again, other = kept.with_name("again.gz"), kept.with_name("other.gz")
    run(*SHORT, "--out", again)
    run(*SHORT, "--seed", "8", "--out", other)
    assert kept.read_bytes() == again.read_bytes() != other.read_bytes()


def test_seed_may_be_hexadecimal_and_has_64_bits() -> None:
    for said, meant in (("0x7", "0x7"), ("0XFF", "0xff"), (str(2**64 - 1), "0x" + "f" * 16), ("0", "0x0")):
        assert (
            run("play", "anarchy", "random", "random", "--set", "max_turns=1", "--seed", said, "--json").json[
                "seed"
            ]
            == meant
        )


def test_printed_random_seed_repeats_the_match() -> None:
    words = ["play", "anarchy", "random", "random", "--set", "max_turns=6", "--json"]
    first = run(*words).json
    assert run(*words, "--seed", first["seed"]).json == first
    assert run(*words).json["seed"] != first["seed"]


def test_profile_and_settings_apply(tmp_path: Path) -> None:
    file = tmp_path / "match.gz"
    run("play", "anarchy", "random", "random", "--profile", "2022", "--set", "max_turns=3", "--out", file)
    header = json.loads(gzip.decompress(file.read_bytes()).splitlines()[0])
    assert header["settings"]["max_turns"] == 3
    assert header["settings"]["generator"] == "stacked"


def test_play_json_has_outcome_and_file(tmp_path: Path) -> None:
    file = tmp_path / "match.gz"
    said = run(*SHORT, "--out", file, "--json").json
    assert said["file"] == str(file)
    assert said["seed"] == "0x7"
    assert said["turns"] == 6
    assert said["winner"] == said["outcome"]["places"].index(1)
    assert len(said["outcome"]["reasons"]) == 2


def test_suggested_commands_of_a_saved_match_work(kept: Path) -> None:
    ran = run(*SHORT, "--out", kept, "--force")
    commands = re.findall(r"endturn (verify|show) (.+)", ran.out)
    assert len(commands) == 2
    for command, rest in commands:
        assert run(command, *rest.split()).code == 0


def test_watch_in_a_pipe_prints_each_turn_once() -> None:
    ran = run(*SHORT, "--watch")
    assert ran.code == 0
    turns = re.findall(r"^Turn (\d+) of 6 .* to act$", ran.out, re.MULTILINE)
    assert turns == ["0", "1", "2", "3", "4", "5"]
    assert re.search(r"^Turn 5 of 6 .* has won$", ran.out, re.MULTILINE)
    assert re.search(r"^Red \(arsonist\): .*1 end turn$", ran.out, re.MULTILINE)
    assert "\x1b" not in ran.out


def test_watch_on_a_terminal_redraws_the_board() -> None:
    words = " ".join([str(ENDTURN), *SHORT, "--watch", "--delay", "0"])
    env = {**os.environ, "TERM": "xterm-256color"}
    done = subprocess.run(
        ["script", "-qec", words, "/dev/null"], capture_output=True, text=True, env=env, timeout=60
    )
    assert done.returncode == 0
    assert "\x1b[1A" in done.stdout  # the cursor moves up
    assert "\x1b[?25h" in done.stdout  # the cursor is visible again at the end
    assert "has won" in done.stdout


def test_compiled_match_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(compiling, "COMMAND", "import time; time.sleep(600)")
    assert run(*SHORT, "--backend", "compiled", "--json").json == run(*SHORT, "--json").json


def test_compiled_match_switches_when_rules_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    switched = []

    def change_backend(self: Match, backend: str) -> None:
        before = self.backend
        original(self, backend)
        switched.append((before, self.backend))

    original = Match.change_backend
    monkeypatch.setattr(Match, "change_backend", change_backend)
    monkeypatch.setattr(compiling.Compilation, "is_running", lambda self: False)  # so the match waits
    assert run(*SHORT, "--backend", "compiled", "--json").json == run(*SHORT, "--json").json
    assert switched == [("plain", "compiled")]


# --- mistakes ---


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["rules", "chess"], ["no game 'chess'", "anarchy"]),
        (["play", "chess", "random", "random"], ["no game 'chess'", "anarchy"]),
        (["play", "anarchy", "random", "alphazero"], ["no bot 'alphazero'", "random, arsonist, warden"]),
        (["play", "anarchy", "random"], ["needs 2 bots", "not 1"]),
        (["play", "anarchy", "random", "random", "random"], ["needs 2 bots", "not 3"]),
        (["play", "anarchy", "random", "random", "--profile", "2016"], ["no profile '2016'", "official"]),
        ([*SHORT, "--set", "fire=3"], ["no setting 'fire'", "max_fire"]),
        ([*SHORT, "--set", "max_fire=0"], ["max_fire", "from 1 to 100", "not 0"]),
        ([*SHORT, "--set", "max_fire=101"], ["max_fire", "from 1 to 100", "not 101"]),
        ([*SHORT, "--set", "max_fire=lots"], ["not 'lots'"]),
        ([*SHORT, "--set", "refills=maybe"], ["refills must be true or false"]),
        ([*SHORT, "--set", "generator=fractal"], ["spaced or stacked"]),
        ([*SHORT, "--set", "map_width=41"], ["map_width must be even"]),
        ([*SHORT, "--set", "max_fire"], ["NAME=VALUE", "not 'max_fire'"]),
        ([*SHORT, "--seed", "lucky"], ["seed must be a whole number", "not 'lucky'"]),
        ([*SHORT, "--seed", "-1"], ["seed must be a whole number", "not '-1'"]),
        ([*SHORT, "--seed", "1.5"], ["seed must be a whole number"]),
        ([*SHORT, "--seed", ""], ["seed must be a whole number"]),
        ([*SHORT, "--seed", str(2**64)], ["from 0 to 2^64-1"]),
        ([*SHORT, "--seed", "9" * 5000], ["from 0 to 2^64-1"]),
        ([*SHORT, "--backend", "fortran"], ["plain or compiled"]),
        ([*SHORT, "--backend", "gpu"], ["plain or compiled"]),
        ([*SHORT, "--watch", "--json"], ["--watch", "--json"]),
        (["serve", "--static", "nowhere"], ["--static", "'nowhere' does not exist"]),
        (["conform", "empires", ".", "--refusals"], ["no refused actions", "--refusals"]),
        (["types", "nowhere"], ["nowhere is not a checkout of endturn"]),
    ],
)
def test_mistake_prints_one_sentence_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], parts: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_one_sentence(run(*words, *(["--out", "match.gz"] if words[0] == "play" else [])), *parts)
    assert list(tmp_path.iterdir()) == []


def test_existing_file_is_kept_unless_forced(kept: Path) -> None:
    before = kept.read_bytes()
    longer = ["play", "anarchy", "random", "random", "--seed", "3", "--out", kept]
    assert_one_sentence(run(*longer), "exists", "--force")
    assert kept.read_bytes() == before
    assert run(*longer, "--force").code == 0
    assert kept.read_bytes() != before
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_missing_folder_is_named(tmp_path: Path) -> None:
    assert_one_sentence(run(*SHORT, "--out", tmp_path / "no" / "match.gz"), "does not exist")


def test_folder_is_not_overwritten(tmp_path: Path) -> None:
    assert_one_sentence(run(*SHORT, "--out", tmp_path, "--force"), str(tmp_path), "not a regular file")


def bad_files(kept: Path) -> dict[str, Path]:
    folder = kept.parent
    made = {
        name: folder / name
        for name in ("missing", "empty", "truncated", "cut", "foreign", "binary", "folder")
    }
    made["empty"].write_bytes(b"")
    made["truncated"].write_bytes(kept.read_bytes()[: kept.stat().st_size // 2])
    made["cut"].write_text(gzip.decompress(kept.read_bytes()).decode()[:-200])
    made["foreign"].write_text('{"gameName": "Anarchy", "deltas": []}\n')
    made["binary"].write_bytes(bytes(range(256)))
    made["folder"].mkdir()
    return {**made, "altered": altered(kept)}


@pytest.mark.parametrize("command", ["verify", "show"])
@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("missing", "No such file"),
        ("empty", "empty"),
        ("truncated", "cut off; line"),
        ("cut", "cut off"),
        ("foreign", "not an endturn gamelog"),
        ("binary", "not an endturn gamelog"),
        ("folder", "Is a directory"),
        ("altered", "wrong checksum"),
    ],
)
def test_bad_file_error_names_the_file(kept: Path, command: str, kind: str, part: str) -> None:
    file = bad_files(kept)[kind]
    assert_one_sentence(run(command, file), str(file), part)


def test_control_characters_in_file_names_are_replaced(tmp_path: Path) -> None:
    ran = shell("verify", tmp_path / "a\x1b[31mred")
    assert ran.code == 2
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["play"], "Missing argument 'GAME'. See endturn play --help"),
        (["plya"], "No such command 'plya'. Did you mean 'play'? See endturn --help."),
        (["show"], "Missing argument 'FILE'"),
        (["fly"], "No such command 'fly'"),
        ([*SHORT, "--speed", "9"], "No such option: --speed"),
        ([*SHORT, "--delay", "slow"], "--delay"),
        ([*SHORT, "--watch", "--delay", "-1"], "--delay must be a number from 0 to 60, not -1.0"),
        (["show", "x", "--turn", "two"], "--turn"),
        (["bench", "--games", "0"], "--games must be a number from 1"),
        (["bench", "--threads", "many"], "--threads"),
        (["bench", "--threads", "0"], "--threads must be a number from 1"),
        (["bench", "--backend", "fortran"], "must be plain, compiled or gpu"),
        (["bench", "chess"], "no game 'chess'"),
        (["conform", "chess", "x"], "no game 'chess'"),
    ],
)
def test_wrong_option_prints_one_sentence(words: list[str], part: str) -> None:
    assert_one_sentence(run(*words), part)


# --- verify and show ---


def test_one_turn_is_singular(tmp_path: Path) -> None:
    file = tmp_path / "short.jsonl.gz"
    run("play", "anarchy", "random", "random", "--set", "max_turns=1", "--out", file)
    assert re.search(r", 1 turn, \d+ actions?, ", run("verify", file).out)


def test_verify_describes_each_file(kept: Path) -> None:
    ran = run("verify", kept)
    assert ran.code == 0
    assert re.search(rf"^ok +{re.escape(str(kept))}: Anarchy, Red \(arsonist\) vs .* 6 turns", ran.out)
    assert f"Next: endturn show {kept}" in ran.out


def test_verify_reports_all_files_and_fails_if_one_is_bad(kept: Path) -> None:
    bad = altered(kept)
    ran = run("verify", kept, bad, kept)
    assert ran.code == 2
    assert ran.out.count("ok  ") == 2
    assert "2 of 3 gamelogs are valid." in ran.out
    assert len(ran.err.splitlines()) == 1
    assert f"{bad}, line " in ran.err


def test_verify_json(kept: Path) -> None:
    bad = altered(kept)
    ran = run("verify", kept, bad, kept.with_name("missing"), "--json")
    assert ran.code == 2
    good, wrong, missing = ran.json
    assert good["ok"] is True
    assert good["players"] == ["arsonist", "random"]
    assert wrong["ok"] is False
    assert wrong["line"] > 1
    assert "wrong checksum" in wrong["reason"]
    assert missing["line"] is None


def test_show_prints_the_end_and_the_winner(kept: Path) -> None:
    ran = run("show", kept)
    assert ran.code == 0
    assert "Turn 5 of 6" in ran.out
    assert "The turn limit was reached" in ran.out


def test_show_prints_the_start_of_a_turn(kept: Path) -> None:
    ran = run("show", kept, "--turn", 2)
    assert "Turn 2 of 6" in ran.out
    assert "Red to act" in ran.out
    assert "won" not in ran.out
    assert f"endturn show {kept} --turn 3" in ran.out


def test_show_in_a_narrow_pipe_keeps_whole_rows(kept: Path) -> None:
    board = run("show", kept).out.splitlines()[2:22]
    assert {len(row) for row in board} == {80}


@pytest.mark.parametrize("turn", [-1, 6, 10**30])
def test_missing_turn_error_names_the_existing_turns(kept: Path, turn: int) -> None:
    assert_one_sentence(run("show", kept, "--turn", turn), f"no turn {turn}", "turns are 0 to 5")


def test_show_json_is_the_view(kept: Path) -> None:
    end, second = run("show", kept, "--json").json, run("show", kept, "--turn", 2, "--json").json
    assert end["ended"] == "turn_limit"
    assert second["turn"] == 2
    assert second["ended"] == "going_on"


def test_names_in_a_gamelog_cannot_control_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    run(*SHORT, "--out", tmp_path / "match.gz")
    text = gzip.decompress((tmp_path / "match.gz").read_bytes()).decode()
    file.write_text(forged(text, players=["[red]x[/]\x1b[2J", "b\nok"]))
    ran = run("verify", file)
    assert ran.code == 0
    assert "[red]x[/]?[2J" in ran.out
    assert "b?ok" in ran.out


# --- conform ---


def as_delta(value: Any) -> Any:
    """A value as the original servers wrote it, with a list as a dictionary with its length."""
    if isinstance(value, list):
        value = {**dict(enumerate(value)), "&LEN": len(value)}
    return {str(k): as_delta(v) for k, v in value.items()} if isinstance(value, dict) else value


def original_gamelog(file: Path, **changes: object) -> Path:
    """The start of a gamelog of a 2017 server: the first state, then one delta with changes."""
    anarchy = find("anarchy")
    state = anarchy.rules.setup(anarchy.configure("2017"), 3)
    session = SessionFacts("test", ("a", "b"), ("Python", "Python"), [1e9, 1e9], 0, {})
    first = as_delta(wire(dialect(anarchy), state, "2017", session, None))
    deltas = [{"type": "start", "game": first}, {"type": "disconnect", "game": changes}]
    log = {"gameName": "Anarchy", "deltas": deltas, "winners": [], "losers": []}
    file.write_bytes(gzip.compress(json.dumps(log).encode()))
    return file


def test_conform_counts_matching_deltas(tmp_path: Path) -> None:
    file = original_gamelog(tmp_path / "1.json.gz")
    ran = run("conform", "anarchy", file, file)
    assert ran.code == 0
    assert ran.out.count("server of 2017, 1 deltas compared, 0 refused actions, 0 mismatches") == 2
    assert "total: 2 files, 2 deltas compared" in ran.out
    assert f"Next: endturn conform anarchy {file} --refusals" in ran.out


def test_conform_shows_the_first_mismatch_and_fails(tmp_path: Path) -> None:
    ran = run("conform", "anarchy", original_gamelog(tmp_path / "1.json.gz", currentTurn=7))
    assert ran.code == 1
    assert re.search(r"currentTurn:\s+original: 7\s+ours: +0", ran.out)
    said = run("conform", "anarchy", tmp_path / "1.json.gz", "--json").json
    assert said[0]["mismatches"] == 1
    assert said[0]["first"]["path"] == "currentTurn"


def test_conform_names_files_that_are_not_cadre_gamelogs(kept: Path) -> None:
    for file in bad_files(kept).values():
        assert_one_sentence(run("conform", "anarchy", file), str(file))


def test_conform_continues_after_a_bad_file(kept: Path) -> None:
    ran = run("conform", "anarchy", kept, original_gamelog(kept.with_name("1.json.gz")))
    assert ran.code == 2
    assert "total: 1 files" in ran.out


def test_conform_needs_a_game_with_an_original_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "pig", "toy_game")  # type: ignore[arg-type]
    assert_one_sentence(run("conform", "pig", "x"), "Pig has no original server")


# --- bench ---


def test_bench_prints_one_row_per_backend() -> None:
    pytest.importorskip("numba")
    ran = run("bench", "anarchy", "--games", "2", "--threads", "1")
    assert ran.code == 0
    assert re.search(r"^anarchy +plain +2 +1 +[\d,]+ ", ran.out, re.MULTILINE)
    assert re.search(r"^anarchy +compiled +2 +1 +[\d,]+ ", ran.out, re.MULTILINE)
    assert "Next: endturn bench anarchy" in ran.out


def test_bench_json_has_rates_and_the_machine() -> None:
    said = run("bench", "anarchy", "--backend", "plain", "--json").json
    assert said["machine"]["cores"] >= 1
    (row,) = said["measured"]
    assert row["backend"] == "plain"
    assert row["rate"] == pytest.approx(row["actions"] / row["seconds"])


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Pretend that packages are not installed."""
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in packages else find_spec(name)
    )


def test_missing_backend_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "numba", "numba_cuda")
    compiled, gpu = ["--backend", "compiled"], ["--backend", "gpu"]
    for words in ([*SHORT, *compiled], ["bench", *compiled], ["bench", *gpu], ["bench", "--gpu"]):
        assert_one_sentence(run(*words), "not installed: pip install")


def test_bench_without_numba_measures_plain_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "numba")
    ran = run("bench", "anarchy")
    assert ran.code == 0
    assert "plain" in ran.out
    assert "pip install 'endturn[fast]'" in ran.err


# --- as a separate program ---


def test_pipes_and_no_color_have_no_escape_codes(kept: Path) -> None:
    assert "\x1b" not in shell("games").out
    assert "\x1b" not in shell("show", kept, NO_COLOR="1").out
    assert "\x1b[31m" in shell("show", kept, FORCE_COLOR="1", TERM="xterm").out
    assert "\x1b[31m" not in shell("show", kept, FORCE_COLOR="1", NO_COLOR="1", TERM="xterm").out


def test_board_prints_on_an_ascii_terminal(kept: Path) -> None:
    ran = shell("show", kept, PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert "Turn 5 of 6   wind ?" in ran.out


def test_suggested_commands_use_a_path_if_endturn_is_not_on_path(tmp_path: Path) -> None:
    ran = shell("games", cwd=tmp_path, PATH="/usr/bin:/bin")
    assert f"Next: {ENDTURN} rules anarchy" in ran.out


def test_mistake_in_a_separate_program_prints_one_sentence(tmp_path: Path) -> None:
    assert_one_sentence(shell("play", "chess", "random", "random"), "no game 'chess'")
    assert_one_sentence(shell("verify", tmp_path / "missing.gz"), "No such file")


def test_closed_pipe_ends_the_command_quietly(kept: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {ENDTURN} rules anarchy | head -1"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "# Anarchy\n"
    assert done.stderr == ""


def test_closed_output_is_not_an_error(kept: Path) -> None:
    for redirection in (">&-", "2>&-", ">&- 2>&-"):
        done = subprocess.run(["bash", "-c", f"{ENDTURN} verify {kept} {redirection}"], stderr=-1, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")


def test_full_disk_prints_one_sentence() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{ENDTURN} games > /dev/full"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr == "No space left on device.\n"


def slow_play(folder: Path) -> subprocess.Popen[str]:
    """A slow match that is being saved."""
    command = [
        ENDTURN,
        "play",
        "anarchy",
        "random",
        "random",
        "--out",
        "match.gz",
        "--watch",
        "--delay",
        "0.2",
    ]
    # A shell that starts the tests in the background ignores SIGINT, and children inherit that.
    made = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 30
    while not list(folder.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return made


def test_killed_match_leaves_no_gamelog(tmp_path: Path) -> None:
    playing = slow_play(tmp_path)
    playing.kill()
    playing.communicate(timeout=30)
    assert playing.returncode == -signal.SIGKILL
    assert not (tmp_path / "match.gz").exists()
    assert run(*SHORT, "--out", tmp_path / "match.gz").code == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_match_ends_quietly_and_leaves_nothing(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    playing = slow_play(tmp_path)
    assert list(tmp_path.iterdir())
    playing.send_signal(number)
    _, errors = playing.communicate(timeout=30)
    assert playing.returncode == code
    assert errors == ""
    assert list(tmp_path.iterdir()) == []


def test_version_and_help() -> None:
    assert re.fullmatch(r"endturn \d+\.\d+\.\d+\n", run("--version").out)
    for command in ("games", "rules", "play", "verify", "show", "conform", "bench"):
        assert run(command, "--help").code == 0


# --- your own maps --------------------------------------------------------------------------------------


@pytest.fixture
def own_map(tmp_path: Path) -> Path:
    """The map that `endturn map` prints, with one more tree."""
    file = tmp_path / "mine.txt"
    file.write_text("T" + run("map", "snowball").out[1:])
    return file


def test_map_prints_an_example_and_describes_a_file(own_map):
    told = run("map", "snowball", own_map)
    assert told.code == 0 and "40 x 24" in told.out and "not the same" in told.out
    assert "Line 1, column 1 differs from line 24, column 40, opposite it." in told.out
    said = run("map", "snowball", own_map, "--json").json
    assert said["tiles"]["full_cover"] == 17 and len(said["faults"]) == 1


def test_gamelog_contains_the_map(own_map, tmp_path):
    log = tmp_path / "match.jsonl.gz"
    options = ["--profile", "automated", "--set", "army_points=1", "--seed", 3, "--out", log]
    assert run("play", "snowball", "tactician", "random", "--map", own_map, *options).code == 0
    own_map.unlink()
    assert run("verify", log).code == 0
    assert json.loads(gzip.decompress(log.read_bytes()).splitlines()[0])["settings"]["map_text"].startswith(
        "T...."
    )


def test_map_errors_print_one_sentence(own_map, tmp_path):
    own_map.write_text(own_map.read_text().replace(".A", "xA"))
    words = "mine.txt: Line 13, column 6: 'x' is not a tile"
    assert_one_sentence(run("map", "snowball", own_map), words)
    assert_one_sentence(run("play", "snowball", "random", "random", "--map", own_map), words)
    own_map.write_bytes(b"\xff\xfe")
    assert_one_sentence(run("map", "snowball", own_map), "not valid UTF-8 text")
    own_map.write_text("." * 70000)
    assert_one_sentence(run("map", "snowball", own_map), "map limit of 65536 bytes")
    assert_one_sentence(run("map", "snowball", tmp_path / "none.txt"), "No such file")
    assert_one_sentence(run("map", "anarchy", own_map), "Games that can: snowball")
    assert_one_sentence(
        run("play", "anarchy", "random", "random", "--map", own_map),
        "Anarchy cannot be played on your own maps",
    )


def test_suggested_command_names_the_map(own_map):
    options = ["--profile", "automated", "--set", "army_points=1", "--seed", 3]
    done = run("play", "snowball", "tactician", "random", "--map", own_map, *options)
    assert f"--map {own_map}" in done.out.replace("\n", " ")


# --- extras -------------------------------------------------------------------------------------------------


def test_extras_name_every_module_that_may_be_missing() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    for extra, modules in EXTRAS.items():
        packages = {re.split(r"[\[<>=;]", each)[0] for each in project["optional-dependencies"][extra]}
        found = {module.replace("_", "-") for module in modules.split()}
        assert packages - found <= {"argon2-cffi"}  # its module is argon2


WITHOUT_STRUCTLOG = "import sys; sys.modules['structlog'] = None; from endturn.cli import main; main()"


@pytest.mark.parametrize("command", ["serve", "loadtest"])
def test_missing_extra_prints_the_command_to_run(command: str) -> None:
    # A process of its own: modules that are imported twice in this one would break other tests.
    ran = subprocess.run([sys.executable, "-c", WITHOUT_STRUCTLOG, command], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"endturn {command} needs the server extra: pip install 'endturn[server]'\n"
