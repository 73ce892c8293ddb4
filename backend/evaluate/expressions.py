"""Values of graph nodes at an index, as a list of items: loads, arithmetic and index checks, each computed once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import lru_cache
from math import ceil
from typing import Any, Protocol

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.errors import GraphError
from ...core.records import dataclass
from ...core.sizes import is_symbolic, is_whole
from ...graph.node import Node
from ...loop_ir.ir import SEARCHED
from ...loop_ir.reductions import identity
from ...loop_ir.source_text import cast_text, literal
from ...ops.pointwise import CAST
from ...ops.registry import Creation, Indexed, Movement, OpDef, Pointwise, Reduction
from .buffers import Buffer, BufferView
from .index_algebra import Affine, NotAffine, Var, affine, of_var

Place = tuple[Affine, ...]


class Conflict(Exception):
    """A value is needed at another index, or at another time, than the kernel has it."""


@dataclass(frozen=True, slots=True)
class KernelValue:
    """A let of the kernel; `vars` are the loop variables it depends on."""

    name: str
    dtype: DType
    vars: frozenset[Var]


@dataclass(frozen=True, slots=True)
class LoadItem:
    """`value` is element `place` of `buffer`."""

    value: KernelValue
    buffer: Buffer
    place: Affine


@dataclass(frozen=True, slots=True)
class ConstantItem:
    """`value` is a constant, to be rounded to its dtype."""

    value: KernelValue
    constant: bool | int | float


@dataclass(frozen=True, slots=True)
class ApplyItem:
    """`value` is `text` applied to the lets `operands`; `widens`: to be cast to its dtype.

    Units: `cost` counts additions."""

    value: KernelValue
    text: str
    operands: tuple[str, ...]
    widens: bool
    cost: int = 1


@dataclass(frozen=True, slots=True)
class IndexItem:
    """`value` is an index expression as a number."""

    value: KernelValue
    place: Affine


@dataclass(frozen=True, slots=True)
class CheckItem:
    """`value` is the operand as a valid index below `size`. With `size` 0 the kernel only fails."""

    value: KernelValue
    operand: str
    size: int


@dataclass(frozen=True, slots=True)
class StoreItem:
    """Element `place` of `buffer` becomes `value`; with `accumulate`, is combined with it."""

    value: KernelValue
    buffer: Buffer
    place: Affine
    accumulate: str = ""


@dataclass(frozen=True, slots=True)
class FailItem:
    """The kernel fails where the bool `value` is true."""

    value: KernelValue


Item = LoadItem | ConstantItem | ApplyItem | IndexItem | CheckItem | FailItem | StoreItem
Local = Callable[[Node, Place], KernelValue | None]


class NodePlaces(Protocol):
    """The places of values in memory."""

    def __contains__(self, node: Node, /) -> bool: ...

    def __getitem__(self, node: Node, /) -> BufferView: ...


@dataclass(slots=True)
class Evaluator:
    """Evaluates nodes at places. `local` answers for values that the kernel itself makes (None: not one of them)."""

    places: NodePlaces
    local: Local
    items: list[Item] = field(default_factory=list)
    known: dict[Place, dict[Node, KernelValue]] = field(default_factory=dict)
    """The lets that are there, by place and node."""
    loads: dict[tuple[Buffer, Affine], KernelValue] = field(default_factory=dict)
    read: set[tuple[Buffer, Affine]] = field(default_factory=set)
    indices: dict[Var, frozenset[Var]] = field(default_factory=dict)
    evaluated: list[tuple[Node, frozenset[Var]]] = field(default_factory=list)
    fresh: int = 0
    _place: Place | None = None
    _here: dict[Node, KernelValue] = field(default_factory=dict)
    """The values known at `_place`, the last place that was asked for: many nodes are at one place."""

    def value(self, node: Node, place: Place) -> KernelValue:
        """The let that holds element `place` of `node`.

        Errors: NeedSplit, NotAffine from index arithmetic; Conflict from `local`."""
        here = self._here if place is self._place else self._known_at(place)
        known = here.get(node)
        if known is None:
            known = here[node] = self._compute(node, place)
        return known

    def derive(self, node: Node, place: Place) -> KernelValue:
        """The let of element `place` of `node`, computed from its operands even if it has a place in memory.

        It is found in a register from now on."""
        here = self._known_at(place)
        known = here.get(node)
        if known is None:
            known = here[node] = self._derive(node, place)
        return known

    def define(self, node: Node, place: Place, value: KernelValue) -> None:
        """From now on, the let `value` holds element `place` of `node`."""
        self._known_at(place)[node] = value

    def _known_at(self, place: Place) -> dict[Node, KernelValue]:
        self._place, self._here = place, self.known.setdefault(place, {})
        return self._here

    def forget(self, keep: frozenset[Var]) -> None:
        """Drop every let that depends on other loop variables than `keep`: a new inner loop computes them again."""
        for place, here in self.known.items():
            self.known[place] = {node: value for node, value in here.items() if value.vars <= keep}
        self._place = None
        self.loads = {key: value for key, value in self.loads.items() if value.vars <= keep}

    def load(self, view: BufferView, place: Place) -> KernelValue:
        """The let that holds an element of memory."""
        buffer, offset = view.buffer, view.at(place)
        self.read.add((buffer, offset))
        known = self.loads.get((buffer, offset))
        if known is None:
            known = self.new(buffer.dtype, self.vars_of(offset))
            self.items.append(LoadItem(known, buffer, offset))
            self.loads[buffer, offset] = known
        return known

    def new(self, dtype: DType, variables: frozenset[Var]) -> KernelValue:
        self.fresh += 1
        return KernelValue(f"t{self.fresh - 1}", dtype, variables)

    def vars_of(self, *places: Affine) -> frozenset[Var]:
        """The loop variables that index expressions depend on."""
        found: set[Var] = set()
        for place in places:
            for var, _ in place.terms:
                found |= self.indices.get(var, {var})
        return frozenset(found)

    def _compute(self, node: Node, place: Place) -> KernelValue:
        local = self.local(node, place)
        if local is not None:
            return local
        if node in self.places:
            return self.load(self.places[node], place)
        return self._derive(node, place)

    def _derive(self, node: Node, place: Place) -> KernelValue:
        lower = node.op.lower
        match lower:
            case Pointwise():
                return self._pointwise(node, place)
            case Movement():
                try:
                    operand, source = moved(node, place)
                except NotAffine as found:
                    found.node = node
                    raise
                return self.value(operand, source)
            case Creation():
                return self._creation(node, place)
            case Reduction():
                return self._trivial_reduction(node, lower, place)
            case Indexed():
                return self._indexed(node, lower, place)
        if node.op.name == "matmul" and node.inputs[0].shape[-1] == 0:
            return self._constant(0, node.type.dtype)
        raise GraphError(f"{node.op.name} has no value before its own kernel runs")

    def _pointwise(self, node: Node, place: Place) -> KernelValue:
        operands = [self.value(each, place) for each in node.inputs]
        variables = _variables(operands)
        self.evaluated.append((node, variables))
        if node.op.may_raise and node.type.dtype.kind == "i":  # an integer to a negative power: NumPy raises
            negative = self.apply("({0} < 0)", (operands[1],), dtypes.bool_)
            self.items.append(FailItem(negative))
        dtype = node.type.dtype
        text, widens = applied(node.op, node.inputs[0].type.dtype, dtype)
        value = self.new(dtype, variables)
        cost = ceil(node.op.lower.cost)  # type: ignore[union-attr]
        self.items.append(ApplyItem(value, text, tuple([each.name for each in operands]), widens, cost))
        return value

    def apply(self, text: str, operands: tuple[KernelValue, ...], dtype: DType, widens: bool = False) -> KernelValue:
        """The let that applies `text`."""
        value = self.new(dtype, _variables(operands))
        self.items.append(ApplyItem(value, text, tuple([each.name for each in operands]), widens))
        return value

    def _constant(self, constant: bool | int | float, dtype: DType) -> KernelValue:
        value = self.new(dtype, frozenset())
        self.items.append(ConstantItem(value, constant))
        return value

    def _creation(self, node: Node, place: Place) -> KernelValue:
        attrs, dtype = node.kwargs, node.type.dtype
        if node.op.name == "full":
            return self._constant(attrs["value"], dtype)  # type: ignore[arg-type]
        entries: dict[str, Any] = {}
        operands = []
        for k, entry in enumerate(place):
            value = self.new(dtype, self.vars_of(entry))
            self.items.append(IndexItem(value, entry))
            entries[f"i{k}"] = f"{{{k}}}"
            operands.append(value)
        scalar = dtype.numpy.type
        start, step = attrs["start"], attrs["step"]
        first = scalar(start)
        delta = scalar(step) if dtype.is_integer else scalar(start + step) - first  # type: ignore[operator]
        entries |= {"first": literal(first.item(), dtype), "delta": literal(delta.item(), dtype)}
        lower = node.op.lower
        assert isinstance(lower, Creation)
        return self.apply(lower.text.format(**entries), tuple(operands), dtype, dtype.is_integer)

    def _trivial_reduction(self, node: Node, lower: Reduction, place: Place) -> KernelValue:
        """A reduction over axes of size 1, or over nothing at all: the only kinds that need no inner loop."""
        source = node.inputs[0]
        axes = node.attr("axes")
        assert isinstance(axes, tuple)
        if source.type.size == 0:
            empty = identity(lower.combine, node.type.dtype)
            return self._constant(0 if lower.combine == "sum" else empty, node.type.dtype)
        if any(source.shape[axis] != 1 for axis in axes):
            raise GraphError(f"{node.op.name} has no value before its own kernel runs")
        if lower.combine in SEARCHED:
            return self._constant(0, node.type.dtype)
        entries = iter(place)
        alone = self.value(
            source, tuple(Affine(0) if axis in axes else next(entries) for axis in range(source.type.rank))
        )
        if lower.combine == "sum" and node.type.dtype.is_float:
            zero = self._constant(0.0, node.type.dtype)  # the sum of one minus zero is plus zero
            return self.apply("({0} + {1})", (alone, zero), node.type.dtype, False)
        return alone

    def _indexed(self, node: Node, lower: Indexed, place: Place) -> KernelValue:
        if lower.name == "slice_store" and is_whole_store(node):
            return self.value(node.inputs[1], place)
        if lower.name == "checked_index":
            return self._checked_value(node, place)
        if lower.name not in ("take", "gather"):
            raise GraphError(f"{node.op.name} has no value before its own kernel runs")
        source, indices = node.inputs
        axis = node.attr("axis")
        assert isinstance(axis, int)
        picked = place[axis : axis + indices.type.rank] if lower.name == "take" else place
        after = axis + indices.type.rank if lower.name == "take" else axis + 1
        size = source.shape[axis]
        index = self.checked(self.value(indices, picked), size)
        if index is None:
            return self._constant(0, node.type.dtype)
        return self.value(source, (*place[:axis], index, *place[after:]))

    def _checked_value(self, node: Node, place: Place) -> KernelValue:
        """The operand's element, with a failure where it is out of range; negative ones do not wrap."""
        value = self.value(node.inputs[0], place)
        dtype, size, ignore = node.type.dtype, node.attr("size"), node.attr("ignore")
        assert is_whole(size)
        wide = dtypes.uint64 if dtype is dtypes.uint64 else dtypes.int64
        known = np.iinfo(wide.numpy)
        operands: tuple[KernelValue, ...] = (value,)
        most = literal(min(size, int(known.max)), wide) if type(size) is int else f"{wide.name}({{1}})"
        if type(size) is not int:
            operands = value, self.new(dtypes.int64, frozenset())
            self.items.append(IndexItem(operands[1], Affine(size)))
        text = f"({wide.name}({{0}}) >= {most})"
        if dtype.kind == "i":
            text = f"(({{0}} < 0) | {text})"
        if isinstance(ignore, int) and known.min <= ignore <= known.max:
            text = f"({text} & ({wide.name}({{0}}) != {literal(ignore, wide)}))"
        self.items.append(FailItem(self.apply(text, operands, dtypes.bool_)))
        return value

    def checked(self, operand: KernelValue, size: int) -> Affine | None:
        """The operand as an index below `size`, with a failure where it is none; None where there are none."""
        if operand.dtype.kind == "u" and not is_symbolic([size]) and size > np.iinfo(operand.dtype.numpy).max:
            checked = self.apply("int64({0})", (operand,), dtypes.int64)
        else:
            checked = self.new(dtypes.int64, operand.vars)
            self.items.append(CheckItem(checked, operand.name, size))
        if size == 0:
            return None
        var = Var(checked.name, size, -1)
        self.indices[var] = operand.vars
        return of_var(var)


def _variables(operands: Sequence[KernelValue]) -> frozenset[Var]:
    """The loop variables that any of the operands depends on."""
    found: frozenset[Var] = frozenset()
    for each in operands:
        if not each.vars <= found:
            found = found | each.vars if found else each.vars
    return found


@lru_cache(4096)
def applied(op: OpDef, source: DType, result: DType) -> tuple[str, bool]:
    """The text of a pointwise op between these dtypes, and whether its value is to be cast to the result's."""
    lower = op.lower
    assert isinstance(lower, Pointwise)
    text = cast_text(source, result) if op is CAST else lower.text
    if lower.integer_text and source.is_integer:
        text = lower.integer_text
    if lower.bool_text and source.is_bool:
        text = lower.bool_text
    text = text.replace("{t}", source.code).replace("{out}", result.code)
    if result.is_complex and text.startswith("complex("):
        return text, True
    return text, result.is_integer and result is not dtypes.int64 and re.match(r"\w+\(", text) is None


def moved(node: Node, place: Place) -> tuple[Node, Place]:
    """The operand of a movement, and the place in it of element `place` of the result."""
    lower = node.op.lower
    assert isinstance(lower, Movement)
    source = node.inputs[0]
    entries = lower.source(list(place), source.shape, node.shape, **node.kwargs)
    return source, tuple(affine(entry) for entry in entries)


def is_whole_store(node: Node) -> bool:
    """Whether a `slice_store` replaces every element in order, so that it is its value."""
    starts, sizes, steps = node.attr("starts"), node.attr("sizes"), node.attr("steps")
    return (
        sizes == node.shape
        and not any(start for start, size in zip(starts, sizes, strict=True) if size > 0)  # type: ignore[call-overload]
        and all(step == 1 or size <= 1 for step, size in zip(steps, sizes, strict=True))  # type: ignore[call-overload]
    )
