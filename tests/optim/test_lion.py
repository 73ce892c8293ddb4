from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from optim.cases import make, parameters, train

from guardlift import optim


def reference(param: np.ndarray, gradients: list[np.ndarray], lr: float, betas: Any, weight_decay: float) -> np.ndarray:
    """Program 1 of the paper, as it stands there."""
    momentum = np.zeros_like(param)
    for gradient in gradients:
        update = np.sign(gradient * (1 - betas[0]) + momentum * betas[0])
        momentum = gradient * (1 - betas[1]) + momentum * betas[1]
        update = update + param * weight_decay
        param = param - update * lr
    return param


@pytest.mark.parametrize(
    "settings",
    [{}, {"lr": 0.01, "weight_decay": 0.3}, {"lr": 0.02, "betas": (0.5, 0.6), "maximize": True}],
    ids=["default", "decay", "maximize"],
)
def test_a_hundred_steps_are_those_of_the_papers_program(settings: dict[str, Any]) -> None:
    params = parameters()
    optimizer = optim.Lion(params, **settings)
    train(optimizer, params, range(make.STEPS))
    sign = -1.0 if settings.get("maximize") else 1.0
    numbers = {"lr": 1e-4, "betas": (0.9, 0.99), "weight_decay": 0.0, **settings}
    numbers.pop("maximize", None)
    for param, shape in zip(params, make.SHAPES):
        gradients = [sign * np.reshape(make.gradient(step, shape), shape) for step in range(make.STEPS)]
        expected = reference(np.reshape(make.start(shape), shape), gradients, **numbers)
        np.testing.assert_allclose(param.tolist(), expected, rtol=1e-12)
        assert list(optimizer.state[param]) == ["exp_avg"]
