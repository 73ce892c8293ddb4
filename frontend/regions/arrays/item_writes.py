"""The write `a[key] = value` of a region's array: to a view, to the places that lists name, or to a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.sequences import ListValue, Sequence
from .creation import array_of
from .gather_scatter import array_parts, store_selected
from .inner_loops import scatter, store

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from .views import RegionView


def write_item(trace: Trace, view: RegionView, key: Value, value: Value) -> None:
    """Stores a value, or a sequence of numbers, at a key. Errors: a break for keys and values without a form here."""
    if isinstance(key, ListValue):
        scatter(trace, view, key.items, value)
    elif parts := array_parts(key):
        store_selected(trace, view, parts, value)
    elif isinstance(value, Sequence):
        store(trace, view.part(trace, key), array_of(trace, value, Constant(view.dtype.numpy)))
    else:
        store(trace, view.part(trace, key), value)
