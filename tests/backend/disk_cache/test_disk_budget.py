"""The folder of the caches stays within its limit, whoever writes into it."""

import os
import subprocess
import sys
import time

import pytest

import guardlift as gl
from guardlift.backend.disk_cache import disk_budget, kernel_store
from guardlift.backend.disk_cache.kernel_store import KernelStore, content_key

PAYLOAD = b"x" * 1000
SIZE = 1000 + kernel_store._HEADER.size
KEYS = [content_key(str(number).encode()) for number in range(8)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_store, "_budgets", {})
    return tmp_path / "caches"


def age(folder, key, seconds, suffix=".kernel"):
    """Makes a file as old as if it was written and used so long ago."""
    then = time.time() - seconds
    os.utime(folder / f"{key}{suffix}", (then, then))


def stored(folder):
    return {path.name.partition(".")[0] for path in folder.iterdir()}


def test_below_the_limit_nothing_goes(folder):
    store = KernelStore(folder)
    with gl.config.patch(cache_limit=8 * SIZE):
        for key in KEYS:
            assert store.write(key, PAYLOAD)
    assert stored(folder) == set(KEYS)


def test_over_the_limit_those_used_least_lately_go(folder):
    store = KernelStore(folder)
    for number, key in enumerate(KEYS[:4]):
        store.write(key, PAYLOAD)
        age(folder, key, 1000 - number)
    assert store.read(KEYS[0]) == PAYLOAD  # now it is the one used last
    with gl.config.patch(cache_limit=4 * SIZE):
        store.write(KEYS[4], PAYLOAD)
    assert stored(folder) == {KEYS[0], KEYS[3], KEYS[4]}


def test_to_read_a_file_leaves_when_it_was_written(folder):
    store = KernelStore(folder)
    store.write(KEYS[0], PAYLOAD)
    age(folder, KEYS[0], 1000)
    before = (folder / f"{KEYS[0]}.kernel").stat()
    store.read(KEYS[0])
    after = (folder / f"{KEYS[0]}.kernel").stat()
    assert after.st_mtime_ns == before.st_mtime_ns and after.st_atime_ns > before.st_atime_ns


def test_kernels_and_artifacts_share_one_limit(folder):
    kernels, artifacts = KernelStore(folder), KernelStore(folder, ".artifact", b"GLIFTART")
    kernels.write(KEYS[0], PAYLOAD)
    age(folder, KEYS[0], 1000)
    with gl.config.patch(cache_limit=2 * SIZE):
        artifacts.write(KEYS[1], PAYLOAD)
        artifacts.write(KEYS[2], PAYLOAD)
    assert stored(folder) == {KEYS[2]}


def test_without_a_limit_nobody_looks(folder, monkeypatch):
    monkeypatch.setattr(disk_budget, "keep_within", None)
    with gl.config.patch(cache_limit=0):
        assert KernelStore(folder).write(KEYS[0], PAYLOAD)


def test_a_process_looks_again_when_it_has_filled_a_part_of_the_room(folder, monkeypatch):
    looks = []
    usual = disk_budget.keep_within
    monkeypatch.setattr(disk_budget, "keep_within", lambda *given: looks.append(1) or usual(*given))
    store = KernelStore(folder)
    with gl.config.patch(cache_limit=100 * SIZE):
        for key in KEYS:
            store.write(key, PAYLOAD)
    assert len(looks) == 1


def test_other_files_stay_and_those_nobody_finishes_go(folder):
    store = KernelStore(folder)
    store.write(KEYS[0], PAYLOAD)
    for name, seconds in ((".writing-new", 60), (".writing-old", 3 * 24 * 3600), ("notes.txt", 3 * 24 * 3600)):
        (folder / name).write_bytes(PAYLOAD)
        then = time.time() - seconds
        os.utime(folder / name, (then, then))
    assert disk_budget.keep_within(folder, 10) == 0
    assert sorted(path.name for path in folder.iterdir()) == [".writing-new", "notes.txt"]


def test_what_cannot_be_deleted_or_is_gone_is_passed_over(folder, monkeypatch):
    store = KernelStore(folder)
    for key in KEYS[:2]:
        store.write(key, PAYLOAD)

    def refuse(path):
        raise PermissionError(path)

    with monkeypatch.context() as patch:
        patch.setattr(disk_budget.os, "unlink", refuse)
        disk_budget.keep_within(folder, 1)
    assert stored(folder) == set(KEYS[:2])
    assert disk_budget.keep_within(folder / "nowhere", 1) == 0


PROGRAM = """
import sys
from pathlib import Path
import guardlift as gl
from guardlift.backend.disk_cache.kernel_store import KernelStore, content_key
gl.config.cache_limit = 20_000
store = KernelStore(Path(sys.argv[1]))
lost = 0
for number in range(300):
    key = content_key(sys.argv[2].encode(), str(number).encode())
    assert store.write(key, b"x" * 1000)
    found = store.read(key)
    lost += found is None
    assert found in (None, b"x" * 1000)
print(store.refused or "fine", lost < 150)
"""


def test_processes_that_write_at_once_stay_near_the_limit(folder):
    command = [sys.executable, "-P", "-c", PROGRAM, str(folder)]
    running = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in "ab"]
    assert [each.communicate(timeout=120)[0].split() for each in running] == [["fine", "True"]] * 2
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 2 * 20_000
    assert not list(folder.glob(".writing-*"))


def test_a_call_compiles_again_what_was_deleted(folder):
    import numpy as np

    with gl.config.patch(cache_dir=str(folder), cache_limit=1):
        assert gl.jit(lambda x: x * 3.5 - 1.25)(np.arange(3.0)).tolist() == [-1.25, 2.25, 5.75]
        assert not list(folder.glob("*.kernel"))
        gl.reset()
        assert gl.jit(lambda x: x * 3.5 - 1.25)(np.arange(3.0)).tolist() == [-1.25, 2.25, 5.75]
