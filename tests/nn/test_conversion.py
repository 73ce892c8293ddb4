from __future__ import annotations

import os

import pytest

import guardlift as gl
from guardlift import nn


def test_parameters_stay_the_same_objects() -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3))
    model.register_buffer("count", gl.tensor([1, 2]))
    model.register_buffer("mean", gl.zeros(2))
    weight, values = model[0].weight, model[0].weight.tolist()
    assert model.to(gl.float64) is model
    assert model[0].weight is weight
    assert all(param.dtype is gl.float64 and param.is_leaf and param.requires_grad for param in model.parameters())
    assert weight.tolist() == values
    assert model.mean.dtype is gl.float64 and model.count.dtype is gl.int64
    assert model.float()[0].weight.dtype is gl.float32
    assert model.double()[0].weight.dtype is gl.float64
    assert model(gl.ones(4, 2, dtype=gl.float64)).dtype is gl.float64


def test_gradients_are_converted_with_their_parameter() -> None:
    layer = nn.Linear(2, 1)
    layer(gl.ones(1, 2)).sum().backward()
    layer.double()
    assert layer.weight.grad is not None
    assert layer.weight.grad.dtype is gl.float64 and layer.weight.grad.tolist() == [[1.0, 1.0]]


def test_the_dtype_may_come_with_a_device_or_from_a_tensor() -> None:
    layer = nn.Linear(2, 1)
    assert layer.to("cpu", gl.float64).weight.dtype is gl.float64
    assert layer.to(gl.zeros(1)).weight.dtype is gl.float32
    assert layer.to(device="cpu", dtype=gl.float64).weight.dtype is gl.float64
    data = layer.weight.data
    assert layer.to("cpu").weight.data._array is data._array


def test_a_module_is_not_converted_to_integers() -> None:
    with pytest.raises(TypeError, match="to a dtype of floats or complex numbers, got int64"):
        nn.Linear(2, 1).to(gl.int64)


def test_what_a_forked_process_writes_into_shared_memory_is_seen() -> None:
    model = nn.Linear(2, 1)
    model.register_buffer("seen", gl.zeros(0))
    weight, values = model.weight, model.weight.tolist()
    model(gl.ones(1, 2)).sum().backward()
    assert model.share_memory() is model and model.weight is weight and weight.tolist() == values
    child = os.fork()
    if not child:
        with gl.no_grad():
            model.weight.fill_(3.0)
            model.bias.grad.fill_(7.0)  # type: ignore[union-attr]
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert weight.tolist() == [[3.0, 3.0]] and model.bias.grad.tolist() == [7.0]  # type: ignore[union-attr]
