"""Writes the figures that the tests of `nn` compare with. It needs PyTorch, and is run by hand:

    python tests/nn/figures/make.py [FAMILY ...]      (with PyTorch 2.13.0, CPU)

Each file of `cases/` is a family: `FLOATS` and `CLASSES` name made-up tensors, `CASES` are expressions over `F`
(functional), `nn`, `lib` (the library itself), the tensors, and `fixed(module)`, which gives a module made-up
parameters. An expression gives a tensor, or a tuple or list of them. Stored, as float64, are its values; the gradients
of a weighted sum of them by the tensors and by the parameters of the modules that were `fixed`; and the gradients of a
weighted sum of those, where they have a history (name it in `FIRST_ORDER` where PyTorch has no second derivative).
The tests evaluate the same expressions over guardlift's modules.
"""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def families() -> list[str]:
    """The names of the files of cases."""
    return sorted(each.stem for each in (HERE / "cases").glob("*.py"))


def family(name: str) -> Any:
    """The module of the cases of a family."""
    spec = importlib.util.spec_from_file_location(f"nn_cases_{name}", HERE / "cases" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values(shape: tuple[int, ...], seed: int) -> list[float]:
    """Made-up elements, of both signs."""
    return [2.0 * math.sin(2.3 * index + seed) + 0.1 * seed for index in range(math.prod(shape))]


def evaluate(case: str, cases: Any, library: Any, make: Callable[[Any, tuple[int, ...] | None], Any]) -> dict[str, Any]:
    """The values of the expression, with the gradients of first and second order by the name of the tensor.

    `make(data, shape)` gives a tensor of floats that requires grad, or one of the type of the data where shape is None.
    """
    tensors = {name: make(values(shape, seed), shape) for seed, (name, shape) in enumerate(cases.FLOATS.items())}
    leaves = dict(tensors)

    def fixed(module: Any) -> Any:
        for seed, (name, parameter) in enumerate(module.named_parameters()):
            shape = tuple(parameter.shape)
            parameter.data = make([0.3 * each for each in values(shape, seed + 20)], shape).detach()
            leaves[f"{len(leaves)}.{name}"] = parameter
        example = next(iter(tensors.values()))
        for buffer in module.buffers():
            if buffer.is_floating_point():
                buffer.data = buffer.data.to(example.dtype)
        return module

    names = tensors | {name: make(data, None) for name, data in cases.CLASSES.items()}
    names |= {"F": library.nn.functional, "nn": library.nn, "lib": library, "fixed": fixed}
    result = eval(cases.CASES[case], names)
    parts = list(result) if isinstance(result, (tuple, list)) else [result]
    found: dict[str, Any] = {"values": [part.detach().tolist() for part in parts]}
    floats = [part for part in parts if part.requires_grad]
    total = sum((part * _weights(part, make, 11)).sum() for part in floats)
    twice = case not in getattr(cases, "FIRST_ORDER", ())
    gradients = library.autograd.grad(total, list(leaves.values()), create_graph=twice, allow_unused=True)
    found["gradients"] = {n: g.detach().tolist() for n, g in zip(leaves, gradients, strict=True) if g is not None}
    with_history = [each for each in gradients if each is not None and each.requires_grad]
    if twice and with_history:
        total = sum((each * _weights(each, make, 7)).sum() for each in with_history)
        second = library.autograd.grad(total, list(leaves.values()), allow_unused=True)
        found["second"] = {n: (g + 0.0).tolist() for n, g in zip(leaves, second, strict=True) if g is not None}
    return found


def _weights(tensor: Any, make: Callable[[Any, tuple[int, ...] | None], Any], seed: int) -> Any:
    return make(values(tuple(tensor.shape), seed), tuple(tensor.shape)).detach()


def main() -> None:
    """Writes the figures of each family beside its cases."""
    import torch

    def make(data: Any, shape: tuple[int, ...] | None) -> Any:
        if shape is None:
            return torch.tensor(data)
        return torch.tensor(data, dtype=torch.float64).reshape(shape).requires_grad_()

    torch.set_default_dtype(torch.float64)
    for name in sys.argv[1:] or families():
        cases = family(name)
        figures = {case: evaluate(case, cases, torch, make) for case in cases.CASES}
        text = json.dumps({"origin": f"PyTorch {torch.__version__}", "cases": figures})
        (HERE / "cases" / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
