"""Writes the answers that `test_complex_answers.py` compares with. It needs PyTorch, and is run by hand:

python tests/tensor/complex_answers/make.py      (with PyTorch 2.13.0, CPU)
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import torch
from asking import ask, cases

if __name__ == "__main__":
    assert torch.__version__.startswith("2.13.0"), torch.__version__
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    arrays = {}
    for number, name in enumerate(cases()):
        arrays[f"{number}"] = np.array(name)
        for place, each in enumerate(ask(torch, name)):
            arrays[f"{number} {place}"] = np.asarray(each)
    np.savez_compressed(Path(__file__).parent / "torch.npz", **arrays)
    print(len(cases()), "answers")
