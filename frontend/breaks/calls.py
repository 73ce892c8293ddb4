"""Breaks at calls."""

from __future__ import annotations

from .graph_break import BreakKind

UNKNOWN_CALL = BreakKind(
    "B201",
    "a call of {name}",
    "It is no Python function, and guardlift has no compiled form of it",
    "call it before the jitted function and pass the result in, or use a function that the documentation lists",
)
NUMPY_ARGUMENT = BreakKind(
    "B202",
    "{name} with {argument}",
    "The rule for this function does not cover that argument",
    "leave the argument out, or write the call in another form",
)
DEEP_CALL = BreakKind(
    "B203",
    "calls nested more than {limit} deep at {name}",
    "Calls are inlined only so far",
    "raise gl.config.inline_limit, or make the recursion a loop",
)
GENERATOR = BreakKind(
    "B204",
    "the coroutine {name}",
    "Coroutines run when an event loop says so, which compiled code does not know",
    "put @gl.jit on the functions that it calls",
)
OPEN_GENERATOR = BreakKind(
    "B205",
    "the generator {name}, left at a `yield` inside a try or with statement",
    "Python runs the rest of that statement when it drops the generator, at a time that compiled code does not know",
    "use the generator up, or call its close()",
)
LIBRARY = BreakKind(
    "B206",
    "a call of {name}, a function of the standard library",
    "Such functions are not followed: they work with files, locks and caches rather than with arrays",
    "move the call outside the jitted function",
)
DISABLED = BreakKind(
    "B207",
    "a call of {name}, which gl.disable leaves to plain Python{said}",
    "The program asks for it: Python runs this function with all that it calls",
    "nothing to do; or take gl.disable off the function to have it compiled",
)
ASKED = BreakKind(
    "B208",
    "a call of gl.graph_break(){said}",
    "The program asks for it: what precedes the call and what follows are compiled apart",
    "nothing to do; or take the call out to have one graph",
)
MANAGER = BreakKind(
    "B209",
    "the context {manager}, which compiled code does not enter",
    "Python runs what it does at both ends of the with statement",
    "enter it around the call of the jitted function; nothing to do where another graph break made it",
)
