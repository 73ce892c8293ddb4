"""Random valid graphs, and inputs for them, for property tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph, Location, Node, Write
from guardlift.ops import OPS
from guardlift.ops.registry import Composite, Pointwise, Reduction, Structural
from guardlift.ops.samples import special_floats

SHAPES = [(), (1,), (3,), (2, 3), (3, 2), (1, 3), (0, 2), (2, 1, 2)]
DTYPES = [dtypes.bool_, dtypes.int8, dtypes.uint8, dtypes.int64, dtypes.float32, dtypes.float64]
FLOATS = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 0.1, math.inf, -math.inf, math.nan, 5e-324]


@dataclass
class Pool:
    """The graph under construction and the draw function of hypothesis."""

    draw: Callable[..., Any]
    builder: GraphBuilder = field(default_factory=GraphBuilder)

    @property
    def nodes(self) -> list[Node]:
        return [*self.builder.inputs, *self.builder.nodes]

    def pick(self, accept: Callable[[Node], bool] = lambda node: True) -> Node | None:
        found = [node for node in self.nodes if accept(node)]
        return self.draw(st.sampled_from(found)) if found else None

    def add(self, name: str, *inputs: Node, **attrs: object) -> Node | None:
        """The new node; None when the op does not take these operands."""
        place = self.draw(st.sampled_from([None, Location("dir/file.py", 7, "f")]))
        try:
            return self.builder.add(OPS[name], *inputs, location=place, **attrs)
        except OpError:
            return None

    def full(self, type: TensorType, value: object = None) -> Node:
        value = self.draw(constants(type.dtype)) if value is None else value
        node = self.add("full", value=value, shape=type.shape, dtype=type.dtype)
        assert node is not None
        return node


def constants(dtype: dtypes.DType) -> st.SearchStrategy[Any]:
    """Values that a `full` of that dtype may have, the awkward ones often."""
    if dtype.is_bool:
        return st.booleans()
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        return st.sampled_from([0, 1, 2, info.max, info.min])
    return st.sampled_from(FLOATS)


def _pointwise(pool: Pool, name: str) -> Node | None:
    first = pool.pick()
    assert first is not None
    if name == "cast":
        return pool.add(name, first, dtype=pool.draw(st.sampled_from(DTYPES)))
    if name == "bitcast":  # of whole numbers: of a NaN that is computed not every bit is promised
        whole = [each for each in DTYPES if not each.is_float and each.itemsize == first.type.dtype.itemsize]
        known = whole and not first.type.dtype.is_float
        return pool.add(name, first, dtype=pool.draw(st.sampled_from(whole))) if known else None
    others = [node for node in pool.nodes if node.type == first.type]
    second = pool.draw(st.sampled_from([*others, None]))
    if name == "power" and first.type.dtype.is_integer:
        second = pool.full(first.type, 2)  # NumPy raises for negative exponents
    if name == "where":
        condition = pool.pick(lambda node: node.type == first.type.with_dtype(dtypes.bool_))
        condition = condition or pool.full(first.type.with_dtype(dtypes.bool_))
        return pool.add(name, condition, first, second or pool.full(first.type))
    return pool.add(name, first) or pool.add(name, first, second or pool.full(first.type))


def _reduction(pool: Pool, name: str) -> Node | None:
    x = pool.pick()
    assert x is not None
    axes = pool.draw(st.sets(st.integers(0, x.type.rank - 1))) if x.type.rank else set()
    return pool.add(name, x, axes=tuple(sorted(axes)))


def _reshape(pool: Pool, name: str) -> Node | None:
    x = pool.pick()
    assert x is not None
    size = x.type.size
    choices = [x.shape, (size,), (1, size), *((k, size // k) for k in (2, 3) if size % k == 0)]
    return pool.add(name, x, shape=pool.draw(st.sampled_from(choices)))


def _diagonal(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: node.type.rank > 1)
    return None if x is None else pool.add(name, x, offset=pool.draw(st.integers(-2, 2)))


def _permute(pool: Pool, name: str) -> Node | None:
    x = pool.pick()
    assert x is not None
    return pool.add(name, x, axes=tuple(pool.draw(st.permutations(range(x.type.rank)))))


def _expand(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: node.type.rank < 4)
    if x is None:
        return None
    shape = tuple(pool.draw(st.sampled_from([1, 2])) if size == 1 else size for size in x.shape)
    lead = pool.draw(st.sampled_from([(), (1,), (2,)])) if x.type.size < 50 else ()
    return pool.add(name, x, shape=(*lead, *shape))


def _region(pool: Pool, shape: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    parts = []
    for extent in shape:
        size = pool.draw(st.integers(0, extent))
        step = pool.draw(st.sampled_from([1, -1, *([2, -2] if 2 * size - 1 <= extent else [])]))
        span = max(size - 1, 0) * abs(step)
        low = pool.draw(st.integers(0, max(extent - 1 - span, 0)))
        parts.append((low if step > 0 else low + span, size, step))
    starts, sizes, steps = zip(*parts) if parts else ((), (), ())
    return {"starts": tuple(starts), "sizes": tuple(sizes), "steps": tuple(steps)}


def _slice(pool: Pool, name: str) -> Node | None:
    x = pool.pick()
    assert x is not None
    if x.op.name == "slice_store" and pool.draw(st.booleans()):
        return pool.add(name, x, **x.kwargs)
    return pool.add(name, x, **_region(pool, x.shape))


def _slice_store(pool: Pool, name: str) -> Node | None:
    x = pool.pick()
    assert x is not None
    region = _region(pool, x.shape)
    type = x.type.with_shape(region["sizes"])
    value = pool.pick(lambda node: node.type == type)
    return pool.add(name, x, value or pool.full(type), **region)


def _cat(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: 0 < node.type.rank and node.type.size < 50)
    if x is None:
        return None
    others = [node for node in pool.nodes if node.type == x.type]
    more = pool.draw(st.lists(st.sampled_from(others), max_size=2))
    return pool.add(name, x, *more, axis=pool.draw(st.integers(0, x.type.rank - 1)))


def _pad(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: 0 < node.type.rank and node.type.size < 50)
    if x is None:
        return None
    widths = st.tuples(*[st.integers(0, 2)] * x.type.rank)
    return pool.add(
        name, x, before=pool.draw(widths), after=pool.draw(widths), value=pool.draw(constants(x.type.dtype))
    )


def _indices(pool: Pool, extent: int, shape: tuple[int, ...]) -> Node:
    dtype = pool.draw(st.sampled_from([dtypes.int64, dtypes.int8]))
    if shape == (extent,) and pool.draw(st.booleans()):
        ramp = pool.add("arange", start=extent - 1, step=-1, size=extent, dtype=dtype)
        assert ramp is not None
        return ramp
    return pool.full(TensorType(shape, dtype), pool.draw(st.integers(-extent, extent - 1)))


def _indexed(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: 0 not in node.shape and node.type.rank > 0 and node.type.dtype.kind != "b")
    if x is None:
        return None
    axis = pool.draw(st.integers(0, x.type.rank - 1))
    if name == "gather":
        return pool.add(name, x, _indices(pool, x.shape[axis], x.shape), axis=axis)
    indices = _indices(pool, x.shape[axis], (x.shape[axis],))
    if name == "take":
        return pool.add(name, x, indices, axis=axis)
    attrs = {"combine": pool.draw(st.sampled_from(["prod", "max", "min"]))} if name == "scatter_reduce" else {}
    return pool.add(name, x, indices, pool.pick(lambda node: node.type == x.type) or x, axis=axis, **attrs)


def _join(pool: Pool, name: str) -> Node | None:
    first = pool.pick()
    assert first is not None
    others = [node for node in pool.nodes if node.type.dtype is first.type.dtype and node.type.size < 50]
    return pool.add(name, first, *(pool.draw(st.lists(st.sampled_from(others), max_size=3)) if others else ()))


def _segment(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: node.type.rank == 1)
    if x is None:
        return None
    start = pool.draw(st.integers(0, x.type.size))
    size = pool.draw(st.integers(0, x.type.size - start))
    shapes = [(size,), (1, size), *([(2, size // 2)] if size % 2 == 0 else []), *([()] if size == 1 else [])]
    return pool.add(name, x, start=start, shape=pool.draw(st.sampled_from(shapes)))


def _as_strided(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: node.type.rank == 1)
    if x is None:
        return None
    offset = pool.draw(st.integers(0, x.type.size))
    left = x.type.size - offset
    if not left:
        return pool.add(name, x, shape=(0,), strides=(1,), offset=offset)
    columns, step = pool.draw(st.integers(1, min(left, 3))), pool.draw(st.integers(0, 2))
    rows = 1 + (left - columns) // step if step else 2
    return pool.add(name, x, shape=(min(rows, 4), columns), strides=(step, 1), offset=offset)


def _spread(pool: Pool, name: str) -> Node | None:
    x = pool.pick(lambda node: node.type.rank == 1)
    if x is None:
        return None
    return pool.add(name, x, sizes=pool.draw(st.tuples(*[st.integers(0, 3)] * x.type.size)))


def _checked(pool: Pool, name: str) -> Node | None:
    size = pool.draw(st.integers(1, 4))
    index = pool.full(TensorType(pool.draw(st.sampled_from(SHAPES)), dtypes.int64), pool.draw(st.integers(0, size - 1)))
    return pool.add(name, index, size=size, ignore=None)


def _matmul(pool: Pool, name: str) -> Node | None:
    left = pool.pick(lambda node: node.type.rank >= 2)
    if left is None:
        return None
    *batch, _, k = left.shape
    right = pool.pick(
        lambda node: node.type.dtype is left.type.dtype and node.shape[:-1] == (*batch, k) and node.type.rank > 1
    )
    return pool.add(name, left, right) if right else None


def _arange(pool: Pool, name: str) -> Node | None:
    dtype = pool.draw(st.sampled_from([dtypes.int8, dtypes.int64, dtypes.float32, dtypes.float64]))
    step = pool.draw(st.sampled_from([1, -2, *([0.1] if dtype.is_float else [])]))
    return pool.add(
        name, start=pool.draw(st.integers(-3, 3)), step=step, size=pool.draw(st.integers(0, 4)), dtype=dtype
    )


def _full(pool: Pool, name: str) -> Node | None:
    return pool.full(TensorType(pool.draw(st.sampled_from(SHAPES)), pool.draw(st.sampled_from(DTYPES))))


def _to_device(pool: Pool, name: str) -> Node | None:
    return pool.add(name, pool.draw(st.sampled_from(pool.nodes)), device="cpu", source="cpu")


BY_NAME: dict[str, Callable[[Pool, str], Node | None]] = {
    "reshape": _reshape,
    "permute": _permute,
    "to_device": _to_device,
    "diagonal": _diagonal,
    "expand": _expand,
    "slice": _slice,
    "slice_store": _slice_store,
    "cat": _cat,
    "pad": _pad,
    "take": _indexed,
    "gather": _indexed,
    "scatter_add": _indexed,
    "scatter": _indexed,
    "scatter_reduce": _indexed,
    "checked_index": _checked,
    "join": _join,
    "segment": _segment,
    "as_strided": _as_strided,
    "spread": _spread,
    "matmul": _matmul,
    "arange": _arange,
    "full": _full,
}

PRIMITIVES = sorted(op.name for op in OPS.values() if not isinstance(op.lower, Composite | Structural))


def drawer(name: str) -> Callable[[Pool, str], Node | None]:
    """A function that adds a node of the op called `name` to a pool. Errors: KeyError for an op of an unknown kind."""
    lower = OPS[name].lower
    if name not in BY_NAME and isinstance(lower, Pointwise):
        return _pointwise
    if name not in BY_NAME and isinstance(lower, Reduction):
        return _reduction
    return BY_NAME[name]


@st.composite
def graphs(draw: Callable[..., Any], max_nodes: int = 12) -> Graph:
    """A valid graph of primitives, with outputs and perhaps writes; its indices lie in range for all inputs."""
    pool = Pool(draw)
    types = st.builds(TensorType, st.sampled_from(SHAPES), st.sampled_from(DTYPES))
    for type in draw(st.lists(types, min_size=1, max_size=3)):
        pool.builder.input(type, draw(st.sampled_from(["x", "x", "0", "a b", "", "größe", "x_1"])))
    for name in draw(st.lists(st.sampled_from(PRIMITIVES), max_size=max_nodes)):
        drawer(name)(pool, name)
    # Repeats, for the passes to find.
    for node in draw(st.lists(st.sampled_from(pool.nodes), max_size=2)):
        if not node.is_input:
            pool.add(node.op.name, *node.inputs, **node.kwargs)
    outputs = draw(st.lists(st.sampled_from(pool.nodes), max_size=4))
    writes = []
    for target in pool.builder.inputs:
        values = [None, *(node for node in pool.nodes if node.type == target.type)]
        value = draw(st.sampled_from(values))
        if value is not None:
            writes.append(Write(target, value))
    return pool.builder.finish(outputs, writes)


@st.composite
def inputs_for(draw: Callable[..., Any], graph: Graph) -> list[np.ndarray[Any, Any]]:
    """Arrays for the inputs of `graph`: mostly special floats and extreme integers."""
    arrays = []
    for node in graph.inputs:
        dtype = node.type.dtype
        if dtype.is_float:
            values = [*special_floats(dtype), -np.float64(np.nan), 0.1]
        elif dtype.is_bool:
            values = [False, True]
        else:
            info = np.iinfo(dtype.numpy)
            values = [0, 1, 2, 7, info.max, info.min]
        places = draw(st.lists(st.integers(0, len(values) - 1), min_size=node.type.size, max_size=node.type.size))
        arrays.append(np.array(values, dtype.numpy)[places].reshape(node.shape))
    return arrays
