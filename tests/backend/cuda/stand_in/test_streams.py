"""Streams, events and graphs of the stand-in: what nobody waits for has not happened yet."""

import ctypes

import numpy as np
import pytest
from backend.cuda.stand_in.stand_in_driver import NO_COMPILER, DriverError, stand_in

pytestmark = pytest.mark.skipif(bool(NO_COMPILER), reason=f"there is no {NO_COMPILER} here")
ADD = "ld.global.u64 %d2, [%d0]; add.u64 %d2, %d2, %d1; st.global.u64 [%d0], %d2;"
TIMES_TWO = "ld.global.u64 %d2, [%d0]; add.u64 %d2, %d2, %d2; st.global.u64 [%d0], %d2;"
NON_BLOCKING = 1


def stream(flags=NON_BLOCKING):
    return stand_in().made("cuStreamCreate", ctypes.c_uint(flags))


def event():
    return stand_in().made("cuEventCreate", ctypes.c_uint(2))


def pinned(values):
    """An array in page-locked memory."""
    values = np.asarray(values)
    place = stand_in().made("cuMemHostAlloc", ctypes.c_size_t(values.nbytes), ctypes.c_uint(0))
    found = np.frombuffer((ctypes.c_char * values.nbytes).from_address(place.value), values.dtype)
    found[:] = values
    return found


def copy(name, target, source, nbytes, on):
    of_host, of_device = ctypes.c_void_p, ctypes.c_uint64
    kinds = (of_device, of_host) if "HtoD" in name else (of_host, of_device)
    stand_in().call(name, kinds[0](target), kinds[1](source), ctypes.c_size_t(nbytes), on)


@pytest.fixture
def first_come_first_served():
    """No dice: work happens when it is waited for."""
    with stand_in().options(seed=0):
        yield


@pytest.mark.usefixtures("first_come_first_served")
def test_a_result_that_nobody_waited_for_is_not_there():
    device, on = stand_in(), stream()
    address, back = device.put(np.array([5])), pinned([0])
    device.launch(device.kernel(ADD, 2), address, 3, stream=on)
    copy("cuMemcpyDtoHAsync_v2", back.ctypes.data, address, 8, on)
    assert back[0] == 0
    device.call("cuStreamSynchronize", on)
    assert back[0] == 8


@pytest.mark.usefixtures("first_come_first_served")
def test_pinned_memory_is_read_late_and_other_memory_at_once():
    device, on = stand_in(), stream()
    address = device.put(np.array([0, 0]))
    late, now = pinned([1]), np.array([1])
    copy("cuMemcpyHtoDAsync_v2", address, late.ctypes.data, 8, on)
    copy("cuMemcpyHtoDAsync_v2", address + 8, now.ctypes.data, 8, on)
    late[0] = now[0] = 9
    device.call("cuStreamSynchronize", on)
    np.testing.assert_array_equal(device.get(address, np.zeros(2, np.int64)), [9, 1])


@pytest.mark.usefixtures("first_come_first_served")
def test_memory_that_is_registered_is_as_pinned():
    device, on = stand_in(), stream()
    address, values = device.put(np.array([0])), np.array([1])
    device.call("cuMemHostRegister_v2", ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(8), ctypes.c_uint(0))
    copy("cuMemcpyHtoDAsync_v2", address, values.ctypes.data, 8, on)
    values[0] = 9
    device.call("cuStreamSynchronize", on)
    assert device.get(address, np.zeros(1, np.int64))[0] == 9
    device.launch(device.kernel(ADD, 2), values.ctypes.data, 3)
    device.wait()
    assert values[0] == 12
    device.call("cuMemHostUnregister", ctypes.c_void_p(values.ctypes.data))


@pytest.mark.parametrize("seed", range(5))
def test_an_event_orders_two_streams(seed):
    device = stand_in()
    with device.options(seed=seed):
        one, other, mark = stream(), stream(), event()
        address = device.put(np.array([5]))
        device.launch(device.kernel(ADD, 2), address, 3, stream=one)
        device.call("cuEventRecord", mark, one)
        device.call("cuStreamWaitEvent", other, mark, ctypes.c_uint(0))
        device.launch(device.kernel(TIMES_TWO, 2), address, 0, stream=other)
        device.call("cuStreamSynchronize", other)
        device.call("cuEventSynchronize", mark)
        assert device.get(address, np.zeros(1, np.int64))[0] == 16


def test_without_the_event_some_order_is_the_other_one():
    device, found = stand_in(), set()
    for seed in range(2, 12):
        with device.options(seed=seed):
            one, other = stream(), stream()
            address = device.put(np.array([5]))
            device.launch(device.kernel(ADD, 2), address, 3, stream=one)
            device.launch(device.kernel(TIMES_TWO, 2), address, 0, stream=other)
            device.wait()
            found.add(int(device.get(address, np.zeros(1, np.int64))[0]))
    assert found == {16, 13}


@pytest.mark.parametrize("seed", range(4))
def test_the_default_stream_waits_for_blocking_streams_and_they_for_it(seed):
    device = stand_in()
    with device.options(seed=seed):
        address, on = device.put(np.array([1])), stream(0)
        add, twice = device.kernel(ADD, 2), device.kernel(TIMES_TWO, 2)
        device.launch(add, address, 3, stream=on)
        device.launch(twice, address, 0)
        device.launch(add, address, 1, stream=on)
        device.launch(twice, address, 0)
        assert device.get(address, np.zeros(1, np.int64))[0] == 18


def test_a_query_says_whether_work_is_left_and_in_time_it_is_done():
    device, on, mark = stand_in(), stream(), event()
    address = device.put(np.array([1]))
    with device.options(seed=0):
        for _ in range(3):
            device.launch(device.kernel(ADD, 2), address, 1, stream=on)
        device.call("cuEventRecord", mark, on)
        answers = [device.library.cuEventQuery(mark) for _ in range(5)]
    assert answers == [600, 600, 600, 0, 0]


def test_a_fault_is_told_when_it_is_waited_for():
    device = stand_in()
    with device.options(seed=0):
        device.launch(device.kernel(ADD, 2), 64, 1, stream=stream())
        with pytest.raises(DriverError, match="700"):
            device.wait()


class NodeParameters(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS of cuda.h."""

    _fields_ = [
        ("function", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("arguments", ctypes.c_void_p),
        ("extra", ctypes.c_void_p),
        ("kernel", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    ]


def node_parameters(kernel, *arguments):
    values = (ctypes.c_int64 * len(arguments))(*arguments)
    places = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(values) + 8 * k for k in range(len(arguments))))
    one = ctypes.c_uint * 3
    made = NodeParameters(kernel, one(1, 1, 1), one(1, 1, 1), 0, ctypes.cast(places, ctypes.c_void_p))
    made.keeps = values, places
    return made


@pytest.mark.parametrize("seed", range(4))
def test_a_graph_of_nodes_runs_in_the_order_of_its_edges_with_new_arguments(seed):
    device = stand_in()
    with device.options(seed=seed):
        first, second = device.put(np.array([5])), device.put(np.array([7]))
        graph = device.made("cuGraphCreate", ctypes.c_uint(0))
        add, twice = device.kernel(ADD, 2), device.kernel(TIMES_TWO, 2)
        nodes = []
        for kernel, arguments in ((add, (first, 3)), (twice, (first, 0))):
            after = (ctypes.c_void_p * len(nodes))(*nodes)
            given = ctypes.byref(node_parameters(kernel, *arguments))
            count = ctypes.c_size_t(len(nodes))
            nodes.append(device.made("cuGraphAddKernelNode_v2", graph, after, count, given).value)
        made = device.made("cuGraphInstantiateWithFlags", graph, ctypes.c_ulonglong(0))
        device.call("cuGraphLaunch", made, None)
        for node, kernel, number in ((nodes[0], add, 1), (nodes[1], twice, 0)):
            given = ctypes.byref(node_parameters(kernel, second, number))
            device.call("cuGraphExecKernelNodeSetParams_v2", made, ctypes.c_void_p(node), given)
        device.call("cuGraphLaunch", made, None)
        device.wait()
        assert device.get(first, np.zeros(1, np.int64))[0] == 16  # the launch before is as it was issued
        assert device.get(second, np.zeros(1, np.int64))[0] == 16
        device.call("cuGraphExecDestroy", made)
        device.call("cuGraphDestroy", graph)


@pytest.mark.parametrize("seed", range(4))
def test_what_two_streams_do_is_captured(seed):
    device = stand_in()
    with device.options(seed=seed):
        one, other, fork, join = stream(), stream(), event(), event()
        address = device.put(np.array([1, 2]))
        add, twice = device.kernel(ADD, 2), device.kernel(TIMES_TWO, 2)
        device.call("cuStreamBeginCapture_v2", one, ctypes.c_int(0))
        device.launch(add, address, 3, stream=one)
        device.call("cuEventRecord", fork, one)
        device.call("cuStreamWaitEvent", other, fork, ctypes.c_uint(0))
        device.launch(twice, address, 0, stream=other)
        device.launch(add, address + 8, 1, stream=one)
        device.call("cuEventRecord", join, other)
        device.call("cuStreamWaitEvent", one, join, ctypes.c_uint(0))
        device.launch(twice, address, 0, stream=one)
        with pytest.raises(DriverError, match="900"):
            device.call("cuStreamSynchronize", one)
        graph = ctypes.c_void_p()
        device.call("cuStreamEndCapture", one, ctypes.byref(graph))
        np.testing.assert_array_equal(device.get(address, np.zeros(2, np.int64)), [1, 2])
        made = device.made("cuGraphInstantiateWithFlags", graph, ctypes.c_ulonglong(0))
        for _ in range(2):
            device.call("cuGraphLaunch", made, one)
        device.call("cuStreamSynchronize", one)
        np.testing.assert_array_equal(device.get(address, np.zeros(2, np.int64)), [76, 4])
