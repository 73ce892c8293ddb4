"""Facts about the attributes of our own objects, checked where no setter announced a write: past `__setattr__`.

`object.__setattr__(module, "forward", f)` tells nobody. So an entry that relies on what a module has no attribute of
its own for asks at each call whether the version of the module's dict is the one that it was, and its class too: a few
nanoseconds for each module, and nothing for its parameters. Only where one has changed the facts are looked at.
"""

# Note [Dicts of modules]
# A number in a dict changes with every write to it, by whatever way. The dicts of modules are read at their address:
# their death ends the validity, and with it the use of the check, before the memory is gone. Where dicts have no such
# number, the facts are looked at in every call.

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.floors import WORD_CHECKS, asked
from ..core.watch import Validity, WatchedChange, watch_life
from ..core.watched_containers import WatchedDict

if TYPE_CHECKING:
    from .assumptions import Assumption


def check_of_own_attributes(validity: Validity, assumptions: Sequence[Assumption]) -> Callable[[], bool] | None:
    """A check that all that is assumed of modules still holds; None where nothing is assumed of any.

    It ends the validity where that is not so.
    """
    by_owner: dict[int, tuple[Any, list[tuple[int, Assumption]]]] = {}
    for number, each in enumerate(assumptions):
        owner = each.owner()
        if isinstance(_dict_of(owner), WatchedDict) and not each.returns:
            by_owner.setdefault(id(owner), (owner, []))[1].append((number, each))
    if not by_owner:
        return None
    checks = asked(WORD_CHECKS)
    for owner, _ in by_owner.values():
        watch_life(_dict_of(owner), validity, "the attributes of a module are its own", "its __dict__ was replaced")
    look = _Look(validity, tuple(tuple(listed) for _, listed in by_owner.values()))
    if not checks.dicts_have_versions():
        count = len(by_owner)
        return lambda: all(look(2 * number) for number in range(count))
    places: list[int] = []
    for owner, _ in by_owner.values():
        places += [checks.version_place(_dict_of(owner)), checks.type_place(owner)]
    found: Callable[[], bool] = checks.word_check(places, look)
    return found


def _dict_of(owner: Any) -> Any:
    """The `__dict__` of an object, found without its class's own code; None where there is none."""
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return None


class _Look:
    """Whether the facts about one module hold; the number is that of one of its two words."""

    def __init__(self, validity: Validity, facts: tuple[tuple[tuple[int, Assumption], ...], ...]) -> None:
        self._validity = weakref.ref(validity)
        self._facts = facts

    def __call__(self, word: int) -> bool:
        validity = self._validity()
        if validity is None or validity.broken is not None:
            return False
        for number, each in self._facts[word // 2]:
            if not each.holds():
                validity.end(WatchedChange(each.fact, "it was written past its __setattr__", number=number))
                return False
        return validity.broken is None
