"""Lines on a stream: their colours, and the width that they may have."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TextIO

Line = tuple[str, str]
"""The style of a line, and its text."""

STYLES = {
    "title": "bold",
    "good": "green",
    "warn": "yellow",
    "bad": "bold red",
    "code": "cyan",
    "edit": "green",
    "dim": "dim",
}
"""Colours and weights that a terminal shows, by style. The text says all by itself."""

WIDTH, NARROWEST = 80, 40
"""Columns of a stream that is no terminal; those that lines have at least."""


def wants_color(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether lines on a stream are coloured: on a terminal, unless the environment says otherwise.

    ``NO_COLOR`` turns colour off, ``FORCE_COLOR`` turns it on, or off where it is 0.
    """
    if environment.get("NO_COLOR"):
        return False
    forced = environment.get("FORCE_COLOR", "")
    if forced:
        return forced != "0"
    return is_terminal(stream) and environment.get("TERM") != "dumb"


def width_of(stream: TextIO, environment: Mapping[str, str] = os.environ) -> int:
    """The columns that lines on a stream may have: ``COLUMNS`` if that is set, a terminal's own, or else 80."""
    try:
        columns = int(environment.get("COLUMNS", ""))
    except ValueError:
        columns = 0
    if columns <= 0 and is_terminal(stream):
        try:
            columns = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            columns = 0
    return max(columns, NARROWEST) if columns > 0 else WIDTH


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal. One that is closed, or that is missing, is none."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def write_lines(lines: Iterable[Line], stream: TextIO, *, color: bool) -> None:
    """Prints lines to `stream`; with `color`, through rich. What the stream's encoding lacks is escaped."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    encodable = ((style, text.encode(encoding, "backslashreplace").decode(encoding)) for style, text in lines)
    if not color:
        stream.writelines(f"{text}\n" for _, text in encodable)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, force_terminal=True, color_system="standard", no_color=False, highlight=False)
    for style, text in encodable:
        console.print(Text(text, STYLES.get(style, "")), soft_wrap=True)
