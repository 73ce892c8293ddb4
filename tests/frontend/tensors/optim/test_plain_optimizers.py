"""Optimizers whose steps are plain tensor code: Adafactor, Muon and SparseAdam in one graph, LBFGS with its closure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn, optim

F = nn.functional
X = (gl.arange(20).float().reshape(4, 5) - 9.5) / 10
Y = gl.arange(4) % 3


def model() -> nn.Sequential:
    made = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 3))
    with gl.no_grad():
        for each in made.parameters():
            each.copy_(((gl.arange(each.numel()) * 7 % 11).float().reshape(each.shape) - 5) / 11)
    return made


def matrices(net: nn.Module) -> list[Any]:
    return [each for each in net.parameters() if each.ndim == 2]


WHOLE: dict[str, Callable[[nn.Module], optim.Optimizer]] = {
    "adafactor": lambda net: optim.Adafactor(net.parameters(), lr=0.05),
    "adafactor with a rate in a tensor": lambda net: optim.Adafactor(
        net.parameters(), lr=gl.tensor(0.05), weight_decay=0.1, maximize=True
    ),
    "muon": lambda net: optim.Muon(matrices(net), lr=0.01),
    "muon as adamw": lambda net: optim.Muon(matrices(net), lr=0.01, nesterov=False, adjust_lr_fn="match_rms_adamw"),
}


def run(make: Callable[[nn.Module], optim.Optimizer], jitted: bool) -> tuple[list[float], list[Any], Any]:
    net = model()
    optimizer = make(net)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    wrapped = gl.jit(step) if jitted else step
    losses = []
    for number in range(6):
        for group in optimizer.param_groups:
            if not isinstance(group["lr"], gl.Tensor):
                group["lr"] *= 0.9
        losses.append(wrapped(X * (1 + number), Y).item())
    return losses, list(net.parameters()), wrapped


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.slow
def test_a_training_step_is_one_graph_and_does_what_eager_mode_does(name: str) -> None:
    (expected, theirs, _), (got, mine, step) = run(WHOLE[name], False), run(WHOLE[name], True)
    assert got == pytest.approx(expected, rel=1e-5)
    close = 1e-3 if "muon" in name else 1e-6  # bfloat16's last digit, in steps of a hundredth
    for one, other in zip(mine, theirs, strict=True):
        assert gl.allclose(one, other, rtol=0, atol=close)
    report = gl.explain(step)
    assert not report.breaks and report.compiles == 2  # the first step makes the state


@pytest.mark.parametrize("maximize", [False, True])
def test_sparse_adam_is_part_of_the_graph(maximize: bool) -> None:
    def made(jitted: bool) -> tuple[Any, Any]:
        table = nn.Embedding(6, 3, sparse=True)
        with gl.no_grad():
            table.weight.copy_(gl.arange(18).reshape(6, 3) / 9 - 1)
        optimizer = optim.SparseAdam(table.parameters(), lr=0.1, betas=(0.8, 0.9), maximize=maximize)

        def step(rows: Any) -> Any:
            optimizer.zero_grad()
            loss = table(rows).square().sum()
            loss.backward()
            optimizer.step()
            return loss.detach()

        wrapped = gl.jit(step) if jitted else step
        for number in range(5):
            wrapped(gl.tensor([number % 6, 2 * number % 6, 1, 1]))
        return table.weight, wrapped

    (expected, _), (got, step) = made(False), made(True)
    assert gl.allclose(got, expected, rtol=1e-6, atol=1e-7)
    report = gl.explain(step)
    assert not report.breaks and report.compiles == 2


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_the_closure_of_lbfgs_is_compiled_where_its_step_is_left_to_python(search: str | None) -> None:
    compiled: dict[bool, list[bool]] = {False: [], True: []}

    def made(jitted: bool) -> tuple[list[float], Any]:
        net = model()
        optimizer = optim.LBFGS(net.parameters(), lr=0.5, max_iter=3, line_search_fn=search)

        def closure() -> Any:
            optimizer.zero_grad()
            compiled[jitted].append(gl.is_compiling())
            loss = F.cross_entropy(net(X), Y)
            loss.backward()
            return loss

        def step(closure: Any) -> Any:
            return optimizer.step(closure).detach() * 2

        wrapped = gl.jit(step) if jitted else step
        return [wrapped(closure).item() for _ in range(4)], wrapped

    (expected, _), (got, step) = made(False), made(True)
    assert got == pytest.approx(expected, rel=1e-3)
    assert [each.code for each in gl.explain(step).breaks] == ["B428"]
    assert len(compiled[True]) == len(compiled[False]) > 8
    assert all(compiled[True]) and not any(compiled[False])


def test_a_jitted_closure_serves_lbfgs_outside_of_jitted_functions() -> None:
    net = model()
    optimizer = optim.LBFGS(net.parameters(), max_iter=5, line_search_fn="strong_wolfe")

    @gl.jit
    def closure() -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(X), Y)
        loss.backward()
        return loss

    losses = [optimizer.step(closure).item() for _ in range(4)]
    assert losses[-1] < 0.1 * losses[0]
    report = gl.explain(closure)
    assert not report.breaks and report.compiles <= 2
