"""Parameters by their path in the module: `model[17].up.weight` says more than the place that an optimizer has it at.

A step often meets a parameter in the optimizer first, and its facts are named after that place. A reason for a miss
names it anew, by the modules that the entry relies on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...core.events import Reason
from ...core.package import is_layer
from ...core.records import replace

if TYPE_CHECKING:
    from ..assumptions import Assumption

_PLACE = ".param_groups["
_MEMORY, _SAME, _CLASS = "the memory of ", " is the same", "__class__"


def by_module_path(reasons: Iterable[Reason], assumptions: Sequence[Assumption]) -> list[Reason]:
    """The reasons, with each parameter that they name by its place in an optimizer named by its path in a module."""
    listed = list(reasons)
    if not any(_PLACE in reason.text for reason in listed):
        return listed
    paths = _paths(assumptions)
    # A longer place first: `params[10]` begins as `params[1` does.
    for place in sorted(paths, key=len, reverse=True):
        listed = [_renamed(reason, place, paths[place]) for reason in listed]
    return listed


def _renamed(reason: Reason, place: str, path: str) -> Reason:
    if place not in reason.text:
        return reason
    names = ("expression", "text", "was", "now")
    return replace(reason, **{name: getattr(reason, name).replace(place, path) for name in names})


def _paths(assumptions: Sequence[Assumption]) -> dict[str, str]:
    """The path of each parameter in a module, by its place in an optimizer."""
    by_object: dict[int, str] = {}
    for each in assumptions:
        owner = each.owner()
        if owner is not None and type(each.key) is str and each.key == _CLASS and is_layer(owner):
            module = each.fact.partition(" is a")[0]
            held = object.__getattribute__(owner, "_parameters")
            by_object.update({id(held[name]): f"{module}.{name}" for name in held})
    found: dict[str, str] = {}
    for each in assumptions:
        place = each.fact.removeprefix(_MEMORY).removesuffix(_SAME)
        if (
            len(each.fact) - len(place) == len(_MEMORY) + len(_SAME)
            and _PLACE in place
            and id(each.owner()) in by_object
        ):
            found[place] = by_object[id(each.owner())]
    return found
