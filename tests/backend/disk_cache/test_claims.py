"""One of several processes that need a file at once makes it; nobody waits for good, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from guardlift.backend.cpu.compiler import compiler, kernels
from guardlift.backend.cpu.compiler.compile_together import compile_together
from guardlift.backend.disk_cache import claims
from guardlift.backend.disk_cache.claims import MAKING, Patience, claimed
from guardlift.backend.disk_cache.disk_budget import keep_within
from guardlift.backend.disk_cache.kernel_store import KernelStore, content_key

fcntl = pytest.importorskip("fcntl")
HOLDER = """
import fcntl, sys, time
file = open(sys.argv[1], "ab")
fcntl.flock(file, fcntl.LOCK_EX)
print("holds", flush=True)
time.sleep(600)
"""
KEY = content_key(b"text")


@contextmanager
def held_elsewhere(folder: Path, key: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the claim, and goes on having it."""
    path = folder / f"{MAKING}{key}"
    with subprocess.Popen([sys.executable, "-S", "-c", HOLDER, path], stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None and holder.stdout.readline() == "holds\n"
            yield holder
        finally:
            holder.kill()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a cache. A stuck process is soon given up."""
    monkeypatch.setattr(claims, "PATIENCE", 0.2)
    monkeypatch.setattr(Patience, "in_vain", False)
    made = tmp_path / "cache"
    made.mkdir(mode=0o700)
    return made


def test_a_claim_is_had_by_one_and_leaves_no_file(folder: Path) -> None:
    with claimed(folder, KEY) as first:
        with claimed(folder, KEY) as second, claimed(folder, content_key(b"another")) as other:
            assert (first, second, other) == (True, False, True)
    with pytest.raises(KeyError), claimed(folder, KEY) as again:
        assert again
        raise KeyError
    assert list(folder.iterdir()) == []


def test_the_claim_of_a_killed_process_is_free_and_its_file_goes(folder: Path) -> None:
    with held_elsewhere(folder, KEY) as holder:
        with claimed(folder, KEY) as mine:
            assert not mine
        holder.kill()
        holder.wait()
        assert [each.name for each in folder.iterdir()] == [f"{MAKING}{KEY}"]
        with claimed(folder, KEY) as mine:
            assert mine
    assert list(folder.iterdir()) == []


def test_a_lock_on_a_file_that_lost_its_name_is_no_claim(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = folder / f"{MAKING}{KEY}", claims._is_named
    asked: list[bool] = []

    def is_named(file: Any, path: Path) -> bool:
        if not asked:
            path.unlink()  # by who had it, between the opening here and the lock
        asked.append(real(file, path))
        return asked[-1]

    monkeypatch.setattr(claims, "_is_named", is_named)
    with claimed(folder, KEY) as mine:
        assert mine and asked == [False, True] and path.exists()


def test_a_stuck_process_is_waited_for_once_and_then_hardly(folder: Path) -> None:
    store, calls = KernelStore(folder), []

    def make() -> bytes:
        calls.append(Patience.in_vain)
        return b"made here"

    with held_elsewhere(folder, KEY):
        assert store.made_once(KEY, make) == b"made here"
    assert calls == [True] and store.made_once(KEY, make) == b"made here" and len(calls) == 1


@pytest.mark.parametrize("problem", ["missing folder", "no locks", "no module"])
def test_where_nothing_can_be_locked_everybody_makes_all(
    problem: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: Any) -> None:
        raise OSError(95, "Operation not supported")

    if problem == "no locks":
        monkeypatch.setattr(claims.fcntl, "flock", flock)
    if problem == "no module":
        monkeypatch.setattr(claims, "fcntl", None)
    place = folder / "gone" if problem == "missing folder" else folder
    with claimed(place, KEY) as first, claimed(place, KEY) as second:
        assert first and second


def test_a_kernel_that_another_process_is_about_is_waited_for_and_not_compiled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "def kernel(addresses, sizes, start, stop):\n    return 4711\n"
    made, asked = compiler.compile_source(text), []
    monkeypatch.setattr(compiler, "compile_source", asked.append)
    monkeypatch.setattr(claims, "PATIENCE", 60.0)
    kernels.forget()
    key, before = kernels._disk_key(kernels._key(text)), kernels.statistics.loaded
    with held_elsewhere(folder, key) as holder:

        def come_to_the_end() -> None:
            KernelStore(folder).write(key, kernels.to_bytes(made))
            holder.kill()

        timer = threading.Timer(0.05, come_to_the_end)
        timer.start()
        kernels._made_once(KernelStore(folder), key, lambda: compiler.compile_source(text), threading.RLock())
        timer.join()
    assert asked == [] and kernels.statistics.loaded == before + 1


def test_texts_of_other_processes_come_last_and_are_compiled_if_those_are_stuck(folder: Path) -> None:
    store, order = KernelStore(folder), list[tuple[str, bool]]()
    texts = [f"def kernel(addresses, sizes, start, stop):\n    return {k}\n" for k in range(4810, 4813)]

    def make(text: str, alone: bool) -> Any:
        def compile_here() -> Any:
            order.append((text, alone))
            return compiler.compile_source(text)

        return kernels._made(store, content_key(text.encode()), compile_here, alone)

    with held_elsewhere(folder, content_key(texts[2].encode())):
        found = compile_together(texts, nullcontext(), (), lambda begun: None, make)
    assert order == [(texts[1], False), (texts[0], False), (texts[2], True)]
    assert found.keys() == set(texts)


def test_files_of_claims_that_nobody_has_go_with_the_folders_others(folder: Path) -> None:
    old, new = folder / f"{MAKING}{KEY}", folder / f"{MAKING}{content_key(b'new')}"
    old.touch()
    new.touch()
    os.utime(old, (1.0, 1.0))
    keep_within(folder, 1 << 20)
    assert [each.name for each in folder.iterdir()] == [new.name]


SEVERAL = """
import numpy as np
import guardlift as gl
from guardlift.backend.cpu.compiler.kernels import statistics

for k in range(6):
    gl.jit(lambda x, k=k: np.exp(x * (k + 1)).sum(axis=0) / np.sqrt(x.mean(axis=1, keepdims=True) + k))(np.ones((5, 5)))
print(statistics.compiled)
"""


@pytest.mark.slow
def test_processes_that_start_at_once_on_an_empty_folder_compile_each_kernel_once(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(place)}
    command = [sys.executable, "-P", "-c", SEVERAL]
    asked = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    counts = [int(each.communicate()[0]) for each in asked]
    assert sum(counts) == len(list(place.glob("*.kernel"))) > 0
    assert not list(place.glob(f"{MAKING}*"))
