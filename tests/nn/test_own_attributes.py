"""The `__dict__` of a module is a plain dict to everybody but those who watch the module."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from guardlift import nn
from guardlift.core.watch import Validity, watch

WRITES: dict[str, Callable[[Any], Any]] = {
    "an item is set": lambda m: vars(m).__setitem__("gain", 2.0),
    "an update": lambda m: vars(m).update(gain=2.0),
    "an item is removed": lambda m: vars(m).pop("gain"),
    "it is cleared": lambda m: vars(m).clear(),
    "the attribute is set": lambda m: setattr(m, "gain", 2.0),
    "the attribute is deleted": lambda m: delattr(m, "gain"),
    "the dict is replaced": lambda m: setattr(m, "__dict__", {"gain": 3.0}),
}


def module() -> Any:
    made = nn.Module()
    made.gain, made.names = 1.0, ["a"]
    return made


@pytest.mark.parametrize("write", WRITES)
def test_whoever_watches_the_module_is_told_of_a_write(write: str) -> None:
    m = module()
    validity = Validity("plan")
    watch(m, "gain", validity, "m.gain is 1.0")
    vars(m)["other"] = 1
    assert validity.stands
    WRITES[write](m)
    assert not validity.stands


def test_a_copy_has_a_dict_of_its_own() -> None:
    m = module()
    for made in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        validity = Validity("plan")
        watch(m, "gain", validity, "m.gain is 1.0")
        assert type(vars(made)) is type(vars(m)) and vars(made) == vars(m)
        vars(made)["gain"] = 5.0
        assert m.gain == 1.0 and validity.stands
    assert copy.copy(m).names is m.names
    assert copy.deepcopy(m).names is not m.names


def test_its_copies_are_plain() -> None:
    m = module()
    assert type(vars(m).copy()) is type(copy.copy(vars(m))) is type(copy.deepcopy(vars(m))) is dict


def test_it_does_not_keep_the_module_and_outlives_it() -> None:
    m = module()
    own, reference = vars(m), weakref.ref(m)
    gc.disable()
    try:
        del m
        assert reference() is None
    finally:
        gc.enable()
    own["gain"] = 2.0
    assert own == {"gain": 2.0, "names": ["a"]}


def test_a_dict_that_was_put_in_its_place_stays_the_users() -> None:
    m, shared = module(), {"gain": 4.0}
    m.__dict__ = shared
    shared["gain"] = 5.0
    assert m.gain == 5.0 and vars(m) is shared
    with pytest.raises(TypeError, match="__dict__ must be set to a dictionary"):
        m.__dict__ = 5
