"""Views of another dtype: the same bytes for readers and writers on both sides, inside a call and after it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Array, check

import guardlift as gl

RNG = np.random.default_rng(7)
FLOATS = np.array([0.1, -1.5, 3e30, -0.0, np.inf, 1e-40, 7.0, -np.inf], np.float32)
WORDS = RNG.integers(-(2**31), 2**31, 8).astype(np.int32)
NUMBERS = {1: "i1 u1", 2: "i2 u2 f2", 4: "i4 u4 f4", 8: "i8 u8 f8 c8", 16: "c16"}


def inverse_square_root(x: Array) -> Any:
    half = np.float32(0.5) * x
    i = x.view(np.int32)
    i = np.int32(0x5F3759DF) - (i >> 1)
    y = i.view(np.float32)
    return y * (np.float32(1.5) - half * y * y)


def bits_set(x: Array) -> Any:
    word = x.view(np.uint32)
    count = np.zeros_like(word)
    for place in range(32):
        count += (word >> np.uint32(place)) & np.uint32(1)
    return count, count.sum()


def same_bits(x: Array, y: Array) -> Any:
    return x.view("i4") == y.view("i4"), (x.view("<u4") ^ y.view("=u4")).max()


def next_after(x: Array) -> Any:
    made = x.copy()
    made.view(np.int32)[...] += 1
    return made


def written_on_both_sides(x: Array) -> Any:
    v = x.view("u4")
    v[1] = 7
    x[0] = 1
    v[2:4] |= np.uint32(0x8000_0000)
    x *= 2
    return x + 0, v + 0, v[0]


def view_of_a_part(x: Array) -> Any:
    v = x[::-2].view(np.int32)[1:]
    v += 1
    x[5] = 9
    return v.sum(), x, np.where(v > 0, v, 0)


def views_of_views(x: Array) -> Any:
    v = x.reshape(2, 4).T.view("i4")
    w = v.view("u4")[1].view("f4")
    w[0] = 3
    back = v.view(np.float32)
    back[3] = 4
    return back, w, v, x


def returned(x: Array) -> Any:
    y = x + 1
    v = y.view(np.int32)
    v[0] = 0
    return v, v, v[1:], y, v.reshape(2, -1), v.view(), x.view(np.uint32)[::2], x.view(np.ndarray)


def returned_alone(x: Array) -> Any:
    return (x * 2).view(np.int32)


def sign_cleared(x: Array) -> Any:
    return (x.view("u4") & np.uint32(0x7FFF_FFFF)).view("f4")


def numbers(x: Array) -> Any:
    one = x[1]
    return one.view(np.int32), np.float32(one + 1).view("u4") >> 3, one.view(np.int32).view(np.float32)


def exponent(x: Array) -> Any:
    return ((x.view(np.int32) >> 23) & 0xFF) - 127


ONE: list[Callable[..., Any]] = [
    inverse_square_root,
    bits_set,
    next_after,
    written_on_both_sides,
    view_of_a_part,
    views_of_views,
    returned,
    returned_alone,
    sign_cleared,
    numbers,
    exponent,
]


@pytest.mark.parametrize("function", ONE, ids=lambda each: each.__name__)
def test_a_view_of_another_dtype_is_compiled_and_sees_the_same_bytes(function):
    check(function, FLOATS, expect="compiled")
    check(function, np.repeat(FLOATS, 2)[::2], expect="compiled")


def test_bit_patterns_are_compared():
    check(same_bits, FLOATS, FLOATS[::-1].copy(), expect="compiled")


def _operand(name: str, shape: tuple[int, ...]) -> Array:
    whole = RNG.integers(-100, 100, shape)
    return np.asarray(whole / 8 if name[0] in "fc" else whole).astype(name)


def test_each_dtype_is_seen_as_each_other_one_of_its_size():
    for names in NUMBERS.values():
        for one, other in itertools.product(names.split(), repeat=2):

            def seen(x: Array, one: str = one, other: str = other) -> Any:
                v = x.view(other)
                copy = v.copy()
                v[0] = 3
                x[1] = 2
                return copy, v, v.view(one)[-1]

            check(seen, _operand(one, (2, 3)), expect="compiled", backend="reference")
    for one, other in (("f4", "i4"), ("i8", "f8"), ("f2", "u2"), ("u1", "i1"), ("u2", "f2"), ("f8", "c8")):
        check(lambda x, other=other: (x.view(other).copy(), x.view(other)), _operand(one, (2, 4)), expect="compiled")


@pytest.mark.slow
def test_elements_of_other_sizes_lie_along_the_last_axis():
    names = [name for names in NUMBERS.values() for name in names.split()]
    for one, other in itertools.product(names, repeat=2):
        if np.dtype(one).itemsize == np.dtype(other).itemsize:
            continue

        def seen(x: Array, other: str = other) -> Any:
            v = x.view(other)
            copy = v.copy()
            v[..., 0] = 1
            x[1, -1] = 2
            return copy, v

        check(seen, _operand(one, (2, 16)), expect="compiled", backend="reference")
    for one, other in (("f8", "i4"), ("f4", "u1"), ("u1", "f8"), ("c16", "f8"), ("f4", "c8"), ("i2", "i8")):
        check(lambda x, other=other: (x.view(other).copy(), x.view(other)), _operand(one, (2, 16)), expect="compiled")


def test_parts_of_wider_elements_are_written():
    def halves(x: Array) -> Any:
        low = x.view("u4")[::2]
        low[...] = 0
        low[1] += 5
        return x, x.view("u4")

    check(halves, np.linspace(1.1, 9.7, 6), expect="compiled")


def test_empty_arrays_and_arrays_without_axes_are_seen_so():
    check(lambda x: (x.view("i4").copy(), x.view("f8").copy()), np.zeros((3, 0), "f4"), expect="compiled")
    check(lambda x: (x.view("i4"), x.view("u4") + 1), np.array(2.5, "f4"), expect="compiled")


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.view("f8"),
        lambda x: x[:, ::2].view("f2"),
        lambda x: x.T.view("i8"),
        lambda x: x.view("u3"),
        lambda x: x.view("O"),
        lambda x: x.view("S4"),
        lambda x: x.view(">i4"),
        lambda x: x.view("i4,i4")["f0"],
        lambda x: x.view(dtype="i4", type=np.ndarray),
        lambda x: x.view(None),
    ],
)
def test_what_numpy_refuses_or_kernels_do_not_know_is_left_to_python(function):
    check(function, np.arange(10, dtype="f4").reshape(2, 5), expect="broken")


def test_a_read_only_array_is_not_written_through_a_view():
    x = FLOATS.copy()
    x.flags.writeable = False
    check(lambda x: (x.view("i4") + 1, x.view("u4")), x, expect="compiled")

    def write(x: Array) -> None:
        x.view("i4")[0] = 1

    check(write, x, expect="broken")


def test_bools_are_bytes_and_bytes_are_bools():
    def counted(x: Array) -> Any:
        mask = x > 1
        m = mask.view(np.uint8)
        return m + m, m.sum(dtype=np.int64), mask.view("i1") - 1, mask.view("u1")

    def turned(x: Array) -> Any:
        m = (x > 1).view(np.uint8)
        other = (m ^ np.uint8(1)).view(bool)
        return other, other.copy(), np.where(other, x, 0), (m & np.uint8(1)).view(np.bool_).copy()

    def seen(x: Array, bytes_: Array) -> Any:
        mask = bytes_.view(bool)
        return np.where(mask, x, 0), ~mask, mask.sum(), mask, mask.view(np.uint8), mask & (x > 1)

    check(counted, FLOATS, expect="compiled")
    check(turned, FLOATS, expect="compiled")
    check(seen, FLOATS, np.array([0, 1, 2, 255, 0, 128, 1, 3], np.uint8), expect="compiled")


@pytest.mark.parametrize(
    "function",
    [
        lambda b: b.view(bool).copy(),
        lambda b: np.where(b > 2, b.view(bool), False).view("u1"),
        lambda b: np.concatenate([b.view(bool), b > 1]),
        lambda b: b.view(bool)[::-1].copy().reshape(2, 2).view("i1") + 0,
        lambda b: b.view(bool).view("u1")[1:] + b.view(bool)[1:].copy().view("u1"),
    ],
)
def test_a_copy_of_bools_keeps_the_bytes_that_python_keeps(function):
    def bytes_of(b: Array) -> Any:
        return function(b)

    b = np.array([0, 1, 2, 255], np.uint8)
    jitted = gl.jit(bytes_of)
    for _ in range(2):
        assert jitted(b.copy()).tobytes() == bytes_of(b.copy()).tobytes()
    assert "B106" in [each.code for each in gl.explain(jitted).breaks]
    with pytest.raises(gl.Unsupported, match=r"the bytes of bools.*compare with 0"):
        gl.jit(fullgraph=True)(bytes_of)(b)


def test_writes_through_a_view_of_bools_are_left_to_python():
    def write(b: Array) -> Any:
        b.view(bool)[1:] = True
        return b

    def count(mask: Array) -> Any:
        mask.view("u1")[0] = 2
        return mask.view("u1").sum()

    check(write, np.array([0, 1, 2, 255], np.uint8), expect="broken")

    check(count, np.array([True, False]), expect="broken")


def test_bools_from_outside_are_seen_as_bytes_as_long_as_these_are_0_and_1():
    def seen(mask: Array) -> Any:
        part = mask[::-1].view("u1")
        mask[0] = True
        return mask.view("u1").sum(), part + part, np.where(mask, 1, 0), mask.view(np.int8)

    check(seen, np.array([False, True, True]), expect="compiled")
    check(seen, np.zeros((0,), bool), expect="broken")
    check(seen, np.array([0, 2, 1, 255], np.uint8).view(bool), expect="broken")
    jitted = gl.jit(seen)
    for numbers in ([0, 1, 1, 0], [1, 1, 0, 0], [0, 2, 1, 255], [0, 1, 0, 1], [3, 3, 3, 3], [0, 0, 0, 0]):
        mine, other = (np.array(numbers, np.uint8).view(bool) for _ in range(2))
        for found, wanted in zip(jitted(mine), seen(other), strict=True):
            assert found.tobytes() == wanted.tobytes() and found.dtype == wanted.dtype
        assert mine.tobytes() == other.tobytes()
    assert "each byte of mask is 0 or 1" in str(gl.explain(jitted))


def test_a_view_serves_arrays_of_all_sizes():
    @gl.jit(dynamic=True)
    def f(x: Array) -> Any:
        v = x.view(np.int32)
        v[0] = 5
        return (v >> 1).view(np.float32), v, x + 1

    for size in (3, 4, 9, 17):
        x = np.linspace(1, 2, size).astype(np.float32)
        mine = x.copy()
        halved, v, more = f(x)
        mine.view(np.int32)[0] = 5
        assert x.tobytes() == mine.tobytes() == v.tobytes() and np.shares_memory(v, x)
        assert halved.tobytes() == (mine.view(np.int32) >> 1).tobytes() and np.array_equal(more, mine + 1)
    assert not gl.explain(f).breaks


def test_views_are_read_in_loops():
    def hashed(x: Array) -> Any:
        word = x.view(np.uint32)
        total = np.uint32(17)
        for k in range(len(x)):
            total = total * np.uint32(31) + (word[k] >> np.uint32(3))
        return total

    check(hashed, RNG.normal(size=600).astype(np.float32))

    def numbers_in_a_loop(x: Array) -> Any:
        out = np.empty_like(x)
        for k in range(len(x)):
            out[k] = (np.int32(0x5F3759DF) - (x[k].view(np.int32) >> 1)).view(np.float32)
        return out

    check(numbers_in_a_loop, np.abs(RNG.normal(size=600)).astype(np.float32))


def test_a_view_outlives_a_graph_break():
    def broken(x: Array) -> Any:
        v = x.view("i4")
        y = (x * 2).view("u4")
        print(end="")
        v[0] = 1
        y[1:] = 7
        return x * 2, y.view("f4"), v

    check(broken, FLOATS)


def test_the_bits_of_a_nan_that_are_written_out_are_kept():
    def marked(x: Array) -> Any:
        nan = np.full(3, 0x7FC0_0123, np.int32).view(np.float32)
        return nan.view(np.int32) + x, nan

    (count, nan), (expected, plain) = gl.jit(marked)(np.arange(3, dtype="i4")), marked(np.arange(3, dtype="i4"))
    assert count.tobytes() == expected.tobytes() and nan.tobytes() == plain.tobytes()


def test_a_view_there_and_back_is_another_array_over_the_same_memory():
    def both(x: Array) -> Any:
        made = ~x
        back = made.view("u" + str(made.itemsize)).view(made.dtype)
        part = made[1:].view("u" + str(made.itemsize)).view(made.dtype)
        back[0] = 3
        return made, back, part, back is made

    for dtype in ("i1", "i8"):
        check(both, np.arange(6).reshape(2, 3).astype(dtype))
