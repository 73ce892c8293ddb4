"""Writes the figures of linear algebra. It needs PyTorch 2.13 (CPU), and is run by hand:

python tests/linalg/figures/make.py
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

HERE = Path(__file__).parent

if __name__ == "__main__":
    path = HERE.parent.parent / "distributions" / "figures" / "make.py"
    spec = importlib.util.spec_from_file_location("distributions_figures_make", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(HERE / "cases.py", HERE / "figures.json")
