"""The test for code that is guardlift's own: its globals are those of one of guardlift's modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PACKAGE = __name__.partition(".")[0]
"""The name under which guardlift was imported."""


def is_ours(scope: Mapping[str, Any]) -> bool:
    """Whether code with these globals belongs to guardlift, so that no user wants to be told of its lines."""
    name = scope.get("__name__")
    return type(name) is str and name.partition(".")[0] == PACKAGE
