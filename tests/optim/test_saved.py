from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from optim.cases import FIGURES, LOADED, make, optimizer_of, parameters, train

import guardlift as gl
from guardlift import nn, optim
from guardlift.core.watched_containers import WatchedDict

STATES = FIGURES["states"]


def loaded(state: dict[str, Any]) -> dict[str, Any]:
    """A state dict of PyTorch as guardlift would have it: numbers of the file made tensors."""
    tensors = {
        int(key): {
            name: gl.tensor(value, dtype=gl.float32 if name == "step" else gl.float64) for name, value in each.items()
        }
        for key, each in state["state"].items()
    }
    return {"state": tensors, "param_groups": state["param_groups"]}


@pytest.mark.parametrize("name", LOADED)
def test_a_state_dict_is_that_of_pytorch(name: str) -> None:
    params = parameters()
    optimizer = optimizer_of(name, params)
    train(optimizer, params, range(make.STEPS))
    found, expected = optimizer.state_dict(), STATES[name]
    assert list(found) == ["state", "param_groups"]
    assert [str(key) for key in found["state"]] == list(expected["state"])
    for key, state in expected["state"].items():
        mine = found["state"][int(key)]
        assert list(mine) == list(state)
        for entry, value in state.items():
            np.testing.assert_allclose(mine[entry].tolist(), value, rtol=1e-12, atol=1e-12)
    for group, theirs in zip(found["param_groups"], expected["param_groups"]):
        assert list(group) == list(theirs)
        tuples = {name: tuple(value) for name, value in theirs.items() if type(group[name]) is tuple}
        assert {**group, "foreach": None} == {**theirs, **tuples, "foreach": None}


def test_a_state_dict_is_made_of_plain_containers() -> None:
    params = parameters()
    optimizer = optim.Adam(params)
    train(optimizer, params, range(1))
    saved = optimizer.state_dict()
    assert type(saved["state"]) is dict and type(saved["state"][0]) is dict
    assert type(saved["param_groups"]) is list and type(saved["param_groups"][0]) is dict
    assert type(saved["param_groups"][0]["params"]) is list
    assert saved["state"][0]["exp_avg"] is optimizer.state[params[0]]["exp_avg"]


@pytest.mark.parametrize("name", LOADED)
def test_training_goes_on_from_a_loaded_state(name: str) -> None:
    params = parameters()
    optimizer = optimizer_of(name, params)
    train(optimizer, params, range(3))
    others = [nn.Parameter(param.detach().clone()) for param in params]
    other = optimizer_of(name, others)
    other.load_state_dict(optimizer.state_dict())
    train(optimizer, params, range(3, 6))
    train(other, others, range(3, 6))
    assert [each.tolist() for each in params] == [each.tolist() for each in others]
    mine, theirs = optimizer.state[params[0]], other.state[others[0]]
    assert all(not np.shares_memory(mine[entry]._array, theirs[entry]._array) for entry in mine)


def test_a_state_of_pytorch_is_taken_over() -> None:
    params = parameters()
    optimizer = optim.AdamW(params, lr=123.0)
    groups, lists = list(optimizer.param_groups), [group["params"] for group in optimizer.param_groups]
    optimizer.load_state_dict(loaded(STATES["adamw"]))
    assert optimizer.param_groups[0]["lr"] == 0.01
    assert optimizer.state[params[0]]["step"].item() == make.STEPS
    assert type(optimizer.state[params[0]]) is WatchedDict
    assert [group is old for group, old in zip(optimizer.param_groups, groups)] == [True]
    assert [group["params"] is old for group, old in zip(optimizer.param_groups, lists)] == [True]


def test_state_takes_the_dtype_of_its_parameter_but_for_the_step() -> None:
    params = parameters("float32")
    optimizer = optim.AdamW(params)
    state = loaded(STATES["adamw"])
    state["state"][0]["step"] = 7
    optimizer.load_state_dict(state)
    assert optimizer.state[params[0]]["exp_avg"].dtype is gl.float32
    step = optimizer.state[params[0]]["step"]
    assert step.dtype is gl.float32 and step.shape == () and step.item() == 7.0
    train(optimizer, params, range(1))


def test_entries_that_a_state_does_not_have_take_their_defaults() -> None:
    params = parameters()
    optimizer = optim.SGD(params, lr=0.1, momentum=0.9)
    saved = optimizer.state_dict()
    del saved["param_groups"][0]["maximize"]
    saved["param_groups"][0]["note"] = "kept"
    optimizer.load_state_dict(saved)
    assert optimizer.param_groups[0]["maximize"] is False and optimizer.param_groups[0]["note"] == "kept"


def test_a_state_that_does_not_fit_is_refused_and_changes_nothing() -> None:
    params = parameters()
    optimizer = optim.Adam(params, lr=0.5)
    saved = optimizer.state_dict()
    with pytest.raises(ValueError, match="has 2 parameter groups, the optimizer has 1"):
        optimizer.load_state_dict({"state": {}, "param_groups": saved["param_groups"] * 2})
    short = {**saved["param_groups"][0], "params": [0], "lr": 0.1}
    with pytest.raises(ValueError, match="group 0 of the state dict has 1 parameters, that of the optimizer has 3"):
        optimizer.load_state_dict({"state": {}, "param_groups": [short]})
    with pytest.raises(ValueError, match="has the entries 'state' and 'param_groups'"):
        optimizer.load_state_dict({})
    assert optimizer.param_groups[0]["lr"] == 0.5
