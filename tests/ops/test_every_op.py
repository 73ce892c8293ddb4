"""Derived from the declarations: an op that is added is tested here without an edit."""

import ast
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.parser import parse_graph
from guardlift.graph.printer import is_plain, print_graph
from guardlift.graph.verifier import verify
from guardlift.ops import OPS, OpDef
from guardlift.ops.registry import Array, Creation, Movement, Pointwise, Reduction, Sample, Structural

DECLARED = [op for op in OPS.values() if not isinstance(op.lower, Structural)]


def each(accept: Callable[[OpDef], bool] = lambda op: True) -> pytest.MarkDecorator:
    """Runs a test for each op that `accept` takes."""
    return pytest.mark.parametrize("op", [op for op in DECLARED if accept(op)], ids=lambda op: op.name)


def lowered_as(kind: type) -> pytest.MarkDecorator:
    """Runs a test for each op with that lowering."""
    return each(lambda op: isinstance(op.lower, kind))


def type_of(array: Array) -> TensorType:
    dtype = dtypes.held(array.dtype)
    assert dtype is not None
    return TensorType(array.shape, dtype)


def eager(op: OpDef, *arrays: Array, **attrs: object) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(op.eager(*arrays, **attrs))


def graph_of(op: OpDef, sample: Sample) -> Graph:
    builder = GraphBuilder()
    operands = [builder.input(type_of(array), "x") for array in sample.args]
    return builder.finish([builder.add(op, *operands, **dict(sample.attrs))])


def spread(array: Array) -> Array:
    """Equal values with gaps between them, in column order."""
    wide = np.zeros(tuple(2 * size for size in array.shape), array.dtype, order="F")
    view = wide[tuple(slice(None, None, 2) for _ in array.shape)] if array.shape else wide
    view[...] = array
    return view


@each()
def test_an_op_has_samples_and_is_the_one_in_the_table(op: OpDef) -> None:
    assert list(op.samples())
    assert OPS[op.name] is op
    assert pickle.loads(pickle.dumps(op)) is op


@each()
def test_samples_are_the_same_every_time(op: OpDef) -> None:
    def listed() -> list[object]:
        return [([array.tobytes() for array in sample.args], repr(sample.attrs)) for sample in op.samples()]

    assert listed() == listed()


@each()
def test_meta_foretells_shape_and_dtype_of_eager(op: OpDef) -> None:
    for sample in op.samples():
        attrs = dict(sample.attrs)
        assert type_of(eager(op, *sample.args, **attrs)) == op.meta(*map(type_of, sample.args), **attrs)


@each()
def test_eager_leaves_its_operands_as_they_were(op: OpDef) -> None:
    for sample in op.samples():
        before = [array.tobytes() for array in sample.args]
        eager(op, *sample.args, **dict(sample.attrs))
        assert [array.tobytes() for array in sample.args] == before


@each(lambda op: op.exact)
def test_an_exact_op_does_not_see_how_its_operands_lie_in_memory(op: OpDef) -> None:
    for sample in op.samples():
        attrs = dict(sample.attrs)
        dense, spaced = eager(op, *sample.args, **attrs), eager(op, *map(spread, sample.args), **attrs)
        assert dense.tobytes() == spaced.tobytes()


@each()
def test_a_graph_of_one_node_verifies_prints_parses_and_runs(op: OpDef) -> None:
    for sample in op.samples():
        graph = graph_of(op, sample)
        verify(graph)
        parsed = parse_graph(print_graph(graph))
        assert print_graph(parsed) == print_graph(graph)
        (result,) = run_reference(parsed, sample.args)
        dense = [np.array(array, order="C") for array in sample.args]
        assert result.tobytes() == eager(op, *dense, **dict(sample.attrs)).tobytes()


@each()
def test_attributes_are_plain_values_in_order_of_name(op: OpDef) -> None:
    for sample in op.samples():
        keys = [key for key, _ in sample.attrs]
        assert keys == sorted(set(keys))
        assert all(is_plain(value) for _, value in sample.attrs)


@each()
def test_what_meta_accepts_of_other_dtypes_eager_computes(op: OpDef) -> None:
    for sample in op.samples():
        attrs = dict(sample.attrs)
        for dtype in dtypes.ALL:
            # Zeros are indices in range and exponents that NumPy takes.
            arrays = [np.zeros(array.shape, dtype.numpy) for array in sample.args]
            try:
                type = op.meta(*map(type_of, arrays), **attrs)
            except OpError:
                continue
            try:
                found = eager(op, *arrays, **attrs)
            except np.linalg.LinAlgError:
                continue  # a matrix of zeros is singular
            assert type_of(found) == type


@each()
def test_meta_refuses_too_few_and_too_many_operands(op: OpDef) -> None:
    for sample in op.samples():
        types, attrs = [type_of(array) for array in sample.args], dict(sample.attrs)
        if types:
            with pytest.raises(TypeError):
                op.meta(**attrs)
        if not op.variadic:
            with pytest.raises(TypeError):
                op.meta(*types, TensorType((2,), dtypes.float64), **attrs)


@lowered_as(Pointwise)
def test_a_pointwise_op_refuses_operands_of_unequal_type(op: OpDef) -> None:
    for sample in op.samples():
        types, attrs = [type_of(array) for array in sample.args], dict(sample.attrs)
        for place, type in enumerate(types if len(types) > 1 else ()):
            other = dtypes.int8 if type.dtype is not dtypes.int8 else dtypes.int16
            for wrong in (type.with_shape((*type.shape, 2)), type.with_dtype(other)):
                with pytest.raises(OpError):
                    op.meta(*types[:place], wrong, *types[place + 1 :], **attrs)


@lowered_as(Pointwise)
def test_the_lowering_of_a_pointwise_op_is_an_expression_of_its_operands(op: OpDef) -> None:
    for sample in op.samples():
        names = [f"x{k}" for k in range(len(sample.args))]
        for text in filter(None, (op.lower.text, op.lower.integer_text, op.lower.bool_text)):
            tree = ast.parse(text.format(*names, t="f64", out="f64"), mode="eval")
            assert {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} >= set(names)
        assert op.lower.cost > 0


@lowered_as(Movement)
def test_the_source_of_a_movement_leads_to_the_element_that_eager_puts_there(op: OpDef) -> None:
    for sample in op.samples():
        (x,), attrs = sample.args, dict(sample.attrs)
        expected = eager(op, x, **attrs)
        for index in np.ndindex(expected.shape):
            source = op.lower.source(list(index), x.shape, expected.shape, **attrs)
            assert all(0 <= entry < size for entry, size in zip(source, x.shape, strict=True))
            assert x[tuple(source)] == expected[index]


@lowered_as(Reduction)
def test_a_reduction_drops_its_axes(op: OpDef) -> None:
    for sample in op.samples():
        axes = dict(sample.attrs)["axes"]
        (x,) = sample.args
        assert isinstance(axes, tuple)
        assert op.meta(type_of(x), axes=axes).shape == tuple(size for k, size in enumerate(x.shape) if k not in axes)
        for wrong in ((x.ndim,), (-1,), (0, 0)):
            with pytest.raises(OpError):
                op.meta(type_of(x), axes=wrong)


def test_every_lowering_of_a_creation_names_something() -> None:
    assert all(op.lower.text for op in DECLARED if isinstance(op.lower, Creation))


KEEP_DEVICE: list[tuple[str, Callable[[TensorType], TensorType]]] = [
    ("sin", lambda x: OPS["sin"].meta(x)),
    ("isnan", lambda x: OPS["isnan"].meta(x)),
    ("cast", lambda x: OPS["cast"].meta(x, dtype=dtypes.int8)),
    ("reshape", lambda x: OPS["reshape"].meta(x, shape=(6,))),
    ("argmax", lambda x: OPS["argmax"].meta(x, axes=(0,))),
    ("sum", lambda x: OPS["sum"].meta(x, axes=(0,))),
]


@pytest.mark.parametrize(("name", "meta"), KEEP_DEVICE, ids=lambda each: each if isinstance(each, str) else "")
def test_the_device_of_the_operand_is_kept(name: str, meta: Callable[[TensorType], TensorType]) -> None:
    assert meta(TensorType((2, 3), dtypes.float32, "cuda:0")).device == "cuda:0"
