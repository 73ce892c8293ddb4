"""Hooks on tensors in a backward pass: followed where a gradient has arrived, as the engine calls them in eager
mode."""

# Note [Leaves in a hooked backward pass]
# A backward pass may add up all gradients first and put them into `.grad` at its end: nobody looks in between. A hook
# may: at the `.grad` of other leaves, or it may step an optimizer. So where a hook of the user's is on the way, each
# leaf gets its gradient when the last part of it has arrived.

# Note [Hooks in a recorded backward pass]
# With create_graph=True a hook runs in grad mode, and the gradient that it is shown has a history. So before it is
# called, what derivative rules have made up to there is put on the tape; what it computes itself is recorded as the
# code of the call is. What the rules have saved is known when the backward pass is over: it may be any memory that
# they have read, that a hook was shown, or that one has given.

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ....graph.aot.custom_nodes import operands
from ....graph.aot.emitter import GraphEmitter
from ....graph.aot.inner_steps import with_bodies
from ....graph.aot.vjp import NO_HOOKS, Hook
from ....graph.node import Node
from ....ops.activations import ALIAS
from ...breaks import RAISES, TENSOR_FEATURE, GraphBreak, Unwinding
from ...tracing.restarts import RestartFromStart
from ...values.arrays.array import Storage
from ...values.base import Value
from ...values.constant import Constant
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.tensor import TensorValue, fresh
from ..autograd.gradient_tensors import GradientMemory, laid_out
from ..autograd.leaf_gradients import retained
from ..autograd.recorded_backward import has_history, record_backward
from .tensor_hooks import TracedHook, TracedHooks, check_followed, leaf_hooks

if TYPE_CHECKING:
    from ...tracing.trace import Trace

Accumulate = Callable[["Trace", AutogradIdentity, Node], None]
Given = Sequence[tuple[Node, TensorValue]]
NO_TENSOR = "TypeError: a tensor hook returns a Tensor or None"
OTHER_SIZE = "RuntimeError: a hook has changed the size of value"
NOT_NONE = "RuntimeError: Tensor post accumulate grad hooks should return None."


class HookedBackward:
    """The hooks of one backward pass. mapping: what becomes of what arrives at a node (see `vjp.gradients`).

    done: the leaves that have been given their gradient.
    recorded: the backward pass is on the tape, and so is what hooks compute. See Note [Hooks in a recorded backward
    pass].
    """

    def __init__(self, trace: Trace, given: Given, accumulate: Accumulate | None) -> None:
        self.trace = trace
        self.accumulate = accumulate
        self.mapping: dict[Node, Hook] = {}
        self.done: set[AutogradIdentity] = set()
        self._memory = GradientMemory(given)
        self._made: set[Node] = set()
        """The nodes of the backward pass, up to where it was looked at last."""
        self._first = len(trace.builder.nodes)
        self._held: list[Storage] = []
        self.recorded = False
        self._rule_nodes: list[Node] = []
        """The nodes of a recorded backward pass that derivative rules have made, up to where it was put on the tape
        last."""
        self._from = self._first
        self._shown: set[tuple[Storage, int]] = set()
        """The storages of what hooks were shown, or have given."""

    @property
    def owners(self) -> list[tuple[Node, TensorValue]]:
        """The tensors whose memory gradients lie in, as far as hooks have been shown them or have given them."""
        return self._memory.owners

    def meet(self, roots: Collection[Node], used: Collection[Node], ends: Collection[Node], recorded: bool) -> None:
        """Looks for the hooks on the way, just before the backward pass.

        roots, used: where it begins, and what it passes.   ends: where it may end.   recorded: it is on the tape.
        Errors: a break for hooks that have no form in the graph.
        """
        self._find(roots, used, ends)
        if recorded:
            self.recorded, self._from = True, len(self.trace.builder.nodes)
            self.mapping = {node: self._on_tape(hook) for node, hook in self.mapping.items()}

    def _find(self, roots: Collection[Node], used: Collection[Node], ends: Collection[Node]) -> None:
        trace, tape = self.trace, self.trace.tape
        known_steps = with_bodies(trace.builder.nodes, tape.steps)
        met = {*roots, *used, *(each for node in used for each in operands(node, known_steps) if each in ends)}
        hooks = {node: list_ for node, list_ in tape.hooks.items() if list_ and node in met}
        leaves = {node: tape.leaves[node] for node in ends if node in met and node in tape.leaves}
        known = {node: leaf_hooks(trace, root.gradient_owner) for node, root in leaves.items()}
        self._retain(met)
        listed = [each for list_ in hooks.values() for each in list_]
        for each in known.values():
            listed += [*each.gradient, *(each.accumulated if self.accumulate else ())]
        if not listed:
            return
        for hook in listed:
            check_followed(trace, hook)
        if any(root.lookup is not None for root in leaves.values()):
            raise TENSOR_FEATURE.stop(feature="hooks on tensors beside a sparse gradient")
        if len(set(leaves.values())) < len(leaves) or not all(root.leaf for root in leaves.values()):
            raise TENSOR_FEATURE.stop(feature="hooks in a walk back to a leaf that was written, or out of the call")
        for node, list_ in hooks.items():
            self.mapping[node] = self._called(list_, self.mapping.get(node))
        for node, root in leaves.items():
            self.mapping[node] = self._at_leaf(root, known[node])

    def end(self, read: Iterable[tuple[Storage, int]]) -> None:
        """The backward pass is over: memory of gradients is the user's own again.

        read: the storages that derivative rules may have read, besides those that hooks know, and their versions then.
        """
        for storage in self._held:
            storage.handed_on = False
        if self.recorded:
            self._put_on_tape()
            pairs = tuple({*read, *self._shown})
            saved = self.trace.tape.saved
            saved.update((node, pairs) for node in self._rule_nodes if node in saved)

    # Recording.
    def _put_on_tape(self) -> None:
        """Records what derivative rules have made since this was done last."""
        made = self.trace.builder.nodes[self._from :]
        self._from += len(made)
        record_backward(self.trace, made)
        self._rule_nodes += made

    def _mode(self) -> AbstractContextManager[None]:
        return self.trace.recording() if self.recorded else self.trace.no_grad()

    def _on_tape(self, hook: Hook) -> Hook:
        """A hook that runs `hook` on the tape: the ops that led to the gradient are put there first."""

        def arrived(f: GraphEmitter, gradient: Node) -> Node:
            self._put_on_tape()
            gradient = hook(f, gradient)
            self._from = len(f.builder.nodes)
            return gradient

        return arrived

    # What is done at a node.
    def _retain(self, met: Collection[Node]) -> None:
        for tensor in self.trace.tape.retaining:
            with self.trace.recording():
                node = tensor.read()
            if node in met:
                self.mapping[node] = self._kept(tensor, self.mapping.get(node))

    def _kept(self, tensor: TensorValue, before: Hook | None) -> Hook:
        def arrived(f: GraphEmitter, gradient: Node) -> Node:
            if before is not None:
                gradient = before(f, gradient)
            with self.trace.into(f.builder), self._mode():
                retained(self.trace, tensor.root, self._tensor(gradient))
            return gradient

        return arrived

    def _called(self, hooks: list[TracedHook], after: Hook | None = None) -> Hook:
        def arrived(f: GraphEmitter, gradient: Node) -> Node:
            gradient = self._run(f, hooks, gradient)
            return gradient if after is None else after(f, gradient)

        return arrived

    def _at_leaf(self, root: AutogradIdentity, hooks: TracedHooks) -> Hook:
        def arrived(f: GraphEmitter, gradient: Node) -> Node:
            gradient = self._run(f, hooks.gradient, gradient)
            if self.accumulate is not None:
                with self.trace.into(f.builder), self._mode():
                    self.accumulate(self.trace, root, gradient)
                self.done.add(root)
                for hook in list(hooks.accumulated):
                    if not _is_none(self._follow(f, hook, self._leaf(root, hook))):
                        raise RAISES.stop(error=NOT_NONE)
            return gradient

        return arrived

    def _leaf(self, root: AutogradIdentity, hook: TracedHook) -> TensorValue:
        """The leaf itself."""
        if hook.owner is not None:
            return hook.owner
        return self.trace.inputs.tensors[id(root.real)]

    def _run(self, f: GraphEmitter, hooks: list[TracedHook], gradient: Node) -> Node:
        """The gradient that the hooks make of another, one after the other."""
        tensor: TensorValue | None = None
        for hook in list(hooks):
            if tensor is None:
                with self.trace.into(f.builder), self._mode():
                    tensor = self._tensor(gradient)
            answer = self._follow(f, hook, tensor)
            if _is_none(answer):
                continue
            if not isinstance(answer, TensorValue):
                raise RAISES.stop(error=NO_TENSOR)
            if answer.shape != tensor.shape:
                raise RAISES.stop(error=OTHER_SIZE)
            if answer.dtype is not tensor.dtype:
                raise TENSOR_FEATURE.stop(feature="a tensor hook that gives a gradient of another dtype")
            tensor = answer
            with self.trace.into(f.builder), self._mode():
                gradient = answer.read()
                if self._memory.is_another(gradient, answer):
                    gradient = self.trace.add(ALIAS, gradient)  # a node stands for one tensor
            self._memory.note(gradient, answer)
            self._hold(answer.array.storage)
        return gradient

    def _tensor(self, gradient: Node) -> TensorValue:
        """A gradient as a hook sees it: nobody may write it, and it leaves the call only if its memory is known."""
        nodes = self.trace.builder.nodes
        self._made.update(nodes[self._first :])
        self._first = len(nodes)
        try:
            if self.trace.deferred is not None:
                raise TENSOR_FEATURE.stop(feature="the memory of a gradient from outside")
            tensor = self._memory.tensor(self.trace, gradient, self._made)
        except GraphBreak:
            fake = laid_out(self.trace, gradient)
            strides = None if fake is None else tuple(step // fake.itemsize for step in fake.strides)
            later = self.trace.deferred
            outside = later is not None and later.recorded  # where the tape ends is known to the engine alone
            tracked = self.recorded and (outside or gradient in has_history(self.trace, [gradient]))
            tensor = fresh(self.trace, gradient, requires_grad=tracked, leaf=not tracked, strides=strides)
            tensor.array.storage.handed_on = True
            return tensor
        self._hold(tensor.array.storage)
        return tensor

    def _hold(self, storage: Storage) -> None:
        self._shown.add((storage, storage.version))
        if not storage.handed_on:
            storage.handed_on = True
            self._held.append(storage)

    def _follow(self, f: GraphEmitter, hook: TracedHook, tensor: TensorValue) -> Value:
        """The value that a hook gives. Errors: see `CustomBackward.pull`."""
        trace, first = self.trace, len(f.builder.nodes)
        before, trace.tape.in_hook = trace.tape.in_hook, True
        try:
            with trace.into(f.builder), self._mode():
                found = hook.function.call(trace, [tensor], {})
                if trace.deferred is not None and trace.deferred.recorded:
                    if isinstance(found, TensorValue):
                        found.read()
                    trace.deferred.note_unseen(trace, first)
                return found
        except Unwinding as leaving:
            stop = leaving.as_break()
            if trace.deferred is not None or stop.program_raises:
                raise stop from None
            trace.speculation.not_inlined[hook.key] = stop
            raise RestartFromStart from None
        finally:
            trace.tape.in_hook = before


def _is_none(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


def hooks_outside(trace: Trace, hooks: Mapping[Node, list[TracedHook]]) -> Mapping[Node, Hook]:
    """The hooks of a backward from outside, by node: they call `hooks`, on tensors that the call does not return."""
    if not hooks:
        return NO_HOOKS
    hooked = HookedBackward(trace, (), None)
    hooked.recorded = trace.deferred is not None and trace.deferred.recorded
    return {node: hooked._called(list_) for node, list_ in hooks.items()}
