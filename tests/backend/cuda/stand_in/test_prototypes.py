"""The stand-in's functions take what those of cuda.h take."""

import ctypes

import pytest
from backend.cuda.stand_in.build import HERE, built
from backend.cuda.stand_in.prototypes import check_calls, header, of_the_header, preprocessed, prototypes
from backend.cuda.stand_in.stand_in_driver import NO_COMPILER

pytestmark = [
    pytest.mark.skipif(bool(NO_COMPILER), reason=f"there is no {NO_COMPILER} here"),
    pytest.mark.skipif(header() is None, reason="there is no cuda.h here"),
]


def test_sizes_are_read_off_declarations():
    text = """typedef unsigned long long CUdeviceptr_v2; typedef CUdeviceptr_v2 CUdeviceptr; typedef int CUdevice;
typedef enum A_enum { X = 1, Y } A; typedef struct S_st *CUstream; typedef void ( *CUhostFn)(void *data);
CUresult cuOne(CUdeviceptr p, size_t n, CUstream s, A a, const void *q, CUhostFn f, unsigned int flags, CUdevice d);
CUresult cuTwo(void); CUresult cuThree(unsigned char c, unsigned short s, float f, unsigned long long x, int *n);
int cuFour(void (*function)(void *), unsigned n);"""
    assert prototypes(text) == {
        "cuOne": (8, 8, 8, 4, 8, 8, 4, 4),
        "cuTwo": (),
        "cuThree": (1, 2, 4, 8, 8),
        "cuFour": (8, 4),
    }


def test_all_functions_are_those_of_the_header():
    source = "".join(f'#include "{path}"\n' for path in sorted((HERE / "driver").glob("*.cpp")))
    own = prototypes(preprocessed(f'#define TRANSLATOR ""\n#define KERNELS ""\n#define PYTHON ""\n{source}'))
    theirs = of_the_header()
    assert len(own) > 80
    assert {name: sizes for name, sizes in own.items() if theirs.get(name, sizes) != sizes} == {}
    assert set(own) - set(theirs) <= {"cuEventElapsedTime"}  # which the header calls _v2 from 13.0 on


def test_a_call_with_arguments_of_other_sizes_is_an_error():
    library = ctypes.CDLL(str(built() / "libcuda.so.1"))
    check_calls(library)
    address = ctypes.c_uint64()
    assert library.cuInit(ctypes.c_uint(0)) == 0
    library.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(64))
    place = ctypes.byref(address)
    for wrong in ((ctypes.c_int(3), ctypes.c_size_t(64)), (place, ctypes.c_uint(64)), (place, 64), (place,)):
        with pytest.raises((ctypes.ArgumentError, TypeError)):
            library.cuMemAlloc_v2(*wrong)
