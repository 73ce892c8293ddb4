"""`explain(f)`: what was compiled for a function, under which guards, what compiled again and why."""

from __future__ import annotations


def explain(function):
    from guardlift.frontend import state_of
    return state_of(function)
