"""The two readers of a body agree: CPython on NumPy scalars, and native code."""

from __future__ import annotations

import numpy as np
import pytest

from guardlift.backend.math.declare import CODES, FLOATS, SCALAR_TYPES, ScalarFunction, declare
from guardlift.backend.math.table import TABLE
from guardlift.ops.exact import fused_multiply_add

NUMBERS = [0.0, -0.0, 1.0, -1.0, 2.5, -7.25, 100.0, 0.001, 1e-30, 1e30]


def sample(code: str) -> np.ndarray:
    if code == "b1":
        return np.array([False, True])
    if code in FLOATS:
        return np.array([*NUMBERS, np.inf, -np.inf, np.nan], SCALAR_TYPES[code])
    info = np.iinfo(SCALAR_TYPES[code])
    return np.array([0, 1, 2, 7, 100, info.min, info.max, info.max // 3], SCALAR_TYPES[code])


def ordinal(x: np.ndarray) -> np.ndarray:
    """The place of each float among all floats, so that differences count the floats between."""
    bits = x.view(np.dtype(x.dtype.str.replace("f", "i"))).astype(object)
    return np.where(bits < 0, -(bits + 2 ** (8 * x.itemsize - 1)), bits)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", TABLE)
def test_native_code_gives_what_cpython_gives(loop, name: str) -> None:
    function = TABLE[name]
    grids = np.meshgrid(*[sample(code) for code in function.operands])
    operands = [grid.ravel() for grid in grids]
    if name.startswith("power_") and name[-3:] not in FLOATS:
        kept = operands[1] >= 0
        operands = [operand[kept] for operand in operands]
    found = loop(name)(*operands)
    if name in FUSED:
        once = np.array([fused_multiply_add(*each) for each in zip(*operands)], found.dtype)
        twice = operands[0] * operands[1] + operands[2]
        assert (np.isclose(found, once, rtol=0, atol=0, equal_nan=True) | (found == twice)).all()
        return
    expected = np.array([function(*scalars) for scalars in zip(*operands)], SCALAR_TYPES[function.result])
    if function.result not in FLOATS:
        np.testing.assert_array_equal(found, expected)
        return
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    known = ~np.isnan(found)
    # Fused or not, a polynomial differs in its last bits; everything else must not.
    apart = 4 if name.split("_f")[0] in TRANSCENDENTAL else 0
    assert max(abs(ordinal(found[known]) - ordinal(expected[known])), default=0) <= apart


FUSED = ("multiplied_add_f32", "multiplied_add_f64")
"""Scalar functions that are rounded once or twice, as the processor has it."""
TRANSCENDENTAL = (
    "arccos arcsin arctan arctan2 cbrt cos cosh erf exp exp2 expm1 hypot log log10 log1p log2 power sigmoid sin sinh "
    "tan tanh"
).split()


def test_every_dtype_has_a_code() -> None:
    assert set(CODES) == set(SCALAR_TYPES.values())


def test_a_name_is_declared_once() -> None:
    function = TABLE["exp_f32"]
    with pytest.raises(ValueError, match="exp_f32 is declared twice"):
        declare(ScalarFunction("exp_f32", function.body, "f32", ("f32",), "f32"))


def test_a_constant_by_dtype_is_looked_up_at_the_dtype_of_the_instance() -> None:
    assert TABLE["exp_f32"](np.float32(88.0)) < np.inf
    assert TABLE["exp_f32"](np.float32(89.0)) == np.inf
    assert TABLE["exp_f64"](np.float64(89.0)) < np.inf
