"""Kernel object to callable address: linked here, or by LLVM where that is not enough; never through numba."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import Any

from ....core.errors import KernelError
from ....core.records import dataclass
from .kernel_object import KernelObject
from .object_linker import linked

NO_SYMBOLS: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class LoadedKernel:
    """A C function in this process: `int64 f(int64 *addresses, int64 *sizes, int64 start, int64 stop)`."""

    address: int
    symbol: str
    source: str
    nbytes: int = 0
    """Size of the object that it was loaded from."""


def load(kernel: KernelObject, symbols: Mapping[str, int] = NO_SYMBOLS) -> LoadedKernel:
    """The kernel linked into this process, where it stays until the process ends.

    `symbols` are addresses that come before those of the C library. Each kernel gets a library of its own: two
    objects compiled by two processes may define the same inner names.
    Errors: KernelError when a symbol is found nowhere, or the linker refuses the object.
    """
    found = _resolved(kernel, symbols)
    address = linked(kernel.code, kernel.symbol, found)
    if address is None:
        address = _linked_by_llvm(kernel, found)
    return LoadedKernel(address, kernel.symbol, kernel.source, len(kernel.code))


def _linked_by_llvm(kernel: KernelObject, symbols: Mapping[str, int]) -> int:
    from llvmlite.binding.orcjit import JITLibraryBuilder

    builder = JITLibraryBuilder()
    builder.add_object_img(kernel.code)
    builder.export_symbol(kernel.symbol)
    for name, address in symbols.items():
        builder.import_symbol(name, address)
    try:
        library = builder.link(_linker(), f"{kernel.symbol}.{next(_library_numbers)}")
    except RuntimeError as error:
        raise KernelError(f"the object of {kernel.symbol} does not link: {error}") from error
    library.detach()  # else the code is unloaded when this object dies, at exit perhaps after its linker
    return library[kernel.symbol]  # type: ignore[no-any-return]


_library_numbers = count()


def _resolved(kernel: KernelObject, symbols: Mapping[str, int]) -> dict[str, int]:
    found = {name: symbols.get(name) or _process_symbol(name) for name in kernel.undefined}
    missing = sorted(name for name, address in found.items() if not address)
    if missing:
        raise KernelError(
            f"{kernel.symbol} needs {', '.join(missing)}, which neither the C library nor the math library has"
        )
    return {name: address for name, address in found.items() if address}


@cache
def _process_symbol(name: str) -> int | None:
    """Address of a C symbol: in the process first, then in the math library and the compiler's support library."""
    if name == "_GLOBAL_OFFSET_TABLE_":
        return None
    for library in _libraries():
        try:
            return ctypes.cast(library[name], ctypes.c_void_p).value
        except AttributeError:
            continue
    return None


@cache
def _libraries() -> tuple[ctypes.CDLL, ...]:
    names = (None, "libm.so.6", "libgcc_s.so.1")  # elsewhere than on Linux the first one has it all
    libraries = []
    for name in names:
        try:
            libraries.append(ctypes.CDLL(name))
        except OSError:  # a system without that library; a symbol that needs it is reported as missing
            continue
    return tuple(libraries)


@cache
def _linker() -> Any:
    import llvmlite.binding as llvm
    from llvmlite.binding.orcjit import create_lljit_compiler

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3, reloc="pic", codemodel="small")
    linker = create_lljit_compiler(machine, use_jit_link=True)
    # Never disposed: a finalizer that runs while the interpreter exits may still call native code.
    linker._owned = True  # llvmlite's word for "somebody else disposes of it"
    return linker
