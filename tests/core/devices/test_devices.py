"""Devices by name."""

import copy
import pickle

import pytest

from guardlift.core.devices import FIRST_CUDA, HOST, Device, resolved


def test_a_device_is_its_name_and_knows_its_parts():
    assert [(str(each), each.type, each.index) for each in (Device("cpu"), Device("cuda"), Device("cuda:0"))] == [
        ("cpu", "cpu", None),
        ("cuda", "cuda", None),
        ("cuda:0", "cuda", 0),
    ]
    assert Device("cuda", 0) == "cuda:0" == FIRST_CUDA != Device("cuda")
    assert repr(Device("cuda", 0)) == "device(type='cuda', index=0)" and repr(HOST) == "device(type='cpu')"


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_are_equal(how):
    assert (how(FIRST_CUDA), how(FIRST_CUDA).index) == (FIRST_CUDA, 0)


@pytest.mark.parametrize("name", ["gpu", "cuda:", "cuda:-1", "cpu:x", ""])
def test_a_name_of_no_device_is_refused(name):
    with pytest.raises(RuntimeError, match="device type at start of device string"):
        Device(name)


def test_a_name_with_its_number_takes_no_other_number():
    with pytest.raises(RuntimeError, match="device string: cuda:0"):
        Device("cuda:0", 1)
    with pytest.raises(TypeError, match="got int"):
        Device(0)


def test_names_resolve_to_the_devices_that_are_used():
    assert [resolved(name) for name in ("cpu", "cpu:0", HOST)] == [HOST] * 3
    assert [resolved(name) for name in ("cuda", "cuda:0", FIRST_CUDA)] == [FIRST_CUDA] * 3
    with pytest.raises(RuntimeError, match="no device 'cuda:1'"):
        resolved("cuda:1")
