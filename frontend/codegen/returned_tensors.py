"""Tensors that a call makes, where they leave it: over memory of their own, or made of another tensor again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...core.sizes import is_symbolic
from ..breaks import RETURNED_VIEW, TENSOR_FEATURE
from ..tracing.restarts import RestartFromStart

if TYPE_CHECKING:
    from ...graph.node import Node
    from ..values.arrays.array import Storage
    from ..values.tensors.tensor import Made, TensorValue
    from .reconstruct import EntryWriter


def _refuse_two(writer: EntryWriter, storage: Storage) -> None:
    """Errors: `Restart` where memory leaves the call that may be the same as other memory which does, or is outside."""
    storage.check()
    for other, _ in storage.may_be:
        if other.input is not None or writer.tensors_over(other):
            storage.refuse("a result that may be another tensor which exists outside the call")
    others = [*storage.merged, *(each for other, _ in storage.may_be for each in other.merged)]
    for other in others:
        if other is not storage and writer.tensors_over(other):
            other.refuse("a result that may be another result")


class SharedMemory(Exception):
    """Several tensors leave the call over this memory, so those that were made of others are made so again."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage


def new_tensor(writer: EntryWriter, tensor: TensorValue) -> str:
    """The expression for a tensor that the call makes.

    Errors: a break where it shares memory with another one that it was not made of; `SharedMemory` where that is known
    only now; `Restart` for a gradient that a custom backward was given.
    """
    storage = tensor.array.storage
    if storage.handed_on:
        stop = TENSOR_FEATURE.stop(feature="a place outside the call for a gradient that backward was given")
        if storage.handed_on is True:
            raise stop
        writer.trace.speculation.not_inlined[storage.handed_on] = stop  # Python calls that function, and no other
        raise RestartFromStart
    if storage.may_be or storage.merged:
        _refuse_two(writer, storage)
    if tensor.root.view is not None:
        raise RETURNED_VIEW.stop(what="a view that has hooks, that is a leaf, or that a custom autograd.Function made")
    if storage.input is not None or id(storage) in writer.shared:
        made = tensor.made_by
        if made is not None and _can_be_made_again(tensor):
            return _made_again(writer, tensor, made)
        if storage.input is not None:
            raise RETURNED_VIEW.stop(what="a new tensor over the memory of one from outside")
    if tensor.made_by is not None and tensor.made_by.of.source is not None and not _is_over_the_same(tensor):
        raise RETURNED_VIEW.stop(what="a new tensor over memory that another one has taken over")
    sharing = [each for each in writer.tensors_over(storage) if each is not tensor]
    if any(each.made_by is None for each in sharing) and tensor.made_by is None:
        raise RETURNED_VIEW.stop(what="several tensors over one memory")
    if sharing and id(storage) not in writer.shared:
        raise SharedMemory(storage)
    writer.note_tensor(storage, tensor)
    if tensor.requires_grad and not tensor.is_leaf:
        return writer.with_history(tensor)
    return _plain_tensor(writer, tensor)


def _can_be_made_again(tensor: TensorValue) -> bool:
    """Whether what made it gives the same now: its sizes are known, and nothing else counts the writes to it."""
    made = tensor.made_by
    while made is not None:
        counted, other = tensor.root.counter or tensor.root, made.of.root.counter or made.of.root
        apart = counted is not other and (not made.uncounted or counted.bumps)
        if apart or is_symbolic(tuple(numbers_in(made.attrs))) or not _is_over_the_same(tensor):
            return False
        tensor, made = made.of, made.of.made_by
    return True


def _is_over_the_same(tensor: TensorValue) -> bool:
    """Whether what it was made of has the same memory when results are made, before the effects of the call."""
    if tensor.made_by is None or (taken := tensor.made_by.of.taken_over) is None:
        return True
    return tensor.made_by.of.source is not None and taken.had is tensor.array.storage


def numbers_in(attrs: dict[str, Any]) -> Iterator[Any]:
    """The numbers in the attributes of an op, those in tuples included."""
    for value in attrs.values():
        yield from value if isinstance(value, tuple) else (value,)


def _made_again(writer: EntryWriter, tensor: TensorValue, made: Made) -> str:
    """The expression that makes it of the other tensor, as eager mode does."""
    from ...runtime.views import detached, view_again

    other = writer.tensor(made.of)
    writer.note_tensor(tensor.array.storage, tensor)
    if tensor.requires_grad and (tensor.was_read or tensor.is_viewed):
        writer.computed_with.append(tensor)
    if made.op is None:
        again = f"{other}.data" if made.uncounted else f"{writer.pool.add(detached)}({other})"
    else:
        recipe = made.op, made.attrs, made.recording
        again = f"{writer.pool.add(view_again)}({other}, *{writer.pool.add(recipe)})"
    return f"{again}.requires_grad_()" if tensor.requires_grad and tensor.is_leaf else again


def refuse_between(writer: EntryWriter) -> None:
    """Errors: a break where another result has been computed from a view that leaves, and does not know of it.

    Of a view that is made again, no result knows. Of another one those do that were computed from its own value; where
    the program goes on with both, it may ask for the gradient that passes between them by way of the memory.
    """
    trace = writer.trace
    for tensor in writer.computed_with:
        with trace.recording():
            origins = list(_with_origins(tensor))
            nodes = {each.read() for each in origins}
            nodes.update(each.root.node(trace, each.array.storage) for each in origins)
        _refuse_others(writer, tensor, nodes, ())
    for tensor in writer.roots if writer.goes_on else ():
        if tensor.array.path:
            with trace.recording():
                if tensor.is_viewed or not tensor.root.is_alone(trace, tensor.array, tensor.read()):
                    _refuse_others(writer, tensor, {tensor.read()}, ())
                _refuse_others(writer, tensor, {tensor.root.node(trace, tensor.array.storage)}, (tensor.read(),))


def _refuse_others(writer: EntryWriter, tensor: TensorValue, nodes: set[Node], ends: Sequence[Node]) -> None:
    """Errors: a break where the history of a result over other memory leads to one of `nodes`, not by way of `ends`."""
    from ..tensors.autograd.backward import ends_of_history, history

    trace = writer.trace
    with trace.recording():
        others = [each.read() for each in writer.roots if each.array.storage is not tensor.array.storage]
    for each in others:
        found = history(trace, each, ends) if ends else {*history(trace, each), *ends_of_history(trace, [each])}
        if not nodes.isdisjoint(found):
            raise RETURNED_VIEW.stop(what="a view from which another result is computed")


def _with_origins(tensor: TensorValue) -> Iterator[TensorValue]:
    """A tensor, and those that it was made of over the same memory."""
    made: TensorValue | None = tensor
    while made is not None:
        yield made
        made = made.made_by.of if made.made_by is not None else None


def _plain_tensor(writer: EntryWriter, tensor: TensorValue) -> str:
    """The expression for a leaf, or a tensor without a history."""
    from ...autograd.inference import made_in
    from ...runtime.node import written_tensor
    from ...tensor import Tensor
    from ..values.tensors.inference_mode import is_inference

    count = (tensor.root.counter or tensor.root).bumps
    array, inference = writer.memory_of(tensor), is_inference(tensor.root)
    if inference is not writer.trace.tape.inference:  # else it is of the kind that is made anyway
        return f"{writer.pool.add(made_in)}({array}, {inference}, {tensor.requires_grad}, {count})"
    if count:
        wrapped = f"{writer.pool.add(written_tensor)}({array}, {count})"
    else:
        wrapped = f"{writer.pool.add(Tensor)}._wrap({array})"
    return f"{wrapped}.requires_grad_()" if tensor.requires_grad else wrapped
