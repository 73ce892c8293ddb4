"""The form of a node of an eager graph, values left out: nodes of one form become one piece of compiled code."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..autograd.in_place import CopyBackward, CopySlices
from ..autograd.node import Node
from ..autograd.op_node import OpNode
from ..autograd.saved import SavedTensor
from ..graph.aot.emitter import GraphEmitter
from ..graph.node import Node as Value
from ..tensor.tensor import DTYPES


class CannotEmitError(Exception):
    """A derivative cannot be written as a graph; the engine runs it, and says so if it is an error there too."""


class NodeForm:
    """The form of one node of a kind that is compiled. A subclass stands for one class of nodes, `node_type`."""

    __slots__ = ()
    node_type: type[Node]

    def fits(self, node: Any) -> bool:
        """Whether `node`, which is of the same class, is of this form; what `op_node` gives is compared elsewhere."""
        raise NotImplementedError

    def op_node(self, node: Any) -> OpNode | None:
        """The node of the op that `node` applies, whose saved tensors it unpacks; None if it has none."""
        raise NotImplementedError

    def emit(self, f: GraphEmitter, node: Any, g: Value, saved: Mapping[str, Any]) -> list[Value | None]:
        """The gradients that `node` makes of `g`, by edge.   saved: what `op_node` has saved: values, and numbers."""
        raise NotImplementedError


class OpForm(NodeForm):
    """An op. All there is to know of it is in the columns of its piece (see `node_columns`)."""

    __slots__ = ()
    node_type = OpNode

    def fits(self, node: OpNode) -> bool:
        """Nothing is left to ask."""
        return True

    def op_node(self, node: OpNode) -> OpNode | None:
        """The node itself."""
        return node

    def emit(self, f: GraphEmitter, node: OpNode, g: Value, saved: Mapping[str, Any]) -> list[Value | None]:
        """The results of the op's derivative rules. Errors: CannotEmitError where one has not its operand's shape."""
        found = node.derivative.apply(f, g, saved, node.shapes, node.dtypes, node.attrs)
        return [
            None if each is None else _fitted(f, each, shape, kind)
            for each, shape, kind in zip(found, node.shapes, node.kinds, strict=True)
        ]


class CopyForm(NodeForm):
    """An assignment to a whole tensor."""

    __slots__ = ("dtype", "shape")
    node_type = CopyBackward

    def __init__(self, node: CopyBackward) -> None:
        self.shape = node.shape
        self.dtype = node.dtype

    def fits(self, node: CopyBackward) -> bool:
        """Whether a value of the same type was assigned."""
        return node.shape == self.shape and node.dtype is self.dtype

    def op_node(self, node: CopyBackward) -> OpNode | None:
        """None."""
        return None

    def emit(self, f: GraphEmitter, node: CopyBackward, g: Value, saved: Mapping[str, Any]) -> list[Value | None]:
        """The gradients that `CopyBackward` gives."""
        return list(node.written_with(f, g))


class SlicesForm(NodeForm):
    """A write through a view: the way from the base to the view, and the form of the write itself."""

    __slots__ = ("inner", "path", "wanted")
    node_type = CopySlices

    def __init__(self, node: CopySlices) -> None:
        self.path = list(node.path)
        self.inner: NodeForm = _made(node.inner)
        self.wanted = [end is not None for end, _ in node.inner.edges]

    def fits(self, node: CopySlices) -> bool:
        """Whether it is the same write through the same way."""
        inner = node.inner
        return (
            type(inner) is self.inner.node_type
            and [end is not None for end, _ in inner.edges] == self.wanted
            and alike(list(node.path), self.path)
            and self.inner.fits(inner)
        )

    def op_node(self, node: CopySlices) -> OpNode | None:
        """The form of the write."""
        return self.inner.op_node(node.inner)

    def emit(self, f: GraphEmitter, node: CopySlices, g: Value, saved: Mapping[str, Any]) -> list[Value | None]:
        """The gradients that `CopySlices` gives."""
        return list(node.written_with(f, g, lambda part: self.inner.emit(f, node.inner, part, saved)))


def form_of(node: Node) -> NodeForm | None:
    """The form of `node`; None if it is to run by itself, as it does where a saved-tensor hook would be called."""
    inner = node.inner if type(node) is CopySlices else node
    if type(inner) is OpNode:
        if not all(map(_is_plain, inner.saved.values())):
            return None
    elif type(inner) is not CopyBackward:
        return None
    return _made(node)


def _is_plain(saved: Any) -> bool:
    """Whether what a node has saved is a tensor without hooks, a Python number or None."""
    return saved._hooks is None if type(saved) is SavedTensor else type(saved) in (float, int, bool, type(None))


def _made(node: Any) -> NodeForm:
    if type(node) is OpNode:
        return _OP_FORM
    return CopyForm(node) if type(node) is CopyBackward else SlicesForm(node)


_OP_FORM = OpForm()


def _fitted(f: GraphEmitter, value: Value, shape: tuple[int, ...], kind: Any) -> Value:
    """`value` in the dtype of an operand. Errors: CannotEmitError if it has another shape."""
    if value.shape != shape:
        raise CannotEmitError(f"a gradient of shape {list(value.shape)} for an operand of shape {list(shape)}")
    dtype = DTYPES[kind]
    fitted: Value = value if value.type.dtype is dtype else f.cast(value, dtype=dtype)
    return fitted


def alike(a: Any, b: Any) -> bool:
    """Whether two attributes are the same in every bit: 1, 1.0 and True are three, and so are 0.0 and -0.0 two."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind is tuple or kind is list:
        return len(a) == len(b) and all(map(alike, a, b))
    if kind is float:
        return struct.pack("d", a) == struct.pack("d", b)
    if kind is dict:
        return a.keys() == b.keys() and all(alike(value, b[name]) for name, value in a.items())
    if isinstance(a, np.generic):
        return a.tobytes() == b.tobytes()
    return kind in (int, str, bool) and bool(a == b)
