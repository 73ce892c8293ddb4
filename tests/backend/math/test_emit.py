"""The IR of scalar functions: branch-free where it must be, so that loops vectorise, and strict about dtypes."""

from __future__ import annotations

import llvmlite.binding as llvm
import numpy as np
import pytest
from llvmlite import ir

from guardlift.backend.math.declare import FLOATS, ScalarFunction
from guardlift.backend.math.emit import emit
from guardlift.backend.math.table import TABLE
from guardlift.backend.math.typed import LLVM_TYPES

ONE_BRANCH = {
    f"{name}_{code}" for code in FLOATS for name in ("sin", "cos", "tan", "fmod", "remainder", "floor_divide")
}
LOOPS = {name for name in TABLE if name.startswith("power_") and name[-3:] not in FLOATS}

# No vector instruction divides 64-bit integers.
SCALAR_ONLY = {f"{name}_{code}" for name in ("floor_divide", "remainder", "fmod") for code in ("i64", "u64")}

needs_avx2 = pytest.mark.skipif(
    not llvm.get_host_cpu_features().get("avx2"), reason="vectorising some of them pays from AVX2 on"
)


def ir_of(function: ScalarFunction) -> str:
    module = ir.Module()
    types = [LLVM_TYPES[code] for code in function.operands]
    result = ir.Function(module, ir.FunctionType(LLVM_TYPES[function.result], types), "f")
    builder = ir.IRBuilder(result.append_basic_block())
    builder.ret(emit(function, builder, result.args))
    return str(result)


@pytest.mark.parametrize("name", sorted(set(TABLE) - LOOPS - ONE_BRANCH))
def test_body_has_no_branch_and_no_call_but_of_an_instruction(name: str) -> None:
    text = ir_of(TABLE[name])
    assert " br " not in text
    assert all('@"llvm.' in line for line in text.splitlines() if "call" in line)


@needs_avx2
@pytest.mark.parametrize("name", sorted(set(TABLE) - LOOPS - SCALAR_ONLY))
def test_loop_over_a_function_is_vectorised(loop, name: str) -> None:
    text = loop(name).optimised
    assert "vector.body" in text or "@llvm.memcpy" in text  # a loop that only copies needs no vectors


@pytest.mark.parametrize("name", sorted(ONE_BRANCH))
def test_rare_operands_call_the_c_library_from_within_a_vectorised_loop(loop, name: str) -> None:
    assert "<" in loop(name).optimised and "guardlift_rare_" in loop(name).optimised
    code = name[-3:]
    rare = np.array([1.0, 1e30, np.inf, np.nan, -1e30, 0.5, 1e22, 3.0] * 5, np.float32 if code == "f32" else np.float64)
    operands = (rare, np.full_like(rare, 0.7))[: len(TABLE[name].operands)]
    with np.errstate(all="ignore"):
        expected = getattr(np, name[: -len("_f32")])(*operands)
    np.testing.assert_allclose(loop(name)(*operands), expected, rtol=1e-6 if code == "f32" else 1e-14)


def test_operands_of_two_dtypes_are_refused() -> None:
    mixed = ScalarFunction("mixed", mixed_body, "f32", ("f32", "f64"), "f32")
    with pytest.raises(TypeError, match="a scalar function meets f64 where f32 is due"):
        ir_of(mixed)


def test_a_statement_outside_the_subset_is_refused_with_its_line() -> None:
    looping = ScalarFunction("looping", looping_body, "f32", ("f32",), "f32")
    with pytest.raises(NotImplementedError, match="looping_body, line"):
        ir_of(looping)


def mixed_body(a, b):
    return a + b


def looping_body(a):
    while a < 1.0:
        a = a + a
    return a


def test_contraction_is_licensed_only_where_declared() -> None:
    assert "contract" in ir_of(TABLE["exp_f32"])
    for name in ("remainder_f64", "floor_divide_f32", "square_f64", "reciprocal_f32", "cast_f64_f32"):
        text = ir_of(TABLE[name])
        assert "contract" not in text and "reassoc" not in text
