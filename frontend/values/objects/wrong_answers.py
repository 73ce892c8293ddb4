"""Errors of CPython's where a special method answers with what it may not, in the words of the running version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...breaks import ProgramRaised


def error_of(action: Callable[[], object]) -> Exception:
    """The error that Python raises there, in the words of the running version."""
    try:
        action()
    except Exception as error:
        return error.with_traceback(None)
    raise AssertionError("Python raises no error there")


def wrong_answer(cls: type, method: str, answer: object, ask: Callable[[Any], object]) -> ProgramRaised:
    """The error that `ask` raises of an object of `cls` whose `method` gives `answer`.

    An object of another class of that name is asked, which runs no code of the user's.
    """
    asked = _class_named_as(cls, **{method: lambda *_: answer})()
    return ProgramRaised(error_of(lambda: ask(asked)))


def wrong_type(cls: type, method: str, found: type, ask: Callable[[Any], object]) -> ProgramRaised:
    """The error that `ask` raises of an object of `cls` whose `method` gives an object of the class `found`."""
    return wrong_answer(cls, method, _class_named_as(found)(), ask)


def _class_named_as(cls: type, **attributes: Any) -> type:
    return type(cls.__name__, (), {"__module__": cls.__module__, "__qualname__": cls.__qualname__, **attributes})
