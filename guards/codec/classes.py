"""Classes of a program: each is found by its name, and has to be laid out, and derived, as the one that was meant.

What a trace has read in a class, it guards (see `guards.class_facts`); here it is only found.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from ...core.errors import Differs, NotWritable

CLASS_DICT, CLASS_MRO, CLASS_MODULE, _QUALNAME = (
    vars(type)[name].__get__ for name in ("__dict__", "__mro__", "__module__", "__qualname__")
)
"""Functions that read a class itself, whatever it defines."""
_LAYOUT = ("__basicsize__", "__itemsize__", "__dictoffset__", "__weakrefoffset__")


def class_claim(cls: type) -> list[Any]:
    """The module and the name of a class, and how its objects are laid out. Errors: NotWritable."""
    module, name = CLASS_MODULE(cls), _QUALNAME(cls)
    if type(cls) is not type:
        raise NotWritable(f"a class with a metaclass, {name}")
    if type(module) is not str:
        raise NotWritable(f"a class without a module, {name}")
    return [module, name, [type.__getattribute__(cls, each) for each in _LAYOUT]]


def named_class(module: str, name: str) -> Any:
    """The object that a module has under the name of a class. Errors: Differs where it has none."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        table = vars(found) if type(found) is types.ModuleType else CLASS_DICT(found) if type(found) is type else {}
        if part not in table:
            raise Differs(f"{module}.{name} is not there")
        found = table[part]
    return found


def is_found_by_name(cls: type) -> bool:
    """Whether the name of a class leads to it."""
    try:
        module, name, _ = class_claim(cls)
        return named_class(module, name) is cls
    except Differs:
        return False
