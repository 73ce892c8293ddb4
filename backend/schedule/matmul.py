"""Matrix products: a step for BLAS where it takes the dtype, else a sum of multiplied elements.

On a device a product reads operands that were narrow floats before their cast as these, and stores what is rounded to
one as that: it is summed in float32 all the same, so nothing changes but the memory that is moved.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...core import dtypes
from ...core.devices import CPU
from ...core.records import dataclass
from ...graph.node import Graph, Node, Write
from ...loop_ir.source_text import cast_text
from ...ops import movement, pointwise, reduction
from ...ops.registry import Movement, OpDef
from ..evaluate.buffers import Buffer, BufferView
from ..evaluate.expressions import ApplyItem, Item, LoadItem
from .calls import Call
from .groups import GivenPlaces, GroupRoot, Schedule, add_root, add_step, alone, temporary
from .moved_views import memory_of


def blas_takes(dtype: dtypes.DType) -> bool:
    """Whether this machine's BLAS multiplies matrices of `dtype`."""
    from ..cpu.matmul import blas

    return dtype.is_float and blas.gemm(np.dtype(dtype.numpy)) is not None


def expand_products(graph: Graph) -> Graph:
    """The graph with every product that BLAS does not take written as multiply and sum.

    c = matmul(a, b)      ->      t = multiply(expand(reshape(a)), expand(reshape(permute(b))))
                                  c = sum(t, axes=last)
    """
    if all(node.op.name != "matmul" or blas_takes(node.type.dtype) for node in graph.nodes):
        return graph
    new: dict[Node, Node] = {node: node for node in graph.inputs}
    nodes: list[Node] = []
    for node in graph.nodes:
        operands = tuple(new[each] for each in node.inputs)
        if node.op.name == "matmul" and not blas_takes(node.type.dtype):
            new[node] = _sum_of_products(nodes, *operands)
        else:
            new[node] = node if operands == node.inputs else _node(nodes, node.op, operands, **node.kwargs)
            if new[node] is node:
                nodes.append(node)
    writes = tuple(Write(write.target, new[write.value]) for write in graph.writes)
    return Graph(graph.inputs, tuple(nodes), tuple(new[node] for node in graph.outputs), writes)


def _node(nodes: list[Node], op: OpDef, operands: tuple[Node, ...], **attrs: object) -> Node:
    type = op.meta(*(each.type for each in operands), **attrs)
    nodes.append(Node(op, operands, type, tuple(sorted(attrs.items()))))
    return nodes[-1]


def _sum_of_products(nodes: list[Node], a: Node, b: Node) -> Node:
    *batch, n, k = a.shape
    m = b.shape[-1]
    rank, full = len(batch) + 3, (*batch, n, m, k)
    swapped = (*range(rank - 3), rank - 2, rank - 3)
    left = _node(nodes, movement.RESHAPE, (a,), shape=(*batch, n, 1, k))
    turned = _node(nodes, movement.PERMUTE, (b,), axes=swapped)
    right = _node(nodes, movement.RESHAPE, (turned,), shape=(*batch, 1, m, k))
    wide = [_node(nodes, movement.EXPAND, (each,), shape=full) for each in (left, right)]
    product = _node(nodes, pointwise.MULTIPLY, tuple(wide))
    return _node(nodes, reduction.SUM, (product,), axes=(rank - 1,))


@dataclass(frozen=True, slots=True)
class ProductCall(Call):
    """`result = left @ right` by BLAS; on a device some of them may be narrow floats, and sums are float32 then."""

    left: BufferView
    right: BufferView
    result: BufferView

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return self.left.buffer, self.right.buffer, self.result.buffer

    @property
    def work(self) -> int:
        return self.left.shape[-1] * self.result.shape[-1] * self.result.shape[-2] * batch_form(self.result)[0]

    @property
    def multiplies_float32(self) -> bool:
        """Whether its operands and its result are float32."""
        return all(each.dtype is dtypes.float32 for each in self.buffers)

    @property
    def settings(self) -> frozenset[str]:
        return frozenset({"float32_matmul_precision"} if self.multiplies_float32 else ())

    def describe(self) -> list[str]:
        return [f"product {self.left.buffer} @ {self.right.buffer} -> {self.result.buffer}"]

    def loads(self, places: GivenPlaces) -> set[Buffer]:
        return {self.left.buffer, self.right.buffer}


def realise_product(schedule: Schedule, node: Node) -> None:
    """A step for BLAS that computes `node`, with operands and result copied where their layout does not suit it."""
    left, right = (_operand(schedule, each) for each in node.inputs)
    stored = _rounding(schedule, node)
    views = schedule.targets.get(stored, [])
    home = next((view for view in views if _is_result(view)), None)
    swapped = None if home else next((view for view in views if _is_result(_turned(view))), None)
    if swapped is not None:
        home, call = swapped, ProductCall(_turned(right), _turned(left), _turned(swapped))
    else:
        home = home or temporary(schedule, stored.type)
        call = ProductCall(left, right, home)
    add_step(schedule, call, [left.buffer, right.buffer], [home.buffer])
    schedule.places[node] = schedule.places[stored] = home  # nobody but its rounding reads a product that is rounded


def _rounding(schedule: Schedule, node: Node) -> Node:
    """The node that is stored for a product: on a device its cast to a narrow float, where nothing else reads it."""
    users = schedule.users[node]
    is_alone = len(users) == 1 and users[0] < len(schedule.nodes) and node not in schedule.targets
    if schedule.graph.device == CPU or node.type.dtype is not dtypes.float32 or not is_alone:
        return node
    user = schedule.nodes[users[0]]
    return user if user.op is pointwise.CAST and user.type.dtype.is_half else node


def _operand(schedule: Schedule, node: Node) -> BufferView:
    """The memory of an operand in a form that BLAS reads."""
    from .schedule import realise

    narrow = _narrow_source(schedule, node)
    if narrow is not None:
        realise(schedule, narrow)
        view = _loaded_view(schedule, node, _is_widened)
        if view is not None and matrix_form(view) is not None:
            return view
    view = as_view(schedule, node)
    if (view is None or matrix_form(view) is None) and node.op in (movement.PERMUTE, movement.EXPAND):
        # Others may need it as it is, and BLAS reads it either way; what is expanded is copied once.
        realise(schedule, node.inputs[0])
        view = as_view(schedule, node)
    if view is not None and matrix_form(view) is not None:
        return view
    if node not in schedule.places:
        view = realise(schedule, node)
        if matrix_form(view) is not None:
            return view
    copy = temporary(schedule, node.type)
    add_root(schedule, GroupRoot(node, (copy,)))
    return copy


def _narrow_source(schedule: Schedule, node: Node) -> Node | None:
    """The narrow floats of which `node` holds the numbers, moved, in float32; None for others, and on the CPU."""
    if schedule.graph.device == CPU or node.type.dtype is not dtypes.float32 or node in schedule.places:
        return None
    source = node
    while isinstance(source.op.lower, Movement):
        source = source.inputs[0]
        if source in schedule.places:
            return None
    if source.op is not pointwise.CAST or not source.inputs[0].type.dtype.is_half:
        return None
    return source.inputs[0]


def _is_loaded(items: list[Item]) -> bool:
    return len(items) == 1


def _is_widened(items: list[Item]) -> bool:
    """Whether items are one element that is loaded, and its exact cast to float32."""
    match items:
        case [LoadItem(buffer=buffer), ApplyItem(text=text)]:
            return buffer.dtype.is_half and text == cast_text(buffer.dtype, dtypes.float32)
    return False


def as_view(schedule: Schedule, node: Node) -> BufferView | None:
    """The memory that holds `node` already, under whatever strides; None when it has to be computed."""
    view = memory_of(schedule, node)
    if view is not None:
        return view
    return _loaded_view(schedule, node, _is_loaded)


def _loaded_view(schedule: Schedule, node: Node, is_held: Callable[[list[Item]], bool]) -> BufferView | None:
    """The memory of which one element is loaded for each of `node`; None where its items are not as `is_held` asks."""
    evaluator, domain = alone(schedule, GroupRoot(node, (), node))
    item = evaluator.items[0] if evaluator.items else None
    if not isinstance(item, LoadItem) or not is_held(evaluator.items):
        return None
    if len(domain.variables) != len(domain.dims):
        return None
    steps = iter(item.place.coefficient(var) for var in domain.variables)
    strides = tuple(0 if size == 1 else next(steps) for size in node.shape)
    return BufferView(item.buffer, node.shape, strides, item.place.const)


def matrix_form(view: BufferView) -> tuple[int, bool] | None:
    """(leading dimension, transposed) of the matrices of `view`; None when BLAS cannot read them.

    Units: elements."""
    *batch, rows, columns = view.shape
    if len(batch) > 1 and not _one_batch(view):
        return None
    row, column = view.strides[-2:]
    if (column == 1 or columns == 1) and (rows == 1 or row >= max(columns, 1)):
        return (row if rows > 1 else max(columns, 1)), False
    if (row == 1 or rows == 1) and (columns == 1 or column >= max(rows, 1)):
        return (column if columns > 1 else max(rows, 1)), True
    return None


def batch_form(view: BufferView) -> tuple[int, int]:
    """(number of matrices, step from one to the next). Units: the step counts elements."""
    batch = view.shape[:-2]
    count = math.prod(batch)
    steps = [step for size, step in zip(batch, view.strides, strict=False) if size > 1]
    return count, (steps[-1] if steps else 0)


def _one_batch(view: BufferView) -> bool:
    pairs = [(size, step) for size, step in zip(view.shape[:-2], view.strides[:-2], strict=True) if size > 1]
    return all(outer[1] == inner[0] * inner[1] for outer, inner in zip(pairs, pairs[1:], strict=False))


def _is_result(view: BufferView) -> bool:
    form = matrix_form(view)
    return form is not None and not form[1]


def _turned(view: BufferView) -> BufferView:
    *shape, rows, columns = view.shape
    *strides, row, column = view.strides
    return BufferView(view.buffer, (*shape, columns, rows), (*strides, column, row), view.offset)
