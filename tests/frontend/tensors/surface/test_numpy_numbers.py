from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl


def outcome(function: Any, *args: Any) -> tuple[Any, ...]:
    """The dtype and the elements of a result, or the error."""
    try:
        made = function(*args)
    except Exception as error:
        return type(error), str(error)
    return made.dtype, made.tolist(), type(made)


def mixed(x: Any, k: Any) -> Any:
    return gl.clamp(gl.where(k - x > x, x * k, k + x), max=k)


KINDS = (np.float64, np.float32, np.float16, np.int64, np.int32, np.uint8, np.bool_)


@pytest.mark.parametrize("dtype", [gl.float32, gl.float64, gl.int64, gl.uint8, gl.bfloat16])
def test_a_scalar_is_the_number_that_it_holds(dtype: Any) -> None:
    jitted = gl.jit(mixed, backend="reference")
    x = gl.tensor([1, 0, 1, 5]).to(dtype)
    with gl.config.patch(recompile_limit=20), np.errstate(all="ignore"):
        for kind in KINDS:
            for value in (2, 300, 0):
                number = np.asarray(value).astype(kind)[()]
                assert outcome(jitted, x, number) == outcome(mixed, x, number), (kind, value)
    if dtype.is_float:
        assert gl.explain(jitted).breaks == () and gl.explain(jitted).compiles >= len(KINDS) - 1


def test_what_numpy_makes_of_sizes_and_arguments_is_a_number_of_the_graph() -> None:
    @gl.jit(fullgraph=True)
    def scores(q: gl.Tensor, share: Any) -> Any:
        mixed = share * q + (1 - share) * q.flip(0)
        return mixed @ q.T / np.sqrt(q.shape[-1]) * np.float32(2) + np.log(share)

    q = gl.arange(6.0).reshape(2, 3)
    for share in (np.float64(0.25), np.float64(0.5)):
        assert gl.allclose(scores(q, share), scores.__wrapped__(q, share))
    assert gl.explain(scores).compiles == 1  # another number is another input


def test_where_a_number_must_be_known_it_is_guarded_or_left_to_python() -> None:
    @gl.jit(fullgraph=True)
    def part(x: gl.Tensor, k: Any) -> Any:
        made = x.clone()
        made[k] = 7.0
        return made[k:], gl.full((k,), 1.0)

    x = gl.arange(4.0)
    for k in (np.int64(1), np.int64(2), np.int64(1)):
        for mine, expected in zip(part(x, k), part.__wrapped__(x, k), strict=True):
            assert mine.tolist() == expected.tolist()

    after = gl.jit(lambda x, k: x[k + 1 :])
    assert after(x, np.int64(1)).tolist() == [2.0, 3.0] and after(x, np.int64(2)).tolist() == [3.0]
    assert gl.explain(after).breaks == ()
    divided = gl.jit(lambda x, k, n: x[k // n :])
    assert divided(x, np.int64(5), np.int64(2)).tolist() == [2.0, 3.0]
    assert [each.what for each in gl.explain(divided).breaks] == ["the value of an array is needed as a Python int"]
