"""Fixtures of the tests of CUDA kernels: the marker of those that want a GPU, and a watch for races."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from zlib import crc32

import pytest
from backend.cuda.races import watch_for_races
from backend.cuda.stand_in.prototypes import check_calls


def pytest_configure(config: pytest.Config) -> None:
    """`gpu`: the test runs kernels on a GPU."""
    config.addinivalue_line("markers", "gpu: runs kernels on an NVIDIA GPU; skipped where there is none")


@pytest.fixture(scope="session", autouse=True)
def no_races() -> Iterator[None]:
    """A watch by which a race is an error where kernels are simulated."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1":
            watch_for_races(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def checked_calls() -> Iterator[None]:
    """On the stand-in, every call of the driver is held to the prototype of cuda.h, where there is that."""
    with pytest.MonkeyPatch.context() as patch:
        if "STAND_IN_SEED" in os.environ:
            load = ctypes.CDLL

            class CheckedLibrary(load):  # type: ignore[misc, valid-type]
                def __init__(self, name: str | None, *rest: object, **named: object) -> None:
                    super().__init__(name, *rest, **named)
                    if "libcuda" in str(name):
                        check_calls(self)

            patch.setattr(ctypes, "CDLL", CheckedLibrary)
        yield


@pytest.fixture(autouse=True)
def some_order(request: pytest.FixtureRequest) -> None:
    """On the stand-in for the driver: threads, blocks and streams in an order that the name of the test gives.

    STAND_IN_SEED gives other orders."""
    if "STAND_IN_SEED" in os.environ:
        library = ctypes.CDLL("libcuda.so.1")
        seed = crc32(f"{os.environ['STAND_IN_SEED']} {request.node.name}".encode())
        library.stand_in_set(b"seed", str(seed).encode())
        library.stand_in_recover()
