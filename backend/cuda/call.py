"""Calls of a graph on a CUDA device, with the arguments and the results of the CPU's builtin.

Inputs of the host are copied to the device, and what was written comes back; those that share memory share a block
there too. Inputs on the device are read and written where they lie. A call waits for the device only where it has
something to read: whether a check failed, or results of the host. A call in which a check fails has written nothing
that the caller sees: what may fail is scheduled before the first write, and kernels behind a failed one do nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np

from ...core.config import Settings, config
from ...core.devices import CPU
from ...core.devices.arrays import DeviceArray, empty
from ...core.devices.host_or_device import address_of, byte_bounds
from ...core.errors import KernelError
from ...core.records import dataclass
from ...core.strided import raw
from ..call_layout import InputLayout, OutputLayout
from ..compile import CompiledGraph
from ..cpu.plan.plan import Subscribe
from .device import CudaDevice, current
from .issuer import SCRATCH, TICKETS, Addresses, Issuer
from .kernels.tickets import TICKET_BYTES
from .memory.blocks import CALLS
from .memory.transfers import InputBlocks, Intervals, Window, bytes_of, host_array, overlapping
from .native.native_call import ASK, NativeCall, native_call
from .plan import CudaPlan, plan_of
from .slot_paths import Owners, follow, laid_out

Array = np.ndarray[Any, Any]


def build(
    compiled: CompiledGraph,
    lifted: Sequence[Array] = (),
    owners: Sequence[object] = (),
    device: CudaDevice | None = None,
    resident: bool = False,
    subscribe: Subscribe | None = None,
    by_value: bool = False,
) -> CudaCall:
    """The callable that runs the graph; `lifted`, `owners` and `subscribe` are what `CompiledGraph.build` takes.

    Lifted arrays have buffers on the device for as long as the callable lives, filled anew at each call; if `resident`,
    they are filled now and stay there, and what is written to them comes back on `fetch`. by_value: scalars are passed
    to kernels by value, where all of them can be; a call with another number is then no launch more.
    Errors: KernelError when a kernel does not compile, an array has not the layout of its input, or an owner is not of
    the type that its access path starts with."""
    device = device or current()
    entries = [entry for entry in compiled.layout.inputs if entry.kind == "lifted"]
    if len(entries) != len(lifted) or any(laid_out(entry, array) is None for entry, array in zip(entries, lifted)):
        raise KernelError("the lifted arrays are not laid out as the graph's lifted inputs")
    places, plan = _places(compiled, owners), plan_of(compiled, device, by_value)
    held = InputBlocks.of(lifted, device, partial(_allocate, device))
    call = CudaCall(plan, device, places, tuple(lifted), held, resident)
    call.native = native_call(call, device.streams.default, owners, subscribe)
    return call


def _allocate(device: CudaDevice, nbytes: int) -> int:
    return device.memory.allocate(nbytes, CALLS)


@dataclass(frozen=True, slots=True)
class CudaPlaces:
    """The origin of the inputs, by their numbers: `given` are arguments, `owned` are found from owners."""

    given: tuple[int, ...]
    owned: tuple[int, ...]
    lifted: tuple[int, ...]
    owners: Owners

    @property
    def passed(self) -> tuple[int, ...]:
        """The inputs that are other arrays at each call."""
        return self.given + self.owned


def _places(compiled: CompiledGraph, owners: Sequence[object]) -> CudaPlaces:
    held = Owners.of(compiled.layout, owners)
    owned = tuple(number for number, _, _ in held.of_inputs)
    lifted = tuple(k for k, entry in enumerate(compiled.layout.inputs) if entry.kind == "lifted")
    given = tuple(k for k in range(len(compiled.layout.inputs)) if k not in {*owned, *lifted})
    return CudaPlaces(given, owned, lifted, held)


@dataclass(eq=False)
class CudaCall:
    """A tuple of results, None without any, or the bare one where the layout unwraps it.

    NotImplemented for arguments of another layout, Ellipsis where a check failed and plain Python is to run."""

    plan: CudaPlan
    device: CudaDevice
    places: CudaPlaces
    lifted: tuple[Array, ...]
    held: InputBlocks
    resident: bool
    native: NativeCall | None = field(init=False, default=None)
    _settings: Settings | None = field(init=False, default=None)
    """The settings in force when a call looked at them last."""
    _on_streams: dict[int, NativeCall | None] = field(init=False, default_factory=dict)
    _last_stream: int = field(init=False, default=0)
    """The stream of the last call that was made step by step."""
    _one_call: threading.Lock = field(init=False, default_factory=threading.Lock)
    """Calls share the buffers of lifted arrays."""

    _all_lifted: Intervals = field(init=False)
    _written_lifted: Intervals = field(init=False)

    def __post_init__(self) -> None:
        self._last_stream = self.device.streams.current().handle
        written = self._written(self.places.lifted)
        self._all_lifted = Intervals.of(self.lifted)
        self._written_lifted = Intervals.of(each for place, each in enumerate(self.lifted) if place in written)
        if self.resident:
            self.held.upload()

    def fetch(self) -> None:
        """Copies back what was written to resident arrays."""
        self.held.download(self._written(self.places.lifted))

    def __call__(self, *arguments: Any) -> Any:
        if self.plan.settings and self._settings is not config.in_force:
            self._look_at_settings()
        native = self.native
        if native is not None:
            stream = self.device.streams.current()
            if native.stream is not stream:
                native = self._native_on(stream)
            answer = ASK if native is None else native(arguments)
            if answer is not ASK:
                return answer
        cells = self._cells(arguments)
        if cells is None:
            return NotImplemented
        with self._one_call:
            streams = self.device.streams
            before, self._last_stream = self._last_stream, streams.current().handle
            if before != self._last_stream:
                streams.order(before, self._last_stream)
            return self._run(arguments, cells)

    def _look_at_settings(self) -> None:
        """Plans anew where settings that say how the plan is computed are others now. (An entry of a jitted function
        has guards on them.)"""
        with self._one_call:
            settings = self._settings = config.in_force
            if all(getattr(settings, name) == value for name, value in self.plan.settings):
                return
            self._close()
            self.plan, self.native = plan_of(self.plan.compiled, self.device, self.plan.by_value), None
            owners = [owner() for owner in self.places.owners.references]
            if all(owner is not None for owner in owners):
                self.native = native_call(self, self.device.streams.default, owners)

    def _close(self) -> None:
        for native in (self.native, *self._on_streams.values()):
            if native is not None:
                native.close()
        self._on_streams.clear()

    def _native_on(self, stream: Any) -> NativeCall | None:
        """The native form of the call on another stream than the default one; None where there is none any more."""
        found = self._on_streams.get(stream.handle)
        if found is None:
            with self._one_call:
                found = self._on_streams.get(stream.handle)
                owners = [owner() for owner in self.places.owners.references]
                if found is None and all(owner is not None for owner in owners):
                    found = self._on_streams[stream.handle] = native_call(self, stream, owners)
        return found

    def _run(self, arguments: Sequence[Any], cells: list[Array]) -> Any:
        allocated: list[int] = []

        def allocate(nbytes: int) -> int:
            allocated.append(_allocate(self.device, nbytes))
            return allocated[-1]

        try:
            blocks = InputBlocks.of(cells, self.device, allocate)
            addresses = dict(zip(self.places.passed, blocks.addresses, strict=True))
            addresses |= dict(zip(self.places.lifted, self.held.addresses, strict=True))
            blocks.upload()
            if not self.resident:
                self.held.upload()
            results = _results(self.plan.compiled, allocate, addresses)
            _place_temporaries(self.plan.compiled, allocate, addresses)
            addresses[SCRATCH] = allocate(self.plan.scratch) if self.plan.scratch else 0
            addresses[TICKETS] = self._tickets(allocate)
            if _launch(self.plan, self.device, addresses, allocate, self._numbers(cells)):
                return Ellipsis
            blocks.download(self._written(self.places.passed))
            if not self.resident:
                self.fetch()
            for slot, result in results.items():
                if result.nbytes and type(result) is np.ndarray:
                    self.device.download(addresses[slot], bytes_of(result))
        finally:
            for address in allocated:
                self.device.free(address)
        by_number = dict(zip(self.places.given, arguments, strict=False))
        return _returned(self.plan.compiled, by_number, dict(zip(self.places.passed, cells, strict=True)), results)

    def _tickets(self, allocate: Callable[[int], int]) -> int:
        """The address of the words that count blocks, which are zero."""
        zeros = np.zeros(TICKET_BYTES * self.plan.tickets, np.uint8)
        if not zeros.size:
            return 0
        address = allocate(zeros.size)
        self.device.upload(address, zeros)
        return address

    def _numbers(self, cells: Sequence[Array]) -> dict[int, int]:
        """The eight bytes of each scalar that kernels take by value."""
        if not self.plan.by_value:
            return {}
        given = zip(self.places.passed, cells, strict=True)
        inputs = self.plan.compiled.layout.inputs
        return {k: int(cell.view(np.int64)) for k, cell in given if inputs[k].kind not in ("array", "lifted")}

    def __del__(self) -> None:
        for address in self.held.allocated:
            self.device.free(address)
        self._close()

    def bases(self, arguments: Sequence[Any], numbers: Sequence[int]) -> dict[int, Any]:
        """The arrays of these inputs, by number: those that results are views of."""
        layout, found = self.plan.compiled.layout, dict[int, Any]()
        owned = dict(zip(self.places.owned, self.places.owners.arrays(), strict=True))
        for k in numbers:
            found[k] = owned[k] if k in owned else _reached(layout.inputs[k], arguments[self.places.given.index(k)])
        return found

    def outputs(self, arguments: Sequence[Any], bases: dict[int, Any], made: Sequence[Any]) -> list[Any]:
        """The results, those over arguments too. made: the fresh ones, in their order."""
        compiled = self.plan.compiled
        fresh = (compiled.first_output + j for j, each in enumerate(compiled.layout.outputs) if each.kind == "fresh")
        by_number = dict(zip(self.places.given, arguments, strict=False))
        return _outputs(compiled, by_number, bases, dict(zip(fresh, made, strict=True)))

    def _cells(self, arguments: Sequence[Any]) -> list[Array] | None:
        """The passed inputs as arrays, or None when they are not what the plan was made for."""
        layout, given = self.plan.compiled.layout, self.places.given
        if len(arguments) != len(given) + len(layout.objects) or not self.places.owners.hold():
            return None
        if any(found is not wanted for found, wanted in zip(arguments[len(given) :], layout.objects, strict=True)):
            return None
        found: list[Array] = []
        values = [*map(_reached, (layout.inputs[k] for k in given), arguments), *self.places.owners.arrays()]
        for k, value in zip(self.places.passed, values, strict=True):
            cell = laid_out(layout.inputs[k], value)
            if cell is None:
                return None
            found.append(cell)
        return None if self._meet(found) else found

    def _meet(self, cells: Sequence[Array]) -> bool:
        """Whether arrays share memory that the kernels are promised to find apart, and write."""
        written = self._written(self.places.passed)
        for place, cell in enumerate(cells):
            lifted = self._all_lifted if place in written else self._written_lifted
            if lifted.lows and cell.size and lifted.meet(*byte_bounds(cell)):
                return True
        passed, disjoint = self.places.passed, self.plan.compiled.layout.disjoint
        if not disjoint:
            return False
        return any((min(passed[i], passed[j]), max(passed[i], passed[j])) in disjoint for i, j in overlapping(cells))

    def _written(self, numbers: Sequence[int]) -> frozenset[int]:
        """The places in `numbers` of the inputs that kernels write."""
        return frozenset(place for place, k in enumerate(numbers) if k in self.plan.written)


def _reached(entry: InputLayout, argument: Any) -> Any:
    return argument if entry.access_path is None else follow(entry.access_path, argument)


def _launch(
    plan: CudaPlan,
    device: CudaDevice,
    addresses: Addresses,
    allocate: Callable[[int], int],
    numbers: Mapping[int, int],
) -> bool:
    """Issues every step; whether a check has failed in one. numbers: the scalars that are passed by value."""
    status = np.zeros(8, np.uint8)
    failed = allocate(8)
    device.upload(failed, status)
    Issuer(plan, device, addresses, failed, allocate, numbers).issue()
    if plan.can_fail:
        device.download(failed, status)
    return bool(status.any())


def _results(compiled: CompiledGraph, allocate: Callable[[int], int], addresses: Addresses) -> dict[int, Array]:
    """Fresh arrays for the results, by slot; their memory on the device is entered in `addresses`."""
    made: dict[int, Array] = {}
    for j, output in enumerate(compiled.layout.outputs):
        if output.kind in ("fresh", "scalar"):
            assert output.node is not None
            type = compiled.graph.outputs[output.node].type
            slot = compiled.first_output + j
            strides = output.strides if output.kind == "fresh" else ()
            if type.device == CPU:
                made[slot] = host_array(type.shape, strides, type.dtype.numpy)
                addresses[slot] = allocate(made[slot].nbytes)
            else:
                in_bytes = tuple(stride * type.dtype.itemsize for stride in strides)
                made[slot] = empty(type.shape, type.dtype.numpy, in_bytes)  # type: ignore[assignment]
                addresses[slot] = address_of(made[slot])
    return made


def _place_temporaries(compiled: CompiledGraph, allocate: Callable[[int], int], addresses: Addresses) -> None:
    arena = allocate(compiled.arena_nbytes)
    first = compiled.first_output + len(compiled.layout.outputs)
    for k, (offset, _) in enumerate(compiled.temporaries):
        addresses[first + k] = arena + offset


def _returned(
    compiled: CompiledGraph, arguments: dict[int, Any], cells: dict[int, Array], results: dict[int, Array]
) -> Any:
    """The value that a call returns; arguments and their arrays come by the numbers of inputs."""
    made = _outputs(compiled, arguments, cells, results)
    if compiled.layout.unwrap:
        return made[0]
    return tuple(made) if made else None


def _outputs(
    compiled: CompiledGraph, arguments: dict[int, Any], cells: dict[int, Array], results: dict[int, Array]
) -> list[Any]:
    """The results as the layout wants them."""
    made: list[Any] = []
    for j, entry in enumerate(compiled.layout.outputs):
        match entry.kind:
            case "input":
                made.append(arguments[entry.input])
            case "view":
                assert entry.base is not None
                place, number = entry.base
                base = cells[number] if place == "input" else results[compiled.first_output + number]
                made.append(_view(base, entry))
            case "scalar":
                made.append(results[compiled.first_output + j][()])
            case _:
                made.append(results[compiled.first_output + j])
    return made


def _view(base: Array, entry: OutputLayout) -> Array:
    """The memory of an array under another shape."""
    size = base.dtype.itemsize
    strides = tuple(stride * size for stride in entry.strides)
    if type(base) is DeviceArray:  # type: ignore[comparison-overlap]
        return base.seen(entry.offset * size, entry.shape, strides)  # type: ignore[return-value]
    window = Window(base, base.ctypes.data + entry.offset * size, raw(base.dtype), entry.shape, strides)
    return window.array(base.flags.writeable).view(base.dtype, type(base))
