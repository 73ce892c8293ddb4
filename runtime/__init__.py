"""Compiled code at run time: the autograd node of a compiled pair, and compiled backward passes.

Here it registers itself with the floors below.
"""

from __future__ import annotations

from typing import Any

from ..core.floors import BACKWARD_RUNNER, DEVICE_MEMORY, DLPACK, HOST_CALLS, REGION_RUNNER, TAPE, WORD_CHECKS, offer
from . import cuda  # noqa: F401  (`gl.cuda`)


def _backward_runner() -> Any:
    from . import backward_run

    return backward_run


offer(BACKWARD_RUNNER, _backward_runner)


def _device_memory() -> Any:
    from ..backend.cuda.current_device import the_device

    return the_device


offer(DEVICE_MEMORY, _device_memory)


def _dlpack() -> Any:
    from ..backend.cuda.memory import dlpack

    return dlpack


offer(DLPACK, _dlpack)


def _host_calls() -> Any:
    from ..backend.eager import host

    return host


offer(HOST_CALLS, _host_calls)


def _region_runner() -> Any:
    from ..backend.codegen.run_in_python import run_region  # which needs every scalar function

    return run_region


offer(REGION_RUNNER, _region_runner)


def _word_checks() -> Any:
    from ..backend.cpu.plan import word_checks

    return word_checks


offer(WORD_CHECKS, _word_checks)


def _tape() -> Any:
    from .. import autograd  # which registers its tape

    return autograd


offer(TAPE, _tape)
