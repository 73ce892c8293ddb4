"""Watched slots: arrays and checks whose access paths from their owners no call follows, since whoever changes
something there tells.

A plan over the gradients of ten thousand parameters would at each call look where each gradient lies and whether it
still has the layout that the plan was compiled for. Instead the plan has a table of watched slots, a place for each:
where its array lies, the array itself, and whether it fits. Two things bring a place up to date:

- `look_again(number)`, a builtin for each plan, follows one access path natively, with the very checks that a call
  would make. Who changes what the owner holds calls it afterwards.
- Changes of which the owner does not know (a gradient's own `.data`) are counted in `MOVES`. A call that finds the
  count changed follows all of them again.

A call then asks only whether any watched slot does not fit. The table holds its arrays, and those taken out while calls
run are held until the last of these calls has ended.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.once import once
from ....core.watched_slots import MOVES
from ..compiler.fixed_programs import LOOK_AGAIN, obtain_program
from . import table_layout as at
from .cpython_api import MethodDefinition, new_builtin, object_address, word_at
from .plan import ArrayInput, LaunchPlan
from .slot_paths import access_path_words

if TYPE_CHECKING:
    from ...call_layout import AccessPath

METH_O = 0x0008


class WatchedSlots:
    """A table of watched slots while it is written: a place for each watched slot of `plan`, and their access paths,
    inputs before checks."""

    def __init__(self, plan: LaunchPlan) -> None:
        inputs = sum(isinstance(each, ArrayInput) and each.subscribed for each in plan.inputs)
        self.count = inputs + plan.subscribed_checks
        self.words = [0] * (at.WATCHED_HEADER_WORDS + (at.WATCHED_WORDS + 1) * self.count)
        self.owners: list[object] = []
        self.pins: list[Any] = [MOVES]
        words = self.words
        words[at.WATCHED_COUNT] = words[at.WATCHED_MISFITS] = self.count
        words[at.WATCHED_PLACES] = at.WATCHED_HEADER_WORDS
        words[at.WATCHED_STARTS] = at.WATCHED_HEADER_WORDS + at.WATCHED_WORDS * self.count
        words[at.WATCHED_MOVED] = 1
        words[at.WATCHED_SEEN] = -1
        words[at.WATCHED_MOVES] = word_at(object_address(MOVES) + at.ARRAY_DATA)
        words[at.GUARD_FAILED], words[at.NOTHING] = self.named(NotImplemented), self.named(None)

    def named(self, thing: Any) -> int:
        """The address of `thing`, which the table keeps alive from now on."""
        self.pins.append(thing)
        return object_address(thing)

    def add(self, owner: object, access_path: AccessPath, array: Sequence[int] | None = None) -> None:
        """The next watched slot: its access path, and the record of the array at its end; a check has none."""
        self.words[self.words[at.WATCHED_STARTS] + len(self.owners)] = len(self.words)
        self.owners.append(owner)
        self.words += access_path_words(access_path, owner, at.PLACE_ARRAY, self.named)
        if array is not None:
            self.words += array
            self.words[at.OWNER_COUNT] += 1

    def finish(self) -> tuple[int, Callable[[int], Any]]:
        """The address of the table's words, and the builtin `look_again` for them, which keeps them alive."""
        words = np.array(self.words, dtype=np.int64).view(_SlotWords)
        words.pins = tuple(self.pins)
        address = word_at(object_address(words) + at.ARRAY_DATA)
        return address, new_builtin(_definition(), words)


class _SlotWords(np.ndarray[Any, Any]):
    """The words of a table of watched slots, which give up the arrays they hold when they die."""

    pins: tuple[Any, ...]

    def __del__(
        self,
        drop: Any = ctypes.pythonapi.Py_DecRef,
        pointer: Any = ctypes.c_void_p,
        plain: Any = np.ndarray,
        first: int = at.WATCHED_HEADER_WORDS + at.PLACE_ARRAY,
        step: int = at.WATCHED_WORDS,
        count: int = at.WATCHED_COUNT,
    ) -> None:  # at the interpreter's exit globals are gone
        if not hasattr(self, "pins"):
            return  # a view or a copy: it holds nothing
        held = self.view(plain)[first : first + step * int(self[count]) : step]
        addresses = [address for address in held.tolist() if address]
        held[:] = 0
        for address in addresses:
            drop(pointer(address))


@once
def _definition() -> MethodDefinition:
    """The one definition that all tables share; builtins point to it, so it lives for ever."""
    return MethodDefinition(
        b"look_again", obtain_program(LOOK_AGAIN).address, METH_O, b"Look again at one watched slot of a plan."
    )
