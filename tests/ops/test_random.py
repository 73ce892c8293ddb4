"""Random bits against the published vectors; draws against each other, against native code and against their laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from backend.graph_cases import layout_for, run_native
from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.compile import compile_graph
from guardlift.backend.math.philox import five_rounds, philox
from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.passes import run_passes
from guardlift.ops import OPS, random
from guardlift.ops.random import PHILOX, RANDOM_INTEGERS, RANDOM_NORMAL, RANDOM_UNIFORM, blocks, words
from guardlift.ops.registry import OpDef

Array = np.ndarray[Any, Any]
ONES = 0xFFFFFFFF
# Counter, key and answer, from the file kat_vectors of Random123 (philox4x32, 10 rounds).
PUBLISHED = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES, ONES, ONES, ONES), (ONES, ONES), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
published = pytest.mark.parametrize(("counter", "key", "answer"), PUBLISHED)
Words = tuple[int, ...]


@published
def test_the_scalar_rounds_give_the_published_words(counter: Words, key: Words, answer: Words) -> None:
    whole = np.uint64(key[0] | key[1] << 32)
    with np.errstate(over="ignore"):  # sums wrap
        state = five_rounds(*map(np.uint64, counter), whole, 0)
        assert tuple(map(int, five_rounds(*state, whole, 5))) == answer


@published
def test_the_numpy_rounds_give_the_published_words(counter: Words, key: Words, answer: Words) -> None:
    even, odd = (np.array([[counter[k]], [counter[k + 2]]], np.uint64) for k in (0, 1))
    found = random._after_rounds(even, odd, np.array([[key[0]], [key[1]]], np.uint64))
    assert tuple(found[:, 0].tolist()) == answer


def test_the_op_and_the_scalar_function_give_the_first_published_block() -> None:
    places, zero = np.arange(4, dtype=np.uint64), np.uint64(0)
    assert tuple(PHILOX.eager(zero, zero, places).tolist()) == PUBLISHED[0][2]
    assert tuple(int(philox(zero, zero, place)) for place in places) == PUBLISHED[0][2]


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_the_op_and_the_scalar_function_agree(key: int, block: int, place: int) -> None:
    given = key, block, place
    found = PHILOX.eager(*(np.array(each, np.uint64) for each in given))
    assert found.dtype == np.uint32 and int(found) == int(philox(*map(np.uint64, given)))


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**62 - 1), st.integers(0, 30))
def test_words_are_those_of_the_op_from_the_offset_on(seed: int, offset: int, count: int) -> None:
    number = np.arange(count, dtype=np.uint64)
    expected = PHILOX.eager(np.full(count, seed, np.uint64), np.uint64(offset) + number // np.uint64(4), number)
    np.testing.assert_array_equal(words(seed, offset, count), expected)


def test_words_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = words(5, 7, 1000)
    monkeypatch.setattr(random, "CHUNK", 3)
    assert words(5, 7, 1000).tobytes() == expected.tobytes()
    assert words(5, 7 + 10, 960).tobytes() == expected[40:].tobytes()
    assert words(5, 2**62 - 1, 8)[4:].tobytes() == words(5, 0, 4).tobytes()


def draw(op: OpDef, count: int, dtype: dtypes.DType, seed: int = 3, offset: int = 0, **attrs: int) -> Array:
    return op.eager(np.array(seed), np.array(offset), shape=(count,), dtype=dtype, **attrs)


KINDS = [
    (RANDOM_UNIFORM, dtypes.float32, {}),
    (RANDOM_UNIFORM, dtypes.float64, {}),
    (RANDOM_NORMAL, dtypes.float32, {}),
    (RANDOM_NORMAL, dtypes.float64, {}),
    (RANDOM_INTEGERS, dtypes.int64, {"low": -5, "high": 1000}),
    (RANDOM_INTEGERS, dtypes.uint8, {"low": 0, "high": 256}),
    (RANDOM_INTEGERS, dtypes.int64, {"low": -(2**63), "high": 2**63}),
]
each_kind = pytest.mark.parametrize(("op", "dtype", "attrs"), KINDS, ids=lambda each: str(getattr(each, "name", each)))


@each_kind
def test_a_draw_is_the_next_one_after_as_many_blocks(op: OpDef, dtype: dtypes.DType, attrs: dict[str, int]) -> None:
    whole = draw(op, 40, dtype, **attrs)
    used = blocks(op, (12,), dtype)
    assert draw(op, 28, dtype, offset=used, **attrs).tobytes() == whole[12:].tobytes()
    assert draw(op, 13, dtype, **attrs).tobytes() == whole[:13].tobytes()


def distance(left: Array, right: Array) -> int:
    """The most floats between two of them."""

    def ordinal(x: Array) -> Array:
        bits = x.view(f"i{x.itemsize}").astype(object)
        return np.where(bits < 0, -(bits + 2 ** (8 * x.itemsize - 1)), bits)

    return int(max(abs(ordinal(left) - ordinal(right)), default=0))


@pytest.mark.parametrize("offset", [0, 2**62 - 7])
@each_kind
def test_native_code_gives_the_bits_of_numpy(
    op: OpDef, dtype: dtypes.DType, attrs: dict[str, int], offset: int
) -> None:
    builder = GraphBuilder()
    seed = builder.input(TensorType((), dtypes.int64), "seed")
    start = builder.input(TensorType((), dtypes.uint64), "offset")
    graph = run_passes(builder.finish([builder.add(op, seed, start, shape=(3, 700), dtype=dtype, **attrs)]))
    arguments = [np.array(-9), np.array(offset, np.uint64)]
    (found,) = run_native(compile_graph(graph, layout_for(graph, arguments)), arguments)
    expected = op.eager(*arguments, shape=(3, 700), dtype=dtype, **attrs)
    if op is RANDOM_NORMAL:
        # log, sqrt and cos of float64 within 2 ulp each, on both sides; float32 is rounded from that.
        assert distance(found.ravel(), expected.ravel()) <= (1 if dtype is dtypes.float32 else 5)
    else:
        assert found.tobytes() == expected.tobytes()


def test_uniforms_are_below_one_and_as_fine_as_said() -> None:
    single, double = draw(RANDOM_UNIFORM, 40_000, dtypes.float32), draw(RANDOM_UNIFORM, 40_000, dtypes.float64)
    for drawn, bits in ((single, 24), (double, 53)):
        assert drawn.min() >= 0 and drawn.max() < 1
        steps = drawn.astype(np.float64) * 2.0**bits
        assert (steps == np.trunc(steps)).all() and (steps % 2).mean() == pytest.approx(0.5, abs=0.02)
        assert drawn.mean() == pytest.approx(0.5, abs=0.01)
        counts = np.histogram(drawn, 64, (0, 1))[0]
        assert ((counts - 625) ** 2 / 625).sum() < 120  # chi-squared of 63 degrees: one in 10**5 is above


def test_the_ends_of_the_uniforms(monkeypatch: pytest.MonkeyPatch) -> None:
    for word, single, double in ((0, 0.0, 0.0), (ONES, 1 - 2.0**-24, 1 - 2.0**-53)):
        monkeypatch.setattr(random, "words", lambda seed, offset, count, word=word: np.full(count, word, np.uint32))
        assert draw(RANDOM_UNIFORM, 3, dtypes.float32).tolist() == [single] * 3
        assert draw(RANDOM_UNIFORM, 3, dtypes.float64).tolist() == [double] * 3
        normals = [draw(RANDOM_NORMAL, 4, dtype) for dtype in dtypes.FLOATS]
        assert all(np.isfinite(each).all() for each in normals)


def test_normals_have_the_moments_and_the_tails_of_normals() -> None:
    for dtype in dtypes.FLOATS:
        drawn = draw(RANDOM_NORMAL, 200_000, dtype).astype(np.float64)
        assert drawn.mean() == pytest.approx(0, abs=0.01)
        assert drawn.std() == pytest.approx(1, abs=0.01)
        assert (drawn**3).mean() == pytest.approx(0, abs=0.05)
        assert (drawn**4).mean() == pytest.approx(3, abs=0.1)
        edges = np.linspace(-3, 3, 25)
        law = [0.5 * math.erf(edge / math.sqrt(2)) for edge in edges]
        shares = np.histogram(drawn, edges)[0] / drawn.size
        np.testing.assert_allclose(shares, np.diff(law), atol=0.004)
        assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.01


def test_normals_are_near_the_formula_in_long_double() -> None:
    taken = words(11, 0, 2000).reshape(-1, 2).astype(np.longdouble)
    one, two = (taken[:, 0] + 1) * 2.0**-32, taken[:, 1] * 2.0**-32
    turn = 8 * np.arctan(np.longdouble(1))
    radius = np.sqrt(np.log(one) * -2)
    expected = np.stack([radius * np.cos(two * turn), radius * np.sin(two * turn)], axis=1).ravel()
    found = draw(RANDOM_NORMAL, 2000, dtypes.float32, seed=11)
    assert distance(found, expected.astype(np.float32)) <= 1


def test_integers_cover_their_range_evenly() -> None:
    drawn = draw(RANDOM_INTEGERS, 50_000, dtypes.int8, low=-3, high=4)
    assert drawn.dtype == np.int8 and sorted(set(drawn.tolist())) == [-3, -2, -1, 0, 1, 2, 3]
    counts = np.bincount(drawn.astype(np.int64) + 3)
    assert ((counts - 50_000 / 7) ** 2 / (50_000 / 7)).sum() < 35  # chi-squared of 6 degrees: one in 10**5 is above
    full = draw(RANDOM_INTEGERS, 1000, dtypes.int64, low=-(2**63), high=2**63)
    assert full.min() < -(2**62) and full.max() > 2**62


def test_seeds_and_offsets_give_other_numbers() -> None:
    drawn = [
        draw(RANDOM_UNIFORM, 8, dtypes.float64, seed=seed, offset=offset) for seed in (0, 1, -1) for offset in (0, 1)
    ]
    assert (
        len({value for each in drawn for value in each.tolist()}) == 3 * 10
    )  # the second draw shares six with the first


def test_blocks_count_what_a_draw_reads() -> None:
    single, double = dtypes.float32, dtypes.float64
    assert [blocks(RANDOM_UNIFORM, (n,), single) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert [blocks(RANDOM_NORMAL, (n,), double) for n in (0, 1, 2, 3)] == [0, 1, 1, 2]
    assert blocks(RANDOM_INTEGERS, (3,), dtypes.uint8) == 2
    assert blocks(RANDOM_UNIFORM, (), single) == 1 and blocks(RANDOM_NORMAL, (3, 0), double) == 0


@pytest.mark.parametrize(("low", "high"), [(5, 5), (5, 4), (-1, 3), (0, 257)])
def test_a_range_that_is_empty_or_does_not_fit_is_refused(low: int, high: int) -> None:
    seed = TensorType((), dtypes.int64)
    with pytest.raises(OpError, match="takes a range that is not empty and fits"):
        RANDOM_INTEGERS.meta(seed, seed, shape=(3,), dtype=dtypes.uint8, low=low, high=high)


def test_seeds_and_dtypes_of_another_kind_are_refused() -> None:
    seed, wide, single = (
        TensorType(shape, dtype) for shape, dtype in (((), dtypes.int64), ((2,), dtypes.int64), ((), dtypes.float32))
    )
    for wrong in (wide, single):
        with pytest.raises(OpError, match="64-bit integers without axes"):
            RANDOM_UNIFORM.meta(wrong, seed, shape=(3,), dtype=dtypes.float32)
    with pytest.raises(OpError, match="does not make int64"):
        RANDOM_UNIFORM.meta(seed, seed, shape=(3,), dtype=dtypes.int64)
    assert OPS["random_uniform"].vjp is None
