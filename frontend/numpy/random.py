"""Draws from `numpy.random.Generator`, by the C functions that its methods are made of. See Note [Drawing]."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backend.cpu.compiler.c_functions import Name, is_there
from ...core import dtypes
from ...core.dtypes import DType
from ...core.records import dataclass
from ...core.types import TensorType
from ...graph.node import Node
from ...guards.sources import ConstantSource
from ...loop_ir.ir import Access, Count, Store
from ...ops import pointwise as p
from ..breaks import NUMPY_ARGUMENT, GraphBreak
from ..regions.arrays.inner_loops import scratch
from ..regions.numbers.arithmetic import host_number, number_node
from ..regions.standalone import computed
from ..tracing.inputs import Input
from ..tracing.nodes import cast, constant_node
from ..tracing.random_draws import SEED
from ..tracing.rules import Rule, asked, checked_call, traces_family
from ..values.arrays.array import ArrayValue, Storage, result
from ..values.arrays.view_steps import reshape
from ..values.base import Value
from ..values.constant import FALSE, NONE, Constant, is_none
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_scalar import InputNumber
from ..values.objects.random_generators import RandomGenerator, refuse_draws
from .callouts.draws import by_numpy, draws_token, shuffled_by_numpy
from .creation import dtype_of, shape_of
from .ufuncs import supported

if TYPE_CHECKING:
    from ..regions.builder import Region
    from ..tracing.trace import Trace

METHOD = "numpy.random.Generator."
"""Begins the names of its methods, for call-outs."""
ZERO, ONE = Constant(0.0), Constant(1.0)


@dataclass(frozen=True)
class DrawingFunctions:
    """A distribution in C: `draw` gives one number, `fill` so many into memory; each takes a generator first."""

    draw: str
    fill: str = ""

    def filler(self, dtype: DType) -> str:
        """The function that fills memory with numbers of this dtype."""
        return self.fill + ("_f" if dtype is dtypes.float32 else "")


UNIFORM = DrawingFunctions("random_standard_uniform", "random_standard_uniform_fill")
NORMAL = DrawingFunctions("random_standard_normal", "random_standard_normal_fill")
EXPONENTIAL = DrawingFunctions("random_standard_exponential", "random_standard_exponential_fill")


def _function(name: str) -> Name:
    """The name of a C function for kernels. Errors: a break where this NumPy does not export it."""
    if not is_there("random", name):
        raise _refused("this build of NumPy")
    return "random", name


def _refused(argument: str) -> Exception:
    return NUMPY_ARGUMENT.stop(name="a draw from a Generator", argument=argument)


def _drawn(trace: Trace, compute: Callable[[Region], list[Node]]) -> list[Node]:
    """The nodes that drawing statements compute; nothing drops or merges these statements."""
    token = draws_token(trace)

    def draw(region: Region) -> list[Node]:
        region.change(token)
        region.leaves = True  # so that nothing drops or merges it
        return compute(region)

    return computed(trace, draw)


def _count(value: int, region: Region) -> Node:
    return region.integer(value)


def _numbers(
    trace: Trace,
    generator: RandomGenerator,
    size: Value,
    how: DrawingFunctions,
    parameters: Sequence[Node],
    dtype: DType,
) -> Value:
    """A Python float, or an array of this size."""
    if is_none(size):
        if dtype is not dtypes.float64:
            raise _refused(f"one number of {dtype}")

        def one(region: Region) -> list[Node]:
            made = region.invoke(_function(how.draw), dtypes.float64, [generator.word(trace), *parameters])
            assert made is not None
            return [made]

        return host_number(trace, _drawn(trace, one)[0])

    def fill(region: Region, room: Storage, count: int) -> None:
        here = region.address(room, [constant_node(trace, 0, (), dtypes.int64)])
        if how.fill:
            region.invoke(_function(how.filler(dtype)), None, [generator.word(trace), _count(count, region), here])
            return
        place = region.name("i")
        with region.block() as statements:
            made = region.invoke(_function(how.draw), dtype, [generator.word(trace), *parameters])
            assert made is not None
            stored = Access(here.access.pointer, ((place, 1),))
            region.put(Store(stored, region.text(made), dtype))
        region.put(Count(place, 0, region.size(("value", count, 0)), 1, tuple(statements)))

    return _filled(trace, _shape(trace, size), dtype, fill)


def _shape(trace: Trace, size: Value) -> tuple[int, ...]:
    shape = shape_of(trace, size)
    if not shape or 0 in shape:
        raise _refused(f"size={shape}")
    if trace.region is not None and len(shape) != 1:
        raise _refused("an array of several axes in a native loop")
    return shape


def _filled(
    trace: Trace, shape: tuple[int, ...], dtype: DType, fill: Callable[[Region, Storage, int], None]
) -> ArrayValue:
    """A new array whose elements, in order, are what `fill` puts into memory of one axis."""
    count = math.prod(shape)
    rooms: list[ArrayValue] = []

    def draw(region: Region) -> list[Node]:
        room = scratch(trace, TensorType((count,), dtype))
        rooms.append(room)
        region.change(room.storage)
        fill(region, room.storage, count)
        return []

    _drawn(trace, draw)
    (room,) = rooms
    if len(shape) == 1:
        return room
    return result(trace, reshape(trace, room.storage.node, shape))


def _parameter(trace: Trace, value: Value) -> Node:
    """A parameter of a distribution as a float64. Errors: a break for arrays."""
    if isinstance(value, ArrayValue) and value.is_numpy_scalar and (value.dtype.is_float or value.dtype.is_integer):
        return cast(trace, value.read(trace), dtypes.float64)
    if (
        isinstance(value, (ComputedNumber, InputNumber))
        or isinstance(value, Constant)
        and type(value.value) in (int, float)
    ):
        return cast(trace, number_node(trace, value), dtypes.float64)
    raise _refused(f"{value.describe()} as a parameter")


def _leave_if_negative(trace: Trace, value: Value | None, node: Node) -> None:
    """Leaves for a number with a sign, -0.0 too, for which NumPy raises."""
    if isinstance(value, Constant) and math.copysign(1.0, value.value) > 0:
        return
    region = trace.region
    assert region is not None
    node = region.let_of(node)
    signed = trace.add(p.COPYSIGN, region.let_of(constant_node(trace, 1.0, (), dtypes.float64)), node)
    negative = trace.add(p.LESS, signed, constant_node(trace, 0.0, (), dtypes.float64))
    region.leave_if(trace.add(p.BITWISE_AND, negative, trace.add(p.EQUAL, node, node)))


def _float_dtype(trace: Trace, dtype: Value) -> DType:
    wanted = dtype_of(trace, dtype, None if is_none(dtype) else float)
    if wanted not in (dtypes.float32, dtypes.float64):
        raise _refused(f"dtype={wanted}")
    return wanted


def _standard(how: DrawingFunctions) -> Rule:
    """The rule of a method without parameters."""

    def rule(
        trace: Trace,
        generator: RandomGenerator,
        size: Value = NONE,
        dtype: Value = Constant(np.float64),  # noqa: B008
        out: Value = NONE,
    ) -> Value:
        if not is_none(out):
            raise _refused("out=")
        return _numbers(trace, generator, size, how, [], _float_dtype(trace, dtype))

    return rule


def _scaled(
    name: str, check: Callable[[Trace, list[Value], list[Node]], list[Node]]
) -> Callable[[Trace, RandomGenerator, list[Value], Value], Value]:
    """The function that draws from a distribution with parameters; `check` gives those of the C function."""
    how = DrawingFunctions(name)

    def draw(trace: Trace, generator: RandomGenerator, values: list[Value], size: Value) -> Value:
        given = [_parameter(trace, each) for each in values]
        nodes = computed(trace, lambda region: [region.let_of(each) for each in check(trace, values, given)])
        return _numbers(trace, generator, size, how, nodes, dtypes.float64)

    return draw


def _second_is_a_scale(trace: Trace, values: list[Value], nodes: list[Node]) -> list[Node]:
    _leave_if_negative(trace, values[-1], nodes[-1])
    return nodes


def _low_and_range(trace: Trace, values: list[Value], nodes: list[Node]) -> list[Node]:
    assert trace.region is not None
    low, high = map(trace.region.let_of, nodes)
    reach = trace.add(p.SUBTRACT, high, low)
    trace.region.leave_if(trace.add(p.INVERT, trace.add(p.ISFINITE, reach)))
    _leave_if_negative(trace, None, reach)
    return [low, reach]


_normal = _scaled("random_normal", _second_is_a_scale)
_uniform = _scaled("random_uniform", _low_and_range)
_exponential = _scaled("random_exponential", _second_is_a_scale)


def normal(
    trace: Trace, generator: RandomGenerator, loc: Value = ZERO, scale: Value = ONE, size: Value = NONE
) -> Value:
    """`rng.normal`."""
    return _normal(trace, generator, [loc, scale], size)


def uniform(
    trace: Trace, generator: RandomGenerator, low: Value = ZERO, high: Value = ONE, size: Value = NONE
) -> Value:
    """`rng.uniform`."""
    return _uniform(trace, generator, [low, high], size)


def exponential(trace: Trace, generator: RandomGenerator, scale: Value = ONE, size: Value = NONE) -> Value:
    """`rng.exponential`."""
    return _exponential(trace, generator, [scale], size)


def integers(
    trace: Trace,
    generator: RandomGenerator,
    low: Value,
    high: Value = NONE,
    size: Value = NONE,
    dtype: Value = Constant(np.int64),  # noqa: B008
    endpoint: Value = FALSE,
) -> Value:
    """`rng.integers` of int64."""
    if supported(asked(np.dtype, dtype.constant(trace))) is not dtypes.int64 or dtype.constant(trace) is int:
        raise _refused("integers of another dtype than int64")
    if is_none(high):
        low, high = Constant(0), low
    first, last = (_whole(trace, each) for each in (low, high))
    closed = bool(endpoint.constant(trace))

    def spanned(region: Region) -> tuple[Node, Node]:
        start, stop = region.let_of(first), region.let_of(last)
        region.leave_if(trace.add(p.LESS if closed else p.LESS_EQUAL, stop, start))
        reach = trace.add(p.SUBTRACT, stop, start)
        if not closed:
            reach = trace.add(p.SUBTRACT, reach, constant_node(trace, 1, (), dtypes.int64))
        return start, reach

    none = constant_node(trace, 0, (), dtypes.int64)
    if is_none(size):

        def one(region: Region) -> list[Node]:
            start, reach = spanned(region)
            arguments = [generator.word(trace), start, reach, none, none]
            made = region.invoke(_function("random_bounded_uint64"), dtypes.int64, arguments)
            assert made is not None
            (least, _), (_, most) = region.facts.of(first), region.facts.of(last)
            region.facts.learn(made, (least, most - (not closed)))
            return [made]

        return result(trace, _drawn(trace, one)[0], is_numpy_scalar=True)

    def fill(region: Region, room: Storage, count: int) -> None:
        here = region.address(room, [none])
        start, reach = spanned(region)
        arguments = generator.word(trace), start, reach, _count(count, region), none, here
        region.invoke(_function("random_bounded_uint64_fill"), None, arguments)

    return _filled(trace, _shape(trace, size), dtypes.int64, fill)


def _whole(trace: Trace, value: Value) -> Node:
    """A bound as an int64. Errors: a break for what is no int."""
    if (
        isinstance(value, ArrayValue)
        and value.is_numpy_scalar
        and value.dtype.is_integer
        and value.dtype is not dtypes.uint64
    ):
        return cast(trace, value.read(trace), dtypes.int64)
    if isinstance(value, (ComputedNumber, InputNumber, Constant)) and value.python_type is int:
        return number_node(trace, value)
    raise _refused(f"{value.describe()} as a bound")


def _natively(name: str, rule: Rule) -> Rule:
    """The rule of a method that C functions serve, for most arguments; NumPy runs it for others."""

    def either(trace: Trace, generator: RandomGenerator, /, *args: Value, **kwargs: Value) -> Value:
        if not trace.inputs.tensors:
            try:
                return checked_call(f"Generator.{name}", rule, trace, generator, *args, **kwargs)
            except GraphBreak as stop:
                if stop.kind is not NUMPY_ARGUMENT:
                    raise
        return by_numpy(METHOD + name)(trace, generator, *args, **kwargs)

    return either


_NATIVE: dict[str, Rule] = {
    "random": _standard(UNIFORM),
    "standard_normal": _standard(NORMAL),
    "standard_exponential": _standard(EXPONENTIAL),
    "normal": normal,
    "uniform": uniform,
    "exponential": exponential,
    "integers": integers,
}
_CALLED_OUT = (
    *("choice", "permutation", "permuted", "beta", "binomial", "chisquare", "dirichlet", "f", "gamma", "geometric"),
    *("gumbel", "hypergeometric", "laplace", "logistic", "lognormal", "logseries", "multinomial"),
    *("multivariate_normal", "negative_binomial", "noncentral_chisquare", "pareto", "poisson", "power", "rayleigh"),
    *("standard_cauchy", "standard_gamma", "standard_t", "triangular", "vonmises", "wald", "weibull", "zipf"),
)
METHODS: dict[str, Rule] = {
    **{name: _natively(name, rule) for name, rule in _NATIVE.items()},
    **{name: by_numpy(METHOD + name) for name in _CALLED_OUT},
    "shuffle": shuffled_by_numpy(METHOD + "shuffle"),
}
"""Rules of the methods by which a trace draws, by name."""


@traces_family
def _makes_a_generator(function: Any) -> Rule | None:
    """The rule of `np.random.default_rng`; NumPy imports its generators late."""
    if getattr(function, "__name__", "") != "default_rng" or function is not np.random.default_rng:
        return None
    return default_rng


def default_rng(trace: Trace, seed: Value = NONE) -> Value:
    """`np.random.default_rng(seed)`, made at each call by what runs the plan."""
    known = isinstance(seed, Constant) and (seed.value is None or type(seed.value) is int)
    if not (known or isinstance(seed, InputNumber) and seed.python_type is int):
        raise _refused(f"a generator made from {seed.describe()}")
    example = seed.value if isinstance(seed, Constant) else seed.example  # type: ignore[attr-defined]
    source = seed.source or ConstantSource(example, repr(example))
    if trace.region is not None:
        raise _refused("a generator made in a native loop")
    refuse_draws(trace)
    node = trace.builder.input(
        TensorType((), dtypes.int64), f"generator_{len(trace.inputs.entries)}", trace.progress.location
    )
    trace.inputs.entries.append(Input(SEED, source, node, example=example))
    return RandomGenerator(node, None)
