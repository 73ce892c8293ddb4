"""Writes the answers that `test_complex_answers.py` compares with. It needs PyTorch, and is run by hand:

python tests/tensor/answers/make_complex.py      (with PyTorch 2.13.0, CPU)
"""

from __future__ import annotations

import warnings

import torch
from complex_asking import ask, cases
from complex_keeping import write

if __name__ == "__main__":
    assert torch.__version__.startswith("2.13.0"), torch.__version__
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    answers = {name: ask(torch, name) for name in cases()}
    write(answers)
    print(len(answers), "answers")
