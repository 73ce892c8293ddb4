"""NumPy functions that no kernel computes: NumPy itself is called, by the plan or from within a native loop.

Which functions, says `called_out`: those without effects, the dtype and shape of whose results depend on the dtypes
and shapes of their array arguments, and on the other arguments, alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ops import call_outs as forms
from ....ops.call_outs import Form
from ...breaks import NUMPY_ARGUMENT, RAISES
from ...regions.arrays.views import RegionArray, as_array
from ...values.arrays.array import ArrayValue, Storage
from ...values.base import Value
from ...values.constant import NONE, Constant, is_none
from ..ufuncs import target_array
from .forms import described, shown
from .in_loop import called_by_a_kernel
from .in_plan import called_by_the_plan

if TYPE_CHECKING:
    from ...tracing.trace import Trace

EFFECTS = frozenset("overwrite_input subok like device".split())
"""Arguments, of whichever function, that ask for a write, or for another kind of array."""


def call_out(
    trace: Trace,
    name: str,
    args: Sequence[Value],
    kwargs: dict[str, Value],
    parameters: tuple[str, ...] = (),
    changes: Storage | None = None,
) -> Value:
    """The result of the function of that name, called by the plan or a kernel; `parameters` are its positional ones.

    changes: what stands for something that the call changes, and no array.
    Errors: a break for arguments that have no form, results of unknown kinds, and where NumPy raises.
    """
    name = _under(trace, name)
    named = {**dict(zip(parameters, args, strict=False)), **kwargs}
    _refuse_effects(name, named)
    target = target_array(named.get("out"))
    if target is not None and "out" in parameters:
        place = parameters.index("out")
        if len(args) > place + 1:
            raise NUMPY_ARGUMENT.stop(name=shown(name), argument="arguments behind `out`")
        args = args[:place]
    kwargs = {key: value for key, value in kwargs.items() if key != "out" and key not in EFFECTS}
    call = described(trace, name, list(args), kwargs)
    if target is not None and (trace.region is not None or not _fits_target(call.results, target)):
        raise NUMPY_ARGUMENT.stop(name=shown(name), argument="an output array of another shape or dtype")
    if trace.region is None and changes is None:
        value = called_by_the_plan(trace, call)
    else:
        value = called_by_a_kernel(trace, call, changes)
    if target is None:
        return value
    assert isinstance(value, ArrayValue)
    target.write(trace, value.read(trace))
    return target


def _under(trace: Trace, name: str) -> str:
    """The function of that name in the error state that the program has made around the call."""
    modes = {kind: mode for given in trace.error_states for kind, mode in given.items()}
    told = ",".join(f"{kind}={mode}" for kind, mode in sorted(modes.items()))
    return f"{forms.UNDER}{told} {name}" if told else name


def _fits_target(results: Form, target: ArrayValue) -> bool:
    return results[0] in ("array", "scalar") and forms.leaf_type(results) == target.type


def write_out(
    trace: Trace,
    name: str,
    array: Value,
    args: Sequence[Value],
    kwargs: dict[str, Value],
    changes: Storage | None = None,
) -> Value:
    """None, after a function has written into an array, the first among its arguments.

    Errors: a break where it may read what it writes.
    """
    if not isinstance(array, (ArrayValue, RegionArray)) or isinstance(array, ArrayValue) and array.is_numpy_scalar:
        raise array.unsupported(shown(name))
    others = [*args, *kwargs.values()]
    others.remove(array)  # once: it may be passed again
    if any(_share(trace, array, each) for each in others):
        raise NUMPY_ARGUMENT.stop(name=shown(name), argument="a part of the array that it writes")
    if isinstance(array, ArrayValue) and not array.fake.flags.writeable:
        raise RAISES.stop(error="ValueError: the array is read-only")
    written = call_out(trace, f"{forms.INTO}{name}", args, kwargs, changes=changes)
    if isinstance(array, ArrayValue) and isinstance(written, ArrayValue) and trace.region is None:
        array.write(trace, written.read(trace))
    else:
        array.set_item(trace, Constant(...), written)
    return NONE


def _share(trace: Trace, array: Value, other: Value) -> bool:
    """Whether two arrays may have elements in common."""
    memory = [set(map(id, _memory(trace, each))) for each in (array, other)]
    return not memory[0].isdisjoint(memory[1])


def _memory(trace: Trace, value: Value) -> list[Storage]:
    if isinstance(value, ArrayValue):
        return [value.storage]
    array = as_array(trace, value) if isinstance(value, RegionArray) else None
    return [view.storage for view in array.reads()] if array is not None else []


def _refuse_effects(name: str, named: dict[str, Value]) -> None:
    """Errors: a break where one of `EFFECTS` is neither None nor False."""
    for each in EFFECTS & named.keys():
        value = named[each]
        if not (is_none(value) or isinstance(value, Constant) and value.value is False):
            raise NUMPY_ARGUMENT.stop(name=shown(name), argument=f"the argument {each!r}")
