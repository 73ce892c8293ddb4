from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from optim.cases import optimizer_of, parameters, train

import guardlift as gl
from guardlift import nn, optim
from guardlift.core.watch import Validity, watch
from guardlift.core.watched_containers import STRUCTURE, WatchedDict, WatchedList


def test_groups_are_plain_dicts_in_watched_lists() -> None:
    params = parameters()
    given = {"params": params[1:], "lr": 0.5}
    optimizer = optim.SGD([{"params": params[0]}, given], lr=0.1)
    assert type(optimizer.param_groups) is WatchedList
    assert [type(group) for group in optimizer.param_groups] == [dict, dict]
    assert all(type(group["params"]) is WatchedList for group in optimizer.param_groups)
    assert [group["lr"] for group in optimizer.param_groups] == [0.1, 0.5]
    assert list(optimizer.param_groups[1]["params"]) == params[1:]
    assert given == {"params": params[1:], "lr": 0.5}


def test_a_group_is_added_later() -> None:
    params = parameters()
    optimizer = optim.SGD(params[:1], lr=0.1)
    optimizer.add_param_group({"params": params[1:], "momentum": 0.9})
    assert [group["momentum"] for group in optimizer.param_groups] == [0, 0.9]
    train(optimizer, params, range(1))
    assert list(optimizer.state) == params[1:]


def test_parameters_may_come_with_names() -> None:
    layer = nn.Linear(2, 1)
    optimizer = optim.SGD(layer.named_parameters(), lr=0.1)
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    assert optimizer.param_groups[0]["params"][0] is layer.weight


@pytest.mark.parametrize(
    ("params", "error", "text"),
    [
        (lambda p: [], ValueError, "got no parameters"),
        (lambda p: p, TypeError, r"got one Tensor; give \[tensor\]"),
        (lambda p: [3], TypeError, "works on tensors, got int"),
        (lambda p: [{"params": {p}}], TypeError, "in a set"),
        (lambda p: {p}, TypeError, "in a set"),
        (lambda p: [p * 2], ValueError, r"that was computed \(MulBackward0\)"),
        (lambda p: [{"params": [p]}, {"params": [p]}], ValueError, "in another group already"),
        (lambda p: [{"lr": 0.1}], ValueError, r"has an entry 'params'; this one has \['lr'\]"),
        (lambda p: [{"params": p}, [p]], TypeError, "a parameter group is a dict, got list"),
        (lambda p: [("a", p), gl.zeros(1)], ValueError, "name all or none"),
    ],
)
def test_what_cannot_be_optimised_is_refused(params: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        optim.SGD(params(nn.Parameter(gl.ones(1))), lr=0.1)


def test_a_parameter_twice_in_a_group_warns() -> None:
    param = nn.Parameter(gl.ones(1))
    with pytest.warns(UserWarning, match="more than once"):
        optim.SGD([param, param], lr=0.1)


@pytest.mark.filterwarnings("ignore:Using backward")
def test_gradients_are_dropped_or_zeroed() -> None:
    param = nn.Parameter(gl.ones(2))
    optimizer = optim.SGD([param], lr=0.1)
    (param * 3).sum().backward()
    gradient = param.grad
    optimizer.zero_grad(set_to_none=False)
    assert param.grad is gradient and param.grad.tolist() == [0.0, 0.0]
    optimizer.zero_grad()
    assert param.grad is None
    optimizer.zero_grad(set_to_none=False)
    (param * param).sum().backward(create_graph=True)
    optimizer.zero_grad(set_to_none=False)
    assert param.grad is not None and not param.grad.requires_grad and param.grad.tolist() == [0.0, 0.0]


def test_an_optimizer_of_ones_own() -> None:
    class Sign(optim.Optimizer):
        def __init__(self, params: Any, lr: float) -> None:
            super().__init__(params, {"lr": lr})

        def step(self, closure: Any = None) -> None:
            for group in self.param_groups:
                for param in group["params"]:
                    state = self.state[param]
                    state["count"] = state.get("count", 0) + 1
                    with gl.no_grad():
                        param.sub_(param.grad.sign() * group["lr"])

    param = nn.Parameter(gl.ones(2))
    optimizer = Sign([param], 0.25)
    (param * gl.tensor([1.0, -1.0])).sum().backward()
    optimizer.step()
    assert param.tolist() == [0.75, 1.25]
    assert optimizer.state[param] == {"count": 1} and type(optimizer.state[param]) is WatchedDict
    with pytest.raises(NotImplementedError, match=r"Optimizer has no step\(\)"):
        optim.Optimizer([param], {}).step()


@pytest.mark.parametrize(
    "change",
    [
        lambda optimizer: optimizer.add_param_group({"params": [gl.zeros(1)]}),
        lambda optimizer: setattr(optimizer, "state", {}),
        lambda optimizer: optimizer.state.clear(),
        lambda optimizer: optimizer.param_groups[0]["params"].pop(),
        lambda optimizer: optimizer.load_state_dict(optimizer.state_dict()),
        lambda optimizer: optimizer.state[optimizer.param_groups[0]["params"][0]].update(exp_avg=gl.zeros(3, 4)),
    ],
)
def test_whoever_relies_on_an_optimizer_is_told(change: Any) -> None:
    params = parameters()
    optimizer = optim.Adam(params)
    train(optimizer, params, range(1))
    validity = Validity(1)
    watch(optimizer, "state", validity, "optimizer.state")
    watch(optimizer.param_groups, STRUCTURE, validity, "optimizer.param_groups")
    watch(optimizer.param_groups[0]["params"], STRUCTURE, validity, "its parameters")
    watch(optimizer.state, STRUCTURE, validity, "its state")
    watch(optimizer.state[params[0]], "exp_avg", validity, "a moment")
    train(optimizer, params, range(1, 3))
    assert validity.broken is None
    change(optimizer)
    assert validity.broken is not None


@pytest.mark.parametrize("name", ["adam amsgrad", "sgd nesterov"])
def test_copies_step_on_their_own(name: str) -> None:
    model = nn.Sequential(nn.Linear(3, 2))
    optimizer = optimizer_of(name, list(model.parameters()))
    step(model, optimizer)
    for twin_model, twin in (copy.deepcopy((model, optimizer)), pickle.loads(pickle.dumps((model, optimizer)))):
        assert twin.param_groups[0]["params"][0] is twin_model[0].weight
        assert type(twin.param_groups) is WatchedList and type(twin.param_groups[0]["params"]) is WatchedList
        assert type(twin.state[twin_model[0].weight]) is WatchedDict and twin._watchers is None
        before = model[0].weight.tolist()
        step(twin_model, twin)
        assert model[0].weight.tolist() == before
        expected = copy.deepcopy((model, optimizer))
        step(*expected)
        assert twin_model[0].weight.tolist() == expected[0][0].weight.tolist()


def step(model: nn.Module, optimizer: optim.Optimizer) -> None:
    optimizer.zero_grad()
    model(gl.ones(4, 3)).pow(2).sum().backward()
    optimizer.step()


def test_a_model_learns() -> None:
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
    x = gl.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    target = gl.tensor([0, 1, 1, 0])
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.05 < losses[0]
    assert model(x).argmax(1).tolist() == target.tolist()
