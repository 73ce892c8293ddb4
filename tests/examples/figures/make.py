"""Writes what the first losses of the examples of models are under PyTorch. It needs PyTorch, and is run by hand:

    OMP_NUM_THREADS=1 python tests/examples/figures/make.py [EXAMPLE ...]      (with PyTorch 2.13.0, CPU)

The examples are run as they are, with PyTorch where they take the library, from weights and draws of NumPy's.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples"
STEPS = {
    "balance": 20,
    "characters": 10,
    "diffusion": 20,
    "digits_convolution": 10,
    "pendulum": 3,
    "recurrent_words": 5,
    "vae": 20,
}


def main() -> None:
    """Writes torch.json beside this file; examples that are not asked for keep their figures."""
    import torch

    sys.path.insert(0, str(EXAMPLES))
    sys.modules["guardlift"] = torch  # what `side_by_side` would compare with; here PyTorch alone runs
    side_by_side = importlib.import_module("side_by_side")
    file = HERE / "torch.json"
    found = json.loads(file.read_text())["losses"] if file.exists() else {}
    for name in sys.argv[1:] or STEPS:
        found[name] = side_by_side.losses(importlib.import_module(name).training, STEPS[name], torch)
    text = json.dumps({"origin": f"PyTorch {torch.__version__}", "losses": dict(sorted(found.items()))}, indent=1)
    file.write_text(text + "\n")


if __name__ == "__main__":
    main()
