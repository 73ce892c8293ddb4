"""Writes the figures of distributions. It needs PyTorch 2.13 (CPU), and is run by hand:

    python tests/distributions/figures/make.py

The cases are those of cases.py beside it, and are computed as the figures of `nn` are (tests/nn/figures/make.py).
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def module_at(path: Path) -> Any:
    """The module in a file."""
    spec = importlib.util.spec_from_file_location(f"figures_of_{path.parent.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(cases: Path, target: Path) -> None:
    """Computes the cases of a file with PyTorch, and writes the figures."""
    import torch

    evaluate = module_at(HERE.parent.parent / "nn" / "figures" / "make.py").evaluate

    def make(data: Any, shape: tuple[int, ...] | None) -> Any:
        if shape is None:
            return torch.tensor(data)
        return torch.tensor(data, dtype=torch.float64).reshape(shape).requires_grad_()

    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    given = module_at(cases)
    figures, wrong = {}, []
    for case in given.CASES:
        try:
            figures[case] = evaluate(case, given, torch, make)
        except Exception as error:
            wrong.append(f"{case}: {given.CASES[case]}: {type(error).__name__}: {error}")
    if wrong:
        sys.exit("\n".join(wrong))
    target.write_text(json.dumps({"origin": f"PyTorch {torch.__version__}", "cases": figures}) + "\n")


if __name__ == "__main__":
    write(HERE / "cases.py", HERE / "figures.json")
