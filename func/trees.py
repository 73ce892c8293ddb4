"""Trees: tensors and other values in nested tuples, lists and dicts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..tensor.dispatch import is_tensor_like

_MAPPINGS = (dict, OrderedDict)


def is_node(value: Any) -> bool:
    """Whether a value is a tuple, a named tuple, a list or a dict, and so has parts."""
    return isinstance(value, (tuple, list, dict))


def flattened(tree: Any) -> list[Any]:
    """The leaves of a tree, from left to right; those of a dict in the order of its keys."""
    if isinstance(tree, dict):
        return [leaf for each in tree.values() for leaf in flattened(each)]
    if isinstance(tree, (tuple, list)):
        return [leaf for each in tree for leaf in flattened(each)]
    return [tree]


def mapped(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """A tree of the same form, with ``function(leaf, *leaves of the others)`` in place of each leaf."""
    if isinstance(tree, dict):
        items = {name: mapped(function, each, *(other[name] for other in others)) for name, each in tree.items()}
        return OrderedDict(items) if isinstance(tree, OrderedDict) else items
    if isinstance(tree, (tuple, list)):
        parts = [mapped(function, *each) for each in zip(tree, *others)]
        return rebuilt(tree, parts)
    return function(tree, *others)


def rebuilt(like: Any, parts: list[Any]) -> Any:
    """A list, a tuple or a named tuple of the type of `like`."""
    if isinstance(like, list):
        return parts
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


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
    return not is_node(other)


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
    return waiting.pop()
