"""Processes forked while kernels are being made."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from guardlift.backend.cpu.compiler import compiler, kernels
from guardlift.backend.cpu.compiler.kernel_object import KernelObject

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="needs fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

TEXT = """
def kernel(addresses, sizes, start, stop):
    pointer_i64(addresses[0])[0] = 20261120
    return 0
"""


def test_a_fork_waits_for_the_kernel_that_another_thread_is_making(tmp_path: Path) -> None:
    started, made = threading.Event(), threading.Event()

    def slowly() -> KernelObject:
        started.set()
        threading.Event().wait(0.2)
        kernel = compiler.compile_source(TEXT)
        made.set()
        return kernel

    thread = threading.Thread(target=kernels.obtain, args=(TEXT, slowly, tmp_path))
    thread.start()
    started.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if made.is_set() and kernels.get_kernel(TEXT, tmp_path).address else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_a_child_may_make_the_kernel_that_a_thread_was_about_to_make(tmp_path: Path) -> None:
    text = TEXT.replace("20261120", "20261121")
    cell = kernels._cells.setdefault(text, kernels._Cell())
    with cell.lock:
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            os._exit(0 if kernels.get_kernel(text, tmp_path).address else 1)
    assert os.waitpid(child, 0)[1] == 0
