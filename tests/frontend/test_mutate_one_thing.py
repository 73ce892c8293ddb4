"""Change one thing that a trace has read, then change it back: each call does what plain Python does."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from frontend.mutations import ARGUMENTS, ARRAYS, CONTAINERS, Mutation
from frontend.mutations_of_code import FUNCTIONS, GLOBALS, MODELS, OBJECTS
from frontend.mutations_of_holders import HOLDERS
from oracle import under
from worlds import World, difference

from guardlift.frontend import state_of

ROWS = [*ARGUMENTS, *ARRAYS, *CONTAINERS, *GLOBALS, *FUNCTIONS, *OBJECTS, *MODELS, *HOLDERS]
COMPILES = ("compile", "recompile")
PRELUDE = "import numpy as np\nX = np.array([1.0, 2.0, -3.0])\ndef args(): return dict(x=X.copy())\ndef see(): pass\n"


def lived(row: Mutation, jitted: bool) -> tuple[World, list[int]]:
    """The outcome of a world: two calls, the change, two calls, the way back, two calls; its compiles after each."""
    world = World(f"{PRELUDE}{row.text}\n", jitted)
    compiles: list[int] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        world.start()
        for statement in ("pass", row.change, row.back):
            exec(statement, world.names)
            for _ in range(2):
                world.call(world.names["args"]())
                compiles.append(compiled(world.function))
    return world, compiles


def compiled(function: Any) -> int:
    """The number of compiles of a function."""
    state = state_of(function)
    return 0 if state is None else sum(event.kind in COMPILES and event.entry is not None for event in state.history)


@pytest.mark.spec("S7.02")
@pytest.mark.parametrize("row", ROWS, ids=[row.kind for row in ROWS])
def test_what_a_trace_has_read_is_changed_and_changed_back(row: Mutation) -> None:
    plain, _ = lived(row, jitted=False)
    with under("reference"):
        jitted, compiles = lived(row, jitted=True)
    assert not difference(plain, jitted), difference(plain, jitted)
    assert not any(plain.errors[:2]), f"the row itself is wrong: {plain.errors}"
    if row.traced:
        assert compiles[0] == 1, "it must compile, or nothing is tested"
        assert compiles[1] == 1, "the second call must hit"
        if row.served:
            assert compiles[5] == compiles[3], "after the way back an entry that is there serves"


def test_the_kinds_have_names_of_their_own() -> None:
    assert len({row.kind for row in ROWS}) == len(ROWS) >= 200
