"""Writes that somebody outside wants to hear of before they happen, which compiled code does not announce."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Named, Source
from ....tensor.writes import WRITES
from ...breaks import TENSOR_FEATURE

if TYPE_CHECKING:
    from ...tracing.trace import Trace

OBSERVERS = Named(
    Attribute(ConstantSource(WRITES, "the observers of writes"), "observers"), "what watches writes to tensors"
)


def check_unobserved(trace: Trace, written: Source) -> None:
    """Relies on nobody watching writes to tensors. Errors: a break while somebody does."""
    trace.guard(Is, OBSERVERS, expected=None)
    if WRITES.observers is not None:
        raise TENSOR_FEATURE.stop(feature=f"a write to {written} inside allow_mutation_on_saved_tensors")
