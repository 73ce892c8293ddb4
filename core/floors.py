"""Services that a lower floor asks of an upper one: by name, loaded when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ARRAY_NAMESPACE = "namespace of the array API standard"
"""The package `array_api`, for `Tensor.__array_namespace__`."""

BACKWARD_RUNNER = "backward runner"
"""The runner of whole backward passes as compiled code; see `Runner` in `autograd/compiled_backward.py`."""

DEVICE_MEMORY = "memory of a device"
"""The function that gives the device ``cuda:0``; see `DeviceCopies` in `core/devices/memory.py`."""

DLPACK = "capsules of DLPack"
"""The module `backend/cuda/memory/dlpack.py`."""

HOST_CALLS = "kernels of eager mode on the CPU"
"""The module `backend/eager/host.py`."""

JIT = "function jit"
"""`jit` itself, for `Module.compile`."""

LOG = "log"
"""``send(kind, lines)``, which gives lines to the log of one kind; see `frontend/dispatch/log_stream.py`."""

REGION_RUNNER = "runner of regions"
"""The runner of a region's program over arrays, for the interpreter of graphs; see `graph/interpreter.py`."""

TAPE = "tape"
"""The package `autograd`, which registers the tape when it is imported; see `tensor/tape.py`."""

WORD_CHECKS = "check of words of memory"
"""The module `backend/cpu/plan/word_checks.py`."""

_offers: dict[str, Callable[[], Any]] = {}


def offer(name: str, load: Callable[[], Any]) -> None:
    """From now on `asked` gives what `load` gives under this name."""
    _offers[name] = load


def asked(name: str) -> Any:
    """The object that an upper floor has offered under this name. Errors: RuntimeError if none was."""
    if name not in _offers:
        raise RuntimeError(f"nothing offers the {name}: guardlift is not imported as a whole; import guardlift")
    return _offers[name]()
