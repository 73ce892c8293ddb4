"""Syntax trees of Python text, made while other threads make some too."""

from __future__ import annotations

import ast

from .locks import ForkSafeLock

TRIES = 100


def parsed(text: str, filename: str = "<unknown>", mode: str = "exec") -> ast.AST:
    """`ast.parse`, also beside other threads that call it.

    CPython 3.11 counts in one place for all threads how deep it is in a tree that it makes. It raises SystemError where
    another thread has counted meanwhile, as may be when memory is collected; nothing is wrong with the text then.
    Errors: SyntaxError for text that is not Python's.
    """
    with _lock:
        for _ in range(TRIES - 1):
            try:
                return ast.parse(text, filename, mode)
            except SystemError:
                continue
        return ast.parse(text, filename, mode)


_lock = ForkSafeLock()
