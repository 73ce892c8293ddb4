"""Calls of a graph on a GPU by a native builtin: it checks the arguments and launches what was recorded once."""

# Note [Native calls on a GPU]
# Python allocates the memory of results, and asks the builtin `issue`, which holds the GIL from its first check to its
# last launch. In between no Python code runs, so no array that it has looked at is freed: memory that is given back
# later is given back behind these launches, in the order of the stream. That order is also why calls share the memory
# of intermediates (see Note [Arenas of streams]), and why the argument block, which all calls of a plan share, is
# written for the next call without waiting.
#
# The builtin is exact where it refuses arguments, and asks where it does not know: strides of axes of one element,
# arrays that meet, slots of which no owner tells, a driver that fails. Then the call is made as on any other device.
# A result that the caller keeps until the next call has made its own, as the gradients of a training step, lies in turn
# in one of two places. The nodes of a graph would be told so at each call. So a call whose results are seen to move has
# a second form, with a table, results' blocks and a graph of its own, and the two serve in turn: each finds the blocks
# that it had two calls ago.
#
# A plan in which a check may fail has one word on the device where it is noted, so its calls follow one another, and
# wait for that word; unless that is put off, see Note [Late checks].

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from operator import ne
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.config import config
from ....core.devices import CPU
from ....core.devices.arrays import DeviceArray
from ....core.errors import CudaError, OutOfMemoryError
from ....core.once import once
from ...cpu.compiler.fixed_programs import ISSUE, obtain_program
from ...cpu.plan import issue_table as at
from ...cpu.plan.cpython_api import MethodDefinition, check_layouts, new_builtin, numpy_functions
from ...cpu.plan.fresh_objects import make_natively
from ..memory.result_blocks import ResultBlocks
from .call_table import CallTable, UnknownLaunchesError
from .late_checks import checks_at, may_be_late
from .launch_graph import LaunchGraph

if TYPE_CHECKING:
    from ..call import CudaCall
    from ..driver import Gpu
    from ..memory.stream_arena import StreamArena

_METH_FASTCALL = 0x0080
_OTHER_CONTEXT = frozenset({201, 400})
"""CUDA_ERROR_INVALID_CONTEXT and INVALID_HANDLE: this thread has another context, or none."""


WATCHED_CALLS, MOVED_RESULTS = 3, 4
"""Calls by a graph of whose results at least so many lay elsewhere than before, or fewer, until either is believed."""
ASK = object()
"""The answer that says that a call is to be made step by step."""


class NativeCall:
    """A call of the native builtin on a stream, with the results that it gives; `ASK` where it is to be made otherwise.

    Each stream has one of its own, since what the device has of a call, such as the argument block, is written in the
    order of the stream."""

    def __init__(
        self, call: CudaCall, device: Gpu, stream: StreamArena, owners: Sequence[object], subscribe: Any
    ) -> None:
        plan, layout = call.plan, call.plan.compiled.layout
        self._device, self._call, self._can_fail = device, weakref.ref(call), plan.can_fail
        self._may_be_late = plan.can_fail and may_be_late(plan.compiled.graph)
        self.checks_at = checks_at(plan.compiled.graph) if plan.can_fail else ""
        self.stream, self._free = stream, device.memory.free
        self._lock = threading.RLock()
        writing = CallTable(call, device)
        self.block, self._status_nbytes = writing.block_address, writing.status_nbytes
        self._blocks = ResultBlocks(device.memory, [each.nbytes for each in writing.results])
        self._arena_nbytes = writing.arena_nbytes
        self._graph: LaunchGraph | None = None
        table, look, watched = writing.finished(owners, subscribe is not None, self._blocks.frees)
        self._table, self._issue, self.look_again = table, new_builtin(_definition(), table), look
        outputs = layout.outputs
        self._plain = all(each.kind == "fresh" for each in outputs)
        self._unwrap = layout.unwrap
        self._other: NativeCall | None = None
        """The form that serves every other call, where there is one."""
        self._is_others_turn = False
        self.watches_results = bool(writing.results) and not plan.can_fail and stream is device.streams.default
        """Whether it is still to be seen if its results move from call to call."""
        self._lay: list[int] = []
        """The addresses of the results of the call before, while these are watched."""
        self._moves = self._stays = 0
        bases = [each.base for each in outputs if each.kind == "view" and each.base is not None]
        self._viewed = tuple(number for place, number in bases if place == "input")
        if look is not None:
            subscribe(look, watched)

    @property
    def served(self) -> int:
        """Calls that were launched so."""
        return int(self._table[at.ISSUE_SERVED]) + (0 if self._other is None else self._other.served)

    def __call__(self, arguments: tuple[Any, ...]) -> Any:
        """The results; NotImplemented, Ellipsis, or `ASK`."""
        if not self._can_fail:
            other = self._other
            if other is not None:
                self._is_others_turn = is_others = not self._is_others_turn
                if is_others:
                    return other._called(arguments, False)
            return self._called(arguments, False)
        late_checks = self._device.late_checks
        with self._lock:
            if self._may_be_late and config.cuda_checks == "late":
                found = self._called(arguments, False)
                if found is not NotImplemented and found is not ASK:
                    late_checks.note(self)
                return found
            late_checks.look()  # what an earlier call left in the word is no failure of this one
            return self._called(arguments, True)

    def _called(self, arguments: tuple[Any, ...], waits: bool) -> Any:
        blocks = self._blocks
        if blocks.are_large and self._issue(*arguments) is NotImplemented:  # before memory is looked for
            return NotImplemented
        try:
            addresses = blocks.take()
        except OutOfMemoryError:  # which counts only where the arguments are those of this plan
            return ASK
        if self.watches_results:
            self._watch_results(addresses)
        have_owners = False
        try:
            bases = self._bases(arguments) if self._viewed else None
            found = self._issue(*arguments, self.stream.place, *addresses)
            if found is NotImplemented:
                return found
            if found is Ellipsis or type(found) is int:
                found = self._asked((*arguments, self.stream.place, *addresses), found)
                if found is Ellipsis or found is NotImplemented:
                    return ASK if found is Ellipsis else found
            have_owners = True
            if waits and self.has_failed():
                self._device.upload(self.block, np.zeros(self._status_nbytes, np.uint8))  # tickets, too
                return Ellipsis
        finally:
            if not have_owners:
                blocks.give(addresses)
        return found if self._plain else self._returned(arguments, found, bases)

    def _returned(self, arguments: tuple[Any, ...], found: Any, bases: Any) -> Any:
        """The value that a call returns some of whose results are arguments, or views."""
        call = self._call()
        assert call is not None
        made = call.outputs(arguments, bases or {}, found or ())
        if self._unwrap:
            return made[0]
        return tuple(made) if made else None

    def _bases(self, arguments: tuple[Any, ...]) -> Any:
        call = self._call()
        assert call is not None
        return call.bases(arguments, self._viewed)

    def has_failed(self) -> bool:
        """Whether a check has failed in the calls that were launched, once the device is through with them."""
        status, streams = np.zeros(8, np.uint8), self._device.streams
        if streams.current() is self.stream:
            self._device.fetch(self.block, status)
        else:
            with streams.using(self.stream):
                self._device.fetch(self.block, status)
        return bool(status.any())

    def _asked(self, given: tuple[Any, ...], answer: Any) -> Any:
        """The answer once watched slots were looked at, the stream has room for intermediates, the graph was made, or
        this thread has the GPU's context.

        Errors: CudaError."""
        for remedy in (self._look, self._reserve, self._build):
            if answer is Ellipsis and remedy():
                answer = self._issue(*given)
        if type(answer) is int:
            self._device.make_current()
            if answer in _OTHER_CONTEXT:  # and nothing was launched
                answer = self._issue(*given)
        if type(answer) is int and self._table[at.ISSUE_GRAPH]:
            self._table[at.ISSUE_GRAPH] = 0  # whose launch is all or nothing; kernel by kernel it may be possible
            answer = self._issue(*given)
        if type(answer) is int:
            raise self._device.driver.error("cuLaunchKernel", answer & 0xFFFFFFFF)
        return answer

    def _look(self) -> bool:
        return self.look_again is not None and self.look_again.everywhere()

    def _reserve(self) -> bool:
        try:
            return self.stream.reserve(self._arena_nbytes)
        except OutOfMemoryError:  # which is told when the call is made step by step
            return False

    def _build(self) -> bool:
        """Makes the graph of the launches, if there is to be one; a driver that cannot make it launches kernels."""
        if not self._table[at.ISSUE_BUILDS]:
            return False
        with self._lock:
            if self._table[at.ISSUE_BUILDS]:
                try:
                    self._graph = LaunchGraph(self._device, self._table)
                    self._table[at.ISSUE_GRAPH] = self._graph.executable.value
                except CudaError:
                    if not self._device.driver.is_usable:
                        raise
                self._table[at.ISSUE_BUILDS] = 0
        return True

    def _watch_results(self, addresses: list[int]) -> None:
        """Looks whether the results of calls by the graph move, and makes the other form if they do."""
        if not self._table[at.ISSUE_GRAPH]:
            return
        before, self._lay = self._lay, addresses
        if before:
            moved = sum(map(ne, addresses, before)) >= MOVED_RESULTS
            self._moves, self._stays = self._moves + moved, self._stays + (not moved)
        if max(self._moves, self._stays) < WATCHED_CALLS:
            return
        with self._lock:
            if self.watches_results and self._moves > self._stays:
                self._other = self._made_again()
            self.watches_results = False

    def _made_again(self) -> NativeCall | None:
        """Another form of this call; None where memory is short, or an owner is gone."""
        call = self._call()
        owners = [] if call is None else [owner() for owner in call.places.owners.references]
        if call is None or any(owner is None for owner in owners):
            return None
        try:
            made = native_call(call, self.stream, owners)
        except OutOfMemoryError:
            return None
        if made is not None:
            made.watches_results = False
        return made

    def close(self) -> None:
        """Gives back what it has on the device."""
        if self._other is not None:
            self._other.close()
        if self._graph is not None:
            self._graph.destroy()
        if self.block:
            self._device.late_checks.forget(self)
            self._free(self.block)


@once
def _definition() -> MethodDefinition:
    """The definition lives for ever, since the builtins point to it."""
    program = obtain_program(ISSUE, numpy_functions())
    return MethodDefinition(b"issue", program.address, _METH_FASTCALL, b"Check a call on a GPU, and launch it.")


def native_call(call: CudaCall, stream: Any, owners: Sequence[object], subscribe: Any = None) -> NativeCall | None:
    """The native form of a call on a stream; None for what has to do with the host's memory, or decides by what it
    computes."""
    device: Any = call.device
    compiled = call.plan.compiled
    layout, outputs = compiled.layout, compiled.graph.outputs
    if not device.launches_natively or call.resident or any(kind is not DeviceArray for kind in map(type, call.lifted)):
        return None
    for entry in layout.inputs:
        if entry.kind in ("array", "lifted"):
            if entry.type.device == CPU:
                return None
        elif entry.type.dtype.itemsize > 8:
            return None
    for each in layout.outputs:
        if each.kind == "scalar" or (each.kind == "fresh" and outputs[each.node or 0].type.device == CPU):
            return None
    check_layouts()
    make_natively()
    try:
        with device.streams.using(stream):
            return NativeCall(call, device, stream, owners, subscribe)
    except UnknownLaunchesError:
        return None
