"""The history of results with symbolic sizes, and how a call says which sizes these are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ....core.records import replace
from ....graph.aot.specialize import Specializer
from ....graph.passes.expand import expand_for_all_sizes
from ....runtime.backward_passes import SizedBackward, whole_backward_pass
from ....runtime.sized_history import SizedHistory
from ...values.numbers.symbolic_int import symbol_sources

if TYPE_CHECKING:
    from ....backend.call_layout import InputLayout
    from ....backend.plugins.registry import Backend
    from ....graph.aot.double_backward import DoubleBackwardStep
    from ....runtime.backward_passes import BackwardPass
    from ....runtime.node import NodeHistory
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


def sized_history(
    trace: Trace,
    step: DoubleBackwardStep,
    layouts: Sequence[InputLayout],
    strides: Sequence[tuple[int, ...]],
    history_of: Callable[[BackwardPass], NodeHistory],
    backend: Backend,
) -> SizedHistory:
    """An object that makes the history of calls of given sizes. The other arguments: see
    `runtime.backward_passes.whole_backward_pass`."""
    facts = trace.facts.sizes
    layouts, strides = tuple(layouts), tuple(strides)
    expanded = expand_for_all_sizes(step.pair.backward, facts)

    def make(values: tuple[int, ...]) -> NodeHistory:
        specializer = Specializer(facts, values)
        lying = [replace(each, **_specialized(specializer, each)) for each in layouts]
        specialized = specializer.step(step)
        sized = SizedBackward(specializer.graph(expanded), specializer.numbers)
        return history_of(whole_backward_pass(specialized, lying, specializer.value(strides), backend, sized))

    return SizedHistory(make)


def _specialized(specializer: Specializer, layout: InputLayout) -> dict[str, Any]:
    return {each.name: specializer.value(getattr(layout, each.name)) for each in fields(layout)}


def known_values(trace: Trace) -> tuple[int, ...]:
    """The values of the symbols in the traced call."""
    return tuple(trace.facts.sizes.atoms[symbol].hint for symbol in trace.facts.sizes.symbols)


def size_texts(trace: Trace, writer: EntryWriter) -> tuple[str, ...]:
    """The expressions for the values of the symbols."""
    sources = symbol_sources(trace)
    return tuple(sources[symbol].text(writer.pool) for symbol in trace.facts.sizes.symbols)
