"""Connectionist temporal classification, of padded targets, of targets in one, with empty ones and impossible ones."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {"x": (6, 3, 4), "one": (5, 4)}
CLASSES: dict[str, list[Any]] = {
    "t": [[1, 2, 3], [2, 2, 1], [3, 0, 0]],
    "flat": [1, 2, 3, 2, 2, 3],
    "frames": [6, 5, 3],
    "sizes": [3, 2, 1],
    "long": [[1, 1, 1], [2, 2, 1], [3, 3, 3]],
    "single": [2, 2],
}
_LOG = "F.log_softmax(x, 2)"

CASES = {
    "mean": f"F.ctc_loss({_LOG}, t, frames, sizes)",
    "sum": f"F.ctc_loss({_LOG}, t, (6, 6, 6), (3, 3, 1), reduction='sum')",
    "none": f"F.ctc_loss({_LOG}, t, frames, sizes, reduction='none')",
    "in one": f"F.ctc_loss({_LOG}, flat, (6, 6, 4), (3, 2, 1), reduction='none')",
    "of an empty target": f"F.ctc_loss({_LOG}, flat[:4], (6, 2, 4), (3, 0, 1))",
    "another blank": f"F.ctc_loss({_LOG}, t % 3, frames, sizes, blank=3)",
    "of log-probabilities as they are": "F.ctc_loss(x - 2, t, frames, sizes)",
    "impossible ones count as 0": (
        f"F.ctc_loss({_LOG}, long, (6, 4, 4), (3, 3, 3), reduction='none', zero_infinity=True)"
    ),
    "of one example": "F.ctc_loss(F.log_softmax(one, 1), single, lib.tensor(5), lib.tensor(2))",
    "CTCLoss": f"nn.CTCLoss(blank=1, reduction='sum', zero_infinity=True)({_LOG}, t * 0 + 2, frames, sizes)",
}

FIRST_ORDER = tuple(CASES)
"""PyTorch has no second derivative of it."""
