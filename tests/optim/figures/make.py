"""Writes the figures that the tests of `optim` compare with. It needs PyTorch, and is run by hand:

    python tests/optim/figures/make.py      (with PyTorch 2.13.0, CPU)

Every case starts from the same parameters and takes the same made-up gradients, so that only the step is compared.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

STEPS = 100
SHAPES = ((3, 4), (5,), ())

OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "sgd": ("SGD", {"lr": 0.05}),
    "sgd decay": ("SGD", {"lr": 0.05, "weight_decay": 0.1}),
    "sgd momentum": ("SGD", {"lr": 0.05, "momentum": 0.9}),
    "sgd dampening": ("SGD", {"lr": 0.05, "momentum": 0.8, "dampening": 0.3, "weight_decay": 0.05}),
    "sgd nesterov": ("SGD", {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    "sgd maximize": ("SGD", {"lr": 0.05, "momentum": 0.5, "maximize": True, "weight_decay": 0.01}),
    "adam": ("Adam", {"lr": 0.01}),
    "adam betas": ("Adam", {"lr": 0.02, "betas": (0.3, 0.9), "eps": 1e-3}),
    "adam no first moment": ("Adam", {"lr": 0.02, "betas": (0.0, 0.99)}),
    "adam decay": ("Adam", {"lr": 0.01, "weight_decay": 0.1}),
    "adam amsgrad": ("Adam", {"lr": 0.01, "amsgrad": True}),
    "adam maximize": ("Adam", {"lr": 0.01, "maximize": True, "weight_decay": 0.1, "amsgrad": True}),
    "adamw": ("AdamW", {"lr": 0.01}),
    "adamw decay": ("AdamW", {"lr": 0.01, "weight_decay": 0.3, "amsgrad": True}),
    "adamw maximize": ("AdamW", {"lr": 0.01, "weight_decay": 0.3, "maximize": True}),
    "adagrad": ("Adagrad", {}),
    "adagrad decay": ("Adagrad", {"lr": 0.1, "lr_decay": 0.05, "weight_decay": 0.1, "initial_accumulator_value": 0.5}),
    "adagrad maximize": ("Adagrad", {"lr": 0.1, "maximize": True, "eps": 1e-3}),
    "rmsprop": ("RMSprop", {}),
    "rmsprop momentum": ("RMSprop", {"lr": 0.005, "momentum": 0.8, "weight_decay": 0.1}),
    "rmsprop centered": ("RMSprop", {"lr": 0.005, "alpha": 0.9, "eps": 1e-2, "centered": True, "maximize": True}),
    "rmsprop all": ("RMSprop", {"lr": 0.005, "alpha": 0.4, "eps": 1e-2, "centered": True, "momentum": 0.5}),
    "nadam": ("NAdam", {}),
    "nadam decay": ("NAdam", {"lr": 0.01, "weight_decay": 0.1, "momentum_decay": 0.02, "betas": (0.4, 0.9)}),
    "nadam decoupled": ("NAdam", {"lr": 0.01, "weight_decay": 0.3, "decoupled_weight_decay": True, "maximize": True}),
}

EPOCHS = 100

SCHEDULES: dict[str, Callable[[Any, Any], Any]] = {
    "step": lambda s, o: s.StepLR(o, step_size=4, gamma=0.3),
    "milestones": lambda s, o: s.MultiStepLR(o, [3, 8, 8, 40], gamma=0.5),
    "exponential": lambda s, o: s.ExponentialLR(o, gamma=0.9),
    "cosine": lambda s, o: s.CosineAnnealingLR(o, T_max=7, eta_min=0.001),
    "linear": lambda s, o: s.LinearLR(o, start_factor=0.25, end_factor=0.75, total_iters=6),
    "linear default": lambda s, o: s.LinearLR(o),
    "constant": lambda s, o: s.ConstantLR(o, factor=0.25, total_iters=7),
    "polynomial": lambda s, o: s.PolynomialLR(o, total_iters=30, power=2.5),
    "lambda": lambda s, o: s.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: 1 / (epoch + 1)]),
    "multiplicative": lambda s, o: s.MultiplicativeLR(o, lambda epoch: 0.97 + epoch % 3 * 0.01),
    "restarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, T_0=6),
    "longer restarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, T_0=4, T_mult=2, eta_min=0.002),
    "one cycle": lambda s, o: s.OneCycleLR(o, max_lr=[0.5, 0.2], total_steps=110),
    "one cycle linear": lambda s, o: s.OneCycleLR(
        o, 0.4, epochs=11, steps_per_epoch=10, anneal_strategy="linear", three_phase=True, base_momentum=0.5
    ),
    "one cycle without momentum": lambda s, o: s.OneCycleLR(o, 0.4, 100, cycle_momentum=False, pct_start=0.1),
    "plateau": lambda s, o: s.ReduceLROnPlateau(o, factor=0.5, patience=2, cooldown=3, min_lr=[0.001, 0.01]),
    "plateau max": lambda s, o: s.ReduceLROnPlateau(o, "max", 0.7, 4, 0.05, "abs", min_lr=0.01),
    "sequence": lambda s, o: s.SequentialLR(
        o, [s.ConstantLR(o, 0.1, 20), s.ExponentialLR(o, 0.9), s.CosineAnnealingLR(o, 50)], milestones=[10, 40]
    ),
    "sequence of linear": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.01, total_iters=8), s.StepLR(o, 20, 0.5)], milestones=[8]
    ),
    "chain": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 20), s.ExponentialLR(o, 0.97)]),
}

NORMS = (2.0, 1.0, math.inf, 3.5, 0.5)

AVERAGES: dict[str, Callable[[Any], dict[str, Any]]] = {
    "mean": lambda s: {},
    "mean of many": lambda s: {"multi_avg_fn": s.get_swa_multi_avg_fn()},
    "mean of one": lambda s: {"avg_fn": s.get_swa_avg_fn()},
    "ema": lambda s: {"multi_avg_fn": s.get_ema_multi_avg_fn(0.9)},
    "ema that forgets": lambda s: {"multi_avg_fn": s.get_ema_multi_avg_fn(0.25)},
    "ema of one": lambda s: {"avg_fn": s.get_ema_avg_fn()},
    "buffers too": lambda s: {"multi_avg_fn": s.get_ema_multi_avg_fn(), "use_buffers": True},
}

SCHEDULE_KINDS = (
    "ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts ExponentialLR LambdaLR LinearLR "
    "MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR StepLR"
).split()

SPARSE: dict[str, tuple[str, dict[str, Any]]] = {
    "adagrad": ("Adagrad", {"lr": 0.1, "lr_decay": 0.05, "initial_accumulator_value": 0.25}),
    "adagrad maximize": ("Adagrad", {"lr": 0.1, "maximize": True}),
}

LOADED = ("adam amsgrad", "sgd nesterov", "adamw", "adagrad decay", "rmsprop all", "nadam decoupled")


def start(shape: tuple[int, ...]) -> list[float]:
    """The elements of a parameter before the first step."""
    return [math.sin(1.7 * index + 0.3) for index in range(math.prod(shape))]


def gradient(step: int, shape: tuple[int, ...]) -> list[float]:
    """The elements of its gradient at a step."""
    return [math.cos(0.7 * step + 1.3 * index) * 10.0 ** (-index % 3) for index in range(math.prod(shape))]


def arguments(function: Any) -> list[Any]:
    """Name, kind and default of each argument."""
    return [
        [each.name, each.kind.name, None if each.default is inspect.Parameter.empty else repr(each.default)]
        for each in inspect.signature(function).parameters.values()
    ]


def trained(torch: Any, kind: str, settings: dict[str, Any], dtype: str) -> tuple[Any, list[Any]]:
    of = getattr(torch, dtype)
    params = [torch.nn.Parameter(torch.tensor(start(shape), dtype=of).reshape(shape)) for shape in SHAPES]
    optimizer = getattr(torch.optim, kind)(params, foreach=False, **settings)
    for step in range(STEPS):
        for param, shape in zip(params, SHAPES):
            param.grad = torch.tensor(gradient(step, shape), dtype=of).reshape(shape)
        optimizer.step()
    return optimizer, params


def plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def state(optimizer: Any) -> dict[str, Any]:
    saved = optimizer.state_dict()
    found = {index: {name: plain(value) for name, value in each.items()} for index, each in saved["state"].items()}
    return {"state": found, "param_groups": saved["param_groups"]}


def rows(step: int) -> list[int]:
    """The rows of a table that have a gradient at a step; one of them twice."""
    return [step % 5, (3 * step + 1) % 5, step % 5]


def _sparse(torch: Any, kind: str, settings: dict[str, Any]) -> list[Any]:
    table = torch.nn.Parameter(torch.tensor(start((5, 3)), dtype=torch.float64).reshape(5, 3))
    optimizer = getattr(torch.optim, kind)([table], **settings)
    for step in range(STEPS):
        values = torch.tensor(gradient(step, (3, 3)), dtype=torch.float64).reshape(3, 3)
        table.grad = torch.sparse_coo_tensor(torch.tensor([rows(step)]), values, (5, 3))
        optimizer.step()
    return [plain(table), *[plain(each) for each in optimizer.state[table].values()]]


def _clipped(torch: Any, order: float | None) -> list[Any]:
    params = [torch.nn.Parameter(torch.zeros(shape, dtype=torch.float64)) for shape in SHAPES]
    for param, shape in zip(params, SHAPES):
        param.grad = torch.tensor(gradient(1, shape), dtype=torch.float64).reshape(shape)
    if order is None:
        torch.nn.utils.clip_grad_value_(params, 0.75)
        return [plain(param.grad) for param in params]
    total = torch.nn.utils.clip_grad_norm_(params, 1.5, order)
    return [plain(total), *[plain(param.grad) for param in params]]


def _averaged(torch: Any, make: Callable[[Any], dict[str, Any]]) -> list[Any]:
    model = torch.nn.Linear(3, 2).double()
    averaged = torch.optim.swa_utils.AveragedModel(model, **make(torch.optim.swa_utils))
    for step in range(20):
        with torch.no_grad():
            for param in model.parameters():
                param.copy_(torch.tensor(gradient(step, tuple(param.shape)), dtype=torch.float64).reshape(param.shape))
        averaged.update_parameters(model)
    return [plain(each) for each in averaged.state_dict().values()]


def metric(epoch: int) -> float:
    """The metric that a schedule is told of an epoch."""
    return 1.0 / (1 + epoch % 17) + 0.3 * math.sin(epoch)


def rates(schedule: Any, optimizer: Any, epochs: range) -> list[list[list[float]]]:
    """The rates and the momenta of all groups after each epoch. At epoch 12, somebody else sets one of the rates."""
    found = []
    for epoch in epochs:
        if epoch == 12:
            optimizer.param_groups[1]["lr"] = 0.05
        optimizer.step()
        schedule.step(*[metric(epoch)] if type(schedule).__name__ == "ReduceLROnPlateau" else [])
        found.append([schedule.get_last_lr(), [group["momentum"] for group in optimizer.param_groups]])
    return found


def schedule_of(torch: Any, make: Callable[[Any, Any], Any]) -> list[Any]:
    params = [torch.nn.Parameter(torch.zeros(1)) for _ in range(2)]
    optimizer = torch.optim.SGD([{"params": params[0]}, {"params": params[1], "lr": 0.03}], lr=0.2, momentum=0.5)
    schedule = make(torch.optim.lr_scheduler, optimizer)
    return [[schedule.get_last_lr(), [0.0, 0.0]], *rates(schedule, optimizer, range(EPOCHS))]


def main() -> None:
    """Writes torch.json beside this file."""
    import torch

    figures: dict[str, Any] = {"origin": f"PyTorch {torch.__version__}, single tensor", "optimizers": {}}
    for name, (kind, settings) in OPTIMIZERS.items():
        figures["optimizers"][name] = {
            dtype: [plain(param) for param in trained(torch, kind, settings, dtype)[1]]
            for dtype in ("float32", "float64")
        }
    figures["states"] = {name: state(trained(torch, *OPTIMIZERS[name], "float64")[0]) for name in LOADED}
    kinds = sorted({kind for kind, _ in OPTIMIZERS.values()})
    figures["defaults"] = {kind: repr(getattr(torch.optim, kind)([torch.zeros(1)])) for kind in kinds}
    figures["signatures"] = {kind: arguments(getattr(torch.optim, kind)) for kind in kinds}
    figures["schedule signatures"] = {
        kind: arguments(getattr(torch.optim.lr_scheduler, kind)) for kind in SCHEDULE_KINDS
    }
    figures["sparse"] = {name: _sparse(torch, *case) for name, case in SPARSE.items()}
    figures["clipped"] = {str(order): _clipped(torch, order) for order in NORMS}
    figures["clipped by value"] = _clipped(torch, None)
    figures["averages"] = {name: _averaged(torch, make) for name, make in AVERAGES.items()}
    figures["schedules"] = {name: schedule_of(torch, case) for name, case in SCHEDULES.items()}
    (Path(__file__).parent / "torch.json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
