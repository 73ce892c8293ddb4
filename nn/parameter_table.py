"""Modules as HTML for notebooks: a table of the parameters, and the text of the module folded up below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..tensor import Tensor
from ..tensor.html import folded_html, table_html, text_html
from ..tensor.uninitialized import Uninitialized

if TYPE_CHECKING:
    from .module import Module

ROWS = 100
"""Parameters that are shown one by one; the last row counts the others."""

Row = tuple[str, object, str, str, str]


def module_html(module: Module) -> str:
    """A row for each parameter: name, shape, dtype, how many numbers, whether it requires a gradient; then the sums."""
    named = list(module.named_parameters())
    rows = [_row(name, each) for name, each in named[:ROWS]]
    if len(named) > ROWS:
        rows.append(("…", f"{len(named) - ROWS} more", "", _numbers([each for _, each in named[ROWS:]]), ""))
    parameters = [each for _, each in named]
    trained = _numbers([each for each in parameters if each.requires_grad])
    rows.append(("total", "", "", _numbers(parameters), f"{trained} of them"))
    buffers = _numbers(list(module.buffers()))
    text = repr(module) + ("" if buffers == "0" else f"\nnumbers in buffers: {buffers}")
    table = table_html(("parameter", "shape", "dtype", "numbers", "requires grad"), rows)
    return f"<div>{table}{folded_html(type(module).__name__, text_html(text))}</div>"


def _row(name: str, each: Tensor) -> Row:
    known = not isinstance(each, Uninitialized)
    return (
        name,
        tuple(each.shape) if known else "not known yet",
        each.dtype.name,
        _numbers([each]) if known else "",
        "yes" if each.requires_grad else "no",
    )


def _numbers(tensors: Sequence[Tensor]) -> str:
    """The number of elements that the tensors have together, but for those whose sizes are not known yet."""
    return f"{sum(each.numel() for each in tensors if not isinstance(each, Uninitialized)):,}"
