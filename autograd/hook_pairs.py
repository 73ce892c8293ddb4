"""Pairs of saved-tensor hooks that do more than keep a value: chained, told what they pack, or checked."""

# Note [Chains]
# A composed pair is the link of a chain: the innermost link packs the tensor, the next one packs what that gave, and so
# on; unpacking goes the other way. A link may give a tensor, or tensors in tuples, lists and dicts beside plain numbers
# and strings: each tensor is then packed by the next link on its own. Anything else (an array, an object of the user's)
# the next link could not pack, and to pass it by in silence would leave out what the user asked for: it is a TypeError.

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.dtypes import DType
from ..core.records import dataclass
from ..tensor.tensor import Tensor
from ..tensor.version import VersionCounter
from .checked_hooks import Check, HookCheckError, compare, compare_form, described
from .modes import Hooks
from .save_info import SavedPlace, SaveInfo, is_parameter, packing

if TYPE_CHECKING:
    from .node import Node
    from .saved import SavedTensor

WRITTEN_BY_PACK = (
    "A saved tensor pack hook is modifying its input in place. Tensors given to a pack hook are still part of the "
    "program: clone the tensor, or compute out of place"
)
_PLAIN = (type(None), bool, int, float, complex, str, bytes, DType, np.dtype, np.generic)
"""Types that may stand beside tensors in what a link of a chain gives, and are kept as they are."""


@dataclass(frozen=True, slots=True)
class HookLink:
    """One pair of a chain. told: its pack takes ``(tensor, info)``.   check: how far it may change a value."""

    pack: Callable[..., Any]
    unpack: Callable[[Any], Tensor]
    told: bool
    check: Check | None

    def name(self) -> str:
        """The two hooks, for messages."""
        names = [getattr(each, "__name__", type(each).__name__) for each in (self.pack, self.unpack)]
        return f"({', '.join(names)})"


class PackedByHook(NamedTuple):
    """The value that a record keeps for a chain, and how to tell later whether the original was written."""

    value: Any
    info: SaveInfo
    counter: VersionCounter
    original: weakref.ref[Tensor]


class HookPart:
    """A tensor in what one link gave, as the links after it have packed it."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class HookChain:
    """Pairs that work one after the other on each saved tensor, the innermost first; often one pair alone."""

    __slots__ = ("checked", "links")
    in_words = "hooks that are called"

    def __init__(self, links: tuple[HookLink, ...]) -> None:
        self.links = links
        self.checked = any(link.check is not None for link in links)

    @packing
    def pack(self, tensor: Tensor, record: SavedTensor, original: Tensor, place: SavedPlace) -> PackedByHook:
        """The packed value that `record` keeps for `tensor`.

        original: the tensor that was saved; late hooks get a detached one in its place.
        Errors: TypeError where a link cannot pack what the one before gave; HookCheckError; RuntimeError if a hook
        writes to what it is given.
        """
        form = tensor.shape, tensor.dtype, tensor.device
        info = SaveInfo(*place, *form, is_parameter(original), record._is_leaf, record._is_output)
        if self.checked:
            info.user_line  # noqa: B018  (to be told when unpacking fails, when the forward is gone)
        value = _pack(self.links, tensor, info, record._is_output)
        return PackedByHook(value, info, original._counter, weakref.ref(original))

    def unpack(self, packed: PackedByHook, record: SavedTensor, asking: Node) -> Tensor:
        """The tensor that stands for the saved one, by the hooks in reverse.

        Errors: HookCheckError if a checked tensor was written since, or comes back in another form.
        """
        if self.checked and packed.counter.value != record._version:
            raise HookCheckError(_written(packed, record, asking))
        value = _unpack(self.links, packed.value)
        first = self.links[0]
        if first.check is not None:
            info = packed.info
            compare_form((info.shape, info.dtype, info.device), value, info, first.name())
        return value


def hooks_of(
    pack: Callable[..., Any],
    unpack: Callable[[Any], Tensor],
    check: Check | None = None,
    below: Hooks | None = None,
) -> Hooks:
    """The hooks that take the place of those in force: the plain pair, where nothing more is asked of it.

    below: the hooks that this pair is to be chained with.
    Errors: TypeError unless both can be called.
    """
    for name, hook in (("pack", pack), ("unpack", unpack)):
        if not callable(hook):
            raise TypeError(f"the {name} hook of saved tensors is a callable, got {type(hook).__name__}")
    told = _required(pack) >= 2
    if not told and check is None and below is None:
        return pack, unpack
    link = HookLink(pack, unpack, told, check)
    if below is None:
        return HookChain((link,))
    return HookChain((link, *(below.links if isinstance(below, HookChain) else (HookLink(*below, False, None),))))


def tensor_of(value: Any) -> Tensor:
    """`value`, which an unpack hook gave. Errors: TypeError if it is no tensor."""
    if not isinstance(value, Tensor):
        raise TypeError(f"Output of saved tensor unpack_hook expected to be a Tensor but got {type(value).__name__}")
    return value


def _required(pack: Callable[..., Any]) -> int:
    """The number of positional arguments that a hook has to be given; 1 where that cannot be known."""
    function, bound = (pack.__func__, 1) if type(pack) is MethodType else (pack, 0)
    if type(function) is FunctionType and "__wrapped__" not in function.__dict__:
        return function.__code__.co_argcount - len(function.__defaults__ or ()) - bound
    try:
        parameters = inspect.signature(pack).parameters.values()
    except (TypeError, ValueError):
        return 1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in positional and each.default is inspect.Parameter.empty for each in parameters)


# Packing.


def _pack(links: Sequence[HookLink], tensor: Tensor, info: SaveInfo, is_output: bool = False) -> Any:
    """The value that the links make of one tensor, which is an output of the node that saves or is not."""
    link = links[0]
    before = tensor._counter.value
    value = link.pack(tensor, info) if link.told else link.pack(tensor)
    if link.check is not None and tensor._counter.value == before:
        compare(link.check, tensor, tensor_of(link.unpack(value)), info, link.name())
    if tensor._counter.value != before:
        raise RuntimeError(WRITTEN_BY_PACK)
    if value is tensor and is_output:
        value = tensor._alias()  # Note [What a record keeps]
    return value if len(links) == 1 else _pack_parts(links, value, info)


def _pack_parts(links: Sequence[HookLink], value: Any, info: SaveInfo) -> Any:
    """`value`, which the first of the links gave, with each tensor in it packed by the others."""
    found = 0

    def part(each: Any) -> Any:
        nonlocal found
        if isinstance(each, Tensor):
            found += 1
            return HookPart(_pack(links[1:], each, info))
        if isinstance(each, _PLAIN):
            return each
        raise _cannot_pack(each, *links[:2])

    parts = _mapped(part, value)
    if not found:
        raise _cannot_pack(value, *links[:2])
    return parts


def _cannot_pack(value: Any, before: HookLink, link: HookLink) -> TypeError:
    return TypeError(
        f"the composed saved-tensor hooks {link.name()} were to pack what {before.name()} made of a saved tensor, and "
        f"found {type(value).__name__}: in a chain a pack hook returns a Tensor, or Tensors in tuples, lists and dicts "
        "beside numbers and strings. Return such, or leave out compose=True"
    )


def _mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """`value` with what lies in its tuples, lists and dicts replaced by what `function` makes of it."""
    kind = type(value)
    if kind is list:
        return [_mapped(function, each) for each in value]
    if kind is dict:
        return {key: _mapped(function, each) for key, each in value.items()}
    if isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_make")):
        items = (_mapped(function, each) for each in value)
        return tuple(items) if kind is tuple else kind._make(items)  # type: ignore[attr-defined]
    return function(value)


# Unpacking.


def _unpack(links: Sequence[HookLink], value: Any) -> Tensor:
    """The tensor again that the links have packed."""
    if len(links) > 1:
        value = _mapped(lambda each: _unpack(links[1:], each.value) if type(each) is HookPart else each, value)
    return tensor_of(links[0].unpack(value))


def _written(packed: PackedByHook, record: SavedTensor, asking: Node) -> str:
    """The error text for a tensor that has been written although hooks keep it."""
    tensor = packed.original()
    if tensor is None:
        # It is gone: something in its stead that says what it was, over the memory of one element.
        tensor = Tensor._wrap(np.broadcast_to(np.zeros((), packed.info.dtype.numpy), packed.info.shape))
        tensor._counter = packed.counter
        if record._identity is not None:
            tensor._node, tensor._output_nr = record._identity.node, record._identity.output_nr
    text = record._modified(tensor, asking)
    return f"{text}. The saved-tensor hooks are checked; it was saved as {described(packed.info)}"
