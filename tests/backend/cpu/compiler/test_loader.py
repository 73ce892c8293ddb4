import ctypes
from dataclasses import replace

import pytest

from guardlift.backend.cpu.compiler.compiler import compile_source
from guardlift.backend.cpu.compiler.elf import undefined_symbols
from guardlift.backend.cpu.compiler.kernel_object import KernelObject, from_bytes, to_bytes
from guardlift.backend.cpu.compiler.loader import load
from guardlift.core.errors import KernelError

COSINE = (
    "def kernel(addresses, sizes, start, stop):\n"
    "    x = pointer_f64(addresses[0])\n"
    "    x[0] = cos_f64(x[0])\n"
    "    return 0\n"
)


@pytest.fixture(scope="module")
def cosine():
    return compile_source(COSINE)


def test_functions_of_the_math_library_are_found(cosine):
    assert cosine.undefined == ("cos",)
    value = ctypes.c_double(0.0)
    addresses = (ctypes.c_int64 * 1)(ctypes.addressof(value))
    native = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)(load(cosine).address)
    assert native(ctypes.addressof(addresses), None, 0, 1) == 0
    assert value.value == 1.0


def test_given_symbols_come_before_those_of_the_process(cosine):
    seen = []
    stand_in = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: seen.append(x) or 5.0)
    loaded = load(cosine, {"cos": ctypes.cast(stand_in, ctypes.c_void_p).value})
    value = ctypes.c_double(1e300)  # too large for the kernel's own cosine
    addresses = (ctypes.c_int64 * 1)(ctypes.addressof(value))
    ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)(loaded.address)(
        ctypes.addressof(addresses), None, 0, 1
    )
    assert (seen, value.value) == ([1e300], 5.0)


def test_a_symbol_found_nowhere_is_named_before_anything_is_linked(cosine):
    with pytest.raises(KernelError, match="needs no_such_function, which neither"):
        load(replace(cosine, undefined=("no_such_function",)))


def test_an_object_without_the_symbol_is_refused(cosine):
    with pytest.raises(KernelError, match="does not link"):
        load(replace(cosine, symbol="another_name"))


def test_the_same_object_loads_twice_side_by_side(cosine):
    assert load(cosine).address != load(cosine).address


def test_only_elf_objects_are_read():
    with pytest.raises(KernelError, match="expected 64-bit little-endian ELF"):
        undefined_symbols(b"\xcf\xfa\xed\xfe rest")


def test_a_kernel_object_survives_the_trip_through_bytes(cosine):
    assert from_bytes(to_bytes(cosine)) == cosine
    assert from_bytes(to_bytes(KernelObject(b"", "s", (), "é\n"))).source == "é\n"


def test_bytes_of_the_wrong_length_are_no_kernel_object(cosine):
    payload = to_bytes(cosine)
    for wrong in (payload[:-1], payload + b"\0", payload[:20], b""):
        with pytest.raises(ValueError, match="kernel"):
            from_bytes(wrong)
