"""Functions that upper floors offer to lower ones: loaded when asked for; an error where nothing is offered."""

from __future__ import annotations

import pytest

import guardlift  # noqa: F401  (its floors make their offers)
from guardlift.core import floors


def test_an_offer_is_loaded_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floors, "_offers", {})
    loaded = []
    floors.offer("something", lambda: loaded.append(1) or "it")
    assert loaded == []
    assert floors.asked("something") == "it"
    assert loaded == [1]


def test_what_nobody_offers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floors, "_offers", {})
    with pytest.raises(RuntimeError, match="nothing offers the backward runner.*import guardlift"):
        floors.asked(floors.BACKWARD_RUNNER)


def test_backward_passes_have_a_runner() -> None:
    assert {"run", "forget"} <= set(dir(floors.asked(floors.BACKWARD_RUNNER)))
