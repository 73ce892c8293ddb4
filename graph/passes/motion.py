"""Rules on movement and on stores: elements that go nowhere, or go twice."""

from __future__ import annotations

from ...ops.indexing import SLICE_STORE
from ...ops.movement import EXPAND, PERMUTE, RESHAPE, SLICE
from ..node import Node
from .cse import attribute_key
from .rule import Rule, apply_as


def _ints(node: Node, name: str) -> tuple[int, ...]:
    value = node.attr(name)
    assert isinstance(value, tuple)
    return value


def _keeps_shape(node: Node) -> Node | None:
    return node.inputs[0] if node.shape == node.inputs[0].shape else None


def _keeps_axes(node: Node) -> Node | None:
    axes = _ints(node, "axes")
    return node.inputs[0] if axes == tuple(range(len(axes))) else None


def _whole(node: Node, extent: tuple[int, ...]) -> bool:
    """Whether the region of a slice or store is all of an operand of shape `extent`, in order."""
    # Two elements or more that fill an axis leave only the steps 1 and -1; fewer leave nothing to tell apart.
    steps = zip(_ints(node, "sizes"), _ints(node, "steps"), strict=True)
    return _ints(node, "sizes") == extent and all(size <= 1 or step == 1 for size, step in steps)


def _slices_all(node: Node) -> Node | None:
    return node.inputs[0] if _whole(node, node.inputs[0].shape) else None


def _reshape_of_reshape(node: Node) -> Node | None:
    inner = node.inputs[0]
    return apply_as(node, RESHAPE, inner.inputs[0], shape=node.shape) if inner.op is RESHAPE else None


def _permute_of_permute(node: Node) -> Node | None:
    inner = node.inputs[0]
    if inner.op is not PERMUTE:
        return None
    before = _ints(inner, "axes")
    return apply_as(node, PERMUTE, inner.inputs[0], axes=tuple(before[axis] for axis in _ints(node, "axes")))


def _expand_of_expand(node: Node) -> Node | None:
    inner = node.inputs[0]
    return apply_as(node, EXPAND, inner.inputs[0], shape=node.shape) if inner.op is EXPAND else None


def _slice_of_slice(node: Node) -> Node | None:
    inner = node.inputs[0]
    if inner.op is not SLICE:
        return None
    outer = zip(_ints(node, "starts"), _ints(node, "steps"), strict=True)
    regions = zip(outer, _ints(inner, "starts"), _ints(inner, "steps"), strict=True)
    joined = [(first + start * stride, step * stride) for (start, step), first, stride in regions]
    starts, steps = tuple(start for start, _ in joined), tuple(step for _, step in joined)
    return apply_as(node, SLICE, inner.inputs[0], starts=starts, sizes=node.shape, steps=steps)


def _reads_what_was_stored(node: Node) -> Node | None:
    store = node.inputs[0]
    same = store.op is SLICE_STORE and attribute_key(tuple(store.attrs)) == attribute_key(tuple(node.attrs))
    return store.inputs[1] if same else None


def _stores_all(node: Node) -> Node | None:
    return node.inputs[1] if _whole(node, node.shape) else None


def _stores_nothing(node: Node) -> Node | None:
    return node.inputs[0] if 0 in _ints(node, "sizes") else None


def _joins_one(node: Node) -> Node | None:
    return node.inputs[0] if len(node.inputs) == 1 else None


RULES = (
    Rule("same_shape", "op(x) => x where the shape stays", ("reshape", "expand", "pad"), _keeps_shape),
    Rule("permute_identity", "permute(x, (0, 1, ...)) => x", ("permute",), _keeps_axes),
    Rule("slice_all", "slice(x, all of it) => x", ("slice",), _slices_all),
    Rule("reshape_of_reshape", "reshape(reshape(x, a), b) => reshape(x, b)", ("reshape",), _reshape_of_reshape),
    Rule("permute_of_permute", "permute(permute(x, a), b) => permute(x, a[b])", ("permute",), _permute_of_permute),
    Rule("expand_of_expand", "expand(expand(x, a), b) => expand(x, b)", ("expand",), _expand_of_expand),
    Rule("slice_of_slice", "slice(slice(x, a), b) => slice(x, b in a)", ("slice",), _slice_of_slice),
    Rule("slice_of_store", "slice(slice_store(x, y, a), a) => y", ("slice",), _reads_what_was_stored),
    Rule("store_all", "slice_store(x, y, all of it) => y", ("slice_store",), _stores_all),
    Rule("store_nothing", "slice_store(x, y, an empty region) => x", ("slice_store",), _stores_nothing),
    Rule("cat_of_one", "cat(x) => x", ("cat",), _joins_one),
)
