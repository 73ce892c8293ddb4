from __future__ import annotations

import pickle
from typing import Any

import pytest
from optim.cases import FIGURES, make

import guardlift as gl
from guardlift import nn, optim
from guardlift.optim import lr_scheduler


def optimizer_of_two_groups() -> optim.SGD:
    params = [nn.Parameter(gl.zeros(1)) for _ in range(2)]
    return optim.SGD([{"params": params[0]}, {"params": params[1], "lr": 0.03}], lr=0.2)


def rates(schedule: lr_scheduler.LRScheduler, optimizer: optim.Optimizer, epochs: range) -> list[list[float]]:
    found = []
    for epoch in epochs:
        if epoch == 12:
            optimizer.param_groups[1]["lr"] = 0.05
        schedule.step()
        found.append(schedule.get_last_lr())
        assert [group["lr"] for group in optimizer.param_groups] == schedule.get_last_lr()
    return found


@pytest.mark.parametrize("name", make.SCHEDULES)
def test_rates_are_those_of_pytorch(name: str) -> None:
    kind, settings = make.SCHEDULES[name]
    optimizer = optimizer_of_two_groups()
    schedule = getattr(lr_scheduler, kind)(optimizer, **settings)
    first = schedule.get_last_lr()
    found = [first, *rates(schedule, optimizer, range(20))]
    for mine, expected in zip(found, FIGURES["schedules"][name], strict=True):
        assert mine == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert schedule.base_lrs == [0.2, 0.03] and schedule.last_epoch == 20


def test_a_function_gives_the_factor_of_an_epoch() -> None:
    optimizer = optimizer_of_two_groups()
    schedule = lr_scheduler.LambdaLR(optimizer, [lambda epoch: 0.5**epoch, lambda epoch: 1 / (epoch + 1)])
    assert schedule.get_last_lr() == [0.2, 0.03]
    schedule.step()
    schedule.step()
    assert schedule.get_last_lr() == pytest.approx([0.05, 0.01])
    with pytest.raises(ValueError, match="1 functions for 2 parameter groups"):
        lr_scheduler.LambdaLR(optimizer, [lambda epoch: 1.0])


def test_only_the_rate_is_written() -> None:
    optimizer = optimizer_of_two_groups()
    before = [dict(group) for group in optimizer.param_groups]
    schedule = lr_scheduler.ExponentialLR(optimizer, 0.5)
    schedule.step()
    for group, old in zip(optimizer.param_groups, before):
        assert {**group, "lr": old["lr"]} == {**old, "initial_lr": old["lr"]}


def test_a_rate_in_a_tensor_is_filled_in_place() -> None:
    rate = gl.tensor(0.5)
    optimizer = optim.Adam([nn.Parameter(gl.zeros(1))], lr=rate)
    schedule = lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
    schedule.step()
    assert optimizer.param_groups[0]["lr"] is rate and rate.item() == 0.25
    assert schedule.get_last_lr() == [0.25] and schedule.base_lrs == [0.5]


@pytest.mark.parametrize("name", make.SCHEDULES)
def test_a_schedule_goes_on_from_its_state(name: str) -> None:
    kind, settings = make.SCHEDULES[name]
    optimizer, other = optimizer_of_two_groups(), optimizer_of_two_groups()
    schedule = getattr(lr_scheduler, kind)(optimizer, **settings)
    rates(schedule, optimizer, range(5))
    twin = getattr(lr_scheduler, kind)(other, **settings)
    other.load_state_dict(optimizer.state_dict())
    twin.load_state_dict(pickle.loads(pickle.dumps(schedule.state_dict())))
    assert rates(twin, other, range(5, 11)) == rates(schedule, optimizer, range(5, 11))
    assert "optimizer" not in schedule.state_dict()


def test_a_schedule_resumes_at_an_epoch_from_the_groups() -> None:
    optimizer = optimizer_of_two_groups()
    with pytest.raises(ValueError, match="needs 'initial_lr' in parameter group 0"):
        lr_scheduler.StepLR(optimizer, 2, last_epoch=3)
    schedule = lr_scheduler.ExponentialLR(optimizer, 0.5)
    rates(schedule, optimizer, range(4))
    resumed = lr_scheduler.ExponentialLR(optimizer, 0.5, last_epoch=4)
    assert resumed.last_epoch == 5 and resumed.base_lrs == [0.2, 0.03]
    assert resumed.get_last_lr() == pytest.approx([0.2 / 32, 0.03 / 32])


def test_callable_objects_keep_their_attributes_in_the_state() -> None:
    class Decay:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def __call__(self, epoch: int) -> float:
            return self.factor**epoch

    optimizer = optimizer_of_two_groups()
    schedule = lr_scheduler.LambdaLR(optimizer, [Decay(0.5), lambda epoch: 1.0])
    state = schedule.state_dict()
    assert state["lr_lambdas"] == [{"factor": 0.5}, None]
    other = lr_scheduler.LambdaLR(optimizer_of_two_groups(), [Decay(0.1), lambda epoch: 1.0])
    other.load_state_dict(state)
    assert other.lr_lambdas[0].factor == 0.5  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("make_schedule", "error", "text"),
    [
        (lambda o: lr_scheduler.StepLR(3, 2), TypeError, "for an Optimizer, got int"),
        (lambda o: lr_scheduler.LinearLR(o, start_factor=0.0), ValueError, "start_factor is to be above 0"),
        (lambda o: lr_scheduler.LinearLR(o, end_factor=1.5), ValueError, "end_factor is to be between 0 and 1"),
        (lambda o: lr_scheduler.LRScheduler(o), NotImplementedError, r"LRScheduler has no get_lr\(\)"),
    ],
)
def test_schedules_that_cannot_be_are_refused(make_schedule: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make_schedule(optimizer_of_two_groups())
