from __future__ import annotations

import pytest

import guardlift as gl
from guardlift import nn


def test_sequential_calls_its_modules_in_order() -> None:
    model = nn.Sequential(nn.Flatten(), nn.Linear(4, 3), nn.ReLU())
    x = gl.ones(2, 2, 2)
    assert model(x).tolist() == model[2](model[1](model[0](x))).tolist()
    assert nn.Sequential()(x) is x


def test_sequential_may_have_names() -> None:
    model = nn.Sequential({"first": nn.ReLU(), "last": nn.Tanh()})
    assert list(model._modules) == ["first", "last"]
    assert model.first is model[0] and model[-1] is model.last
    assert list(model[:1]._modules) == ["first"]


@pytest.mark.parametrize("kind", [nn.Sequential, nn.ModuleList])
def test_modules_are_numbered_as_in_a_list(kind: type) -> None:
    first, second, third = nn.ReLU(), nn.Tanh(), nn.Sigmoid()
    model = kind(first) if kind is nn.Sequential else kind([first])
    model.append(second)
    model.insert(0, third)
    assert list(model) == [third, first, second] and len(model) == 3
    assert list(model._modules) == ["0", "1", "2"]
    model[1] = second
    assert model[1] is second and model[-1] is second
    del model[0]
    assert list(model) == [second, second] and list(model._modules) == ["0", "1"]
    part = model[0:2]
    assert type(part) is kind and list(part) == [second, second]
    model.extend([first])
    assert list(model)[2:] == [first]
    with pytest.raises(IndexError):
        model[3]
    with pytest.raises(IndexError):
        model[5] = first
    with pytest.raises(TypeError, match="got int"):
        model.append(3)


def test_parameters_of_a_module_list_count_for_its_owner() -> None:
    class Owner(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))

    owner = Owner()
    assert [name for name, _ in owner.named_parameters()][:2] == ["layers.0.weight", "layers.0.bias"]
    assert len(list(owner.parameters())) == 6
    owner.layers += [nn.Linear(2, 2)]
    assert len(owner.layers) == 4
    with pytest.raises(ValueError, match="iterable of modules, got one Linear"):
        nn.ModuleList(nn.Linear(1, 1))
