import gzip
import os
import threading
from pathlib import Path

import msgspec
import pytest

from endturn import archive
from endturn.archive import files
from endturn.bots import RandomBot, play
from endturn.engine import gamelog
from endturn.engine.match import Match
from endturn.games import find

SEED = 11


@pytest.fixture(scope="module")
def text() -> str:
    """The gamelog of a short match."""
    anarchy = find("anarchy")
    match = Match(anarchy, anarchy.configure(values={"max_turns": 6}), seed=SEED)
    play(match, [RandomBot(1), RandomBot(2)])
    return "".join(gamelog.write(match))


@pytest.fixture
def kept(tmp_path: Path, text: str) -> Path:
    """The same gamelog as a file."""
    path = tmp_path / "match.jsonl.gz"
    with archive.writing(path) as write:
        for line in text.splitlines(keepends=True):
            write(line)
    return path


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def forged(text: str, **changes: object) -> str:
    """The gamelog with another header and matching line checksums."""
    check, made = "", []
    for number, line in enumerate(text.splitlines()):
        said = msgspec.json.decode(line)
        del said["#"]
        body = msgspec.json.encode({**said, **changes} if number == 0 else said).decode()
        check = gamelog._check(check, body)
        made.append(f'{body[:-1]},"#":"{check}"}}\n')
    return "".join(made)


def complaint(path: Path) -> archive.BadFile:
    with pytest.raises(archive.BadFile) as caught:
        archive.verify(path, find)
    return caught.value


# --- writing ---


def test_written_gamelog_verifies(kept: Path) -> None:
    assert archive.verify(kept, find).match.seed == SEED


def test_written_file_is_gzip_and_leaves_no_other_file(kept: Path, text: str) -> None:
    assert gzip.decompress(kept.read_bytes()).decode() == text
    assert files_in(kept.parent) == ["match.jsonl.gz"]


def test_same_match_gives_the_same_bytes(kept: Path, text: str) -> None:
    other = kept.with_name("other.gz")
    with archive.writing(other) as write:
        write(text)
    with archive.writing(kept.with_name("third.gz")) as write:
        write(text)
    assert other.read_bytes() == kept.with_name("third.gz").read_bytes()


def test_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "match.gz"
    with archive.writing(path) as write:
        write("a line\n")
        assert not path.exists()
    assert path.exists()


def test_file_is_synced_before_it_appears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, fsync, synced = tmp_path / "match.gz", os.fsync, []

    def noted(file: int) -> None:
        synced.append((os.fstat(file).st_size, path.exists()))
        fsync(file)

    monkeypatch.setattr(os, "fsync", noted)
    with archive.writing(path) as write:
        write("a line\n")
    assert synced == [(path.stat().st_size, False)]


def test_error_while_writing_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), archive.writing(tmp_path / "match.gz") as write:
        write("a line\n")
        raise KeyboardInterrupt
    assert files_in(tmp_path) == []


def test_error_while_overwriting_keeps_the_old_file(kept: Path) -> None:
    before = kept.read_bytes()
    with pytest.raises(KeyboardInterrupt), archive.writing(kept, overwrite=True) as write:
        write("a line\n")
        raise KeyboardInterrupt
    assert kept.read_bytes() == before
    assert files_in(kept.parent) == ["match.jsonl.gz"]


def test_existing_file_is_not_overwritten_by_default(kept: Path) -> None:
    before = kept.read_bytes()
    with pytest.raises(archive.BadFile, match="the file exists"), archive.writing(kept):
        pass
    assert kept.read_bytes() == before
    with archive.writing(kept, overwrite=True) as write:
        write("another\n")
    assert gzip.decompress(kept.read_bytes()) == b"another\n"


def test_file_created_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "match.gz"
    with pytest.raises(archive.BadFile, match="the file exists"), archive.writing(path) as write:
        write("mine\n")
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert files_in(tmp_path) == ["match.gz"]


def test_files_are_atomic_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(source: object, target: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    with archive.writing(tmp_path / "match.gz") as write:
        write("a line\n")
    assert files_in(tmp_path) == ["match.gz"]


def test_folder_or_device_is_not_overwritten(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/null")):
        with (
            pytest.raises(archive.BadFile, match="not a regular file"),
            archive.writing(path, overwrite=True),
        ):
            pass


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(archive.BadFile, match="the folder .* does not exist"),
        archive.writing(tmp_path / "no" / "x.gz"),
    ):
        pass


def test_files_have_the_permissions_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with archive.writing(tmp_path / "match.gz") as write:
            write("a line\n")
    finally:
        os.umask(before)
    assert (tmp_path / "match.gz").stat().st_mode & 0o777 == 0o640


# --- reading ---


def test_gzip_is_detected_by_content_not_by_name(tmp_path: Path, text: str) -> None:
    plain, packed = tmp_path / "plain.gz", tmp_path / "packed.jsonl"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    assert "".join(archive.lines(plain)) == "".join(archive.lines(packed)) == text


def test_empty_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(b"")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b""))
    for name in ("a.gz", "b.gz"):
        assert str(complaint(tmp_path / name)) == f"{tmp_path / name}: the file is empty."


@pytest.mark.parametrize("part", [0.4, 0.7, 0.9, 0.999])
def test_truncated_gzip_names_the_last_readable_line(kept: Path, text: str, part: float) -> None:
    whole = kept.read_bytes()
    kept.write_bytes(whole[: int(len(whole) * part)])
    error = complaint(kept)
    readable: list[str] = []
    with pytest.raises(archive.BadFile):
        for line in archive.lines(kept):
            readable.append(line)
    assert text.startswith("".join(readable))
    assert len(readable) > text.count("\n") * (part - 0.35)
    assert error.line == len(readable) + 1
    assert error.reason == f"the file is cut off; line {len(readable)} is the last readable line."


def test_gzip_header_alone_is_an_error(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:12])
    assert complaint(kept).reason == "the file is cut off; no line is readable."


def test_every_truncation_of_a_plain_file_is_found(tmp_path: Path, text: str) -> None:
    path = tmp_path / "match.jsonl"
    for length in range(1, len(text), 97):
        path.write_text(text[:length])
        assert complaint(path).line is not None


def test_changed_byte_in_gzip_is_found(kept: Path) -> None:
    whole = kept.read_bytes()
    for at in range(12, len(whole) - 1, max(1, len(whole) // 60)):
        kept.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        assert complaint(kept).line is not None


def test_altered_line_is_named(tmp_path: Path, text: str) -> None:
    lines = text.splitlines(keepends=True)
    path = tmp_path / "match.jsonl"
    at = next(i for i, line in enumerate(lines) if '"seat":0' in line)
    lines[at] = lines[at].replace('"seat":0', '"seat":1')
    path.write_text("".join(lines))
    error = complaint(path)
    assert error.line == at + 1
    assert str(error).startswith(f"{path}, line {at + 1}: wrong checksum")


@pytest.mark.parametrize(
    "foreign",
    [b'{"gameName":"Anarchy","deltas":[]}', b"\x89PNG\r\n\x1a\n\xff", b"hello\n", b"{" * 3_000_000, b"\0"],
)
def test_foreign_file_is_not_a_gamelog(tmp_path: Path, foreign: bytes) -> None:
    path = tmp_path / "match.jsonl"
    for data in (foreign, gzip.compress(foreign)):
        path.write_bytes(data)
        assert complaint(path).reason == "this is not an endturn gamelog."


def test_invalid_utf8_names_the_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "match.jsonl"
    head, rest = text.encode().split(b"\n", 1)
    path.write_bytes(head + b"\n\xff\xfe" + rest)
    assert complaint(path).line == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": "fish"},
        {"seed": 5},
        {"seed": "-0x1"},
        {"seed": "0x1" + "0" * 16},
        {"players": ["one"]},
        {"players": 7},
        {"settings": {"max_turns": 0}},
        {"settings": [1]},
        {"game": "chess"},
        {"version": 999},
        {"endturn": 2},
        {"start": "nonsense"},
    ],
)
def test_invalid_header_is_an_error_even_with_valid_checksums(
    tmp_path: Path, text: str, changes: dict[str, object]
) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(forged(text, **changes))
    assert complaint(path).line == 1


def test_forged_seed_is_found_by_replaying(tmp_path: Path, text: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(forged(text, seed=hex(SEED + 1)))
    assert (complaint(path).line or 0) > 1


def test_deeply_nested_line_is_not_json(tmp_path: Path) -> None:
    body = '{"endturn":' + "[" * 100_000 + "}"
    path = tmp_path / "match.jsonl"
    path.write_text(f'{body[:-1]},"#":"{gamelog._check("", body)}"}}\n')
    assert "not JSON" in complaint(path).reason


def test_content_reads_plain_and_gzipped_files(tmp_path: Path) -> None:
    said = b'{"gameName":"Anarchy"}'
    (tmp_path / "a").write_bytes(said)
    (tmp_path / "b").write_bytes(gzip.compress(said))
    assert archive.content(tmp_path / "a") == archive.content(tmp_path / "b") == said


def test_content_names_truncated_and_empty_files(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(os.urandom(5000))[:-900])
    with pytest.raises(archive.BadFile, match="cut off"):
        archive.content(path)
    path.write_bytes(b"")
    with pytest.raises(archive.BadFile, match="empty"):
        archive.content(path)


def test_content_names_files_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", 1000)
    path = tmp_path / "a"
    for pack in (bytes, gzip.compress):
        path.write_bytes(pack(b"x" * 1000))
        assert len(archive.content(path)) == 1000
        path.write_bytes(pack(b"x" * 1001))
        with pytest.raises(archive.BadFile, match="larger than 1000 bytes"):
            archive.content(path)


def test_replay_to_a_turn_stops_at_its_start(kept: Path) -> None:
    match = archive.replay(kept, find, turn=3).match
    assert match.turn == 3
    assert isinstance(match.log[-1], type(match.log[0]))


def test_only_one_of_two_writers_succeeds(tmp_path: Path) -> None:
    path, both_ready, results = tmp_path / "match.gz", threading.Barrier(2), []

    def write_one(word: str) -> None:
        try:
            with archive.writing(path) as write:
                write(word)
                both_ready.wait()
            results.append(word)
        except archive.BadFile:
            pass

    writers = [threading.Thread(target=write_one, args=(word,)) for word in ("one", "two")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(results) == 1
    assert gzip.decompress(path.read_bytes()).decode() == results[0]
