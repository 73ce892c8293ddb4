"""Change any one thing that a traced step has read: the next call does what eager mode does."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import interpreted, outcome, same

import guardlift as gl
from guardlift import nn, optim
from guardlift.optim.stepped import SteppedOptimizer

Change = Callable[[Any, Any], Any]
CHANGES: dict[str, Change] = {}


class Net(nn.Module):
    """A model whose forward reads attributes of many types."""

    flip = False

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(4, 5), nn.Linear(5, 2)
        self.scale, self.count, self.flag, self.word = 2.0, 3, True, "plain"
        self.numbers, self.table, self.pair, self.nothing = [1.0, 2.0], {"a": 1.5}, (1, 2.0), None
        rng = np.random.default_rng(3)
        self.register_buffer("buffer", gl.tensor(rng.standard_normal(5).astype(np.float32)))
        with gl.no_grad():
            for parameter in self.parameters():
                parameter.copy_(gl.tensor(rng.standard_normal(parameter.shape).astype(np.float32) * 0.5))

    def forward(self, x: Any) -> Any:
        """Two layers, and everything else once."""
        h = self.a(x) * self.scale + self.buffer
        h = h.relu() if self.flag else h
        h = h * self.count if self.training else h
        for number in self.numbers:
            h = h + number
        h = h * self.table["a"] + self.pair[1]
        h = h if self.nothing is None else h + self.nothing
        h = -h if self.word == "negated" or self.flip else h
        return self.b(h)


class Halved(Net):
    """Half of the input."""

    def forward(self, x: Any) -> Any:
        """Half of what the base gives."""
        return Net.forward(self, x) * 0.5


def change(function: Change) -> Change:
    """Registers a change of a model and its optimizer."""
    CHANGES[function.__name__.replace("_", " ")] = function
    return function


def sets(name: str, value: Any, of: str = "model") -> None:
    """Registers the assignment of an attribute of the model, or of an entry of the first group."""
    if of == "model":
        CHANGES[f"{name} = {value!r}"] = lambda model, optimizer: setattr(model, name, value)
    else:
        CHANGES[f"group[{name!r}] = {value!r}"] = lambda model, optimizer: optimizer.param_groups[0].update(
            {name: value}
        )


for _name, _value in [("scale", 5.0), ("scale", 3), ("scale", gl.tensor(2.5)), ("count", 4), ("flag", False),
                      ("word", "negated"), ("numbers", [7.0]), ("pair", (1, 5.0)), ("nothing", gl.ones(5)),
                      ("a", None), ("a", nn.Identity()), ("__class__", Halved), ("flip", True)]:  # fmt: skip
    sets(_name, _value)
for _name, _value in [("lr", 0.5), ("lr", gl.tensor(0.5)), ("betas", (0.3, 0.6)), ("weight_decay", 0.5), ("eps", 0.1),
                      ("maximize", True)]:  # fmt: skip
    sets(_name, _value, "group")


@change
def a_list_grows(model: Any, optimizer: Any) -> None:
    model.numbers.append(3.0)


@change
def a_list_item(model: Any, optimizer: Any) -> None:
    model.numbers[0] = 4.0


@change
def a_dict_item(model: Any, optimizer: Any) -> None:
    model.table["a"] = 2.5


@change
def a_buffer_replaced(model: Any, optimizer: Any) -> None:
    model.buffer = model.buffer * 2


@change
def a_buffer_written(model: Any, optimizer: Any) -> None:
    model.buffer.mul_(2)


@change
def a_buffer_written_through_numpy(model: Any, optimizer: Any) -> None:
    model.buffer.numpy()[:] = 3


@change
def the_data_of_a_buffer(model: Any, optimizer: Any) -> None:
    model.buffer.data = model.buffer * 2


@change
def a_buffer_registered_again(model: Any, optimizer: Any) -> None:
    model.register_buffer("buffer", gl.zeros(5))


@change
def evaluation(model: Any, optimizer: Any) -> None:
    model.eval()


@change
def a_child(model: Any, optimizer: Any) -> None:
    model.a = nn.Linear(4, 5)
    with gl.no_grad():
        for parameter in model.a.parameters():
            parameter.fill_(0.3)


@change
def a_child_put_back(model: Any, optimizer: Any) -> None:
    child = model.a
    del model.a
    model.a = child


@change
def a_parameter_gone(model: Any, optimizer: Any) -> None:
    model.a.bias = None


@change
def a_parameter_in_the_dict(model: Any, optimizer: Any) -> None:
    model.a._parameters["bias"] = nn.Parameter(gl.ones(5))


@change
def parameters_tied(model: Any, optimizer: Any) -> None:
    model.a.bias.data = model.buffer


@change
def the_data_of_a_parameter_in_another_layout(model: Any, optimizer: Any) -> None:
    model.a.weight.data = gl.ones(4, 5).t()


@change
def a_parameter_written_through_numpy(model: Any, optimizer: Any) -> None:
    model.a.weight.detach().numpy()[:] = 0.1


@change
def a_forward_of_the_instance(model: Any, optimizer: Any) -> None:
    model.forward = lambda x: Net.forward(model, x) * 2


@change
def a_forward_of_a_child(model: Any, optimizer: Any) -> None:
    model.a.forward = lambda x: x @ model.a.weight.t() * 3


@change
def a_forward_hook(model: Any, optimizer: Any) -> None:
    model.a.register_forward_hook(lambda module, inputs, output: output * 2)


@change
def a_forward_pre_hook(model: Any, optimizer: Any) -> None:
    model.register_forward_pre_hook(lambda module, inputs: (inputs[0] * 2,))


@change
def a_frozen_parameter(model: Any, optimizer: Any) -> None:
    model.a.weight.requires_grad_(False)


@change
def a_frozen_model(model: Any, optimizer: Any) -> None:
    model.requires_grad_(False)


@change
def a_hook_on_a_gradient(model: Any, optimizer: Any) -> None:
    model.a.weight.register_hook(lambda gradient: gradient * 2)


@change
def a_hook_after_accumulation(model: Any, optimizer: Any) -> None:
    model.a.weight.register_post_accumulate_grad_hook(lambda parameter: (parameter.grad.mul_(2), None)[1])


@change
def a_hook_after_the_step(model: Any, optimizer: Any) -> None:
    optimizer.register_step_post_hook(lambda *arguments: (model.a.weight.data.mul_(0.5), None)[1])


@change
def a_step_of_the_instance(model: Any, optimizer: Any) -> None:
    usual = optimizer.step
    optimizer.step = lambda: (usual(), model.a.bias.data.add_(1)) and None


@change
def another_dtype(model: Any, optimizer: Any) -> None:
    model.double()


@change
def a_loaded_model(model: Any, optimizer: Any) -> None:
    model.load_state_dict({name: each * 0.5 for name, each in model.state_dict().items()})


@change
def a_loaded_optimizer(model: Any, optimizer: Any) -> None:
    optimizer.load_state_dict(optimizer.state_dict())


@change
def amsgrad(model: Any, optimizer: Any) -> None:
    optimizer.param_groups[0]["amsgrad"] = True
    for entry in optimizer.state.values():
        entry["max_exp_avg_sq"] = gl.zeros(*entry["exp_avg"].shape)


@change
def fewer_parameters(model: Any, optimizer: Any) -> None:
    optimizer.param_groups[0]["params"].pop()


@change
def parameters_in_another_order(model: Any, optimizer: Any) -> None:
    optimizer.param_groups[0]["params"].reverse()


@change
def a_plain_list_of_parameters(model: Any, optimizer: Any) -> None:
    optimizer.param_groups[0]["params"] = list(optimizer.param_groups[0]["params"])[1:]


@change
def a_plain_list_of_groups(model: Any, optimizer: Any) -> None:
    optimizer.param_groups = [dict(optimizer.param_groups[0], lr=0.3)]


@change
def a_new_group_dict(model: Any, optimizer: Any) -> None:
    optimizer.param_groups[0] = dict(optimizer.param_groups[0], lr=0.3)


@change
def new_step_counters(model: Any, optimizer: Any) -> None:
    for entry in optimizer.state.values():
        entry["step"] = entry["step"] + 5


@change
def step_counters_written(model: Any, optimizer: Any) -> None:
    for entry in optimizer.state.values():
        entry["step"].add_(5)


@change
def a_plain_dict_as_state(model: Any, optimizer: Any) -> None:
    for parameter, entry in list(optimizer.state.items()):
        optimizer.state[parameter] = {name: each * 1 for name, each in entry.items()}


@change
def state_deleted(model: Any, optimizer: Any) -> None:
    optimizer.state.clear()


@change
def a_moment_written(model: Any, optimizer: Any) -> None:
    for entry in optimizer.state.values():
        entry["exp_avg"].mul_(3)


@change
def another_key_in_the_state(model: Any, optimizer: Any) -> None:
    for entry in optimizer.state.values():
        entry["extra"] = 1


@change
def gradients_before(model: Any, optimizer: Any) -> None:
    for parameter in model.parameters():
        parameter.grad = gl.ones(*parameter.shape)


@change
def a_gradient_in_another_layout(model: Any, optimizer: Any) -> None:
    model.a.weight.grad = gl.ones(4, 5).t()


@change
def a_gradient_that_requires_grad(model: Any, optimizer: Any) -> None:
    model.a.weight.grad = gl.ones(5, 4).requires_grad_()


# -- what is changed for everybody -------------------------------------------------------------------------------------
@contextmanager
def attribute(owner: Any, name: str, make: Callable[[Any], Any]) -> Iterator[None]:
    """A context in which an attribute of a class is another one."""
    before = vars(owner)[name]
    setattr(owner, name, make(before))
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextmanager
def default_dtype() -> Iterator[None]:
    """A context with another default dtype."""
    before = gl.get_default_dtype()
    gl.set_default_dtype(gl.float64)
    try:
        yield
    finally:
        gl.set_default_dtype(before)


EVERYWHERE: dict[str, Callable[[], Any]] = {
    "forward of the class": lambda: attribute(Net, "forward", lambda old: lambda self, x: old(self, x) * 2),
    "forward of a layer": lambda: attribute(nn.Linear, "forward", lambda old: lambda self, x: old(self, x) * 2),
    "an attribute of the class": lambda: attribute(Net, "flip", lambda old: True),
    "a method of Tensor": lambda: attribute(gl.Tensor, "relu", lambda old: lambda self: self * 2),
    "an operator of Tensor": lambda: attribute(
        gl.Tensor, "__add__", lambda old: lambda self, other: old(self, other) * 2
    ),
    "the call of modules": lambda: attribute(nn.Module, "__call__", lambda old: lambda self, *a: old(self, *a) * 2),
    "the step of the optimizer": lambda: attribute(
        SteppedOptimizer, "_init_group", lambda old: lambda self, *a: old(self, *a)
    ),
    "the default dtype": default_dtype,
    "grad mode": gl.no_grad,
}


# -- the steps ---------------------------------------------------------------------------------------------------------
def zero_first(model: Any, optimizer: Any, x: Any) -> Any:
    optimizer.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    return loss


def zero_last(model: Any, optimizer: Any, x: Any) -> Any:
    loss = (model(x) ** 2).mean() + gl.zeros(())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def forward(model: Any, optimizer: Any, x: Any) -> Any:
    return (model(x) ** 2).mean()


def steps_agree(step: Any, changed: Change | None, around: Callable[[], Any] | None) -> None:
    """Asserts that plain and jitted steps agree before and after a change."""
    fast = gl.jit(step)
    worlds = []
    for _ in range(2):
        model = Net()
        worlds.append(
            [model, optim.Adam(model.parameters(), lr=0.01), gl.tensor(np.arange(12, dtype=np.float32).reshape(3, 4))]
        )
    for number in range(5):
        results = []
        for function, world in zip((step, fast), worlds, strict=True):
            if number == 3 and changed is not None:
                outcome(lambda: changed(world[0], world[1]))  # noqa: B023
            with around() if around is not None and number == 3 else nullcontext():
                result = outcome(lambda: function(*world))  # noqa: B023
            if isinstance(result, gl.Tensor) and result.requires_grad and step is forward:
                result.backward()
            results.append(result)
        same([number, results[0], worlds[0]], [number, results[1], worlds[1]], 5e-5)


@pytest.fixture(autouse=True)
def quietly_interpreted() -> Iterator[None]:
    with interpreted(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("step", [zero_first, zero_last, forward])
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_one_thing_is_seen_at_the_next_call(name: str, step: Any) -> None:
    steps_agree(step, CHANGES[name], None)


@pytest.mark.parametrize("step", [zero_first, zero_last, forward])
@pytest.mark.parametrize("name", EVERYWHERE)
def test_a_change_for_one_call_is_seen_in_it_and_gone_after_it(name: str, step: Any) -> None:
    steps_agree(step, None, EVERYWHERE[name])
