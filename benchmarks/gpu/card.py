"""The card, by the driver alone: its facts, copies, and times by its events. Blocks are plain device memory."""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FACTS = {
    "multiprocessors": 16,
    "clock MHz": 13,
    "memory clock MHz": 36,
    "memory bus bits": 37,
    "L2 bytes": 38,
    "compute capability": 75,
}
"""Attributes of a device by cuda.h's numbers."""
ROUNDS = 15
MOST_OF_FREE = 0.7
"""The part of the free memory that is used at most."""


@dataclass(frozen=True)
class Times:
    """Milliseconds of one call: the median, and the first and the ninth tenth."""

    median: float
    low: float
    high: float


class Card:
    """The first GPU, in the context that all libraries of the process share. Errors: RuntimeError."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", ctypes.c_uint(0))
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(self.device), ctypes.c_int(0))
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name: str, *arguments: Any) -> None:
        """Calls the driver."""
        status = getattr(self.library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(ctypes.c_int(status), ctypes.byref(text))
            raise RuntimeError(f"{name} failed with CUDA error {status}: {(text.value or b'unknown').decode()}")

    def attribute(self, number: int) -> int:
        """An attribute of the device."""
        found = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(found), ctypes.c_int(number), self.device)
        return found.value

    def facts(self) -> dict[str, object]:
        """What the driver says of itself and of the card."""
        version, name = ctypes.c_int(), ctypes.create_string_buffer(100)
        self.library.cuDriverGetVersion(ctypes.byref(version))
        self.call("cuDeviceGetName", name, ctypes.c_int(100), self.device)
        free, total = self.memory()
        found: dict[str, object] = {"name": name.value.decode(), "driver knows CUDA": version.value / 1000}
        found |= {title: self.attribute(number) for title, number in FACTS.items()}
        for title in ("clock MHz", "memory clock MHz"):
            found[title] = self.attribute(FACTS[title]) // 1000
        found["compute capability"] = f"{self.attribute(75)}.{self.attribute(76)}"
        return found | {"free GB": free / 1e9, "total GB": total / 1e9}

    def is_lost(self) -> bool:
        """Whether the context does nothing any more, since a kernel has failed in it."""
        return bool(self.library.cuCtxSynchronize())

    def memory(self) -> tuple[int, int]:
        """Bytes that are free, and all bytes."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def allocate(self, nbytes: int) -> int:
        """The address of a block."""
        found = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(found), ctypes.c_size_t(nbytes))
        return found.value

    def free(self, address: int) -> None:
        """Gives a block back."""
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def fill(self, address: int, nbytes: int, value: int = 0xFF) -> None:
        """Fills bytes, in the order of the default stream."""
        place, byte, count = ctypes.c_uint64(address), ctypes.c_ubyte(value), ctypes.c_size_t(nbytes)
        self.call("cuMemsetD8Async", place, byte, count, None)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies within the card, in the order of the default stream."""
        places = ctypes.c_uint64(target), ctypes.c_uint64(source)
        self.call("cuMemcpyDtoDAsync_v2", *places, ctypes.c_size_t(nbytes), None)

    def times(self, calls: Sequence[Callable[[], object]], seconds: float = 1.0, tiny: bool = False) -> Times:
        """The time of one of these calls, which take turns: over memory of their own, no cache holds what they need.

        Each round is as many calls as take two milliseconds, between two events of the driver; of a rehearsal, one.
        """
        for call in calls:
            call()
        self.call("cuCtxSynchronize")
        first = self._between(calls, len(calls))
        if tiny:
            return Times(first, first, first)
        count = len(calls) * max(1, round(2.0 / max(first * len(calls), 1e-3)))
        began, found = time.monotonic(), list[float]()
        while len(found) < ROUNDS and (len(found) < 3 or time.monotonic() - began < seconds):
            found.append(self._between(calls, count))
        found.sort()
        return Times(statistics.median(found), found[len(found) // 10], found[-1 - len(found) // 10])

    def _between(self, calls: Sequence[Callable[[], object]], count: int) -> float:
        start, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (start, end):
            self.call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0))
        self.call("cuEventRecord", start, None)
        for k in range(count):
            calls[k % len(calls)]()
        self.call("cuEventRecord", end, None)
        self.call("cuEventSynchronize", end)
        found = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(found), start, end)
        for event in (start, end):
            self.call("cuEventDestroy_v2", event)
        return found.value / count


def options_of(doc: str | None) -> argparse.Namespace:
    """The command line of a step: `names`, of which none means all, `tiny`, and the `folder` for its files."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="words of what is wanted")
    parser.add_argument("--folder", type=Path, default=Path("build/gpu"))
    parser.add_argument("--tiny", action="store_true", help="sizes for a rehearsal")
    parser.add_argument("--once", action="store_true", help="one call each, without times")
    parser.add_argument("--after", default="", help="what has been done, the last of several: it goes on behind that")
    return parser.parse_args()


def go_on_after(name: str) -> None:
    """Begins the program of a step anew, behind what lost the context: a process that lost it can do nothing more."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-P", *sys.argv, "--after", name])


def left(names: Iterable[str], options: argparse.Namespace) -> list[str]:
    """Those of the names, in their order, that are wanted and were not done before."""
    every = list(names)
    begin = every.index(options.after) + 1 if options.after else 0
    return [name for name in every[begin:] if wanted(name, options.names)]


def wanted(name: str, words: Sequence[str]) -> bool:
    """Whether a name holds one of the words, or there are none."""
    return not words or any(word in name for word in words)
