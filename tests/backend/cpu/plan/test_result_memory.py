"""The memory of large results: kept when they die, never taken from one that lives."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy._core.multiarray import get_handler_name  # type: ignore[attr-defined]

import guardlift as gl
from guardlift.backend.cpu.plan import cpython_api
from guardlift.backend.cpu.plan import result_memory as memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the C library tells no sizes of blocks")
MB = 1 << 20
OURS, NUMPYS = "guardlift", "default_allocator"


@gl.jit
def doubled(x: Any) -> Any:
    return x * 2.0


@gl.jit(dynamic=True)
def doubled_of_any_size(x: Any) -> Any:
    return x * 2.0


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    gc.collect()
    memory.free_result_memory()
    yield
    memory.free_result_memory()


def large(nbytes: int = 2 * MB, value: float = 1.0) -> Any:
    return np.full(nbytes // 8, value)


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_the_next_result_gets_the_memory_of_one_that_died() -> None:
    x, y = large(value=1.0), large(value=5.0)
    first = doubled(x)
    assert get_handler_name(first) == OURS and first.flags.owndata and first.base is None
    where, before = address(first), memory.result_memory()
    assert before.kept == 0
    del first
    kept = memory.result_memory()
    assert kept.blocks == 1 and 2 * MB <= kept.kept < 2.1 * MB
    second = doubled(y)
    assert address(second) == where and memory.result_memory().reused == before.reused + 1
    np.testing.assert_array_equal(second, y * 2.0)


def test_memory_of_a_result_that_lives_is_never_given_away() -> None:
    x = large()
    alive = [doubled(x) for _ in range(5)]
    view = alive[0][10:20]
    buffer = memoryview(alive[1])
    expected = [address(each) for each in alive]
    assert len(set(expected)) == 5
    del alive[:2]  # the view and the buffer hold theirs
    more = [doubled(large(value=7.0)) for _ in range(3)]
    assert not {address(each) for each in more} & set(expected)
    assert view.tolist() == [2.0] * 10 and buffer[3] == 2.0
    for each in alive:
        assert each[0] == 2.0 and each[-1] == 2.0


def test_small_results_and_numpys_own_have_memory_of_their_own() -> None:
    assert get_handler_name(doubled(large(MB // 2))) == NUMPYS
    result = doubled(large())
    assert get_handler_name(result.copy()) == NUMPYS
    assert get_handler_name(result + 1.0) == NUMPYS
    assert get_handler_name() == NUMPYS


def test_sizes_that_are_near_share_blocks_and_others_do_not() -> None:
    first = doubled_of_any_size(large(4 * MB))
    where = address(first)
    del first
    small = doubled_of_any_size(large(2 * MB))
    assert address(small) != where
    near = doubled_of_any_size(large(4 * MB - MB // 4))
    assert address(near) == where and near.nbytes == 4 * MB - MB // 4
    np.testing.assert_array_equal(near, 2.0)


def test_no_more_is_kept_than_the_setting_says_and_the_oldest_go_first() -> None:
    with gl.config.patch(large_result_cache=7 * MB):
        alive = [doubled(large()) for _ in range(4)]
        places = [address(each) for each in alive]
        while alive:
            alive.pop(0)
        kept = memory.result_memory()
        assert kept.blocks == 3 and kept.kept <= 7 * MB
        assert {address(each) for each in [doubled(large()) for _ in range(3)]} == set(places[1:])
        doubled_of_any_size(large(8 * MB))  # larger than all that may be kept
        assert memory.result_memory().kept <= 7 * MB
    with gl.config.patch(large_result_cache=0):
        assert memory.result_memory().kept == 0
        doubled(large())
        assert memory.result_memory().kept == 0


def test_many_blocks_are_not_kept() -> None:
    alive = [doubled(large(MB)) for _ in range(40)]
    alive.clear()
    assert memory.result_memory().blocks <= 32


def test_an_array_that_was_resized_is_freed_as_what_it_is() -> None:
    for nbytes in (8 * MB, MB // 2, 16):
        result = doubled(large())
        result.resize(nbytes // 8, refcheck=False)
        assert result[0] == 2.0
        result[...] = 3.0
        del result
        again = [doubled(large(nbytes, 4.0)), doubled(large(value=5.0))]
        assert [float(each.sum()) for each in again] == [8.0 * (nbytes // 8), 10.0 * (2 * MB // 8)]


def test_a_program_that_gives_memory_in_its_own_way_gets_it_from_there() -> None:
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(
        cpython_api.numpy_functions()["guardlift_set_memory_handler"]
    )
    default = cpython_api.default_memory_handler()
    theirs = memory._MemoryHandler.from_buffer_copy(
        memory._MemoryHandler.from_address(cpython_api.capsule_pointer(default, b"mem_handler"))
    )
    theirs.name = b"theirs"
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype = ctypes.py_object
    new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new_capsule(ctypes.addressof(theirs), memory._CAPSULE_NAME, None)
    assert set_handler(capsule) is default
    try:
        result = doubled(large())
        assert get_handler_name(result) == "theirs" == get_handler_name()
        del result
    finally:
        assert set_handler(default) is capsule
    assert get_handler_name(doubled(large())) == OURS


def test_a_result_for_which_there_is_no_memory_leaves_numpy_as_it_was() -> None:
    @gl.jit(dynamic=True)
    def spread(x: Any) -> Any:
        return x[:, None] + np.zeros((1, 1 << 21))

    assert spread(np.ones(2)).shape == (2, 1 << 21)
    base = np.broadcast_to(np.float64(1.0), (1 << 24,))
    with pytest.raises(MemoryError):
        spread(base)
    assert get_handler_name() == NUMPYS


def test_threads_make_and_drop_results_at_once() -> None:
    wrong: list[float] = []

    def work(value: float) -> None:
        x = large(MB, value)
        held = []
        for _ in range(60):
            held.append(doubled(x))
            if len(held) > 3:
                last = held.pop(0)
                if not (last == value * 2.0).all():
                    wrong.append(value)

    doubled(large(MB))
    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_tracemalloc_sees_arrays_and_not_what_is_kept() -> None:
    doubled(large())
    memory.free_result_memory()
    x = large()
    tracemalloc.start()
    try:
        result = doubled(x)
        assert tracemalloc.get_traced_memory()[0] >= 2 * MB
        del result
        assert tracemalloc.get_traced_memory()[0] < MB
        again = doubled(x)
        assert tracemalloc.get_traced_memory()[0] >= 2 * MB and again[0] == 2.0
    finally:
        tracemalloc.stop()


def test_results_of_tensors_too() -> None:
    @gl.jit
    def shifted(x: Any) -> Any:
        return x + 1.0

    x = gl.ones(MB)
    where = shifted(x).data_ptr()
    again = shifted(x)
    assert again.data_ptr() == where and float(again.sum()) == 2.0 * MB


def test_the_summary_tells_and_reset_frees() -> None:
    doubled(large())
    found = gl.compiled_memory()
    assert 2 * MB <= found.results <= found.total and found.results_made > 0
    assert f"{found.results:>10}  kept for large results" in gl.memory_summary()
    gl.reset()
    assert gl.compiled_memory().results == 0


PROGRAM = """
import os, sys
import numpy as np
import guardlift as gl

@gl.jit
def doubled(x):
    return x * 2.0

x = np.ones(1 << 20)
kept = doubled(x)
doubled(x)
if sys.argv[1] == "fork":
    child = os.fork()
    result = doubled(x)
    assert result.sum() == 2 << 20
    if child:
        assert os.waitpid(child, 0)[1] == 0
sys.modules["held until the end"] = kept
"""


@pytest.mark.parametrize("how", ["exit", "fork"])
def test_processes_that_end_or_fork_with_results(how: str) -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PROGRAM, how]  # from 3.12 on, of forks at all
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ)
    assert (ran.returncode, ran.stderr) == (0, "")
