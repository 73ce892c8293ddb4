"""The JSON schema of a line of a record, made of the records that lines hold.

`python -m guardlift.tools.record.schema` writes `record_schema.json` anew.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.events import Event
from ...core.records import is_record
from ..report import BreakReport, CallsReport, EntryReport
from .codec import defaults_of, hints_of
from .lines import CALLS, COUNT, END, ENTRY, EVENT, FUNCTION, SCHEMA, TEXT

FILE = Path(__file__).with_name("record_schema.json")
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}

TEXT_TYPE = {"type": "string"}
INTEGER, NUMBER = {"type": "integer"}, {"type": "number"}
NUMBERS = {"type": "object", "additionalProperties": NUMBER}
COUNTS = {"type": "object", "additionalProperties": INTEGER}


def record_schema() -> dict[str, Any]:
    """The schema of one line: a head, or a line of one of the kinds."""
    records: dict[str, Any] = {}
    event, broken, entry = (_kind(each, records) for each in (Event, BreakReport, EntryReport))
    lines = {
        "head": _head(),
        FUNCTION: _line(FUNCTION, "A function that something happened to.", {"function": INTEGER, **_function_place()}),
        EVENT: _line(
            EVENT,
            "Something that happened to a function. at: seconds after `began`; cause: those alike have one number.",
            {"at": NUMBER, "thread": TEXT_TYPE, "cause": INTEGER, "event": event},
            {"break": broken},
        ),
        ENTRY: _line(
            ENTRY,
            "What a function has for some of its calls; the last line of one counts. graph, code and the text of "
            "kernels are names of texts.",
            {"function": INTEGER, "entry": entry},
        ),
        TEXT: _line(TEXT, "A text and its name, once for each.", {"text": TEXT_TYPE, "content": TEXT_TYPE}),
        COUNT: _line(
            COUNT,
            "How often a cause has come up and the seconds it took in all; the events that were written included.",
            {"cause": INTEGER, "count": INTEGER, "seconds": NUMBER},
        ),
        CALLS: _line(
            CALLS,
            "The calls of a function, at the end of its process. served: by number of the entry; passed: by text of a "
            "graph break; microseconds: of a pass in Python, likewise.",
            {
                "function": INTEGER,
                "calls": _kind(CallsReport, records),
                "served": COUNTS,
                "passed": COUNTS,
                "microseconds": NUMBERS,
            },
        ),
        END: _line(
            END,
            "The process came to its own end. functions: those to which nothing happened, or that stay plain Python.",
            {
                "at": NUMBER,
                "kernels": NUMBERS,
                "functions": _list(_object({**_function_place(), "left_alone": TEXT_TYPE})),
            },
        ),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"guardlift record, schema {SCHEMA}: one line",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in lines],
        "$defs": {**lines, **records},
    }


def _head() -> dict[str, Any]:
    names: dict[str, Any] = {
        "schema": {"const": SCHEMA},
        "guardlift": TEXT_TYPE,
        "python": TEXT_TYPE,
        "process": INTEGER,
        "parent": INTEGER,
        "name": {**TEXT_TYPE, "description": "Of a worker; empty for a program by itself."},
        "command": _list(TEXT_TYPE),
        "began": {**NUMBER, "description": "Seconds since 1970."},
        "forked": {"type": "boolean"},
        "disabled": {"type": "boolean"},
    }
    return {"description": "The first line of each process.", **_object(names)}


def _function_place() -> dict[str, Any]:
    return {"name": TEXT_TYPE, "file": TEXT_TYPE, "line": INTEGER}


def _line(kind: str, description: str, has: dict[str, Any], may_have: dict[str, Any] | None = None) -> dict[str, Any]:
    found = _object({"is": {"const": kind}, **has, **(may_have or {})}, required=["is", *has])
    return {"description": description, **found}


def _object(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    needed = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _kind(kind: Any, records: dict[str, Any]) -> dict[str, Any]:
    """The schema of values of a kind; that of a record is put among `records`."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [{"type": "null"} if part is type(None) else _kind(part, records) for part in parts]}
    if origin is frozenset or origin is tuple and parts[-1] is Ellipsis:
        return _list(_kind(parts[0], records))
    if origin is tuple:
        places = [_kind(part, records) for part in parts]
        return {"type": "array", "prefixItems": places, "minItems": len(places), "maxItems": len(places)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _kind(parts[1], records)}
    if not is_record(kind):
        return {"type": _PLAIN[kind]}
    if kind.__name__ not in records:
        records[kind.__name__] = {}
        hints, defaults = hints_of(kind), defaults_of(kind)
        properties = {name: _kind(each, records) for name, each in hints.items()}
        records[kind.__name__] = _object(properties, [name for name in properties if name not in defaults])
    return {"$ref": f"#/$defs/{kind.__name__}"}


if __name__ == "__main__":
    FILE.write_text(json.dumps(record_schema(), indent=2) + "\n", encoding="utf-8")
