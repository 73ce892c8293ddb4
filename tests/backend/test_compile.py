import numpy as np
import pytest
from backend.graph_cases import check, sample_graph, strided
from graph.strategies import BY_NAME, DTYPES, SHAPES, Pool, drawer
from hypothesis import given
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Write
from guardlift.ops import OPS
from guardlift.ops.registry import Composite, Pointwise, Reduction, Structural

NAMES = sorted(name for name, op in OPS.items() if not isinstance(op.lower, Structural | Composite))


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_of_an_op_gives_what_the_reference_gives(name):
    op = OPS[name]
    for k, sample in enumerate(op.samples()):
        with np.errstate(all="ignore"):
            check(
                sample_graph(op, sample),
                [strided(array, k % 4) for array in sample.args],
                exact=op.exact,
                fortran=k % 3 == 1,
            )


@pytest.mark.parametrize(("indices", "values"), [((6,), (2, 3)), ((2, 3), (2, 3)), ((2, 3), (3, 2)), ((3, 2), (2, 3))])
def test_scattered_values_and_their_indices_may_each_be_a_transposed_array_made_flat(indices, values):
    builder = GraphBuilder()
    base = builder.input(TensorType((4,), dtypes.float64), "base")
    flat = []
    for shape, dtype, op in ((indices, dtypes.int64, "absolute"), (values, dtypes.float64, "exp")):
        array = builder.add(OPS[op], builder.input(TensorType(shape, dtype), op))
        turned = builder.add(OPS["permute"], array, axes=tuple(range(len(shape)))[::-1])
        flat.append(builder.add(OPS["reshape"], turned, shape=(6,)))
    graph = builder.finish([builder.add(OPS["scatter_add"], base, *flat, axis=0), flat[1]], [])
    arrays = [np.arange(4.0), np.array([0, 1, -1, 3, -2, 0]).reshape(indices), np.arange(6.0).reshape(values)]
    check(graph, arrays, exact=False)


DRAWN = [name for name in NAMES if name in BY_NAME or isinstance(OPS[name].lower, Pointwise | Reduction)]
EXACT = [name for name in DRAWN if OPS[name].exact and name not in ("argmax", "argmin")] + ["argmax", "argmin"]


@st.composite
def exact_graphs(draw, max_nodes=14):
    pool = Pool(draw)
    types = st.builds(TensorType, st.sampled_from(SHAPES), st.sampled_from(DTYPES))
    for k, type in enumerate(draw(st.lists(types, min_size=1, max_size=3))):
        pool.builder.input(type, f"x{k}")
    for name in draw(st.lists(st.sampled_from([*EXACT, "sum", "prod", "matmul"]), max_size=max_nodes)):
        if name in ("sum", "prod", "matmul"):
            _whole_number_reduction(pool, name)
        else:
            drawer(name)(pool, name)
    outputs = draw(st.lists(st.sampled_from(pool.nodes), max_size=4))
    writes = []
    for target in pool.builder.inputs:
        value = draw(st.sampled_from([None, *(node for node in pool.nodes if node.type == target.type)]))
        if value is not None:
            writes.append(Write(target, value))
    return pool.builder.finish(outputs, writes)


def _whole_number_reduction(pool, name):
    x = pool.pick(lambda node: node.type.dtype.is_integer and (name != "matmul" or node.type.rank > 1))
    if x is not None and name == "matmul":
        rank = x.type.rank
        turned = pool.add("permute", x, axes=(*range(rank - 2), rank - 1, rank - 2))
        pool.add(name, x, turned)
    elif x is not None:
        axes = pool.draw(st.sets(st.integers(0, x.type.rank - 1))) if x.type.rank else set()
        pool.add(name, x, axes=tuple(sorted(axes)))


@given(st.data())
def test_a_random_graph_gives_what_the_reference_gives(data):
    graph = data.draw(exact_graphs())
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    arrays = [_values(node.type, rng) for node in graph.inputs]
    check(
        graph,
        [strided(array, data.draw(st.integers(0, 3))) for array in arrays],
        disjoint=data.draw(st.booleans()),
        fortran=data.draw(st.booleans()),
    )


def _values(type, rng):
    if type.dtype.is_bool:
        return rng.integers(0, 2, type.shape).astype(bool)
    if type.dtype.is_float:
        return rng.choice([0.0, -0.0, 1.0, -1.5, 2.5, np.inf, np.nan, 3.0, -7.0], type.shape).astype(type.dtype.numpy)
    return rng.integers(0, 12, type.shape).astype(type.dtype.numpy)
