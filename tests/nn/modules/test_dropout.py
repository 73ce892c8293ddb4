"""Alpha dropout: what is put in the place of elements and channels, mean and variance, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn
from guardlift.nn import functional as F

SATURATED = -1.7580993408473766


def scale_and_shift(p: float) -> tuple[float, float]:
    scale = 1 / math.sqrt((SATURATED**2 * p + 1) * (1 - p))
    return scale, -scale * p * SATURATED


@pytest.mark.parametrize("dtype", [gl.float32, gl.float64])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_each_element_is_kept_or_saturated_and_all_are_scaled_and_shifted(p: float, dtype: Any) -> None:
    gl.manual_seed(4)
    x = gl.linspace(-1.0, 2.0, 3000, dtype=dtype)
    found = F.alpha_dropout(x, p, training=True)
    assert found.dtype is dtype
    scale, shift = scale_and_shift(p)
    saturated = (found - (scale * SATURATED + shift)).abs() < 1e-5
    kept = (found - (x * scale + shift)).abs() < 1e-5
    assert bool((saturated | kept).all())
    assert abs(saturated.double().mean().item() - p) < 0.05


def test_mean_and_variance_are_kept() -> None:
    gl.manual_seed(1)
    x = gl.randn(60000)
    found = nn.AlphaDropout(0.3)(x)
    assert abs(found.mean().item()) < 0.03 and abs(found.var().item() - 1) < 0.04


def test_a_channel_is_saturated_as_a_whole() -> None:
    gl.manual_seed(2)
    x = gl.arange(6.0).reshape(1, 1, 2, 3).expand(5, 40, 2, 3)
    found = nn.FeatureAlphaDropout(0.5)(x)
    scale, shift = scale_and_shift(0.5)
    saturated = (found - (scale * SATURATED + shift)).abs() < 1e-5
    whole = saturated.flatten(2)
    assert bool((whole.all(2) | ~whole[:, :, 1:].any(2)).all())
    assert 0.3 < whole.all(2).double().mean().item() < 0.7


def test_outside_of_training_and_without_a_probability_nothing_changes() -> None:
    x = gl.randn(4, 5)
    state = gl.get_rng_state().tolist()
    for function in (F.alpha_dropout, F.feature_alpha_dropout):
        assert function(x) is x and function(x, 0.0, training=True) is x
    for layer in (nn.AlphaDropout(0.5), nn.FeatureAlphaDropout(0.5)):
        assert layer.eval()(x) is x
    assert gl.get_rng_state().tolist() == state
    assert F.alpha_dropout(x, 1.0, training=True).tolist() == (x * 0).tolist()


def test_in_place_overwrites_the_input_as_a_function_alone() -> None:
    x = gl.randn(50)
    gl.manual_seed(3)
    expected = F.alpha_dropout(x, 0.5, True)
    layer = nn.AlphaDropout(0.5, inplace=True)
    assert repr(layer) == "AlphaDropout(p=0.5, inplace=True)"
    assert layer(x) is not x
    gl.manual_seed(3)
    assert F.alpha_dropout(x, 0.5, True, True) is x and x.tolist() == expected.tolist()


def test_gradients_are_scaled_where_the_element_is_kept() -> None:
    gl.manual_seed(3)
    x = gl.linspace(1.0, 2.0, 200, requires_grad=True)
    found = F.alpha_dropout(x, 0.25, training=True)
    found.sum().backward()
    scale, shift = scale_and_shift(0.25)
    kept = (found.detach() - (x.detach() * scale + shift)).abs() < 1e-5
    assert gl.allclose(x.grad, kept.float() * scale)


@pytest.mark.parametrize(
    "function", [F.alpha_dropout, F.feature_alpha_dropout, nn.AlphaDropout, nn.FeatureAlphaDropout]
)
@pytest.mark.parametrize("p", [-0.1, 1.5])
def test_a_probability_out_of_range_is_refused(function: Any, p: float) -> None:
    with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1"):
        function(gl.ones(2, 2), p, True) if function in (F.alpha_dropout, F.feature_alpha_dropout) else function(p)


def test_channels_need_two_axes() -> None:
    with pytest.raises(RuntimeError, match="at least 2 dimensions"):
        F.feature_alpha_dropout(gl.ones(3), 0.5, training=True)


@pytest.mark.parametrize("layer", [nn.AlphaDropout(0.4), nn.FeatureAlphaDropout(0.4)])
def test_a_jitted_training_step_drops_what_eager_mode_drops(layer: Any) -> None:
    def step(x: Any) -> Any:
        x = x.detach().requires_grad_(True)
        (layer(x) * x).sum().backward()
        return x.grad

    jitted = gl.jit(step)
    found = []
    for function in (step, jitted):
        gl.manual_seed(6)
        found.append(([function(gl.linspace(0.0, 1.0, 24).reshape(2, 3, 4)) for _ in range(3)], gl.get_rng_state()))
    for one, other in zip(found[0][0], found[1][0], strict=True):
        assert gl.allclose(one, other, rtol=1e-6, atol=1e-6)
    assert found[0][1].tolist() == found[1][1].tolist() and not gl.explain(jitted).breaks
