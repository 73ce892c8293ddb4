"""Derived from the declarations: every derivative rule against finite differences, over its op's own samples."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from ops.derivative_operands import NOT_SWEPT, symmetrised

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.vjp import gradients
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph, Node
from guardlift.graph.verifier import verify
from guardlift.ops import OPS, OpDef
from guardlift.ops.derivative import operand_gradients, reads, sum_to
from guardlift.ops.emitter import ARRAYS
from guardlift.ops.registry import Array, Pointwise, Sample

STEP = 1e-6


def draw(rng: np.random.Generator, like: Any) -> Array:
    """Cotangents and directions for an array, or the type of one."""
    drawn = rng.uniform(-1, 1, like.shape)
    return np.asarray(drawn + 1j * rng.uniform(-1, 1, like.shape) if like.dtype.kind == "c" else drawn)


def product(left: Array, right: Array) -> float:
    """The sum of products; of complex numbers, of both parts."""
    return float((left.conj() * right).real.sum())


WIDE = (np.dtype(np.float64), np.dtype(np.complex128))
"""The dtypes in which derivatives are compared."""
DIFFERENTIABLE = [op for op in OPS.values() if op.vjp is not None and any(op.vjp) and op.name not in NOT_SWEPT]


def each(accept: Callable[[OpDef], bool] = lambda op: True) -> pytest.MarkDecorator:
    """Runs a test for each op with a derivative that `accept` takes."""
    return pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if accept(op)], ids=lambda op: op.name)


def eager(op: OpDef, *arrays: Array, **attrs: object) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(op.eager(*arrays, **attrs))


def wanted_of(op: OpDef, arrays: Iterable[Array]) -> tuple[bool, ...]:
    """The operands that are floats with a rule."""
    floats = [array.dtype.kind in "fc" for array in arrays]
    rules = (op.vjp * len(floats)) if op.variadic else op.vjp[: len(floats)]
    return tuple(is_float and rule is not None for is_float, rule in zip(floats, rules, strict=True))


def smooth_samples(op: OpDef) -> list[Sample]:
    """The samples in float64 with ordinary values."""
    found = []
    for sample in op.samples():
        floats = [array for array in sample.args if array.dtype.kind in "fc"]
        whole = floats and all(array.dtype in WIDE and np.isfinite(array).all() for array in floats)
        with_result = whole and eager(op, *sample.args, **dict(sample.attrs))
        if whole and with_result.dtype in WIDE and np.isfinite(with_result).all():
            large = any(abs(array).max(initial=0) > 1e100 for array in floats)
            found += [] if large else [sample]
    return found


def read_values(op: OpDef, wanted: tuple[bool, ...], arrays: tuple[Array, ...], result: Array) -> dict[str, Any]:
    """The values that `reads` says have to be kept, and nothing else."""
    named = {op.operands[0]: arrays} if op.variadic else dict(zip(op.operands, arrays, strict=False))
    return {name: value for name, value in {**named, "result": result}.items() if name in reads(op, wanted)}


def gradients_of(op: OpDef, arrays: tuple[Array, ...], g: Array, attrs: dict[str, object]) -> tuple[Array | None, ...]:
    wanted = wanted_of(op, arrays)
    values = read_values(op, wanted, arrays, eager(op, *arrays, **attrs))
    shapes = tuple(array.shape for array in arrays)
    kinds = tuple(dtypes.held(array.dtype) for array in arrays)
    with np.errstate(all="ignore"):
        return operand_gradients(op, ARRAYS, g, wanted, values, shapes, kinds, attrs)


def difference(function: Callable[..., Array], arrays: tuple[Array, ...], place: int, direction: Array) -> Array:
    """The change of `function` along `direction` of one operand, by central differences."""
    moved = [
        [np.asarray(array + sign * STEP * direction) if k == place else array for k, array in enumerate(arrays)]
        for sign in (1, -1)
    ]
    return (function(*moved[0]) - function(*moved[1])) / (2 * STEP)


def assert_close_sums(found: float, expected: float, scale: float) -> None:
    """Two numbers agree up to what differences of that scale leave of 53 bits."""
    assert found == pytest.approx(expected, rel=2e-6, abs=2e-7 * max(1.0, scale))


@each()
def test_every_rule_gives_what_finite_differences_give(op: OpDef) -> None:
    listed = smooth_samples(op)
    assert listed
    rng = np.random.default_rng(7)
    for sample in listed:
        attrs = dict(sample.attrs)
        result = eager(op, *sample.args, **attrs)
        g = draw(rng, result)
        found = gradients_of(op, sample.args, g, attrs)
        for place, (want, gradient) in enumerate(zip(wanted_of(op, sample.args), found, strict=True)):
            if not want:
                assert gradient is None
                continue
            for _ in range(2):
                direction = draw(rng, sample.args[place])
                direction = direction if place else symmetrised(op, attrs, direction)
                change = difference(lambda *x, attrs=attrs: eager(op, *x, **attrs), sample.args, place, direction)
                scale = max(abs(change).max(initial=0.0), 1e-2 * abs(result).max(initial=0.0))
                assert_close_sums(product(gradient, direction), product(change, g), scale)


@each()
def test_every_gradient_has_the_type_of_its_operand(op: OpDef) -> None:
    for sample in op.samples():
        attrs = dict(sample.attrs)
        result = eager(op, *sample.args, **attrs)
        if result.dtype.kind not in "fc":
            continue
        for gradient, array in zip(
            gradients_of(op, sample.args, np.ones_like(result), attrs), sample.args, strict=True
        ):
            if gradient is not None:
                assert isinstance(gradient, np.ndarray)
                assert (gradient.dtype, gradient.shape) == (array.dtype, array.shape)


def traced(op: OpDef, sample: Sample) -> tuple[GraphEmitter, list[Node], Node]:
    builder = GraphBuilder()
    types = [TensorType(array.shape, dtypes.held(array.dtype)) for array in sample.args]
    nodes = [builder.input(type, "x") for type in types]
    return GraphEmitter(builder), nodes, builder.add(op, *nodes, **dict(sample.attrs))


def run(graph: Graph, arrays: list[Array]) -> list[Array]:
    verify(graph)
    return run_reference(graph, arrays)


@each()
def test_a_rule_says_the_same_in_a_graph_as_in_numpy(op: OpDef) -> None:
    for sample in smooth_samples(op):
        f, nodes, result = traced(op, sample)
        g = f.builder.input(result.type, "g")
        wanted = wanted_of(op, sample.args)
        values = read_values(op, wanted, tuple(nodes), result)
        shapes, kinds = tuple(node.shape for node in nodes), tuple(node.type.dtype for node in nodes)
        found = operand_gradients(op, f, g, wanted, values, shapes, kinds, dict(sample.attrs))
        cotangent = draw(np.random.default_rng(3), result.type)
        answers = run(f.builder.finish([each for each in found if each is not None]), [*sample.args, cotangent])
        expected = [each for each in gradients_of(op, sample.args, cotangent, dict(sample.attrs)) if each is not None]
        for answer, array in zip(answers, expected, strict=True):
            np.testing.assert_allclose(answer, array, rtol=1e-12, atol=1e-12)


@each()
def test_the_derivative_of_every_rule_gives_what_finite_differences_give(op: OpDef) -> None:
    rng = np.random.default_rng(11)
    for sample in [each for each in smooth_samples(op) if sum(array.size for array in each.args) <= 100]:
        f, nodes, result = traced(op, sample)
        g = f.builder.input(result.type, "g")
        leaves = {node for node, want in zip(nodes, wanted_of(op, sample.args), strict=True) if want}
        first = gradients(f, [(result, g)], leaves, set(f.builder.nodes))
        outputs = list(first.values())
        once = f.builder.finish(outputs)
        cotangents = [f.builder.input(node.type, "v") for node in outputs]
        roots = list(zip(outputs, cotangents, strict=True))
        second = gradients(f, roots, {*leaves, g}, set(f.builder.nodes))
        twice = f.builder.finish(second.values())
        base = (*sample.args, draw(rng, result.type))
        weights = [draw(rng, node.type) for node in outputs]
        found = run(twice, [*base, *weights])
        for leaf, gradient in zip(second, found, strict=True):
            place = [*nodes, g].index(leaf)
            direction = draw(rng, leaf.type)
            direction = direction if place else symmetrised(op, sample.attrs, direction)
            changes = [
                difference(lambda *x, once=once, k=k: run_reference(once, list(x))[k], base, place, direction)
                for k in range(len(outputs))
            ]
            total = sum(product(change, weight) for change, weight in zip(changes, weights, strict=True))
            scale = max((abs(change).max(initial=0.0) for change in changes), default=0.0)
            assert_close_sums(product(gradient, direction), total, scale)


READS = [
    ("add", (True, True), ()),
    ("subtract", (True, True), ()),
    ("multiply", (True, False), ("other",)),
    ("multiply", (False, True), ("self",)),
    ("multiply", (True, True), ("self", "other")),
    ("multiply", (False, False), ()),
    ("divide", (True, False), ("other",)),
    ("divide", (False, True), ("self", "other")),
    ("negative", (True,), ()),
    ("exp", (True,), ("result",)),
    ("tanh", (True,), ("result",)),
    ("sqrt", (True,), ("result",)),
    ("log", (True,), ("self",)),
    ("maximum", (True, False), ("self", "other")),
    ("power", (True, False), ("self", "other")),
    ("power", (True, True), ("self", "other", "result")),
    ("where", (False, True, True), ("condition",)),
    ("floor", (True,), ()),
    ("cast", (True,), ()),
    ("sum", (True,), ()),
    ("mean", (True,), ()),
    ("max", (True,), ("self", "result")),
    ("prod", (True,), ("self", "result")),
    ("reshape", (True,), ()),
    ("permute", (True,), ()),
    ("expand", (True,), ()),
    ("slice", (True,), ()),
    ("pad", (True,), ()),
    ("cat", (True, False, True), ()),
    ("slice_store", (True, True), ()),
    ("take", (True, False), ("index",)),
    ("gather", (True, False), ("index",)),
    ("scatter_add", (True, False, False), ()),
    ("scatter_add", (True, False, True), ("index",)),
    ("matmul", (True, False), ("mat2",)),
    ("matmul", (False, True), ("self",)),
    ("alias", (True,), ()),
    ("relu", (True,), ("result",)),
    ("sigmoid", (True,), ("result",)),
    ("gelu", (True,), ("self",)),
    ("silu", (True,), ("self",)),
    ("softplus", (True,), ("self",)),
    ("root", (True,), ("result",)),
    ("softmax", (True,), ("result",)),
    ("log_softmax", (True,), ("result",)),
    ("linear", (True, True), ("input", "weight")),
    ("linear", (False, True, True), ("input",)),
    ("linear", (False, False, True), ()),
    ("layer_norm", (True,), ("input",)),
    ("layer_norm", (True, True, True), ("input", "weight")),
    ("layer_norm", (False, False, True), ()),
    ("nll_loss", (True, False), ("self", "target")),
    ("var", (True,), ("self",)),
    ("pow_scalar", (True,), ("self",)),
    ("argmax", (True,), ()),
]


@pytest.mark.parametrize(("name", "wanted", "expected"), READS)
def test_only_what_the_wanted_rules_read_is_kept(
    name: str, wanted: tuple[bool, ...], expected: tuple[str, ...]
) -> None:
    assert reads(OPS[name], wanted) == expected


BROADCASTS = [((3, 4), (4,)), ((3, 1), (1, 4)), ((), (2, 3)), ((2, 1, 3), (4, 1)), ((1,), (5,)), ((0, 3), (1, 3))]


@each(lambda op: isinstance(op.lower, Pointwise) and len(op.operands) == 2)
@pytest.mark.parametrize("shapes", BROADCASTS, ids=str)
def test_the_gradient_of_a_broadcast_operand_is_summed(op: OpDef, shapes: tuple[tuple[int, ...], ...]) -> None:
    rng = np.random.default_rng(5)
    arrays = tuple(rng.uniform(0.5, 2.0, shape) for shape in shapes)
    result = eager(op, *arrays)
    g = draw(rng, result)
    whole = gradients_of(op, tuple(np.broadcast_to(array, result.shape) for array in arrays), g, {})
    for gradient, full, shape in zip(gradients_of(op, arrays, g, {}), whole, shapes, strict=True):
        assert gradient.shape == shape
        np.testing.assert_allclose(gradient, sum_to(ARRAYS, full, shape), rtol=1e-12)


def one(name: str, *arrays: Any, g: Any = None, **attrs: object) -> list[Any]:
    """The gradients of an op at these float64 operands, as lists."""
    given = tuple(np.asarray(array) for array in arrays)
    result = eager(OPS[name], *given, **attrs)
    found = gradients_of(OPS[name], given, np.ones_like(result) if g is None else np.asarray(g), attrs)
    return [None if each is None else each.tolist() for each in found]


def test_ties_are_shared_as_in_pytorch() -> None:
    assert one("maximum", [1.0, 2.0, 3.0], [2.0, 2.0, 2.0]) == [[0.0, 0.5, 1.0], [1.0, 0.5, 0.0]]
    assert one("minimum", [1.0, 2.0, 3.0], [2.0, 2.0, 2.0]) == [[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]]
    assert one("max", [[1.0, 3.0, 3.0], [5.0, 2.0, 1.0]], axes=(1,)) == [[[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]]
    assert one("min", [1.0, 1.0, 3.0, 1.0], axes=(0,)) == [[pytest.approx(1 / 3)] * 2 + [0.0] + [pytest.approx(1 / 3)]]


def test_slopes_at_kinks_are_those_of_pytorch() -> None:
    assert one("absolute", [-2.0, 0.0, 3.0]) == [[-1.0, 0.0, 1.0]]
    assert one("relu", [-1.0, 0.0, 2.0]) == [[0.0, 0.0, 1.0]]
    assert one("sign", [0.0, 2.0]) == [[0.0, 0.0]]
    assert one("arctan2", [0.0, 1.0], [0.0, 0.0]) == [[0.0, 0.0], [0.0, -1.0]]
    assert one("copysign", [0.0, 2.0], [-1.0, -1.0]) == [[0.0, -1.0], [0.0, 0.0]]


def test_powers_of_zero_and_to_zero_have_the_slopes_of_pytorch() -> None:
    assert one("power", [0.0, 0.0, 2.0, 0.0], [2.0, 0.0, 0.0, 1.0]) == [
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, pytest.approx(np.log(2)), 0.0],
    ]
    assert one("pow_scalar", [0.0, 2.0], exponent=0) == [[0.0, 0.0]]
    assert one("pow_scalar", [0.0, 2.0], exponent=1) == [[1.0, 1.0]]
    assert one("pow_scalar", [0.0, 2.0], exponent=2) == [[0.0, 4.0]]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 9])
def test_the_gradient_of_a_product_is_right_where_factors_are_zero(size: int) -> None:
    for zeros in range(3):
        x = np.arange(2.0, 2.0 + size)
        x[:zeros] = 0.0
        others = [np.prod(np.delete(x, k)) for k in range(size)]
        assert one("prod", x, axes=(0,)) == [others]


def test_repeated_indices_add_up() -> None:
    assert one("take", [1.0, 2.0, 3.0], [0, 0, -1], axis=0) == [[2.0, 0.0, 1.0], None]
    assert one("gather", [[1.0, 2.0], [3.0, 4.0]], [[-1, 1], [0, 0]], axis=1) == [[[0.0, 2.0], [2.0, 0.0]], None]


def test_nothing_goes_back_from_an_integer_operand() -> None:
    assert one("cast", np.array([1, 2]), g=[1.0, 1.0], dtype=dtypes.float64) == [None]


def test_a_cast_brings_the_cotangent_back_to_the_dtype_of_its_operand() -> None:
    (gradient,) = operand_gradients(
        OPS["cast"], ARRAYS, np.ones(2), (True,), {}, ((2,),), (dtypes.float32,), {"dtype": dtypes.float64}
    )
    assert gradient.dtype == np.float32


@each(lambda op: isinstance(op.lower, Pointwise) and len(op.operands) == 2)
@pytest.mark.parametrize("number", [0, 1])
def test_a_python_number_beside_an_array_of_float32_leaves_the_gradient_in_float32(op: OpDef, number: int) -> None:
    x = np.array([1.5, 2.5], np.float32)
    operands = (2.0, x) if number == 0 else (x, 2.0)
    wanted = (number != 0, number != 1)
    values = {**dict(zip(op.operands, operands)), "result": op.eager(*operands)}
    shapes = tuple(np.shape(each) for each in operands)
    g = np.ones(2, np.float32)
    found = operand_gradients(op, ARRAYS, g, wanted, values, shapes, (None, None), {})
    (gradient,) = (each for each in found if each is not None)
    whole = tuple(np.broadcast_to(np.float32(each), (2,)) for each in operands)
    expected = gradients_of(op, whole, g, {})[1 - number]
    assert gradient.dtype == np.float32
    np.testing.assert_array_equal(gradient, expected)


def test_a_sum_to_the_same_shape_is_the_array_itself() -> None:
    g = np.ones((2, 3))
    assert sum_to(ARRAYS, g, (2, 3)) is g


NOT_DIFFERENTIABLE = {
    # results or operands that are no floats
    *("equal", "not_equal", "less", "less_equal", "isnan", "isinf", "isfinite", "any", "all", "argmax", "argmin"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift", "bitcast"),
    *("checked_index", "philox"),
    # places, which are whole numbers, and how they are counted
    *("argsort", "place_of_rank", "place_of_share", "weight_of_share", "place_of_extreme", "place_of_max"),
    *("searchsorted", "isin", "histc", "distinct"),
    # factors alone, of which eigh and svd give those with gradients
    *("eigvalsh", "svdvals", "matrix_info"),
    # exchanges of rows as an order, which are whole numbers
    "row_order",
    # extremes and products that are scattered, whose derivatives `scatter_reduce` makes of other ops
    "scatter_reduce",
    # nothing to go back to
    *("placeholder", "full", "arange"),
    # what the arithmetic of NumPy's complex numbers is made of
    "fused_multiply_add",
    # loops over elements, and calls of NumPy
    *("region", "region_result", "call_out", "call_result"),
    # differentiated by a step of the walk back, and not by a rule
    *("loop", "loop_result", "cond", "cond_result"),
    # steps of graphs for a device, made after differentiation
    *("fused_attention", "fused_attention_result", "fused_attention_gradients", "fused_attention_gradients_result"),
    # marks of one call of many, of which nothing is left when its results are written for all
    "one_call",
}


def test_every_op_is_differentiable_but_for_those_that_cannot_be() -> None:
    counts = {"poisson", "binomial", "von_mises"}
    drawn = {name for name in OPS if name.startswith("random_") or name in counts} | NOT_SWEPT
    assert OPS.keys() - {op.name for op in DIFFERENTIABLE} - drawn == NOT_DIFFERENTIABLE
