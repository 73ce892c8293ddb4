"""Training programs as people write them, one step function each, without a thought for compilers.

They are run jitted and compared with eager mode (`test_steps.py`), and timed (`benchmarks/steps.py`). A program is
changed only where it is wrong, never to suit the tracer. To add one, write it in a module of this folder.
"""

from frontend.tensors.steps import chances, objectives, optimizing, sequences, watching  # noqa: F401
from frontend.tensors.steps.record import PROGRAMS, Program, Training

__all__ = ["PROGRAMS", "Program", "Training"]
