"""GradScaler: its stages and errors, several optimizers, and steps that are one graph."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn, optim
from guardlift.amp import GradScaler

INF = float("inf")


def made(**settings: Any) -> tuple[nn.Parameter, optim.Optimizer, GradScaler]:
    parameter = nn.Parameter(gl.tensor([0.5, -0.25]))
    return parameter, optim.SGD([parameter], lr=0.5), GradScaler("cpu", init_scale=8.0, **settings)


def test_gradients_are_scaled_and_unscaled() -> None:
    parameter, optimizer, scaler = made()
    scaler.scale(parameter.sum()).backward()
    assert parameter.grad is not None and parameter.grad.tolist() == [8.0, 8.0]
    scaler.unscale_(optimizer)
    assert parameter.grad.tolist() == [1.0, 1.0]
    scaler.step(optimizer)
    scaler.update()
    assert parameter.tolist() == [0.0, -0.75]


def test_scale_takes_lists_and_tuples_of_tensors() -> None:
    _, _, scaler = made()
    first, (second,) = scaler.scale([gl.ones(1), (gl.ones(2),)])
    assert (first.tolist(), second.tolist()) == ([8.0], [8.0, 8.0])
    with pytest.raises(ValueError, match="scale\\(\\) takes a tensor or an iterable of them, got float"):
        scaler.scale(1.0)


def test_a_step_that_overflows_is_left_out_and_the_scale_falls() -> None:
    parameter, optimizer, scaler = made()
    scaler.scale((parameter * INF).sum()).backward()
    assert scaler.step(optimizer) is None
    scaler.update()
    assert parameter.tolist() == [0.5, -0.25] and scaler.get_scale() == 4.0
    assert not optimizer.state


def test_an_overflow_of_one_optimizer_makes_the_scale_of_both_fall() -> None:
    parameter, optimizer, scaler = made()
    other = nn.Parameter(gl.ones(1))
    second = optim.SGD([other], lr=0.5)
    scaler.scale(parameter.sum() + (other * INF).sum()).backward()
    scaler.step(optimizer)
    scaler.step(second)
    scaler.update()
    assert parameter.tolist() == [0.0, -0.75] and other.tolist() == [1.0] and scaler.get_scale() == 4.0


def test_the_order_of_calls_is_checked() -> None:
    parameter, optimizer, scaler = made()
    for name in ("unscale_", "step"):
        with pytest.raises(AssertionError, match=f"Attempted {name} but _scale is None"):
            getattr(scaler, name)(optimizer)
    scaler.scale(parameter.sum()).backward()
    with pytest.raises(AssertionError, match="No inf checks were recorded prior to update"):
        scaler.update()
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="unscale_\\(\\) has already been called"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="step\\(\\) has already been called"):
        scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="unscale_\\(\\) is being called after step"):
        scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="Closure use is not currently supported"):
        scaler.step(optimizer, closure=lambda: 1.0)


def test_gradients_in_float16_are_refused() -> None:
    parameter = nn.Parameter(gl.ones(2, dtype=gl.float16))
    optimizer, scaler = optim.SGD([parameter]), GradScaler("cpu")
    scaler.scale(parameter.float().sum()).backward()
    with pytest.raises(ValueError, match="Attempting to unscale FP16 gradients"):
        scaler.unscale_(optimizer)


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(AssertionError, match="growth factor is to be above 1, got 1.0"):
        GradScaler("cpu", growth_factor=1.0)
    with pytest.raises(AssertionError, match="backoff factor is to be below 1, got 1.5"):
        GradScaler("cpu", backoff_factor=1.5)


def test_a_scaler_that_is_off_lets_everything_through() -> None:
    parameter, optimizer, _ = made()
    scaler = GradScaler("cpu", enabled=False)
    loss = parameter.sum()
    assert scaler.scale(loss) is loss
    loss.backward()
    scaler.step(optimizer)
    scaler.update()
    assert parameter.tolist() == [0.0, -0.75] and scaler.get_scale() == 1.0 and scaler.state_dict() == {}


@pytest.mark.skipif(gl.cuda.is_available(), reason="there is CUDA")
def test_without_cuda_a_scaler_for_it_is_off() -> None:
    with pytest.warns(UserWarning, match="CUDA is not available. Disabling"):
        assert not GradScaler().is_enabled()


def test_new_scales_and_factors_can_be_set() -> None:
    parameter, optimizer, scaler = made()
    scaler.scale(parameter.sum())
    scaler.update(3.0)
    assert scaler.get_scale() == 3.0
    scaler.update(gl.tensor([5.0]))
    assert scaler.get_scale() == 5.0
    scaler.set_growth_factor(4.0)
    scaler.set_backoff_factor(0.125)
    scaler.set_growth_interval(1)
    scaler.scale(parameter.sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 20.0
    assert (scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()) == (4.0, 0.125, 1)


def test_a_state_dict_and_a_pickle_go_on_where_they_were_made() -> None:
    parameter, optimizer, scaler = made(growth_interval=3)
    for _ in range(2):
        scaler.scale(parameter.sum()).backward()
        scaler.step(optimizer)
        scaler.update()
    saved = scaler.state_dict()
    assert saved == {
        "scale": 8.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 3, "_growth_tracker": 2
    }  # fmt: skip
    fresh = GradScaler("cpu", init_scale=1.0)
    fresh.load_state_dict(saved)
    for each in (scaler, fresh, pickle.loads(pickle.dumps(scaler))):
        each.scale(parameter.sum()).backward()
        each.step(optimizer)
        each.update()
        assert each.get_scale() == 16.0
    with pytest.raises(RuntimeError, match="state dict is empty"):
        fresh.load_state_dict({})


OPTIMIZERS: dict[str, Callable[[Any], optim.Optimizer]] = {
    "sgd": lambda parameters: optim.SGD(parameters, lr=0.1),
    "momentum": lambda parameters: optim.SGD(parameters, lr=0.1, momentum=0.9, nesterov=True),
    "adamw": lambda parameters: optim.AdamW(parameters, lr=0.1, amsgrad=True),
    "asgd": lambda parameters: optim.ASGD(parameters, lr=0.1, t0=1),
}


def run(name: str, jitted: bool) -> tuple[list[Any], Any]:
    model = nn.Linear(3, 2)
    with gl.no_grad():
        model.weight.copy_(gl.tensor([[0.5, -0.25, 0.125], [1.0, 0.75, -0.5]]))
        model.bias.fill_(0.1)
    optimizer = OPTIMIZERS[name](model.parameters())
    scaler = GradScaler("cpu", init_scale=2.0**18, growth_interval=2)
    x = gl.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 0.25]])

    def step(x: Any) -> Any:
        optimizer.zero_grad()
        with gl.autocast("cpu", dtype=gl.float16):
            loss = nn.functional.mse_loss(model(x), gl.ones(2, 2))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss.detach()

    compiled = gl.jit(step) if jitted else step
    found = []
    for number in range(12):
        loss = compiled(x * (300.0 if number == 8 else 1.0))
        found.append((loss.item(), scaler.get_scale(), model.weight.tolist()))
    return found, compiled


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_scaled_step_is_one_graph_and_does_what_eager_mode_does(name: str) -> None:
    (expected, _), (got, step) = run(name, False), run(name, True)
    assert len({scale for _, scale, _ in expected}) > 1, "some steps overflow"
    for mine, theirs in zip(got, expected, strict=True):
        assert mine[:2] == pytest.approx(theirs[:2], rel=1e-5)
        assert gl.tensor(mine[2]).sub(gl.tensor(theirs[2])).abs().max().item() < 1e-5
    report = gl.explain(step)
    assert not report.breaks and report.compiles == 2


def test_a_step_with_hooks_is_left_to_python() -> None:
    parameter, optimizer, scaler = made()
    called: list[int] = []
    optimizer.register_step_post_hook(lambda *_: called.append(1))

    def step(factor: Any) -> None:
        optimizer.zero_grad()
        scaler.scale((parameter * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()

    compiled = gl.jit(step)
    for factor in (1.0, INF, 1.0, 2.0):
        compiled(gl.tensor(factor))
    assert len(called) == 3 and scaler.get_scale() == 4.0
