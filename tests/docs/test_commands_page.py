"""The reference of commands says what the parsers take, and the help of a command the same."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from guardlift.tools import explain, warm
from guardlift.tools.command import options
from guardlift.tools.warm import CODES, warm_parser

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
PARSERS = {
    "guard-explain": options.run_parser(),
    "guard-explain show": options.show_parser(),
    "guard-explain check": options.check_parser(),
    "guard-explain diff": options.diff_parser(),
    "guard-explain report": options.report_parser(),
    "python -m guardlift.warm": warm_parser(),
}


def section(title: str) -> str:
    """The text below a heading of the page."""
    (found,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def test_every_subcommand_has_a_section() -> None:
    assert set(PARSERS) == {
        "guard-explain",
        *(f"guard-explain {name}" for name in explain.COMMANDS),
        *list(PARSERS)[-1:],
    }
    assert all(section(title) for title in PARSERS)


OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")


@pytest.mark.parametrize("title", PARSERS)
def test_a_section_has_the_options_that_the_help_has(title: str) -> None:
    cells = re.findall(r"^\| (`.*?`) \|", section(title), re.MULTILINE)
    heads = re.findall(r"^  (-.*?)(?:  |$)", PARSERS[title].format_help(), re.MULTILINE)
    written, helped = ({each for text in texts for each in OPTION.findall(text)} for texts in (cells, heads))
    assert written == helped - {"-h", "--help"} and written


@pytest.mark.parametrize("title", PARSERS)
def test_the_exit_codes_of_a_section_are_those_that_the_help_lists(title: str) -> None:
    listed = re.findall(
        r"^\| (\S[^|]*?) \| (.*) \|$", section(title).partition("| exit code | |\n|---|---|\n")[2], re.MULTILINE
    )
    codes = getattr(PARSERS[title], "codes", CODES)
    assert listed == [(str(code), meaning) for code, meaning in codes.items()]
    told = re.sub(r"\s+", " ", PARSERS[title].format_help())
    assert all(f"{code}: {meaning}" in told for code, meaning in codes.items())


@pytest.mark.parametrize("title", PARSERS)
def test_a_wrong_option_shows_the_usage_of_the_page(
    title: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    command, *words = title.removeprefix("python -m ").split()
    with pytest.raises(SystemExit) as stop:
        sys.exit((warm if command == "guardlift.warm" else explain).main([*words, "--wrong"]))
    assert stop.value.code == 2
    shown = section(title).split("```\n")[1].splitlines()
    told = capsys.readouterr().err.splitlines()
    assert [line.strip() for line in told[: len(shown)]] == [f"usage: {shown[0]}", *shown[1:]]
