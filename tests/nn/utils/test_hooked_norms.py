"""Weight norm and spectral norm by hooks: parameters, the weight before each call, and taking them off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, normal

import guardlift as gl
from guardlift import nn
from guardlift.nn import utils


def test_weight_norm_sets_the_weight_before_each_call() -> None:
    layer = utils.weight_norm(nn.Linear(3, 2))
    assert list(layer.state_dict()) == ["bias", "weight_g", "weight_v"]
    with gl.no_grad():
        layer.weight_g.fill_(2.0)
    layer(gl.ones(1, 3)).sum().backward()
    np.testing.assert_allclose(layer.weight.norm(2, 1).tolist(), [2.0, 2.0], rtol=1e-6)
    assert layer.weight_g.grad is not None and layer.weight_v.grad is not None
    with pytest.raises(RuntimeError, match="two weight_norm hooks"):
        utils.weight_norm(layer)
    assert utils.remove_weight_norm(layer) is layer
    assert list(layer.state_dict()) == ["bias", "weight"] and layer._hooks is None
    np.testing.assert_allclose(layer.weight.norm(2, 1).tolist(), [2.0, 2.0], rtol=1e-6)
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found in Linear"):
        utils.remove_weight_norm(layer)


def test_spectral_norm_divides_by_the_largest_singular_value() -> None:
    gl.manual_seed(2)
    layer = utils.spectral_norm(nn.Linear(5, 4), n_power_iterations=3)
    assert list(layer.state_dict()) == ["bias", "weight_orig", "weight_u", "weight_v"]
    for _ in range(30):
        layer(gl.ones(1, 5))
    assert np.linalg.norm(layer.weight.detach().numpy(), 2) == pytest.approx(1.0, rel=1e-3)
    with pytest.raises(RuntimeError, match="two spectral_norm hooks"):
        utils.spectral_norm(layer)
    utils.remove_spectral_norm(layer)
    assert list(layer.state_dict()) == ["bias", "weight"]
    assert np.linalg.norm(layer.weight.detach().numpy(), 2) == pytest.approx(1.0, rel=1e-3)
    with pytest.raises(ValueError, match="spectral_norm of 'weight' not found"):
        utils.remove_spectral_norm(layer)
    with pytest.raises(ValueError, match="has no parameter 'w'"):
        utils.spectral_norm(layer, "w")


@pytest.mark.parametrize("norm", [utils.weight_norm, utils.spectral_norm])
def test_a_jitted_call_computes_the_weight_as_a_plain_one(norm: Any) -> None:
    def make() -> Any:
        gl.manual_seed(5)
        return [norm(nn.Linear(4, 3)), normal(2, 4)]

    check(lambda model, x: model(x).tanh(), arguments=make, after=backward, calls=3)
