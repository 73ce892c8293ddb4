"""Tensors that existed before the call: inputs of the plan, or, where they are known by identity, part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....autograd.modes import MODES
from ....backend.call_layout import AccessPath, PathStep
from ....core import dtypes
from ....core.config import config
from ....core.devices.host_or_device import device_of
from ....core.records import dataclass
from ....core.types import TensorType
from ....guards.arrays import is_writeable
from ....guards.guard import Different, Is, Same, TypeIs
from ....guards.pool import RebindableRef, Rebinding
from ....guards.sources import Attribute, ConstantSource, Named, Source, WeakSource
from ....guards.tensors import TensorIs
from ....tensor import Tensor
from ....tensor.layouts import MemoryFormat
from ....tensor.parameter import Buffer, Parameter
from ...breaks import DTYPE, TENSOR_FEATURE
from ..arrays.array import ArrayValue, Storage, wrap_memory
from ..arrays.view_steps import fake_of
from ..base import wraps
from ..constant import Constant
from ..containers.object_keys import HASHED_BY_ADDRESS
from .autograd_identity import AutogradIdentity
from .tensor import TensorValue

if TYPE_CHECKING:
    from ...tracing.trace import Trace

HASHED_BY_ADDRESS.update((Tensor, Parameter, Buffer))
GRAD_STATE = ConstantSource(MODES, "the grad mode")
GRAD_MODE = Named(Attribute(GRAD_STATE, "grad_enabled"), "gl.is_grad_enabled()")


@wraps(MemoryFormat)
def wrap_memory_format(trace: Trace, value: Any, source: Source) -> Constant:
    """A memory format, of which there is one object each."""
    trace.guard(Is, source, expected=value)
    return Constant(value, source)


@wraps(Tensor, Parameter, Buffer)
def wrap_tensor(trace: Trace, value: Any, source: Source) -> TensorValue:
    """The traced tensor; one met before under another name is the same."""
    known = trace.inputs.tensors.get(id(value))
    if known is not None:
        if trace.deferred is not None:
            trace.deferred.refuse_known(known.array.storage)
        _guard_same(trace, known, source)
        return known
    if not isinstance(source, WeakSource):
        wrapped = _argument(trace, value, source)
    else:
        wrapped = _lifted(trace, value, source) if config.lift_constants else _fetched(trace, value, source)
    trace.inputs.tensors[id(value)] = wrapped
    return wrapped


def _guard_same(trace: Trace, known: TensorValue, source: Source) -> None:
    """Rely on a known tensor being the one at `source` too; of two that are both assumed, nobody has to ask."""
    assert known.source is not None
    if known.source == source:
        return
    if not isinstance(source, WeakSource):
        trace.guard(Same, source, other=known.source)
    elif not isinstance(known.source, WeakSource):
        trace.guard(Same, known.source, other=source)


def _argument(trace: Trace, value: Any, source: Source, *, sized: bool = True) -> TensorValue:
    """A tensor read anew at every call. Its type and its place on the tape are asked on the plan's way to its array.

    Where an assumption says whose gradient it is, the plan finds it by itself.
    sized: its sizes may be symbolic. Those of parameters and gradients never are.
    """
    requires, leaf = bool(value.requires_grad), value.grad_fn is None
    facts: list[tuple[str, Any, str]] = [("_requires_grad", bool(value._requires_grad), "requires_grad")]
    if requires and leaf:
        facts.append(("_node", None, "grad_fn"))
        if value._hooks is None:
            facts.append(("_hooks", None, "hooks"))
        else:  # which ones, is asked where a gradient arrives
            trace.guard(TypeIs, source, expected=type(value))
            trace.guard(TypeIs, Attribute(source, "_hooks"), expected=type(value._hooks))
    elif requires and value._requires_grad:  # else it does since its base does
        trace.guard(TypeIs, source, expected=type(value))
        trace.guard(
            Different, Named(Attribute(source, "_node"), f"{source}.grad_fn"), other=ConstantSource(None, "None")
        )
    if value._base is None:
        facts.append(("_base", None, "base"))
    else:
        _rely_on_base(trace, value, source)
    inputs = len(trace.inputs.entries)
    leaf_of = _leaf_of_gradient(source)
    sized = sized and leaf_of is None and type(value) is not Parameter
    array = wrap_memory(trace, value._array, Named(Attribute(source, "_array"), str(source)), sized=sized)
    if len(trace.inputs.entries) == inputs:  # an array that the plan has already: another tensor holds it too
        trace.guard(TensorIs, source, type=type(value), facts=tuple(facts), checked_by="entry")
        return _value(trace, value, array, source, requires, leaf)
    entry = trace.inputs.entries[-1]
    here = PathStep(type(value), tuple((slot, held) for slot, held, _ in facts), "_array")
    entry.subscribed = leaf_of is not None and not requires and value._base is None
    checked_by = "owner" if entry.subscribed else "plan"
    trace.guard(TensorIs, source, type=type(value), facts=tuple(facts), checked_by=checked_by)
    if leaf_of is not None:
        entry.owner = leaf_of
        entry.access_path = AccessPath(True, (PathStep(type(leaf_of), (), "_grad"), here))
    else:
        entry.passed, entry.access_path = source, AccessPath(False, (here,))
    return _value(trace, value, array, source, requires, leaf)


def _fetched(trace: Trace, value: Any, source: WeakSource) -> TensorValue:
    """A tensor known by identity that is an argument of the plan all the same (`config.lift_constants`)."""
    _rely_on_memory(trace, value, source)
    inputs = len(trace.inputs.entries)
    found = _argument(trace, value, source, sized=False)
    for each in trace.inputs.entries[inputs:]:
        each.static_address = True
    return found


def _rely_on_memory(trace: Trace, value: Any, source: WeakSource) -> None:
    """Assume that a tensor known by identity has the memory it has now."""
    memory = _InputMemory(source.reference, id(value._array), _as_lifted(value))
    trace.assume(value, "data", f"the memory of {source} is the same", memory.is_same, memory.renew)


@dataclass(eq=False)
class _InputMemory:
    """The memory of a tensor known by identity, and all that a trace may know of such a tensor without a guard."""

    tensor: RebindableRef
    array: int
    facts: tuple[Any, ...]

    def is_same(self) -> bool:
        """Whether the tensor has it now."""
        return id(self.tensor()._array) == self.array

    def renew(self, moves: Rebinding) -> bool:
        """Is about the memory of now, where it lies in the same way; anchors stay where they are."""
        found = self.tensor()
        if _as_lifted(found) != self.facts:
            return False
        self.array = id(found._array)
        return True


def _as_lifted(value: Any) -> tuple[Any, ...]:
    array = value._array
    layout = type(array), array.dtype, array.shape, array.strides, is_writeable(array)
    return *layout, value._node is None, value._base is None, value._counter.inference


def _leaf_of_gradient(source: Source) -> Any:
    """The tensor, known by identity and lifted, whose `.grad` is read at `source`; None where it is anything else."""
    if not config.lift_constants:
        return None
    place = source.base if isinstance(source, Named) else source
    if isinstance(place, Attribute) and place.name == "_grad" and isinstance(place.base, WeakSource):
        return place.base.reference()
    return None


def _rely_on_base(trace: Trace, value: Any, source: Source) -> None:
    """Guards on the base of a view: with it, a view comes to require grad that was taken while grad mode was on."""
    trace.guard(TypeIs, source, expected=type(value))
    base = Attribute(source, "_base")
    trace.guard(TypeIs, base, expected=type(value._base))
    trace.guard(Is, Attribute(base, "_requires_grad"), expected=bool(value._base._requires_grad))
    if value._base._requires_grad:
        blind = Named(Attribute(source, "_path"), f"the way of {source} from its base")
        trace.guard(Is if value._path is None else Different, blind, **_none(value._path is None))


def _none(is_it: bool) -> dict[str, Any]:
    """The arguments of a guard that something is None (an `Is`), or is not (a `Different`)."""
    return {"expected": None} if is_it else {"other": ConstantSource(None, "None")}


def _lifted(trace: Trace, value: Any, source: WeakSource) -> TensorValue:
    """A tensor known by identity: its memory is part of the graph, and its owner tells when any of that changes."""
    reference: Callable[[], Any] = source.reference
    array = value._array
    dtype = dtypes.held(array.dtype)
    if dtype is None:
        raise DTYPE.stop(dtype=array.dtype)
    requires, leaf = bool(value._requires_grad), value._node is None
    if not leaf:
        raise TENSOR_FEATURE.stop(feature=f"{source}, which is state and the result of an operation")
    _rely_on_memory(trace, value, source)
    trace.assume(
        value, "requires_grad", f"{source}.requires_grad is {requires}", lambda: reference()._requires_grad is requires
    )
    hooked = value._hooks is not None
    fact = f"{source} has {'' if hooked else 'no '}hooks"
    trace.assume(value, "hooks", fact, lambda: (reference()._hooks is not None) is hooked)
    type = TensorType(array.shape, dtype, device_of(array))
    entry = trace.lifted_input(array, type, source)
    storage = Storage(entry.node, fake_of(type, entry.strides), entry)
    if not is_writeable(array):
        storage.fake.flags.writeable = False
    trace.inputs.storages.append(storage)
    return _value(trace, value, ArrayValue(storage, (), storage.fake), source, requires, leaf)


def _value(trace: Trace, value: Any, array: ArrayValue, source: Source, requires: bool, leaf: bool) -> TensorValue:
    if requires:
        trace.guard(Is, GRAD_MODE, expected=MODES.grad_enabled)
    counter = _shared_counter(trace, value, array.storage, source)
    root = AutogradIdentity(array.storage, requires, leaf, real=value, source=source, counter=counter)
    array.storage.roots.append(root)
    made = TensorValue(trace, array, root, type(value), source)
    made.blind = value._base is not None and value._path is None
    return made


def is_known_gradient(source: Source) -> bool:
    """Whether it is the place of the gradient of a leaf that is known by identity."""
    return _leaf_of_gradient(source) is not None


def _shared_counter(trace: Trace, value: Any, storage: Storage, source: Source) -> AutogradIdentity | None:
    """Among the tensors over one memory, the one whose version counter `value` shares: `detach()` does, `.data` not."""
    for root in storage.roots:
        if root.counter is None and root.real is not None:
            shared = root.real._counter is value._counter
            mine, other = (Named(Attribute(at, "_counter"), f"the version of {at}") for at in (source, root.source))
            trace.guard(Same if shared else Different, mine, other=other)
            if shared:
                return root  # type: ignore[no-any-return]
    return None
