"""Hooks on tensors while tracing: `register_hook`, `register_post_accumulate_grad_hook` and `retain_grad`.

What a backward pass makes of them is said in `backward_hooks`.
"""

# Note [Whose gradient a hook sees]
# In eager mode a hook belongs to what its tensor is at that time: to its place among the outputs of a node. Here that
# is a node of the graph, which stands for this one tensor: a tensor that is made of the same value gets a node of its
# own (`tensor.fresh`). A view is read anew along its path each time, so one that is given a hook becomes a thing
# of its own to the tape, as the view that a custom function returned. Two tensors may be one view; so its hook is known
# to see all only if nobody has read the view or taken a view of it before.

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from ....autograd.handles import RemovableHandle, new_hooks
from ....autograd.hooks import LeafHooks, register_hook, register_post_accumulate_grad_hook, retain_grad
from ....core.records import dataclass
from ....graph.node import Node
from ....guards.containers import Length
from ....guards.guard import TypeIs
from ....guards.sources import Attribute, Named, Source, source_kind
from ....ops.activations import ALIAS
from ...breaks import LATE_HOOK, RAISES, TENSOR_FEATURE, GraphBreak
from ...values.base import Value, wrap
from ...values.constant import FALSE, NONE, TRUE
from ...values.functions.functions import FunctionValue
from ...values.tensors.autograd_identity import AutogradIdentity, FunctionView
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ....guards.pool import Pool
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

NOT_REQUIRED = "RuntimeError: cannot register a hook on a tensor that doesn't require gradient"
NOT_RETAINED = "RuntimeError: can't retain_grad on Tensor that has requires_grad=False"
NO_LEAF = "RuntimeError: post accumulate grad hooks cannot be registered on non-leaf tensors"

_MAKERS: dict[str, Any] = {
    "gradient": register_hook,
    "accumulated": register_post_accumulate_grad_hook,
}


@dataclass(eq=False)
class TracedHook:
    """One hook of a tensor.

    kind:   which of the lists of `LeafHooks` it is in; of a tensor that is no leaf, always "gradient".
    listed: the list it is in, unless it was taken out.
    owner:  the tensor that the call has registered it on; None of a hook from before.
    node:   whose gradient it sees, of a tensor that is no leaf and was made by the call.
    is_put: whether the tensor leaves the call, and has it by then.
    """

    function: Value
    kind: str
    listed: list[TracedHook]
    owner: TensorValue | None = None
    node: Node | None = None
    is_put: bool = False

    @property
    def key(self) -> Any:
        """The key that stands for the hook when the trace is made anew, since it cannot be followed."""
        function = self.function
        return function.code if isinstance(function, FunctionValue) else function.describe()

    @property
    def is_listed(self) -> bool:
        """Whether it has not been taken out."""
        return self in self.listed


@dataclass(eq=False)
class TracedHooks:
    """The hooks of one leaf."""

    gradient: list[TracedHook] = field(default_factory=list)
    accumulated: list[TracedHook] = field(default_factory=list)


@source_kind
class HookNumber(Source):
    """A hook of a leaf, by its place among those of its kind."""

    hooks: Source
    place: int

    def text(self, pool: Pool) -> str:
        return f"tuple({self.hooks.text(pool)}.values())[{self.place}]"

    def __str__(self) -> str:
        return f"hook {self.place} among {self.hooks}"

    def parts(self) -> tuple[Source, ...]:
        return (self.hooks,)


def leaf_hooks(trace: Trace, root: AutogradIdentity) -> TracedHooks:
    """The hooks that a leaf has by now."""
    if root.hooks is None:
        root.hooks = TracedHooks()
        real = None if root.real is None else root.real._hooks
        if real is not None and root.source is not None:
            place = Attribute(root.source, "_hooks")
            trace.guard(TypeIs, place, expected=LeafHooks)
            for kind in ("gradient", "accumulated"):
                known = getattr(real, kind)
                source = Named(Attribute(place, kind), f"the {kind} hooks of {root.source}")
                trace.guard(Length, source, expected=len(known))
                listed: list[TracedHook] = getattr(root.hooks, kind)
                for number, each in enumerate(known.values()):
                    function = wrap(trace, each, HookNumber(source, number))
                    listed.append(TracedHook(function, kind, listed))
    return root.hooks  # type: ignore[no-any-return]


class HandleValue(Value):
    """The handle of a hook that the call has registered."""

    __slots__ = ("hook",)

    def __init__(self, hook: TracedHook) -> None:
        self.hook = hook

    @property
    def python_type(self) -> type:
        return RemovableHandle

    def describe(self) -> str:
        return "the handle of a hook"

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "remove":
            return Removing(self)
        return super().attribute(trace, name)

    def enter(self, trace: Trace) -> tuple[Value, Value]:
        return Removing(self), self

    def rebuild(self, writer: EntryWriter) -> str:
        """The variable that holds it; the hook is registered on the tensor that leaves the call."""
        hook = self.hook
        if not hook.is_listed:
            return writer.once(self, lambda: f"{writer.pool.add(_inert)}()")
        return registered(writer, hook)


class Removing(Value):
    """`remove` of such a handle, or its `__exit__`."""

    __slots__ = ("handle",)

    def __init__(self, handle: HandleValue) -> None:
        self.handle = handle

    @property
    def python_type(self) -> type:
        raise self.unsupported("the type")

    def describe(self) -> str:
        return "the handle's remove"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        trace.refuse_in_iterations("taking out a hook")
        hook = self.handle.hook
        if hook.is_listed:
            hook.listed.remove(hook)
        return NONE


def _inert() -> RemovableHandle:
    return RemovableHandle(new_hooks(), -1)


# -- registering -------------------------------------------------------------------------------------------------------
def trace_register_hook(trace: Trace, self: TensorValue, hook: Value) -> Value:
    """`tensor.register_hook(hook)`."""
    if not self.requires_grad:
        raise RAISES.stop(error=NOT_REQUIRED)
    _check_place(trace)
    if self.is_leaf or self.source is not None:
        return _handle(trace, TracedHook(hook, "gradient", leaf_hooks(trace, self.root).gradient, self))
    node = _own_node(trace, self)
    return _handle(trace, TracedHook(hook, "gradient", trace.tape.hooks.setdefault(node, []), self, node))


def trace_register_post_accumulate_grad_hook(trace: Trace, self: TensorValue, hook: Value) -> Value:
    """`leaf.register_post_accumulate_grad_hook(hook)`."""
    if not self.requires_grad:
        raise RAISES.stop(error=NOT_REQUIRED)
    if not self.is_leaf:
        raise RAISES.stop(error=NO_LEAF)
    _check_place(trace)
    return _handle(trace, TracedHook(hook, "accumulated", leaf_hooks(trace, self.root).accumulated, self))


def trace_retain_grad(trace: Trace, self: TensorValue) -> Value:
    """`tensor.retain_grad()`."""
    if not self.requires_grad:
        raise RAISES.stop(error=NOT_RETAINED)
    if self.is_leaf:
        return NONE
    _check_place(trace)
    if self.source is not None:
        raise TENSOR_FEATURE.stop(feature="retain_grad() of a tensor from outside that is no leaf")
    _own_node(trace, self)
    if not is_retaining(trace, self):
        trace.tape.retaining.append(self)
    return NONE


def retains_grad(trace: Trace, value: TensorValue) -> Value:
    """`tensor.retains_grad`."""
    return TRUE if is_retaining(trace, value) else FALSE


def is_retaining(trace: Trace, value: TensorValue) -> bool:
    """Whether a backward pass fills the `.grad` of a tensor that is no leaf."""
    return any(each is value for each in trace.tape.retaining)


def _check_place(trace: Trace) -> None:
    """Errors: a break in a hook or a custom backward: a backward pass is on its way, and knows the hooks it met.

    So too in a loop that is traced once, whose rounds have a tensor each.
    """
    trace.refuse_in_iterations("registering a hook")
    if trace.deferred is not None or trace.tape.in_hook or trace.tape.in_custom_backward:
        raise TENSOR_FEATURE.stop(feature="a hook that is registered during a backward pass")


def _handle(trace: Trace, hook: TracedHook) -> Value:
    """The handle of a hook, which is in its list from now on."""
    hook.listed.append(hook)
    trace.tape.registered.append(hook)
    return HandleValue(hook)


def check_followed(trace: Trace, hook: TracedHook) -> None:
    """Errors: a break, if the hook could not be followed by an earlier trace."""
    known = trace.speculation.not_inlined.get(hook.key)
    if known is not None:
        raise GraphBreak(known.kind, known.details, in_hook=True)


def is_called_by_engine(trace: Trace, hook: TracedHook) -> bool:
    """Whether a hook is registered on a tensor that leaves the call for this: an earlier trace could not follow it."""
    return hook.key in trace.speculation.not_inlined


def _own_node(trace: Trace, value: TensorValue) -> Node:
    """The node that stands for a tensor, which is no leaf, and for no other one. See Note [Whose gradient a hook sees].

    Errors: a break where others may stand for it as well.
    """
    root, path, storage = value.root, value.array.path, value.array.storage
    with trace.recording():
        known = root.view
        if known is not None and known.path == path and known.version == storage.version:
            return known.node
        if not path:
            node = value.read()
            if any(each.node is node for each in trace.inputs.storages if each is not storage):
                raise LATE_HOOK.stop(tensor="a tensor of which there is another one of the same value")
            return node
        if value.is_viewed or root.has_read(value.array):
            raise LATE_HOOK.stop(tensor="a view that has been used before")
        node = trace.add(ALIAS, value.read())
    value.root = AutogradIdentity(storage, requires_grad=True, leaf=False, counter=root.counter or root)
    value.root.view = FunctionView(node, path, storage.version)
    storage.roots.append(value.root)
    return node


# -- after the call ----------------------------------------------------------------------------------------------------
def put_hooks(trace: Trace, writer: EntryWriter) -> None:
    """Writes the statements that register, on tensors that are there after the call, the hooks which the call has left.

    So do those that make them retain gradients, or give them one that they retained.
    """
    for hook in trace.tape.registered:
        owner = hook.owner
        assert owner is not None
        if not hook.is_listed:
            continue
        there = owner.source is not None or (writer.is_made(owner) and _sees(trace, hook))
        if there or (hook.node is not None and is_called_by_engine(trace, hook)):
            registered(writer, hook)
    for each in trace.tape.retaining:
        if writer.is_made(each):
            name = each.rebuild(writer)
            writer.statements.append(f"{writer.pool.add(retain_grad)}({name})")
            if isinstance(each.root.grad, TensorValue):
                writer.statements.append(f"{name}._grad = {each.root.grad.rebuild(writer)}")


def is_observed(trace: Trace, node: Node) -> bool:
    """Whether somebody looks, after the call, at the gradient of a result with this node."""
    if any(each.is_put for each in trace.tape.hooks.get(node, ())):
        return True
    with trace.recording():
        return any(each.read() is node for each in trace.tape.retaining)


def _sees(trace: Trace, hook: TracedHook) -> bool:
    """Whether what a hook sees the gradient of is what its tensor is at the end of the call."""
    if hook.node is None or hook.owner is None:
        return True
    with trace.recording():
        return hook.owner.read() is hook.node


def registered(writer: EntryWriter, hook: TracedHook) -> str:
    """The variable that holds the handle of a hook, registered after those that were before it on its tensor."""
    for each in hook.listed[: hook.listed.index(hook)]:
        if each.owner is not None:
            registered(writer, each)
    return writer.once(hook, lambda: _registering(writer, hook))


def _registering(writer: EntryWriter, hook: TracedHook) -> str:
    owner = hook.owner
    assert owner is not None
    tensor = owner.rebuild(writer)
    if not _sees(writer.trace, hook):
        raise TENSOR_FEATURE.stop(feature="a handle, held outside the call, of a hook on a tensor written since")
    hook.is_put = True
    return f"{writer.pool.add(_MAKERS[hook.kind])}({tensor}, {hook.function.rebuild(writer)})"
