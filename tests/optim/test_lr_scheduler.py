from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from optim.cases import FIGURES, SCHEDULES, make

import guardlift as gl
from guardlift import nn, optim
from guardlift.optim import lr_scheduler


def optimizer_of_two_groups() -> optim.SGD:
    params = [nn.Parameter(gl.zeros(1)) for _ in range(2)]
    return optim.SGD([{"params": params[0]}, {"params": params[1], "lr": 0.03}], lr=0.2, momentum=0.5)


def rates(schedule: Any, optimizer: optim.Optimizer, epochs: range) -> list[Any]:
    found = make.rates(schedule, optimizer, epochs)
    assert [group["lr"] for group in optimizer.param_groups] == schedule.get_last_lr()
    return found


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_hundred_rates_are_those_of_pytorch(name: str) -> None:
    optimizer = optimizer_of_two_groups()
    schedule = SCHEDULES[name](lr_scheduler, optimizer)
    found = [[schedule.get_last_lr(), [0.0, 0.0]], *rates(schedule, optimizer, range(make.EPOCHS))]
    np.testing.assert_allclose(found, FIGURES["schedules"][name], rtol=1e-12, atol=1e-15)
    assert name == "chain" or schedule.last_epoch == make.EPOCHS


@pytest.mark.parametrize("kind", FIGURES["schedule signatures"])
def test_arguments_stand_where_they_stand_in_pytorch(kind: str) -> None:
    assert make.arguments(getattr(lr_scheduler, kind)) == FIGURES["schedule signatures"][kind]


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


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_goes_on_from_its_state(name: str) -> None:
    optimizer, other = optimizer_of_two_groups(), optimizer_of_two_groups()
    schedule = SCHEDULES[name](lr_scheduler, optimizer)
    rates(schedule, optimizer, range(5))
    twin = SCHEDULES[name](lr_scheduler, other)
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
    # As in PyTorch, the rate that was found is taken to be the one of the epoch that it resumes at.
    assert resumed.get_last_lr() == pytest.approx([0.2 / 16, 0.03 / 16])


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
        (lambda o: lr_scheduler.ConstantLR(o, factor=1.5), ValueError, "factor is to be between 0 and 1"),
        (lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 0), ValueError, "T_0 is a whole number of at least 1"),
        (lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 2, 1.5), ValueError, "T_mult is a whole number"),
        (lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 2).step(-1), ValueError, "an epoch is not negative"),
        (lambda o: lr_scheduler.OneCycleLR(o, 0.1), ValueError, "give total_steps, or epochs and steps_per_epoch"),
        (lambda o: lr_scheduler.OneCycleLR(o, 0.1, 0), ValueError, "total_steps is a whole number above 0, got 0"),
        (lambda o: lr_scheduler.OneCycleLR(o, [0.1], 9), ValueError, "1 values as max_lr for 2 parameter groups"),
        (lambda o: lr_scheduler.OneCycleLR(o, 0.1, 9, pct_start=2.0), ValueError, "pct_start is a float between"),
        (lambda o: lr_scheduler.OneCycleLR(o, 0.1, 9, anneal_strategy="up"), ValueError, "is 'cos' or 'linear'"),
        (lambda o: lr_scheduler.ReduceLROnPlateau(o, factor=1.0), ValueError, "factor is to be less than 1"),
        (lambda o: lr_scheduler.ReduceLROnPlateau(o, "least"), ValueError, "mode is 'min' or 'max', got 'least'"),
        (lambda o: lr_scheduler.SequentialLR(o, [], []), ValueError, "one schedule more than milestones"),
        (lambda o: lr_scheduler.SequentialLR(o, [lr_scheduler.ReduceLROnPlateau(o)], []), ValueError, "takes a metric"),
        (lambda o: lr_scheduler.ChainedScheduler([]), ValueError, "made of one schedule at least"),
        (
            lambda o: lr_scheduler.ChainedScheduler([lr_scheduler.StepLR(o, 1)], optimizer_of_two_groups()),
            ValueError,
            "is for another optimizer",
        ),
        (lambda o: lr_scheduler.LRScheduler(o), NotImplementedError, r"LRScheduler has no get_lr\(\)"),
    ],
)
def test_schedules_that_cannot_be_are_refused(make_schedule: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make_schedule(optimizer_of_two_groups())


def test_a_schedule_of_ones_own() -> None:
    class Halving(lr_scheduler.LRScheduler):
        def get_lr(self) -> list[float]:
            return [base / 2**self.last_epoch for base in self.base_lrs]

        def _get_closed_form_lr(self) -> list[float]:
            return [base / 2 ** (self.last_epoch + 1) for base in self.base_lrs]

    optimizer = optimizer_of_two_groups()
    schedule = Halving(optimizer)
    schedule.step()
    assert schedule.get_last_lr() == [0.1, 0.015]
    schedule.step(3)
    assert schedule.get_last_lr() == [0.2 / 16, 0.03 / 16] and schedule.last_epoch == 3


def test_a_cycle_that_is_over_is_refused() -> None:
    schedule = lr_scheduler.OneCycleLR(optimizer_of_two_groups(), 0.1, total_steps=3)
    for _ in range(3):
        schedule.step()
    with pytest.raises(ValueError, match="step 4 of a cycle of 3 steps"):
        schedule.step()


def test_a_cycle_turns_the_first_of_the_betas() -> None:
    optimizer = optim.Adam([nn.Parameter(gl.zeros(1))])
    schedule = lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=10)
    assert optimizer.param_groups[0]["betas"] == (0.95, 0.999)
    for _ in range(2):
        schedule.step()
    assert optimizer.param_groups[0]["betas"] == (pytest.approx(0.85), 0.999)
    with pytest.raises(ValueError, match="for optimizers with 'momentum' or 'betas'"):
        lr_scheduler.OneCycleLR(optim.Adagrad([nn.Parameter(gl.zeros(1))]), 0.1, total_steps=10)


def test_groups_that_come_later_have_a_lowest_rate_or_the_plateau_says_what_is_missing() -> None:
    for lowest, error in ((0.05, None), ([0.05, 0.05], "2 lowest rates for 3 parameter groups")):
        optimizer = optimizer_of_two_groups()
        schedule = lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=lowest)  # type: ignore[arg-type]
        optimizer.add_param_group({"params": nn.Parameter(gl.zeros(1)), "lr": 0.3})
        schedule.step(1.0)
        if error is None:
            schedule.step(1.0)
            assert schedule.get_last_lr() == [0.05, 0.03, 0.05]
        else:
            with pytest.raises(ValueError, match=error):
                schedule.step(1.0)


def test_cycles_keep_the_attributes_of_a_scale_that_is_an_object() -> None:
    class Falling:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def __call__(self, cycle: float) -> float:
            return self.factor**cycle

    made = lr_scheduler.CyclicLR(optimizer_of_two_groups(), 0.1, 0.2, 3, scale_fn=Falling(0.5))
    state = made.state_dict()
    assert state["_scale_fn_custom"] == {"factor": 0.5}
    other = lr_scheduler.CyclicLR(optimizer_of_two_groups(), 0.1, 0.2, 3, scale_fn=Falling(0.1))
    other.load_state_dict(state)
    assert other.scale_fn(2) == 0.25


def test_cycles_that_make_no_sense_are_refused() -> None:
    optimizer = optimizer_of_two_groups()
    with pytest.raises(ValueError, match="mode is one of triangular, triangular2, exp_range"):
        lr_scheduler.CyclicLR(optimizer, 0.1, 0.2, mode="square")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="3 values as max_lr for 2 parameter groups"):
        lr_scheduler.CyclicLR(optimizer, 0.1, [0.2, 0.3, 0.4])
    with pytest.raises(ValueError, match="cycle_momentum=True is for optimizers with 'momentum' or 'betas'"):
        lr_scheduler.CyclicLR(optim.Adagrad([nn.Parameter(gl.zeros(1))]), 0.1, 0.2)


def test_cycles_with_betas_move_the_first_of_them() -> None:
    optimizer = optim.Adam([nn.Parameter(gl.zeros(1))])
    schedule = lr_scheduler.CyclicLR(optimizer, 0.1, 0.2, 2)
    assert optimizer.param_groups[0]["betas"] == (0.9, 0.999)
    optimizer.step()
    schedule.step()
    assert optimizer.param_groups[0]["betas"] == pytest.approx((0.85, 0.999))
