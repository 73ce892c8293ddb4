"""Tensors that are, behind a branch on data, one of two that the branches have left: which one only the run knows."""

# Note [One of two]
# Where both branches make a tensor, there is a new one behind the branch, as there is in eager mode. Where a branch
# leaves a tensor that was there before (`if norm > 1: x = x / norm`), the name stands for that very object, or for a
# new one. What only reads it does not care. So it may be read as long as nobody has written what it may be; it is not
# written itself, its identity is not asked, and it leaves the call only if what it may be does not. Where one of these
# would happen the trace is made anew, and the branch breaks the graph.

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ....graph.node import Node
from ...tracing.speculation import LoopKey, unsupported_in_region
from ...values.arrays.array import ArrayValue, FakeArray, Storage, fake_of
from ...values.tensors.inference_mode import is_inference
from ...values.tensors.tensor import AutogradIdentity, TensorValue
from .loop_carried import made_anew

if TYPE_CHECKING:
    from ...tracing.trace import Trace

Versions = tuple[tuple[Storage, int], ...]


class MergedStorage(Storage):
    """The memory of a tensor that may be one of others. See Note [One of two].

    may_be: these, with their versions when the branch was evaluated.   key: the branch.
    """

    def __init__(self, trace: Trace, node: Node, fake: FakeArray, may_be: Versions, key: LoopKey) -> None:
        self._trace, self._node, self._key = trace, node, key
        super().__init__(node, fake)
        self.may_be = may_be
        for storage, _ in may_be:
            storage.merged.append(self)

    @property
    def known_node(self) -> Node:
        """Its value, whatever has become of what it may be."""
        return self._node

    @property
    def node(self) -> Node:  # type: ignore[override]
        self.check()
        return self._node

    @node.setter
    def node(self, node: Node) -> None:
        if node is not self._node:
            self.refuse("a write into a tensor that one arm has left as it was")

    def check(self) -> None:
        """Errors: `Restart` where what it may be has been written since."""
        if any(storage.version != version for storage, version in self.may_be):
            self.refuse("a write into a tensor that one arm has left as it was")

    def refuse(self, what: str) -> NoReturn:
        """Errors: `Restart`, always: its branch is not to be one node."""
        self._trace.speculation.not_cond[self._key] = unsupported_in_region(what)
        raise made_anew(self._trace)


def merged_tensor(trace: Trace, node: Node, like: TensorValue, may_be: Versions, key: LoopKey) -> TensorValue:
    """The tensor behind a branch that holds `node`; `like` is what one branch left, and may not be what the other
    did.
    """
    from ....tensor import Tensor

    fake = fake_of(node.type, like.strides)
    storage = MergedStorage(trace, node, fake, may_be, key) if may_be else Storage(node, fake)
    trace.storages.append(storage)
    root = AutogradIdentity(storage, like.requires_grad, not like.requires_grad, inference=is_inference(like.root))
    root.bumps = (like.root.counter or like.root).bumps
    storage.roots.append(root)
    made = TensorValue(trace, ArrayValue(storage, (), fake), root, Tensor)
    made.blind = like.blind
    return made


def may_be(storage: Storage, version: int) -> Versions:
    """A memory with its version, and what it may be itself."""
    return ((storage, version), *storage.may_be)
