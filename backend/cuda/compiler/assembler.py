"""PTX to a cubin, which every driver of the toolkit's generation or later loads, however new the PTX. Needs no GPU."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from ....core.config import config
from ....core.errors import KernelError
from .toolkit import ToolkitFile, found_in

PTX_INPUT = 2
"""NVJITLINK_INPUT_PTX."""
LIBRARY = ToolkitFile(
    ("libnvJitLink.so.13", "libnvJitLink.so.12", "nvJitLink_130_0.dll", "nvJitLink_120_0.dll"),
    ("cu13/lib", "nvjitlink/lib", "cu13/bin/x86_64", "nvjitlink/bin"),
    ("lib64", "bin/x64"),
)


def assemble(ptx: str, capability: tuple[int, int]) -> bytes | None:
    """The cubin for a GPU of this compute capability; None where there is nothing to make one with.

    It is made by the `ptxas` that the setting of this name says, else by nvJitLink, else by a `ptxas` on the PATH.
    Errors: KernelError when it is refused, with the assembler's words.
    """
    if config.ptxas:
        return _by_ptxas(config.ptxas, ptx, capability)
    library = _jit_link()
    if library is not None:
        return _by_jit_link(library, ptx, capability)
    found = shutil.which("ptxas")
    return None if found is None else _by_ptxas(found, ptx, capability)


def _by_ptxas(program: str, ptx: str, capability: tuple[int, int]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "kernel.cubin"
        command = [program, f"-arch={_arch(capability)}", "-o", str(made), "-"]
        try:
            done = subprocess.run(command, input=ptx.encode(), capture_output=True)
        except OSError as error:
            raise KernelError(f"{program} cannot be run: {error}; gl.config.ptxas names the assembler") from error
        if done.returncode:
            raise KernelError(f"{program} refused a kernel: {done.stderr.decode(errors='replace').strip()}")
        return made.read_bytes()


@cache
def _jit_link() -> Any:
    """The library nvJitLink, of the packages that bring the toolkit or of the system; None where there is none."""
    for place in (*map(str, found_in(LIBRARY)), *LIBRARY.names):
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    return None


def _by_jit_link(library: Any, ptx: str, capability: tuple[int, int]) -> bytes:
    handle, option = ctypes.c_void_p(), f"-arch={_arch(capability)}".encode()
    options = (ctypes.c_char_p * 1)(option)
    status = library.nvJitLinkCreate(ctypes.byref(handle), ctypes.c_uint32(1), options)
    if status:
        raise KernelError(f"nvJitLink knows no GPU of compute capability {capability}: error {status}")
    try:
        text = ptx.encode().rstrip(b"\0")
        kind, size, name = ctypes.c_int(PTX_INPUT), ctypes.c_size_t(len(text)), ctypes.c_char_p(b"kernel.ptx")
        status = library.nvJitLinkAddData(handle, kind, ctypes.c_char_p(text), size, name)
        status = status or library.nvJitLinkComplete(handle)
        if status:
            words = _gathered(library.nvJitLinkGetErrorLogSize, library.nvJitLinkGetErrorLog, handle)
            raise KernelError(f"nvJitLink refused a kernel, error {status}: {words.decode(errors='replace').strip()}")
        return _gathered(library.nvJitLinkGetLinkedCubinSize, library.nvJitLinkGetLinkedCubin, handle)
    finally:
        library.nvJitLinkDestroy(ctypes.byref(handle))


def _gathered(size_of: Any, get: Any, handle: ctypes.c_void_p) -> bytes:
    """The bytes that one function of nvJitLink counts and another one gives; none where either fails."""
    size = ctypes.c_size_t()
    if size_of(handle, ctypes.byref(size)) or not size.value:
        return b""
    data = ctypes.create_string_buffer(size.value)
    return b"" if get(handle, data) else data.raw


def _arch(capability: tuple[int, int]) -> str:
    return f"sm_{capability[0]}{capability[1]}"
