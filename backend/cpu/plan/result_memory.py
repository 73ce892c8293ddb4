"""The memory of large results, of which some is kept when they die, for those that come after them."""

# Note [Memory of large results]
# The C library asks the system for each large block and gives it back when it is freed, so a program that makes a new
# result at every step also makes the system clear as much memory at every step, and map it page by page: for 40 MB
# that takes longer than to compute them. Plans therefore let NumPy make large results under a memory handler of ours
# (NEP 49). Each such array frees its memory through that handler, whenever it dies and whoever holds it last. So a
# block is only kept once the array that had it is gone, and views hold that array.
#
# Blocks come from NumPy's own handler and go back to it: so it is its advice about huge pages that they have, and its
# functions that give such arrays other sizes. How large a block is, the C library says, not the array, which may
# have been resized. What is kept is the program's memory as far as the system knows: `large_result_cache` bounds it,
# those that waited longest are freed first, and nothing is kept of a block that is larger than the bound.
#
# A program that has set a memory handler of its own gets its memory from that one.

from __future__ import annotations

import ctypes

import numpy as np

from ....core.config import config
from ....core.once import once
from ....core.records import dataclass
from ..compiler.fixed_programs import GIVE_RESULT_MEMORY, TAKE_RESULT_MEMORY, obtain_program
from . import table_layout as at
from .cpython_api import capsule_pointer, default_memory_handler

LARGE = at.LARGE_RESULT_BYTES
"""Bytes from which on a result is large."""
_VERSION = 1
_CAPSULE_NAME = b"mem_handler"


class _MemoryHandler(ctypes.Structure):
    """PyDataMem_MemoryHandler. Source: numpy/_core/include/numpy/ndarraytypes.h."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        ("malloc", ctypes.c_void_p),
        ("calloc", ctypes.c_void_p),
        ("realloc", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
    )


@dataclass(frozen=True, slots=True)
class ResultMemory:
    """The memory that is kept for large results. kept: bytes, in `blocks` blocks.   reused, new: results that got some
    of it, and results that did not, since the process began."""

    kept: int = 0
    blocks: int = 0
    reused: int = 0
    new: int = 0


def words_address() -> int:
    """Address of the words for the table of a plan with a large result; 0 where each has memory of its own."""
    return _address() if _capsule() is not None else 0


def result_memory() -> ResultMemory:
    """The memory that is kept now."""
    return ResultMemory(*(int(_words[k]) for k in (at.MEMORY_KEPT, at.MEMORY_COUNT, at.MEMORY_REUSED, at.MEMORY_NEW)))


def free_result_memory() -> None:
    """Frees all that is kept."""
    if _words[at.MEMORY_HANDLER]:
        _keep_at_most(0)
        _keep_at_most(config.large_result_cache)


def _keep_at_most(nbytes: int) -> None:
    """Keeps no more than so many bytes from now on."""
    _words[at.MEMORY_LIMIT] = nbytes
    _Free(obtain_program(GIVE_RESULT_MEMORY).address)(_address(), None, 0)


@once
def _capsule() -> object | None:
    """The capsule of our handler; None where the C library does not tell how large the blocks are that NumPy gets."""
    default = default_memory_handler()
    numpys = _MemoryHandler.from_address(capsule_pointer(default, _CAPSULE_NAME))
    if numpys.version != _VERSION or not _sizes_are_told(numpys):
        return None
    give, take = (obtain_program(each).address for each in (TAKE_RESULT_MEMORY, GIVE_RESULT_MEMORY))
    # NumPy's functions for cleared memory and for another size look at no context, so they may have ours.
    ours = _MemoryHandler(b"guardlift", _VERSION, _address(), give, numpys.calloc, numpys.realloc, take)
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype = ctypes.py_object
    new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new_capsule(ctypes.addressof(ours), _CAPSULE_NAME, None)
    for each in (ours, capsule, default, _words):  # arrays may be freed after this module
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))
    _words[at.MEMORY_CONTEXT : at.MEMORY_FREE + 1] = numpys.context or 0, numpys.malloc, numpys.free
    _words[at.MEMORY_LEAST], _words[at.MEMORY_DEFAULT] = LARGE, id(default)
    _words[at.MEMORY_HANDLER] = id(capsule)
    config.follow("large_result_cache", _keep_at_most)
    return capsule  # type: ignore[no-any-return]


def _sizes_are_told(numpys: _MemoryHandler) -> bool:
    """Whether the C library says of a block that NumPy gets how large it is."""
    try:
        usable_size = ctypes.CDLL(None).malloc_usable_size
    except AttributeError:
        return False
    usable_size.restype, usable_size.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
    block = _Malloc(numpys.malloc)(numpys.context, LARGE)
    if not block:
        return False
    told = LARGE <= usable_size(block) < 2 * LARGE
    _Free(numpys.free)(numpys.context, block, LARGE)
    return bool(told)


def _address() -> int:
    return int(_words.__array_interface__["data"][0])


_Malloc = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_Free = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_words = np.zeros(at.MEMORY_WORDS, np.int64)
