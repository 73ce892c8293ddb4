"""DLPack capsules of tensors on a device, given and taken."""

import gc
import threading

import numpy as np
import pytest
from core.host_device import host_device  # noqa: F401  (a fixture)

import guardlift as gl
from guardlift.backend.cuda.memory import dlpack
from guardlift.core.devices.cuda_array_interface import of_cuda_array

pytestmark = pytest.mark.usefixtures("host_device")


class Producer:
    """Another library's array: the tensor's capsule, asked for as an older or a newer library gives it."""

    def __init__(self, tensor, versioned=True, device=(2, 0)):
        self.tensor, self.versioned, self.device, self.asked = tensor, versioned, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, **keywords):
        if keywords and not self.versioned:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        self.asked.append(stream)
        return self.tensor.__dlpack__(stream=stream, **keywords)


def on_device(dtype=gl.float32):
    return gl.arange(12, device="cuda").reshape(3, 4).to(dtype)


DTYPES = (gl.float32, gl.float64, gl.float16, gl.bfloat16, gl.int8, gl.int64, gl.uint8, gl.bool)


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("dtype", (*DTYPES, gl.float8_e4m3fn, gl.float8_e5m2), ids=str)
def test_a_tensor_taken_back_sees_the_same_memory(dtype, versioned):
    x = on_device(dtype).t()[1:]
    seen = gl.from_dlpack(Producer(x, versioned))
    assert (seen.dtype, seen.shape, seen.stride()) == (x.dtype, x.shape, x.stride())
    assert seen.data_ptr() == x.data_ptr() and str(seen.device) == "cuda:0"
    assert seen.cpu().float().tolist() == x.cpu().float().tolist()


@pytest.mark.parametrize("versioned", [True, False])
def test_memory_lives_as_long_as_either_side_needs_it(host_device, versioned):  # noqa: F811
    x = on_device()
    gc.collect()
    seen = gl.from_dlpack(Producer(x, versioned))
    del x
    assert seen.sum().item() == 66.0
    view = seen[1]
    del seen
    assert view.tolist() == [4.0, 5.0, 6.0, 7.0]
    del view
    gc.collect()
    assert not host_device.blocks


@pytest.mark.parametrize("version", [None, (1, 1)])
def test_a_capsule_that_nobody_takes_lets_go(host_device, version):  # noqa: F811
    capsule = on_device().__dlpack__(max_version=version)
    gc.collect()
    assert len(host_device.blocks) == 1
    del capsule
    assert not host_device.blocks


def test_a_consumer_that_fails_raises_its_own_error(host_device):  # noqa: F811
    x = on_device()
    with pytest.raises((BufferError, RuntimeError), match="[Uu]nsupported device"):
        np.from_dlpack(x)
    del x
    gc.collect()
    assert not host_device.blocks


def test_another_thread_may_let_go(host_device):  # noqa: F811
    held = [gl.from_dlpack(on_device())]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    gc.collect()
    assert not host_device.blocks


def test_streams_are_ordered(host_device):  # noqa: F811
    x, producer = on_device(), Producer(on_device())
    gl.from_dlpack(producer)
    assert producer.asked == [1]  # the default stream, in the standard's numbers
    for stream in (None, 1, -1):
        x.__dlpack__(stream=stream)
    assert not host_device.streams
    x.__dlpack__(stream=77)
    assert host_device.streams == [("waits", 77)]


def test_read_only_memory_says_so_or_is_refused():
    x = on_device()
    x._array.writeable = False
    assert not gl.from_dlpack(Producer(x))._array.writeable
    with pytest.raises(BufferError, match="read-only"):
        x.__dlpack__()


def test_a_copy_is_a_copy():
    x = on_device()
    copied = gl.from_dlpack(Producer(x), copy=True)
    x.zero_()
    assert copied.sum().item() == 66.0
    given = x.__dlpack__(max_version=(1, 1), copy=True)
    x.fill_(5)
    producer = type("Copy", (), {"__dlpack__": lambda self, **_: given, "__dlpack_device__": lambda self: (2, 0)})()
    assert gl.from_dlpack(producer).sum().item() == 0.0


def test_the_cpu_may_ask_for_a_copy():
    x = on_device()
    taken = np.from_dlpack(Producer(gl.arange(3), device=(1, 0)))
    assert taken.tolist() == [0, 1, 2]
    capsule = x.__dlpack__(dl_device=(1, 0), max_version=(1, 0))
    assert "dltensor" in repr(capsule)
    with pytest.raises(BufferError, match="exported there, or as a copy"):
        x.__dlpack__(dl_device=(1, 0), copy=False)


def test_the_device_is_told_as_it_is():
    assert gl.ones(2).__dlpack_device__() == (1, 0)
    assert gl.ones(2, device="cuda").__dlpack_device__() == (2, 0)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda managed: setattr(managed.tensor, "device", 3), "device 2:3"),
        (lambda managed: setattr(managed.tensor, "lanes", 4), "4 lanes"),
        (lambda managed: setattr(managed, "major", 9), "version 9"),
    ],
)
def test_what_tensors_cannot_see_is_refused_and_left_to_its_owner(change, told):
    capsule = on_device().__dlpack__(max_version=(1, 1))
    change(dlpack.ManagedVersioned.from_address(dlpack._inside(id(capsule), b"dltensor_versioned")))
    producer = type("Odd", (), {"__dlpack__": lambda self, **_: capsule, "__dlpack_device__": lambda self: (2, 0)})()
    with pytest.raises(BufferError, match=told):
        gl.from_dlpack(producer)
    assert 'capsule object "dltensor_versioned"' in repr(capsule)


def test_a_capsule_is_taken_once():
    capsule = on_device().__dlpack__()
    producer = type("Odd", (), {"__dlpack__": lambda self, **_: capsule, "__dlpack_device__": lambda self: (2, 0)})()
    gl.from_dlpack(producer)
    with pytest.raises(BufferError, match="used before"):
        gl.from_dlpack(producer)


def test_what_requires_grad_is_not_exported():
    x = on_device().requires_grad_()
    with pytest.raises(BufferError, match="detach"):
        x.__dlpack__()
    with pytest.raises(RuntimeError, match="detach"):
        x.__cuda_array_interface__  # noqa: B018


class Foreign:
    """An array of a library that knows ``__cuda_array_interface__`` alone."""

    def __init__(self, tensor, **changes):
        self.held = tensor
        self.__cuda_array_interface__ = {**tensor.__cuda_array_interface__, **changes}


@pytest.mark.parametrize("make", [gl.as_tensor, gl.asarray])
def test_cudas_array_interface_both_ways(make, host_device):  # noqa: F811
    x = on_device().t()
    told = x.__cuda_array_interface__
    assert told["version"] == 3 and told["stream"] == 1 and told["typestr"] == "<f4"
    assert told["data"] == (x.data_ptr(), False) and told["strides"] == (4, 16) and told["shape"] == (4, 3)
    seen = make(Foreign(x, stream=55))
    assert seen.data_ptr() == x.data_ptr() and seen.tolist() == x.tolist()
    assert host_device.streams == [("is waited for", 55)]
    assert on_device().__cuda_array_interface__["strides"] is None
    assert not hasattr(gl.ones(2), "__cuda_array_interface__")


def test_a_tensor_made_of_a_foreign_array_is_a_copy_on_its_device():
    x = on_device()
    made = gl.tensor(Foreign(x))
    assert str(made.device) == "cuda:0" and made.data_ptr() != x.data_ptr() and made.tolist() == x.tolist()


def test_an_interface_of_another_kind_is_refused():
    x = on_device()
    with pytest.raises(TypeError, match="cannot see an array of complex64"):
        of_cuda_array(None, {**x.__cuda_array_interface__, "typestr": "<c8"})
    with pytest.raises(TypeError, match="no name"):
        on_device(gl.bfloat16).__cuda_array_interface__  # noqa: B018
