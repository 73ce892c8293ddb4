"""Blocks of a GPU's memory from the pools of other libraries, so that two libraries share what is not in use."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ....core.errors import CudaError
from .blocks import BlockSource


class PytorchPool:
    """See `blocks.BlockSource`: PyTorch's caching allocator, for its default stream, which is ours too."""

    def __init__(self, torch: Any) -> None:
        self._cuda = torch.cuda

    def take(self, nbytes: int) -> int | None:
        """See `BlockSource`."""
        try:
            return int(self._cuda.caching_allocator_alloc(max(nbytes, 1), 0, 0))
        except self._cuda.OutOfMemoryError:
            return None

    def give(self, address: int) -> None:
        """See `BlockSource`."""
        self._cuda.caching_allocator_delete(address)

    def trim(self) -> None:
        """See `BlockSource`."""
        self._cuda.empty_cache()


class CupyPool:
    """See `blocks.BlockSource`: CuPy's default memory pool."""

    def __init__(self, cupy: Any) -> None:
        self._pool, self._held = cupy.get_default_memory_pool(), dict[int, Any]()

    def take(self, nbytes: int) -> int | None:
        """See `BlockSource`."""
        try:
            block = self._pool.malloc(max(nbytes, 1))
        except MemoryError:  # CuPy's own error is one
            return None
        self._held[block.ptr] = block
        return int(block.ptr)

    def give(self, address: int) -> None:
        """See `BlockSource`."""
        del self._held[address]

    def trim(self) -> None:
        """See `BlockSource`."""
        self._pool.free_all_blocks()


POOLS: dict[str, tuple[str, Callable[[Any], BlockSource]]] = {
    "pytorch": ("torch", PytorchPool),
    "cupy": ("cupy", CupyPool),
}


def pool_of(name: str) -> BlockSource:
    """The pool of another library. Errors: ValueError for a name of none; CudaError where the library is not there."""
    if name not in POOLS:
        raise ValueError(f"no allocator {name!r}; there are {', '.join(map(repr, POOLS))}, and functions of your own")
    module, kind = POOLS[name]
    try:
        return kind(importlib.import_module(module))
    except ImportError as error:
        raise CudaError(f"the allocator {name!r} is {module}'s, which is not installed: {error}") from error
