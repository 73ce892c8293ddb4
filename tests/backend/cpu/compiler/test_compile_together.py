"""Distinct kernels are compiled on several threads at once."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from llvmlite import binding as llvm

import guardlift as gl
from guardlift.backend.cpu.compiler import compiler, kernels
from guardlift.backend.cpu.compiler.compile_together import compile_together
from guardlift.backend.cpu.compiler.kernel_object import KernelObject
from guardlift.backend.llvm import object_code
from guardlift.core.config import config
from guardlift.core.errors import KernelError

HELPERS = [nullcontext()] * 4
NATIVE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


def text_returning(value: object) -> str:
    return f"def kernel(addresses, sizes, start, stop):\n    return {value}\n"


def compiled(texts: list[str], threads: int = 3) -> dict[str, Any]:
    with config.patch(compile_threads=threads):
        return compile_together(texts, nullcontext(), HELPERS, lambda begun: None)


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> threading.Barrier:
    """Three compiles that wait for each other; where only two are made at once, they wait in vain."""
    barrier, real = threading.Barrier(3), compiler.compile_source

    def compile_source(text: str) -> KernelObject:
        barrier.wait(60)
        return real(text)

    monkeypatch.setattr(compiler, "compile_source", compile_source)
    return barrier


def test_as_many_are_compiled_at_once_as_there_are_threads(meeting: threading.Barrier) -> None:
    texts = [text_returning(4100 + k) for k in range(6)]
    found = compiled(texts)
    assert found.keys() == set(texts)
    assert all(isinstance(each, KernelObject) for each in found.values())


@pytest.mark.parametrize("threads", [1, 2, 5, 100])
def test_each_text_is_compiled_once_whatever_the_number_of_threads(threads: int, monkeypatch: Any) -> None:
    asked: list[str] = []
    names: set[str] = set()

    def compile_source(text: str) -> KernelObject:
        asked.append(text)
        names.add(threading.current_thread().name)
        return KernelObject(b"", text, (), text)

    monkeypatch.setattr(compiler, "compile_source", compile_source)
    texts = [str(k) for k in range(300)]
    found = compiled([*texts, *texts], threads)
    assert {text: made.symbol for text, made in found.items()} == {text: text for text in texts}
    assert sorted(asked) == sorted(texts)
    assert len(names) <= min(threads, len(HELPERS) + 1)


def test_a_text_that_does_not_compile_is_told_with_the_others_made() -> None:
    good, bad = [text_returning(4200 + k) for k in range(3)], text_returning("nowhere")
    found = compiled([good[0], bad, *good[1:]])
    assert isinstance(found[bad], KernelError)
    assert all(isinstance(found[each], KernelObject) for each in good)


def test_without_a_thread_to_be_had_the_caller_compiles_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    texts = [text_returning(4300 + k) for k in range(3)]
    assert compiled(texts).keys() == set(texts)


def test_an_interrupt_leaves_what_is_not_begun() -> None:
    texts = [text_returning(4400 + k) for k in range(50)]
    begun = []

    def tell(count: int) -> None:
        begun.append(count)
        raise KeyboardInterrupt

    before = threading.active_count()
    with config.patch(compile_threads=2), pytest.raises(KeyboardInterrupt):
        compile_together(texts, nullcontext(), HELPERS, tell)
    for thread in threading.enumerate():
        if thread.name == "guardlift compiles":
            thread.join()
    assert len(begun) == 1
    assert threading.active_count() <= before


def test_prepared_kernels_are_in_memory_and_on_disk_and_compute(tmp_path: Any) -> None:
    texts = [text_returning(4500 + k) for k in range(4)]
    with config.patch(cache_dir=str(tmp_path), compile_threads=3):
        kernels.prepare([*texts, text_returning("nowhere")])
        for k, text in enumerate(texts):
            kernel = kernels.known(text)
            assert kernel is not None
            assert NATIVE(kernel.address)(0, 0, 0, 0) == 4500 + k
        with pytest.raises(KernelError, match="nowhere"):
            kernels.get_kernel(text_returning("nowhere"))
        compiled_so_far = kernels.statistics.compiled
        kernels.forget()
        kernels.prepare(texts)
        assert kernels.statistics.compiled == compiled_so_far
        assert all(kernels.known(text) for text in texts)


def test_the_kernels_of_a_plan_are_compiled_together(meeting: threading.Barrier, tmp_path: Any) -> None:
    def three_results(x: Any) -> Any:
        return x.sum(0), np.sin(x).max(1), np.cumsum(x, 0) + 1

    x = np.arange(6144.0).reshape(64, 96)
    with config.patch(cache_dir=str(tmp_path), compile_threads=3):
        kernels.forget()
        jitted = gl.jit(three_results)
        found = jitted(x)
    (entry,) = gl.explain(jitted).entries
    assert len(entry.kernels) == 3
    for made, right in zip(found, three_results(x), strict=True):
        np.testing.assert_allclose(made, right)


def test_another_llvmlite_that_hides_its_library_compiles_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compiled([text_returning(4700)])
    object_code._library.cache_clear()
    monkeypatch.setattr(object_code, "_UNLOCKED", ("LLVMPY_NoSuchFunction",))
    try:
        assert object_code._library() is llvm.ffi.lib
        assert compiled([text_returning(4700)])[text_returning(4700)].code == plain[text_returning(4700)].code
    finally:
        object_code._library.cache_clear()


@pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_waits_for_what_helpers_are_compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    real, running, started = compiler.compile_source, set[str](), threading.Event()

    def compile_source(text: str) -> KernelObject:
        running.add(text)
        started.set()
        threading.Event().wait(0.1)
        made = real(text)
        running.discard(text)
        return made

    monkeypatch.setattr(compiler, "compile_source", compile_source)
    texts = [text_returning(4600 + k) for k in range(6)]
    asking = threading.Thread(target=kernels.prepare, args=(texts,))
    with config.patch(compile_threads=3, cache_dir=str(tmp_path / "kernels")):
        asking.start()
        assert started.wait(60)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            monkeypatch.undo()
            kernels.prepare(texts)
            os._exit(0 if not running and all(map(kernels.known, texts)) else 1)
        asking.join()
    assert os.waitpid(child, 0)[1] == 0
