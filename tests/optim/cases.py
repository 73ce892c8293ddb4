"""The figures of PyTorch that the tests of `optim` compare with, and the same training over guardlift's tensors."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import guardlift as gl
from guardlift import nn, optim

_HERE = Path(__file__).parent


def _script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"optim_figures_{name}", _HERE / "figures" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make, more = _script("make"), _script("make_more")

FIGURES: dict[str, Any] = json.loads((_HERE / "figures" / "torch.json").read_text())
for _key, _found in json.loads((_HERE / "figures" / "more.json").read_text()).items():
    if isinstance(_found, dict):
        FIGURES[_key] = {**FIGURES.get(_key, {}), **_found}
OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {**make.OPTIMIZERS, **more.OPTIMIZERS}
SCHEDULES: dict[str, Any] = {**make.SCHEDULES, **more.SCHEDULES}
LOADED = (*make.LOADED, *more.LOADED)


def parameters(dtype: str = "float64") -> list[nn.Parameter]:
    """The parameters that every case starts from."""
    of = getattr(gl, dtype)
    return [nn.Parameter(gl.tensor(make.start(shape), dtype=of).reshape(shape)) for shape in make.SHAPES]


def train(optimizer: optim.Optimizer, params: list[nn.Parameter], steps: range) -> None:
    """Steps with the made-up gradients."""
    for step in steps:
        for param, shape in zip(params, make.SHAPES):
            param.grad = gl.tensor(make.gradient(step, shape), dtype=param.dtype).reshape(shape)
        optimizer.step()


def optimizer_of(name: str, params: list[nn.Parameter]) -> optim.Optimizer:
    """The optimizer of a case."""
    kind, settings = OPTIMIZERS[name]
    return getattr(optim, kind)(params, **settings)
