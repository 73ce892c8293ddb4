"""Derived from the declarations: each composite's NumPy form against its expansion and against float64."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.meanings_of_statistics import MEANINGS as OF_STATISTICS

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.passes.expand import expand_composites
from guardlift.graph.verifier import verify
from guardlift.ops import OPS, OpDef
from guardlift.ops.registry import Array, Composite, Sample
from ops import window_meanings

COMPOSITES = [op for op in OPS.values() if isinstance(op.lower, Composite)]
each = pytest.mark.parametrize("op", COMPOSITES, ids=lambda op: op.name)
OF_FLOATS = [op for op in COMPOSITES if "self" in op.operands[:1] or "input" in op.operands[:1]]


def eager(op: OpDef, *arrays: Array, **attrs: object) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(op.eager(*arrays, **attrs))


def expanded(op: OpDef, sample: Sample) -> Graph:
    builder = GraphBuilder()
    types = [TensorType(array.shape, dtypes.held(array.dtype)) for array in sample.args]
    operands = [builder.input(type, "x") for type in types]
    return expand_composites(builder.finish([builder.add(op, *operands, **dict(sample.attrs))]))


def assert_near(found: Array, expected: Array) -> None:
    """Equal up to a few roundings of the dtype of `found`."""
    assert found.shape == expected.shape
    step = np.finfo(found.dtype).eps
    scale = np.abs(expected[np.isfinite(expected)]).max(initial=0.0)
    np.testing.assert_allclose(found, expected, rtol=16 * step, atol=4 * step * min(scale, 1e3))


@each
def test_the_expansion_holds_primitives_alone_and_is_a_valid_graph(op: OpDef) -> None:
    for sample in op.samples():
        graph = expanded(op, sample)
        verify(graph)
        assert not [node for node in graph.nodes if isinstance(node.op.lower, Composite)]


@each
def test_the_numpy_form_gives_what_the_expansion_gives(op: OpDef) -> None:
    for sample in op.samples():
        (found,) = run_reference(expanded(op, sample), sample.args)
        expected = eager(op, *sample.args, **dict(sample.attrs))
        assert found.dtype == expected.dtype
        if op.exact or found.dtype.kind != "f":
            assert found.tobytes() == expected.tobytes()
        else:
            assert_near(found, expected)


@pytest.mark.parametrize("name", ["arccosh", "arcsinh", "arctanh", "gelu", "sigmoid"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_two_forms_agree_on_numbers_of_every_size(name: str, dtype: type) -> None:
    op, end = OPS[name], np.finfo(dtype).maxexp - 1
    assert isinstance(op.lower, Composite)
    sizes = np.ldexp(dtype(1.25), np.arange(-end + 2, end + 1, 7)).astype(dtype)
    sample = Sample(
        (np.concatenate([sizes, -sizes, np.array([0, np.inf, -np.inf, np.nan], dtype)]),),
        next(iter(op.samples())).attrs,
    )
    with np.errstate(all="ignore"):
        (found,) = run_reference(expanded(op, sample), sample.args)
    np.testing.assert_allclose(found, eager(op, *sample.args, **dict(sample.attrs)), rtol=16 * np.finfo(dtype).eps)


WIDE = {"f": np.dtype(np.float64), "c": np.dtype(np.complex128)}


@pytest.mark.parametrize("op", OF_FLOATS, ids=lambda op: op.name)
def test_float32_is_near_the_same_computed_in_float64(op: OpDef) -> None:
    listed = [sample for sample in op.samples() if sample.args[0].dtype in (np.float32, np.complex64)]
    assert listed
    for sample in listed:
        wide = [array.astype(WIDE.get(array.dtype.kind, array.dtype)) for array in sample.args]
        if not all(np.isfinite(array).all() and abs(array).max(initial=0) < 1e30 for array in sample.args):
            continue
        found = eager(op, *sample.args, **dict(sample.attrs))
        np.testing.assert_allclose(found, eager(op, *wide, **dict(sample.attrs)), rtol=3e-6, atol=1e-6)


def _nll(x: Array, target: Array, *, ignore_index: int, reduction: str) -> Array:
    rows = [0.0 if t == ignore_index else -row[t] for row, t in zip(x, target, strict=True)]
    counted = sum(t != ignore_index for t in target)
    return {"none": np.array(rows), "sum": np.sum(rows), "mean": np.divide(np.sum(rows), counted)}[reduction]


def _sums_of_waves(x: Array, norm: str) -> Array:
    """The transform of rows by its definition, up to the frequency of half their length."""
    count = x.shape[-1]
    waves = np.exp(-2j * np.pi * np.outer(np.arange(count), np.arange(count // 2 + 1)) / count)
    return x @ waves / {"backward": 1, "ortho": np.sqrt(count), "forward": count}[norm]


def _layer_norm(x: Array, weight: Any = 1.0, bias: Any = 0.0, *, rank: int, eps: float) -> Array:
    axes = tuple(range(-rank, 0))
    unit = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)
    return unit * weight + bias


def _standardise(x: Array, mean: Array, var: Array, weight: Any = None, bias: Any = None, *, eps: float) -> Array:
    shape = (1, -1, *(1,) * (x.ndim - 2))
    unit = (x - mean.reshape(shape)) / np.sqrt(var.reshape(shape) + eps)
    return unit * (1.0 if weight is None else weight.reshape(shape)) + (0.0 if bias is None else bias.reshape(shape))


def _attention(query: Array, key: Array, value: Array, *, scale: float, causal: bool, rows: int) -> Array:
    scores = np.einsum("nle,nse->nls", query, key) * scale
    if causal:
        scores = np.where(np.tri(*scores.shape[1:], dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(2, keepdims=True))
    return np.einsum("nls,nsv->nlv", powers, value) / powers.sum(2, keepdims=True)


def _gelu(x: Array, *, approximate: str) -> Array:
    if approximate == "none":
        return 0.5 * x * (1.0 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2.0)))
    return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def _places(row: list[float], descending: bool = False) -> list[int]:
    return sorted(range(len(row)), key=lambda place: -row[place] if descending else row[place])


def _rank(row: list[float], rank: int | str) -> list[int]:
    return [_places(row)[(len(row) - 1) // 2 if isinstance(rank, str) else rank]]


def _extremes(row: list[float], largest: bool) -> list[int]:
    best = max if largest else min
    return [max(k for k in range(n + 1) if row[k] == best(row[: n + 1])) for n in range(len(row))]


def _in_bins(x: Array, *, bins: int, low: float, high: float) -> list[int]:
    low, high = (x.min(), x.max()) if low == high else (low, high)
    inside = [each for each in x.flat if low <= each <= high]
    return [sum(min(int((each - low) / (high - low) * bins), bins - 1) == k for each in inside) for k in range(bins)]


def _along(rule: Callable[..., list[int]]) -> Callable[..., Array]:
    """A function that applies a rule to each row along an axis."""
    return lambda x, *, axis, **attrs: np.apply_along_axis(lambda row: np.array(rule(list(row), **attrs), int), axis, x)


MEANINGS: dict[str, Callable[..., Any]] = {
    "alias": lambda x: x,
    "saved": lambda x, pair: x,
    "with_history": lambda x, source: x,
    "sgn": lambda x: (x > 0) * 1.0 - (x < 0),
    "clamp": lambda x, low, high: np.where(high < low, high, np.where(x < low, low, np.where(x > high, high, x))),
    "clamp_min": lambda x, low: np.where(np.isnan(low) | (x < low), low, x),
    "clamp_max": lambda x, high: np.where(np.isnan(high) | (x > high), high, x),
    "fmax": lambda x, y: np.where(np.isnan(x) | (x < y), y, x),
    "fmin": lambda x, y: np.where(np.isnan(x) | (x > y), y, x),
    "trunc_divide": lambda x, y: np.trunc(x / y),
    "xlogy": lambda x, y: np.where(x == 0, 0.0, x * np.log(y)),
    "logit": lambda x: np.log(x) - np.log(1 - x),
    "shared_max": lambda x, *, axes: np.max(x, axes),
    "shared_min": lambda x, *, axes: np.min(x, axes),
    "tied": lambda x, ties: np.mean(x[ties]),
    "relu": lambda x: np.where(x > 0, x, 0.0),
    "sigmoid": lambda x: np.exp(-np.logaddexp(0.0, -x)),
    "silu": lambda x: x * np.exp(-np.logaddexp(0.0, -x)),
    "softplus": lambda x: np.logaddexp(0.0, x),
    "leaky_relu": lambda x, *, slope: np.maximum(x, 0.0) + slope * np.minimum(x, 0.0),
    "huber": lambda x, *, delta: np.where(abs(x) < delta, x * x / 2, delta * (abs(x) - delta / 2)),
    "hardtanh": lambda x, *, low, high: np.clip(x, low, high),
    "threshold": lambda x, *, threshold, value: np.where(x > threshold, x, value),
    "prelu": lambda x, weight: np.maximum(x, 0.0) + weight * np.minimum(x, 0.0),
    "hardshrink": lambda x, *, bound: np.where(abs(x) > bound, x, 0.0),
    "softshrink": lambda x, *, bound: np.sign(x) * np.maximum(abs(x) - bound, 0.0),
    "hardsigmoid": lambda x: np.clip(x / 6 + 0.5, 0.0, 1.0),
    "hardswish": lambda x: x * np.clip(x + 3, 0.0, 6.0) / 6,
    "elu": lambda x, *, alpha, scale, input_scale: (
        scale * np.where(x > 0, x, alpha * (np.exp(np.minimum(x, 0.0) * input_scale) - 1))
    ),
    "root": np.sqrt,
    "gelu": _gelu,
    "pow_scalar": lambda x, *, exponent: x ** float(exponent),
    "mean": lambda x, *, axes: np.divide(np.sum(x, axes), math.prod(x.shape[axis] for axis in axes)),
    "var": lambda x, *, axes, correction: np.var(x, axes, ddof=correction),
    "softmax": lambda x, *, axis: np.exp(x - np.logaddexp.reduce(x, axis, keepdims=True)),
    "attention": _attention,
    "masked_softmax": lambda x, *, axis: np.nan_to_num(np.exp(x - np.logaddexp.reduce(x, axis, keepdims=True))),
    "log_softmax": lambda x, *, axis: x - np.logaddexp.reduce(x, axis, keepdims=True),
    "linear": lambda x, weight, bias=0.0: np.einsum("...k,mk->...m", x, weight) + bias,
    "layer_norm": _layer_norm,
    "nll_loss": _nll,
    "standardise": _standardise,
    "binary_cross_entropy": lambda x, t: -t * np.maximum(np.log(x), -100) - (1 - t) * np.maximum(np.log(1 - x), -100),
    "arcsinh": lambda x: np.log(np.abs(x) + np.sqrt(x * x + 1)) * np.sign(x),
    "arccosh": lambda x: np.log(x + np.sqrt(x * x - 1)),
    "arctanh": lambda x: (np.log(1 + x) - np.log(1 - x)) / 2,
    "hypot": lambda x, y: np.sqrt(x * x + y * y),
    "logaddexp": lambda x, y: np.log(np.exp(x) + np.exp(y)),
    "fmod": lambda x, y: np.where(y == 0, np.nan, x - np.trunc(x / y) * y),
    "cumsum": lambda x, *, axis: np.add.accumulate(x, axis),
    "cumprod": lambda x, *, axis: np.multiply.accumulate(x, axis),
    "argsort": lambda x, *, axis, descending: x if not x.size else _along(_places)(x, axis=axis, descending=descending),
    "place_of_rank": _along(_rank),
    "place_of_extreme": _along(_extremes),
    "histc": _in_bins,
    "view_as_complex": lambda x: x[..., 0] + 1j * x[..., 1],
    "rfft": lambda x, *, axis, norm: np.moveaxis(_sums_of_waves(np.moveaxis(x, axis, -1), norm), -1, axis),
    **OF_STATISTICS,
}
MEANINGS |= window_meanings.MEANINGS


@pytest.mark.parametrize("op", OF_FLOATS, ids=lambda op: op.name)
def test_a_composite_is_what_its_formula_says(op: OpDef) -> None:
    for sample in op.samples():
        if sample.args[0].dtype == np.float64 and np.isfinite(sample.args[0]).all():
            with np.errstate(all="ignore"):
                expected = MEANINGS[op.name](*sample.args, **dict(sample.attrs))
            found = eager(op, *sample.args, **dict(sample.attrs))
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


def test_a_softmax_of_large_entries_does_not_overflow() -> None:
    x = np.array([[1e30, 0.0, -1e30]], np.float32)
    assert OPS["softmax"].eager(x, axis=1).tolist() == [[1.0, 0.0, 0.0]]
    assert OPS["log_softmax"].eager(np.array([[1000.0, 0.0]]), axis=1).tolist() == [[0.0, -1000.0]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_relu_keeps_nans(dtype: type) -> None:
    assert np.isnan(OPS["relu"].eager(np.array([np.nan], dtype)))[0]


TARGETS = [
    ([0, 4], "Target 4 is out of bounds."),
    ([-1, 0], "Target -1 is out of bounds."),
    ([-100, 9], "Target 9 is out of bounds."),
]


@pytest.mark.parametrize(("target", "message"), TARGETS)
def test_a_target_out_of_range_raises_as_in_pytorch_eager_and_expanded(target: list[int], message: str) -> None:
    attrs = {"ignore_index": -100, "reduction": "mean"}
    arrays = (np.zeros((2, 4)), np.array(target))
    sample = Sample(arrays, tuple(attrs.items()))
    with pytest.raises(IndexError, match=f"^{message}$"):
        OPS["nll_loss"].eager(*arrays, **attrs)
    with pytest.raises(IndexError, match=f"^{message}$"):
        run_reference(expanded(OPS["nll_loss"], sample), arrays)


def test_the_mean_of_a_loss_over_no_targets_is_nan() -> None:
    with np.errstate(all="ignore"):
        assert np.isnan(
            OPS["nll_loss"].eager(np.zeros((2, 3)), np.array([-100, -100]), ignore_index=-100, reduction="mean")
        )


F = dtypes.float32
REFUSED = [
    ("relu", [TensorType((2,), dtypes.bool_)], {}, "relu does not take bool"),
    ("sigmoid", [TensorType((2,), dtypes.int32)], {}, "sigmoid does not take int32"),
    ("gelu", [TensorType((2,), F)], {"approximate": "exact"}, "gelu takes approximate"),
    ("pow_scalar", [TensorType((2,), dtypes.int32)], {"exponent": -1}, "whole exponent from 0"),
    ("pow_scalar", [TensorType((2,), dtypes.int32)], {"exponent": 2.0}, "whole exponent from 0"),
    ("mean", [TensorType((2,), dtypes.int32)], {"axes": (0,)}, "mean takes floats"),
    ("mean", [TensorType((2,), F)], {"axes": (1,)}, "mean takes distinct ascending axes"),
    ("softmax", [TensorType((2,), F)], {"axis": 1}, "softmax takes distinct ascending axes"),
    ("linear", [TensorType((2, 3), F), TensorType((4, 5), F)], {}, "linear takes"),
    ("linear", [TensorType((2, 3), F), TensorType((4, 3), F), TensorType((3,), F)], {}, "linear takes a bias"),
    ("layer_norm", [TensorType((2, 3), F)], {"rank": 3, "eps": 1e-5}, "a rank from 1"),
    ("layer_norm", [TensorType((2, 3), F), TensorType((2,), F)], {"rank": 1, "eps": 1e-5}, "takes a weight"),
    (
        "nll_loss",
        [TensorType((2, 3), F), TensorType((3,), dtypes.int64)],
        {"reduction": "mean", "ignore_index": -100},
        "nll_loss takes floats",
    ),
    (
        "nll_loss",
        [TensorType((2, 3), F), TensorType((2,), dtypes.int64)],
        {"reduction": "max", "ignore_index": -100},
        "nll_loss takes reduction",
    ),
]


@pytest.mark.parametrize(("name", "types", "attrs", "message"), REFUSED)
def test_a_composite_refuses_what_it_does_not_mean(
    name: str, types: list[TensorType], attrs: dict[str, object], message: str
) -> None:
    with pytest.raises(OpError, match=message):
        OPS[name].meta(*types, **attrs)
