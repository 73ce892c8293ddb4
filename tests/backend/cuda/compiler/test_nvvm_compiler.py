"""The LLVM IR of CUDA kernel text; needs no compiler of NVIDIA's but where it says so."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from llvmlite import ir

from guardlift.backend.cuda.compiler import nvvm, nvvm_compiler
from guardlift.backend.cuda.compiler.nvvm_compiler import GPU
from guardlift.backend.cuda.compiler.text_functions import native_function
from guardlift.backend.llvm.native_functions import NativeFunction
from guardlift.backend.llvm.text_emitter import emit_function
from guardlift.backend.llvm.values import PointerKind
from guardlift.core.errors import KernelError

W32 = ir.IntType(32)
needs_nvvm = pytest.mark.skipif(nvvm.library() is None, reason="there is no libNVVM here")

HALVES = NativeFunction(
    "halves_i64",
    ("i64",),
    ("i32", "i32"),
    lambda make, given: [make.trunc(given[0], W32), make.trunc(make.lshr(given[0], given[0].type(32)), W32)],
)
TOTAL = NativeFunction("total_i32", (("i32", "i32"),), "i32", lambda make, given: make.add(*given[0]))
FIRST = NativeFunction("first_f32", (PointerKind("f32", space=3),), "f32", lambda make, given: make.load(given[0]))
KNOWN = {each.name: each for each in (HALVES, TOTAL, FIRST)}


def ir_of(*lines, parameters=("a0", "s0", "extent")):
    """The LLVM IR of a kernel with these lines."""
    text = "\n    ".join([f"def kernel({', '.join(parameters)}):", *lines]) + "\n"
    find = lambda name: KNOWN.get(name) or native_function(name)
    return str(emit_function(text, ("i64",) * len(parameters), "kernel", "<cuda text>", find, GPU))


def test_memory_of_the_device_is_accessed_in_its_space_and_indexed_as_it_is():
    code = ir_of("p0 = pointer_f32(a0)", "p0[extent - 1] = p0[s0]")
    assert 'load float, float addrspace(1)* %"' in code and "store float %" in code
    assert "select" not in code  # a negative index is none that counts from the end


def test_arrays_lie_in_shared_memory_and_on_the_stack():
    code = ir_of(
        "tile = cuda.shared.array((16, 33), float32)",
        "row = cuda.local.array(4, int64)",
        "tile[cuda.threadIdx.y, s0] = float32(row[1])",
        "x = first_f32(tile)",
    )
    assert "= internal addrspace(3) global [528 x float] undef, align 16" in code
    assert "alloca [4 x i64], align 16" in code and "store float %" in code
    assert "mul nsw i64" in code and "33" in code


def test_a_function_gives_several_values_and_takes_a_tuple():
    code = ir_of("low, high = halves_i64(a0)", "pointer_i32(s0)[0] = total_i32((low, high))")
    assert "lshr i64" in code and "add i32" in code


def test_a_number_by_value_is_read_like_memory():
    code = ir_of("p0 = (f64_of_word(a0),)", "pointer_f64(s0)[0] = p0[0]")
    assert "bitcast i64 %" in code and code.count("inttoptr") == 1


def test_a_loop_whose_step_counts_threads_divides_nothing():
    lines = "p0 = pointer_f32(a0)", "for j in range(cuda.threadIdx.x, s0, cuda.blockDim.x):", "    p0[j] = float32(0.0)"
    assert "udiv" not in ir_of(*lines)
    assert "udiv" in ir_of("for j in range(s0, 0, -2):", "    pointer_i64(a0)[j] = j")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x = cuda.grid(2)", "along one axis"),
        ("x = cuda.threadIdx.w", "no Attribute"),
        ("x = cuda.shared.array(s0, float32)", "the extent s0 of an array is no number"),
        ("tile = cuda.shared.array((2, 2), float32)\n    x = tile[1]", "indexed by 1 numbers"),
        ("p0 = (f64_of_word(a0),)\n    x = p0[1]", "it has the element 0 alone"),
        ("x = exchanged_f32(s0, 1)", "an operand is i64 where f32 is due"),
        ("x, y, z = halves_i64(a0)", "3 names are given 2 values"),
        ("x = halves_i64(a0)", "no Call of this form as a value"),
        ("x = total_i32((int32(s0),))", "where a tuple of 2 is due"),
        ("x = first_f32(pointer_f32(a0))", "an operand is pointer to f32"),
        ("return s0", "no Return of this form"),
        ("raise ValueError", "no Raise of this form"),
    ],
)
def test_what_kernel_text_does_not_have_is_refused_with_its_line(line, reason):
    with pytest.raises(TypeError, match=f"line [23] of <cuda text>.*{reason}"):
        ir_of(line)


@needs_nvvm
def test_threads_compile_at_once_and_get_the_code_that_one_gets():
    text = "def kernel(a0, s0):\n    pointer_f32(a0)[s0] = exp_f32(float32({}.0)) + sqrt_f32(pointer_f32(a0)[1])\n"
    texts = [text.format(k) for k in range(12)]
    alone = [nvvm_compiler.compiled(each, "kernel", "<cuda text>", (9, 0)) for each in texts]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda each: nvvm_compiler.compiled(each, "kernel", "<cuda text>", (9, 0)), texts))
    assert made == alone and len({ptx for ptx, _ in made}) == 12 and all(count == 2 for _, count in made)


@needs_nvvm
def test_what_nvvm_refuses_is_told_in_its_words():
    with pytest.raises(KernelError, match=r"NVVM \(.*\) refuses a kernel: NVVM_ERROR"):
        nvvm.ptx_of(nvvm.library(), "this is no module", (9, 0))
    with pytest.raises(KernelError, match="compute_1"):
        nvvm_compiler.compiled("def kernel(a0):\n    pass\n", "kernel", "<cuda text>", (1, 0))


def test_a_library_that_cannot_be_loaded_is_passed_over(monkeypatch, tmp_path):
    broken = tmp_path / "libnvvm.so.4"
    broken.write_bytes(b"no library")
    monkeypatch.setattr(nvvm, "found_in", lambda part: [broken])
    assert nvvm.library.__wrapped__() is None
