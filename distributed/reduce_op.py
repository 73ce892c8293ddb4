"""The operations that combine the elements of all processes."""

from __future__ import annotations

from enum import Enum


class ReduceOp(Enum):
    """The ways to combine the elements of all processes into one, as in `torch.distributed`.

    AVG is the sum, divided by the number of processes; it takes floats and complex numbers.
    """

    SUM = "sum"
    AVG = "avg"
    MAX = "max"
    MIN = "min"
    PRODUCT = "product"
