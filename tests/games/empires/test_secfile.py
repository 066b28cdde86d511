"""Section files: reading every kind of value, errors in broken files, and writing."""

import lzma

import pytest

from endturn.games.empires.freeciv.secfile import BadSecfile, SectionTable, parse, read, unqualified, write

TEXT = """
; a comment
[datafile]
description = _("A ruleset")  ; and another
long = "one, \\
two"
count = -3
share = 0.5
wanted = TRUE, false
on_the_next_line =
  "here", ; with a remark
  "and here"
[unit_a]
name = "?unit:Workers"
reqs =
  { "type", "name", "range", "present"
    "Tech", "Writing", "Player" ; short: the rest is as usual
    "Gov", "Anarchy", "Player", FALSE
  }
code=$several
lines$
"""


def parsed():
    return parse(TEXT, "a.ruleset").sections


def test_values_of_every_type_are_read():
    assert parsed()["datafile"].entries == {
        "description": "A ruleset",
        "long": "one, two",
        "count": -3,
        "share": 0.5,
        "wanted": [True, False],
        "on_the_next_line": ["here", "and here"],
    }


def test_table_rows_may_have_any_length():
    table = parsed()["unit_a"].table("reqs")
    assert table == SectionTable(
        ("type", "name", "range", "present"),
        [["Tech", "Writing", "Player"], ["Gov", "Anarchy", "Player", False]],
    )
    assert "present" not in parsed()["unit_a"].records("reqs")[0]


def test_name_loses_its_context_prefix():
    assert unqualified(parsed()["unit_a"].text("name")) == "Workers"


def test_written_file_reads_the_same():
    file = parse(TEXT, "a.ruleset")
    again = parse(write(file), "again")
    assert {n: s.entries for n, s in again.sections.items()} == {
        n: s.entries for n, s in file.sections.items()
    }


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("x = 1", "f, line 1: 'x' comes before the first [section]."),
        ("[a]\n\n!", "f, line 3, section [a]: expected a [section] or 'key = value' here."),
        ("[a]\nx = ", "f, line 2, section [a]: cannot read the value of 'x'. Is the file cut off?"),
        ('[a]\nx = {"b"\n1\n', "f, line 4, section [a]: a table lacks its closing '}'. Is the file cut off?"),
        ("[a]\n[a]", "f, line 2, section [a]: duplicate section [a]."),
        (
            '[a]\n*include "no.ruleset"',
            "f, line 2, section [a]: included file 'no.ruleset' not found.",
        ),
    ],
)
def test_broken_file_is_an_error_with_file_line_and_section(text, complaint):
    with pytest.raises(BadSecfile) as told:
        parse(text, "f")
    assert str(told.value) == complaint


@pytest.mark.parametrize(
    "ask, complaint",
    [
        (
            lambda s: s.integer("name"),
            "line 14, section [unit_a]: 'name' must be a whole number, not '?unit:Workers'",
        ),
        (lambda s: s.flag("name"), "line 14, section [unit_a]: 'name' must be TRUE or FALSE"),
        (lambda s: s.text("missing"), "line 13, section [unit_a]: missing entry 'missing'."),
        (lambda s: s.table("name"), "line 14, section [unit_a]: 'name' must be a table."),
    ],
)
def test_wrong_value_is_an_error_with_its_line(ask, complaint):
    with pytest.raises(BadSecfile, match="a.ruleset"):
        ask(parsed()["unit_a"])
    with pytest.raises(BadSecfile) as told:
        ask(parsed()["unit_a"])
    assert complaint in str(told.value)


def test_compressed_file_is_read_and_truncated_one_is_an_error(tmp_path):
    whole = tmp_path / "a.sav.xz"
    whole.write_bytes(lzma.compress(TEXT.encode()))
    assert read(whole).sections["datafile"].integer("count") == -3
    cut = tmp_path / "b.sav.xz"
    cut.write_bytes(lzma.compress(TEXT.encode())[:-20])
    with pytest.raises(BadSecfile, match="cut off"):
        read(cut)
