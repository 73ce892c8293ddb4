"""Tensors while tracing: memory that is functionalised as an array's is, and what the tape knows about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ....core.devices import resolved
from ....core.dtypes import DType
from ....core.records import dataclass
from ....graph.node import Node
from ....guards.sources import Source
from ....ops.activations import ALIAS
from ....ops.devices import TO_DEVICE
from ...breaks import ARRAY_BRANCH, ARRAY_VALUE, INPLACE_HISTORY, RAISES, TENSOR_FEATURE
from .. import protocols
from ..arrays.array import ArrayValue, Storage
from ..arrays.view_steps import Ints, fake_of
from ..base import Value
from ..constant import Constant
from ..python_operators import OperatorRank
from .autograd_identity import AutogradIdentity

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

LEAF_WRITTEN = "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."

BLIND_WRITTEN = "RuntimeError: A view was created in no_grad mode and is being modified inplace with grad mode enabled."


@dataclass(frozen=True, eq=False)
class Made:
    """The making of a tensor that shares the memory of another one, `of`.

    op:     the movement with its `attrs`; None for `detach()`, or for `.data` where it is `uncounted`.
    recording: whether grad mode was on, without which a view keeps no history.
    """

    of: TensorValue
    op: Any = None
    attrs: dict[str, Any] = field(default_factory=dict)
    recording: bool = True
    uncounted: bool = False


@dataclass(frozen=True, eq=False)
class TakenOver:
    """The memory that a tensor has since the call has set its `.data`.

    given: the tensor over that memory, as `.data` gives it.   had: the memory that it had when the call began.
    """

    given: TensorValue
    had: Storage


class TensorValue(Value):
    """A `Tensor`. The surface functions of `tensor/` run over it natively; they see shape, dtype and flags."""

    __slots__ = (
        *("array", "blind", "is_viewed", "kind", "made_by", "root", "source", "stands_for", "taken_over", "trace"),
        "was_read",
    )
    operator_rank = OperatorRank.TENSOR
    __guardlift_apply__: Any
    __guardlift_apply_in_place__: Any
    __guardlift_as_own__: Any
    __guardlift_assign__: Any
    __guardlift_filled__: Any

    def __init__(
        self, trace: Trace, array: ArrayValue, root: AutogradIdentity, kind: type, source: Source | None = None
    ) -> None:
        self.trace = trace
        self.array = array
        self.root = root
        self.kind = kind
        self.source = source
        self.blind = False
        """Whether it is a view made with grad mode off, which eager refuses to write where a history is at stake."""
        self.is_viewed = False
        """Whether views of it have been taken."""
        self.was_read = False
        """Whether it has been read while operations are recorded."""
        self.made_by: Made | None = None
        """The making of a tensor over the memory of another one."""
        self.stands_for: TensorValue | None = None
        """The tensor that eager mode would have in its place: it saves that one."""
        self.taken_over: TakenOver | None = None
        """The memory that it has since the call has set its `.data`."""

    # What surface functions ask.
    @property
    def shape(self) -> Ints:
        return self.array.shape

    @property
    def dtype(self) -> DType:
        return self.array.dtype

    @property
    def ndim(self) -> int:
        return len(self.array.shape)

    @property
    def device(self) -> Any:
        return resolved(self.array.storage.node.type.device)

    @property
    def _storage(self) -> Storage:
        """The storage, which methods of the eager tensor compare to know a view from a copy."""
        return self.array.storage

    @property
    def requires_grad(self) -> bool:
        return self.root.requires_grad

    @property
    def is_leaf(self) -> bool:
        return self.has_own_gradient or self.root.leaf and not self.root.requires_grad  # a view of a leaf is none

    @property
    def has_own_gradient(self) -> bool:
        """Whether its `.grad` is that of its root: it is a leaf that is no view, or the view that is one of its own."""
        own = self.root.leaf_array
        return self.root.leaf and (not self.array.path if own is None else self.array.path is own.path)

    @property
    def strides(self) -> Ints:
        """Units: elements."""
        fake = self.array.fake
        return tuple(step // fake.itemsize for step in fake.strides)

    def standing_for(self, tensor: TensorValue) -> TensorValue:
        """Itself, in a place where eager mode, which looks at the data, goes on with `tensor` as it is."""
        self.stands_for = tensor
        self.trace.tape.stands[self.array.storage.node] = tensor
        return self

    def begin_leaf(self) -> None:
        """Make it, a view without a history, a leaf that requires grad; what it is a view of stays as it is."""
        trace, before = self.trace, self.root
        with trace.no_grad():
            value = self.read()
        counter = before.counter or before
        self.root = AutogradIdentity(before.storage, detached=True, counter=counter, like=counter)
        before.storage.roots.append(self.root)
        self.root.begin_leaf(trace, self.array, value)

    def begin_history(self, node: Node) -> None:
        """Make it a result of a custom function from now on, with the value `node`, which is recorded."""
        before = self.root
        if before.viewed_blindly:
            before.detached = True
            self.root = AutogradIdentity(before.storage, counter=before.counter or before)
            before.storage.roots.append(self.root)
        self.root.begin_history(node)

    def lie_in_rows(self) -> None:
        """Its elements, which were just made and which nothing else sees, lie row by row."""
        storage = self.array.storage
        storage.fake = fake_of(self.array.type)
        self.array = ArrayValue(storage, (), storage.fake)

    # What the tracer asks.
    @property
    def python_type(self) -> type:
        return self.kind

    def describe(self) -> str:
        return f"the tensor {self.source}" if self.source else f"an intermediate {self.array.type}"

    def read(self) -> Node:
        """The graph value now."""
        self.array.storage.check()
        self.was_read |= self.trace.tape.enabled
        node = self.root.read(self.trace, self.array)
        if node in self.trace.batches.left:
            raise TENSOR_FEATURE.stop(feature="a tensor that has left the vmap which it belongs to")
        self.trace.tape.note_layout(node, self.array.fake)
        return node

    def write(self, value: Node, *, requires_grad: bool) -> None:
        """Replace the elements. `requires_grad`: the value has a history.

        Errors: a break where PyTorch's rules refuse the write, or where the history of another tensor would change.
        """
        from .inference_mode import relies_on_count

        refuse_merged(self, "a write into a tensor that one arm has left as it was")
        trace, root = self.trace, self.root
        tracked = trace.grad_enabled and (requires_grad or root.requires_grad)
        if tracked and root.requires_grad and root.leaf:
            raise RAISES.stop(error=LEAF_WRITTEN)
        at_stake = tracked or any(each.requires_grad or each.hides_history for each in self.array.storage.roots)
        if self.blind and trace.grad_enabled and at_stake:
            raise RAISES.stop(error=BLIND_WRITTEN)
        if self.array.storage.handed_on:
            raise TENSOR_FEATURE.stop(feature="a write into a gradient that backward is given")
        silent = not trace.grad_enabled and root.requires_grad and not root.leaf and root.real is None
        if silent and root in trace.tape.written:
            silent, root.silently_written = False, True
        others = [other for other in self.array.storage.roots if other is not root]
        if silent or any(tracked or other.follows_writes for other in others):
            raise INPLACE_HISTORY.stop(name=self.describe())
        if tracked and self.array.storage.input is not None:
            raise INPLACE_HISTORY.stop(name=self.describe())  # the history would have to reach out of the call
        counted = root.counter or root
        is_counted = relies_on_count(trace, counted)
        self.array.write(trace, _without_history(trace, beside(trace, value, self.array.storage.node)))
        counted.bumps += is_counted
        if tracked:
            root.requires_grad, root.leaf = True, False

    def truth(self, trace: Trace) -> bool:
        raise ARRAY_BRANCH.stop(name=self.describe())

    def constant(self, trace: Trace) -> Any:
        raise ARRAY_VALUE.stop(wanted="constant")

    def length(self, trace: Trace) -> int:
        if not self.shape:
            raise RAISES.stop(error="TypeError: len() of a 0-d tensor")
        return self.shape[0]

    def elements(self, trace: Trace) -> list[Value]:
        return [self.item(trace, Constant(index)) for index in range(self.length(trace))]

    def iterate(self, trace: Trace) -> Iterator[Value]:
        length = self.length(trace)

        def items() -> Iterator[Value]:  # of a size only that is relied on which the loop comes to
            index = 0
            while index < length:
                yield self.item(trace, Constant(index))
                index += 1

        return items()

    def item(self, trace: Trace, key: Value) -> Value:
        return protocols.get_tensor_item(trace, self, key)

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        protocols.set_tensor_item(trace, self, key, value)

    def attribute(self, trace: Trace, name: str) -> Value:
        return protocols.tensor_attribute(trace, self, name)

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        protocols.set_tensor_attribute(trace, self, name, value)

    def unary(self, trace: Trace, name: str) -> Value:
        return protocols.tensor_unary(trace, name, self)

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        return protocols.tensor_operator(trace, name, left, right, in_place=in_place)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.tensor(self)


def refuse_merged(value: Value, what: str) -> None:
    """Errors: `Restart` for a tensor of which only the run knows which object it is. See `tensors.branch_merge`."""
    if isinstance(value, TensorValue) and value.array.storage.may_be:
        value.array.storage.refuse(what)


def beside(trace: Trace, node: Node, like: Node) -> Node:
    """`node` on the device of `like`."""
    device, source = like.type.device, node.type.device
    return node if device == source else trace.add(TO_DEVICE, node, device=device, source=source)


def _without_history(trace: Trace, node: Node) -> Node:
    """The value as a tensor holds it that is made or written while nothing is recorded: nobody walks back from it."""
    recording = trace.grad_enabled or node not in trace.tape.recorded
    return node if recording else trace.add(ALIAS, node)


def fresh(
    trace: Trace, node: Node, *, requires_grad: bool = False, leaf: bool = True, strides: Ints | None = None
) -> TensorValue:
    """A new tensor that owns its memory, holding `node`."""
    from ....tensor import Tensor

    fake = fake_of(node.type, strides)
    if node in trace.tape.hooks:
        node = trace.add(ALIAS, node)  # its hooks are another tensor's
    storage = Storage(_without_history(trace, node), fake)
    trace.inputs.storages.append(storage)
    root = AutogradIdentity(storage, requires_grad, leaf, inference=trace.tape.inference)
    storage.roots.append(root)
    return TensorValue(trace, ArrayValue(storage, (), fake), root, Tensor)


def detached(value: TensorValue, *, versioned: bool = True) -> TensorValue:
    """A tensor over the same memory that the tape does not follow.

    versioned: it shares the version counter; that of `.data` does not.
    """
    from ....tensor import Tensor

    counter = (value.root.counter or value.root) if versioned else None
    root = AutogradIdentity(value.array.storage, detached=True, counter=counter, like=value.root.counter or value.root)
    value.array.storage.roots.append(root)
    array = ArrayValue(value.array.storage, value.array.path, value.array.fake)
    made = TensorValue(value.trace, array, root, Tensor)
    made.made_by = Made(value, uncounted=not versioned)
    return made


def view_of(value: TensorValue, array: ArrayValue) -> TensorValue:
    """A view of a tensor; made with grad mode off it has no history, as in eager."""
    from ....tensor import Tensor

    blind = value.blind or not value.trace.grad_enabled
    value.is_viewed = True
    value.root.viewed_blindly |= blind
    if value.root.requires_grad and not value.trace.grad_enabled:
        value = detached(value)
    value.root.note_view(value.trace, array.path)
    view = TensorValue(value.trace, array, value.root, Tensor)
    view.blind = blind
    return view


__all__ = ["AutogradIdentity", "TensorValue", "detached", "fresh", "view_of"]
