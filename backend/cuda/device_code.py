"""The code of kernels for a GPU, from disk where it was made before: then neither Numba nor NVVM is needed."""

# Note [Cubins]
# PTX is for a driver to compile, and a driver refuses PTX of a toolkit newer than itself. A cubin is machine code: all
# drivers of its toolkit's generation take it, and load it at once. So PTX becomes a cubin as soon as it is made, and
# the cubin is kept beside the CPU's kernels, by the kernel's text, the GPU's compute capability, and the sources here
# that make code of text. The versions of Numba and of the toolkit do not count: a machine that has neither finds the
# cubin as well. Where there is nothing to assemble with, the PTX is kept, and assembled once there is.

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path

from ...core.config import config
from ...core.records import dataclass
from ..disk_cache.installation import add_sources
from ..disk_cache.kernel_store import KernelStore, content_key
from .assembler import assemble
from .compiler import compile_text, entry_of

CODE_FOLDERS = tuple(Path(__file__).parents[1] / name for name in ("cuda", "math", "llvm"))
"""The places of the modules that turn kernel text into a GPU's code."""
SUFFIX, MAGIC = ".cubin", b"GLIFTGPU"
_CUBIN, _PTX = b"cubin\0", b"ptx\0"


@dataclass(frozen=True, slots=True)
class DeviceImage:
    """The code that the driver loads, a cubin or PTX, and the name of the kernel in it."""

    image: bytes
    entry: str


def device_image(text: str, capability: tuple[int, int]) -> DeviceImage:
    """The code of a kernel's text, whose parameters are int64, for a GPU of this compute capability.

    Errors: KernelError when it is on no disk, and numba-cuda is missing or does not compile it.
    """
    store = KernelStore(config.cache_folder, SUFFIX, MAGIC)
    key = content_key(text.encode(), repr(capability).encode(), generator(), config.ptxas.encode())
    was_here = store.read(key)
    found = was_here or store.made_once(
        key, lambda: _assembled(compile_text(text, capability).ptx.encode(), capability)
    )
    if found is was_here and found.startswith(_PTX):
        found = _assembled(found.removeprefix(_PTX), capability)
        store.write(key, found)
    return DeviceImage(found.removeprefix(_CUBIN).removeprefix(_PTX), entry_of(text))


def _assembled(ptx: bytes, capability: tuple[int, int]) -> bytes:
    """The form in which PTX is kept: the cubin, or the PTX where there is nothing to assemble with."""
    ptx = ptx.rstrip(b"\0")
    cubin = assemble(ptx.decode(), capability)
    return _PTX + ptx if cubin is None else _CUBIN + cubin


@cache
def generator() -> bytes:
    """A digest of our own sources that shape a GPU's code; the same for every supported Python."""
    digest = blake2b(digest_size=20)
    for folder in CODE_FOLDERS:
        add_sources(digest, folder)
    return digest.digest()
