"""Tensors that existed before the call: inputs of the plan, or, where they are known by identity, part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...autograd.modes import MODES
from ...core import dtypes
from ...core.types import TensorType
from ...guards.arrays import is_writeable
from ...guards.guard import Different, Is, Same, TypeIs
from ...guards.sources import Alive, Attribute, Pinned, Source
from ...tensor import Tensor
from ...tensor.parameter import Parameter
from ..breaks import DTYPE, TENSOR_FEATURE
from .array import ArrayValue, Storage, twin_of, wrap_array
from .base import wraps
from .functions import Named
from .tensor import Root, TensorValue

if TYPE_CHECKING:
    from ..trace import Trace

GRAD_MODE = Attribute(Pinned(MODES, "the grad mode"), "grad_enabled")


@wraps(Tensor, Parameter)
def wrap_tensor(trace: Trace, value: Any, source: Source) -> TensorValue:
    """The traced tensor; one met before under another name is the same."""
    known = trace.tensors.get(id(value))
    if known is not None:
        _guard_same(trace, known, source)
        return known
    wrapped = _lifted(trace, value, source) if isinstance(source, Alive) else _argument(trace, value, source)
    trace.tensors[id(value)] = wrapped
    return wrapped


def _guard_same(trace: Trace, known: TensorValue, source: Source) -> None:
    """Rely on a known tensor being the one at `source` too; of two that are both assumed, nobody has to ask."""
    assert known.source is not None
    if known.source == source:
        return
    if not isinstance(source, Alive):
        trace.guard(Same, source, other=known.source)
    elif not isinstance(known.source, Alive):
        trace.guard(Same, known.source, other=source)


def _argument(trace: Trace, value: Any, source: Source) -> TensorValue:
    """A tensor read anew at every call: guards on its type and what the tape knows of it, its layout in the plan."""
    trace.guard(TypeIs, source, expected=type(value))
    requires = bool(value._requires_grad)
    trace.guard(Is, Named(Attribute(source, "_requires_grad"), f"{source}.requires_grad"), expected=requires)
    leaf = value._node is None
    if requires:
        node = Named(Attribute(source, "_node"), f"{source}.grad_fn")
        if leaf:
            trace.guard(Is, node, expected=None)
            trace.guard(Is, Named(Attribute(source, "_hooks"), f"the hooks of {source}"), expected=None)
        else:
            trace.guard(Different, node, other=Pinned(None, "None"))
    if value._base is None:
        trace.guard(Is, Named(Attribute(source, "_base"), f"the base of {source}"), expected=None)
    else:
        if value.requires_grad:
            raise TENSOR_FEATURE.stop(feature=f"{source}, a view of a tensor that requires grad")
        base = Attribute(source, "_base")
        trace.guard(TypeIs, base, expected=type(value._base))
        trace.guard(Is, Attribute(base, "_requires_grad"), expected=False)
    array = wrap_array(trace, value._array, Named(Attribute(source, "_array"), str(source)))
    assert isinstance(array, ArrayValue)
    return _value(trace, value, array, source, requires, leaf)


def _lifted(trace: Trace, value: Any, source: Alive) -> TensorValue:
    """A tensor known by identity: its memory is part of the graph, and its owner tells when any of that changes."""
    reference: Callable[[], Any] = source.reference
    array = value._array
    dtype = dtypes.from_numpy(array.dtype)
    if dtype is None:
        raise DTYPE.stop(dtype=array.dtype)
    requires, leaf = bool(value._requires_grad), value._node is None
    if not leaf:
        raise TENSOR_FEATURE.stop(feature=f"{source}, which is state and the result of an operation")
    identity = id(array)
    trace.assume(value, "data", f"the memory of {source} is the same", lambda: id(reference()._array) == identity)
    trace.assume(
        value, "requires_grad", f"{source}.requires_grad is {requires}", lambda: reference()._requires_grad is requires
    )
    trace.assume(value, "hooks", f"{source} has no hooks", lambda: reference()._hooks is None)
    type = TensorType(array.shape, dtype)
    entry = trace.lifted_input(array, type, source)
    storage = Storage(entry.node, twin_of(type, entry.strides), entry)
    if not is_writeable(array):
        storage.twin.flags.writeable = False
    trace.storages.append(storage)
    return _value(trace, value, ArrayValue(storage, (), storage.twin), source, requires, leaf)


def _value(trace: Trace, value: Any, array: ArrayValue, source: Source, requires: bool, leaf: bool) -> TensorValue:
    if requires:
        trace.guard(Is, GRAD_MODE, expected=MODES.grad_enabled)
    counter = _shared_counter(trace, value, array.storage, source)
    root = Root(array.storage, requires, leaf, real=value, source=source, counter=counter, dtype=array.dtype)
    array.storage.roots.append(root)
    return TensorValue(trace, array, root, type(value), source)


def _shared_counter(trace: Trace, value: Any, storage: Storage, source: Source) -> Root | None:
    """Among the tensors over one memory, the one whose version counter `value` shares: `detach()` does, `.data` not."""
    for root in storage.roots:
        if root.counter is None and root.real is not None:
            shared = root.real._version is value._version
            mine, other = (Named(Attribute(each, "_version"), f"the version of {each}") for each in (source, root.source))
            trace.guard(Same if shared else Different, mine, other=other)
            if shared:
                return root  # type: ignore[no-any-return]
    return None
