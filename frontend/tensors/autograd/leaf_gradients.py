"""The `.grad` of leaves while tracing: read, set and added to, by the layout contract of eager mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....autograd.accumulate import wanted_strides
from ....backend.call_layout import AccessPath, PathStep
from ....core.config import config
from ....core.records import dataclass
from ....core.watched_slots import EVER
from ....core.watched_slots import set_grad as put_grad
from ....graph.aot.vjp import passed
from ....graph.node import Node
from ....guards.guard import Is
from ....guards.sources import Attribute, Named, Source, WeakSource
from ....ops.activations import ALIAS
from ....ops.pointwise import ADD
from ...breaks import OUTSIDE_HISTORY, TENSOR_FEATURE
from ...values.arrays.view_steps import Ints
from ...values.base import Value, wrap
from ...values.constant import NONE, Constant
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.sparse_tensor import SparseTensorValue
from ...values.tensors.tensor import TensorValue, fresh
from ..surface.dispatch import apply
from ..surface.sparse_entries import added_to_dense

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


def accumulate(trace: Trace, root: AutogradIdentity, gradient: Node) -> None:
    """`leaf.grad += gradient`, by the layout contract: a first gradient has the leaf's strides."""
    if not root.leaf:
        raise OUTSIDE_HISTORY.stop(name="backward()")
    known = grad_of(trace, root)
    if isinstance(known, TensorValue):
        known.write(trace.add(ADD, known.read(), gradient), requires_grad=False)
        return
    if isinstance(known, SparseTensorValue):
        gradient = added_to_dense(trace, gradient, known.entries, known.size)
    value = fresh(trace, gradient, strides=leaf_strides(root))
    set_grad(trace, root, value)


def accumulate_recorded(trace: Trace, root: AutogradIdentity, gradient: Node) -> None:
    """`leaf.grad += gradient` under create_graph: out of place, and with the history of the gradient."""
    if not root.leaf:
        raise OUTSIDE_HISTORY.stop(name="backward()")
    tape = trace.tape
    tracked = gradient in passed(
        trace.builder, [gradient], tape.leaves, tape.recorded.difference(tape.leaves), steps=tape.steps
    )
    known = grad_of(trace, root)
    if isinstance(known, SparseTensorValue):
        raise TENSOR_FEATURE.stop(feature="a gradient with create_graph=True on top of a sparse one")
    if not isinstance(known, TensorValue):
        node = trace.add(ALIAS, gradient)
        set_grad(trace, root, fresh(trace, node, requires_grad=tracked, leaf=not tracked, strides=leaf_strides(root)))
        return
    value = fresh(trace, gradient, requires_grad=tracked, leaf=not tracked)
    set_grad(trace, root, apply(ADD, (known, value), {}))


def leaf_strides(root: AutogradIdentity) -> Ints:
    """The strides, in elements, that a first gradient of the leaf has."""
    fake = root.storage.fake if root.leaf_array is None else root.leaf_array.fake
    return tuple(step // fake.itemsize for step in wanted_strides(fake))


def grad_of(trace: Trace, root: AutogradIdentity) -> Value:
    """The present `.grad` of a leaf: None or a tensor, which may be sparse."""
    _refuse_on_the_way(trace)
    if root.grad is None:
        real, source = root.real, root.source
        if real is None or source is None:
            root.grad = NONE
        else:
            place = Attribute(source, "_grad")
            if real._grad is None:
                _rely_on_no_grad(trace, root)
                root.grad = Constant(None, place)
                root.grad_was_none = True
            else:
                found = wrap(trace, real._grad, Named(place, f"{source}.grad"))
                if not isinstance(found, (TensorValue, SparseTensorValue)):
                    raise TENSOR_FEATURE.stop(feature=f"{source}.grad, a {type(real._grad).__name__}")
                root.grad = found
    return root.grad  # type: ignore[no-any-return]


def _refuse_on_the_way(trace: Trace) -> None:
    """Errors: a break in a custom backward, which may see gradients that its own backward pass has added up by then."""
    if trace.tape.in_custom_backward:
        raise TENSOR_FEATURE.stop(feature="a custom backward that reads or sets .grad")


def _rely_on_no_grad(trace: Trace, root: AutogradIdentity) -> None:
    """Guards that a leaf has no gradient; of one that is known by identity, the plan asks by itself."""
    source, real = root.source, root.real
    assert source is not None
    label = Named(Attribute(source, "_grad"), f"{source}.grad")
    if not isinstance(source, WeakSource) or not config.lift_constants:
        trace.guard(Is, label, expected=None)
        return
    trace.guard(Is, label, expected=None, checked_by="owner")
    trace.inputs.checks.append((real, AccessPath(True, (PathStep(type(real), (("_grad", None),)),))))


def retained(trace: Trace, root: AutogradIdentity, gradient: TensorValue) -> None:
    """`.grad += gradient` of a tensor that is no leaf, made by the call: its first gradient is kept as it is."""
    known = root.grad
    if isinstance(known, TensorValue) and trace.grad_enabled:
        gradient = apply(ADD, (known, gradient), {})
    elif isinstance(known, TensorValue):
        gradient = fresh(trace, trace.add(ADD, known.read(), gradient.read()), strides=known.strides)
    root.grad = gradient


@dataclass(eq=False)
class GradientPut:
    """The `.grad` of a tensor is set, and who reads it at a place of its own is told."""

    owner: Source
    value: Value

    def replay(self, writer: EntryWriter) -> list[str]:
        owner, value = writer.fetched(self.owner.text(writer.pool)), writer.fetched(self.value.rebuild(writer))
        ever, put = writer.pool.add(EVER), writer.pool.add(put_grad)
        return [f"if {ever}.subscribed: {put}({owner}, {value})", f"else: {owner}._grad = {value}"]


def set_grad(trace: Trace, root: AutogradIdentity, value: Value) -> None:
    """`leaf.grad = value`, carried out after the plan has run."""
    _refuse_on_the_way(trace)
    root.grad = value
    if root.real is None:
        return
    assert root.source is not None
    key = (id(root.real), "grad")
    if root.grad_was_none and isinstance(value, Constant):
        trace.effects.pending.pop(key, None)  # as it was before the call
    else:
        trace.effects.pending[key] = GradientPut(root.source, value)
