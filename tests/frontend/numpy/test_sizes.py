"""NumPy's functions on arrays that come with other sizes: compiled twice, for the first sizes and for all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.tracing.test_dynamic_sizes import in_turn

from guardlift.core.sizes import Facts, Size, symbol
from guardlift.frontend.numpy.callouts.symbolic_forms import form_for_sizes

Array = np.ndarray[Any, Any]
SIZES = (6, 7, 4, 11, 30, 5)

VECTORS = """
    np.sort(x) + 1 | np.argsort(x) | np.cumsum(x) * 2 | np.cumprod(x / 4) | np.fft.fft(x) | np.fft.rfft(x) * 2
    np.fft.irfft(x + 1) | np.convolve(x, np.ones(3)) | np.convolve(x, x, 'same') | np.correlate(x, x[:2])
    np.pad(x, 2) * 2 | np.pad(x, (1, 3), 'edge') | np.pad(x, 2, 'reflect') | np.median(x) * x
    np.percentile(x, 30) | np.quantile(x, [0.1, 0.5]) | np.flip(x) | np.roll(x, 1) * 2 | np.roll(x, -2)
    np.roll(x, 3, axis=0) | np.tile(x, 2) | np.tile(x, (2, 1)) * 2 | np.repeat(x, 3)
    np.linspace(0, 1, len(x)) * x | np.linspace(1, 5, len(x), endpoint=False) | np.linspace(0, 2.5, len(x) + 1)
    np.arange(0, len(x), 2) | np.arange(len(x), 0, -1) * x | np.arange(1, 2 * len(x), 3)
    np.arange(len(x), 2 * len(x)) + x | np.eye(len(x)) * x | np.identity(len(x)) + 1
    np.eye(len(x), len(x) + 2, k=1) * 2 | np.tri(len(x)) * 2 | np.indices((len(x), 3)) * 2 | np.vander(x, 3)
    np.hanning(len(x)) * x | np.argmax(x) | np.interp(x, x, x * 2) | np.searchsorted(x, x[::2]) | np.gradient(x)
    np.var(x) | np.std(x) + x | np.ptp(x) | np.correlate(x, x) | np.partition(x, 2) | np.polyfit(x, x, 1).shape
    np.trapezoid(x) | np.einsum('i,i->', x, x) | np.tensordot(x, x, 1) | np.kron(x, x) | np.kron(x, np.ones(2))
    np.histogram(x)[0] | np.histogram(x, bins=len(x))[1] | np.digitize(x, x) | np.delete(x, 1)
    np.insert(x, 1, 2.0) | np.append(x, x) * 2 | np.ediff1d(x) | np.diff(x, 2) | np.isin(x, x[1:])
    np.vstack([x, x]) | np.hstack([x, x]) | np.dstack([x, x]) | np.column_stack([x, x])
    np.maximum.accumulate(x) | np.add.reduce(x) | np.nanmean(x) | np.nan_to_num(x) | np.unwrap(x)
    np.lexsort((x, -x)) | np.meshgrid(x, x)[0] | np.outer(x, x) | np.diag(x)
    np.split(np.concatenate([x, x]), 2)[1] | np.atleast_2d(x) * 2 | np.atleast_3d(x)
    np.broadcast_to(x, (3, len(x))) + 1 | np.cov(x, x) | np.blackman(len(x)) | np.fft.fftfreq(len(x))
    np.trim_zeros(x + 1).shape | np.stack([x, x], 1) | np.geomspace(1, 2, len(x)) | np.logspace(0, 1, len(x))
    np.average(x, weights=x + 1) | np.sort(x)[::-1] + np.cumsum(x) | np.linalg.norm(x)
    np.linalg.solve(np.eye(len(x)) + 1, x).shape | np.block([x, x]) | np.choose([0, 0], [x[:2], x[1:3]])
    np.rot90(np.outer(x, x))
"""
MATRICES = """
    np.sort(a, axis=0) | np.cumsum(a, axis=1) | np.cumsum(a) | np.median(a, axis=0)
    np.percentile(a, 20, axis=1) | np.fft.fft2(a) | np.fft.rfft(a, axis=0) | np.argsort(a, axis=1) | np.cov(a)
    np.roll(a, 1, axis=1) | np.roll(a, 1) | np.tile(a, (2, 3)) | np.pad(a, ((1, 0), (0, 2)))
    np.linalg.svd(a)[1].shape | np.linalg.qr(a)[0].shape | np.linalg.pinv(a).shape
    np.linalg.lstsq(a, a[:, 0])[0].shape | np.gradient(a)[1] | np.trace(a) | np.diagonal(a) * 2 | np.tril(a)
    np.triu(a, 1) | np.kron(a, np.ones((2, 2))) | np.einsum('ij,ij->i', a, a) | np.tensordot(a, a.T, 1)
    np.vstack([a, a]) | np.hstack([a, a[:, :1]]) | np.block([[a, a], [a, a]]) | np.repeat(a, 2, axis=0)
    np.take_along_axis(a, np.argsort(a, 1), 1) | np.partition(a, 1, axis=0) | np.swapaxes(a, 0, 1) @ a | a @ a.T
    np.corrcoef(a).shape | np.average(a, axis=0) | np.trapezoid(a, axis=0) | np.diff(a, axis=0)
    np.delete(a, 0, axis=1) | np.insert(a, 1, 0.0, axis=0) | np.nanmax(a, axis=0) | np.linalg.norm(a, axis=1)
    np.multiply.outer(a[:, 0], a[0]) | np.ravel(a)[::2] | np.linalg.multi_dot([a, a.T, a]).shape | np.rot90(a)
    np.fliplr(a) | np.histogram2d(a[:, 0], a[:, 1])[0]
"""


def expressions(text: str) -> list[str]:
    return [each.strip() for line in text.strip().splitlines() for each in line.split("|")]


def function_of(names: str, expression: str) -> Any:
    return eval(f"lambda {names}: {expression}", {"np": np})


@pytest.mark.spec("S7.06")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", expressions(VECTORS))
def test_vectors(expression: str) -> None:
    rows = [(np.random.default_rng(size).permutation(size) / 4.0,) for size in SIZES]
    in_turn(function_of("x", expression), *rows, expect=2)


@pytest.mark.spec("S7.06")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", expressions(MATRICES))
def test_matrices(expression: str) -> None:
    shapes = ((7, 4), (8, 5), (9, 6), (12, 5), (30, 6))
    in_turn(function_of("a", expression), *((np.random.default_rng(0).random(shape),) for shape in shapes), expect=2)


NUMBERS = """
    np.zeros(n) + x[0] | np.full((n, 2), 2.5) | np.arange(n) * 2.0 | np.arange(1, n + 1) ** 2
    np.arange(0, n, 2) | np.arange(n, 2 * n) | np.linspace(0, 1, n) | np.linspace(0, 1, n + 1)[1:]
    np.eye(n) * 2 | np.identity(n) | x[-n:] + 1 | x[n:] * 2 | x[:-n] | np.tile(x, n) | np.repeat(x, n)
    np.roll(x, n) * 2 | np.roll(x, -n) | np.roll(x, 50 * n) | np.pad(x, n) | np.pad(x, (n, 1), 'wrap')
    np.tri(n) | np.indices((n, n)) | np.cumsum(np.ones(n)) | np.sort(x[:n]) | np.fft.fft(x[:n])
    np.fft.fft(x, n) | np.histogram(x, bins=n)[0] | np.vander(x[:3], n) | np.hanning(n)
    np.random.default_rng(0).random(n) | np.geomspace(1, 2, n) | np.convolve(x[:n], np.ones(3))
    np.interp(np.linspace(0, 1, n), x, x)
"""


@pytest.mark.spec("S7.06")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", expressions(NUMBERS))
def test_numbers(expression: str) -> None:
    x = np.arange(40.0)
    in_turn(function_of("x, n", expression), *((x, n) for n in (5, 6, 9, 3, 17)), expect=2)


def test_two_arrays_whose_sizes_the_function_wants_equal_are_taken_together() -> None:
    def f(x: Array, at: Array, values: Array) -> Array:
        return np.interp(x, at, values)

    in_turn(
        f,
        *((np.linspace(0, 1, n), np.arange(m * 1.0), np.ones(m)) for n, m in ((4, 4), (5, 6), (9, 7), (3, 4))),
        expect=2,
    )


def test_a_size_that_no_sum_gives_is_relied_on() -> None:
    in_turn(
        lambda x: np.fft.rfft(x[: len(x) // 3]), *((np.arange(size * 1.0),) for size in (9, 12, 15, 12)), expect=None
    )


def test_arguments_that_are_computed_from_sizes() -> None:
    rows = [(np.arange(size * 1.0)[::-1],) for size in (2, 3, 9, 4, 40)]
    in_turn(lambda x: np.partition(x, min(3, len(x) - 1)), *rows)
    in_turn(lambda x: np.fft.fft(x, 2 * len(x) + 1), *rows, expect=2)


# What forms are found.
def found(function: Any, *hints: int) -> tuple[Any, Facts]:
    facts = Facts()
    sizes = tuple(symbol(facts, f"s{k}", hint) for k, hint in enumerate(hints))
    form = form_for_sizes(facts, sizes, lambda *values: ("array", "f64", function(*values), (1,)))
    assert form is not None
    return form[2], facts


def texts(shape: Any) -> list[str]:
    return [each.text if isinstance(each, Size) else str(each) for each in shape]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda n: (n,), ["s0"]),
        (lambda n: (2 * n - 1, 3), ["2*s0 - 1", "3"]),
        (lambda n: (n // 2 + 1,), ["(s0 // 2) + 1"]),
        (lambda n: (n * n, n * (n - 1)), ["s0*s0", "s0*s0 - 1*s0"]),
    ],
)
def test_sums_of_one_size(function: Any, text: list[str]) -> None:
    for hint in (2, 9, 1000, 2**30):
        shape, facts = found(function, hint)
        assert texts(shape) == text
        assert not facts.are_all_known


def test_sums_of_several() -> None:
    assert texts(found(lambda n, m: (n + m - 1, n * m), 9, 900)[0]) == ["s0 + s1 - 1", "s0*s1"]
    assert texts(found(lambda n, m, k: (n * k, m), 9, 9, 9)[0]) == ["s0*s2", "s1"]


def test_those_that_must_be_equal_are_relied_on_to_be() -> None:
    def same(n: int, m: int) -> tuple[int, ...]:
        if n != m:
            raise ValueError
        return (n + 1,)

    shape, facts = found(same, 9, 9)
    assert texts(shape) == ["s0 + 1"]
    assert facts.broken((8, 9)) and not facts.broken((8, 8))


def test_what_no_sum_gives_is_relied_on() -> None:
    for function in (lambda n: (n**3,), lambda n: (n // 3,)):
        shape, facts = found(function, 30)
        assert facts.are_all_known
        assert shape == function(30)


def test_the_smaller_one_is_found_for_one_order() -> None:
    shape, facts = found(lambda n, m: (min(n, m), max(n, m)), 30, 20)
    assert texts(shape) == ["s1", "s0"]
    assert facts.broken((3, 4)) and not facts.broken((4, 4))


def test_only_sizes_that_hold_what_was_relied_on_are_tried() -> None:
    tried = []
    facts = Facts()
    size = symbol(facts, "n", 50)
    assert size > 40
    form_for_sizes(facts, (size,), lambda n: tried.append(n) or ("number", n))  # type: ignore[func-returns-value]
    assert min(tried) > 40
