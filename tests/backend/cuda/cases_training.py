"""Whole training steps as CUDA kernels. `test_simulated.py` runs this file, with Numba's simulator on."""

from dataclasses import replace

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.graph_cases import near

import guardlift as gl
from guardlift import nn
from guardlift.backend.compile import CompiledGraph
from guardlift.backend.cuda.call import build
from guardlift.backend.launch.calls import ForeachCall
from guardlift.frontend import state_of
from guardlift.graph.interpreter import run_reference


def numpy_step(w, b, x, targets, rate):
    """One step of softmax regression in place; the loss."""
    scores = x @ w + b
    scores = scores - scores.max(axis=1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    error = (np.exp(logs) - targets) / targets.shape[0]
    w -= rate * (x.T @ error)
    b[...] = b - rate * error.sum(axis=0)
    return -(targets * logs).sum() / targets.shape[0]


def compiled_graph(function, *arguments):
    """The compiled graph of the first entry of a jitted function, after a call of it."""
    function(*arguments)
    (entry,) = state_of(function).entries
    compiled = entry.details["compiled"]
    inputs = tuple(replace(each, access_path=None) for each in compiled.layout.inputs)  # every array is passed
    return replace(compiled, layout=replace(compiled.layout, inputs=inputs, checks=()))


def values_for(compiled, low, high):
    """An array, or a Python number, for each input: numbers from `low` to `high`, small indices."""
    draw = np.random.default_rng(4)
    made = []
    for entry in compiled.layout.inputs:
        dtype = entry.type.dtype
        shape = entry.type.shape
        values = draw.uniform(low, high, shape) if dtype.is_float else draw.integers(0, 3, shape)
        made.append(np.asarray(values).astype(dtype.numpy))
    return made


def passed(entry, array):
    """An input as a call passes it."""
    return array if entry.kind in ("array", "lifted") else array.item()


def compare(compiled, low, high, steps):
    """Runs some steps on both sides, each from where its last one ended; results and what was written agree."""
    entries = compiled.layout.inputs
    arrays = values_for(compiled, low, high)
    expected_arrays = [array.copy() for array in arrays]
    for _ in range(steps):
        expected = run_reference(compiled.graph, expected_arrays)
        arguments = [
            passed(entry, array) for entry, array in zip(entries, arrays, strict=True) if entry.kind != "lifted"
        ]
        lifted = [array for entry, array in zip(entries, arrays, strict=True) if entry.kind == "lifted"]
        found = run_cuda(compiled, [*arguments, *compiled.layout.objects], lifted)
        for output, result in zip(compiled.layout.outputs, found, strict=True):
            if output.kind in ("fresh", "scalar"):
                near(np.asarray(result), expected[output.node], 1e-5)
    for left, right in zip(arrays, expected_arrays, strict=True):
        near(left, right, 1e-5)


def test_a_step_written_in_numpy():
    rng = np.random.default_rng(0)
    targets = np.eye(4)[[0, 1, 2, 3, 1]]
    step = gl.jit(numpy_step)
    compiled = compiled_graph(step, rng.standard_normal((6, 4)), np.zeros(4), rng.standard_normal((5, 6)), targets, 0.1)
    compare(compiled, 0.0, 1.0, steps=2)


def test_a_step_of_a_perceptron_with_its_optimizer():
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 40), nn.GELU(), nn.Linear(40, 3))
    opt = gl.optim.Adam(model.parameters(), lr=0.01)

    @gl.jit(fullgraph=True)
    def step(x, y):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        return loss

    x = gl.tensor(np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32))
    step(x, gl.tensor(np.array([0, 1, 2, 1])))
    compiled = compiled_graph(step, x, gl.tensor(np.array([0, 1, 2, 1])))
    assert any(isinstance(call, ForeachCall) for call in compiled.calls)
    compare(compiled, 0.1, 0.9, steps=2)


def training(optimizer):
    """A step, from the same weights each time."""
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 40), nn.ReLU(), nn.LayerNorm(40), nn.Linear(40, 3))
    opt = getattr(gl.optim, optimizer)(model.parameters(), lr=0.01)

    @gl.jit(fullgraph=True)
    def step(x, y):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        return loss

    return step, model


@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_a_jitted_training_runs_on_the_device(optimizer, monkeypatch):
    calls = []

    def build_for_cuda(compiled, lifted=(), owners=(), *_):  # nobody tells a device of gradients
        call = build(compiled, lifted, owners)
        return lambda *arguments: calls.append(compiled) or call(*arguments)

    monkeypatch.setattr(CompiledGraph, "build", build_for_cuda)
    jitted, model = training(optimizer)
    eager, same_model = training(optimizer)
    x = gl.tensor(np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32))
    y = gl.tensor(np.array([0, 1, 2, 1]))
    for _ in range(4):
        near(jitted(x, y).detach().numpy(), eager.__wrapped__(x, y).detach().numpy(), 1e-5)
    for left, right in zip(model.parameters(), same_model.parameters(), strict=True):
        near(left.detach().numpy(), right.detach().numpy(), 1e-5)
    assert len(calls) >= 3
