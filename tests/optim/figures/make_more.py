"""Writes `more.json`: figures like those of `make.py`, of further optimizers. It needs PyTorch, and is run by hand:

python tests/optim/figures/make_more.py      (with PyTorch 2.13.0, CPU)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "adadelta": ("Adadelta", {}),
    "adadelta decay": ("Adadelta", {"lr": 0.3, "rho": 0.8, "eps": 1e-3, "weight_decay": 0.1}),
    "adadelta maximize": ("Adadelta", {"lr": 0.5, "maximize": True}),
    "adamax": ("Adamax", {}),
    "adamax decay": ("Adamax", {"lr": 0.01, "weight_decay": 0.1, "betas": (0.3, 0.9), "eps": 1e-2}),
    "adamax maximize": ("Adamax", {"lr": 0.01, "maximize": True}),
    "radam": ("RAdam", {"lr": 0.01}),
    "radam betas": ("RAdam", {"lr": 0.02, "betas": (0.4, 0.9), "eps": 1e-3, "weight_decay": 0.1}),
    "radam decoupled": ("RAdam", {"lr": 0.01, "weight_decay": 0.3, "decoupled_weight_decay": True, "maximize": True}),
    "radam never adapts": ("RAdam", {"lr": 0.01, "betas": (0.9, 0.6)}),
    "rprop": ("Rprop", {}),
    "rprop settings": ("Rprop", {"lr": 0.05, "etas": (0.3, 1.7), "step_sizes": (1e-3, 0.2)}),
    "rprop maximize": ("Rprop", {"lr": 0.02, "maximize": True}),
    "asgd": ("ASGD", {}),
    "asgd averages": ("ASGD", {"lr": 0.05, "lambd": 0.01, "alpha": 0.6, "t0": 20.0, "weight_decay": 0.1}),
    "asgd maximize": ("ASGD", {"lr": 0.02, "t0": 3, "maximize": True}),
}

LOADED = ("adadelta decay", "adamax", "radam betas", "rprop settings", "asgd averages")


def main(torch: Any, make: Any) -> None:
    """Writes the figures beside this file."""
    kinds = sorted({kind for kind, _ in OPTIMIZERS.values()})
    figures: dict[str, Any] = {
        "origin": f"PyTorch {torch.__version__}, single tensor",
        "optimizers": {
            name: {
                dtype: [make.plain(param) for param in make.trained(torch, kind, settings, dtype)[1]]
                for dtype in ("float32", "float64")
            }
            for name, (kind, settings) in OPTIMIZERS.items()
        },
        "states": {name: make.state(make.trained(torch, *OPTIMIZERS[name], "float64")[0]) for name in LOADED},
        "defaults": {kind: repr(getattr(torch.optim, kind)([torch.zeros(1)])) for kind in kinds},
        "signatures": {kind: make.arguments(getattr(torch.optim, kind)) for kind in kinds},
    }
    (HERE / "more.json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    import make
    import torch  # type: ignore[import-not-found]

    main(torch, make)
