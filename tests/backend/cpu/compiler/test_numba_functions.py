"""Functions that kernel text sees: names and typing rules."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numba import njit, types
from numba.core.errors import TypingError

from guardlift.backend.cpu.compiler.numba_functions import numba_function
from guardlift.backend.llvm.intrinsic_names import intrinsics_named_in
from guardlift.backend.math.table import TABLE


def test_namespace_holds_every_declared_function() -> None:
    assert all(numba_function(name) is not None for name in TABLE)
    assert numba_function("exp_f32") is numba_function("exp_f32") and numba_function("no_such_f32") is None


def test_intrinsics_named_in_text_are_found_as_whole_words() -> None:
    found = intrinsics_named_in("y = exp_f32(x) + my_log_f64(x); z = floor_f64x(tanh_f64)", numba_function)
    assert set(found) == {"exp_f32", "tanh_f64"}
    assert found["exp_f32"] is numba_function("exp_f32")


def test_importing_the_declarations_does_not_import_numba() -> None:
    module = "guardlift.backend.cpu.compiler.text_functions"
    code = f"import sys, {module}\n{module}.native_function('exp_f32')\nassert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_integer_operands_of_any_width_wrap_to_the_declared_one() -> None:
    divide = numba_function("floor_divide_i8")
    compiled = njit(types.int8(types.int8, types.int8))(lambda a, b: divide(a + a, b))
    a, b = np.int8(100), np.int8(3)
    with np.errstate(over="ignore"):
        assert compiled(a, b) == (a + a) // b


@pytest.mark.parametrize("operand", [types.float64, types.int64, types.boolean])
def test_operand_of_another_kind_is_a_typing_error(operand: object) -> None:
    exp = numba_function("exp_f32")
    with pytest.raises(TypingError):
        njit(types.float32(operand))(lambda x: exp(x))


def test_bool_results_and_operands_are_numba_booleans() -> None:
    isnan, to_float = (numba_function(name) for name in ("isnan_f64", "cast_b1_f64"))
    compiled = njit(types.float64(types.float64))(lambda x: to_float(isnan(x)))
    assert compiled(np.nan) == 1.0 and compiled(2.0) == 0.0


def test_two_functions_with_rare_operands_share_a_kernel() -> None:
    sin, cos, fmod = (numba_function(f"{name}_f64") for name in ("sin", "cos", "fmod"))
    compiled = njit(types.float64(types.float64))(lambda x: sin(x) * sin(x) + cos(x) * cos(x) + fmod(x, 1e300))
    for x in (0.5, 1e22):
        assert compiled(x) == pytest.approx(1.0 + x, rel=1e-15)
