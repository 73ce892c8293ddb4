"""Memory of a device: what is held, what is too much, and what the host does with it. `test_simulated.py` runs this."""

import ctypes
import gc
import os
import warnings

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cuda.device import current, is_simulated
from guardlift.backend.cuda.driver import Gpu
from guardlift.core.devices.arrays import DeviceArray, fetched, moved


@pytest.fixture(autouse=True)
def no_silent_breaks():
    """A graph break fails the test."""
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("error", gl.GraphBreakWarning)
        yield


def held():
    gc.collect()
    return gl.cuda.memory_allocated()


def test_a_block_is_held_as_long_as_a_tensor_or_a_view_needs_it():
    gl.ones(300, 1000, device="cuda")[1:, ::2].t().sum()  # which leaves the memory for intermediates of such a sum
    before = held()
    x = gl.ones(300, 1000, device="cuda")
    assert held() - before >= x.nbytes
    view = x[1:, ::2].t()
    del x
    assert held() - before >= 300 * 1000 * 4 and view.sum().item() == 299 * 500
    del view
    assert held() == before


def test_what_compiled_calls_need_is_given_back():
    x = gl.randn(40, 30, device="cuda")
    step = gl.jit(lambda x: (x @ x.t()).tanh().sum(0))
    step(x)
    before = held()
    result = step(x)
    assert held() - before < 2048
    del result
    assert held() == before


def test_full_memory_is_an_error_of_its_own_and_no_break():
    x = gl.ones(200, 200, device="cuda")
    outer = gl.jit(lambda x: (x.reshape(-1, 1) + x.reshape(1, -1)).sum(1, keepdim=True) * x.reshape(1, -1))
    with gl.config.patch(cuda_limit=gl.cuda.memory_reserved() + (1 << 20)):
        for _ in range(2):
            with pytest.raises(gl.cuda.OutOfMemoryError, match="asked for, which GUARDLIFT_CUDA_LIMIT does not allow"):
                outer(x)
        assert (x + 1).sum().item() == 80000  # what is small still fits
    small = gl.ones(2, 2, device="cuda")
    assert outer(small).shape == (4, 4)


def test_the_summary_tells_who_holds_how_much():
    x = gl.ones(512, 512, device="cuda")
    gl.cuda.reset_peak_memory_stats()
    text, counts = gl.cuda.memory_summary(), gl.cuda.memory_stats()
    assert "tensors: " in text and "the largest blocks: " in text
    assert counts["allocated"] == gl.cuda.memory_allocated() == gl.cuda.max_memory_allocated() >= x.nbytes
    assert gl.cuda.memory_reserved() <= gl.cuda.max_memory_reserved()
    free, total = gl.cuda.mem_get_info()
    assert 0 < free <= total


def test_caches_are_emptied():
    x = gl.ones(10, device="cuda")
    del x
    gc.collect()
    gl.cuda.empty_cache()
    assert gl.cuda.memory_stats()["kept"] == 0


@pytest.mark.parametrize("nbytes", [1, 65536, 65537, 9_000_001])
def test_bytes_go_there_and_back(nbytes):
    data = np.random.default_rng(0).integers(0, 256, nbytes, np.uint8)
    np.testing.assert_array_equal(fetched(moved(data)), data)


@pytest.mark.parametrize(
    "part",
    [
        lambda x: x[:, 3],
        lambda x: x[1:5, 2:4],
        lambda x: x[::2, ::3],
        lambda x: x[::-1, 1:][:3],
        lambda x: x.transpose(1, 0)[2:],
        lambda x: x.reshape(2, 3, 2, 4).transpose(2, 0, 3, 1)[1, :, ::2],
        lambda x: np.broadcast_to(x[:1], (4, 8)),
    ],
)
def test_parts_are_read_and_written_where_they_are(part):
    host = np.arange(48.0).reshape(6, 8)
    device = moved(host)
    seen = part(device)
    assert type(seen) is DeviceArray
    np.testing.assert_array_equal(fetched(seen), part(host))
    if seen.writeable:
        part(host)[...] = -1.0
        seen[...] = -1.0
        np.testing.assert_array_equal(fetched(device), host)


def test_pinned_memory_goes_there_while_the_program_goes_on():
    pinned = gl.arange(1000.0).pin_memory()
    there = [pinned.to("cuda", non_blocking=True) for _ in range(3)]
    gl.cuda.synchronize()
    assert all((each.cpu() == gl.arange(1000.0)).all() for each in there)


def test_an_allocator_of_the_user():
    given, taken = [], []
    memory = current().memory

    def allocate(nbytes):
        given.append(memory.own.take(nbytes))
        return given[-1]

    def free(address):
        taken.append(address)
        memory.own.give(address)

    gl.cuda.set_allocator(allocate, free)
    try:
        x = gl.ones(1000, device="cuda") * 2
        assert x.sum().item() == 2000.0
        del x
        gc.collect()
    finally:
        gl.cuda.set_allocator(None)
    gl.ones(3, device="cuda")
    assert given and sorted(given) == sorted(taken)


def test_dlpack_of_a_result_of_compiled_code():
    class Other:
        def __init__(self, tensor):
            self.tensor = tensor

        def __dlpack_device__(self):
            return self.tensor.__dlpack_device__()

        def __dlpack__(self, **keywords):
            return self.tensor.__dlpack__(**keywords)

    double = gl.jit(lambda x: x * 2)
    before = held()
    seen = gl.from_dlpack(Other(double(gl.arange(6.0, device="cuda"))))
    assert double(seen).tolist() == [0.0, 4.0, 8.0, 12.0, 16.0, 20.0]
    del seen
    assert held() == before


def test_calls_of_a_driver_are_what_they_should_be():
    device = current()
    if is_simulated():
        pytest.skip("the simulator has no driver")
    assert type(device) is Gpu
    x = gl.ones(64, device="cuda")
    step = gl.jit(lambda x: x * 2 + 1)
    step(x)
    names, library = [], device.driver._library

    class Noting:
        def __getattr__(self, name):
            names.append(name)
            return getattr(library, name)

    device.driver._library = Noting()
    try:
        result = step(x)
    finally:
        device.driver._library = library
    assert not {name for name in names if "Managed" in name or "Synchronize" in name or "Memcpy" in name}
    assert "cuLaunchKernel" not in names and result.tolist() == [3.0] * 64  # native code calls that itself


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_gets_an_error_that_says_what_to_do():
    if is_simulated():
        pytest.skip("the simulator works in forked children")
    x = gl.ones(3, device="cuda")
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            x.tolist()
        except gl.cuda.ForkedProcessError as error:
            os.write(writer, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with os.fdopen(reader) as said:
        assert "multiprocessing.set_start_method('spawn')" in said.read()
    assert x.tolist() == [1.0] * 3


def test_a_kernel_that_fails_loses_the_device_and_is_no_break():
    library = None if is_simulated() else current().driver._library
    if not hasattr(library, "stand_in_set"):
        pytest.skip("only the stand-in fails on request, and is found again")
    x = gl.ones(3, device="cuda")
    step = gl.jit(lambda x: x * 3)
    library.stand_in_set(b"fail", b"cuLaunchKernel:1:719")
    try:
        for call in (step, lambda x: x.tolist()):
            try:
                call(x)
            except gl.cuda.DeviceLostError as error:
                assert "Start the process anew" in str(error)
                break
        else:
            pytest.fail("nobody was told")
    finally:
        library.stand_in_set(b"fail", b"")
        library.stand_in_recover()
        current().driver.is_usable = True
    assert step(x).tolist() == [3.0] * 3


def test_code_that_the_driver_does_not_know_is_an_error_with_both_versions(monkeypatch):
    if is_simulated() or not hasattr(ctypes.CDLL("libcuda.so.1"), "stand_in_set"):
        pytest.skip("only the stand-in refuses on request")
    library, x = current().driver._library, gl.ones(3, device="cuda")
    library.stand_in_set(b"fail", b"cuModuleLoadData:1:222,cuModuleLoadData:2:222")  # from disk, and made anew
    try:
        with pytest.raises(gl.cuda.OldDriverError, match=r"knows CUDA 13\.0.*made by nvidia-nv.*cuda-toolkit==13\.0"):
            gl.jit(lambda x: x * 3 - 77)(x)
    finally:
        library.stand_in_set(b"fail", b"")
