"""The traced end of the funnel of `tensor/dispatch.py`: what applying an operation means inside a trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.devices import CPU
from ....core.dtypes import DType
from ....graph.node import Node
from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Named, Source
from ....ops.activations import WITH_HISTORY
from ....ops.bitcasts import BITCAST
from ....ops.complex_forms import KEPT, is_computed
from ....ops.derivative import reads
from ....ops.devices import TO_DEVICE
from ....ops.elementary import OF_BOOLS
from ....ops.ordering import FOUND_BY_NUMPY
from ....ops.pointwise import WHERE
from ....ops.registry import OpDef, broadcasts, gives_view
from ....runtime.cuda import is_available
from ....tensor import Tensor
from ....tensor.complex_operations import of_parts
from ....tensor.dispatch import check_devices
from ....tensor.shapes import broadcast_shapes
from ....tensor.writes import WRITES
from ...breaks import RAISES, TENSOR_FEATURE
from ...tracing.half_floats import widened
from ...tracing.nodes import cast
from ...values.arrays.array import ArrayValue
from ...values.arrays.view_steps import Ints, expand
from ...values.base import Value
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.inference_mode import refuse_saving
from ...values.tensors.tensor import TensorValue, fresh
from ..hooks.saved_tensor_hooks import saved_by
from .calls_of_batches import check_written
from .narrow import computed_with, rounded
from .numbers import known_attributes, number_node
from .strides import eager_strides
from .views import bits_seen_as, moved, refuse_complex

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def apply(op: OpDef, operands: Sequence[Any], attrs: dict[str, Any]) -> TensorValue:
    """The result of an operation, of whose operands one at least is traced."""
    trace, attrs = _trace_of(operands), known_attributes(attrs)
    if op is BITCAST:
        return bits_seen_as(operands[0], attrs["dtype"])
    if gives_view(op):
        return moved(trace, op, operands[0], attrs)
    if is_computed(op, KEPT, [getattr(each, "dtype", None) for each in operands], attrs):
        return of_parts(op, operands, attrs)  # type: ignore[no-any-return]
    if op is TO_DEVICE:
        _check_there(attrs["device"])
    else:
        check_devices(operands)
    on_device = op in FOUND_BY_NUMPY and any(each.device != CPU for each in operands if isinstance(each, TensorValue))
    if on_device and not _has_device_form(op):
        raise TENSOR_FEATURE.stop(feature=f"{op.name} on a device, which NumPy does on the host")
    narrow = computed_with(trace, op, operands, attrs)
    nodes = operand_nodes(trace, op, operands, wide=narrow is not None)
    node = rounded(trace, trace.add(_of_kind(op, nodes), *nodes, **attrs), narrow)
    refuse_complex(node.type)
    strides = eager_strides(op, operands, node, attrs)
    tracked = _tracked(trace, op, operands, node)
    out = fresh(trace, node, requires_grad=tracked, leaf=not tracked, strides=strides)
    if tracked:
        note_saved(trace, op, node, operands, out)
    return out


def _has_device_form(op: OpDef) -> bool:
    from ....backend.cuda.ordering.ops import has_device_form  # of no use without a device

    return has_device_form(op)


def _of_kind(op: OpDef, nodes: Sequence[Node]) -> OpDef:
    """The op as NumPy's function of its name computes it, of bools too."""
    return OF_BOOLS.get(op, op) if nodes and nodes[0].type.dtype.is_bool else op


def apply_in_place(op: OpDef, operands: Sequence[Any], attrs: dict[str, Any]) -> TensorValue:
    """The first operand, which holds the result of the operation on all of them from now on."""
    trace, attrs = _trace_of(operands), known_attributes(attrs)
    target = operands[0]
    if not isinstance(target, TensorValue):
        raise TENSOR_FEATURE.stop(feature="an in-place operation on a tensor of unknown origin")
    check_devices(operands, written=True)
    check_written(trace, target, operands)
    shape = broadcast_shapes(*(each.shape for each in operands if isinstance(each, TensorValue)))
    if broadcasts(op) and shape != target.shape:
        raise RAISES.stop(error="RuntimeError: output with this shape doesn't match the broadcast shape")
    if is_computed(op, KEPT, [getattr(each, "dtype", None) for each in operands], attrs):
        made = of_parts(op, operands, attrs)
        if made.shape != target.shape or made.dtype is not target.dtype:
            raise RAISES.stop(error="RuntimeError: the result does not fit the tensor that is to hold it")
        return assign(target, made)
    narrow = computed_with(trace, op, operands, attrs)
    nodes = operand_nodes(trace, op, operands, shape=target.shape, wide=narrow is not None)
    node = rounded(trace, trace.add(_of_kind(op, nodes), *nodes, **attrs), narrow)
    if node.shape != target.shape:
        raise RAISES.stop(error="RuntimeError: output with this shape doesn't match the shape of the result")
    if node.type.dtype is not target.dtype:
        raise RAISES.stop(error="RuntimeError: result type can't be cast to the tensor's dtype")
    tracked = _tracked(trace, op, operands, node)
    if tracked:
        # Eager keeps a copy of what the target was, and the target itself where backward reads what it became.
        note_saved(trace, op, node, operands, None)
    target.write(node, requires_grad=tracked)
    if tracked and "result" in reads(op, _wanted(operands)):
        storage = target.array.storage
        trace.tape.saved[node] += ((storage, storage.version),)
    return target


def assign(target: Any, value: Any) -> TensorValue:
    """`target[...] = value`: cast and broadcast to the target."""
    trace = _trace_of((target, value))
    if not isinstance(target, TensorValue):
        raise TENSOR_FEATURE.stop(feature="a write into a tensor of unknown origin")
    check_written(trace, target, (value,))
    if isinstance(value, TensorValue):
        if broadcast_shapes(value.shape, target.shape) != target.shape:
            raise RAISES.stop(error="RuntimeError: expand(...): the number of sizes must not be less")
        node = expand(trace, cast(trace, value.read(), target.dtype), target.shape)
    else:
        node = number_node(trace, value, target.dtype, target.shape)
    tracked = (
        trace.grad_enabled and isinstance(value, TensorValue) and value.requires_grad and target.dtype.is_differentiable
    )
    if trace.grad_enabled and target.requires_grad and target.array.type.size == target.array.storage.fake.size:
        # Nothing is left of what the target was; eager's gradient of that is zeros, where no history would give None.
        node = trace.add(WITH_HISTORY, node, target.read())
    target.write(node, requires_grad=tracked)
    return target


def _check_there(device: str) -> None:
    """Errors: a break for a device that is not there, which Python raises an error of."""
    if device != CPU and not is_available():
        raise RAISES.stop(error=f"RuntimeError: there is no device {device!r}")


def _trace_of(operands: Sequence[Any]) -> Trace:
    for each in operands:
        if isinstance(each, TensorValue):
            return each.trace
    raise TENSOR_FEATURE.stop(feature="an operation on lists that hold tensors among other things")


def _tracked(trace: Trace, op: OpDef, operands: Sequence[Any], node: Node) -> bool:
    if not trace.grad_enabled or not node.type.dtype.is_differentiable or op.vjp is None:
        return False
    return any(isinstance(each, TensorValue) and each.requires_grad for each in operands)


def note_saved(trace: Trace, op: OpDef, node: Node, operands: Sequence[Any], out: TensorValue | None) -> None:
    """Remember what eager's node would save, with the versions of now."""
    saved = []
    hooked: dict[str, tuple[Node, TensorValue | None]] = {}
    names = reads(op, _wanted(operands))
    if not op.variadic:
        named = dict(zip(op.operands, operands, strict=False))
        for name in names:
            each = out if name == "result" else named.get(name)
            if isinstance(each, TensorValue) and (out is not None or each is not operands[0]):
                storage = each.array.storage
                saved.append((storage, storage.version))
                if name != "result":
                    refuse_saving(trace, each.root)
                if each.stands_for is not None:
                    refuse_saving(trace, each.stands_for.root)
                    meant = each.stands_for.array.storage
                    saved.append((meant, meant.version))
            if name == "result":
                hooked[name] = node, out
            elif isinstance(each, TensorValue) and trace.tape.pair is not None:
                hooked[name] = each.read(), each
    trace.tape.saved[node] = tuple(saved)
    if trace.tape.pair is not None and hooked:
        trace.tape.reads[node] = trace.tape.pair, hooked
        saved_by(trace, trace.tape.pair).note(trace, node, trace.tape.pair, hooked)


def _wanted(operands: Sequence[Any]) -> tuple[bool, ...]:
    return tuple(isinstance(each, TensorValue) and each.requires_grad for each in operands)


def operand_nodes(
    trace: Trace, op: OpDef, operands: Sequence[Any], shape: Ints | None = None, *, wide: bool = False
) -> list[Node]:
    """The operands as nodes; those of a pointwise operation broadcast, numbers in the dtype of the tensors.

    wide: narrow floats, and the numbers beside them, come in float32.
    """
    tensors = [each for each in operands if isinstance(each, TensorValue)]
    if not broadcasts(op):
        dtype = dtypes.float32 if wide else tensors[0].dtype
        return [_node(trace, each, dtype, (), wide) for each in operands]
    dtype = tensors[-1].dtype
    if op is WHERE:
        dtype = next((each.dtype for each in operands[1:] if isinstance(each, TensorValue)), dtypes.float32)
    if wide:
        dtype = dtypes.float32
    if shape is None:
        shape = broadcast_shapes(*(each.shape for each in tensors))
    # A backward pass meets casts in the opposite order, and hands gradients to operands from the first to the last.
    given = reversed(operands) if wide else operands
    nodes = [_node(trace, each, dtype, shape, wide) for each in given]
    return nodes[::-1] if wide else nodes


def _node(trace: Trace, operand: Any, dtype: DType, shape: Ints, wide: bool) -> Node:
    if isinstance(operand, TensorValue):
        node = widened(trace, operand.read()) if wide else operand.read()
        return expand(trace, node, shape) if shape else node
    return number_node(trace, operand, dtype, shape)


def over_memory(trace: Trace, value: Value) -> Value:
    """A tensor over the memory of a traced array; anything else as it is."""
    if type(value) is not ArrayValue or value.is_numpy_scalar:
        return value
    root = AutogradIdentity(value.storage)
    value.storage.roots.append(root)
    return TensorValue(trace, ArrayValue(value.storage, value.path, value.fake), root, Tensor)


def _as_own(x: TensorValue) -> TensorValue:
    """See `as_own` of tensor/shaping.py."""
    if not x.array.path:
        return x
    trace = x.trace
    tracked = trace.grad_enabled and x.requires_grad
    made = fresh(trace, x.read(), requires_grad=tracked, leaf=not tracked, strides=x.strides)
    made.root.bumps = (x.root.counter or x.root).bumps
    return made


TensorValue.__guardlift_apply__ = staticmethod(apply)
TensorValue.__guardlift_apply_in_place__ = staticmethod(apply_in_place)
TensorValue.__guardlift_as_own__ = staticmethod(_as_own)
TensorValue.__guardlift_assign__ = staticmethod(assign)


OBSERVERS = Named(
    Attribute(ConstantSource(WRITES, "the observers of writes"), "observers"), "what watches writes to tensors"
)


def check_unobserved(trace: Trace, written: Source) -> None:
    """Relies on nobody watching writes to tensors. Errors: a break while somebody does."""
    trace.guard(Is, OBSERVERS, expected=None)
    if WRITES.observers is not None:
        raise TENSOR_FEATURE.stop(feature=f"a write to {written} inside allow_mutation_on_saved_tensors")
