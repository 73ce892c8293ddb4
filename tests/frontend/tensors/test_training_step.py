"""A whole training step in one graph: forward, backward, optimizer and zero_grad do what they do in eager mode."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.training import World, same_steps

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of
from guardlift.nn import functional as F

RNG = np.random.default_rng(7)


def batches(count: int, rows: int = 6, features: int = 5, classes: int = 4) -> list[tuple[Any, Any]]:
    """Inputs and class numbers."""
    return [
        (
            gl.tensor(RNG.standard_normal((rows, features)).astype(np.float32)),
            gl.tensor(RNG.integers(0, classes, rows)),
        )
        for _ in range(count)
    ]


class Net(nn.Module):
    """Two layers, with a norm between them when training."""

    def __init__(self, activation: Any = F.relu) -> None:
        super().__init__()
        self.first = nn.Linear(5, 8)
        self.second = nn.Linear(8, 4)
        self.activation = activation

    def forward(self, x: Any) -> Any:
        h = self.activation(self.first(x))
        if self.training:
            h = h * 1.5
        return self.second(h)


def fill(model: Any) -> None:
    """Fill in the weights of every model of one shape alike."""
    rng = np.random.default_rng(3)
    with gl.no_grad():
        for parameter in model.parameters():
            parameter.copy_(gl.tensor(rng.standard_normal(parameter.shape).astype(np.float32) * 0.3))


def world_of(make_optimizer: Callable[[Any], Any], model: Callable[[], Any] = Net) -> Callable[[], World]:
    """A maker of worlds with a model and an optimizer over its parameters."""

    def make() -> World:
        net = model()
        fill(net)
        return World(net, make_optimizer(net.parameters()))

    return make


def zero_first(world: World) -> Callable[..., Any]:
    """The usual step."""
    model, optimizer = world.model, world.optimizer

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return step


def zero_last(world: World) -> Callable[..., Any]:
    """The step that leaves no gradients behind."""
    model, optimizer = world.model, world.optimizer

    def step(x: Any, y: Any) -> Any:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()

    return step


OPTIMIZERS = {
    "sgd": lambda params: optim.SGD(params, lr=0.1),
    "weight decay": lambda params: optim.SGD(params, lr=0.1, weight_decay=0.01),
    "adam": lambda params: optim.Adam(params, lr=0.01),
    "adamw": lambda params: optim.AdamW(params, lr=0.01, weight_decay=0.1),
    "amsgrad": lambda params: optim.Adam(params, lr=0.01, amsgrad=True),
    "maximize": lambda params: optim.Adam(params, lr=0.01, maximize=True, weight_decay=0.01),
    "low beta": lambda params: optim.Adam(params, lr=0.01, betas=(0.3, 0.9)),
    "adagrad": lambda params: optim.Adagrad(params, lr=0.05, lr_decay=0.1),
    "rmsprop": lambda params: optim.RMSprop(params, lr=0.01, weight_decay=0.01),
    "nadam": lambda params: optim.NAdam(params, lr=0.01, weight_decay=0.01),
    "adadelta": lambda params: optim.Adadelta(params, lr=0.5, weight_decay=0.01),
    "adamax": lambda params: optim.Adamax(params, lr=0.01, weight_decay=0.01),
    "radam": lambda params: optim.RAdam(params, lr=0.01, betas=(0.9, 0.95)),
    "radam never adapts": lambda params: optim.RAdam(params, lr=0.01, betas=(0.3, 0.6), decoupled_weight_decay=True),
    "rprop": lambda params: optim.Rprop(params, lr=0.01),
    "asgd": lambda params: optim.ASGD(params, lr=0.05, t0=2, lambd=0.01),
    "lion": lambda params: optim.Lion(params, lr=0.01, weight_decay=0.1),
}


def test_every_optimizer_is_among_those_that_step_in_jitted_functions() -> None:
    kinds = {type(make([nn.Parameter(gl.zeros(1))])).__name__ for make in OPTIMIZERS.values()}
    assert kinds == {name for name in optim.__all__ if hasattr(getattr(optim, name), "_update")}


@pytest.mark.spec("S5.01", "S5.02")
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("bind", [zero_first, zero_last])
def test_a_whole_step_is_one_graph_and_does_what_eager_mode_does(name: str, bind: Any) -> None:
    same_steps(world_of(OPTIMIZERS[name]), bind, batches(5))


@pytest.mark.spec("S5.16")
@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum_compiles_twice_since_the_buffers_are_made_at_the_first_step(nesterov: bool) -> None:
    make = world_of(lambda params: optim.SGD(params, lr=0.1, momentum=0.9, nesterov=nesterov))
    same_steps(make, zero_first, batches(5), compiles=2)


def test_gradients_that_are_left_in_place_accumulate() -> None:
    def bind(world: World) -> Callable[..., Any]:
        model = world.model

        def step(x: Any, y: Any) -> Any:
            F.cross_entropy(model(x), y).backward()

        return step

    same_steps(world_of(OPTIMIZERS["sgd"]), bind, batches(4), compiles=2)


def test_an_optimizer_step_alone_takes_its_gradients_as_inputs() -> None:
    def bind(world: World) -> Callable[..., Any]:
        optimizer = world.optimizer
        return lambda: optimizer.step()

    def between(world: World, number: int) -> None:
        rng = np.random.default_rng(number)
        for parameter in world.model.parameters():
            parameter.grad = gl.tensor(rng.standard_normal(parameter.shape).astype(np.float32))

    same_steps(world_of(OPTIMIZERS["adam"]), bind, [()] * 4, between=between)


@pytest.mark.spec("S5.15", "S5.21")
def test_a_learning_rate_that_changes_at_every_step_never_recompiles() -> None:
    def between(world: World, number: int) -> None:
        for group in world.optimizer.param_groups:
            group["lr"] = 0.01 / (number + 1)
            group["weight_decay"] = 0.1 / (number + 1)

    same_steps(world_of(OPTIMIZERS["adamw"]), zero_first, batches(6), between=between)


@pytest.mark.spec("S5.15")
def test_a_scheduler_never_recompiles() -> None:
    def make() -> World:
        world = world_of(OPTIMIZERS["adam"])()
        world.schedule = optim.lr_scheduler.CosineAnnealingLR(world.optimizer, T_max=10)  # type: ignore[attr-defined]
        return world

    def between(world: World, number: int) -> None:
        if number:
            world.schedule.step()  # type: ignore[attr-defined]

    same_steps(make, zero_first, batches(6), between=between)


# -- what may change between calls -------------------------------------------------------------------------------------
def replaced_parameter(world: World) -> None:
    world.model.first.weight = nn.Parameter(gl.tensor(np.full((8, 5), 0.25, np.float32)))
    world.optimizer.param_groups[0]["params"][0] = world.model.first.weight


def replaced_data(world: World) -> None:
    world.model.first.weight.data = gl.tensor(np.full((8, 5), 0.25, np.float32))


def written_data(world: World) -> None:
    with gl.no_grad():
        world.model.first.weight.mul_(0.5)


def frozen(world: World) -> None:
    world.model.first.weight.requires_grad_(False)
    world.model.first.weight.grad = None


def another_dtype(world: World) -> None:
    world.model.double()
    for entry in world.optimizer.state.values():
        for key in ("exp_avg", "exp_avg_sq"):
            entry[key] = entry[key].double()


def another_activation(world: World) -> None:
    world.model.activation = gl.tanh


def another_layer(world: World) -> None:
    layer = nn.Linear(8, 4)
    fill(layer)
    world.model.second = layer
    world.optimizer.add_param_group({"params": list(layer.parameters()), "lr": 0.05})


def evaluation(world: World) -> None:
    world.model.eval()


def another_group(world: World) -> None:
    extra = nn.Parameter(gl.tensor(np.ones(3, np.float32)))
    extra.grad = gl.tensor(np.ones(3, np.float32))
    world.extras["extra"] = extra
    world.optimizer.add_param_group({"params": [extra], "lr": 0.5})


def replaced_state(world: World) -> None:
    entry = world.optimizer.state[world.model.first.weight]
    entry["exp_avg"] = gl.tensor(np.full((8, 5), 0.01, np.float32))


def cleared_state(world: World) -> None:
    world.optimizer.state.clear()


def loaded_state(world: World) -> None:
    world.optimizer.load_state_dict(world.optimizer.state_dict())
    world.model.load_state_dict(world.model.state_dict())


def other_flags(world: World) -> None:
    world.optimizer.param_groups[0]["maximize"] = True


CHANGES = [
    replaced_parameter,
    replaced_data,
    written_data,
    frozen,
    another_dtype,
    another_activation,
    another_layer,
    evaluation,
    another_group,
    replaced_state,
    cleared_state,
    loaded_state,
    other_flags,
]


@pytest.mark.spec("S5.11", "S5.13", "S5.10")
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_between_calls_gives_what_eager_mode_gives_at_the_next(change: Callable[[World], None]) -> None:
    def between(world: World, number: int) -> None:
        if number == 2:
            change(world)

    calls = batches(4)
    if change is another_dtype:
        calls = calls[:2] + [(x.double(), y) for x, y in calls[2:]]
    same_steps(world_of(OPTIMIZERS["adam"]), zero_first, calls, between=between, compiles=None)


@pytest.mark.spec("S7.09")
def test_training_and_evaluation_in_turn_are_compiled_once_each() -> None:
    def between(world: World, number: int) -> None:
        world.model.train(number % 2 == 0)

    same_steps(world_of(OPTIMIZERS["sgd"]), zero_first, batches(8), between=between, compiles=2)


@pytest.mark.spec("S7.05")
def test_grad_mode_is_that_of_the_call() -> None:
    model = Net()
    fill(model)
    forward = gl.jit(lambda x: model(x))
    x = batches(1)[0][0]
    assert forward(x).requires_grad
    with gl.no_grad():
        assert not forward(x).requires_grad
    assert forward(x).requires_grad
    assert len(state_of(forward).entries) == 2


# -- memory ------------------------------------------------------------------------------------------------------------
@pytest.mark.spec("S5.22")
def test_dropping_model_and_optimizer_frees_them_although_the_function_lives() -> None:
    @gl.jit(fullgraph=True)
    def step(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    def train() -> list[weakref.ref[Any]]:
        world = world_of(OPTIMIZERS["adam"])()
        for x, y in batches(3):
            step(world.model, world.optimizer, x, y)
        weight = world.model.first.weight
        moment = world.optimizer.state[weight]["exp_avg"]
        arrays = [weakref.ref(each._array) for each in (weight, moment)]
        return [*map(weakref.ref, (world.model, world.optimizer, weight, moment)), *arrays]

    references = train()
    gc.collect()
    assert [reference() for reference in references] == [None] * len(references)
    assert len(state_of(step).entries) >= 0  # the function itself is still there


# -- a forward alone ---------------------------------------------------------------------------------------------------
def test_a_jitted_forward_works_with_a_backward_outside() -> None:
    def bind(world: World) -> Callable[..., Any]:
        model = world.model
        return lambda x: model(x)

    plain, world = world_of(OPTIMIZERS["adam"])(), world_of(OPTIMIZERS["adam"])()
    fast = gl.jit(bind(world), fullgraph=True)
    for x, y in batches(4):
        for each, forward in ((plain, bind(plain)), (world, fast)):
            each.optimizer.zero_grad()
            F.cross_entropy(forward(x), y).backward()
            each.optimizer.step()
        for (name, one), (_, other) in zip(plain.model.named_parameters(), world.model.named_parameters(), strict=True):
            np.testing.assert_allclose(one.detach().numpy(), other.detach().numpy(), rtol=1e-5, atol=1e-7, err_msg=name)
    assert len(state_of(fast).entries) == 1


def test_a_hand_written_step_under_no_grad() -> None:
    def bind(world: World) -> Callable[..., Any]:
        model = world.model

        def step(x: Any, y: Any) -> float:
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            with gl.no_grad():
                for parameter in (model.first.weight, model.second.bias):
                    parameter -= 0.1 * parameter.grad
                    parameter.grad = None
            return loss.item()

        return step

    same_steps(world_of(OPTIMIZERS["sgd"]), bind, batches(4), compiles=2)


@pytest.mark.parametrize("make_optimizer", [OPTIMIZERS["adam"], OPTIMIZERS["amsgrad"]])
def test_state_that_two_parameters_share_is_written_as_often_as_in_eager_mode(make_optimizer: Any) -> None:
    def between(world: World, number: int) -> None:
        if number == 1:
            first, second, *_ = world.optimizer.state.values()
            second["step"] = first["step"]

    same_steps(world_of(make_optimizer), zero_first, batches(3), between=between, compiles=None, breaks=1)


@pytest.mark.slow
def test_a_step_over_more_parameters_than_loops_have_turns_is_one_graph() -> None:
    def make() -> World:
        gl.manual_seed(3)
        model = nn.Sequential(*[nn.Linear(4, 4) for _ in range(gl.config.unroll_limit)])
        kept = [each.detach().clone() for each in model.parameters()]
        return World(model, optim.SGD(model.parameters(), lr=0.01), {"kept": kept, "first": kept[0], "last": kept[-1]})

    def bind(world: World) -> Callable[..., Any]:
        def step(x: Any) -> Any:
            world.optimizer.zero_grad()
            loss = (world.model(x) ** 2).sum()
            loss.backward()
            world.optimizer.step()
            with gl.no_grad():
                for mean, parameter in zip(world.extras["kept"], world.model.parameters(), strict=True):
                    mean.mul_(0.9).add_(parameter, alpha=0.1)
            return loss.detach()

        return step

    fast = same_steps(make, bind, [(gl.tensor(RNG.standard_normal((2, 4)).astype(np.float32)),) for _ in range(3)])
    text = str(gl.explain(fast))
    assert len(text.splitlines()) < 150 and "more" in text
    assert len(str(gl.explain(fast)).splitlines()) < len(gl.explain(fast).entries[0].guards)
