"""Breaks that no statement of the program is to blame for."""

from __future__ import annotations

from .graph_break import BreakKind

FLOAT_STATE = BreakKind(
    "B501",
    "NumPy's error state says {mode}",
    "Compiled code does not report single floating-point errors",
    "leave np.errstate at 'warn' or 'ignore' around jitted calls",
)
INTERNAL = BreakKind(
    "B900",
    "an error inside guardlift: {error}",
    "This is a bug in guardlift",
    "report it with the function that shows it; the call ran as plain Python",
)
BACKEND = BreakKind(
    "B901",
    "kernels that could not be built: {error}",
    "The native back end does not work here, or not for this graph",
    "set GUARDLIFT_DISABLE=1 on a machine that is not supported; else report it with the function that shows it",
)
REFUSED = BreakKind(
    "B902",
    "arguments that the guards of entry {entry} accept and its plan does not",
    "What the guards of an entry say and what its plan checks differ, which is a bug in guardlift",
    "report it with the function that shows it; the call ran as plain Python",
)
