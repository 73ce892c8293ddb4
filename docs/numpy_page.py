"""The page of what is traced of NumPy: every function, by what the tracer really does with its example.

The rows come from NumPy's own namespaces and the tables of the tracer; nothing here lists functions.
"""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.core.config import config
from guardlift.frontend import state_of
from guardlift.frontend.codegen.frame_state import FrameState
from guardlift.frontend.compile.call_layout import traced_graph, used_inputs
from guardlift.frontend.compile.entry import Broken, trace_function
from guardlift.frontend.numpy import samples, unsupported
from guardlift.frontend.numpy.callouts import names
from guardlift.frontend.numpy.callouts.rule import EFFECTS
from guardlift.frontend.numpy.methods import ATTRIBUTES, METHODS
from guardlift.frontend.tracing.random_draws import DRAW
from guardlift.frontend.tracing.rules import load_rules, own_rule
from guardlift.graph.passes import run_passes
from guardlift.ops.registry import Movement

SPACES = {"": np, "linalg.": np.linalg, "fft.": np.fft, "random.": np.random}


_LEFT_OUT = ("test", "row_stack", "fix")
"""No function for programs, and those that newer releases of NumPy lack or warn of."""


@dataclass(frozen=True)
class Row:
    """One function: how it is traced, "" where it is not, and what is to be said of it."""

    name: str
    how: str
    note: str


def names_of(module: ModuleType) -> list[str]:
    """The public functions of a module."""
    found = (name for name in dir(module) if not name.startswith("_") and name not in _LEFT_OUT)
    return sorted(name for name in found if _is_function(getattr(module, name)))


def _is_function(thing: Any) -> bool:
    return callable(thing) and (not isinstance(thing, type) or thing in (np.finfo, np.iinfo))


def examples() -> dict[str, str]:
    """The examples of functions, of arrays' methods and of generators', by their names; "" where there is none."""
    functions = (prefix + name for prefix in SPACES for name in names_of(SPACES[prefix]))
    found = {name: samples.of_function(name) for name in functions}
    return found | _method_examples() | {f"Generator.{name}": example for name, example in samples.GENERATOR.items()}


def how(example: str) -> str:
    """How an example is traced, with all ways in which its calls are; "" where it is not."""
    return ", ".join(sorted({found for each in expressions(example) for found in _traced(each)})) if example else ""


def function_rows(prefix: str) -> Iterator[Row]:
    """The functions of one namespace."""
    load_rules()
    for name in names_of(SPACES[prefix]):
        function, full = getattr(SPACES[prefix], name), prefix + name
        example = samples.of_function(full)
        row = _row(full, example, _without(function)) if example else None
        yield row if row is not None and row.how else Row(full, "", unsupported.reason(full))


def method_rows() -> Iterator[Row]:
    """The methods and attributes of arrays."""
    for name, example in _method_examples().items():
        yield _row(name, example, "") if example else Row(name, "", unsupported.reason(name))


def _method_examples() -> dict[str, str]:
    array = np.eye(1)  # which lacks some that its class lists, up to NumPy 2.3
    public = sorted(name for name in dir(array) if not name.startswith("_") and hasattr(array, name))
    return {f"ndarray.{name}": _method_example(name) for name in public}


def _method_example(name: str) -> str:
    if name in METHODS or names.method(name) is not None:
        return samples.of_method(name)
    return samples.of_attribute(name) if name in ATTRIBUTES else ""


def ufunc_method_rows() -> Iterator[Row]:
    """The methods of ufuncs, by the example of `np.add`."""
    for name, example in samples.UFUNC_METHODS.items():
        yield _row(f"ufunc.{name}", example.format(f="add"), "")


def generator_rows() -> Iterator[Row]:
    """The methods of `np.random.Generator`."""
    for name, example in samples.GENERATOR.items():
        row = _row(f"Generator.{name}", example, "")
        yield row if row.how else Row(row.name, "", unsupported.reason(row.name))


def _row(name: str, example: str, note: str) -> Row:
    return Row(name, how(example), note)


def expressions(example: str) -> list[str]:
    """The calls that an example consists of."""
    tree = ast.parse(example, mode="eval").body
    return [ast.unparse(each) for each in (tree.elts if isinstance(tree, ast.Tuple) else [tree])]


def _traced(expression: str) -> Iterator[str]:
    """How one expression is traced, with the first dtype that NumPy takes for it and the tracer as well."""
    for dtype in ("float64", "int64", "uint8"):
        found = _with_dtype(expression, dtype)
        if found:
            yield found
            return


def _with_dtype(expression: str, dtype: str) -> str:
    given = samples.operands(dtype)
    scope: dict[str, Any] = {"np": np}
    exec(f"def example({', '.join(given)}):\n    return {expression}", scope)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            scope["example"](**samples.operands(dtype))
        except (TypeError, ValueError):
            return ""
        with config.patch(trace_without_arrays=True):
            return _how(scope["example"], given)


def _how(function: Any, given: dict[str, Any]) -> str:
    state = state_of(gl.jit(function))
    assert state is not None
    try:
        traced = trace_function(state.original, FrameState(state.points[0], given), state.pool, state.refused)
    except Broken:
        return ""
    writer = traced.writer
    if traced.split is not None:
        return ""
    inputs = used_inputs(writer.trace, writer)
    graph = run_passes(traced_graph(writer.trace, inputs, writer))
    ops = [node.op for node in graph.nodes]
    if any(each.kind == DRAW for each in inputs):
        return "draw"
    if any(op.name == "call_out" for op in ops):
        return "call-out"
    if any(not isinstance(op.lower, Movement) for op in ops) or any(out.kind == "fresh" for out in writer.outputs):
        return "kernel"
    return "view" if writer.outputs or graph.outputs else "known"


def _without(function: Any) -> str:
    """The parameters of NumPy's function that are not traced."""
    if isinstance(function, np.ufunc):
        return "`where` only with `out`"
    try:
        known = set(inspect.signature(function).parameters)
    except ValueError:
        return ""
    if function in names.CALLED:
        missing = known & EFFECTS
    else:
        rule = own_rule(function)
        if rule is None:
            return ""  # its own Python code is traced
        taken = inspect.signature(rule).parameters
        every = any(each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL) for each in taken.values())
        missing = set() if every else known - set(taken)
    return f"without {', '.join(f'`{each}`' for each in sorted(missing))}" if missing else ""


_HEAD = """
What becomes of each function of NumPy in a jitted function. The second column is what the tracer did with its example
in [frontend/numpy/samples/](../frontend/numpy/samples/__init__.py); the tests run each example, in nine dtypes, and
compare it with NumPy. Written by `make docs-tables`.

- **kernel**: it becomes part of the graph and of the kernels that are fused from it;
- **view**: no work, another view of the same memory, as in NumPy;
- **known**: the plan computes nothing: the answer is known while tracing (a shape, a dtype), or NumPy is asked behind
  the plan, where the result leaves the call (`np.argwhere`);
- **call-out**: the plan calls NumPy in its midst. The graph stays whole; the call costs what it costs in NumPy and
  3 µs. Whatever it raises, or gives in another form than foreseen, Python gives;
- **draw**: the call draws before its plan runs, in the order of the program. With arguments that only the plan knows,
  or in a native loop, the plan calls NumPy in its midst;
- **–**: the graph breaks there, with the code in the last column. Python runs the call in the middle of the function:
  it costs what it costs in NumPy and about 1 µs; what lies before and behind it is compiled.

float16 and complex numbers break the graph where a rule does not cover them (B402, B202).
""".strip()


def page() -> str:
    """The whole page."""
    parts = [("NumPy's own functions", list(function_rows(""))), ("Arrays", list(method_rows()))]
    parts += [("Ufuncs", list(ufunc_method_rows())), ("np.linalg", list(function_rows("linalg.")))]
    parts += [("np.fft", list(function_rows("fft."))), ("Generators of random numbers", list(generator_rows()))]
    parts += [("np.random", list(function_rows("random.")))]
    traced = sum(bool(row.how) for _, rows in parts for row in rows)
    lines = ["# NumPy", "", "<!-- fmt: off -->", "", _HEAD]
    lines += ["", f"{traced} of {sum(len(rows) for _, rows in parts)} are traced without a break."]
    for title, rows in parts:
        lines += ["", f"## {title}", "", "| | how | |", "|---|---|---|"]
        lines += [f"| `{row.name}` | {row.how or '–'} | {row.note} |" for row in rows]
    return "\n".join([*lines, ""])
