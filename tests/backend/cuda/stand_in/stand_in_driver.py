"""The stand-in's library as its tests use it: arrays to the device and back, kernels from the body of a PTX entry."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from backend.cuda.stand_in.build import built, missing

Array = np.ndarray[Any, Any]
REGISTERS = (
    ".reg .pred %p<16>; .reg .b16 %h<32>; .reg .b32 %r<64>; .reg .b64 %d<64>; .reg .f32 %f<32>; .reg .f64 %g<32>;"
)


class DriverError(Exception):
    """A status other than zero; the first argument."""


class StandIn:
    """The library, with a context. Errors of all methods: DriverError."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(built() / "libcuda.so.1"))
        self.call("cuInit", ctypes.c_uint(0))
        context = self.made("cuDevicePrimaryCtxRetain", ctypes.c_int(0))
        self.call("cuCtxSetCurrent", context)
        self.library.stand_in_count.restype = ctypes.c_uint64

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self.library, name)(*arguments)
        if status:
            raise DriverError(status)

    def made(self, name: str, *arguments: Any, kind: type = ctypes.c_void_p) -> Any:
        """The value that a call puts where its first argument points."""
        found = kind()
        self.call(name, ctypes.byref(found), *arguments)
        return found

    def count(self, name: str) -> int:
        return int(self.library.stand_in_count(name.encode()))

    @contextmanager
    def options(self, **given: object) -> Iterator[None]:
        """Options for a while; then a context that was lost is found again."""
        for name, value in given.items():
            self.library.stand_in_set(name.encode(), str(value).encode())
        try:
            yield
        finally:
            for name in given:
                self.library.stand_in_set(name.encode(), b"")
            self.library.stand_in_recover()

    def kernel(self, body: str, parameters: int = 1, before: str = "", bound: str = "") -> Any:
        """A kernel whose parameters are 64 bits each, in %d0, %d1, ... from the beginning.   bound: its `.maxntid`."""
        names = [f"a{k}" for k in range(parameters)]
        loads = "".join(f"ld.param.b64 %d{k}, [{name}];\n" for k, name in enumerate(names))
        listed = ", ".join(f".param .b64 {name}" for name in names)
        entry = f".visible .entry k({listed})\n{bound}{{\n{REGISTERS}\n{loads}{body}\nret;\n}}"
        text = f".version 8.0\n.target sm_80\n.address_size 64\n{before}\n{entry}\n"
        module = self.made("cuModuleLoadData", ctypes.c_char_p(text.encode()))
        return self.made("cuModuleGetFunction", module, ctypes.c_char_p(b"k"))

    def launch(
        self, kernel: Any, *arguments: int, grid: int = 1, block: int = 1, stream: Any = None, shared: int = 0
    ) -> None:
        values = (ctypes.c_int64 * len(arguments))(*arguments)
        places = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(values) + 8 * k for k in range(len(arguments))))
        sizes = [ctypes.c_uint(size) for size in (grid, 1, 1, block, 1, 1)]
        self.call("cuLaunchKernel", kernel, *sizes, ctypes.c_uint(shared), stream, places, None)

    def wait(self) -> None:
        self.call("cuCtxSynchronize")

    def allocate(self, nbytes: int) -> int:
        return int(self.made("cuMemAlloc_v2", ctypes.c_size_t(nbytes), kind=ctypes.c_uint64).value)

    def put(self, array: Array) -> int:
        """The address of a copy."""
        address = self.allocate(max(array.nbytes, 1))
        source = ctypes.c_void_p(array.ctypes.data)
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), source, ctypes.c_size_t(array.nbytes))
        return address

    def get(self, address: int, like: Array) -> Array:
        found = np.zeros_like(like)
        target = ctypes.c_void_p(found.ctypes.data)
        self.call("cuMemcpyDtoH_v2", target, ctypes.c_uint64(address), ctypes.c_size_t(found.nbytes))
        return found

    def over(self, body: str, result: Array, *operands: Array, **sizes: int) -> Array:
        """The result of a kernel: %d0 is the address of it, %d1 ... are the operands', %d60 is the thread's number."""
        addresses = [self.put(array) for array in (result, *operands)]
        number = (
            "mov.u32 %r60, %tid.x; mov.u32 %r61, %ctaid.x; mov.u32 %r62, %ntid.x; mad.lo.u32 %r60, %r61, %r62, %r60;\n"
        )
        kernel = self.kernel(f"{number}cvt.u64.u32 %d60, %r60;\n{body}", len(addresses))
        self.launch(kernel, *addresses, **sizes)
        return self.get(addresses[0], result)


@cache
def stand_in() -> StandIn:
    """The one of this process."""
    return StandIn()


NO_COMPILER = missing()
