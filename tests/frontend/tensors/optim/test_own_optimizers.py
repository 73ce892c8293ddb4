"""Optimizers that users write: a step in plain tensor code over `self.state[p]` is traced whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn, optim


class Sign(optim.Optimizer):
    """Without state."""

    def __init__(self, params: Any, lr: float = 0.1) -> None:
        super().__init__(params, {"lr": lr})

    def step(self, closure: Any = None) -> None:
        with gl.no_grad():
            for group in self.param_groups:
                for param in group["params"]:
                    if param.grad is not None:
                        param.sub_(param.grad.sign() * group["lr"])


class Averaging(Sign):
    """A tensor for each parameter, asked for by name."""

    def step(self, closure: Any = None) -> None:
        with gl.no_grad():
            for group in self.param_groups:
                for param in group["params"]:
                    if param.grad is None:
                        continue
                    state = self.state[param]
                    if "average" not in state:
                        state["average"] = gl.zeros_like(param)
                    state["average"].lerp_(param.grad, 0.1)
                    param.sub_(state["average"].sign() * group["lr"])


class Counting(optim.Optimizer):
    """As PyTorch's own are written: state where there is none, with a count that is a Python number."""

    def __init__(self, params: Any, lr: float = 0.1, beta: float = 0.9) -> None:
        super().__init__(params, {"lr": lr, "beta": beta})

    @gl.no_grad()
    def step(self, closure: Any = None) -> Any:
        loss = None
        if closure is not None:
            with gl.enable_grad():
                loss = closure()
        for group in self.param_groups:
            beta = group["beta"]
            for param in group["params"]:
                if param.grad is None:
                    continue
                state = self.state[param]
                if len(state) == 0:
                    state["step"] = 0
                    state["average"] = gl.zeros_like(param)
                state["step"] += 1
                average = state["average"]
                average.mul_(beta).add_(param.grad, alpha=1 - beta)
                param.add_(average / (1 - beta ** state["step"]), alpha=-group["lr"])
        return loss


class Gathering(optim.Optimizer):
    """With an `_init_group` of its own, `get` and `setdefault`."""

    def __init__(self, params: Any, lr: float = 0.1) -> None:
        super().__init__(params, {"lr": lr})

    def _init_group(self, group: Any, params: list[Any], sums: list[Any]) -> bool:
        for param in group["params"]:
            if param.grad is not None:
                params.append(param)
                sums.append(self.state[param].setdefault("sum", gl.zeros_like(param)))
        return len(params) > 1

    def step(self, closure: Any = None) -> bool:
        several = False
        with gl.no_grad():
            for group in self.param_groups:
                params: list[Any] = []
                sums: list[Any] = []
                several = self._init_group(group, params, sums)
                for param, total in zip(params, sums):
                    total.add_(param.grad * param.grad)
                    param.sub_(param.grad / (total.sqrt() + 1e-3) * group["lr"])
                    assert self.state[param].get("missing") is None
        return several


KINDS: dict[str, tuple[Callable[[Any], Any], int]] = {
    "sign": (Sign, 1),
    "averaging": (Averaging, 2),
    "counting": (Counting, 2),
    "gathering": (Gathering, 2),
    "groups": (lambda params: Counting([{"params": params[:1]}, {"params": params[1:], "lr": 0.01}]), 2),
}


def world(kind: Callable[[Any], Any]) -> Callable[[], Sequence[Any]]:
    def made() -> Sequence[Any]:
        params = [leaf(3, 4), leaf(4, seed=1)]
        return [params, kind(params), normal(3, 4, seed=2)]

    return made


def training_step(params: list[Any], optimizer: Any, x: Any) -> Any:
    optimizer.zero_grad()
    loss = ((x * params[0] + params[1]) ** 2).sum()
    loss.backward()
    result = optimizer.step()
    return loss.detach(), result


@pytest.mark.parametrize("name", KINDS)
def test_a_training_step_with_an_optimizer_of_ones_own_is_one_graph(name: str) -> None:
    kind, compiles = KINDS[name]
    check(training_step, arguments=world(kind), calls=6, compiles=compiles, relative=5e-5)


def test_a_closure_belongs_to_the_graph_too() -> None:
    def program(params: list[Any], optimizer: Any, x: Any) -> Any:
        def closure() -> Any:
            optimizer.zero_grad()
            loss = ((x * params[0] + params[1]) ** 2).sum()
            loss.backward()
            return loss

        return optimizer.step(closure)

    check(program, arguments=world(Counting), calls=4, compiles=2, relative=5e-5)


def test_rates_change_and_state_is_loaded_or_cleared_between_calls() -> None:
    def change(number: int, params: list[Any], optimizer: Any, x: Any) -> None:
        optimizer.param_groups[0]["lr"] = 0.1 / (number + 1)
        if number == 3:
            optimizer.load_state_dict(optimizer.state_dict())
        if number == 5:
            optimizer.state.clear()

    check(training_step, arguments=world(Counting), change=change, calls=8, relative=5e-5)


def test_state_that_is_only_asked_for_is_there_afterwards() -> None:
    def program(params: list[Any], optimizer: Any, x: Any) -> Any:
        if x is None:
            return None
        return len(optimizer.state[params[1]]), bool(optimizer.state[params[0]]), x * 2

    def after(result: Any, params: list[Any], optimizer: Any, x: Any) -> Any:
        return [list(optimizer.state).index(each) for each in params], [dict(each) for each in optimizer.state.values()]

    check(program, arguments=world(Sign), after=after, calls=3, compiles=1)


def test_state_that_is_put_in_before_a_step_of_ours_is_seen_by_it() -> None:
    def program(params: list[Any], optimizer: Any, x: Any) -> None:
        (params[0] * x).sum().backward()
        optimizer.state[params[0]]["note"] = 1
        optimizer.step()

    def made() -> Sequence[Any]:
        params = [leaf(3, 4)]
        return [params, optim.SGD(params, lr=0.1, momentum=0.9), normal(3, 4, seed=2)]

    check(program, arguments=made, calls=3, breaks=None)


class LookingAhead(Sign):
    """An optimizer that counts its steps, and goes back a part of the way after every second one."""

    def __init__(self, params: Any) -> None:
        super().__init__(params)
        self.steps, self.last = 0, 0
        self.slow = [param.detach().clone() for param in self.param_groups[0]["params"]]

    def step(self, closure: Any = None) -> None:
        super().step(closure)
        self.steps += 1
        self.last = self.steps * 2
        if self.steps % 2 == 0:
            for param, slow in zip(self.param_groups[0]["params"], self.slow):
                slow.add_(param.data - slow, alpha=0.5)
                param.data.copy_(slow)


def test_an_optimizer_counts_its_steps() -> None:
    results = []
    for jitted in (False, True):
        param = nn.Parameter(gl.ones(3))
        optimizer = LookingAhead([param])

        def step(param: Any = param, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            (param * param * 0.5).sum().backward()
            optimizer.step()
            return param.detach().clone()

        run = gl.jit(step) if jitted else step
        results.append([(run().tolist(), optimizer.steps, optimizer.last) for _ in range(6)])
        if jitted:
            assert not gl.explain(run).breaks
            assert gl.explain(run).compiles <= 4
    assert results[0] == results[1]
