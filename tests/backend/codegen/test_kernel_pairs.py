"""Every way of making a value beside every way of using one: kernels give, bit by bit, what the reference gives."""

import itertools

import numpy as np
import pytest
from backend.graph_cases import check, run_native, strided
from backend.kernel_pairs import CONSUMERS, MOVERS, PRODUCERS, Case, arguments, graph_of
from backend.plain_runner import run_plain

from guardlift.core import dtypes

DTYPES = [dtypes.float64, dtypes.float32, dtypes.int64, dtypes.uint8, dtypes.bool_]
SHAPES = [(4, 5), (4, 5), (4, 5), (1, 5), (4, 1), (1, 1), (0, 5), (4, 0)]
PAIRS = list(itertools.product(PRODUCERS, CONSUMERS))


def compare(number, producer, consumer, *movers, runner=run_plain, shape=None, dtype=None):
    """One chain; `number` settles what is not given: dtype, shape, values, and how memory lies."""
    dtype = dtype or DTYPES[number % len(DTYPES)]
    products = [producer, *movers, consumer].count("product")
    if products > 1 and dtype.is_float:
        dtype = dtypes.float64  # three of them are exact there
    extremes = {"fold", "fold of many", "reduction"} & {producer, *movers} or consumer.startswith(
        ("max", "min", "red", "sev")
    )
    if extremes and "bits" in (producer, *movers) and dtype.is_float:
        dtype = dtypes.int64  # they make zeros of both signs
    shape = shape or SHAPES[number % len(SHAPES)]
    case = Case(shape, dtype)
    graph = graph_of(case, producer, consumer, *movers)
    rng = np.random.default_rng(number)
    arrays = [
        strided(each, (number // 7 + k) % 4) for k, each in enumerate(arguments(case, graph, rng, number % 3 > 0))
    ]
    if extremes and dtype.is_float:  # which of two zeros is the extreme depends, in NumPy, on where they lie
        for each in arrays:
            if each.dtype.kind == "f":
                each += 0
    try:
        exact = not (consumer.startswith("prod ") and dtype.is_float)
        check(graph, arrays, runner, fortran=number % 5 == 3, disjoint=number % 4 > 0, exact=exact)
    except Exception as error:
        error.add_note(f"{producer} -> {' -> '.join([*movers, consumer])}, number {number}, {dtype}{list(shape)}")
        raise


@pytest.mark.parametrize("producer", PRODUCERS)
def test_what_is_made_so_is_used_rightly_by_everybody(producer):
    for number, consumer in enumerate(CONSUMERS):
        for dtype in range(2):
            compare(8 * dtype + number * 13 + len(producer), producer, consumer)


def chain(number):
    """A random producer, up to three movers and a consumer."""
    rng = np.random.default_rng(number)
    movers = rng.choice(list(MOVERS), rng.integers(1, 4))
    return str(rng.choice(list(PRODUCERS))), str(rng.choice(list(CONSUMERS))), *map(str, movers)


@pytest.mark.parametrize("part", range(4))
def test_chains_of_three_and_more(part):
    for number in range(part * 30, part * 30 + 30):
        compare(number, *chain(number))


def test_pairs_through_native_code():
    """A few of them; all come with `make test-slow`."""
    for number in range(5, len(PAIRS), len(PAIRS) // 11):
        compare(number, *PAIRS[number], runner=run_native)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_many_chains(part):
    for number in range(1000 + part * 250, 1250 + part * 250):
        compare(number, *chain(number))


@pytest.mark.slow
@pytest.mark.parametrize("producer", PRODUCERS)
def test_all_pairs_through_native_code(producer):
    for number, consumer in enumerate(CONSUMERS):
        compare(number + len(producer), producer, consumer, runner=run_native, dtype=DTYPES[number % 5])
        if number % 3 == len(producer) % 3:  # rows and columns of more than one block
            wide = (3, 300) if number % 2 else (300, 3)
            compare(number, producer, consumer, runner=run_native, shape=wide, dtype=dtypes.float64)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_chains_through_native_code(part):
    for number in range(9000 + part * 30, 9030 + part * 30):
        compare(number, *chain(number), runner=run_native)
