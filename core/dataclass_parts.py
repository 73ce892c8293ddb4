"""Dataclasses as containers: the fields that are the parts of one."""

from __future__ import annotations

import dataclasses
from typing import Any


def is_dataclass_object(value: Any) -> bool:
    """Whether a value is an object of a dataclass, and not such a class itself."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def part_names(kind: type) -> tuple[str, ...]:
    """The fields that are parts: those that `__init__` takes, unless their metadata says ``static=True``."""
    return tuple(
        [each.name for each in dataclasses.fields(kind) if each.init and each.metadata.get("static") is not True]
    )
