"""The table of a call on a GPU, which native code reads: what it checks, and what it launches."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.devices.arrays import DeviceArray
from ....core.devices.layout import span
from ....core.devices.memory import DeviceMemory
from ....core.records import dataclass
from ....core.watched_slots import MOVES
from ...call_layout import AccessPath, InputLayout
from ...cpu.plan import issue_table as at
from ...cpu.plan.cpython_api import object_address, word_at
from ...cpu.plan.slot_offsets import slot_offset
from ...cpu.plan.slot_paths import access_path_words
from ...cpu.plan.table_layout import ARRAY_DATA
from ..issuer import SCRATCH, TICKETS, SlotAddress, SlotNumber
from ..kernels.tickets import TICKET_BYTES
from ..launch_grid import Launch
from ..memory.blocks import CALLS
from ..products.library_products import NO_GRID, starting_function
from .argument_block import ONE_THREAD, put_text
from .launch_graph import FEWEST_LAUNCHES, MOST_MOVED
from .recorded_plan import ARGUMENT_BLOCK, RecordedLaunch, record
from .watched_slots import LookAgain, WatchedSlot

if TYPE_CHECKING:
    from ..call import CudaCall
    from ..driver import Gpu

_SCALARS = {"float": at.GIVEN_FLOAT, "int": at.GIVEN_INT, "bool": at.GIVEN_BOOL, "numpy_scalar": at.GIVEN_SCALAR}
_SCALAR_TYPES = {"float": float, "int": int, "bool": bool}
_STATUS_BYTES = 256
"""Bytes of which the first eight are where kernels note that a check has failed. Behind them are the words that count
blocks, then the argument block."""
_ARENA = -3
_ARRAY_SLOTS = {
    "address": at.ISSUE_ADDRESS,
    "shape": at.ISSUE_SHAPE,
    "strides": at.ISSUE_STRIDES,
    "dtype": at.ISSUE_DTYPE,
    "writeable": at.ISSUE_WRITEABLE,
    "memory": at.ISSUE_ARRAY_MEMORY_SLOT,
    "base": at.ISSUE_ARRAY_BASE_SLOT,
}
_MEMORY_SLOTS = {
    "address": at.ISSUE_MEMORY_ADDRESS_SLOT,
    "nbytes": at.ISSUE_MEMORY_NBYTES_SLOT,
    "copies": at.ISSUE_MEMORY_COPIES_SLOT,
    "_free": at.ISSUE_MEMORY_FREE_SLOT,
}


@dataclass(frozen=True, slots=True)
class FreshResult:
    """A result in memory of its own. Units: bytes."""

    nbytes: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]


class IssueTable(np.ndarray[Any, Any]):
    """The table of such a builtin, which keeps alive what it names."""

    pins: tuple[Any, ...]


class UnknownLaunchesError(Exception):
    """The launches of a plan are not known before a call."""


class CallTable:
    """The table of a call while it is written."""

    def __init__(self, call: CudaCall, device: Gpu) -> None:
        compiled = call.plan.compiled
        self.call, self.device, self.layout = call, device, compiled.layout
        self.pins: list[Any] = [call.plan, *call.lifted]
        self.frame: list[int] = []
        self.words_of: dict[int, int] = {}
        """The frame word of each slot that has one."""
        self.results: list[FreshResult] = []
        self.scalars: dict[int, int] = {}
        """The place in the argument block of each scalar input."""
        addresses = self._slots()
        self.arena_nbytes = self._arena(addresses)
        tickets = -(-TICKET_BYTES * call.plan.tickets // _STATUS_BYTES) * _STATUS_BYTES
        self.status_nbytes = _STATUS_BYTES + tickets
        addresses[TICKETS] = SlotAddress(ARGUMENT_BLOCK, -tickets)
        recording = record(call.plan, addresses, SlotAddress(ARGUMENT_BLOCK, -self.status_nbytes))  # type: ignore[arg-type]
        if recording is None:
            raise UnknownLaunchesError
        self.launches: list[RecordedLaunch] = recording.launches
        self._has_products = any(each.sizes == NO_GRID for each in self.launches)
        """Whether some of the launches are products by a library."""
        first = len(self.scalars)
        self.block: list[int | SlotAddress] = [*[0] * first, *recording.block]
        self.table_offset = 8 * first
        self.block += [0] * (-len(self.block) % at.BLOCK_WORDS)
        self.block_address = 0
        if self.block or call.plan.can_fail or tickets:
            nbytes = self.status_nbytes + 8 * len(self.block)
            self.block_address = device.memory.allocate(nbytes, CALLS)
            device.upload(self.block_address, np.zeros(nbytes, np.uint8))

    def _word(self, slot: int, value: int = 0) -> SlotAddress:
        self.words_of[slot] = len(self.frame)
        self.frame.append(value)
        return SlotAddress(slot)

    def _slots(self) -> dict[int, Any]:
        """The place of every slot of the plan, but for intermediates."""
        call, compiled = self.call, self.call.plan.compiled
        addresses: dict[int, Any] = dict(zip(call.places.lifted, call.held.addresses, strict=True))
        for k, entry in enumerate(self.layout.inputs):
            if entry.kind == "array":
                addresses[k] = self._word(k)
            elif entry.kind == "lifted":
                self._word(k, addresses[k])
            elif call.plan.by_value:
                self._word(k)
            else:
                self.scalars[k] = len(self.scalars)
                addresses[k] = SlotAddress(k)
        for j, output in enumerate(self.layout.outputs):
            if output.kind == "fresh":
                assert output.node is not None
                type = compiled.graph.outputs[output.node].type
                strides = tuple(stride * type.dtype.itemsize for stride in output.strides)
                nbytes = max(type.size * type.dtype.itemsize, 1)
                self.results.append(FreshResult(nbytes, tuple(type.shape), strides, type.dtype.numpy))
                addresses[compiled.first_output + j] = self._word(compiled.first_output + j)
        return addresses

    def _arena(self, addresses: dict[int, Any]) -> int:
        """Bytes of the memory for intermediates, and for parts of reductions behind them."""
        plan = self.call.plan
        arena = -(-plan.compiled.arena_nbytes // _STATUS_BYTES) * _STATUS_BYTES
        base = SlotAddress(_ARENA)
        first = plan.compiled.first_output + len(self.layout.outputs)
        for k, (offset, _) in enumerate(plan.compiled.temporaries):
            addresses[first + k] = base + offset
        addresses[SCRATCH] = base + arena
        if arena + plan.scratch:
            self._word(_ARENA)
        return arena + plan.scratch

    def named(self, thing: Any) -> int:
        """The address of a thing, which the table keeps alive."""
        self.pins.append(thing)
        return object_address(thing)

    def finished(
        self, owners: Sequence[object], told: bool, frees: Sequence[Callable[[int], object]]
    ) -> tuple[IssueTable, LookAgain | None, list[object]]:
        """The table, what looks again at its watched slots, if it has such, and their owners.

        told: whether owners tell of changes. frees: for each result, what takes its block back."""
        self.frees = frees
        words = [0] * at.ISSUE_HEADER_WORDS
        places = self.call.places
        words[at.ISSUE_FRESH] = fresh = len(self.results)
        words[at.ISSUE_ARGUMENTS] = len(places.given) + len(self.layout.objects) + 1 + fresh
        words[at.ISSUE_ARENA_NBYTES] = self.arena_nbytes
        words[at.ISSUE_ARENA_WORD] = arena_word = self.words_of.get(_ARENA, len(self.frame))
        words[at.ISSUE_FRESH_WORD] = arena_word - fresh
        checks_word = len(self.frame)
        self.frame += [0] * (self.layout.subscribed_checks if told else 0)
        words[at.ISSUE_FRAME] = len(words)
        words += self.frame
        words[at.ISSUE_BLOCK] = len(words)
        words += [0] * len(self.block)
        words[at.ISSUE_SENT] = len(words)
        words += [0] * len(self.block)
        self._inputs(words)
        watched = self._owners(words, owners, told, checks_word)
        self._extents(words)
        self._launches(words)
        self._objects(words)
        table = np.array(words, np.int64).view(IssueTable)
        self._point(table)
        cells = (ctypes.c_int64 * len(words)).from_address(table.ctypes.data)
        table.pins = tuple(self.pins)
        look = LookAgain(table, cells, watched) if watched else None
        return table, look, [owner for *_, owner in watched]

    # -- what is checked -----------------------------------------------------------------------------------------------
    def _inputs(self, words: list[int]) -> None:
        words[at.ISSUE_INPUTS] = len(words)
        for k in self.call.places.given:
            entry = self.layout.inputs[k]
            if entry.kind == "array":
                path = entry.access_path or AccessPath(False, ())
                kind = path.links[0].kind if path.links else DeviceArray
                record = [at.GIVEN_ARRAY, 0, self.named(kind), *access_path_words(path, None, 0, self.named)]
                record += self._asked(k, entry)
            else:
                kind = _SCALAR_TYPES.get(entry.kind, entry.type.dtype.numpy.type)
                by_value = self.call.plan.by_value
                place = (
                    words[at.ISSUE_FRAME] + self.words_of[k] if by_value else words[at.ISSUE_BLOCK] + self.scalars[k]
                )
                record = [_SCALARS[entry.kind], 0, self.named(kind), place]
            record[at.GIVEN_LENGTH] = len(record)
            words += record
        for each in self.layout.objects:
            words += [at.GIVEN_IDENTITY, 4, self.named(type(each)), self.named(each)]

    def _asked(self, k: int, entry: InputLayout) -> list[int]:
        """The words that say what is asked of the array of an input."""
        dtype = entry.type.dtype.numpy
        strides = tuple(stride * dtype.itemsize for stride in entry.strides)
        shape, aligned = tuple(entry.type.shape), not any(stride % dtype.alignment for stride in strides)
        mask = dtype.alignment - 1 if aligned else -1  # an array that cannot be aligned does not fit
        return [
            self.words_of[k],
            self.named(shape),
            self.named(strides),
            self.named(dtype),
            mask,
            int(entry.writeable),
        ]

    def _owners(self, words: list[int], owners: Sequence[object], told: bool, checks_word: int) -> list[WatchedSlot]:
        """Writes the paths that each call follows. Gives those that are watched."""
        layout = self.layout
        watched: list[WatchedSlot] = []
        words[at.ISSUE_OWNERS] = len(words)
        for (k, path, _), owner in zip(self.call.places.owners.of_inputs, owners, strict=False):
            entry = layout.inputs[k]
            if told and entry.subscribed:
                watched.append((self.words_of[k], entry, path, owner))
                continue
            words += access_path_words(path, owner, 0, self.named) + self._asked(k, entry)
            words[at.ISSUE_OWNER_COUNT] += 1
        checked = owners[len(self.call.places.owned) :]
        for number, (path, owner) in enumerate(zip(layout.checks, checked, strict=True)):
            if told and number < layout.subscribed_checks:
                watched.append((checks_word + number, None, path, owner))
                continue
            words += access_path_words(path, owner, 0, self.named)
            words[at.ISSUE_CHECK_COUNT] += 1
        words[at.ISSUE_WATCHED], words[at.ISSUE_WATCHED_COUNT] = len(words), len(watched)
        words += [word for word, *_ in watched]
        words[at.ISSUE_SEEN], words[at.ISSUE_MOVES] = -1, word_at(self.named(MOVES) + ARRAY_DATA)
        return watched

    def _extents(self, words: list[int]) -> None:
        """Writes the arrays that may not meet one that is written, if one is."""
        words[at.ISSUE_EXTENTS] = len(words)
        written = self.call.plan.written
        if not written:
            return
        for k, entry in enumerate(self.layout.inputs):
            if entry.kind not in ("array", "lifted") or 0 in entry.type.shape:
                continue
            itemsize = entry.type.dtype.itemsize
            strides = tuple(stride * itemsize for stride in entry.strides)
            low, high = span(tuple(entry.type.shape), strides, itemsize)
            words += [self.words_of[k], low, high, int(k in written)]
            words[at.ISSUE_EXTENT_COUNT] += 1

    # -- what is launched ----------------------------------------------------------------------------------------------
    def _launches(self, words: list[int]) -> None:
        """Writes the parameters of all launches, and which of them are addresses of the call."""
        patches: list[tuple[int, int, int, int]] = []
        base = self.block_address + self.status_nbytes

        def put(value: int | SlotAddress | SlotNumber, place: int, number: int = -1) -> int:
            if isinstance(value, SlotNumber):
                patches.append((place, self.words_of[value.slot], 0, number))
                return 0
            if not isinstance(value, SlotAddress):
                return value
            if value.slot == ARGUMENT_BLOCK and not self.block_address:
                return 0  # the failure word, which no kernel of this plan touches
            if value.slot == ARGUMENT_BLOCK:
                shift = self.table_offset if value.offset >= 0 else 0  # before it lie the failure word and the tickets
                return base + shift + value.offset
            if value.slot in self.scalars:
                return base + 8 * self.scalars[value.slot] + value.offset
            patches.append((place, self.words_of[value.slot], value.offset, number))
            return 0

        for k, value in enumerate(self.block):
            words[words[at.ISSUE_BLOCK] + k] = put(value, words[at.ISSUE_BLOCK] + k)
        self._pointing: list[tuple[int, list[int]]] = []
        chunks = range(len(self.block) // at.BLOCK_WORDS)
        put_kernel = self.device.load(put_text()) if chunks else None
        puts: list[tuple[Any, Launch, list[int]]] = []
        for chunk in chunks:
            first = words[at.ISSUE_BLOCK] + at.BLOCK_WORDS * chunk
            around = len(words)
            words += [base + 8 * at.BLOCK_WORDS * chunk, self.block_address]
            puts.append((put_kernel, ONE_THREAD, [around, *range(first, first + at.BLOCK_WORDS), around + 1]))
        launches: list[tuple[Any, Launch, list[int]]] = []
        for number, launch in enumerate(self.launches):
            first = len(words)
            words += [put(value, first + k, number) for k, value in enumerate(launch.parameters)]
            launches.append((launch.kernel, launch.sizes, [*range(first, len(words))]))
        for field, count, listed in (
            (at.ISSUE_PUTS, at.ISSUE_PUT_COUNT, puts),
            (at.ISSUE_LAUNCHES, at.ISSUE_LAUNCH_COUNT, launches),
        ):
            words[field], words[count] = len(words), len(listed)
            for kernel, sizes, parameters in listed:
                self._pointing.append((len(words) + at.LAUNCH_PARAMETERS, parameters))
                self.pins.append(kernel)
                words += _launch_words(int(kernel.value), sizes)
        words[at.ISSUE_BLOCK_PATCHES] = sum(number < 0 for *_, number in patches)
        words[at.ISSUE_PATCHES], words[at.ISSUE_PATCH_COUNT] = len(words), len(patches)
        for place, word, offset, number in patches:  # those of the block come first
            words += [place, word, offset, 0 if number < 0 else words[at.ISSUE_LAUNCHES] + at.LAUNCH_WORDS * number]
        words[at.ISSUE_BUILDS] = int(len(launches) >= FEWEST_LAUNCHES and not self._has_products)
        words[at.ISSUE_MOST_MOVED] = int(len(launches) * MOST_MOVED)
        self._pointers = len(words)
        words += [0] * sum(len(parameters) for _, parameters in self._pointing)

    def _point(self, table: IssueTable) -> None:
        """Writes where each launch finds its parameters, now that the table has its place."""
        start, place = int(table.ctypes.data), self._pointers
        for position, parameters in self._pointing:
            table[position] = start + 8 * place
            table[place : place + len(parameters)] = start + 8 * np.array(parameters, np.int64)
            place += len(parameters)

    def _objects(self, words: list[int]) -> None:
        for field, name in (
            (at.ISSUE_FUNCTION, "cuLaunchKernel"),
            (at.ISSUE_GRAPH_LAUNCH, "cuGraphLaunch"),
            (at.ISSUE_GRAPH_SET, "cuGraphExecKernelNodeSetParams_v2"),
        ):
            words[field] = self.device.driver.address(name)
        if self._has_products:
            words[at.ISSUE_FUNCTION] = starting_function(words[at.ISSUE_FUNCTION])
        for field, thing in (
            (at.ISSUE_NONE, None),
            (at.ISSUE_MEMORY_TYPE, DeviceMemory),
            (at.ISSUE_MEMORY_COPIES, self.device),
            (at.ISSUE_REFUSED, NotImplemented),
            (at.ISSUE_ASK, Ellipsis),
            (at.ISSUE_ARRAY_TYPE, DeviceArray),
            (at.ISSUE_TUPLE_TYPE, tuple),
            (at.ISSUE_INT_TYPE, int),
            (at.ISSUE_TRUE, True),
        ):
            words[field] = self.named(thing)
        for kind, slots in (DeviceArray, _ARRAY_SLOTS), (DeviceMemory, _MEMORY_SLOTS):
            for name, field in slots.items():
                words[field] = slot_offset(kind, name)
        words[at.ISSUE_RESULTS], words[at.ISSUE_RESULT_COUNT] = len(words), len(self.results)
        for each, free in zip(self.results, self.frees, strict=True):
            words += [self.named(thing) for thing in (each.nbytes, each.shape, each.strides, each.dtype, free)]
        bare = self.layout.unwrap
        many = at.ISSUE_RESULT_TUPLE if self.results else at.ISSUE_RESULT_NONE
        words[at.ISSUE_RESULT] = at.ISSUE_RESULT_BARE if bare and len(self.results) == 1 else many


def _launch_words(kernel: int, sizes: Launch) -> list[int]:
    """The record of a launch, whose parameters are not known yet."""
    record = np.zeros(at.LAUNCH_WORDS, np.int64)
    record[at.LAUNCH_KERNEL] = kernel
    record[at.LAUNCH_SIZES :].view(np.uint32)[:6] = (*sizes.grid, *sizes.block)
    return [int(word) for word in record]
