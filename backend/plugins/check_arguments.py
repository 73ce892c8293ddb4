"""Checks of a call's arguments by a plan in Python, as a native plan makes them, and the arrays made of arguments."""

from __future__ import annotations

import bisect
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...core.errors import KernelError
from ...core.records import dataclass
from ...core.types import TensorType
from ...graph.node import Graph
from ..call_layout import AccessPath, CallLayout, InputLayout
from ..cpu.plan.lifted_inputs import Lifted, lift
from ..cpu.plan.plan import LiftedInput

Array = np.ndarray[Any, Any]
Follow = Callable[[Any], Any]
_ALIGNED, _WRITEABLE = 0x0100, 0x0400
"""Flags of NumPy's arrays. Source: numpy/_core/include/numpy/ndarraytypes.h."""

_INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class Operands:
    """A call that fits: the objects that its inputs start from, and an array for each input."""

    starts: list[Any]
    arrays: list[Array]


class Arguments:
    """The inputs of one plan. Errors: KernelError for arrays and owners that are not as the layout says."""

    def __init__(
        self, graph: Graph, layout: CallLayout, lifted: Sequence[Array], owners: Sequence[Any], static: Sequence[Array]
    ) -> None:
        self.layout = layout
        written = {write.target for write in graph.writes}
        self._written = [node in written for node in graph.inputs]
        self._accepts = [_accepting(entry) for entry in layout.inputs]
        self._owned_paths = [
            None if entry.access_path is None else _following(entry.access_path) for entry in layout.inputs
        ]
        self._checks = [_following(access_path) for access_path in layout.checks]
        starts = [each.access_path for each in layout.inputs if each.access_path is not None and each.access_path.owner]
        self._owners = [
            _reference(access_path, owner) for access_path, owner in zip([*starts, *layout.checks], owners, strict=True)
        ]
        self.lifted = dict(
            zip((k for k, each in enumerate(layout.inputs) if each.kind == "lifted"), lifted, strict=True)
        )
        self._held = self._lift(static)

    def _lift(self, static: Sequence[Array]) -> Lifted:
        places = [k for k, each in enumerate(self.layout.inputs) if each.kind == "lifted" or each.static_address]
        given, rest = [], iter(static)
        for place in places:
            entry = self.layout.inputs[place]
            dtype = entry.type.dtype.numpy
            form = dtype, entry.type.shape, tuple(step * dtype.itemsize for step in entry.strides), entry.writeable
            given.append(
                (LiftedInput(*form, self._written[place]), self.lifted[place] if place in self.lifted else next(rest))
            )
        return lift([each for each, _ in given], [array for _, array in given])

    def of(self, passed: Sequence[Any]) -> Operands | None:
        """The operands of a call that passes these objects; None where it is not a call that the plan is for."""
        owners = iter(self._owners)
        starts = self._starts(iter(passed), owners)
        if starts is None or any(check(owner()) is None for check, owner in zip(self._checks, owners, strict=True)):
            return None
        arrays: list[Array] = []
        for start, follow, accepts in zip(starts, self._owned_paths, self._accepts, strict=True):
            array = accepts(start if follow is None else follow(start))
            if array is None:
                return None
            arrays.append(array)
        return Operands(starts, arrays) if self._are_apart(arrays) else None

    def _starts(self, passed: Iterator[Any], owners: Iterator[Callable[[], Any]]) -> list[Any] | None:
        starts = []
        for place, entry in enumerate(self.layout.inputs):
            if entry.kind == "lifted":
                starts.append(self.lifted[place])
            elif entry.access_path is not None and entry.access_path.owner:
                starts.append(next(owners)())
            else:
                starts.append(next(passed))
        same = all(found is wanted for found, wanted in zip(passed, self.layout.objects, strict=True))
        return starts if same else None

    def _are_apart(self, arrays: Sequence[Array]) -> bool:
        """Whether no array that is written shares memory with another one."""
        if any(np.may_share_memory(arrays[a], arrays[b]) for a, b in self.layout.disjoint):
            return False
        held, stored = self._held.memory, self._held.written
        if not len(held):
            return True
        passed = [
            k
            for k, each in enumerate(self.layout.inputs)
            if each.kind == "array" and not each.static_address and arrays[k].size
        ]
        return not any(_meets(held if self._written[k] else stored, arrays[k]) for k in passed)


def _meets(intervals: Array, array: Array) -> bool:
    """Whether an array lies, in part, in one of these intervals of memory, which are in order and apart."""
    low, high = np.lib.array_utils.byte_bounds(array)
    before = bisect.bisect_left(intervals[:, 0], high)
    return before > 0 and bool(intervals[before - 1, 1] > low)


def _accepting(entry: InputLayout) -> Callable[[Any], Array | None]:
    """A function that gives the array that stands for a value; None where the value is not as the layout says."""
    dtype = entry.type.dtype.numpy
    if entry.kind in ("array", "lifted"):
        return _accepting_array(entry.type, entry.strides, _ALIGNED | (_WRITEABLE if entry.writeable else 0))
    kind: type = {"float": float, "int": int, "bool": bool}.get(entry.kind, dtype.type)

    def accept(value: Any) -> Array | None:
        if type(value) is not kind or kind is int and value not in _INT64:
            return None
        return np.asarray(value, dtype)

    return accept


def _accepting_array(type_: TensorType, strides: tuple[int, ...], flags: int) -> Callable[[Any], Array | None]:
    dtype, shape = type_.dtype.numpy, type_.shape
    steps = tuple(step * dtype.itemsize for step in strides)
    counted = [axis for axis, size in enumerate(shape) if size > 1] if 0 not in shape else []

    def accept(value: Any) -> Array | None:
        if type(value) is not np.ndarray or value.dtype != dtype or value.shape != shape:
            return None
        if value.flags.num & flags != flags:
            return None
        found = value.strides
        return value if found == steps or all(found[axis] == steps[axis] for axis in counted) else None

    return accept


def _reference(access_path: AccessPath, owner: Any) -> Callable[[], Any]:
    """The owner, which nobody keeps alive for it.

    Errors: KernelError when it is not what its access path begins with.
    """
    if type(owner) is not access_path.links[0].kind:
        raise KernelError(
            f"an owner must be a {access_path.links[0].kind.__qualname__}, got a {type(owner).__qualname__}"
        )
    return weakref.ref(owner)


def _following(access_path: AccessPath) -> Follow:
    """A function that gives the object at the end of an access path, from its start; None where the path breaks off."""
    links = [
        (
            link.kind,
            [(_slot(link.kind, name), held) for name, held in link.same],
            [(_slot(link.kind, name), other) for name, other in link.unlike],
            link.slot and _slot(link.kind, link.slot),
        )
        for link in access_path.links
    ]

    def follow(thing: Any) -> Any:
        try:
            for kind, same, unlike, slot in links:
                if type(thing) is not kind or any(read(thing) is not held for read, held in same):
                    return None
                if any(type(read(thing)) is other for read, other in unlike):
                    return None
                thing = slot(thing) if slot else thing
        except AttributeError:
            return None  # a slot that is not set
        return thing

    return follow


def _slot(kind: type, name: str) -> Follow:
    """The reader of a slot, past any `__getattribute__`. Errors: KernelError when the class has none of that name."""
    for base in kind.__mro__:
        member = vars(base).get(name)
        if hasattr(member, "__get__") and hasattr(member, "__set__"):
            return member.__get__  # type: ignore[no-any-return, union-attr]
    raise KernelError(f"{kind.__qualname__} has no slot {name!r}")
