"""Arrays on a device, as the host sees them."""

import copy
import gc
import pickle

import numpy as np
import pytest
from core.host_device import host_device  # noqa: F401  (a fixture)

from guardlift.core.devices.arrays import DeviceArray, empty, fetched, moved
from guardlift.core.devices.host_or_device import beside, byte_bounds, on_host
from guardlift.core.strided import strided

pytestmark = pytest.mark.usefixtures("host_device")


def sample():
    return moved(np.arange(12.0).reshape(3, 4))


def is_on_device(array, device):
    low, high = byte_bounds(array)
    return type(array) is DeviceArray and any(
        start <= low and high <= start + block.nbytes for start, block in device.blocks.items()
    )


@pytest.mark.parametrize(
    "compute",
    [
        lambda x: x + 1,
        lambda x: np.exp(x, where=x > 3, out=np.zeros_like(x)),
        lambda x: np.add.reduce(x, axis=0),
        lambda x: x.sum(),
        lambda x: np.concatenate([x, np.ones((1, 4))]),
        lambda x: np.where(x > 2, x, 0.0),
        lambda x: x @ x.T,
        lambda x: x.T.reshape(-1),
        lambda x: x[[0, 2]],
        lambda x: x[1, 2],
        lambda x: x.astype(np.float32),
        lambda x: copy.deepcopy(x),
        lambda x: pickle.loads(pickle.dumps(x)),
        lambda x: np.divmod(x, 2.0)[1],
    ],
)
def test_what_numpy_computes_lies_on_the_device(compute, host_device):  # noqa: F811
    found, expected = compute(sample()), compute(on_host(sample()))
    assert is_on_device(found, host_device)
    np.testing.assert_array_equal(on_host(found), on_host(expected))


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[1:],
        lambda x: x.T,
        lambda x: np.expand_dims(x, 0),
        lambda x: np.broadcast_to(x, (2, 3, 4)),
        lambda x: strided(x, (2, 2), (32, 8)),
        lambda x: x.T.T.reshape(4, 3),
        lambda x: np.diagonal(x)[1:],
    ],
)
def test_views_stay_views(view):
    x = sample()
    found = view(x)
    assert type(found) is DeviceArray and np.may_share_memory(found, x)
    x[...] = 7
    assert (on_host(found) == 7).all()


def test_writes_go_to_the_memory_that_is_there():
    x = sample()
    alias = x[:]
    x += 1
    x[0] = -1.0
    np.multiply(x, 2, out=x)
    assert on_host(alias)[:2].tolist() == [[-2.0] * 4, [10.0, 12.0, 14.0, 16.0]]


@pytest.mark.parametrize(
    "read",
    [
        np.asarray,
        np.array,
        memoryview,
        np.frombuffer,
        lambda x: np.ndarray.copy(x),
        lambda x: np.float64(x),
        lambda x: x.__array_interface__,
        lambda x: x.ctypes,
        lambda x: np.random.default_rng(0).random(out=x),
    ],
)
def test_a_stray_read_by_the_host_is_an_error(read):
    with pytest.raises((TypeError, AttributeError, ValueError)):
        read(sample())


def test_the_error_of_a_stray_read_says_what_to_do():
    with pytest.raises(TypeError, match=r"a tensor on cuda:0, whose memory .*; use Tensor\.cpu\(\) to copy"):
        np.asarray(sample())


def test_a_write_that_nobody_announced_is_an_error_and_not_lost():
    with pytest.raises(ValueError, match="read-only"):
        np.sum(sample(), 0, None, moved(np.zeros(4)))


def test_the_order_of_axes_survives_the_way_there_and_back():
    turned = np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)
    there = moved(turned)
    assert there.strides == turned.copy(order="K").strides == fetched(there).strides
    np.testing.assert_array_equal(fetched(there), turned)


def test_beside_gives_what_lies_there_as_it_is():
    x, host = sample(), np.ones(3)
    assert beside(x, x) is x and beside(host, host) is host
    assert type(beside(host, x)) is DeviceArray and type(beside(x, host)) is np.ndarray


def test_memory_is_given_back_with_the_last_view(host_device):  # noqa: F811
    x = sample()
    view = x[1:]
    del x
    gc.collect()
    assert len(host_device.blocks) == 1
    del view
    gc.collect()
    assert not host_device.blocks


def test_empty_arrays_have_memory_of_their_own():
    assert empty((0, 3), np.dtype(np.float32)).shape == (0, 3)
