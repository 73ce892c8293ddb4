"""The tests of this folder are about the emitter, whoever compiles elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import guardlift as gl


@pytest.fixture(autouse=True)
def emitter() -> Iterator[None]:
    with gl.config.patch(kernel_compiler="llvm"):
        yield
