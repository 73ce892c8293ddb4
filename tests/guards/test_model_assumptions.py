"""Change one thing about a model or its optimizer between steps: the next step does what it does in eager mode."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.training import World, same_steps

import guardlift as gl
from guardlift import nn, optim
from guardlift.core.errors import AssumptionError
from guardlift.frontend import state_of
from guardlift.nn import functional as F

RNG = np.random.default_rng(11)
BATCHES = [
    (
        gl.tensor(RNG.standard_normal((3, 4)).astype(np.float32)),
        gl.tensor(RNG.standard_normal((3, 2)).astype(np.float32)),
    )
    for _ in range(4)
]


class Net(nn.Module):
    """Two layers; what it computes depends on attributes of every kind."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 3)
        self.second = nn.Linear(3, 2)
        self.gain = 2.0
        self.names = ["first", "second"]

    def forward(self, x: Any) -> Any:
        h = self.first(x)
        h = F.relu(h) if self.training else h
        return self.second(h) * self.gain


class Other(Net):
    """A function with another meaning."""

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x)) - 1.0


def values(*shape: int) -> Any:
    return gl.tensor(np.linspace(-1.0, 1.0, int(np.prod(shape)), dtype=np.float32).reshape(shape))


def make() -> World:
    model = Net()
    with gl.no_grad():
        for parameter in model.parameters():
            parameter.copy_(values(*parameter.shape))
    return World(model, optim.Adam(model.parameters(), lr=0.05))


def bind(world: World) -> Callable[..., Any]:
    model, optimizer = world.model, world.optimizer

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return step


Change = Callable[[World], None]
CHANGES: dict[str, tuple[Change, int, int, int]] = {}


def change(compiles: int, breaks: int = 0, relinks: int = 0) -> Callable[[Change], Change]:
    """Registers a change of a world, and how often four steps compile and break when it comes before the third.

    relinks: entries more that are traced, and for which nothing is compiled.
    """

    def register(function: Change) -> Change:
        CHANGES[function.__name__] = function, compiles, breaks, relinks
        return function

    return register


# What is new to the optimizer gets a gradient that nobody drops: one compile for None, one for a tensor.
@change(3)
def a_parameter_is_replaced(world: World) -> None:
    world.model.first.weight = nn.Parameter(values(3, 4))


@change(1, relinks=1)
def the_memory_of_a_parameter_is_replaced(world: World) -> None:
    world.model.first.weight.data = values(3, 4)


@change(1)
def a_parameter_is_written(world: World) -> None:
    with gl.no_grad():
        world.model.first.weight.copy_(values(3, 4))


@change(1)
def a_state_dict_is_loaded(world: World) -> None:
    world.model.load_state_dict({name: each * 0.5 for name, each in world.model.state_dict().items()})


@change(2)
def a_parameter_is_frozen(world: World) -> None:
    world.model.first.weight.requires_grad_(False)


@change(3)
def a_module_is_replaced(world: World) -> None:
    world.model.second = nn.Linear(3, 2)
    world.model.second.load_state_dict({"weight": values(2, 3), "bias": values(2)})


@change(3)
def a_module_is_replaced_in_the_table(world: World) -> None:
    world.model._modules["first"] = world.model._modules["first"].__class__(4, 3)
    world.model.first.load_state_dict({"weight": values(3, 4), "bias": values(3)})


@change(2)
def a_bias_goes(world: World) -> None:
    world.model.first.bias = None


@change(2)
def the_mode_is_switched(world: World) -> None:
    world.model.eval()


@change(2)
def an_attribute_is_set(world: World) -> None:
    world.model.gain = 3


@change(2)
def a_method_is_put_on_the_instance(world: World) -> None:
    world.model.forward = lambda x: world.model.second(world.model.first(x)) + 1.0


@change(1)
def a_number_is_put_into_the_dict_of_the_instance(world: World) -> None:
    vars(world.model)["gain"] = 5.0


@change(2)
def a_module_gets_a_hook(world: World) -> None:
    world.model.first.register_forward_hook(lambda module, inputs, output: output * 2.0)


@change(2)
def a_parameter_gets_a_hook(world: World) -> None:
    world.model.first.weight.register_hook(lambda grad: grad * 2.0)


@change(1)
def the_rate_is_set(world: World) -> None:
    world.optimizer.param_groups[0]["lr"] = 0.01


@change(2)
def a_flag_of_the_group_is_set(world: World) -> None:
    world.optimizer.param_groups[0]["maximize"] = True


@change(2)
def a_group_is_added(world: World) -> None:
    world.optimizer.add_param_group({"params": [nn.Parameter(values(2))], "lr": 0.5})


@change(1, relinks=1)
def the_state_is_cleared(world: World) -> None:
    world.optimizer.state.clear()


@change(1, relinks=1)
def the_state_of_a_parameter_goes(world: World) -> None:
    del world.optimizer.state[world.model.first.weight]


@change(1, relinks=1)
def a_moment_is_replaced(world: World) -> None:
    world.optimizer.state[world.model.first.weight]["exp_avg"] = values(3, 4)


@change(1)
def a_moment_is_written(world: World) -> None:
    world.optimizer.state[world.model.first.weight]["exp_avg"].copy_(values(3, 4))


@change(2)
def a_parameter_of_the_group_goes(world: World) -> None:
    del world.optimizer.param_groups[0]["params"][1]


@change(1, breaks=1)
def the_groups_are_rebuilt(world: World) -> None:
    world.optimizer.param_groups = world.optimizer.param_groups[:]


@change(1, relinks=1)
def the_optimizer_loads_its_state(world: World) -> None:
    world.optimizer.load_state_dict(copy.deepcopy(world.optimizer.state_dict()))


@change(2)
def the_method_of_the_optimizer_is_replaced(world: World) -> None:
    world.optimizer.step = lambda: None


@change(2)
def a_parameter_lies_otherwise(world: World) -> None:
    world.model.first.weight.data = values(4, 3).t()


@change(2)
def a_moment_lies_otherwise(world: World) -> None:
    state = world.optimizer.state[world.model.first.weight]
    state["exp_avg"] = state["exp_avg"].t().clone().t()


@change(1, relinks=1)
def a_step_counter_starts_anew(world: World) -> None:
    world.optimizer.state[world.model.first.weight]["step"] = gl.tensor(0.0)


@change(2)
def the_keys_of_a_state_change_places(world: World) -> None:
    state = world.optimizer.state[world.model.first.weight]
    state["step"] = state.pop("step")


@change(1, relinks=1)
def the_states_change_places(world: World) -> None:
    weight = world.model.first.weight
    world.optimizer.state[weight] = world.optimizer.state.pop(weight)


@change(2)
def the_parameters_of_the_group_change_places(world: World) -> None:
    world.optimizer.param_groups[0]["params"].reverse()


@change(1)
def the_betas_are_set(world: World) -> None:
    world.optimizer.param_groups[0]["betas"] = (0.8, 0.95)


@change(2)
def the_rate_becomes_a_tensor(world: World) -> None:
    world.optimizer.param_groups[0]["lr"] = gl.tensor(0.02)


@change(2)
def weights_decay_from_now_on(world: World) -> None:
    world.optimizer.param_groups[0]["weight_decay"] = 0.1


@change(1)
def the_defaults_change_which_no_step_reads(world: World) -> None:
    world.optimizer.defaults["lr"] = 7.0


@change(2)
def the_optimizer_gets_a_hook(world: World) -> None:
    world.optimizer.register_step_pre_hook(lambda *_: None)


@change(2)
def the_optimizer_gets_another_class(world: World) -> None:
    def step(self: Any, closure: Any = None) -> None:
        with gl.no_grad():
            for each in self.param_groups[0]["params"]:
                each.mul_(0.5)

    world.optimizer.__class__ = type("Own", (optim.Adam,), {"step": step})


@change(1, relinks=1)
def the_module_gets_a_class_that_does_the_same(world: World) -> None:
    world.model.__class__ = type("Own", (Net,), {})


@change(1)
def a_buffer_comes_that_nobody_reads(world: World) -> None:
    world.model.register_buffer("unread", gl.zeros(2))


@change(1)
def a_gradient_is_of_another_layout(world: World) -> None:
    world.model.first.weight.grad = gl.zeros(4, 3).t()


@change(1)
def a_gradient_is_set(world: World) -> None:
    world.model.first.weight.grad = gl.ones(3, 4)


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
def test_after_one_change_the_next_steps_are_right(name: str) -> None:
    act, compiles, breaks, relinks = CHANGES[name]

    def between(world: World, number: int) -> None:
        if number == 2:
            act(world)

    fast = same_steps(make, bind, BATCHES, between=between, compiles=None, breaks=breaks)
    found = [event for event in state_of(fast).history if event.kind in ("compile", "recompile")]
    assert breaks or len(found) == compiles, [[reason.text for reason in event.reasons] for event in found]
    assert breaks or sum(event.kind == "relink" for event in state_of(fast).history) == relinks


def test_after_the_class_of_a_module_is_replaced_the_next_steps_are_right() -> None:
    def between(world: World, number: int) -> None:
        if number == 2:
            world.model.__class__ = Other

    same_steps(make, bind, BATCHES, between=between, compiles=2)


@pytest.mark.parametrize("name", ["forward", "first"])
def test_what_is_put_into_the_dict_of_a_module_takes_part_in_the_next_step(name: str) -> None:
    def between(world: World, number: int) -> None:
        if number == 2:
            first, forward = world.model.first, Other.forward.__get__(world.model)
            vars(world.model)[name] = forward if name == "forward" else lambda x: first(x) * 3.0

    same_steps(make, bind, BATCHES, between=between, compiles=2)


def test_a_dict_of_the_users_own_in_place_of_that_of_a_module_takes_part_in_the_next_step() -> None:
    def between(world: World, number: int) -> None:
        if number == 2:
            world.model.__dict__ = {**vars(world.model), "gain": 5.0}
        if number == 3:
            world.model.__dict__["gain"] = 7.0

    same_steps(make, bind, BATCHES, between=between, compiles=None, breaks=1)


def test_check_assumptions_finds_what_is_put_behind_a_table_of_a_module() -> None:
    world = make()
    fast = gl.jit(bind(world))
    fast(*BATCHES[0])
    before = world.model.first  # whose death would be told
    dict.__setitem__(world.model._modules, "first", gl.nn.Identity())
    with pytest.raises(AssumptionError, match="model.first is .* was written behind its watchers"):
        fast(*BATCHES[1])
    assert world.model.first is not before


def test_a_mode_switched_back_and_forth_compiles_twice() -> None:
    def between(world: World, number: int) -> None:
        world.model.train(number % 2 == 0)

    fast = same_steps(make, bind, BATCHES * 2, between=between, compiles=2)
    (event,) = [event for event in state_of(fast).history if event.kind == "recompile"]
    (reason,) = event.nearest()
    assert (reason.guard, reason.expression) == ("assumption", "`model.training is True`")
    assert reason.done_at[:2] == (__file__, between.__code__.co_firstlineno + 1)
    assert reason.done_at[2] == "world.model.train(number % 2 == 0)"


def test_rounds_that_train_and_evaluate_fit_their_entries_without_a_miss() -> None:
    def loss(model: Any, x: Any, y: Any) -> Any:
        return F.mse_loss(F.dropout(model(x), 0.5, model.training), y)

    @gl.jit
    def train(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
        model.train()
        optimizer.zero_grad()
        loss(model, x, y).backward()
        optimizer.step()

    @gl.jit
    def evaluate(model: Any, x: Any, y: Any) -> Any:
        model.eval()
        return loss(model, x, y).item()

    def rounds(train: Any, evaluate: Any, model: Any) -> list[float]:
        gl.manual_seed(0)
        optimizer = optim.SGD(model.parameters(), 0.1)
        losses = []
        for k, (x, y) in enumerate(BATCHES * 3):
            train(model, optimizer, x, y)
            assert model.training and model.second.training
            losses.append(evaluate(model, x[k % 2 :], y[k % 2 :]))
            assert not model.training
        return losses

    model = Net()
    other = copy.deepcopy(model)
    expected = rounds(train.__wrapped__, evaluate.__wrapped__, other)
    assert rounds(train, evaluate, model) == pytest.approx(expected, rel=1e-5)
    train_calls, evaluate_calls = gl.explain(train).calls, gl.explain(evaluate).calls
    assert (train_calls.misses, train_calls.plain) == (2, 0) and train_calls.hits == 10
    assert evaluate_calls.hits >= 9 and evaluate_calls.plain == 0


def test_a_parameter_frozen_and_thawed_compiles_twice() -> None:
    def between(world: World, number: int) -> None:
        world.model.second.bias.requires_grad_(number % 2 == 0)

    same_steps(make, bind, BATCHES * 2, between=between, compiles=2)


@pytest.mark.spec("S5.22")
def test_a_model_and_its_optimizer_are_freed_with_all_that_was_compiled_for_them() -> None:
    @gl.jit
    def step(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    def train() -> list[Any]:
        world = make()
        for batch in BATCHES:
            step(world.model, world.optimizer, *batch)
        weight = world.model.first.weight
        kept = [world.model, world.optimizer, weight, world.optimizer.state[weight]["exp_avg"], weight._storage]
        return [weakref.ref(each) for each in kept]

    seen = train()
    gc.collect()
    assert [each() for each in seen] == [None] * 5
    (entry,) = state_of(step).entries
    assert entry.stale and entry.details == {}
    train()
    (event,) = [event for event in state_of(step).history if event.kind == "relink"]
    assert "has died" in event.reasons[0].text and event.reasons[0].guard == "assumption"


@pytest.mark.spec("S5.18")
@pytest.mark.slow
def test_twelve_optimizers_one_after_the_other_never_reach_the_limit() -> None:
    @gl.jit
    def step(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(12):
        plain, world = make(), make()
        expected = bind(plain)(*BATCHES[0])
        result = step(world.model, world.optimizer, *BATCHES[0])
        np.testing.assert_allclose(result.detach().numpy(), expected.detach().numpy(), rtol=1e-5)
    assert [event.kind for event in state_of(step).history] == ["compile"] + ["relink"] * 11
    gc.collect()
    assert len([entry for entry in state_of(step).entries if not entry.stale]) <= 1


def closure_over(model: Any) -> Callable[[Any], Any]:
    def apply(x: Any) -> Any:
        return model(x) * 2.0

    return apply


HELD_BY: dict[str, Callable[[Any, Any], Any]] = {
    "a closure in a dict": lambda held, model: held.update(apply=closure_over(model)),
    "an attribute of the model": lambda held, model: held.update(
        apply=setattr(model, "apply", closure_over(model)) or model
    ),
    "a bound method": lambda held, model: held.update(apply=model.forward),
}


@pytest.mark.parametrize("holder", HELD_BY)
def test_a_function_that_holds_the_model_keeps_it_no_longer_than_the_user_keeps_the_function(holder: str) -> None:
    held: dict[str, Any] = {}
    model = Net()
    HELD_BY[holder](held, model)
    reference = weakref.ref(model)

    @gl.jit
    def fast(x: Any) -> Any:
        apply = held["apply"]
        return (apply.apply(x) if isinstance(apply, Net) else apply(x)).detach()

    first = fast(BATCHES[0][0])
    np.testing.assert_array_equal(fast(BATCHES[0][0]).numpy(), first.numpy())
    assert [event.kind for event in state_of(fast).history] == ["compile"]
    held.clear()
    del model
    gc.collect()
    assert reference() is None
    held["apply"] = closure_over(Net())
    assert fast(BATCHES[0][0]).shape == first.shape


def test_an_optimizer_that_assigns_in_a_way_of_its_own_breaks_the_graph() -> None:
    class Own(optim.SGD):
        def __setattr__(self, name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

    weight = nn.Parameter(values(2))
    weight.grad = values(2)
    optimizer = Own([weight], lr=0.1)

    @gl.jit
    def step() -> None:
        optimizer.step()

    before = weight.detach().numpy().copy()
    step()
    assert "a __setattr__ of its own" in str(gl.explain(step))
    np.testing.assert_allclose(weight.detach().numpy(), before - 0.1 * weight.grad.numpy(), rtol=1e-6)


def test_a_parameter_is_named_by_its_path_in_the_module_and_not_by_its_place_in_the_optimizer() -> None:
    model = gl.nn.Sequential(gl.nn.Linear(3, 3), gl.nn.Dropout())
    optimizer = gl.optim.SGD(model.parameters(), lr=0.1)

    @gl.jit
    def step(x):  # type: ignore[no-untyped-def]
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()

    step(gl.ones(2, 3))
    model[0].bias.data = gl.zeros(3)
    step(gl.ones(2, 3))
    (reason,) = gl.explain(step).events[-1].nearest()
    assert reason.expression == "`the memory of model[0].bias is the same`"
    assert "param_groups" not in reason.text
