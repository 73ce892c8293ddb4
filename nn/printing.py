"""The text of a module: one line for each module of its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .module import Module


def module_text(module: Module) -> str:
    """``Name(extra)`` for a module with none below, else its children indented under ``Name(``."""
    extra = module.extra_repr()
    children = [f"({name}): {_indented(repr(child))}" for name, child in module._modules.items()]
    head = type(module).__name__
    if not children:
        return f"{head}({_indented(extra)})" if "\n" not in extra else f"{head}(\n  {_indented(extra)}\n)"
    lines = (extra.split("\n") if extra else []) + children
    return f"{head}(\n  " + "\n  ".join(lines) + "\n)"


def _indented(text: str) -> str:
    """All lines but the first, two spaces further in."""
    return text.replace("\n", "\n  ")
