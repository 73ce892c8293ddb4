"""Trees: tensors and other values in nested tuples, lists, dicts, dataclasses, and nodes registered with optree."""

# Note [Nodes of trees]
# A dataclass has its fields for parts, in their order, but for those that `__init__` does not take and those whose
# metadata says ``static=True``; it is put together again by `dataclasses.replace`, and so by its `__init__`. A class
# that a program registers with optree, in the namespace "guardlift" or for all namespaces, is taken apart and put
# together by the functions that were registered. Of each leaf it is first asked whether it is a tensor or a plain
# value, so that nothing of this is asked, nor guarded in a trace, where trees hold tensors.

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..core.records import is_dataclass_object, part_names, replace
from ..tensor.dispatch import is_tensor_like

NAMESPACE = "guardlift"
"""The namespace of optree in which classes are registered for trees here."""
_PLAIN = (int, float, complex, str, bytes, bool, type(None))


def is_node(value: Any) -> bool:
    """Whether a value has parts: a tuple, a named tuple, a list, a dict, or see Note [Nodes of trees]."""
    return isinstance(value, (tuple, list, dict)) or _taken_apart(value) is not None


def flattened(tree: Any) -> list[Any]:
    """The leaves of a tree, from left to right; those of a dict in the order of its keys."""
    if isinstance(tree, dict):
        return [leaf for each in tree.values() for leaf in flattened(each)]
    if isinstance(tree, (tuple, list)):
        return [leaf for each in tree for leaf in flattened(each)]
    apart = _taken_apart(tree)
    if apart is not None:
        return [leaf for each in apart[0] for leaf in flattened(each)]
    return [tree]


def mapped(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """A tree of the same form, with ``function(leaf, *leaves of the others)`` in place of each leaf."""
    if isinstance(tree, dict):
        items = {name: mapped(function, each, *(other[name] for other in others)) for name, each in tree.items()}
        return OrderedDict(items) if isinstance(tree, OrderedDict) else items
    if isinstance(tree, (tuple, list)):
        parts = [mapped(function, *each) for each in zip(tree, *others)]
        return rebuilt(tree, parts)
    apart = _taken_apart(tree)
    if apart is not None:
        parts, together = apart
        beside = [parts_of(other) for other in others]
        return together([mapped(function, *each) for each in zip(parts, *beside)])
    return function(tree, *others)


def rebuilt(like: Any, parts: list[Any]) -> Any:
    """A list, a tuple or a named tuple of the type of `like`."""
    if isinstance(like, list):
        return parts
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def parts_of(node: Any) -> list[Any]:
    """The parts of a node that is no dict, tuple or list."""
    apart = _taken_apart(node)
    assert apart is not None
    return apart[0]


def _taken_apart(value: Any) -> tuple[list[Any], Callable[[list[Any]], Any]] | None:
    """The parts of an object, and what puts such parts together; None for a leaf. See Note [Nodes of trees]."""
    if is_tensor_like(value) or isinstance(value, _PLAIN):
        return None
    if is_dataclass_object(value):
        names = part_names(type(value))
        parts = [getattr(value, name) for name in names]
        return parts, lambda parts: replace(value, **dict(zip(names, parts)))
    take_apart = taking_apart(type(value))
    if take_apart is None:
        return None
    children, metadata, *_ = take_apart(value)
    put_together = putting_together(type(value))
    return list(children), lambda parts: put_together(metadata, tuple(parts))


def taking_apart(kind: type) -> Any:
    """The function that takes objects of a class apart, as registered with optree; None without one.

    It gives parts, then what `putting_together` needs besides. The tracer has a rule for this function.
    """
    found = _registered(kind)
    return None if found is None else found.flatten_func


def putting_together(kind: type) -> Any:
    """The function that puts objects of a class together, as registered. The tracer has a rule for this function."""
    return _registered(kind).unflatten_func


def _registered(kind: type) -> Any:
    optree = sys.modules.get("optree")
    return None if optree is None else optree.register_pytree_node.get(kind, namespace=NAMESPACE)


def same_form(tree: Any, other: Any) -> bool:
    """Whether two trees have their leaves at the same places."""
    if isinstance(tree, dict):
        return (
            isinstance(other, dict)
            and list(tree) == list(other)
            and all(same_form(each, other[name]) for name, each in tree.items())
        )
    if isinstance(tree, (tuple, list)):
        kind = list if isinstance(tree, list) else tuple
        return (
            isinstance(other, kind)
            and len(tree) == len(other)
            and all(same_form(each, beside) for each, beside in zip(tree, other))
        )
    apart = _taken_apart(tree)
    if apart is None:
        return not is_node(other)
    if type(other) is not type(tree):
        return False
    parts = parts_of(other)
    return len(parts) == len(apart[0]) and all(same_form(each, beside) for each, beside in zip(apart[0], parts))


def check_tensors(tree: Any, what: str, caller: str) -> None:
    """Errors: RuntimeError for a leaf that is no tensor."""
    for leaf in flattened(tree):
        if not is_tensor_like(leaf):
            raise RuntimeError(f"{caller}: Expected {what} to be Tensors, got {type(leaf).__name__} in it")


def unflattened(like: Any, leaves: list[Any]) -> Any:
    """A tree of the form of `like` with these leaves, from left to right."""
    return _filled(like, list(leaves)[::-1])


def _filled(like: Any, waiting: list[Any]) -> Any:
    if isinstance(like, dict):
        items = {name: _filled(each, waiting) for name, each in like.items()}
        return OrderedDict(items) if isinstance(like, OrderedDict) else items
    if isinstance(like, (tuple, list)):
        return rebuilt(like, [_filled(each, waiting) for each in like])
    apart = _taken_apart(like)
    if apart is not None:
        parts, together = apart
        return together([_filled(each, waiting) for each in parts])
    return waiting.pop()
