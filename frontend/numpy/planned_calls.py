"""NumPy functions that no kernel computes: the plan calls NumPy itself (see `ops.call_outs`).

Which functions, says `called_out`: those without effects, the dtype and shape of whose results depend on the dtypes
and shapes of their array arguments, and on the other arguments, alone. The result's type is found by calling the
function while tracing, on arrays of ones, and of ascending numbers, of the same types: NumPy's code runs then, and
none of the user.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...core import dtypes
from ...core.config import config
from ...core.errors import OpError
from ...graph.node import Node
from ...ops import call_outs as forms
from ...ops.call_outs import CALL_OUT, CALL_RESULT, Form
from ..breaks import DATA_SHAPE, NUMPY_ARGUMENT, RAISES, UNKNOWN_VALUE
from ..regions.knowledge import refused
from ..values.array import ArrayValue, Ints, result
from ..values.base import Value
from ..values.constant import NONE, Constant, is_none
from ..values.dicts import DictValue
from ..values.host_number import HostNumber
from ..values.named_tuples import NamedTupleValue
from ..values.ranges import RangeValue, SliceValue
from ..values.scalar import Scalar
from ..values.sequences import ListValue, TupleValue
from ..values.sequences import Sequence as SequenceValue
from .indexing import basic_view
from .shaping import permuted, reshaped_view
from .ufuncs import target_array

if TYPE_CHECKING:
    from ..trace import Trace

EFFECTS = frozenset("overwrite_input subok like device".split())
"""Arguments, of whichever function, that ask for a write, or for another kind of array."""


def call_out(
    trace: Trace, name: str, args: Sequence[Value], kwargs: dict[str, Value], parameters: tuple[str, ...] = ()
) -> Value:
    """What the function of that name gives, called by the plan; `parameters` are its positional ones.

    Errors: a break for arguments that have no form, results of unknown kinds, and where NumPy raises.
    """
    if trace.region is not None:
        raise refused(f"a call of {name}")
    named = {**dict(zip(parameters, args, strict=False)), **kwargs}
    _refuse_effects(name, named)
    target = target_array(named.get("out"))
    if target is not None:
        args = args[: parameters.index("out")] if "out" in parameters else args
    kwargs = {key: value for key, value in kwargs.items() if key != "out" and key not in EFFECTS}
    taken = Arguments(trace)
    arguments = tuple(taken.form(each) for each in args)
    keywords = tuple((key, taken.form(each)) for key, each in kwargs.items())
    results = _results(name, arguments, keywords, tuple(map(_stand_in_type, taken.operands)))
    if target is not None and not _fits_target(results, target):
        raise NUMPY_ARGUMENT.stop(name=_shown(name), argument="an output array of another shape or dtype")
    node = trace.add(
        CALL_OUT, *taken.nodes, function=name, arguments=arguments, keywords=keywords, results=results,
        module=_module(trace),
    )  # fmt: skip
    value = _Leaves(trace, node).value(results)
    if target is None:
        return value
    assert isinstance(value, ArrayValue)
    target.write(trace, value.read(trace))
    return target


def _fits_target(results: Form, target: ArrayValue) -> bool:
    return results[0] in ("array", "scalar") and forms.leaf_type(results) == target.type


def write_out(trace: Trace, name: str, array: Value, args: Sequence[Value], kwargs: dict[str, Value]) -> Value:
    """None, after a function has written into an array. Errors: a break where it may read what it writes."""
    if not isinstance(array, ArrayValue) or array.generic:
        raise array.unsupported(_shown(name))
    shared = [each for each in (*args, *kwargs.values()) if isinstance(each, ArrayValue)]
    if any(each.storage is array.storage for each in shared):
        raise NUMPY_ARGUMENT.stop(name=_shown(name), argument="a part of the array that it writes")
    if not array.twin.flags.writeable:
        raise RAISES.stop(error="ValueError: the array is read-only")
    written = call_out(trace, f"{forms.INTO}{name}", [array, *args], kwargs)
    assert isinstance(written, ArrayValue)
    array.write(trace, written.read(trace))
    return NONE


def _shown(name: str) -> str:
    return name.removeprefix(forms.INTO).replace("numpy", "np", 1)


def _refuse_effects(name: str, named: dict[str, Value]) -> None:
    """Errors: a break where one of `EFFECTS` is neither None nor False."""
    for each in EFFECTS & named.keys():
        value = named[each]
        if not (is_none(value) or isinstance(value, Constant) and value.value is False):
            raise NUMPY_ARGUMENT.stop(name=_shown(name), argument=f"the argument {each!r}")


def _module(trace: Trace) -> str:
    name = trace.frames[-1].scope.globals().get("__name__") if trace.frames else None
    return name if type(name) is str else "__main__"


class Arguments:
    """The arguments of a call, as forms over the nodes of the arrays and numbers among them."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.nodes: list[Node] = []
        self.operands: list[Value] = []

    def form(self, value: Value) -> Form:
        """See Note [Forms of arguments] in `ops.call_outs`. Errors: a break for what has none."""
        if isinstance(value, ArrayValue):
            place = self._operand(value, value.read(self.trace))
            if value.generic:
                return "scalar", place
            return "array", place, tuple(step // value.twin.itemsize for step in value.twin.strides)
        if isinstance(value, HostNumber):
            return "number", self._operand(value, value.array.read(self.trace))
        if isinstance(value, Scalar):
            if value.python_type is float:
                return "number", self._operand(value, value.node(self.trace))
            return "constant", value.constant(self.trace)
        if isinstance(value, RangeValue) and len(value.range) <= config.unroll_limit:
            value = ListValue(value.elements(self.trace))
        if isinstance(value, SequenceValue) and not isinstance(value, NamedTupleValue):
            kind = "list" if isinstance(value, ListValue) else "tuple"
            return kind, *(self.form(each) for each in value.items)
        if isinstance(value, SliceValue):
            start, stop, step = (each.constant(self.trace) for each in value.parts)
            return "slice", start, stop, step
        return _constant_form(value, value.constant(self.trace) if not isinstance(value, DictValue) else value)

    def _operand(self, value: Value, node: Node) -> int:
        self.nodes.append(node)
        self.operands.append(value)
        return len(self.nodes) - 1


def _constant_form(value: Value, known: Any) -> Form:
    if known is None or type(known) in (bool, int, float, str):
        return "constant", known
    if type(known) is complex:
        return "complex", known.real, known.imag
    if isinstance(known, np.dtype) and known.kind in "biufc" and known.isnative:
        return "dtype", known.str
    if isinstance(known, type) and (known in (bool, int, float, complex) or issubclass(known, np.number | np.bool)):
        return "type", "bool_" if known is np.bool else known.__name__
    raise UNKNOWN_VALUE.stop(operation="a call of NumPy", name=value.describe())


StandIn = tuple[dtypes.DType, tuple[int, ...]]
Types = tuple[StandIn, ...]


def _stand_in_type(value: Value) -> StandIn:
    array = value.array if isinstance(value, HostNumber) else value
    if isinstance(array, ArrayValue):
        return array.dtype, tuple(map(int, array.shape))  # a call-out is described for one size
    assert isinstance(array, Scalar)
    return dtypes.float64, ()


def _results(name: str, arguments: Form, keywords: Form, types: Types) -> Form:
    """The form of what the function gives for operands of these types. Errors: a break where it has none."""
    called, function = _shown(name), forms.found(name)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = _form_for_stand_ins(function, arguments, keywords, types)
    except Exception as error:
        raise NUMPY_ARGUMENT.stop(name=called, argument=f"these arguments ({error})") from None
    if found is None:
        raise DATA_SHAPE.stop(name=called)
    return found


def _form_for_stand_ins(function: Callable[..., Any], arguments: Form, keywords: Form, types: Types) -> Form | None:
    """The form of what the function gives for ones and for ascending numbers; None where these give two forms.

    Unit matrices take the place of one that it refuses.
    Errors: what the function raises for all of them; OpError where a result has no form.
    """
    found: list[Form] = []
    refusals: list[Exception] = []
    for make in (_ones, _ascending, _unit_matrices):
        operands = [make(shape, dtype) for dtype, shape in types]
        args = [forms.argument(each, operands) for each in arguments]
        named = {key: forms.argument(form, operands) for key, form in keywords}
        try:
            value = function(*args, **named)
        except (ValueError, IndexError, ArithmeticError, np.linalg.LinAlgError) as error:
            refusals.append(error)
            continue
        given = forms.described(value)
        found.append(given.form)
        arrays = [each for each in (*args, *named.values(), *operands) if isinstance(each, np.ndarray)]
        if any(np.may_share_memory(part, each) for part in given.leaves for each in arrays):
            raise OpError("it gives one of them, or a view")
        if len(found) == 2:
            break
    if not found:
        raise refusals[0]
    return found[0] if found[0] == found[-1] else None


def _ones(shape: tuple[int, ...], dtype: dtypes.DType) -> Any:
    return np.ones(shape, dtype.numpy)


def _ascending(shape: tuple[int, ...], dtype: dtypes.DType) -> Any:
    return np.arange(prod(shape)).astype(dtype.numpy).reshape(shape)


def _unit_matrices(shape: tuple[int, ...], dtype: dtypes.DType) -> Any:
    if len(shape) < 2:
        return _ones(shape, dtype)
    return np.broadcast_to(np.eye(*shape[-2:], dtype=dtype.numpy), shape).copy()


class _Leaves:
    """The arrays and numbers that a call-out gives, and what is made of them."""

    def __init__(self, trace: Trace, call: Node) -> None:
        self._trace = trace
        self._call = call
        self._made: list[ArrayValue] = []

    def value(self, form: Form) -> Value:
        """What a form stands for. See Note [Forms of results] in `ops.call_outs`."""
        match form[0]:
            case "array" | "scalar":
                return self._leaf(form)
            case "same":
                return self._made[form[1]]
            case "view":
                base = self.value(form[1])
                assert isinstance(base, ArrayValue)
                return view_at(base, *form[2:])
            case "number":
                return HostNumber(self._leaf(form))
            case "constant":
                return Constant(form[1])
            case "tuple":
                return TupleValue([self.value(each) for each in form[1:]])
            case "list":
                return ListValue([self.value(each) for each in form[1:]])
        return NamedTupleValue(cast(type, forms.found(form[1])), [self.value(each) for each in form[2:]])

    def _leaf(self, form: Form) -> ArrayValue:
        type = forms.leaf_type(form)
        node = self._trace.add(CALL_RESULT, self._call, index=len(self._made), shape=type.shape, dtype=type.dtype)
        array = form[0] == "array"
        self._made.append(result(self._trace, node, form[3] if array else None, generic=not array))
        return self._made[-1]


def view_at(base: ArrayValue, shape: Ints, strides: Ints, at: int) -> ArrayValue:
    """The view of a row-major array from its element number `at` on; strides count elements.

    Errors: a break where it cannot be had by one reshape and one subscript.
    """
    refusal = NUMPY_ARGUMENT.stop(name="a call of NumPy", argument="these arguments: it gives a view of its own")
    axes = sorted((axis for axis, size in enumerate(shape) if size > 1), key=lambda axis: -abs(strides[axis]))
    steps = [abs(strides[axis]) for axis in axes]
    pairs = list(zip([base.type.size, *steps], steps, strict=False))
    if 0 in shape or 0 in steps or any(a % b for a, b in pairs[1:]):
        raise refusal
    block = (*(a // b for a, b in pairs), steps[-1] if steps else base.type.size)
    flat = reshaped_view(base, (base.type.size,))
    whole = (
        None if flat is None or at >= prod(block) else reshaped_view(basic_view(flat, [slice(0, prod(block))]), block)
    )
    if whole is None:
        raise refusal
    first = [int(each) for each in np.unravel_index(at, block)]
    entries: list[Any] = []
    for axis, start, size in zip(axes, first, block, strict=False):
        step = -1 if strides[axis] < 0 else 1
        stop = start + step * shape[axis]
        if not -1 <= stop <= size:
            raise refusal
        entries.append(slice(start, None if stop < 0 else stop, step))
    part = basic_view(whole, [*entries, first[-1]])
    turned = permuted(part, tuple(sorted(range(len(axes)), key=lambda k: axes[k])))
    return basic_view(turned, [slice(None) if size > 1 else None for size in shape])
