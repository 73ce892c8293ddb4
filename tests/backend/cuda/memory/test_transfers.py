"""Host arrays on their way to a device, by a stand-in for the device."""

import ctypes

import numpy as np
import pytest
from backend.graph_cases import strided

from guardlift.backend.cuda.memory.transfers import InputBlocks, Intervals, bytes_of, host_array, overlapping


class Memory:
    """A device whose memory is the host's."""

    def __init__(self):
        self.blocks = {}

    def allocate(self, nbytes):
        block = np.zeros(nbytes + 512, np.uint8)
        address = -(-block.ctypes.data // 256) * 256
        self.blocks[address] = block
        return address

    def upload(self, address, data):
        ctypes.memmove(address, data.ctypes.data, data.nbytes)

    def download(self, address, data):
        ctypes.memmove(data.ctypes.data, address, data.nbytes)


def transferred(*arrays):
    memory = Memory()
    blocks = InputBlocks.of(arrays, memory, memory.allocate)
    blocks.upload()
    return blocks


def at(address, array):
    """The array of the same layout at an address of the device."""
    low, high = np.lib.array_utils.byte_bounds(array)
    offset = array.ctypes.data - low
    holder = (ctypes.c_char * (high - low)).from_address(address - offset)
    return np.ndarray(array.shape, array.dtype, holder, offset, array.strides)


@pytest.mark.parametrize("variant", range(4))
def test_arrays_of_any_layout_arrive(variant):
    array = strided(np.arange(24.0).reshape(2, 3, 4), variant)
    blocks = transferred(array)
    np.testing.assert_array_equal(at(blocks.addresses[0], array), array)


def test_arrays_that_overlap_lie_in_one_block_and_others_do_not():
    memory = np.arange(20.0)
    blocks = transferred(memory[:8], memory[10:14], memory[4:12:2], memory[15:])
    assert [block.inputs for block in blocks.blocks] == [(0, 2, 1), (3,)]
    assert blocks.addresses[2] - blocks.addresses[0] == 4 * 8


def test_elements_are_as_well_aligned_as_on_the_host():
    memory = np.zeros(1000, np.uint8)
    for start in (1, 7, 64):
        array = memory[start : start + 100]
        blocks = transferred(array)
        assert blocks.addresses[0] % 256 == array.ctypes.data % 256


def test_only_the_elements_of_written_arrays_come_back():
    memory = np.arange(12.0)
    left, right = memory[0:8:2], memory[1:9:2]
    blocks = transferred(left, right)
    for address, array in zip(blocks.addresses, (left, right), strict=True):
        at(address, array)[...] = -1.0
    blocks.download({0})
    np.testing.assert_array_equal(memory, [-1, 1, -1, 3, -1, 5, -1, 7, 8, 9, 10, 11])


def test_empty_arrays_and_numbers_have_a_place_too():
    blocks = transferred(np.zeros((0, 3)), np.array(2.5))
    assert len(set(blocks.addresses)) == 2 and at(blocks.addresses[1], np.array(2.5)) == 2.5


def test_arrays_overlap_when_their_memory_does():
    memory = np.zeros(10)
    assert list(overlapping([memory[:5], memory[4:]])) == list(overlapping([memory[::-1][:3], memory[8:]])) == [(0, 1)]
    assert not list(overlapping([memory[:5], memory[5:]])) and not list(overlapping([memory[:0], memory]))


def test_overlap_is_found_as_by_comparing_every_pair():
    draw = np.random.default_rng(0)
    for _ in range(200):
        memory = np.zeros(60)
        starts, sizes = draw.integers(0, 50, 8), draw.integers(0, 10, 8)
        arrays = [memory[start : start + size] for start, size in zip(starts, sizes)]
        wanted = {
            (i, j)
            for i in range(8)
            for j in range(i + 1, 8)
            if arrays[i].size and arrays[j].size and np.may_share_memory(arrays[i], arrays[j])
        }
        assert set(overlapping(arrays)) == wanted
        held = Intervals.of(arrays[:6])
        for probe in arrays[6:]:
            if probe.size:
                met = any(np.may_share_memory(probe, each) for each in arrays[:6] if each.size)
                assert held.meet(*np.lib.array_utils.byte_bounds(probe)) == met


def test_a_pass_over_many_arrays_apart_compares_none_of_them():
    arrays = [np.zeros(4) for _ in range(2000)]
    assert not list(overlapping(arrays)) and len(Intervals.of(arrays).lows) <= 2000


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_results_own_dense_memory_in_the_order_of_their_strides(order):
    shape = (2, 3, 4)
    strides, step = [0, 0, 0], 1
    for axis in reversed(order):
        strides[axis], step = step, step * shape[axis]
    made = host_array(shape, tuple(strides), np.dtype(np.float32))
    assert made.flags.owndata and made.strides == tuple(4 * each for each in strides)
    bytes_of(made)[...] = np.arange(24, dtype=np.float32).view(np.uint8)
    np.testing.assert_array_equal(made.transpose(order).ravel(), np.arange(24))
