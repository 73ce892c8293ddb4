"""Code that is guardlift's own."""

from __future__ import annotations

import functools

from guardlift import nn
from guardlift.core.package import PACKAGE, is_ours


def test_code_is_told_by_its_globals_and_not_by_what_it_says_of_itself() -> None:
    @functools.wraps(nn.Module.train)
    def wrapper() -> None:
        pass

    assert is_ours(nn.Module.train.__globals__)
    assert wrapper.__module__ == nn.Module.train.__module__ and not is_ours(wrapper.__globals__)


def test_a_name_that_only_begins_alike_is_somebody_elses() -> None:
    assert is_ours({"__name__": f"{PACKAGE}.nn"})
    assert not is_ours({"__name__": f"{PACKAGE}_extras.nn"})
    assert not is_ours({"__name__": None})
    assert not is_ours({})
