"""What an inlined pack hook of two arguments is told: a `SaveInfo` whose fields are known while tracing."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....autograd.save_info import SavedPlace, SaveInfo
from ....core.devices import resolved
from ....core.types import TensorType
from ....core.user_line import UserLine
from ....graph.aot.record import names_of
from ....graph.node import Node
from ....runtime.node import COMPILED
from ....tensor.parameter import Parameter
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.element_protocol import constant_value
from ...values.functions.functions import FunctionValue
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def is_told(trace: Trace, pack: Value) -> bool:
    """Whether a pack hook has to be given two arguments."""
    if not isinstance(pack, FunctionValue):
        return False
    optional = 0 if pack.defaults is None else pack.defaults.length(trace)
    return pack.code.co_argcount - optional >= 2


@dataclass(frozen=True)
class TracedPlace:
    """For whom a value is kept, and what eager mode finds out when it saves. See `SaveInfo`."""

    place: SavedPlace
    is_output: bool
    line: UserLine


class SaveInfoValue(Value):
    """A `SaveInfo`. It is there while a hook is traced, and not afterwards."""

    __slots__ = ("fields",)

    def __init__(self, traced: TracedPlace, type: TensorType, tensor: TensorValue | None) -> None:
        root = None if tensor is None else tensor.root
        self.fields: dict[str, Any] = {
            **traced.place._asdict(),
            "shape": type.shape,
            "dtype": type.dtype,
            "device": resolved(type.device),
            "is_parameter": root is not None and isinstance(root.real, Parameter),
            "is_leaf": tensor is not None and tensor.is_leaf,
            "is_output": traced.is_output,
            "user_line": traced.line,
        }

    @property
    def python_type(self) -> type:
        return SaveInfo

    def describe(self) -> str:
        return "what a pack hook is told"

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in self.fields:
            return super().attribute(trace, name)
        known = self.fields[name]
        return constant_value(known) if name == "shape" else Constant(known)


def place_inside(node: Node, argument: str) -> TracedPlace:
    """The place of what an operation keeps in eager mode, of which this is the node of the graph."""
    place = SavedPlace(f"{node.op.grad_name}Backward0", node.op.name, argument)
    return TracedPlace(place, argument == "result", _line(node))


def places_outside(trace: Trace, results: Container[Node]) -> Callable[[Node], TracedPlace]:
    """The places of what a compiled forward keeps; the argument is the name of the value in the dumps of the graphs."""
    names = names_of((*trace.builder.inputs, *trace.builder.nodes))

    def place(node: Node) -> TracedPlace:
        op = "" if node.is_input else node.op.name
        return TracedPlace(SavedPlace(COMPILED, op, names[node]), node in results, _line(node))

    return place


def _line(node: Node) -> UserLine:
    where = node.location
    return UserLine("", 0) if where is None else UserLine(where.file, where.line)
