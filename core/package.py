"""The tests for what is guardlift's own: code, by its globals, and layers, by their class."""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Mapping
from typing import Any

PACKAGE = __name__.partition(".")[0]
"""The name under which guardlift was imported."""


PROBES: weakref.WeakSet[types.CodeType] = weakref.WeakSet()
"""The code that tries one entry for a call and has no body: what it leaves, the frame that called it runs."""


def is_ours(scope: Mapping[str, Any]) -> bool:
    """Whether code with these globals belongs to guardlift, so that no user wants to be told of its lines."""
    name = scope.get("__name__")
    return type(name) is str and name.partition(".")[0] == PACKAGE


def is_layer(value: object) -> bool:
    """Whether a value is a module of `nn`, which is not loaded to answer this."""
    module = sys.modules.get(f"{PACKAGE}.nn.module")
    layer = getattr(module, "Module", None)  # another thread may just be importing it
    return layer is not None and isinstance(value, layer)


def is_made_in_graphs(module: str) -> bool:
    """Whether objects of classes of that module of ours are made by compiled code as those of a user's are."""
    return module.startswith((f"{PACKAGE}.distributions.", f"{PACKAGE}.array_api.", f"{PACKAGE}.nn.backward_hooks"))
