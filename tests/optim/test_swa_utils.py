from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from optim.cases import FIGURES, make

import guardlift as gl
from guardlift import nn
from guardlift.optim import swa_utils


def set_weights(model: nn.Module, step: int) -> None:
    with gl.no_grad():
        for param in model.parameters():
            param.copy_(gl.tensor(make.gradient(step, param.shape), dtype=gl.float64).reshape(param.shape))


@pytest.mark.parametrize("name", make.AVERAGES)
def test_averages_are_those_of_pytorch(name: str) -> None:
    model = nn.Linear(3, 2).double()
    averaged = swa_utils.AveragedModel(model, **make.AVERAGES[name](swa_utils))
    for step in range(20):
        set_weights(model, step)
        averaged.update_parameters(model)
    state = averaged.state_dict()
    assert list(state) == ["n_averaged", "module.weight", "module.bias"]
    for mine, expected in zip(state.values(), FIGURES["averages"][name], strict=True):
        # PyTorch's function for many takes the reciprocal of the count in float32.
        tolerance = 1e-6 if name == "mean of many" else 1e-12
        np.testing.assert_allclose(mine.tolist(), expected, rtol=tolerance, atol=1e-14)


def test_the_model_is_copied_and_left_alone() -> None:
    model = nn.Linear(2, 1)
    averaged = swa_utils.AveragedModel(model)
    assert averaged.module is not model and averaged.module.weight.tolist() == model.weight.tolist()
    with gl.no_grad():
        model.weight.fill_(3.0)
    averaged.update_parameters(model)
    assert averaged.module.weight.tolist() == [[3.0, 3.0]] and averaged.n_averaged.item() == 1
    with gl.no_grad():
        model.weight.fill_(5.0)
    averaged.update_parameters(model)
    assert averaged.module.weight.tolist() == [[4.0, 4.0]] and model.weight.tolist() == [[5.0, 5.0]]
    x = gl.ones(1, 2)
    assert averaged(x).tolist() == averaged.module(x).tolist()
    assert averaged.module.weight.requires_grad and averaged.module.weight.is_leaf


def test_the_first_update_copies_whatever_was_there() -> None:
    model = nn.Linear(2, 1)
    averaged = swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn())
    with gl.no_grad():
        averaged.module.weight.fill_(float("nan"))
    averaged.update_parameters(model)
    assert averaged.module.weight.tolist() == model.weight.tolist()


class Counting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(gl.zeros(2))
        self.register_buffer("seen", gl.zeros(()))


def test_buffers_are_copied_or_averaged() -> None:
    for use_buffers, expected in ((False, 4.0), (True, 3.0)):
        model = Counting()
        averaged = swa_utils.AveragedModel(model, use_buffers=use_buffers)
        for seen in (2.0, 4.0):
            model.seen.fill_(seen)
            averaged.update_parameters(model)
        assert averaged.module.seen.item() == expected


def test_a_function_of_ones_own_is_asked_from_the_second_update_on() -> None:
    asked: list[Any] = []

    def largest(averages: Any, weights: Any, count: Any) -> None:
        asked.append((len(averages), int(count)))
        for average, weight in zip(averages, weights):
            average.copy_(gl.maximum(average, weight))

    model = nn.Linear(1, 1)
    averaged = swa_utils.AveragedModel(model, multi_avg_fn=largest)
    for value in (1.0, 3.0, 2.0):
        with gl.no_grad():
            model.weight.fill_(value)
        averaged.update_parameters(model)
    assert averaged.module.weight.item() == 3.0 and asked == [(2, 1), (2, 2)]


def test_averages_are_copied_pickled_and_loaded() -> None:
    model = nn.Linear(2, 1)
    averaged = swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.5))
    averaged.update_parameters(model)
    for twin in (copy.deepcopy(averaged), pickle.loads(pickle.dumps(averaged))):
        other = nn.Linear(2, 1)
        twin.update_parameters(other)
        assert twin.n_averaged.item() == 2
    fresh = swa_utils.AveragedModel(nn.Linear(2, 1))
    fresh.load_state_dict(averaged.state_dict())
    assert fresh.n_averaged.item() == 1 and fresh.module.weight.tolist() == averaged.module.weight.tolist()


def test_what_makes_no_sense_is_refused() -> None:
    for make_average in (swa_utils.get_ema_avg_fn, swa_utils.get_ema_multi_avg_fn):
        with pytest.raises(ValueError, match="decay is to be between 0 and 1, got 1.5"):
            make_average(1.5)
    with pytest.raises(ValueError, match="not both"):
        swa_utils.AveragedModel(
            nn.Linear(1, 1), avg_fn=swa_utils.get_swa_avg_fn(), multi_avg_fn=swa_utils.get_swa_multi_avg_fn()
        )


def test_rates_on_the_way_to_that_of_averaging_are_those_of_pytorch() -> None:
    for settings, expected in (
        (
            {"swa_lr": 0.05, "anneal_epochs": 4},
            [[0.2, 0.03], [0.17803300858899107, 0.03292893218813452], [0.125, 0.04],
             [0.07196699141100894, 0.04707106781186548], [0.05, 0.05], [0.05, 0.05]],
        ),
        (
            {"swa_lr": [0.05, 0.5], "anneal_epochs": 3, "anneal_strategy": "linear"},
            [[0.2, 0.03], [0.15, 0.56 / 3], [0.1, 1.03 / 3], [0.05, 0.5], [0.05, 0.5], [0.05, 0.5]],
        ),
        ({"swa_lr": 0.01, "anneal_epochs": 0}, [[0.01, 0.01]] * 6),
    ):  # fmt: skip
        params = [nn.Parameter(gl.zeros(1)) for _ in range(2)]
        optimizer = gl.optim.SGD([{"params": params[0]}, {"params": params[1], "lr": 0.03}], lr=0.2)
        schedule = swa_utils.SWALR(optimizer, **settings)
        found = [schedule.get_last_lr()]
        for epoch in range(5):
            if epoch == 2:
                optimizer.param_groups[1]["lr"] = 0.04  # somebody else's; the way goes on from there
                schedule = pickle.loads(pickle.dumps(schedule))
                schedule.optimizer = optimizer
            schedule.step()
            found.append(schedule.get_last_lr())
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert [group["swa_lr"] for group in optimizer.param_groups] == np.broadcast_to(settings["swa_lr"], 2).tolist()
    for wrong, message in (({"anneal_strategy": "cosine"}, "'cos' or 'linear'"), ({"anneal_epochs": -1}, "got -1")):
        with pytest.raises(ValueError, match=message):
            swa_utils.SWALR(optimizer, 0.1, **wrong)


def test_statistics_are_made_of_one_pass_over_the_data() -> None:
    model = nn.Sequential(nn.BatchNorm1d(2, momentum=0.3), nn.Linear(2, 1), nn.Dropout(0.5)).eval()
    x = gl.arange(12.0).reshape(3, 2, 2)
    for _ in range(2):  # what was there before is forgotten
        swa_utils.update_bn([x[0], (x[1] ** 2, None), [x[2]]], model, device="cpu")
        norm = model[0]
        assert norm.running_mean.tolist() == pytest.approx([11.999999046325684, 16.333332061767578], rel=1e-6)
        assert norm.running_var.tolist() == pytest.approx([67.99999237060547, 97.33332824707031], rel=1e-6)
        assert norm.num_batches_tracked.item() == 3 and norm.momentum == 0.3
        assert not any(module.training for module in model.modules())
    swa_utils.update_bn(iter([None]), nn.Linear(1, 1))  # no such layer: nothing runs
