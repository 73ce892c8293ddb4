"""Parameters as one vector, and back; batch norm folded into the layer before it."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.nn import utils


def test_parameters_become_a_vector_and_a_vector_parameters() -> None:
    layer = nn.Linear(3, 2)
    vector = utils.parameters_to_vector(layer.parameters())
    assert vector.tolist() == layer.weight.flatten().tolist() + layer.bias.tolist()
    (vector * 2).sum().backward()
    assert layer.weight.grad.tolist() == [[2.0] * 3] * 2
    parameters = list(layer.parameters())
    utils.vector_to_parameters(gl.arange(8.0), layer.parameters())
    assert layer.weight.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] and layer.bias.tolist() == [6.0, 7.0]
    assert [layer.weight, layer.bias] == parameters or layer.weight is parameters[0]


def test_what_is_no_vector_of_that_size_is_refused() -> None:
    layer = nn.Linear(3, 2)
    with pytest.raises(TypeError, match="expected a Tensor, but got: list"):
        utils.vector_to_parameters([1.0], layer.parameters())  # type: ignore[arg-type]
    before = layer.weight.tolist()
    with pytest.raises(ValueError, match=r"8 elements, got a vector of shape \[7\]"):
        utils.vector_to_parameters(gl.zeros(7), layer.parameters())
    assert layer.weight.tolist() == before


def test_a_batch_norm_is_folded_into_the_linear_layer_before_it() -> None:
    gl.manual_seed(3)
    layer, norm = nn.Linear(3, 4), nn.BatchNorm1d(4)
    x = gl.randn(10, 3)
    norm(layer(x))
    with pytest.raises(ValueError, match="Fusion only for eval"):
        utils.fuse_linear_bn_eval(layer, norm)
    expected = norm.eval()(layer.eval()(x))
    fused = utils.fuse_linear_bn_eval(layer, norm)
    assert fused is not layer
    np.testing.assert_allclose(fused(x).tolist(), expected.tolist(), rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="out_features == bn.num_features"):
        utils.fuse_linear_bn_eval(layer, nn.BatchNorm1d(3).eval())
    weight, bias = utils.fuse_conv_bn_weights(
        gl.ones(2, 1, 3), None, gl.tensor([1.0, 2.0]), gl.tensor([4.0, 9.0]), 0.0, None, None
    )
    assert weight.tolist() == [[[0.5] * 3], [[pytest.approx(1 / 3)] * 3]]
    np.testing.assert_allclose(bias.tolist(), [-0.5, -2 / 3], rtol=1e-6)
