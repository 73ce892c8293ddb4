"""Schedules of every kind around jitted steps of every optimizer: numbers of groups are inputs of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import interpreted
from optim.cases import make as figures

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of
from guardlift.optim import lr_scheduler

STEPS = 100
OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda params: optim.SGD(params, lr=0.2),
    "SGD with momentum": lambda params: optim.SGD(params, lr=0.2, momentum=0.5),
    "Adam": lambda params: optim.Adam(params, lr=0.2),
    "AdamW": lambda params: optim.AdamW(params, lr=0.2, amsgrad=True),
    "NAdam": lambda params: optim.NAdam(params, lr=0.2),
    "Adagrad": lambda params: optim.Adagrad(params, lr=0.2),
    "RMSprop": lambda params: optim.RMSprop(params, lr=0.2, momentum=0.5),
    "Lion": lambda params: optim.Lion(params, lr=0.2, weight_decay=0.1),
}


def gradient(step: int, size: int) -> Any:
    """A fresh tensor at every step."""
    return gl.tensor(np.cos(0.7 * step + 1.3 * np.arange(size)).astype(np.float32))


def trained(name: str, schedule_of: Callable[[Any, Any], Any], rate: Any, step_of: Callable[[Any], Any]) -> Any:
    """The parameters after all steps, the rates on the way, and what steps."""
    params = [nn.Parameter(gl.ones(size)) for size in (3, 1)]
    optimizer = OPTIMIZERS[name]([{"params": params[0]}, {"params": params[1], "lr": rate(0.1)}])
    optimizer.param_groups[0]["lr"] = rate(0.2)
    schedule = schedule_of(lr_scheduler, optimizer)
    step, rates = step_of(optimizer), []
    for number in range(STEPS):
        for param in params:
            param.grad = gradient(number, param.shape[0])
        step()
        schedule.step(*[figures.metric(number)] if type(schedule) is lr_scheduler.ReduceLROnPlateau else [])
        rates.append(schedule.get_last_lr())
    return params, rates, step


def same(name: str, schedule_of: Any, rate: Any, expected: int, step_of: Callable[[Any], Any]) -> None:
    """Asserts that jitted steps do what eager ones do, with so many compiles."""
    plain, rates, _ = trained(name, schedule_of, rate, lambda optimizer: optimizer.step)
    with interpreted():
        jitted, others, step = trained(name, schedule_of, rate, step_of)
    assert rates == others
    for mine, other in zip(jitted, plain, strict=True):
        np.testing.assert_allclose(mine.detach().numpy(), other.detach().numpy(), rtol=1e-5, atol=1e-6)
    history = state_of(getattr(step, "__func__", step)).history
    made = [event for event in history if event.kind in ("compile", "recompile", "break")]
    assert len(made) == expected, [[reason.text for reason in event.reasons] for event in made]


def compiles(name: str, schedule: str) -> int:
    """The number of compiles of a step under a schedule."""
    turns = schedule in ("one cycle", "one cycle linear")
    # Buffers of momentum are made at the first step; a cycle gives plain SGD a momentum.
    late = name == "SGD with momentum" or (name == "SGD" and turns)
    # This cycle takes the first of the betas down to 0.5, from where on averages are counted from their other end.
    other_end = schedule == "one cycle linear" and "Adam" in name
    return 1 + late + other_end


# One of each kind.
SCHEDULES = [
    "step", "milestones", "exponential", "cosine", "linear", "constant", "polynomial", "lambda", "multiplicative",
    "longer restarts", "one cycle", "one cycle linear", "plateau", "sequence", "chain",
]  # fmt: skip


# In the quick run each schedule meets three optimizers, and each optimizer every third schedule or so.
PAIRS = [
    pytest.param(name, schedule, id=f"{name}-{schedule}", marks=[] if (one + two) % 3 == 0 else [pytest.mark.slow])
    for one, name in enumerate(OPTIMIZERS)
    for two, schedule in enumerate(SCHEDULES)
]


@pytest.mark.spec("S5.15", "S5.16", "S5.17")
@pytest.mark.parametrize(("name", "schedule"), PAIRS)
def test_a_hundred_steps_under_a_schedule_are_compiled_once(name: str, schedule: str) -> None:
    if name == "Adagrad" and schedule.startswith("one cycle"):
        schedule = "one cycle without momentum"
    same(name, figures.SCHEDULES[schedule], float, compiles(name, schedule),
         lambda optimizer: gl.jit(lambda: optimizer.step()))  # fmt: skip


@pytest.mark.spec("S5.15")
@pytest.mark.parametrize("schedule", ["cosine", "one cycle without momentum", "plateau", "sequence"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_rate_in_a_tensor_is_filled_by_schedules_and_read_at_each_step(name: str, schedule: str) -> None:
    same(name, figures.SCHEDULES[schedule], gl.tensor, compiles(name, schedule),
         lambda optimizer: gl.jit(lambda: optimizer.step()))  # fmt: skip


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_step_itself_may_be_jitted(name: str) -> None:
    same(name, figures.SCHEDULES["cosine"], float, compiles(name, "cosine"),
         lambda optimizer: gl.jit(optimizer.step))  # fmt: skip


def test_a_sequence_of_schedules_is_stepped_inside_of_a_jitted_step() -> None:
    rates = []
    for jitted in (False, True):
        param = nn.Parameter(gl.ones(3))
        optimizer = optim.SGD([param], lr=0.2)
        schedule = lr_scheduler.SequentialLR(
            optimizer,
            [lr_scheduler.LinearLR(optimizer, 0.1, total_iters=3), lr_scheduler.ExponentialLR(optimizer, 0.5)],
            [3],
        )

        def step(param: Any = param, optimizer: Any = optimizer, schedule: Any = schedule) -> Any:
            optimizer.zero_grad()
            (param * param).sum().backward()
            optimizer.step()
            schedule.step()
            return param.detach().clone()

        run = gl.jit(step) if jitted else step
        rates.append([(run().tolist(), schedule.get_last_lr()) for _ in range(6)])
        if jitted:
            assert not gl.explain(run).breaks
    assert rates[0] == rates[1]
