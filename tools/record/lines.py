"""The kinds of lines of a record, and the names of its files.

A record is a folder with a file for each process, or one file that holds those files one behind the other. Each file
begins with a head, `{"schema": 2, ...}`; every other line has a kind, under `is`.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

SCHEMA = 2
"""Version of the record; `record_schema.json` describes its lines."""
VARIABLE = "GUARDLIFT_RECORD"
"""Names the folder in which every process that imports guardlift writes its part of a record."""
ENDING = ".gl"

FUNCTION, EVENT, ENTRY, TEXT, COUNT, CALLS, END = "function", "event", "entry", "text", "count", "calls", "end"
KINDS = (FUNCTION, EVENT, ENTRY, TEXT, COUNT, CALLS, END)

KEPT = 8
"""Events of one cause that are written each; of those that follow the number is written, and their seconds."""
COUNT_WIDTH = 96
"""Bytes of a line with a count, which is written anew in its place."""


def line_of(data: dict[str, Any]) -> bytes:
    """The data as one line of ASCII; lone surrogates are kept as escapes."""
    return _encoded(data).encode("ascii") + b"\n"


_encoded = json.JSONEncoder(separators=(",", ":")).encode


def count_line(cause: int, count: int, seconds: float) -> bytes:
    """A line that says how often a cause has come up, and for how many seconds; every such line has the same length."""
    text = json.dumps({"is": COUNT, "cause": cause, "count": count, "seconds": round(seconds, 6)})
    return text.ljust(COUNT_WIDTH - 1).encode("ascii") + b"\n"


def digest(text: str) -> str:
    """The name of a text within a record."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
