"""Makes a random program run: the statements on which it raises, or at which the trace ends, are taken out."""

from __future__ import annotations

import re
import traceback
import warnings
from typing import Any

import numpy as np
from fuzz.ending import Endless, ending
from fuzz.language_programs import program
from odd_names import ODD_NAMES
from oracle import under
from worlds import FILE, World, block_end, body_of

from guardlift.frontend import state_of

MOST = 25
"""The most statements that are taken out."""


def that_runs(text: str) -> str:
    """The program without the statements of `f` on which its first call raises."""
    return _without(text, _line_that_raises)


def that_traces(text: str) -> str:
    """The program without the statements of `f` at which the trace of its first call ends."""
    with under("reference"):
        return _without(text, _line_that_breaks)


def _without(text: str, line_of: Any) -> str:
    before = text
    for _ in range(MOST):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                with ending():
                    line = line_of(text)
            except SyntaxError:
                return text
            except Endless:
                return before
        shorter = text if line is None else without_statement(text, line)
        if shorter == text or not _compiles(shorter):
            return text
        before, text = text, shorter
    return text


def _compiles(text: str) -> bool:
    try:
        compile(text, FILE, "exec")
    except SyntaxError:
        return False
    return True


def _line_that_raises(text: str) -> int | None:
    world = World(text, jitted=False)
    world.start()
    try:
        world.function(**world.names["CALLS"][0]())
    except Exception as error:
        start, end = body_of(text.split("\n"))
        lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == FILE]
        return next((line for line in lines if line is not None and start < line <= end), None)
    return None


def _line_that_breaks(text: str) -> int | None:
    world = World(text, jitted=True)
    world.start()
    try:
        world.function(**world.names["CALLS"][0]())
    except Exception:
        return None
    state: Any = state_of(world.function)
    for event in state.history if state is not None else ():
        found = re.search(re.escape(FILE) + r":(\d+)", event.text) if event.kind == "break" else None
        if found:
            return _in_body(text.split("\n"), int(found.group(1)))
    return None


def _in_body(lines: list[str], line: int) -> int | None:
    """The line of `f` to blame for a break at `line`, which may be in a function of the prelude."""
    start, end = body_of(lines)
    if start < line <= end:
        return line
    names = re.findall(r"(?:def|class) (\w+)", "\n".join(lines[:line]))
    words = [name for name in names[::-1] if not name.startswith("__")][:2]
    for word in words:
        for k in range(start, end):
            if re.search(rf"\b{word}\b", lines[k]):
                return k + 1
    return None


def without_statement(text: str, line: int) -> str:
    """The text with `pass` for the statement that stands at a line (counted from 1), its block included."""
    lines = text.split("\n")
    k = line - 1
    if lines[k].strip() == "pass":
        return text
    if re.match(r"\s*(else|elif|except|finally)\b", lines[k]):
        k = next(j for j in range(k, -1, -1) if re.match(indent_of(lines[k]) + r"(if|for|while|try|with)\b", lines[j]))
    indent, end = indent_of(lines[k]), block_end(lines, k)
    while end < len(lines) and re.match(indent + r"(else|elif|except|finally)\b", lines[end]):
        end = block_end(lines, end)
    replacement = "return a1 + 1, a1, a2" if lines[k].strip().startswith("return ") else "pass"
    return "\n".join([*lines[:k], indent + replacement, *lines[end:]])


def indent_of(line: str) -> str:
    """The blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


def prepared(number: int) -> str:
    """The random program with this number.

    Most run to their end, half can be traced whole, some are as they came, some have variables that are no identifiers.
    """
    text = program(number)
    if not _compiles(text):
        return prepared(number + 1_000_000)
    if number % 8 == 0:
        return text
    text = that_runs(text)
    text = that_runs(that_traces(text)) if number % 2 else text
    return text + ODD_NAMES if number % 8 in (2, 5) else text
