"""Calls of the CUDA driver, answered by a stand-in for its library that keeps memory on the host."""

import ctypes
import sys
from dataclasses import replace

import numpy as np
import pytest

from guardlift.backend.cuda import driver
from guardlift.backend.cuda.compiler import device_code
from guardlift.backend.cuda.compiler.device_code import DeviceImage
from guardlift.backend.cuda.driver_library import DriverLibrary
from guardlift.backend.cuda.launch_grid import Launch
from guardlift.core.errors import (
    CudaError,
    DeviceLostError,
    ForkedProcessError,
    KernelError,
    NoDeviceError,
    NoDriverError,
    OldDriverError,
    OutOfMemoryError,
)

FUNCTION = 0x77


class Library:
    """The functions of libcuda that `Gpu` calls. Launches and what else is of interest are noted down.

    fails: by the name of a function, the status that it answers from now on."""

    def __init__(self, memory_left=1 << 30, pools=1):
        self.blocks, self.launches, self.memory_left, self.pools = {}, [], memory_left, pools
        self.calls, self.fails, self.threshold, self.pinned = [], {}, None, []

    def __getattribute__(self, name):
        found = object.__getattribute__(self, name)
        if not name.startswith("cu"):
            return found
        self.calls.append(name)
        status = self.fails.get(name)
        return found if status is None else lambda *_: status

    def cuInit(self, flags):
        return 0

    def cuDriverGetVersion(self, version):
        version._obj.value = 13010
        return 0

    def cuDeviceGet(self, device, number):
        return 0

    def cuDevicePrimaryCtxRetain(self, context, device):
        context._obj.value = 5
        return 0

    def cuCtxSetCurrent(self, context):
        return 0 if context.value == 5 else 201

    def cuDeviceGetAttribute(self, found, which, device):
        found._obj.value = {75: 9, 76: 0, 16: 132, 115: self.pools}[which.value]
        return 0

    def cuMemGetInfo_v2(self, free, total):
        free._obj.value, total._obj.value = self.memory_left, 1 << 31
        return 0

    def cuMemPoolCreate(self, pool, properties):
        kind = properties._obj
        pool._obj.value = 8
        return 0 if (kind.kind, kind.location, kind.device, ctypes.sizeof(kind)) == (1, 1, 0, 88) else 1

    def cuMemPoolSetAttribute(self, pool, which, value):
        self.threshold = value._obj.value
        return 0 if (pool.value, which.value) == (8, 4) else 1

    def cuMemPoolTrimTo(self, pool, keep):
        return 0

    def cuMemAlloc_v2(self, address, size):
        if self.memory_left < size.value:
            return 2
        self.memory_left -= size.value
        block = ctypes.create_string_buffer(size.value)
        address._obj.value = ctypes.addressof(block)
        self.blocks[address._obj.value] = block
        return 0

    def cuMemAllocFromPoolAsync(self, address, size, pool, stream):
        return self.cuMemAlloc_v2(address, size) if pool.value == 8 and stream is None else 1

    def cuMemFree_v2(self, address):
        self.memory_left += len(self.blocks.pop(address.value))
        return 0

    def cuMemFreeAsync(self, address, stream):
        return self.cuMemFree_v2(address)

    def cuMemAllocHost_v2(self, place, size):
        self.pinned.append(ctypes.create_string_buffer(size.value))
        place._obj.value = ctypes.addressof(self.pinned[-1])
        return 0

    def cuMemFreeHost(self, place):
        self.pinned = [each for each in self.pinned if ctypes.addressof(each) != place.value]
        return 0

    def cuEventCreate(self, event, flags):
        event._obj.value = 9
        return 0

    def cuEventRecord(self, event, stream):
        return 0

    def cuEventSynchronize(self, event):
        return 0

    def cuEventDestroy_v2(self, event):
        return 0

    def cuEventQuery(self, event):
        return 0

    def cuStreamSynchronize(self, stream):
        return 0

    def cuStreamWaitEvent(self, stream, event, flags):
        return 0

    def cuCtxSynchronize(self):
        return 0

    def cuMemcpyHtoD_v2(self, address, source, size):
        ctypes.memmove(address.value, source.value, size.value)
        return 0

    def cuMemcpyDtoH_v2(self, target, address, size):
        ctypes.memmove(target.value, address.value, size.value)
        return 0

    def cuMemcpyHtoDAsync_v2(self, address, source, size, stream):
        ctypes.memmove(address.value, source.value, size.value)
        return 0

    def cuMemcpyDtoHAsync_v2(self, target, address, size, stream):
        ctypes.memmove(target.value, address.value, size.value)
        return 0

    def cuMemcpyDtoDAsync_v2(self, target, source, size, stream):
        ctypes.memmove(target.value, source.value, size.value)
        return 0

    def cuMemcpy2DUnaligned_v2(self, copy):
        copy = copy._obj
        source = copy.source_host if copy.source_type == 1 else copy.source_device
        target = copy.target_host if copy.target_type == 1 else copy.target_device
        for row in range(copy.height):
            ctypes.memmove(target + row * copy.target_pitch, source + row * copy.source_pitch, copy.width)
        return 0 if copy.source_type != copy.target_type else 1

    def cuModuleLoadData(self, module, image):
        module._obj.value = 6
        return 0 if image.value == b"ptx" else 218

    def cuModuleGetFunction(self, function, module, name):
        function._obj.value = FUNCTION
        return 0 if (module.value, name.value) == (6, b"entry") else 500

    def cuLaunchKernel(self, function, *rest):
        *sizes, shared, stream, parameters, extra = rest
        values = [ctypes.cast(place, ctypes.POINTER(ctypes.c_int64))[0] for place in parameters]
        self.launches.append((function.value, [size.value for size in sizes], shared.value, stream, values, extra))
        return 0

    def cuGetErrorString(self, status, text):
        text._obj.value = {2: b"out of memory"}.get(status.value, b"?")
        return 0


@pytest.mark.parametrize("nbytes", [0, 24, 65536, 65537, (5 << 21) + 13])
def test_bytes_go_to_the_device_and_back(nbytes):
    gpu = driver.Gpu(Library())
    address = gpu.allocate(nbytes)
    data = np.random.default_rng(0).integers(0, 256, nbytes, np.uint8)
    gpu.upload(address, data)
    back = np.zeros(nbytes, np.uint8)
    gpu.download(address, back)
    np.testing.assert_array_equal(back, data)


def test_large_copies_go_through_pinned_memory_and_never_wait_for_pageable():
    library = Library()
    gpu = driver.Gpu(library)
    address, data = gpu.allocate(10 << 20), np.zeros(10 << 20, np.uint8)
    gpu.upload(address, data)
    gpu.download(address, data)
    assert not {"cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2"} & set(library.calls)
    assert len(library.pinned) == 4


def test_without_pinned_memory_the_driver_copies_by_itself():
    library = Library()
    library.fails["cuMemAllocHost_v2"] = 2
    gpu = driver.Gpu(library)
    address, data, back = gpu.allocate(1 << 20), np.arange(1 << 17), np.zeros(1 << 17, np.int64)
    gpu.upload(address, data.view(np.uint8))
    gpu.download(address, back.view(np.uint8))
    np.testing.assert_array_equal(back, data)


def test_rows_go_to_places_that_lie_apart():
    gpu = driver.Gpu(Library())
    address = gpu.allocate(64)
    gpu.upload(address, np.zeros(64, np.uint8))
    rows = np.arange(12, dtype=np.uint8).reshape(4, 3)
    gpu.upload_rows(address + 2, 16, rows)
    back, whole = np.zeros((4, 3), np.uint8), np.zeros(64, np.uint8)
    gpu.download_rows(address + 2, 16, back)
    gpu.download(address, whole)
    np.testing.assert_array_equal(back, rows)
    np.testing.assert_array_equal(np.flatnonzero(whole), [3, 4, 18, 19, 20, 34, 35, 36, 50, 51, 52])


def test_the_pool_is_our_own_and_keeps_half_of_what_was_free_at_most():
    library = Library(memory_left=1000)
    driver.Gpu(library)
    assert library.threshold == 500


def test_nothing_is_managed_memory():
    library = Library()
    gpu = driver.Gpu(library)
    gpu.free(gpu.allocate(10))
    assert not [name for name in library.calls if "Managed" in name]


def test_without_pools_blocks_are_plain_allocations():
    library = Library(pools=0)
    gpu = driver.Gpu(library)
    gpu.free(gpu.allocate(2 << 20))
    assert "cuMemPoolCreate" not in library.calls and not library.blocks


def test_pinned_memory_is_given_back_with_the_last_array():
    library = Library()
    gpu = driver.Gpu(library)
    address = gpu.allocate_pinned(100)
    assert len(library.pinned) == 1
    gpu.free_pinned(address)
    assert not library.pinned


def test_a_copy_that_nobody_waits_for_keeps_what_it_reads():
    library = Library()
    gpu, data = driver.Gpu(library), np.arange(100, dtype=np.uint8)
    address, alone = gpu.allocate(100), sys.getrefcount(data)
    library.fails["cuEventQuery"] = 600  # not ready
    gpu.upload_pinned(address, data, wait=False)
    assert sys.getrefcount(data) > alone
    del library.fails["cuEventQuery"]
    gpu.upload_pinned(address, np.arange(100, dtype=np.uint8), wait=False)
    assert sys.getrefcount(data) == alone and "cuStreamSynchronize" not in library.calls
    gpu.upload_pinned(address, data, wait=True)
    assert "cuStreamSynchronize" in library.calls


def test_other_streams_are_ordered_by_events():
    library = Library()
    gpu = driver.Gpu(library)
    gpu.let_wait(77)
    gpu.wait_for(2)
    assert library.calls.count("cuStreamWaitEvent") == library.calls.count("cuEventDestroy_v2") == 2


def test_a_kernel_is_loaded_once_and_launched_with_its_arguments(monkeypatch):
    asked = []
    monkeypatch.setattr(device_code, "device_image", lambda text, capability: asked.append((text, capability)) or CODE)
    library = Library()
    gpu = driver.Gpu(library)
    assert gpu.load("text") is gpu.load("text") and asked == [("text", (9, 0))]
    gpu.launch(gpu.load("text"), Launch((4, 2, 1), (32, 8, 1)), [1 << 40, -3])
    assert library.launches == [(FUNCTION, [4, 2, 1, 32, 8, 1], 0, None, [1 << 40, -3], None)]


CODE = DeviceImage(b"ptx", "entry")


@pytest.mark.parametrize("has_compiler", [True, False])
def test_code_from_disk_that_the_driver_refuses_is_compiled_anew_where_it_can_be(has_compiler, monkeypatch):
    asked = []

    def image(text, capability, anew=False):
        asked.append(anew)
        if anew and not has_compiler:
            raise KernelError("no compiler")
        if anew:
            del library.fails["cuModuleLoadData"]
        return replace(CODE, maker="a compiler 14", was_kept=not anew)

    monkeypatch.setattr(device_code, "device_image", image)
    library = Library()
    gpu = driver.Gpu(library)
    library.fails["cuModuleLoadData"] = 209
    if has_compiler:
        with pytest.warns(RuntimeWarning, match="refused a GPU's kernel .*; it was compiled anew"):
            assert gpu.load("text") is gpu.load("text")
    else:
        with pytest.raises(OldDriverError, match=r"knows CUDA 13\.1, and the code was made by a compiler 14: by a"):
            gpu.load("text")
    assert asked == [False, True]


def test_launches_fill_the_device_they_are_on():
    assert driver.Gpu(Library()).limits.blocks == 132 * 16


def test_a_failure_is_told_in_the_drivers_words():
    library = Library()
    gpu = driver.Gpu(library)
    library.fails["cuLaunchKernel"] = 1
    with pytest.raises(CudaError, match=r"cuLaunchKernel failed with CUDA error 1: \?"):
        gpu.launch(FUNCTION, Launch((1, 1, 1), (1, 1, 1)), [])


def test_full_memory_says_who_holds_how_much():
    gpu = driver.Gpu(Library(memory_left=3 << 20))
    held = gpu.allocate(2 << 20)
    with gpu.memory.held_by("compiled calls"):
        gpu.allocate(600)
    with pytest.raises(
        OutOfMemoryError, match=r"4.0 MiB were asked for(.|\n)*compiled calls: 1.0 KiB in 1 block"
    ) as told:
        gpu.allocate(4 << 20)
    assert "tensors: 2.0 MiB in 1 block" in str(told.value)
    gpu.free(held)
    gpu.allocate(2 << 20)


def test_a_failure_that_is_no_lack_of_memory_is_told_as_such():
    library = Library()
    gpu = driver.Gpu(library)
    library.fails["cuMemAllocFromPoolAsync"] = 1
    with pytest.raises(CudaError) as told:
        gpu.allocate(4096)
    assert not isinstance(told.value, OutOfMemoryError)


@pytest.mark.parametrize("status", [700, 716, 719])
def test_a_lost_context_says_so_and_finalizers_keep_quiet(status):
    library = Library()
    gpu = driver.Gpu(library)
    address = gpu.allocate(4 << 20)
    library.fails["cuCtxSynchronize"] = status
    with pytest.raises(DeviceLostError, match=rf"CUDA error {status}(.|\n)*Start the process anew"):
        gpu.wait()
    before = len(library.calls)
    gpu.free(address)
    assert len(library.calls) == before


@pytest.mark.parametrize(
    ("function", "status", "kind", "told"),
    [
        ("cuInit", 100, NoDeviceError, "finds no GPU.*nvidia-smi"),
        ("cuDeviceGet", 101, NoDeviceError, "finds no GPU"),
        ("cuInit", 803, OldDriverError, "different versions"),
    ],
)
def test_what_is_missing_has_an_error_of_its_own(function, status, kind, told):
    library = Library()
    library.fails[function] = status
    with pytest.raises(kind, match=told):
        driver.Gpu(library)


def test_hidden_gpus_are_told(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    library = Library()
    library.fails["cuInit"] = 100
    with pytest.raises(NoDeviceError, match="CUDA_VISIBLE_DEVICES is ''"):
        driver.Gpu(library)


def test_a_driver_older_than_the_code_is_told_with_both_versions(monkeypatch):
    monkeypatch.setattr(device_code, "device_image", lambda text, capability: CODE)
    library = Library()
    gpu = driver.Gpu(library)
    library.fails["cuModuleLoadData"] = 222
    with pytest.raises(OldDriverError, match=r"knows CUDA 13\.1.*pip install 'cuda-toolkit==13\.1\.\*'"):
        gpu.load("text")


def test_a_forked_child_is_told_what_to_do():
    import os

    library = DriverLibrary(Library())
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            library("cuInit", ctypes.c_uint(0))
            os.write(writer, b"nothing")
        except ForkedProcessError as error:
            os.write(writer, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert b"cannot use it; start workers with multiprocessing.set_start_method('spawn')" in os.read(reader, 1000)
    library("cuInit", ctypes.c_uint(0))


def test_without_a_driver_the_error_says_so(monkeypatch):
    from guardlift.backend.cuda import driver_library

    monkeypatch.setattr(driver_library, "LIBRARY", "libcuda-that-is-not-there.so")
    with pytest.raises(NoDriverError, match="no CUDA driver on this machine.*NUMBA_ENABLE_CUDASIM=1"):
        driver.Gpu()
