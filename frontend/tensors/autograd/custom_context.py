"""The context of a custom function while tracing: what forward hands to backward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....autograd.function import _OF_NODE, FunctionCtx
from ...breaks import TENSOR_FEATURE
from ...values.arrays.array import Storage
from ...values.base import Value
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import Constant
from ...values.containers.dicts import DictValue
from ...values.containers.sequences import ListValue, TupleValue
from ...values.numbers.input_scalar import InputNumber
from ...values.objects.new_instance import NewInstance
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ....graph.aot.packing import Packing
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ..hooks.pack_unpack import PackedNow

Kept = tuple[TensorValue, Storage, int]
"""A tensor that was saved, its memory, and the version of that."""


class ContextValue(NewInstance):
    """The context of one call, which its forward fills and its backward reads. Nobody else may have it."""

    __slots__ = ("packed", "records", "unpacked")
    records: list[Kept | None]
    """The tensors that `saved_tensors` gives, once forward has ended."""
    packed: list[PackedNow | None]
    """The saved tensors as inlined hooks have packed them; empty without hooks."""
    unpacked: dict[PackedNow, tuple[Packing, TensorValue]]
    """The tensors that these hooks give back, each with its packing, as far as they are known."""

    def __init__(self) -> None:
        super().__init__(FunctionCtx)
        self.records, self.packed, self.unpacked = [], [], {}

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in _OF_NODE or name in ("_node", "_records", "_raw_saved_tensors", "__dict__"):
            raise self.unsupported(f"the attribute {name!r}")
        return super().attribute(trace, name)

    def rebuild(self, writer: EntryWriter) -> str:
        raise self.unsupported("a place outside the call")

    def tensors(self, name: str) -> list[Value]:
        """The values that `forward` has put under the name of one of the context's own tuples."""
        held = self.table.items.get(name)
        return held.items if isinstance(held, TupleValue) else []

    def materializes(self, trace: Trace) -> bool:
        """Whether backward gets zeros for a result that no gradient came to."""
        held = self.table.items.get("materialize_grads")
        return held is None or held.truth(trace)

    # What a backward later needs to know.
    def kept(self, trace: Trace, writer: EntryWriter) -> Iterator[Storage]:
        """The memory of all tensors that the context keeps.

        Errors: a break where it keeps what others may change before backward runs, or what is not the same at each run.
        """
        if not self.materializes(trace):
            raise TENSOR_FEATURE.stop(feature="set_materialize_grads(False), with a backward() outside of the call")
        yield from (record[1] for record in self.records if record is not None)
        for value in _held(self.table):
            if isinstance(value, TensorValue):
                yield value.array.storage
            elif isinstance(value, (ListValue, DictValue)) and value is not self.table:
                if value.source is not None or writer.name_of(value) is not None:
                    raise TENSOR_FEATURE.stop(feature="a list or dict on ctx that exists outside of the call")
            elif not isinstance(value, (Constant, InputNumber, TupleValue, BuiltinCallable, DictValue)):
                raise TENSOR_FEATURE.stop(feature=f"{value.describe()} on the ctx of a custom function")

    def state(self) -> list[tuple[object, ...]]:
        """The contents of the context and its containers: equal as long as nobody has changed them."""
        found: list[tuple[object, ...]] = []
        for value in _held(self.table):
            items = value.items if isinstance(value, (ListValue, TupleValue, DictValue)) else ()
            values = items.values() if isinstance(items, dict) else items
            found.append((id(value), tuple(items) if isinstance(items, dict) else (), *map(id, values)))
        return found


def _held(value: Value) -> Iterator[Value]:
    """A value and all that it holds."""
    waiting, seen = [value], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if isinstance(each, DictValue):
            waiting.extend(each.items.values())
        elif isinstance(each, (ListValue, TupleValue)):
            waiting.extend(each.items)
