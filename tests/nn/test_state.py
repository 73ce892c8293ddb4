from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn


def net() -> nn.Module:
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.LayerNorm(4), nn.Linear(4, 2, bias=False))
    model.register_buffer("mean", gl.zeros(2))
    model.register_buffer("scratch", gl.zeros(2), persistent=False)
    return model


def test_a_state_dict_has_parameters_and_persistent_buffers_by_dotted_name() -> None:
    state = net().state_dict()
    # The keys, and their order, of the same model in PyTorch 2.13.0.
    assert list(state) == ["mean", "0.weight", "0.bias", "2.weight", "2.bias", "3.weight"]
    assert type(state) is OrderedDict
    assert list(net().state_dict(prefix="net."))[:2] == ["net.mean", "net.0.weight"]


def test_its_tensors_share_memory_and_have_no_history() -> None:
    model = net()
    state = model.state_dict()
    assert type(state["0.weight"]) is gl.Tensor and not state["0.weight"].requires_grad
    model[0].weight.data.fill_(3.0)
    assert state["0.weight"].tolist() == [[3.0] * 3] * 4
    kept = model.state_dict(keep_vars=True)
    assert kept["0.weight"] is model[0].weight
    given: dict[str, Any] = {"other": 1}
    assert model.state_dict(destination=given) is given and "other" in given


def test_a_module_with_two_names_is_listed_under_both() -> None:
    model = nn.Sequential(nn.Linear(1, 1, bias=False))
    model.add_module("again", model[0])
    assert list(model.state_dict()) == ["0.weight", "again.weight"]


def test_loading_copies_into_the_same_parameters() -> None:
    model, other = net(), net()
    weight = other[0].weight
    version = weight._version
    result = other.load_state_dict(model.state_dict())
    assert result == ([], []) and repr(result) == "<All keys matched successfully>"
    assert other[0].weight is weight and weight.requires_grad and weight.is_leaf
    assert weight.tolist() == model[0].weight.tolist()
    assert weight._version > version
    model[0].weight.data.zero_()
    assert weight.abs().sum().item() > 0


def test_loading_converts_to_the_dtype_of_the_parameter() -> None:
    model = net()
    model.load_state_dict({name: tensor.to(gl.float64) for name, tensor in model.state_dict().items()})
    assert model[0].weight.dtype is gl.float32


def test_keys_that_do_not_fit_are_all_listed() -> None:
    model = net()
    state = model.state_dict()
    del state["0.bias"]
    state["extra"] = gl.zeros(1)
    state["2.bias"] = gl.zeros(5)
    state["mean"] = 3
    with pytest.raises(RuntimeError) as caught:
        model.load_state_dict(state)
    text = str(caught.value)
    assert "does not fit Sequential" in text
    assert "missing: '0.bias'" in text
    assert "not expected: 'extra'" in text
    assert "'2.bias': shape (5,) does not fit, the module has (4,)" in text
    assert "'mean': expected a Tensor, got int" in text
    with pytest.raises(TypeError, match="a state dict is a mapping, got list"):
        model.load_state_dict([])  # type: ignore[arg-type]


def test_without_strict_the_keys_are_given_back() -> None:
    model = net()
    result = model.load_state_dict({"extra": gl.zeros(1), "0.bias": gl.ones(4)}, strict=False)
    assert result.unexpected_keys == ["extra"]
    assert result.missing_keys == ["mean", "0.weight", "2.weight", "2.bias", "3.weight"]
    assert model[0].bias.tolist() == [1.0] * 4
    assert "missing_keys=['mean'" in repr(result)


def test_with_assign_the_tensors_take_the_places() -> None:
    model = net()
    state = {name: tensor.to(gl.float64) for name, tensor in model.state_dict().items()}
    model.load_state_dict(state, assign=True)
    assert model[0].weight.dtype is gl.float64 and isinstance(model[0].weight, nn.Parameter)
    assert model.mean is state["mean"]
    assert model[0].weight.requires_grad


@pytest.mark.parametrize("assign", [False, True])
def test_numpys_archives_give_a_state_dict_back(tmp_path: Path, assign: bool) -> None:
    def model(seed: int) -> nn.Module:
        gl.manual_seed(seed)
        return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2).to(gl.bfloat16))

    saved, loaded = model(0), model(1)
    np.savez(tmp_path / "state.npz", **saved.state_dict())
    with np.load(tmp_path / "state.npz") as arrays:
        assert arrays["0.weight"].dtype == np.float32 and "V2" in str(arrays["2.weight"].dtype)
        assert loaded.load_state_dict(arrays, assign=assign).missing_keys == []
        kept = dict(arrays)
    for name, each in loaded.state_dict().items():
        assert each.dtype is saved.state_dict()[name].dtype and bool((each == saved.state_dict()[name]).all())
    assert all(isinstance(each, nn.Parameter) and each.requires_grad for each in loaded.parameters())
    other = model(2)
    other.load_state_dict(kept, assign=assign)
    kept["0.weight"][:] = 7.0
    assert bool((other.get_parameter("0.weight") == saved.get_parameter("0.weight")).all())
    wrong = [("0.weight", np.zeros((2, 2)), "shape"), ("0.bias", np.array(["a"] * 4), "expected a Tensor, got")]
    wrong += [("2.bias", np.zeros(2, "V4"), "expected a Tensor, got")]
    for name, value, text in wrong:
        with pytest.raises(RuntimeError, match=f"{name}.*{text}"):
            other.load_state_dict({**kept, name: value}, assign=assign)
