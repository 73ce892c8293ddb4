"""Surface functions of `tensor/` and `nn.functional` while tracing: they run natively, over traced tensors.

One meaning for both worlds: promotion, shapes, defaults and errors are those of the eager function, since it is the
eager function. What it applies in the end comes to `funnel.apply`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.dtypes import DType, int64
from ....core.errors import GraphError, OpError
from ....core.sizes import Size
from ....graph.node import Node
from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Named, Source
from ....ops.checks import CHECKED_INDEX
from ....ops.creation import ARANGE, FULL
from ....ops.pointwise import INVERT
from ....ops.registry import OpDef
from ....tensor import Tensor
from ....tensor.autocast import AUTOCAST
from ....tensor.devices import DefaultDevice
from ....tensor.layouts import Layout
from ....tensor.promotion import Default, get_default_dtype
from ....tensor.surface import SURFACE
from ....tensor.tracing import TRACING, ValuesNeeded
from ...breaks import DATA_SHAPE, RAISES, TENSOR_FEATURE, TENSOR_VALUES, WARNING_GIVEN, Unwinding
from ...tracing.nodes import cast, constant_node, ramp
from ...tracing.restarts import StaticSizes
from ...tracing.rules import Rule, traces_family
from ...values.arrays.array import ArrayValue
from ...values.arrays.mask_places import places_known, places_of
from ...values.base import Value, wraps
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import LITERALS, Constant
from ...values.containers.dicts import DictValue
from ...values.containers.element_protocol import constant_value
from ...values.containers.ranges import RangeValue, SliceValue
from ...values.containers.sequences import ListValue, TupleValue
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.input_scalar import InputNumber
from ...values.numbers.loop_varying import LoopVaryingNumber
from ...values.numbers.symbolic_int import SymInt, concrete_count
from ...values.objects.objects import ABSENT, class_attribute
from ...values.tensors.tensor import TensorValue, detached, fresh
from .attributes import require_grad, set_requires_grad
from .autocast import TracedAutocast
from .calls_of_batches import drawing_levels, entered
from .dispatch import over_memory
from .late_indices import as_tensors, entries_at, split_key
from .literals import literal
from .named_results import RecordValue, is_record
from .numbers import NumberOperand, known, known_attributes, number, number_node
from .numpy_numbers import numpy_number
from .parts import note_parts
from .random import TensorGeneratorValue, drawn

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}
_COMPARISONS = {
    "<": ("lt", "gt"),
    "<=": ("le", "ge"),
    ">": ("gt", "lt"),
    ">=": ("ge", "le"),
    "==": ("eq", "eq"),
    "!=": ("ne", "ne"),
}
_UNARY = {"-": "neg", "+": "pos", "~": "invert", "not": ""}


DEFAULT_DTYPE = Named(Attribute(ConstantSource(Default, "the default"), "dtype"), "gl.get_default_dtype()")
"""The source of the default dtype. Promotion and creation read it without being told, so any surface function may."""


DEFAULT_DEVICE = Named(Attribute(ConstantSource(DefaultDevice, "the default"), "device"), "gl.get_default_device()")
"""The source of the default device. Creation reads it without being told."""


class Creator:
    """The receiver that creation functions hand over to while a trace runs them."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def create(self, op: OpDef, attrs: Mapping[str, Any], requires_grad: bool) -> TensorValue:
        """A new tensor filled by a creation operation."""
        value = attrs.get("value")
        if op is FULL and attrs["dtype"].is_complex:
            node = constant_node(self.trace, known(value), known(attrs["shape"]), attrs["dtype"])
        elif op is FULL and isinstance(value, NumberOperand):
            node = number_node(self.trace, value, attrs["dtype"], known(attrs["shape"]))
        elif op is ARANGE:
            node = ramp(self.trace, **known_attributes(attrs))
        else:
            node = self.trace.add(op, **known_attributes(attrs))
        return self._leaf(node, requires_grad)

    def _leaf(self, node: Node, requires_grad: bool) -> TensorValue:
        if requires_grad:
            require_grad(self.trace, node.type.dtype)
        return fresh(self.trace, node, requires_grad=requires_grad)

    def random(self, op: OpDef, generator: Any, attrs: Mapping[str, Any], requires_grad: bool) -> TensorValue:
        """A new tensor of random numbers; inside of `vmap`, one for each call, or one for all."""
        attrs = known_attributes(attrs)
        levels = drawing_levels(self.trace)
        shape = (*(each.size for each in levels), *attrs["shape"])
        node = drawn(self.trace, op, generator, {**attrs, "shape": shape})
        return self._leaf(entered(self.trace, node, levels), requires_grad)

    def literal(self, data: Any, dtype: DType | None, requires_grad: bool) -> TensorValue:
        """A new tensor of numbers, known or not. Errors: a break for what is not so plain."""
        return self._leaf(literal(self.trace, data, dtype), requires_grad)

    def places(self, mask: TensorValue) -> TensorValue | None:
        """The places where a mask holds: known, or found by the call."""
        known_places = places_known(self.trace, mask.read())
        if known_places is not None:
            return fresh(self.trace, literal(self.trace, known_places, int64))
        found = places_of(self.trace, mask.read())
        return None if found is None else fresh(self.trace, found)

    def know_first(self, x: TensorValue, number: Any) -> None:
        """Keep the number for the value that the tensor has now."""
        self.trace.firsts[x.read()] = number

    def first_of(self, x: TensorValue) -> Any:
        """The number that was kept for the value that the tensor has now."""
        return self.trace.firsts.get(x.read())

    def rely_on_default_device(self) -> None:
        """Guard it."""
        self.trace.guard(Is, DEFAULT_DEVICE, expected=DefaultDevice.device)

    def rely_on_all(self, condition: TensorValue) -> None:
        """Leave calls to Python in which some element of a tensor of bools is False, before anything is written."""
        trace = self.trace
        with trace.no_grad():
            other = cast(trace, trace.add(INVERT, condition.read()), int64)
            trace.add(CHECKED_INDEX, other, size=1, ignore=None)

    def warn(self, text: str) -> None:
        """Errors: a break. Compiled code warns of nothing."""
        raise WARNING_GIVEN.stop(text=text)


_STAND_INS = re.compile(r"TensorValue|FloatNumber|IntNumber|BoolNumber")
"""An error that names one of these speaks of us, not of the program."""
_PLAIN = {"TensorValue": "Tensor", "FloatNumber": "float", "IntNumber": "int", "BoolNumber": "bool"}


def _plainly(error: Exception) -> str:
    """The text of an error with the classes that the program knows in place of ours."""
    return _STAND_INS.sub(lambda found: _PLAIN[found[0]], str(error))


@contextmanager
def natively(trace: Trace) -> Iterator[None]:
    """A context in which surface functions run over traced values; what they raise is the program's own error."""
    trace.guard(Is, DEFAULT_DTYPE, expected=get_default_dtype())
    before, TRACING.handler = TRACING.handler, Creator(trace)
    autocast, AUTOCAST.state = AUTOCAST.state, TracedAutocast(trace)
    try:
        yield
    except OpError as error:
        if trace.facts.sizes.symbols:
            raise StaticSizes(_not_symbolic(trace, error)) from error
        raise TENSOR_FEATURE.stop(feature=f"operands that no kernel takes ({error})") from error
    except (Unwinding, GraphError):
        raise  # an illegal graph is our own mistake, not the program's
    except (ValueError, TypeError, IndexError, AttributeError, RuntimeError, ArithmeticError) as error:
        if isinstance(error, ValuesNeeded):
            kind = DATA_SHAPE if error.for_shape else TENSOR_VALUES
            raise kind.stop(name=error.name) from error
        if _STAND_INS.search(str(error)):
            raise TENSOR_FEATURE.stop(feature=f"a call that has no form in a graph ({_plainly(error)})") from error
        if trace.facts.sizes.symbols:
            raise StaticSizes(_not_symbolic(trace, error)) from error
        raise RAISES.stop(error=f"{type(error).__name__}: {error}") from error
    finally:
        TRACING.handler, AUTOCAST.state = before, autocast


def _not_symbolic(trace: Trace, error: Exception) -> str:
    """Why sizes are static: what was called takes nothing but ints, it may be, or the program is wrong."""
    return f"{type(error).__name__} ({error}) was raised with symbolic ones at {trace.progress.where}"


def call(trace: Trace, function: Callable[..., Any], args: list[Value], kwargs: dict[str, Value]) -> Value:
    """`function(*args, **kwargs)` for a surface function."""
    if trace.stacked is not None:
        with natively(trace):
            joined = trace.stacked.joined(trace, function, args, kwargs)
        if joined is not None:
            return joined
    given = [native(trace, each) for each in args]
    named = {name: native(trace, each) for name, each in kwargs.items()}
    with natively(trace):
        made = traced(trace, function(*given, **named))
    note_parts(trace, function, given, named, made)
    return made


def native(trace: Trace, value: Value) -> Any:
    """The object that stands for a traced value in a function that runs natively."""
    if isinstance(value, (TensorValue, TensorGeneratorValue)):
        return value
    if isinstance(value, (InputNumber, SymInt)):
        known = concrete_count(trace, value)
        return known.size if isinstance(known, SymInt) else number(trace, known)
    if isinstance(value, ComputedNumber) and value.python_type in (int, float):
        return number(trace, LoopVaryingNumber(value.node, value.python_type(), 1, bounds=value.bounds))
    if isinstance(value, ArrayValue) and value.is_numpy_scalar:
        return number(trace, numpy_number(trace, value))
    if isinstance(value, TupleValue):
        return tuple(native(trace, each) for each in value.items)
    if isinstance(value, ListValue):
        return [native(trace, each) for each in value.items]
    if isinstance(value, DictValue):
        return {key: native(trace, each) for key, each in value.items.items()}
    if isinstance(value, SliceValue):
        return slice(*(native(trace, each) for each in value.parts))
    if isinstance(value, RangeValue):
        return value.range
    if isinstance(value, BuiltinCallable):
        return value.function
    return value.constant(trace)


def traced(trace: Trace, result: Any) -> Value:
    """The traced value of what a surface function gave."""
    if isinstance(result, Value):
        return result
    if isinstance(result, NumberOperand):
        return result.scalar
    if isinstance(result, Size):
        return SymInt(result)
    if isinstance(result, tuple):
        items = [traced(trace, each) for each in result]
        return RecordValue(items, type(result)) if is_record(result) else TupleValue(items)
    if isinstance(result, list):
        return ListValue([traced(trace, each) for each in result])
    if type(result) in LITERALS or isinstance(result, (DType, np.dtype, Layout)):
        return constant_value(result) if type(result) in LITERALS else Constant(result)
    raise TENSOR_FEATURE.stop(feature=f"a {type(result).__name__} made of tensors")


@wraps(DType, Layout)
def wrap_dtype(trace: Trace, value: Any, source: Source) -> Value:
    """A dtype or a layout, by identity."""
    trace.guard(Is, source, expected=value)
    return Constant(value, source)


@traces_family
def find(function: Any) -> Rule | None:
    """The rule of a surface function."""
    try:
        known = function in SURFACE
    except TypeError:
        return None
    if not known:
        return None

    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        return call(trace, function, list(args), kwargs)

    return rule


# -- the operators of the language -------------------------------------------------------------------------------------
def operator(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool = False) -> Value:
    """`left <name> right`, one of them a tensor."""
    if name in _COMPARISONS:
        forward, swapped = _COMPARISONS[name]
        return _either(trace, left, right, f"__{forward}__", f"__{swapped}__", name)
    word = _OPERATORS.get(name)
    if word is None:
        raise left.unsupported(f"the operator `{name}`")
    if in_place and isinstance(left, TensorValue):
        method = _special(trace, left, f"__i{word}__")
        if method is not None:
            return call(trace, method, [left, right], {})
    return _either(trace, left, right, f"__{word}__", f"__r{word}__", name)


def _either(trace: Trace, left: Value, right: Value, forward: str, swapped: str, name: str) -> Value:
    for owner, method, other in ((left, forward, right), (right, swapped, left)):
        function = _special(trace, owner, method) if isinstance(owner, TensorValue) else None
        if function is None:
            continue
        given = [native(trace, owner), native(trace, other)]
        with natively(trace):
            result = function(*given)
        if result is not NotImplemented:
            return traced(trace, result)
    raise left.unsupported(f"the operator `{name}`")


def _special(trace: Trace, value: TensorValue, name: str) -> Any:
    """The special method that the class of a tensor defines, relied upon; None when it defines none.

    Errors: a break for one that is not of the surface.
    """
    found, source = class_attribute(trace, value.kind, name)
    if found is ABSENT:
        return None
    trace.guard(Is, source, expected=found)
    if not isinstance(found, FunctionType) or found not in SURFACE:
        raise TENSOR_FEATURE.stop(feature=f"Tensor.{name}, which is not guardlift's own")
    return found


def unary(trace: Trace, name: str, value: TensorValue) -> Value:
    """`<name> value`."""
    method = _special(trace, value, f"__{_UNARY.get(name)}__")
    if method is None:
        raise value.unsupported(f"the operator `{name}`")
    return call(trace, method, [value], {})


def get_item(trace: Trace, value: TensorValue, key: Value) -> Value:
    """`value[key]`."""
    if trace.iterations:
        part = trace.iterations[-1].part(value, key)
        if part is not None:
            return part
    late = split_key(key)
    if late is not None:
        part = get_item(trace, value, late[0])
        found = entries_at(trace, part, late[1]) if isinstance(part, TensorValue) else None
        if found is not None:
            return found
    return call(trace, _special(trace, value, "__getitem__"), [value, _with_tensors(trace, key)], {})


def set_item(trace: Trace, target: TensorValue, key: Value, value: Value) -> None:
    """`target[key] = value`."""
    if trace.iterations and trace.iterations[-1].write_part(target, key, value):
        return
    key = as_tensors(trace, target, _with_tensors(trace, key))
    call(trace, _special(trace, target, "__setitem__"), [target, key, value], {})


def _with_tensors(trace: Trace, key: Value) -> Value:
    """A subscript with tensors over the memory of the arrays that stand in it."""
    if isinstance(key, TupleValue):
        return TupleValue([_with_tensors(trace, each) for each in key.items])
    is_array = type(key) is ArrayValue and not key.is_numpy_scalar and key.dtype.is_integer
    return over_memory(trace, key) if is_array else key


# Surface functions use the operators and methods of what they are given; a traced tensor has them too. Equality and
# hash stay those of objects: traced values are kept in dicts.
_KEPT = frozenset({"__eq__", "__ne__", "__hash__", "__len__", "__iter__", "__bool__", "__contains__", "__setitem__"})


def _lend_methods() -> None:
    for name, function in vars(Tensor).items():
        is_surface = isinstance(function, FunctionType) and function in SURFACE
        if is_surface and name not in _KEPT and getattr(TensorValue, name, None) is getattr(object, name, None):
            setattr(TensorValue, name, function)
    TensorValue.detach = detached  # type: ignore[attr-defined]
    TensorValue.requires_grad_ = _required  # type: ignore[attr-defined]


def _required(self: TensorValue, requires_grad: bool = True) -> Value:
    return set_requires_grad(self.trace, self, Constant(requires_grad))


_lend_methods()
