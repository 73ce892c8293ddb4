"""NVIDIA's compiler of LLVM IR, libNVVM, called by ctypes, which lets other threads run: a module in, PTX out."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

from ....core.errors import KernelError
from ....core.records import dataclass
from .toolkit import ToolkitFile, found_in

OPTIONS = ("-opt=3", "-fma=0", "-ftz=0", "-prec-div=1", "-prec-sqrt=1")
"""IEEE's arithmetic: no contraction but where the module allows it, division and square root rounded correctly,
subnormals kept."""
LIBRARY = ToolkitFile(
    ("libnvvm.so.4", "libnvvm.so", "nvvm64_40_0.dll"),
    ("cu13/lib", "cu13/nvvm/lib64", "cuda_nvcc/nvvm/lib64", "cu13/bin/x86_64", "cuda_nvcc/nvvm/bin"),
    ("nvvm/lib64", "nvvm/bin"),
)
LIBDEVICE = ToolkitFile(("libdevice.10.bc",), ("cu13/nvvm/libdevice", "cuda_nvcc/nvvm/libdevice"), ("nvvm/libdevice",))
OF_LIBDEVICE = "@__nv_", '@"__nv_'
"""The beginning of each name of a function of libdevice, in LLVM IR."""


@dataclass(frozen=True, slots=True, eq=False)
class Nvvm:
    """The library.   version: of its dialect of LLVM IR, and of that's notes for debuggers, major and minor each."""

    path: Path
    functions: Any
    version: tuple[int, int, int, int]


@cache
def library() -> Nvvm | None:
    """The library, of NVIDIA's packages, else of the toolkit; None where there is none that can be loaded."""
    for path in found_in(LIBRARY):
        try:
            functions = ctypes.CDLL(str(path))
        except OSError:
            continue
        numbers = [ctypes.c_int() for _ in range(4)]
        if functions.nvvmIRVersion(*map(ctypes.byref, numbers)) == 0:
            return Nvvm(path, functions, tuple(each.value for each in numbers))  # type: ignore[arg-type]
    return None


@cache
def _libdevice() -> bytes:
    path = next(iter(found_in(LIBDEVICE)), None)
    if path is None:
        raise KernelError(f"there is no {LIBDEVICE.names[0]} beside libNVVM; it is a part of the same package")
    return path.read_bytes()


def ptx_of(nvvm: Nvvm, module: str, capability: tuple[int, int]) -> str:
    """The PTX of a module for GPUs of this compute capability. Several threads may do this at once.

    Errors: KernelError where NVVM refuses it, with its words.
    """
    functions, program = nvvm.functions, ctypes.c_void_p()
    _check(nvvm, program, functions.nvvmCreateProgram(ctypes.byref(program)))
    try:
        text = module.encode()
        add = functions.nvvmAddModuleToProgram
        _check(nvvm, program, add(program, text, ctypes.c_size_t(len(text)), b"kernel"))
        if any(each in module for each in OF_LIBDEVICE):
            known = _libdevice()
            add = functions.nvvmLazyAddModuleToProgram  # of which only what is called is read
            _check(nvvm, program, add(program, known, ctypes.c_size_t(len(known)), b"libdevice"))
        options = [f"-arch=compute_{capability[0]}{capability[1]}".encode(), *(each.encode() for each in OPTIONS)]
        given = (ctypes.c_char_p * len(options))(*options)
        _check(nvvm, program, functions.nvvmCompileProgram(program, ctypes.c_int(len(options)), given))
        return _said(functions.nvvmGetCompiledResultSize, functions.nvvmGetCompiledResult, program)
    finally:
        functions.nvvmDestroyProgram(ctypes.byref(program))


def _check(nvvm: Nvvm, program: ctypes.c_void_p, status: int) -> None:
    if status == 0:
        return
    functions = nvvm.functions
    functions.nvvmGetErrorString.restype = ctypes.c_char_p
    name = functions.nvvmGetErrorString(ctypes.c_int(status)).decode(errors="replace")
    said = _said(functions.nvvmGetProgramLogSize, functions.nvvmGetProgramLog, program) if program else ""
    raise KernelError(f"NVVM ({nvvm.path}) refuses a kernel: {name} {said}".strip())


def _said(size_of: Any, get: Any, program: ctypes.c_void_p) -> str:
    """The text that one function of the library counts and another one gives; empty where either fails."""
    size = ctypes.c_size_t()
    if size_of(program, ctypes.byref(size)):
        return ""
    data = ctypes.create_string_buffer(max(size.value, 1))
    return "" if get(program, data) else data.value.decode(errors="replace")
