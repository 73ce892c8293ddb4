"""Every op, by its samples: many calls at once against the calls one by one, in values, gradients and graphs."""

import warnings

import numpy as np
import pytest

import guardlift as gl
from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.ops import batching
from guardlift.ops.registry import OPS, Creation, Structural
from guardlift.tensor.dispatch import apply

SIZE = 3
DRAWS = {"poisson", "binomial", "standard_gamma", "von_mises"}
NO_MEANING = {"max_pool_input"}  # one operand is the largest elements of another: entries in another order are none
NAMES = sorted(
    name
    for name, op in OPS.items()
    if not isinstance(op.lower, (Structural, Creation))
    and name not in {"distinct", "real", "imag", "complex", "to_device", "saved", *DRAWS, *NO_MEANING}
)
WITHOUT_DERIVATIVE = {"zeta", "gamma_slope", "ldl", "ldl_solve"}
"""By some of their operands: it is an error to ask."""
IN_TURN = {"histc", "isin", "random_uniform", "random_normal", "random_integers"}


def entries_of(array, seed):
    rng = np.random.default_rng(seed)
    if array.dtype.kind == "f":
        array = np.where(np.isfinite(array), array, 0.5).astype(array.dtype)
    return np.stack([array, *(rng.permutation(array.ravel()).reshape(array.shape) for _ in range(SIZE - 1))])


def some_samples(op, most=4):
    """Samples of unlike ranks and attributes, those of ordinary dtypes first."""
    seen = {}
    for sample in op.samples():
        key = tuple((each.ndim, each.dtype.kind) for each in sample.args), str(sample.attrs)[:60]
        if all(dtypes.held(each.dtype) in dtypes.ALL for each in sample.args):
            seen.setdefault(key, sample)
    return sorted(seen.values(), key=lambda each: -sum(arg.dtype.kind == "f" for arg in each.args))[:most]


@pytest.mark.parametrize("name", NAMES)
def test_vmap_of_an_op_is_the_op_for_each_entry(name):
    op = OPS[name]
    for number, sample in enumerate(some_samples(op)):
        attrs = dict(sample.attrs)
        arrays = [entries_of(each, number) for each in sample.args]
        try:
            expected = np.stack(
                [apply(op, *(gl.tensor(each[place]) for each in arrays), **attrs).numpy() for place in range(SIZE)]
            )
        except (ValueError, IndexError, RuntimeError):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore" if name in IN_TURN else "error", UserWarning)
            found = gl.vmap(lambda *given, op=op, attrs=attrs: apply(op, *given, **attrs))(*map(gl.tensor, arrays))
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)
        assert found.numpy().dtype == expected.dtype


def has_rule(op, place):
    """Whether the op has a gradient for that operand; where it has none, what the op is made of may have one."""
    return op.variadic or place >= len(op.vjp) or op.vjp[place] is not None


@pytest.mark.parametrize("name", [name for name in NAMES if OPS[name].vjp is not None])
def test_gradients_of_a_batch_are_those_of_its_entries(name):
    op = OPS[name]
    for number, sample in enumerate(some_samples(op, 3)):
        attrs = dict(sample.attrs)
        arrays = [entries_of(each, number) for each in sample.args]
        places = tuple(place for place, each in enumerate(arrays) if each.dtype.kind == "f" and has_rule(op, place))
        if not places:
            continue

        def loss(*given, op=op, attrs=attrs):
            result = apply(op, *given, **attrs)
            return (result * result).sum() if result.is_floating_point() else given[places[0]].sum()  # noqa: B023

        try:
            singly = [gl.func.grad(loss, places)(*(gl.tensor(each[k]) for each in arrays)) for k in range(SIZE)]
        except (ValueError, IndexError):
            continue
        except NotImplementedError:
            assert name in WITHOUT_DERIVATIVE
            continue
        together = gl.vmap(gl.func.grad(loss, places))(*map(gl.tensor, arrays))
        from_outside = gl.func.grad(lambda *given, loss=loss: gl.vmap(loss)(*given).sum(), places)(
            *map(gl.tensor, arrays)
        )
        for place in range(len(places)):
            expected = np.stack([each[place].numpy() for each in singly])
            for found in (together, from_outside):
                np.testing.assert_allclose(found[place].numpy(), expected, rtol=1e-4, atol=1e-5, equal_nan=True)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in IN_TURN])
def test_a_graph_computes_a_batch_as_tensors_do(name):
    op = OPS[name]
    for number, sample in enumerate(some_samples(op, 2)):
        arrays = [entries_of(each, number) for each in sample.args]
        builder = GraphBuilder()
        types = [TensorType(each.shape, dtypes.held(each.dtype)) for each in arrays]
        nodes = [builder.input(each, f"x{k}") for k, each in enumerate(types)]
        made = batching.batch(GraphEmitter(builder), op, nodes, [True] * len(nodes), SIZE, dict(sample.attrs))
        graph = builder.finish([made])
        try:
            (found,) = run_reference(graph, arrays)
        except (ValueError, IndexError):
            continue
        expected = gl.vmap(lambda *given, op=op, attrs=dict(sample.attrs): apply(op, *given, **attrs))(
            *map(gl.tensor, arrays)
        )
        np.testing.assert_allclose(found, expected.numpy(), rtol=1e-5, atol=1e-6)
