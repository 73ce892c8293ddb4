"""Registers the marker of tests that want a GPU."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """`gpu`: the test runs kernels on a GPU."""
    config.addinivalue_line("markers", "gpu: runs kernels on an NVIDIA GPU; skipped where there is none")
