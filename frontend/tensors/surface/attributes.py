"""Attributes and methods of a traced tensor."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....core.dtypes import DType
from ....core.floors import ARRAY_NAMESPACE, asked
from ....core.package import is_ours
from ....core.records import dataclass
from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Named
from ....tensor import Tensor
from ....tensor.numpy_protocols import VERSIONS
from ....tensor.surface import SURFACE
from ...breaks import HOST_DATA, LEAF_FLAG, RAISES, TENSOR_FEATURE
from ...numpy.methods import host_number
from ...values.arrays.array import result
from ...values.arrays.view_steps import reshape
from ...values.base import Value, wrap
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import FALSE, NONE, TRUE, Constant
from ...values.containers.element_protocol import constant_value
from ...values.functions.functions import BoundMethod
from ...values.numbers.symbolic_int import number
from ...values.objects.objects import ABSENT, class_attribute
from ...values.tensors.inference_mode import is_inference
from ...values.tensors.input_tensors import GRAD_MODE
from ...values.tensors.sparse_tensor import SparseTensorValue
from ...values.tensors.tensor import TensorValue, detached, refuse_merged
from ..autograd.functional import trace_backward
from ..autograd.leaf_gradients import grad_of, set_grad
from ..hooks.tensor_hooks import (
    is_retaining,
    retains_grad,
    trace_register_hook,
    trace_register_post_accumulate_grad_hook,
    trace_retain_grad,
)
from .calls_of_batches import refuse_one_call
from .data_setter import data_of, set_data
from .grad_modes import trace_is_inference
from .tensor_method import TensorMethod

if TYPE_CHECKING:
    from ....guards.sources import Source
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

MAY_NOT_REQUIRE_GRAD = "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed"
METADATA = frozenset({"resize_", "resize_as_"})
"""The methods that change shape or memory of the tensor itself."""

Getter = Callable[["Trace", TensorValue], Value]


def _grad(trace: Trace, value: TensorValue) -> Value:
    if value.has_own_gradient:
        return grad_of(trace, value.root)
    if is_retaining(trace, value) and value.root.grad is not None:
        return value.root.grad  # type: ignore[no-any-return]
    if value.root.real is not None and not value.array.path:
        return no_grad_outside(trace, value)
    return NONE


def no_grad_outside(trace: Trace, value: TensorValue) -> Value:
    """The `.grad` of a tensor from outside that is no leaf: None. Errors: a break where it retains one."""
    if value.root.real._grad is not None:
        raise TENSOR_FEATURE.stop(feature=f"the .grad of {value.source}, which is no leaf")
    assert value.source is not None
    trace.guard(Is, Named(Attribute(value.source, "_grad"), f"{value.source}.grad"), expected=None)
    return NONE


PROPERTIES: dict[str, Getter] = {
    "shape": lambda trace, value: constant_value(value.shape),
    "dtype": lambda trace, value: Constant(value.dtype),
    "device": lambda trace, value: Constant(value.device),
    "ndim": lambda trace, value: Constant(value.ndim),
    "requires_grad": lambda trace, value: Constant(value.requires_grad),
    "is_leaf": lambda trace, value: Constant(value.is_leaf),
    "itemsize": lambda trace, value: Constant(value.dtype.itemsize),
    "data": data_of,
    "grad": _grad,
    "retains_grad": retains_grad,
}
"""The getters of attributes that are not methods, by name."""


def _backward(
    trace: Trace,
    self: TensorValue,
    gradient: Value = NONE,
    retain_graph: Value = NONE,
    create_graph: Value = FALSE,
    inputs: Value = NONE,
) -> Value:
    return trace_backward(trace, self, gradient, retain_graph, create_graph, inputs=inputs)


def _detach(trace: Trace, self: TensorValue) -> Value:
    return detached(self)


def _detach_in_place(trace: Trace, self: TensorValue) -> Value:
    """`tensor.detach_()`. Errors: a break for a tensor from outside that requires grad, and for one with views."""
    root = self.root
    if self.array.path:
        raise RAISES.stop(error="RuntimeError: Can't detach views in-place. Use detach() instead.")
    if not root.requires_grad:
        return self
    many = trace.iterations or trace.deferred is not None or trace.tape.in_hook or trace.tape.in_custom_backward
    if many or root.real is not None or root.views or root.viewed_blindly or root.view is not None or root.hooks:
        raise TENSOR_FEATURE.stop(feature="Tensor.detach_ of a tensor from outside, or with views or hooks")
    if self in trace.tape.retaining or trace.tape.written:
        raise TENSOR_FEATURE.stop(
            feature="Tensor.detach_ of a tensor that retains its gradient, or in a custom forward"
        )
    trace.tape.replace_saved(self.array.storage)
    root.requires_grad, root.leaf, root.detached = False, True, True
    return self


def item(trace: Trace, self: TensorValue) -> Value:
    """`tensor.item()`: a number that is known after the call."""
    if self.array.type.size != 1:
        raise RAISES.stop(error="RuntimeError: a Tensor with several elements cannot be converted to Scalar")
    refuse_one_call(trace, self, "It looks like you're calling .item() on a Tensor")
    with trace.no_grad():
        node = reshape(trace, self.read(), ())
    return host_number(trace, result(trace, node, is_numpy_scalar=True))


@dataclass(eq=False)
class FlagPut:
    """A leaf is made to require grad, or not to."""

    owner: Source
    wanted: bool
    name: str

    def replay(self, writer: EntryWriter) -> list[str]:
        """The statements. Errors: a break where a history leaves the call, which is made before them."""
        if writer.roots:
            raise LEAF_FLAG.stop(name=self.name)
        return [f"{writer.fetched(self.owner.text(writer.pool))}.requires_grad_({self.wanted})"]


def set_requires_grad(trace: Trace, self: TensorValue, requires_grad: Value = TRUE) -> Value:
    """The tensor itself. Errors: a break for one with a history, or that shares its memory with others."""
    wanted = bool(requires_grad.constant(trace))
    if wanted == self.requires_grad:
        return self
    if not self.root.leaf or not self.dtype.is_differentiable or self.array.path and not _may_be_leaf(trace, self):
        raise LEAF_FLAG.stop(name=self.describe())
    if wanted:
        require_grad(trace, self.dtype)
        if is_inference(self.root) and not trace.tape.inference:
            raise RAISES.stop(error=f"RuntimeError: {MAY_NOT_REQUIRE_GRAD}")
    if self.array.path:
        self.begin_leaf()
        return self
    if self.root.real is not None:
        _flag_outside(trace, self, wanted)
    self.root.requires_grad = wanted
    return self


def _may_be_leaf(trace: Trace, view: TensorValue) -> bool:
    """Whether a view, which does not require grad, can be made a leaf: the call has made it, and nothing of it."""
    many = trace.iterations or trace.region is not None or trace.deferred is not None
    inside = trace.tape.in_hook or trace.tape.in_custom_backward or trace.tape.pair is not None
    known = view.source is not None or view.blind or view.is_viewed or view.root.view is not None
    return not (many or inside or known)


def _flag_outside(trace: Trace, tensor: TensorValue, wanted: bool) -> None:
    """Has a tensor that existed before the call require grad, or not, once the plan has run.

    Errors: a break where others see its memory, and in what is traced once for many runs of it.
    """
    root, once = tensor.root, trace.iterations or trace.region is not None or trace.deferred is not None
    shared = len(root.storage.roots) > 1 or root.real._base is not None or root.viewed_blindly or root.views
    if once or shared or trace.tape.in_hook or trace.tape.in_custom_backward or root.source is None:
        raise LEAF_FLAG.stop(name=tensor.describe())
    key = (id(root.real), "requires_grad")
    if wanted == root.real.requires_grad:
        trace.effects.pending.pop(key, None)  # as it was before the call
    else:
        trace.effects.pending[key] = FlagPut(root.source, wanted, tensor.describe())


def require_grad(trace: Trace, dtype: DType) -> None:
    """Rely on the grad mode, which decides about a new leaf. Errors: a break for a dtype without gradients."""
    if not dtype.is_differentiable:
        raise RAISES.stop(error=f"RuntimeError: only floating point tensors can require gradients, not {dtype}")
    trace.guard(Is, GRAD_MODE, expected=trace.tape.initial_enabled)


def _size(trace: Trace, self: TensorValue, dim: Value = NONE) -> Value:
    axis = dim.constant(trace)
    try:
        return constant_value(self.shape if axis is None else self.shape[axis])
    except IndexError as error:
        raise RAISES.stop(error=f"IndexError: {error}") from None


def _stride(trace: Trace, self: TensorValue, dim: Value = NONE) -> Value:
    axis = dim.constant(trace)
    return constant_value(self.strides if axis is None else self.strides[axis])


_OF_THE_OBJECT = METADATA | {
    *("grad", "data", "retains_grad", "requires_grad_", "retain_grad"),
    *("register_hook", "register_post_accumulate_grad_hook"),
}
"""The attributes that concern the object and no other that holds the same value."""


def _array_namespace(trace: Trace, self: TensorValue, *, api_version: Value = NONE) -> Value:
    """The module of the array API standard. Errors: a break for a version that eager mode refuses."""
    version = api_version.constant(trace)
    if version is not None and version not in VERSIONS:
        raise RAISES.stop(error=f"ValueError: the array API standard {version!r} is not served")
    module = asked(ARRAY_NAMESPACE)
    return wrap(trace, module, ConstantSource(module, "gl.xp"))


METHODS: dict[str, Any] = {
    "__array_namespace__": _array_namespace,
    "backward": _backward,
    "detach": _detach,
    "detach_": _detach_in_place,
    "item": item,
    "requires_grad_": set_requires_grad,
    "size": _size,
    "stride": _stride,
    "register_hook": trace_register_hook,
    "register_post_accumulate_grad_hook": trace_register_post_accumulate_grad_hook,
    "retain_grad": trace_retain_grad,
    "dim": lambda trace, self: Constant(self.ndim),
    "numel": lambda trace, self: number(self.array.type.size),
    "element_size": lambda trace, self: Constant(self.dtype.itemsize),
    "is_floating_point": lambda trace, self: Constant(self.dtype.is_float),
    "is_inference": trace_is_inference,
}
"""The methods that ask for more than the surface sees, or change what the tape knows."""

_HOST_DATA = frozenset({"numpy", "tolist"})
"""The methods that hand the data over."""


def attribute(trace: Trace, value: TensorValue, name: str) -> Value:
    """`value.name`."""
    found, source = class_attribute(trace, value.kind, name)
    if found is not ABSENT:
        trace.guard(Is, source, expected=found)
        if not is_own(found):
            raise TENSOR_FEATURE.stop(feature=f"Tensor.{name}, which is not guardlift's own")
    if name in METADATA and trace.deferred is not None:
        trace.deferred.refuse_metadata(value.array.storage, value.describe(), f"{name}()")
    for rounds in trace.iterations:
        rounds.refuse_attribute(value, name)
    if name in _OF_THE_OBJECT:
        refuse_merged(value, f"the attribute {name!r} of a tensor that one arm has left as it was")
    if name in PROPERTIES:
        return PROPERTIES[name](trace, value)
    if name in METHODS:
        return TensorMethod(value, name, METHODS)
    function = found
    if isinstance(function, types.FunctionType) and function in SURFACE:
        return BoundMethod(BuiltinCallable(function, source), value)
    if isinstance(function, property) and isinstance(function.fget, types.FunctionType) and function.fget in SURFACE:
        return BuiltinCallable(function.fget, source).call(trace, [value], {})
    if not hasattr(Tensor, name):
        raise RAISES.stop(error=f"AttributeError: 'Tensor' object has no attribute {name!r}")
    stop = HOST_DATA.stop(name=name) if name in _HOST_DATA else TENSOR_FEATURE.stop(feature=f"Tensor.{name}")
    stop.in_backward = name == "grad_fn"  # who looks at the tape sees the nodes of eager mode
    raise stop


def is_own(found: Any) -> bool:
    """Whether an attribute of Tensor is what guardlift put there; data descriptors of slots are."""
    function = found.fget if isinstance(found, property) else found
    return not isinstance(function, types.FunctionType) or is_ours(function.__globals__)


def set_attribute(trace: Trace, value: TensorValue, name: str, new: Value) -> None:
    """`value.name = new`."""
    if name == "grad" and isinstance(new, Constant) and new.value is None and is_retaining(trace, value):
        value.root.grad = NONE
        return
    if name == "grad" and value.has_own_gradient:
        if isinstance(new, Constant) and new.value is None:
            set_grad(trace, value.root, new)
            return
        if isinstance(new, SparseTensorValue) and new.size == value.shape and new.dtype is value.dtype:
            set_grad(trace, value.root, new)
            return
        if isinstance(new, TensorValue) and new.shape == value.shape and new.dtype is value.dtype:
            if not new.requires_grad and new.root is not value.root:
                set_grad(trace, value.root, new)
                return
    if name == "requires_grad" and isinstance(new, Constant) and type(new.value) is bool:
        set_requires_grad(trace, value, new)
        return
    if name in ("real", "imag"):
        writes = "copy_" if isinstance(new, TensorValue) else "fill_"
        attribute(trace, attribute(trace, value, name), writes).call(trace, [new], {})  # type: ignore[arg-type]
        return
    if name != "data":
        raise TENSOR_FEATURE.stop(feature=f"setting Tensor.{name}")
    if trace.deferred is not None:
        trace.deferred.refuse_metadata(value.array.storage, value.describe(), "the setter of .data")
    set_data(trace, value, new)
