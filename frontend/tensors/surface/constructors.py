"""Functions and classes that make tensors of arrays and data inside a jitted function; and devices made there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core.devices import Device
from ....core.dtype_names import finfo, iinfo
from ....guards.guard import Is
from ....tensor import Tensor
from ....tensor.constructors import TYPED, TypedTensor, constructed
from ....tensor.creation import as_tensor, from_numpy, tensor
from ....tensor.more_creation import asarray, new_tensor
from ....tensor.promotion import get_default_dtype
from ...breaks import ProgramRaised
from ...numpy.introspection import LimitsOfDtype
from ...tracing.rules import traces
from ...values.base import Value, wraps
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import Constant
from .dispatch import over_memory
from .functions import call

if TYPE_CHECKING:
    from ....core.dtypes import DType
    from ....guards.sources import Source
    from ...tracing.trace import Trace


def _of_arrays(kind: Any) -> None:
    """The rule of a function that makes a tensor of an array: it runs natively, over a tensor in the array's place."""

    @traces(kind)
    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        given = [over_memory(trace, each) for each in args]
        return call(trace, kind, given, {name: over_memory(trace, each) for name, each in kwargs.items()})


for _function in (tensor, as_tensor, asarray, new_tensor):
    _of_arrays(_function)


@traces(from_numpy)
def trace_from_numpy(trace: Trace, array: Value, /) -> Value:
    """A tensor over the memory of an array. What is no array breaks the graph, and raises there."""
    found = over_memory(trace, array)
    if found is array:
        raise array.unsupported("from_numpy()")
    return found


def _constructor(kind: Any, name: str, dtype: DType | None) -> None:
    def make(*arguments: Any, data: Any = None, device: Any = None) -> Any:
        return constructed(name, dtype, arguments, data, device)

    def copy(array: Any, *, device: Any = None) -> Any:
        return tensor(array, dtype=dtype or get_default_dtype(), device=device)

    @traces(kind)
    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        data = [*args, *(each for key, each in kwargs.items() if key == "data")]
        made = over_memory(trace, data[0]) if len(data) == 1 else None
        if made is None or made is data[0]:
            return call(trace, make, list(args), kwargs)
        return call(trace, copy, [made], {key: each for key, each in kwargs.items() if key != "data"})


_constructor(Tensor, "Tensor", None)
for _dtype, _kind in TYPED.items():
    _constructor(_kind, _kind.__name__, _dtype)


def _limits(kind: Any) -> None:
    @traces(kind)
    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        known = [each.constant(trace) for each in args]
        named = {name: each.constant(trace) for name, each in kwargs.items()}
        try:
            return LimitsOfDtype(kind(*known, **named))
        except TypeError as error:
            raise ProgramRaised(error) from None


_limits(finfo)
_limits(iinfo)


@traces(Device)
def device(trace: Trace, *args: Value, **kwargs: Value) -> Value:
    """A device, which is a value like a text: nobody can tell two equal ones apart but by `is`."""
    known = [each.constant(trace) for each in args]
    named = {name: each.constant(trace) for name, each in kwargs.items()}
    try:
        return Constant(Device(*known, **named))
    except (TypeError, RuntimeError) as error:
        raise ProgramRaised(error) from None


@wraps(TypedTensor)
def wrap_typed_tensor(trace: Trace, value: Any, source: Source) -> Value:
    """`FloatTensor` and the others, by identity."""
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)
