"""Breaks at loops and branches that are not compiled as one, and the reasons why they are not."""

from __future__ import annotations

from .graph_break import BreakKind

TENSOR_BRANCH = BreakKind(
    "B104",
    "a branch on the data of a tensor, because of {reason}",
    "Both arms of such a branch are traced as one operation, and must leave the same things behind",
    "let both arms give tensors of one form and do nothing else, use where(condition, a, b), or move the branch "
    "outside the jitted function",
)
LEFT_LOOP = BreakKind(
    "B313",
    "a loop over elements that is left to Python, because of {reason}",
    "A native loop has no form for that or gains nothing, and round by round such a loop is slower compiled than not",
    "take this statement out of the loop, or write it with what native loops know (see the documentation)",
)
