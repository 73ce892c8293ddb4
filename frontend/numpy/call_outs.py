"""NumPy functions that no kernel computes: the plan calls NumPy itself (see `ops.call_outs`).

`calls_out` declares such functions: those without effects, the dtype and shape of whose results depend on the dtypes
and shapes of their array arguments, and on the other arguments, alone. The result's type is found by calling the
function while tracing, on arrays of zeros of the same types and layout: NumPy's code runs then, and none of the user.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.config import config
from ...graph.node import Node
from ...ops import call_outs as forms
from ...ops.call_outs import CALL_OUT, CALL_RESULT, Form
from ...ops.movement import PERMUTE
from ..breaks import NUMPY_ARGUMENT, UNKNOWN_VALUE
from ..callables import Rule, traces
from ..regions.knowledge import refused
from ..values.array import ArrayValue, Region, Reshaped, reshape, result
from ..values.base import Value
from ..values.constant import Constant, is_none
from ..values.dicts import DictValue
from ..values.host_number import HostNumber
from ..values.named_tuples import NamedTupleValue
from ..values.ranges import RangeValue, SliceValue
from ..values.scalar import Scalar
from ..values.sequences import ListValue, TupleValue
from ..values.sequences import Sequence as SequenceValue

if TYPE_CHECKING:
    from ..trace import Trace

EFFECTS = frozenset("out overwrite_input subok like device".split())
"""Arguments, of whichever function, that ask for a write, or for another kind of array."""
CALLED: dict[Any, str] = {}
"""The functions that are called out, and the names by which plans find them."""


def calls_out(*functions: Callable[..., Any], module: str = "numpy") -> None:
    """Declares functions of a module as ones that are called at run time."""
    for function in functions:
        CALLED[function] = f"{module}.{function.__name__}"
        traces(function)(rule_of(function))


def rule_of(function: Callable[..., Any]) -> Rule:
    """The rule that calls a declared function out."""

    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        return call_out(trace, function, args, kwargs)

    return rule


def call_out(
    trace: Trace, function: Callable[..., Any], args: Sequence[Value], kwargs: dict[str, Value], name: str = ""
) -> Value:
    """What the function gives, called by the plan. `name` is where plans find it, if it is not declared.

    Errors: a break for arguments that have no form, results of unknown kinds, and where NumPy raises.
    """
    name = name or CALLED[function]
    if trace.region is not None:
        raise refused(f"a call of {name}")
    given = _without_none(function, name, args, kwargs)
    taken = Arguments(trace)
    arguments = tuple(taken.form(each) for each in args)
    keywords = tuple((key, taken.form(each)) for key, each in given.items())
    results = _results(function, name, arguments, keywords, tuple(map(_stand_in_type, taken.operands)))
    node = trace.add(
        CALL_OUT, *taken.nodes, function=name, arguments=arguments, keywords=keywords, results=results,
        module=_module(trace),
    )  # fmt: skip
    return _value(trace, results, _Leaves(trace, node))


def _without_none(
    function: Callable[..., Any], name: str, args: Sequence[Value], kwargs: dict[str, Value]
) -> dict[str, Value]:
    """The keywords without those of `EFFECTS`, which must be None or False. Errors: a break where they are not."""
    named = {**dict(zip(_positional(function), args, strict=False)), **kwargs}
    for each in EFFECTS & named.keys():
        value = named[each]
        if not (is_none(value) or isinstance(value, Constant) and value.value is False):
            raise NUMPY_ARGUMENT.stop(name=name.replace("numpy", "np", 1), argument=f"the argument {each!r}")
    return {key: value for key, value in kwargs.items() if key not in EFFECTS}


@cache
def _positional(function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)
    except ValueError:
        return ()


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


def _stand_in_type(value: Value) -> StandIn:
    array = value.array if isinstance(value, HostNumber) else value
    if isinstance(array, ArrayValue):
        return array.dtype, array.shape
    assert isinstance(array, Scalar)
    return dtypes.float64, ()


def _results(
    function: Callable[..., Any], name: str, arguments: Form, keywords: Form, types: tuple[StandIn, ...]
) -> Form:
    """The form of what the function gives for zeros of these types. Errors: a break where it has none."""
    called = name.replace("numpy", "np", 1)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            given, value = _for_stand_ins(function, arguments, keywords, types)
        found = forms.described(value)
    except Exception as error:
        raise NUMPY_ARGUMENT.stop(name=called, argument=f"these arguments ({error})") from None
    arrays = [each for each in given if isinstance(each, np.ndarray)]
    if any(np.may_share_memory(part, each) for part in forms.parts(value) for each in arrays):
        raise NUMPY_ARGUMENT.stop(name=called, argument="these arguments: it gives one of them")
    return found


def _for_stand_ins(
    function: Callable[..., Any], arguments: Form, keywords: Form, types: tuple[StandIn, ...]
) -> tuple[list[Any], Any]:
    """Arguments of zeros, or of ones where the function refuses zeros, and what it gives for them."""
    for make in (np.zeros, np.ones):
        operands = [make(shape, dtype.numpy) for dtype, shape in types]
        args = [forms.argument(each, operands) for each in arguments]
        named = {key: forms.argument(form, operands) for key, form in keywords}
        try:
            return [*args, *named.values(), *operands], function(*args, **named)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            if make is np.ones:
                raise
    raise AssertionError


class _Leaves:
    """The nodes of what a call-out gives, one after the other."""

    def __init__(self, trace: Trace, call: Node) -> None:
        self._trace = trace
        self._call = call
        self._count = 0

    def following(self, form: Form) -> Node:
        """The node of the next leaf, which has this form."""
        type = forms.leaf_type(form)
        self._count += 1
        return self._trace.add(CALL_RESULT, self._call, index=self._count - 1, shape=type.shape, dtype=type.dtype)


def _value(trace: Trace, form: Form, leaves: _Leaves) -> Value:
    match form[0]:
        case "array":
            return result(trace, leaves.following(form), form[3])
        case "view":
            return _view(trace, form, leaves)
        case "scalar":
            return result(trace, leaves.following(form), generic=True)
        case "number":
            return HostNumber(result(trace, leaves.following(form), generic=True))
        case "constant":
            return Constant(form[1])
        case "tuple":
            return TupleValue([_value(trace, each, leaves) for each in form[1:]])
        case "list":
            return ListValue([_value(trace, each, leaves) for each in form[1:]])
        case "named":
            return NamedTupleValue(forms.found(form[1]), [_value(trace, each, leaves) for each in form[2:]])  # type: ignore[arg-type]
    raise AssertionError(form)


def _view(trace: Trace, form: Form, leaves: _Leaves) -> Value:
    """A view of all of a new array, by reshaping or by turning its axes."""
    from .shaping import permuted

    _, _, shape, strides, base_shape = form
    node = leaves.following(form)
    turn = sorted(range(len(shape)), key=lambda axis: -strides[axis])
    turned = tuple(shape[axis] for axis in turn)
    whole = result(trace, reshape(trace, permute(trace, node, turn), base_shape))
    flat = whole if base_shape == turned else _reshaped_view(whole, turned)
    view = flat if turn == sorted(turn) else permuted(flat, tuple(turn.index(axis) for axis in range(len(shape))))
    view = whole.view(Region.whole(shape), whole.twin.view()) if view is whole else view
    if tuple(step // view.twin.itemsize for step in view.twin.strides) != strides:
        raise NUMPY_ARGUMENT.stop(name="a call of NumPy", argument="these arguments: it gives a view of its own")
    return view


def permute(trace: Trace, node: Node, axes: Sequence[int]) -> Node:
    """`node` with its axes in another order; itself when they are in order."""
    return node if list(axes) == sorted(axes) else trace.add(PERMUTE, node, axes=tuple(axes))


def _reshaped_view(array: ArrayValue, shape: tuple[int, ...]) -> ArrayValue:
    return array.view(Reshaped(array.shape, shape), array.twin.reshape(shape))


calls_out(
    np.median, np.percentile, np.quantile, np.average, np.cumsum, np.cumprod, np.sort, np.argsort, np.partition,
    np.argpartition, np.lexsort, np.searchsorted, np.digitize, np.interp, np.convolve, np.correlate,
)  # fmt: skip
