"""Every kind of graph break fires on the example that docs/graph_breaks.md shows for it."""

from __future__ import annotations

import gc
import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from core.host_device import host_device  # noqa: F401  (a fixture)

import guardlift as gl
from guardlift.core.errors import KernelError
from guardlift.core.events import LIMIT, PLAIN, Event, listening
from guardlift.frontend.breaks import KINDS

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "break_examples"


def _examples() -> Any:
    spec = importlib.util.spec_from_file_location(FOLDER.name, FOLDER / "__init__.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[FOLDER.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXAMPLES: dict[str, tuple[str, str]] = {code: _examples().parts(code) for code in _examples().EXAMPLES}
"""Two programs for each kind: the one that breaks, and the one with the remedy."""
ANY_CALL = "@gl.jit\ndef f(x):\n    return x + 1\n\nf(x)\nf(x)\n"
NEEDS = {"B321": (3, 12)}
"""The first version that has the syntax of an example."""


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: object) -> Any:
        raise error

    return fail


PASSES, BUILD = "guardlift.graph.passes.run_passes", "guardlift.backend.cpu.plan.plan.build"
FAULTS = {
    "B900": (PASSES, failing(RuntimeError("a mistake"))),
    "B901": (PASSES, failing(KernelError("no compiler"))),
    "B902": (BUILD, lambda *_: lambda *arguments: NotImplemented),
}
"""Stand-ins for the passes, or for what makes a plan, for the kinds that no program is known to fire."""


@pytest.fixture
def no_collection() -> Iterator[None]:
    """The stack of B308 is full: a collection there would run what others left behind, which no call can answer."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_every_kind_has_an_example_and_every_example_a_kind() -> None:
    assert EXAMPLES.keys() == KINDS.keys()
    assert {code for code, (breaking, _) in EXAMPLES.items() if not breaking} == FAULTS.keys()


@pytest.mark.usefixtures("host_device", "no_collection")
@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_a_kind_of_break_fires_on_its_example(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.version_info < NEEDS.get(code, (3, 11)):
        pytest.skip("the example has newer syntax")
    if code in FAULTS:
        monkeypatch.setattr(*FAULTS[code])
    events: list[Event] = []
    program = compile(EXAMPLES[code][0] or ANY_CALL, f"<{code}>", "exec")
    raises = code in ("B304", "B406")
    with listening(events.append), warnings.catch_warnings(), gl.config.patch(raise_internal_errors=False):
        warnings.simplefilter("ignore")
        try:
            exec(program, {"__name__": "example", "np": np, "gl": gl, "x": np.arange(4.0)})
        except (ValueError, RuntimeError):
            assert raises
        else:
            assert not raises
    if code == "B306":
        assert [event.kind for event in events] == [PLAIN] and KINDS[code].what in events[0].text
    else:
        assert code in {each for event in events for each in (event.break_code, event.advice)}, [
            event.text for event in events
        ]


@pytest.mark.usefixtures("host_device")
@pytest.mark.parametrize("code", sorted(code for code, (_, instead) in EXAMPLES.items() if instead))
def test_no_graph_breaks_once_the_remedy_is_applied(code: str) -> None:
    events: list[Event] = []
    scope = {"__name__": "example", "np": np, "gl": gl, "x": np.arange(4.0)}
    breaking, remedied = (compile(text, f"<{code}>", "exec") for text in EXAMPLES[code])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(breaking, scope)
    with listening(events.append), gl.config.patch(raise_internal_errors=True):
        exec(remedied, scope)
    assert events and not [event.text for event in events if event.break_code or event.kind in (PLAIN, LIMIT)]
