"""The code of kernels for a GPU, from disk where it was made before: then neither llvmlite nor NVVM is needed."""

# Note [Cubins]
# PTX is for a driver to compile, and a driver refuses PTX of a toolkit newer than itself. A cubin is machine code: all
# drivers of its toolkit's generation take it, and load it at once. So PTX becomes a cubin as soon as it is made, and
# the cubin is kept beside the CPU's kernels, by the kernel's text, the GPU's compute capability, and the sources here
# that make code of text. The file names the versions of the compiler that made it: a process that has another compiler
# makes the code anew, and one that has none takes it as it is. Where there is nothing to assemble with, the PTX is
# kept, and assembled once there is.

from __future__ import annotations

import threading
import warnings
from collections.abc import Collection
from dataclasses import field
from functools import cache
from hashlib import blake2b
from pathlib import Path

from ....core.config import config
from ....core.records import dataclass
from ....core.threads import usable_cores
from ...disk_cache.installation import add_sources
from ...disk_cache.kernel_store import KernelStore, content_key
from .assembler import assemble
from .compiler import compile_text, compiler_versions, entry_of

CODE_FOLDERS = tuple(Path(__file__).parents[2] / name for name in ("cuda", "math", "llvm"))
"""The places of the modules that turn kernel text into a GPU's code."""
SUFFIX, MAGIC = ".cubin", b"GLIFTGPU"
_CUBIN, _PTX = "cubin", "ptx"


@dataclass(frozen=True, slots=True)
class DeviceImage:
    """The code that the driver loads, a cubin or PTX, and the name of the kernel in it.

    maker: the compiler with its versions.   was_kept: whether it comes from disk."""

    image: bytes
    entry: str
    maker: str = ""
    was_kept: bool = False


@dataclass(slots=True)
class CodeCounters:
    """Counts of the kernels whose code this process found on disk, compiled to PTX, and assembled."""

    found: int = field(default=0, init=False)
    compiled: int = field(default=0, init=False)
    assembled: int = field(default=0, init=False)


counters = CodeCounters()
_COUNTING = threading.Lock()


def device_image(text: str, capability: tuple[int, int], *, anew: bool = False) -> DeviceImage:
    """The code of a kernel's text, whose parameters are int64, for a GPU of this compute capability.

    anew: whatever lies on disk is not taken.
    Errors: KernelError when it is on no disk, and the compiler is missing or does not compile it.
    Warns: RuntimeWarning where a file is there that cannot be trusted; it is written anew.
    """
    store, key = code_store(config.cache_folder), key_of(entry_of(text), capability)
    kept = None if anew else _kept(store, key)
    payload = kept
    if payload is None:
        payload = store.made_once(
            key, lambda: _made(text, capability), lambda key: None if anew else _kept(store, key, tell=False)
        )
    kind, maker, image = parts(payload)
    if kept is not None and kind == _CUBIN:
        with _COUNTING:
            counters.found += 1
    elif kind == _PTX and kept is not None:
        payload = _assembled(maker, image, capability)
        kind, maker, image = parts(payload)
        if kind == _CUBIN:
            store.write(key, payload)
    return DeviceImage(image, entry_of(text), maker, kept is not None)


def code_store(folder: Path) -> KernelStore:
    """The place of the code of kernels in a folder."""
    return KernelStore(folder, SUFFIX, MAGIC)


def key_of(entry: str, capability: tuple[int, int]) -> str:
    """The key of a kernel's code on disk. entry: its name, which says all of its text."""
    makers = config.kernel_compiler.encode(), config.ptxas.encode()
    return content_key(entry.encode(), repr(capability).encode(), generator(), *makers)


def device_images(texts: Collection[str], capability: tuple[int, int]) -> dict[str, DeviceImage]:
    """The code of several kernels, by text: those that are on no disk are compiled on several threads at once.

    See `device_image`. llvmlite holds the interpreter, NVVM and the assembler let go of it.
    """
    threads = config.compile_threads or usable_cores()
    if config.kernel_compiler != "llvm" or min(threads, len(texts)) < 2:  # Numba lets one thread in at a time
        return {text: device_image(text, capability) for text in texts}
    from concurrent.futures import ThreadPoolExecutor  # which a process without a GPU need not import

    with ThreadPoolExecutor(min(threads, len(texts)), "guardlift compiles") as pool:
        longest_first = sorted(texts, key=len, reverse=True)
        made = pool.map(lambda text: device_image(text, capability), longest_first)
        return dict(zip(longest_first, made, strict=True))


def _made(text: str, capability: tuple[int, int]) -> bytes:
    """The payload for a kernel's text that is compiled here."""
    ptx = compile_text(text, capability).ptx.encode().rstrip(b"\0")
    with _COUNTING:
        counters.compiled += 1
    return _assembled(compiler_versions(), ptx, capability)


def _assembled(maker: str, ptx: bytes, capability: tuple[int, int]) -> bytes:
    """The payload of PTX: the cubin, or the PTX where there is nothing to assemble with."""
    cubin = assemble(ptx.decode(), capability)
    with _COUNTING:
        counters.assembled += cubin is not None
    return joined(maker, ptx) if cubin is None else joined(maker, cubin, _CUBIN)


def joined(maker: str, image: bytes, kind: str = _PTX) -> bytes:
    """The payload that holds the code of a kernel, and the compiler that made it."""
    return b"\0".join((kind.encode(), maker.encode(), image))


def parts(payload: bytes) -> tuple[str, str, bytes]:
    """The kind of the code in a payload, the compiler that made it, and the code. Empty for what is of another form."""
    kind, maker, image = (payload.split(b"\0", 2) + [b"", b""])[:3]
    return kind.decode(errors="replace"), maker.decode(errors="replace"), image


def _kept(store: KernelStore, key: str, *, tell: bool = True) -> bytes | None:
    """The payload on disk; None where nothing can be taken, of which a warning tells where a file is no good."""
    payload = store.read(key)
    if payload is None:
        path = store.folder / f"{key}{SUFFIX}"
        if tell and path.exists():
            _warn(path, store.why_refused(key) or "is damaged")
        return None
    kind, maker, image = parts(payload)
    if kind not in (_CUBIN, _PTX) or not image:
        if tell:
            _warn(store.folder / f"{key}{SUFFIX}", "is of another form")
        return None
    present = compiler_versions()
    return None if present and present != maker else payload


def _warn(path: Path, why: str) -> None:
    warnings.warn(f"the code of a GPU's kernel in {path} {why}; it is compiled anew", RuntimeWarning, stacklevel=2)


@cache
def generator() -> bytes:
    """A digest of our own sources that shape a GPU's code; the same for every supported Python."""
    digest = blake2b(digest_size=20)
    for folder in CODE_FOLDERS:
        add_sources(digest, folder)
    return digest.digest()
