"""The code of kernels for a GPU, from disk where it was made before: then neither Numba nor NVVM is needed."""

# Note [Cubins]
# PTX is for a driver to compile, and a driver refuses PTX of a toolkit newer than itself. A cubin is machine code: all
# drivers of its toolkit's generation take it, and load it at once. So PTX becomes a cubin as soon as it is made, and
# the cubin is kept beside the CPU's kernels, by the kernel's text, the GPU's compute capability, and the sources here
# that make code of text. The file names the versions of the compiler that made it: a process that has another compiler
# makes the code anew, and one that has none takes it as it is. Where there is nothing to assemble with, the PTX is
# kept, and assembled once there is.

from __future__ import annotations

import warnings
from dataclasses import field
from functools import cache
from hashlib import blake2b
from pathlib import Path

from ....core.config import config
from ....core.records import dataclass
from ...disk_cache.installation import add_sources
from ...disk_cache.kernel_store import KernelStore, content_key
from .assembler import assemble
from .compiler import compile_text, compiler_versions, entry_of

CODE_FOLDERS = (Path(__file__).parent, *(Path(__file__).parents[2] / name for name in ("math", "llvm")))
"""The places of the modules that turn kernel text into a GPU's code; the text itself is a part of the key."""
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


def device_image(text: str, capability: tuple[int, int], *, anew: bool = False) -> DeviceImage:
    """The code of a kernel's text, whose parameters are int64, for a GPU of this compute capability.

    anew: whatever lies on disk is not taken.
    Errors: KernelError when it is on no disk, and numba-cuda is missing or does not compile it.
    Warns: RuntimeWarning where a file is there that cannot be trusted; it is written anew.
    """
    store = KernelStore(config.cache_folder, SUFFIX, MAGIC)
    key = content_key(text.encode(), repr(capability).encode(), generator(), config.ptxas.encode())
    kept = None if anew else _kept(store, key)
    payload = kept
    if payload is None:
        payload = store.made_once(
            key, lambda: _made(text, capability), lambda key: None if anew else _kept(store, key, tell=False)
        )
    kind, maker, image = _parts(payload)
    if kept is not None and kind == _CUBIN:
        counters.found += 1
    elif kind == _PTX and kept is not None:
        payload = _assembled(maker, image, capability)
        kind, maker, image = _parts(payload)
        if kind == _CUBIN:
            store.write(key, payload)
    return DeviceImage(image, entry_of(text), maker, kept is not None)


def _made(text: str, capability: tuple[int, int]) -> bytes:
    """The payload for a kernel's text that is compiled here."""
    ptx = compile_text(text, capability).ptx.encode().rstrip(b"\0")
    counters.compiled += 1
    return _assembled(compiler_versions(), ptx, capability)


def _assembled(maker: str, ptx: bytes, capability: tuple[int, int]) -> bytes:
    """The payload of PTX: the cubin, or the PTX where there is nothing to assemble with."""
    cubin = assemble(ptx.decode(), capability)
    counters.assembled += cubin is not None
    kind, image = (_PTX, ptx) if cubin is None else (_CUBIN, cubin)
    return b"\0".join((kind.encode(), maker.encode(), image))


def _parts(payload: bytes) -> tuple[str, str, bytes]:
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
    kind, maker, image = _parts(payload)
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
