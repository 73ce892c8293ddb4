"""Calls of the CUDA driver, answered by a stand-in for its library that keeps memory on the host."""

import ctypes

import numpy as np
import pytest

from guardlift.backend.cuda import driver
from guardlift.backend.cuda.device_code import DeviceImage
from guardlift.backend.cuda.launch_grid import Launch
from guardlift.core.errors import KernelError

FUNCTION = 0x77


class Library:
    """The functions of libcuda that `Gpu` calls; a launch writes its arguments into a list."""

    def __init__(self, memory_left=1 << 20):
        self.blocks, self.launches, self.memory_left = [], [], memory_left
        self.managed = self.waits = 0

    def cuInit(self, flags):
        return 0

    def cuDeviceGet(self, device, number):
        return 0

    def cuDevicePrimaryCtxRetain(self, context, device):
        context._obj.value = 5
        return 0

    def cuCtxSetCurrent(self, context):
        return 0 if context.value == 5 else 201

    def cuDeviceGetAttribute(self, found, which, device):
        found._obj.value = {75: 9, 76: 0, 16: 132}[which.value]
        return 0

    def cuMemAlloc_v2(self, address, size):
        self.memory_left -= size.value
        if self.memory_left < 0:
            return 2
        self.blocks.append(ctypes.create_string_buffer(size.value))
        address._obj.value = ctypes.addressof(self.blocks[-1])
        return 0

    def cuMemAllocManaged(self, address, size, flags):
        self.managed += flags.value == 1
        return self.cuMemAlloc_v2(address, size)

    def cuCtxSynchronize(self):
        self.waits += 1
        return 0

    def cuMemcpyHtoD_v2(self, address, source, size):
        ctypes.memmove(address.value, source.value, size.value)
        return 0

    def cuMemcpyDtoH_v2(self, target, address, size):
        ctypes.memmove(target.value, address.value, size.value)
        return 0

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


def test_bytes_go_to_the_device_and_back():
    gpu = driver.Gpu(Library())
    address = gpu.allocate(24)
    gpu.upload(address, np.arange(24, dtype=np.uint8))
    back = np.zeros(24, np.uint8)
    gpu.download(address, back)
    assert list(back) == list(range(24))


def test_memory_that_was_freed_is_used_again():
    library = Library()
    gpu = driver.Gpu(library)
    first = gpu.allocate(100)
    gpu.free(first)
    assert gpu.allocate(300) == first and gpu.allocate(300) != first
    assert len(library.blocks) == 2


def test_memory_that_the_host_sees_is_managed_and_kept_apart():
    library = Library()
    gpu = driver.Gpu(library)
    shared = gpu.allocate_shared(100)
    gpu.free(shared)
    assert gpu.allocate(100) != shared and gpu.allocate_shared(100) == shared
    assert (library.managed, len(library.blocks)) == (1, 2)
    gpu.wait()
    assert library.waits == 1


def test_a_kernel_is_loaded_once_and_launched_with_its_arguments(monkeypatch):
    asked = []
    monkeypatch.setattr(driver, "device_image", lambda text, capability: asked.append((text, capability)) or CODE)
    library = Library()
    gpu = driver.Gpu(library)
    assert gpu.load("text") is gpu.load("text") and asked == [("text", (9, 0))]
    gpu.launch(gpu.load("text"), Launch((4, 2, 1), (32, 8, 1)), [1 << 40, -3])
    assert library.launches == [(FUNCTION, [4, 2, 1, 32, 8, 1], 0, None, [1 << 40, -3], None)]


CODE = DeviceImage(b"ptx", "entry")


def test_launches_fill_the_device_they_are_on():
    assert driver.Gpu(Library()).limits.blocks == 132 * 16


def test_a_failure_is_told_in_the_drivers_words():
    gpu = driver.Gpu(Library(memory_left=100))
    with pytest.raises(KernelError, match=r"cuMemAlloc_v2 failed with CUDA error 2: out of memory"):
        gpu.allocate(4096)


def test_without_a_driver_the_error_says_so(monkeypatch):
    monkeypatch.setattr(driver, "LIBRARY", "libcuda-that-is-not-there.so")
    with pytest.raises(KernelError, match="no CUDA driver on this machine"):
        driver.Gpu()
