"""The conformance suite for backends: every op over its samples, and programs that have to give what Python gives.

With pytest, a test for each case; a backend that does not take some ops marks these::

    from guardlift.tools.backend_cases import backend_cases

    @pytest.mark.parametrize("case", backend_cases(), ids=str)
    def test_my_backend(case):
        case.check(my_backend, rtol=1e-5)

`gl.testing.check_backend(my_backend)` runs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..backend.call_layout import CallLayout, InputLayout, OutputLayout
from ..backend.cpu.plan.errstate import accept_current
from ..backend.plugins.registry import lookup_backend
from ..core import dtypes
from ..core.records import dataclass
from ..core.types import TensorType, contiguous_strides
from ..graph.builder import GraphBuilder
from ..graph.interpreter import run_reference
from ..graph.node import Graph
from ..ops import OPS
from ..ops.registry import OpDef, Pointwise, Sample, Structural
from .backend_differences import differences, largest
from .backend_programs import PROGRAMS, BackendProgram, check_program

Array = np.ndarray[Any, Any]
EXTREMES = frozenset({"maximum", "minimum", "max", "min"})
"""Functions of two zeros of which nobody promises which one they give."""
ROUNDING = 16.0
"""Units: in the last place."""


@dataclass(frozen=True, slots=True)
class BackendCase:
    """One thing that a backend has to get right. Prints as its name: ``op add``, ``program swap``."""

    kind: str
    name: str
    run: Callable[[Any, float], None]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    def check(self, backend: Any, rtol: float = 0.0) -> None:
        """Nothing, if the backend, a name or a function, gets it right.

        rtol: how far floats may be from NumPy's, relative to them, and where sums can cancel to the largest
            about, beyond what every backend may: nothing for exact ops, else some units in the last place.
        Errors: AssertionError that says on what the backend went wrong; BackendError where it broke the protocol.
        """
        self.run(backend, rtol)


def backend_cases() -> list[BackendCase]:
    """Every op, then programs of NumPy, of tensors, and of training."""
    listed = [op for op in OPS.values() if not isinstance(op.lower, Structural)]
    return [*map(_op_case, listed), *map(_program_case, PROGRAMS)]


def _op_case(op: OpDef) -> BackendCase:
    return BackendCase("op", op.name, lambda backend, rtol: check_op(op, backend, rtol))


def _program_case(program: BackendProgram) -> BackendCase:
    return BackendCase("program", program.name, lambda backend, rtol: check_program(program, backend, rtol))


def check_op(op: OpDef, backend: Any, rtol: float = 0.0) -> None:
    """Nothing, if the backend gives for every sample of the op what the reference interpreter gives.

    Each sample is tried with operands in row-major and in column-major order; operands must be left as they are.
    """
    accept_current()
    for number, sample in enumerate(op.samples()):
        for order in ("C", "F") if any(each.ndim > 1 for each in sample.args) else ("C",):
            operands = [np.array(each, order=order, copy=True) for each in sample.args]  # type: ignore[call-overload]
            for problem in _problems(op, sample, operands, backend, rtol):
                where = f"sample {number} of the op {op.name}, {_told(operands, sample)}, operands in {order} order"
                raise AssertionError(f"{where}: {problem}")


def _problems(op: OpDef, sample: Sample, operands: list[Array], backend: Any, rtol: float) -> Iterator[str]:
    graph = _graph(op, sample)
    given = [each.copy(order="K") for each in operands]
    found = _run(graph, backend, given)
    try:
        (expected,) = run_reference(graph, operands)
    except (IndexError, ValueError) as error:
        if found is not ...:
            yield f"expected an IndexError or a ValueError ({error}), got a result"
        return
    if found is ...:
        yield "expected a result, got an IndexError or a ValueError"
    elif not all(_same_bits(one, other) for one, other in zip(given, operands, strict=True)):
        yield "an operand was written to"
    else:
        scale = 0.0 if isinstance(op.lower, Pointwise) else largest([*operands, expected])
        units = 0.0 if op.exact else ROUNDING
        yield from differences(found, expected, rtol, units, scale, zeros=op.name in EXTREMES)


def _graph(op: OpDef, sample: Sample) -> Graph:
    builder = GraphBuilder()
    types = [(each.shape, dtypes.held(each.dtype)) for each in sample.args]
    inputs = [builder.input(TensorType(shape, dtype), f"x{k}") for k, (shape, dtype) in enumerate(types) if dtype]
    attrs: dict[str, Any] = dict(sample.attrs)
    return builder.finish([builder.add(op, *inputs, **attrs)])


def _run(graph: Graph, backend: Any, operands: Sequence[Array]) -> Any:
    """The result of the backend's second call, since many do something else at the first; Ellipsis for an error."""
    chosen = lookup_backend(backend, "the backend under test is")
    prepared = chosen.prepare(graph)
    inputs = tuple(
        InputLayout("array", node.type, tuple(step // each.itemsize for step in each.strides))
        for node, each in zip(graph.inputs, operands, strict=True)
    )
    outputs = (OutputLayout("fresh", 0, contiguous_strides(graph.outputs[0].shape)),)
    run = chosen.compile(prepared, CallLayout(inputs, outputs, unwrap=True)).build()
    run(*operands)
    return run(*operands)


def _same_bits(one: Array, other: Array) -> bool:
    return one.tobytes() == other.tobytes()


def _told(operands: Sequence[Array], sample: Sample) -> str:
    types = ", ".join(f"{each.dtype}{list(each.shape)}" for each in operands)
    return f"on {types or 'no operands'}" + "".join(f", {key}={value!r}" for key, value in sample.attrs)
