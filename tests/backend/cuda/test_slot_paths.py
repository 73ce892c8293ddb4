import gc

import numpy as np
import pytest

from guardlift.backend.call_layout import AccessPath, CallLayout, InputLayout, PathStep
from guardlift.backend.cuda.slot_paths import Owners, follow
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.core.types import TensorType


class Box:
    __slots__ = ("held", "flag", "__weakref__")

    def __init__(self, held=None, flag=False):
        self.held, self.flag = held, flag

    def __getattribute__(self, name):
        raise AssertionError("slots are read past this")


class Other(Box):
    __slots__ = ()


def way(owner=False):
    return AccessPath(owner, (PathStep(Box, (("flag", False),), "held"), PathStep(Box, (), "held")))


def test_a_way_leads_through_slots_to_what_is_there_now():
    array = np.zeros(3)
    inner = Box(array)
    assert follow(way(), Box(inner)) is array
    Box.held.__set__(inner, 5)
    assert follow(way(), Box(inner)) == 5


def test_a_way_ends_where_something_is_not_what_it_was():
    inner = Box(1)
    assert follow(way(), Box(inner, flag=True)) is None
    assert follow(way(), Other(inner)) is None
    assert follow(way(), 7) is None
    Box.held.__delete__(inner)
    assert follow(way(), Box(inner)) is None


def layout(*, owned, checks=()):
    type = TensorType((3,), dtypes.float64)
    inputs = tuple(InputLayout("array", type, (1,), access_path=way(owner)) for owner in owned)
    return CallLayout(inputs, (), checks=checks)


def test_owners_come_in_the_order_of_inputs_then_of_checks():
    check = AccessPath(True, (PathStep(Box, (("flag", False),)),))
    first, second, checked = Box(Box(1)), Box(Box(2)), Box()
    owners = Owners.of(layout(owned=(True, False, True), checks=(check,)), [first, second, checked])
    assert [number for number, _, _ in owners.of_inputs] == [0, 2]
    assert list(owners.arrays()) == [1, 2] and owners.hold()
    Box.flag.__set__(checked, True)
    assert not owners.hold()


def test_nothing_keeps_an_owner_alive():
    owner = Box(Box(1))
    owners = Owners.of(layout(owned=(True,)), [owner])
    del owner
    gc.collect()
    assert list(owners.arrays()) == [None]


def test_owners_must_be_as_many_and_of_the_types_that_ways_start_with():
    with pytest.raises(KernelError, match="1 access paths with an owner, got 2 owners"):
        Owners.of(layout(owned=(True,)), [Box(), Box()])
    with pytest.raises(KernelError, match="owner 0 is not of the type"):
        Owners.of(layout(owned=(True,)), [Other()])


def test_an_owner_must_be_weakly_referable():
    class Firm:
        __slots__ = ("flag",)

    check = AccessPath(True, (PathStep(Firm),))
    with pytest.raises(KernelError, match="owner 0 is of a type to which there are no weak references"):
        Owners.of(CallLayout((), (), checks=(check,)), [Firm()])
