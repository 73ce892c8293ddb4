"""Fixtures of the tests of CUDA kernels: the marker of those that want a GPU, and a watch for races."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from backend.cuda.races import watch_for_races


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
