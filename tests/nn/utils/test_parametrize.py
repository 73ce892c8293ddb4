"""Parametrized tensors: what they are, what is set, what is left of them; under jit as well."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of
from guardlift.nn.utils import parametrizations, parametrize


class Symmetric(nn.Module):
    """The upper triangle, on both sides."""

    def forward(self, x: Any) -> Any:
        return x.triu() + x.triu(1).t()

    def right_inverse(self, x: Any) -> Any:
        return x.triu()


class Doubled(nn.Module):
    """Twice the tensor, with no way back."""

    def forward(self, x: Any) -> Any:
        return x * 2


class Widened(nn.Module):
    """A tensor of another shape."""

    def forward(self, x: Any) -> Any:
        return gl.cat([x, x])


class Summed(nn.Module):
    """The sum of two tensors."""

    def forward(self, x: Any, y: Any) -> Any:
        return x + y

    def right_inverse(self, x: Any) -> Any:
        return x * 0.25, x * 0.75


@pytest.fixture
def layer() -> Any:
    gl.manual_seed(1)
    return nn.Linear(3, 3)


def test_an_attribute_is_what_the_parametrizations_make_in_their_order(layer: Any) -> None:
    upper = layer.weight.detach().triu()
    assert parametrize.register_parametrization(layer, "weight", Symmetric()) is layer
    assert type(layer).__name__ == "ParametrizedLinear" and isinstance(layer, nn.Linear)
    assert parametrize.type_before_parametrizations(layer) is nn.Linear
    assert layer.weight.tolist() == (upper + upper.triu(1).t()).tolist()
    parametrize.register_parametrization(layer, "weight", Doubled())
    assert layer.weight.tolist() == ((upper + upper.triu(1).t()) * 2).tolist()
    assert list(layer.state_dict()) == ["bias", "parametrizations.weight.original"]
    assert parametrize.is_parametrized(layer) and parametrize.is_parametrized(layer, "weight")
    assert not parametrize.is_parametrized(layer, "bias") and not parametrize.is_parametrized(nn.Tanh())


def test_an_assignment_goes_through_the_inverse(layer: Any) -> None:
    parametrize.register_parametrization(layer, "weight", Symmetric())
    layer.weight = gl.eye(3) * 3
    assert layer.parametrizations.weight.original.tolist() == (gl.eye(3) * 3).tolist()
    parametrize.register_parametrization(layer, "bias", Doubled())
    with pytest.raises(RuntimeError, match="Doubled does not implement right_inverse"):
        layer.bias = gl.zeros(3)


def test_several_tensors_may_make_one(layer: Any) -> None:
    before = layer.weight.tolist()
    parametrize.register_parametrization(layer, "weight", Summed())
    held = layer.parametrizations.weight
    assert [name for name, _ in held.named_parameters()] == ["original0", "original1"] and held.ntensors == 2
    np.testing.assert_allclose(layer.weight.tolist(), before, rtol=1e-6)
    with pytest.raises(ValueError, match="in terms of a sequence"):
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    parametrize.remove_parametrizations(layer, "weight")
    assert isinstance(layer.weight, nn.Parameter)
    np.testing.assert_allclose(layer.weight.tolist(), before, rtol=1e-6)


@pytest.mark.parametrize("keep", [True, False])
def test_what_is_left_is_the_tensor_as_it_was_or_as_it_is(layer: Any, keep: bool) -> None:
    parameter, before = layer.weight, layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Doubled())
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=keep)
    assert type(layer) is nn.Linear and layer.weight is parameter and "parametrizations" not in dir(layer)
    assert layer.weight.tolist() == (before * 2 if keep else before).tolist()


def test_one_of_two_tensors_stays_parametrized(layer: Any) -> None:
    parametrize.register_parametrization(layer, "weight", Symmetric())
    parametrize.register_parametrization(layer, "bias", Doubled())
    other = copy.deepcopy(layer)
    parametrize.remove_parametrizations(layer, "bias")
    assert parametrize.is_parametrized(layer, "weight") and isinstance(layer.bias, nn.Parameter)
    assert parametrize.is_parametrized(other, "bias")
    assert other.weight.tolist() == layer.weight.tolist() and other.bias.tolist() == layer.bias.tolist()
    with gl.no_grad():
        other.parametrizations.weight.original.zero_()
    assert layer.weight.abs().sum() > 0


def test_a_cache_computes_a_tensor_once(layer: Any) -> None:
    parametrize.register_parametrization(layer, "weight", Doubled())
    assert layer.weight is not layer.weight
    with parametrize.cached():
        first = layer.weight
        with parametrize.cached():
            assert layer.weight is first
        assert layer.weight is first
    assert layer.weight is not first


def test_what_does_not_fit_is_refused_and_nothing_is_changed(layer: Any) -> None:
    with pytest.raises(ValueError, match="may not change the shape"):
        parametrize.register_parametrization(layer, "weight", Widened())
    with pytest.raises(ValueError, match="does not have a parameter, a buffer"):
        parametrize.register_parametrization(layer, "nothing", Doubled())
    with pytest.raises(ValueError, match="does not have a parametrization on weight"):
        parametrize.remove_parametrizations(layer, "weight")
    assert type(layer) is nn.Linear and [name for name, _ in layer.named_parameters()] == ["weight", "bias"]
    parametrize.register_parametrization(layer, "weight", Widened(), unsafe=True)
    assert layer.weight.shape == (6, 3)
    with pytest.raises(RuntimeError, match="only supported through state_dict"):
        pickle.dumps(layer)


def test_the_length_of_a_weight_is_a_parameter_of_its_own() -> None:
    layer = parametrizations.weight_norm(nn.Linear(3, 2), dim=0)
    g, v = layer.parametrizations.weight.original0, layer.parametrizations.weight.original1
    assert g.shape == (2, 1) and v.shape == (2, 3)
    with gl.no_grad():
        g.fill_(2.0)
    np.testing.assert_allclose(layer.weight.norm(2, 1).tolist(), [2.0, 2.0], rtol=1e-6)
    whole = parametrizations.weight_norm(nn.Linear(3, 2), dim=None)
    assert whole.parametrizations.weight.original0.shape == ()
    old = {"weight_g": gl.ones(2, 1), "weight_v": gl.ones(2, 3), "bias": gl.zeros(2)}
    layer.load_state_dict(old)
    np.testing.assert_allclose(layer.weight.tolist(), [[3**-0.5] * 3] * 2, rtol=1e-6)


def test_the_largest_singular_value_becomes_one() -> None:
    gl.manual_seed(2)
    layer = parametrizations.spectral_norm(nn.Linear(5, 4))
    for _ in range(50):
        layer(gl.ones(1, 5))
    assert np.linalg.norm(layer.eval().weight.detach().numpy(), 2) == pytest.approx(1.0, rel=1e-3)
    before = layer.parametrizations.weight[0]._u.tolist()
    layer(gl.ones(1, 5))
    assert layer.parametrizations.weight[0]._u.tolist() == before
    with pytest.raises(ValueError, match="positive, but got n_power_iterations=0"):
        parametrizations.spectral_norm(nn.Linear(2, 2), n_power_iterations=0)
    with pytest.raises(ValueError, match="has no parameter or buffer with name 'w'"):
        parametrizations.spectral_norm(nn.Linear(2, 2), "w")


def test_a_parametrized_model_is_one_graph_and_sees_what_changes() -> None:
    def make() -> Any:
        gl.manual_seed(4)
        return [parametrize.register_parametrization(nn.Linear(4, 4), "weight", Symmetric()), normal(3, 4)]

    def change(number: int, model: Any, x: Any) -> None:
        if number == 1:
            model.weight = gl.eye(4)
        if number == 2:
            parametrize.remove_parametrizations(model, "weight")

    fast = check(lambda model, x: model(x).tanh().sum().backward(), arguments=make, change=change, calls=4)
    assert not state_of(fast).breaks if hasattr(state_of(fast), "breaks") else True
