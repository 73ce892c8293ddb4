"""Figures of the programs, computed with PyTorch: ``python tests/func/figures/make.py`` where PyTorch is installed."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import torch
from programs import ERRORS, VALUES, arrays

HERE = Path(__file__).parent


def under_no_grad(function: Any) -> Any:
    """The result of `function` in no_grad mode."""
    with torch.no_grad():
        return function()


def written(x: Any) -> Any:
    """`x` after some writes."""
    x[0] = x[1] + x[2]
    x[1:] *= 2
    return x.add_(1).sin()


def called(text: str) -> Any:
    """The result of a program."""
    names = {"gl": torch, "F": torch.func, "nn": torch.nn, "under_no_grad": under_no_grad, "written": written}
    program = eval(text, names)
    given = {name: torch.tensor(each) for name, each in arrays().items()}
    return program(*(given[name] for name in inspect.signature(program).parameters))


def stored(value: Any) -> Any:
    """A tree of tensors as JSON has it: a tensor is a dict of its dtype, its shape and its elements."""
    if isinstance(value, dict):
        return {name: stored(each) for name, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [stored(each) for each in value]
    return {
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": list(value.shape),
        "elements": value.detach().flatten().tolist(),
        "requires_grad": value.requires_grad,
    }


def raised(text: str) -> str:
    """The class of the error that a program raises."""
    try:
        called(text)
    except Exception as error:
        return type(error).__name__
    raise AssertionError(f"{text} raises nothing")


def main() -> None:
    """Writes both files anew."""
    values = {name: stored(called(text)) for name, text in VALUES.items()}
    errors = {name: raised(text) for name, text in ERRORS.items()}
    for name, found in (("values", values), ("errors", errors)):
        lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(each)}" for key, each in found.items())
        (HERE / f"{name}.json").write_text("{\n" + lines + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
