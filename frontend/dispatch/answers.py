"""The answers to calls that no entry fits, as objects that entry code tells apart. No tracer is loaded with them."""

from __future__ import annotations


class _Plain:
    """The answer: run the function's own instructions."""

    def __repr__(self) -> str:
        return "<run the body>"


RUN_ORIGINAL = _Plain()
LEFT = _Plain()
"""The answer of an entry that fitted, to run the body: Python raises, or no plan is to be made for these sizes now."""


class RaisedInContinuation:
    """The answer: raise this error, as the code that was run in the frame's place did."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
