"""Memory that two tensors share behind the trace's back: allowed as long as nobody writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.devices.host_or_device import byte_bounds
from ....guards.guard import Different
from ....guards.sources import WeakSource
from ...breaks import OVERLAP
from ...tracing.inputs import LIFTED

if TYPE_CHECKING:
    from ...tracing.inputs import Input
    from ...tracing.trace import Trace
    from ...values.tensors.autograd_identity import AutogradIdentity


def refuse_shared_writes(trace: Trace) -> None:
    """Errors: a break where memory known by identity overlaps other memory, and one of the two is written.

    What was met and neither read nor written is no input of the plan.
    """
    written = {entry for entry, _ in trace.inputs.writes()}
    places = [entry for entry in trace.inputs.entries if entry.kind in ("array", LIFTED) and entry.example.size]
    if not written.intersection(places):
        return
    read = {operand for node in trace.builder.nodes for operand in node.inputs}
    places = [entry for entry in places if entry.kind != LIFTED or entry in written or entry.node in read]
    bounds = sorted(((*byte_bounds(entry.example), k) for k, entry in enumerate(places)))
    open_until: list[tuple[int, Input]] = []
    for first, last, k in bounds:
        entry = places[k]
        open_until = [(end, other) for end, other in open_until if end > first]
        for _, other in open_until:
            fixed = LIFTED in (entry.kind, other.kind) or entry.static_address and other.static_address
            if fixed and (entry in written or other in written):
                raise OVERLAP.stop(name=entry.source, other=other.source)
        open_until.append((last, entry))


def guard_different_leaves(trace: Trace) -> None:
    """Rely on leaves whose gradients the call sets being different tensors; each gets what was added up for it."""
    roots = [value.root for value in trace.inputs.tensors.values() if value.root.grad is not None]
    moving = [root for root in roots if not isinstance(root.source, WeakSource)]
    for root in moving:
        for other in roots:
            if other is not root and _may_be_one(root, other) and _sets_grad(trace, root, other):
                assert root.source is not None
                trace.guard(Different, root.source, other=other.source)


def _may_be_one(root: AutogradIdentity, other: AutogradIdentity) -> bool:
    return type(root.real) is type(other.real)


def _sets_grad(trace: Trace, *roots: AutogradIdentity) -> bool:
    return any((id(root.real), "grad") in trace.effects.pending for root in roots)


__all__ = ["guard_different_leaves", "refuse_shared_writes"]
