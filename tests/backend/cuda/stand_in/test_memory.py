"""Memory of the stand-in: out of the host's reach, noise at first, counted, and gone once it is freed."""

import ctypes
import subprocess
import sys

import numpy as np
import pytest
from backend.cuda.stand_in.build import built
from backend.cuda.stand_in.stand_in_driver import NO_COMPILER, DriverError, stand_in

pytestmark = pytest.mark.skipif(bool(NO_COMPILER), reason=f"there is no {NO_COMPILER} here")
THRESHOLD, RESERVED, USED, MOST_USED = 4, 5, 7, 8
ADD_ONE = "ld.global.u32 %r1, [%d0]; add.u32 %r1, %r1, 1; st.global.u32 [%d0], %r1;"
READS = """
import ctypes
library = ctypes.CDLL({library!r})
context, address = ctypes.c_void_p(), ctypes.c_uint64()
library.cuInit(0)
library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
library.cuCtxSetCurrent(context)
assert library.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(64)) == 0
print(address.value > 0, flush=True)
print(ctypes.string_at(address.value, 8))
"""


class Pool:
    """The default pool and its attributes."""

    def __init__(self):
        self.handle = stand_in().made("cuDeviceGetDefaultMemPool", ctypes.c_int(0))

    def get(self, which):
        value = ctypes.c_uint64()
        stand_in().call("cuMemPoolGetAttribute", self.handle, ctypes.c_int(which), ctypes.byref(value))
        return value.value

    def set(self, which, value):
        stand_in().call("cuMemPoolSetAttribute", self.handle, ctypes.c_int(which), ctypes.byref(ctypes.c_uint64(value)))


def pool_block(nbytes, stream=None):
    return stand_in().made("cuMemAllocAsync", ctypes.c_size_t(nbytes), stream, kind=ctypes.c_uint64).value


def test_the_host_cannot_read_it():
    program = READS.format(library=str(built() / "libcuda.so.1"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("True\n", -11)


def test_fresh_memory_is_noise_and_no_address_comes_twice():
    device = stand_in()
    first = device.allocate(4096)
    noise = device.get(first, np.zeros(4096, np.uint8))
    assert np.unique(noise).size > 200
    device.call("cuMemFree_v2", ctypes.c_uint64(first))
    assert device.allocate(4096) != first


def test_a_kernel_that_uses_freed_memory_fails():
    device = stand_in()
    kernel = device.kernel(ADD_ONE)
    with device.options():
        address = pool_block(64)
        device.launch(kernel, address)  # in the order of the stream: still there
        device.call("cuMemFreeAsync", ctypes.c_uint64(address), None)
        device.wait()
        device.launch(kernel, address)
        with pytest.raises(DriverError, match="700"):
            device.wait()


def test_memory_of_one_stream_is_not_there_for_another_before_it_is_allocated():
    device = stand_in()
    kernel = device.kernel(ADD_ONE)
    mine, other = (device.made("cuStreamCreate", ctypes.c_uint(1)) for _ in range(2))
    address = pool_block(64, mine)
    event = device.made("cuEventCreate", ctypes.c_uint(0))
    device.call("cuEventRecord", event, mine)
    device.call("cuStreamWaitEvent", other, event, ctypes.c_uint(0))
    device.launch(kernel, address, stream=other)
    device.call("cuStreamSynchronize", other)
    with device.options():
        address = pool_block(64, mine)
        device.launch(kernel, address, stream=other)
        with pytest.raises(DriverError, match="700"):
            device.call("cuStreamSynchronize", other)


def test_a_pool_counts_what_it_holds():
    device, pool = stand_in(), Pool()
    device.wait()
    before = pool.get(USED)
    pool.set(MOST_USED, 0)
    pool.set(THRESHOLD, 1 << 40)
    address = pool_block(5 << 20)
    assert pool.get(USED) - before == 5 << 20 and pool.get(RESERVED) >= pool.get(USED)
    device.call("cuMemFreeAsync", ctypes.c_uint64(address), None)
    device.wait()
    assert pool.get(USED) == before and pool.get(RESERVED) >= 5 << 20 and pool.get(MOST_USED) >= 5 << 20
    device.call("cuMemPoolTrimTo", pool.handle, ctypes.c_size_t(0))
    assert pool.get(RESERVED) < 5 << 20
    pool.set(THRESHOLD, 0)


def test_there_is_an_end_to_it():
    device = stand_in()
    with device.options(memory=1 << 20):
        with pytest.raises(DriverError, match="^2$"):
            device.allocate(2 << 20)
        with pytest.raises(DriverError, match="^2$"):
            pool_block(2 << 20)
    device.allocate(2 << 20)


def test_failures_that_are_asked_for_come_one_after_the_other():
    device = stand_in()
    kernel, address = device.kernel("ret;"), device.allocate(64)
    with device.options(fail="cuMemAlloc_v2:2,cuLaunchKernel:1,cuModuleLoadData:1:222"):
        device.allocate(64)
        with pytest.raises(DriverError, match="^2$"):
            device.allocate(64)
        device.allocate(64)
        with pytest.raises(DriverError, match="701"):
            device.launch(kernel, address)
        device.launch(kernel, address)
        with pytest.raises(DriverError, match="222"):
            device.kernel("ret;")
        device.kernel("ret;")


def test_ptx_of_a_newer_toolkit_is_refused_and_code_that_was_assembled_is_not():
    device = stand_in()
    with device.options(version=12090):
        device.kernel("ret;")
        text = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n"
        with pytest.raises(DriverError, match="222"):
            device.made("cuModuleLoadData", ctypes.c_char_p(text.encode()))
        device.made("cuModuleLoadData", ctypes.c_char_p(b"// cubin of the stand-in\n" + text.encode()))


def test_rows_are_copied_with_their_pitch():
    class Rows(ctypes.Structure):
        _fields_ = [
            *((f"{end}{name}", kind) for end in "st" for name, kind in (("x", ctypes.c_size_t), ("y", ctypes.c_size_t), ("kind", ctypes.c_uint), ("host", ctypes.c_void_p), ("device", ctypes.c_uint64), ("array", ctypes.c_void_p), ("pitch", ctypes.c_size_t))),  # noqa: E501
            ("width", ctypes.c_size_t),
            ("height", ctypes.c_size_t),
        ]  # fmt: skip

    device = stand_in()
    source, target = np.arange(12, dtype=np.uint8).reshape(3, 4), np.zeros((3, 10), np.uint8)
    address = device.put(target)
    rows = Rows(skind=1, shost=source.ctypes.data, spitch=4, tkind=2, tdevice=address + 2, tpitch=10, width=4, height=3)
    device.call("cuMemcpy2DUnaligned_v2", ctypes.byref(rows))
    target[:, 2:6] = source
    np.testing.assert_array_equal(device.get(address, target), target)
    rows.height = 4
    with pytest.raises(DriverError, match="^1$"):
        device.call("cuMemcpy2D_v2", ctypes.byref(rows))
