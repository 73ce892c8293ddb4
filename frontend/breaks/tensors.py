"""Breaks at tensors, their gradients and what has a say in these."""

from __future__ import annotations

from .graph_break import BreakKind

INPLACE_HISTORY = BreakKind(
    "B405",
    "an in-place write into {name}, whose memory the tape sees under another name or with grad mode off",
    "Whose gradient the write changes is eager mode's to decide",
    "write into a clone(), or out of place",
)
SAVED_CHANGED = BreakKind(
    "B406",
    "a backward() through {name}, saved for it and modified in place since",
    "Eager mode raises, or goes on with the value that was saved, by the version of each saved tensor",
    "do the in-place operation after backward(), or out of place",
)
TENSOR_FEATURE = BreakKind(
    "B407",
    "{feature}",
    "The tracer has no rule for it yet",
    "keep it outside the jitted function",
)
DEVICE = BreakKind(
    "B408",
    "{why}, and the graph is for a device",
    "Kernels for devices do not cover it yet",
    "keep it, or the tensors on the device, outside the jitted function",
)
OUTSIDE_HISTORY = BreakKind(
    "B409",
    "{name} through the history of a tensor that existed before",
    "The tensor was computed before this part of the function, so its history is the engine's to walk; what was "
    "compiled of it runs compiled there",
    "nothing to do where another graph break stands between forward and backward: that one is the cause; else compute "
    "the loss in the jitted function",
)

CONSEQUENCES = (OUTSIDE_HISTORY,)
"""The kinds of break that occur behind another break only because that one made two parts of one computation."""
