"""Writes the answers that `test_answers.py` compares with. It needs PyTorch, and is run by hand:

    python tests/tensor/answers/make.py      (with PyTorch 2.13.0, CPU)

What is asked stands in functions.txt and operands.py. A new line there is answered when this has run again.
"""

from __future__ import annotations

import stored
import torch
from asking import ask, cases


def main() -> None:
    """Asks PyTorch everything, and writes down what it says."""
    assert torch.__version__.startswith("2.13.0"), torch.__version__
    torch.manual_seed(0)
    torch.set_num_threads(1)
    listed = cases()
    answers = {case.name: ask(torch, torch.nn.functional, case) for case in listed}
    stored.write(f"PyTorch {torch.__version__}", answers)
    print(f"{len({case.function for case in listed})} functions, {len(listed)} cases, {len(answers)} answers")


if __name__ == "__main__":
    main()
