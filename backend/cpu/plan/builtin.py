"""A launch plan as a builtin function: the native runner with the plan's table as its `self`."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core.errors import KernelError
from ....core.once import once
from ....core.threads import usable_cores
from ..compiler.fixed_programs import LAUNCH, obtain_program, obtain_programs_of_first_calls
from ..compiler.loader import LoadedKernel
from . import table_layout as at
from .call_frames import free_bytes, join_list, leave_list
from .cpython_api import MethodDefinition, check_layouts, new_builtin, numpy_functions
from .encode_plan import encode
from .fresh_objects import make_natively
from .pinned_memory import pinned
from .plan import LaunchPlan, Subscribe
from .watched_slots import WatchedSlots

_METH_FASTCALL = 0x0080


class PlanTable(np.ndarray[Any, Any]):
    """A plan's table of words, which also keeps alive what the table names and gives back free frames when it dies."""

    pins: tuple[Any, ...]
    asked_at = 0
    """The calls that it had served when it was last asked whether it was used."""
    heir: tuple[dict[int, int], int] | None = None
    """Counts by number, and the number under which its own are added when it dies."""

    @property
    def served(self) -> int:
        """Calls that it has answered. The native code counts them, in a word that it has in its cache anyway."""
        return int(self[at.SERVED])

    def was_used(self) -> bool:
        """Whether a call came through since this was last asked."""
        before, self.asked_at = self.asked_at, self.served
        return self.asked_at != before

    @property
    def held_bytes(self) -> int:
        """Bytes of the table, and of its own free frames: the memory that calls have left for the next one."""
        own = self.ctypes.data + 8 * at.FREE_FRAMES
        return int(self.nbytes) + free_bytes(own)

    def __del__(self, leave: Any = leave_list) -> None:  # at the interpreter's exit globals are gone
        if hasattr(self, "pins"):  # else it is a view or copy of a table: the frames are not its own
            leave(self)
            if self.heir is not None:
                counts, number = self.heir
                counts[number] = counts.get(number, 0) + self.served


def build_builtin(
    plan: LaunchPlan,
    lifted: Sequence[np.ndarray[Any, Any]] = (),
    owners: Sequence[object] = (),
    subscribe: Subscribe | None = None,
    static: Sequence[np.ndarray[Any, Any]] = (),
) -> Callable[..., Any]:
    """The builtin that runs `plan` by its protocol (see `plan.build`)."""
    check_layouts()
    make_natively()
    watched = WatchedSlots(plan)
    words, pins = encode(plan, lifted, owners, watched, static)
    if watched.count:
        if subscribe is None:
            raise KernelError(
                f"the plan has {watched.count} watched slots, and nobody to call when they have to look again"
            )
        words[at.WATCHED], look_again = watched.finish()
        pins.append(look_again)
        subscribe(look_again, watched.owners)
    table = np.array(words, dtype=np.int64).view(PlanTable)
    join_list(table)
    table.pins = (plan, *pinned((*lifted, *static)), *pins)
    return new_builtin(_definition(), table)


@once
def _definition() -> MethodDefinition:
    """The one definition that all plans share; builtins point to it, so it lives for ever."""
    return MethodDefinition(b"launch", runner().address, _METH_FASTCALL, b"Run one launch plan.")


@functools.cache
def runner() -> LoadedKernel:
    """The function that runs every plan."""
    return obtain_program(LAUNCH, numpy_functions())


def begin_runner() -> None:
    """Let another thread load the function that runs every plan, or assemble it, while this one does something else.

    With an empty cache it goes on with other programs that first calls need."""
    if usable_cores() == 1:
        return
    try:
        threading.Thread(target=_runner_or_error, name="guardlift assembles").start()
    except RuntimeError:  # the system has no thread left, or the interpreter is about to exit: it is made when needed
        pass


def _runner_or_error() -> None:
    try:
        obtain_program(LAUNCH, numpy_functions(), behind=True)
        obtain_programs_of_first_calls()
    except Exception:  # who needs it asks again, and is told
        pass
