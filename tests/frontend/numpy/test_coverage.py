"""Every function of NumPy that the page of coverage lists as traced: run jitted and plainly, in nine dtypes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import Tolerance, check, check_in_turn

from guardlift.frontend.numpy import samples
from guardlift.frontend.numpy.callouts import names

sys.path.append(str(Path(__file__).resolve().parents[3] / "docs"))
import numpy_page

EXAMPLES = {name: example for name, example in numpy_page.examples().items() if example}
UNORDERED = ("empty", "empty_like")
BATCH = 16
"""Functions of one jitted function: enough to share the cost of a compile, few enough to find who fails."""
FEW = 4
"""Expressions that share symbolic sizes, which are static as soon as one of them asks for numbers."""
SIZES = ((2, 3, 4, 6), (3, 5, 7, 8), (2, 4, 6, 9), (3, 5, 7, 8), (2, 3, 4, 6))
"""The sizes of the operands, call by call: from the second on they are symbolic, where they may be."""


@pytest.mark.slow
def test_two_hundred_functions_are_traced() -> None:
    main = [name for name, example in EXAMPLES.items() if "." not in name and traced(example)]
    assert len(main) >= 200


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="the page is of a NumPy with more functions")
@pytest.mark.slow
def test_the_page_is_up_to_date() -> None:
    page = Path(numpy_page.__file__).with_name("numpy_coverage.md")
    assert page.read_text(encoding="utf-8") == numpy_page.page(), "docs/numpy_coverage.md is stale: make docs-tables"


def test_every_function_with_a_rule_has_an_example() -> None:
    from guardlift.frontend.tracing.rules import own_rule

    for prefix, space in numpy_page.SPACES.items():
        for name in numpy_page.names_of(space):
            if own_rule(getattr(space, name)) is not None:
                assert samples.of_function(prefix + name), f"frontend/numpy/samples/ has no example for {prefix}{name}"


def test_every_function_that_is_called_out_has_an_example() -> None:
    called = [name.removeprefix("numpy.") for name in (*names.CALLED.values(), *names.WRITING.values())]
    assert [name for name in called if not samples.of_function(name)] == []


@cache
def traced(example: str) -> bool:
    """Whether the page lists the example as traced."""
    return bool(numpy_page.how(example))


def accepted(expression: str, dtype: str, sizes: tuple[int, int, int, int] = SIZES[0]) -> bool:
    """Whether NumPy takes the expression with operands of this dtype."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            example([expression])(**samples.operands(dtype, sizes))
        except (TypeError, ValueError, IndexError, np.linalg.LinAlgError):
            return False
    return True


def example(expressions: list[str]) -> Callable[..., Any]:
    """A function that gives what the expressions give, then the operands as they are after that."""
    scope: dict[str, Any] = {"np": np}
    names = list(samples.operands("float64"))
    exec(
        f"def example({', '.join(names)}):\n    return ({', '.join(expressions)},), a, v, t + t", scope
    )  # something is computed, whatever the expressions ask for
    return scope["example"]  # type: ignore[no-any-return]


def whole(expressions: list[str], dtype: str, backend: str) -> None:
    """Asserts that the expressions are one graph, and what NumPy gives, together; else says which one is not."""
    try:
        check(example(expressions), **samples.operands(dtype), calls=2, expect="compiled", backend=backend)
    except AssertionError as error:
        if len(expressions) == 1:
            raise AssertionError(f"{expressions[0]} with {dtype}: {error}") from None
        for each in expressions:
            whole([each], dtype, backend)
        raise


def has_one_form(expression: str, dtype: str) -> bool:
    """Whether the values of the operands do not decide what dtype the result has."""
    return not (dtype == "complex128" and expression.startswith("np.poly("))


BATCHES = [list(EXAMPLES)[start : start + BATCH] for start in range(0, len(EXAMPLES), BATCH)]
of_batches = pytest.mark.parametrize("names", BATCHES, ids=lambda names: names[0])


def calls_of(names: list[str]) -> list[str]:
    """The calls in those examples of the functions that are traced and give the same each time."""
    examples = [EXAMPLES[name] for name in names if name not in UNORDERED]
    return [call for example in examples if traced(example) for call in numpy_page.expressions(example)]


def run(names: list[str], dtype: str, backend: str) -> None:
    expressions = calls_of(names)
    fitting = [each for each in expressions if accepted(each, dtype) and has_one_form(each, dtype)]
    if fitting:
        whole(fitting, dtype, backend)


@pytest.mark.slow
@of_batches
def test_in_kernels_and_call_outs(names: list[str]) -> None:
    run(names, "float64", "numba")


@pytest.mark.parametrize("dtype", [each for each in samples.DTYPES if each != "float64"])
@of_batches
def test_in_every_dtype(names: list[str], dtype: str) -> None:
    run(names, dtype, "reference")


@of_batches
@pytest.mark.slow
def test_at_several_sizes(names: list[str]) -> None:
    """Each call is what NumPy gives; whether the graph is whole is free."""
    fitting = [each for each in calls_of(names) if all(accepted(each, "float64", sizes) for sizes in SIZES)]
    calls = [tuple(samples.operands("float64", sizes).values()) for sizes in SIZES]
    for start in range(0, len(fitting), FEW):
        check_in_turn(
            example(fitting[start : start + FEW]), calls, Tolerance(4, sums=True, zeros=True), backend="reference"
        )


@pytest.mark.parametrize("name", samples.WITH_METHODS)
def test_methods_of_ufuncs(name: str) -> None:
    expressions = [
        each for text in samples.UFUNC_METHODS.values() for each in numpy_page.expressions(text.format(f=name))
    ]
    for dtype in ("bool", "int64", "float64"):
        fitting = [each for each in expressions if accepted(each, dtype)]
        if fitting:
            whole(fitting, dtype, "reference")
