"""Optimizer steps while tracing: the step of a group becomes an update of all its parameters of one dtype at once.

The parameters are joined to one vector, updated by the formula that eager mode follows too, and cut apart again. The
back end makes one kernel over a table of addresses of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....graph.aot.emitter import GraphEmitter
from ....graph.node import Node
from ....ops.complex_numbers import COMPLEX, IMAG, REAL
from ....ops.registry import OpDef, Pointwise
from ....ops.segments import JOIN, SEGMENT, SPREAD
from ....optim.stepped import step_group
from ....optim.updates import Path, Update
from ...breaks import DTYPE, TENSOR_FEATURE
from ...python.operators import compare
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, Constant, is_none
from ...values.containers.dicts import DictValue
from ...values.containers.sequences import ListValue
from ...values.numbers.input_scalar import InputNumber
from ...values.python_operators import BINARY
from ...values.tensors.optimizers import OptimizerValue
from ...values.tensors.sparse_tensor import SparseTensorValue
from ...values.tensors.tensor import TensorValue, fresh
from .numbers import number_of
from .sparse_step import sparse_step

if TYPE_CHECKING:
    from ...tracing.trace import Trace

Column = list[Any]
"""One tensor of each parameter: the parameters themselves, their gradients, one kind of state."""


class _Segmented(GraphEmitter):
    """An emitter over joined tensors: a value per tensor, met by one per element, is spread over its segment."""

    __slots__ = ("sizes",)

    def __init__(self, trace: Trace, sizes: tuple[int, ...]) -> None:
        super().__init__(trace.builder, trace.progress.location)
        self.sizes = sizes

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Node:
        """The node of an operation; operands of one value per tensor are spread where others have one per element."""
        total, count = (sum(self.sizes),), (len(self.sizes),)
        shapes = {each.shape for each in operands if isinstance(each, Node)}
        if isinstance(op.lower, Pointwise) and total in shapes and count in shapes and total != count:
            operands = tuple(
                super(_Segmented, self).apply(SPREAD, each, sizes=self.sizes)
                if isinstance(each, Node) and each.shape == count
                else each
                for each in operands
            )
        return super().apply(op, *operands, **attrs)


def _can_join(tensors: Sequence[TensorValue]) -> bool:
    """Whether these tensors of one parameter lie alike in memory, densely and row-major."""
    return all(not each.array.path and each.array.fake.flags.c_contiguous and each.array.fake.size for each in tensors)


def _batches(columns: Sequence[Sequence[TensorValue | None]]) -> Iterator[list[int]]:
    """The parameters' numbers, those that one multi-tensor update may take together in one list."""
    together: dict[Any, list[int]] = {}
    for k, row in enumerate(zip(*columns, strict=True)):
        if not _can_join([each for each in row if each is not None]):
            together[k] = [k]
        else:
            together.setdefault(tuple(each and each.dtype for each in row), []).append(k)
    yield from together.values()


def _joined(f: GraphEmitter, tensors: Sequence[TensorValue], part: OpDef | None = None) -> Node:
    """The elements of tensors as one vector; of complex ones those of a part."""
    nodes = [each.read() for each in tensors]
    return f.apply(JOIN, *(f.apply(part, each) if part and each.type.dtype.is_complex else each for each in nodes))


def _computed(
    f: GraphEmitter, update: Update, columns: dict[str, list[Any]], given: dict[str, Any], part: OpDef | None = None
) -> tuple[dict[str, Node], dict[str, Node]]:
    """The vectors that a formula is given, and the new ones; of complex parameters those of a part."""
    vectors = {name: _in_computed(f, _joined(f, column, part)) for name, column in columns.items()}
    return vectors, update.formula(f, **vectors, **given)


def _in_computed(f: GraphEmitter, node: Node) -> Node:
    """Narrow floats in float32, in which their step is computed. See Note [Half floats]."""
    return f.cast(node, dtype=dtypes.float32) if node.type.dtype.is_narrow else node  # type: ignore[no-any-return]


def _of_both_parts(
    f: GraphEmitter, update: Update, columns: dict[str, list[Any]], given: dict[str, Any]
) -> tuple[dict[str, Node], dict[str, Node]]:
    """As `_computed` gives them, of both parts of complex parameters: a step is of each by itself, as in PyTorch."""
    real, imag = (_computed(f, update, columns, given, part) for part in (REAL, IMAG))
    single = {name for name, column in columns.items() if not column[0].dtype.is_complex}

    def together(one: dict[str, Node], other: dict[str, Node]) -> dict[str, Node]:
        return {name: node if name in single else f.apply(COMPLEX, node, other[name]) for name, node in one.items()}

    return together(real[0], imag[0]), together(real[1], imag[1])


def _pieces(f: GraphEmitter, flat: Node, like: Sequence[TensorValue]) -> Iterator[Node]:
    start = 0
    for each in like:
        yield f.apply(SEGMENT, flat, start=start, shape=each.shape)
        start += each.array.type.size


def _write_back(f: GraphEmitter, flat: Node, tensors: Sequence[TensorValue]) -> None:
    for each, piece in zip(tensors, _pieces(f, flat, tensors), strict=True):
        each.write(piece, requires_grad=False)


def _holds(trace: Trace, value: Value, name: str, number: float) -> bool:
    """The outcome of a comparison of a hyper-parameter, guarded."""
    if isinstance(value, InputNumber):
        return compare(trace, name, value, Constant(number)).truth(trace)
    known = value.constant(trace)
    return bool(BINARY[name][0](known, number))


def _column(value: Value, kinds: tuple[type, ...] = (TensorValue,)) -> list[Any]:
    """The tensors of a list that `_init_group` filled; None for what the first step makes."""
    items = value.items if isinstance(value, ListValue) else []
    if any(not isinstance(each, kinds) and not is_none(each) for each in items):
        raise TENSOR_FEATURE.stop(feature="an optimizer's state that is no tensor, or is sparse")
    return [each if isinstance(each, kinds) else None for each in items]


def _check_alike(columns: dict[str, list[Any]]) -> None:
    """Errors: a break where what belongs to one parameter has several shapes or dtypes, which eager mode refuses."""
    for row in zip(*columns.values(), strict=True):
        if len({(each.shape, each.dtype) for each in row if each and each.shape}) > 1:  # counters have no axes
            raise TENSOR_FEATURE.stop(feature="an optimizer step of a parameter whose gradient or state is unlike it")
        if row[0].dtype.is_narrow and not row[0].dtype.is_half:
            raise DTYPE.stop(dtype=row[0].dtype)


def _check_apart(columns: dict[str, list[Any]]) -> None:
    written = [id(each.array.storage) for name, column in columns.items() if name != "grad" for each in column if each]
    read = [each.entries.values if isinstance(each, SparseTensorValue) else each for each in columns["grad"]]
    if len(set(written)) < len(written) or not {id(each.array.storage) for each in read}.isdisjoint(written):
        raise TENSOR_FEATURE.stop(feature="an optimizer step in which one tensor has two parts to play")


@traces(step_group)
def optimizer_step(trace: Trace, optimizer: Value, group: Value) -> Value:
    """`optim.stepped.step_group`, of whatever optimizer follows a declaration."""
    if not isinstance(optimizer, OptimizerValue) or not isinstance(group, DictValue):
        raise TENSOR_FEATURE.stop(feature="a step of something other than an optimizer's group")
    update = optimizer.declared_update(trace)
    values = {name: _entry(trace, group, path) for name, path in update.numbers.items()}
    booleans = {name: _entry(trace, group, name).truth(trace) for name in update.flags}
    for name, (left, sign, right) in update.conditions.items():
        booleans[name] = _holds(trace, values[left], sign, right)
    gathered = [ListValue([]) for _ in range(2 + len(update.state))]
    optimizer.attribute(trace, "_init_group").call(trace, [group, *gathered], {})
    kept = [update.state[place] for place in update.kept(booleans)]
    if trace.tape.unless is not None and any(each.starts_as is None for each in kept):
        if "dampening" not in values or _holds(trace, values["dampening"], "!=", 0.0):  # a buffer of zeros is none then
            raise TENSOR_FEATURE.stop(feature="a step that makes state other than zeros, and may be left out")
    names = ["param", "grad", *[each.name for each in kept]]
    columns = [_column(gathered[0]), _column(gathered[1], (TensorValue, SparseTensorValue))]
    columns += [_column(gathered[2 + update.state.index(each)]) for each in kept]
    if any(len(column) != len(columns[0]) for column in columns):
        raise TENSOR_FEATURE.stop(feature="an _init_group that does not fill the lists of its update")
    numbers = {name: number_of(trace, value) for name, value in values.items()}
    by_name = _without_sparse(trace, update, dict(zip(names, columns, strict=True)), numbers, booleans)
    made = _step_batches(trace, update, by_name, numbers, booleans)
    state = optimizer.state(trace)
    for name, k, tensor in made:
        param = by_name["param"][k]
        assert param is not None
        state.item(trace, param).set_item(trace, Constant(name), tensor)
    return NONE


def _without_sparse(
    trace: Trace, update: Update, columns: dict[str, list[Any]], numbers: dict[str, Any], booleans: dict[str, bool]
) -> dict[str, list[Any]]:
    """The columns of the parameters whose gradient is dense, after the others were stepped."""
    sparse = [k for k, each in enumerate(columns["grad"]) if isinstance(each, SparseTensorValue)]
    if not sparse:
        return columns
    _check_apart(columns)
    if trace.tape.unless is not None:
        raise TENSOR_FEATURE.stop(feature="a step along a sparse gradient, which may be left out")
    with trace.no_grad():
        for k in sparse:
            state = {name: column[k] for name, column in columns.items() if name not in ("param", "grad")}
            sparse_step(trace, update, columns["param"][k], columns["grad"][k], state, numbers, booleans)
    return {name: [each for k, each in enumerate(column) if k not in sparse] for name, column in columns.items()}


def _entry(trace: Trace, group: Value, path: Path) -> Value:
    if isinstance(path, str):
        return group.item(trace, Constant(path))
    return group.item(trace, Constant(path[0])).item(trace, Constant(path[1]))


def _step_batches(
    trace: Trace, update: Update, columns: dict[str, list[Any]], numbers: dict[str, Any], booleans: dict[str, bool]
) -> list[tuple[str, int, TensorValue]]:
    """Steps all parameters, together where they can be; gives the state that was made: (name, parameter, value)."""
    _check_apart(columns)
    _check_alike(columns)
    made = []
    with trace.no_grad():
        for batch in _batches(list(columns.values())):
            mine = {name: [column[k] for k in batch] for name, column in columns.items()}
            there = {name: column for name, column in mine.items() if None not in column}
            # What is one number for each parameter is one element; everything else has the parameter's size.
            f = _Segmented(trace, tuple(each.array.type.size for each in mine["param"]))
            given = {**numbers, **booleans}
            if mine["param"][0].dtype.is_complex:
                vectors, new = _of_both_parts(f, update, there, given)
            else:
                vectors, new = _computed(f, update, there, given)
            for name, computed in new.items():
                dtype = mine[name if name in there else "param"][0].dtype
                if trace.tape.unless is not None:
                    computed = f.where(trace.tape.unless, vectors.get(name, 0.0), computed)
                vector = f.cast(computed, dtype=dtype) if dtype.is_narrow else computed
                if name in there:
                    _write_back(f, vector, mine[name])
                    continue
                for k, piece in zip(batch, _pieces(f, vector, mine["param"]), strict=True):
                    made.append((name, k, fresh(trace, piece)))
    return made
