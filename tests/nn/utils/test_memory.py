"""Modules whose parameters are not drawn."""

from __future__ import annotations

from threading import Thread

import guardlift as gl
from guardlift import nn
from guardlift.nn import init


def test_nothing_is_drawn_and_nothing_is_filled() -> None:
    before = gl.get_rng_state()
    made = nn.utils.skip_init(nn.Linear, 3, 2, dtype=gl.float64)
    assert (gl.get_rng_state() == before).all()
    assert made.weight.dtype is gl.float64 and made.weight.requires_grad
    x = gl.ones(2)
    with init.skipped():
        with init.skipped():
            pass
        assert init.zeros_(init.uniform_(x, 3, 4)).tolist() == [1.0, 1.0]
        drawn: list[nn.Linear] = []
        thread = Thread(target=lambda: drawn.append(nn.Linear(3, 2)))
        thread.start()
        thread.join()
    assert (drawn[0].weight != 0).all()
    assert init.zeros_(x).tolist() == [0.0, 0.0]
    assert (nn.Linear(3, 2).weight != 0).all()
