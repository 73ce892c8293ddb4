"""The Python number that `Tensor.item()` gives: known after the plan has run, so all one can do is return it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..breaks import ARRAY_VALUE
from .base import Value
from .tensor import TensorValue

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace


class ItemValue(Value):
    """The element of a tensor as a Python number."""

    __slots__ = ("node", "tensor")

    def __init__(self, tensor: TensorValue) -> None:
        self.tensor = tensor
        with tensor.trace.no_grad():
            self.node = tensor.read()  # the value of now, whatever is written later

    @property
    def python_type(self) -> type:
        dtype = self.tensor.dtype
        return float if dtype.is_float else bool if dtype.is_bool else int

    def describe(self) -> str:
        return f"the number in {self.tensor.describe()}"

    def truth(self, trace: Trace) -> bool:
        raise ARRAY_VALUE.stop(wanted="bool")

    def constant(self, trace: Trace) -> Any:
        raise ARRAY_VALUE.stop(wanted="number")

    def rebuild(self, writer: Writer) -> str:
        return f"{writer.scalar(self.node)}.item()"
