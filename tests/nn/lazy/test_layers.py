"""Lazy layers become the plain ones with their first input, with the same draws, as the same parameters."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn

LAYERS: dict[str, tuple[Callable[[], Any], Callable[[], Any], tuple[int, ...]]] = {
    "linear": (lambda: nn.LazyLinear(3), lambda: nn.Linear(4, 3), (2, 4)),
    "linear, no bias": (lambda: nn.LazyLinear(3, bias=False), lambda: nn.Linear(4, 3, bias=False), (5, 2, 4)),
    "conv1d": (lambda: nn.LazyConv1d(4, 2, padding=1), lambda: nn.Conv1d(3, 4, 2, padding=1), (2, 3, 6)),
    "conv2d": (lambda: nn.LazyConv2d(4, 2, 1, groups=2), lambda: nn.Conv2d(6, 4, 2, 1, groups=2), (2, 6, 5, 5)),
    "conv2d, no batch": (lambda: nn.LazyConv2d(4, 2, bias=False), lambda: nn.Conv2d(3, 4, 2, bias=False), (3, 5, 5)),
    "conv3d": (lambda: nn.LazyConv3d(2, 2), lambda: nn.Conv3d(3, 2, 2), (1, 3, 3, 3, 3)),
    "transposed 1d": (lambda: nn.LazyConvTranspose1d(2, 3), lambda: nn.ConvTranspose1d(4, 2, 3), (2, 4, 5)),
    "transposed 2d": (
        lambda: nn.LazyConvTranspose2d(2, 3, 2, output_padding=1),
        lambda: nn.ConvTranspose2d(4, 2, 3, 2, output_padding=1),
        (2, 4, 5, 5),
    ),
    "transposed 3d": (lambda: nn.LazyConvTranspose3d(2, 2), lambda: nn.ConvTranspose3d(3, 2, 2), (1, 3, 2, 2, 2)),
    "batch norm 1d": (nn.LazyBatchNorm1d, lambda: nn.BatchNorm1d(3), (4, 3)),
    "batch norm 2d": (lambda: nn.LazyBatchNorm2d(affine=False), lambda: nn.BatchNorm2d(3, affine=False), (4, 3, 2, 2)),
    "batch norm 3d": (nn.LazyBatchNorm3d, lambda: nn.BatchNorm3d(2), (2, 2, 2, 2, 2)),
    "instance norm 1d": (
        lambda: nn.LazyInstanceNorm1d(affine=True, track_running_stats=False),
        lambda: nn.InstanceNorm1d(3, affine=True, track_running_stats=False),
        (2, 3, 4),
    ),
    "instance norm 2d": (
        nn.LazyInstanceNorm2d,
        lambda: nn.InstanceNorm2d(3, affine=True, track_running_stats=True),
        (2, 3, 4, 4),
    ),
    "instance norm 3d": (
        nn.LazyInstanceNorm3d,
        lambda: nn.InstanceNorm3d(3, affine=True, track_running_stats=True),
        (2, 3, 2, 2, 2),
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_the_first_input_makes_a_plain_layer_of_it(name: str) -> None:
    lazy, plain, shape = LAYERS[name]
    x = gl.randn(*shape)
    layer = lazy()
    parameters = list(layer.parameters())
    assert layer.has_uninitialized_params() == bool(parameters or layer._buffers.get("running_mean") is not None)
    gl.manual_seed(1)
    found = layer(x)
    gl.manual_seed(1)
    other = plain()
    expected = other(x)
    assert type(layer) is type(other) and repr(layer) == repr(other)
    assert found.equal(expected) and layer(x).equal(other(x))
    assert layer.state_dict().keys() == other.state_dict().keys()
    assert all(a.equal(b) for a, b in zip(layer.state_dict().values(), other.state_dict().values(), strict=True))
    assert all(a is b and type(a) is nn.Parameter for a, b in zip(layer.parameters(), parameters, strict=True))


@pytest.mark.parametrize("name", LAYERS)
def test_a_state_dict_gives_it_its_sizes(name: str) -> None:
    lazy, plain, shape = LAYERS[name]
    layer, other = lazy(), plain()
    layer.load_state_dict(other.state_dict())
    assert not layer.has_uninitialized_params()
    x = gl.randn(*shape)
    assert layer(x).equal(other(x)) and repr(layer) == repr(other)


def test_optimizers_and_conversions_come_before_the_first_input() -> None:
    layer = nn.LazyLinear(2).double()
    optimizer = gl.optim.SGD(layer.parameters(), lr=0.5)
    loss = layer(gl.ones(1, 3, dtype=gl.float64)).sum()
    loss.backward()
    before = layer.weight.detach().clone()
    optimizer.step()
    assert layer.weight.dtype is gl.float64 and gl.allclose(layer.weight, before - 0.5)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda layer: pickle.loads(pickle.dumps(layer))])
def test_a_copy_is_initialized_by_its_own_first_input(copied: Callable[[Any], Any]) -> None:
    layer = nn.LazyLinear(2)
    other = copied(layer)
    assert other(gl.ones(1, 3)).shape == (1, 2) and type(other) is nn.Linear
    assert layer.has_uninitialized_params() and layer(gl.ones(1, 5)).shape == (1, 2)
    assert layer.weight.shape == (2, 5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: nn.LazyLinear(2).weight.shape, RuntimeError, "Can't access the shape of an uninitialized parameter"),
        (lambda: nn.LazyLinear(2).weight + 1, ValueError, "Attempted to use an uninitialized parameter"),
        (lambda: nn.LazyConv2d(2, 3)(gl.ones(2, 2)), RuntimeError, r"Expected 3D \(unbatched\) or 4D \(batched\)"),
        (lambda: nn.LazyConv2d(2, 3, groups=2)(gl.ones(3, 3, 3)), ValueError, "in_channels must be divisible"),
        (lambda: nn.LazyConv2d(3, 3, groups=2), ValueError, "out_channels must be divisible"),
        (lambda: nn.LazyConv1d(3, 3, 1, 0, 1, 1, True, "zeros", None, None, 1), TypeError, "behind kernel_size"),
        (
            lambda: nn.Linear(3, 2).load_state_dict(nn.LazyLinear(2).state_dict()),
            RuntimeError,
            "load an uninitialized parameter into an initialized one",
        ),
    ],
)
def test_what_has_no_sizes_yet_cannot_be_used(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_a_jitted_step_over_layers_that_have_seen_an_input_is_one_graph() -> None:
    model = nn.Sequential(nn.LazyConv1d(3, 2), nn.LazyBatchNorm1d(), nn.Flatten(), nn.LazyLinear(2))
    x = gl.randn(4, 2, 6)
    model(x)
    run = gl.jit(lambda x: model(x).square().mean())
    twin = copy.deepcopy(model)
    for _ in range(3):
        assert gl.allclose(run(x), twin(x).square().mean(), rtol=1e-5)
    assert gl.explain(run).breaks == ()
