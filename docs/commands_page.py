"""The text of commands.md: each command with its options and exit codes, as its parser declares them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from guardlift.tools import pytest_plugin, warm
from guardlift.tools.command import options
from guardlift.tools.harness.markers import IN_FILE, SETTINGS

_HEAD = """
What the programs take that come with guardlift, and the codes with which they end. Made from their parsers by
`make docs-tables`; each prints the same when it is called with `--help`. [guides/testing.md](guides/testing.md) shows
them at work, and [recompiles.md](recompiles.md) what they say about small programs.
""".strip().splitlines()

_ENVIRONMENT = """
## Variables

| variable | |
|---|---|
| `GUARDLIFT_RECORD` | a folder: every process that imports guardlift writes its part of a record there |
| `GUARDLIFT_LOGS` | the kinds of events that are logged as they happen: `recompiles,breaks`, or `all` |
| `COLUMNS` | the width of what is printed, where standard output is no terminal; 80 without it |
| `NO_COLOR`, `TERM` | no colour where `NO_COLOR` is set, or `TERM` is `dumb` |
| `FORCE_COLOR` | colour in files and pipes too, where it is set and not 0 |
""".strip().splitlines()

COMMANDS: Sequence[argparse.ArgumentParser] = (
    options.run_parser(),
    options.show_parser(),
    options.check_parser(),
    options.diff_parser(),
    options.report_parser(),
    warm.warm_parser(),
)


def page() -> str:
    """The reference."""
    lines = ["# Commands", "", "<!-- fmt: off -->", "", *_HEAD, ""]
    lines += [f"- [`{each.prog}`](#{_anchor(each.prog)}): {_in_short(each.description)}" for each in COMMANDS]
    lines += ["- [pytest](#pytest): options, the ini file and the marker of the plugin", "- [Variables](#variables)"]
    for parser in COMMANDS:
        lines += ["", *command_lines(parser)]
    return "\n".join([*lines, "", *_pytest_lines(), "", *_ENVIRONMENT, ""])


def command_lines(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The section of one command: how it is called, what it takes, how it ends."""
    yield from (f"## {parser.prog}", "", "```", *(line.strip() for line in (parser.usage or "").splitlines()), "```")
    yield from ("", f"{parser.description}", "", "| | |", "|---|---|")
    for group in parser._action_groups:
        for action in (each for each in group._group_actions if each.dest != "help"):
            yield f"| {_words_of(action)} | {_cell(action.help)} |"
    for group in (each for each in parser._action_groups if each.description and each.title):
        listed = ", ".join(f"`{action.option_strings[0]}`" for action in group._group_actions)
        yield from ("", f"{_capital(group.title)}: {listed}. {_capital(group.description)}.")
    codes: Mapping[int | str, str] = getattr(parser, "codes", warm.CODES)
    yield from ("", "| exit code | |", "|---|---|")
    yield from (f"| {code} | {_cell(meaning)} |" for code, meaning in codes.items())


def _words_of(action: argparse.Action) -> str:
    """The words by which an argument or an option is given."""
    value = action.metavar if isinstance(action.metavar, str) else ""
    if not action.option_strings:
        return f"`{value}{' ...' if action.nargs == '*' else ''}`"
    return ", ".join(f"`{f'{each} {value}'.rstrip()}`" for each in action.option_strings)


def _cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|")


def _in_short(description: str | None) -> str:
    return (description or "").partition(". ")[0].partition(":")[0].rstrip(".")


def _capital(text: str | None) -> str:
    return (text or "")[:1].upper() + (text or "")[1:]


def _anchor(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return "".join(each for each in title.lower().replace(" ", "-") if each.isalnum() or each in "-_")


class Declared:
    """Stands for pytest's parser, and keeps what the plugin declares."""

    def __init__(self) -> None:
        self.options: list[tuple[str, dict[str, Any]]] = []
        self.settings: list[tuple[str, str, str]] = []

    def getgroup(self, name: str, description: str = "") -> Declared:
        """Itself: it keeps the options of all groups."""
        return self

    def addoption(self, name: str, **told: Any) -> None:
        """Keeps an option of the command line."""
        self.options.append((name, told))

    def addini(self, name: str, help: str, default: object = None) -> None:
        """Keeps a setting of the ini file."""
        self.settings.append((name, help, "" if default is None else str(default)))


def _pytest_lines() -> Iterator[str]:
    declared = Declared()
    pytest_plugin.pytest_addoption(declared)  # type: ignore[arg-type]
    yield from (
        "## pytest",
        "",
        "The plugin is there as soon as guardlift is installed.",
        "",
        "| option | |",
        "|---|---|",
    )
    for name, told in declared.options:
        yield f"| `{name}{_value(told)}` | {_cell(told['help'])} |"
    yield from ("", "| in the ini file | |", "|---|---|")
    for name, text, default in declared.settings:
        yield f"| `{name}` | {_cell(text)}{default and f'; `{default}` without it'} |"
    yield from ("", "| `@pytest.mark.guardlift(...)` | |", "|---|---|")
    for name in SETTINGS:
        yield f"| `{name}=` | {_cell(SETTINGS[name].takes)}{'' if name in IN_FILE else '; not in the ini file'} |"


def _value(told: Mapping[str, Any]) -> str:
    choices: Iterable[str] = told.get("choices", ())
    value = "|".join(choices) or told.get("metavar", "")
    return value and f"={value}".replace("|", "\\|")
