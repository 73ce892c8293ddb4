"""`tensor.data = value` while tracing: from there on a tensor has the memory of another one."""

# Note [Taking over memory]
# What a traced tensor reads and writes is found through its storage, so it comes to have that of `value`, by a path of
# none: whatever is written into either is seen in both. Its views, and what `.data` and `detach()` gave before, stay
# with the memory from before, and a view that has a history still leads to the tensor's gradient
# (`AutogradIdentity.read` asks the view for its storage). No version goes up, as in eager mode; what was saved for
# backward by way of the tensor would be read from the new memory there, so such a backward breaks the graph
# (`TapeState.replaced`). A tensor that existed before the call is given the memory after the plan has run, by the
# setter of eager mode, which tells those who rely on the memory; other results over it are made of it before that.

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.records import dataclass
from ....runtime.taken_memory import take_over
from ...breaks import DATA_SETTER
from ...values.arrays.array import ArrayValue
from ...values.base import Value
from ...values.tensors.tensor import Made, TakenOver, TensorValue, detached, refuse_merged

if TYPE_CHECKING:
    from ....guards.sources import Source
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


@dataclass(eq=False)
class DataPut:
    """A tensor from outside is given the memory of another tensor, after the plan has run."""

    owner: Source
    memory: TensorValue

    def replay(self, writer: EntryWriter) -> list[str]:
        """The statement."""
        owner, memory = writer.fetched(self.owner.text(writer.pool)), writer.fetched(writer.tensor(self.memory))
        return [f"{writer.pool.add(take_over)}({owner}, {memory})"]


def set_data(trace: Trace, tensor: TensorValue, new: Value) -> None:
    """`tensor.data = new`. See Note [Taking over memory].

    Errors: a break for a view or the result of an operation, for a part of other memory, for another device, for
        another shape or dtype of what requires grad, and in what is traced once for many runs of it.
    """
    refuse_merged(tensor, "the setter of .data")
    refuse_merged(new, "the setter of .data")
    where = _refusal(trace, tensor, new)
    if where or not isinstance(new, TensorValue):
        raise DATA_SETTER.stop(where=where)
    root, old = tensor.root, tensor.array.storage
    given = detached(_memory_of(new), versioned=False)
    storage = given.array.storage
    had = old if tensor.taken_over is None else tensor.taken_over.had
    tensor.taken_over = TakenOver(given, had)
    if storage is not old:
        trace.tape.replace_saved(old)
        root.move_to(storage)
        tensor.array = ArrayValue(storage, (), given.array.fake, source=given.array.source)
    if root.real is None:
        tensor.made_by = Made(given, uncounted=True)
        return
    assert root.source is not None
    key = (id(root.real), "data")
    if storage is had:
        trace.effects.pending.pop(key, None)  # as it was before the call
    else:
        trace.effects.pending[key] = DataPut(root.source, given)


def data_of(trace: Trace, tensor: TensorValue) -> Value:
    """`tensor.data`."""
    return detached(_memory_of(tensor), versioned=False)


def _memory_of(tensor: TensorValue) -> TensorValue:
    """The tensor to make a `.data` of: that whose memory it has taken over, if it has."""
    return tensor if tensor.taken_over is None else tensor.taken_over.given


def _refusal(trace: Trace, tensor: TensorValue, new: Value) -> str:
    """The words for what is not followed, which end "setting Tensor.data "; empty where all is."""
    root, tape = tensor.root, trace.tape
    if not isinstance(new, TensorValue):
        return "to what is no dense tensor"
    if trace.iterations or trace.region is not None or trace.deferred is not None or trace.batches.levels:
        return "in what is traced once for many runs of it"
    if tape.in_hook or tape.in_custom_backward or tape.written or root in tape.casts or tape.unless is not None:
        return "in a hook, in a custom autograd.Function, or of what autocast has cast"
    if tensor.array.path or root.view is not None or root.lookup is not None or root.requires_grad and not root.leaf:
        return "of a view, or of the result of an operation"
    if root.real is not None and (root.source is None or root.real._base is not None):
        return "of a view"
    if root.real is None and tensor.is_viewed:
        return "of a tensor that the call makes, and of which it has taken views"
    if new.array.path or new.array.storage.handed_on or new.root.view is not None:
        return "to a part, or to a view, of other memory"
    if new.device != tensor.device:
        return "to a tensor on another device"
    if root.requires_grad and (new.shape != tensor.shape or new.dtype is not tensor.dtype):
        return "to another shape or dtype, of a tensor that requires grad"
    return ""
