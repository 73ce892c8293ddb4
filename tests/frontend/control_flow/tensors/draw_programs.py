"""Programs with loops that draw random tensors: `one_graph` become loops of the graph, `left` are left to Python.

Each takes `x` [3, 3] and a generator, and returns tensors, numbers and tuples of them. `left` has words of its break.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import guardlift as gl
from guardlift.nn import functional as F

ROUNDS = 100
"""More than are unrolled."""


def step(x: Any) -> Any:
    """A step whose rounding errors do not grow."""
    return gl.tanh(x @ x.t() @ x * 0.1) * 0.5


def sampler(x: Any, g: Any) -> Any:
    with gl.no_grad():
        first = gl.rand(3)
        for _ in range(ROUNDS):
            x = step(x) + 0.1 * gl.randn_like(x)
        return x, first, gl.rand(2)


def several_draws(x: Any, g: Any) -> Any:
    for t in range(ROUNDS):
        x = step(x) + gl.rand(3, dtype=gl.float64).float() * t
        gl.randint(0, 9, (5,))
        x = x * gl.rand_like(x) + gl.empty(3).normal_() - gl.empty(3).exponential_()
    return x, t, gl.rand(2)


def parts(x: Any, g: Any) -> Any:
    for t, row in enumerate(gl.ones(ROUNDS, 3).unbind(0)):
        x = step(x) + gl.rand_like(row) * t
    for t in range(ROUNDS, 3, -2):
        x = step(x) + gl.rand(1) / t
    return x, gl.rand(2)


def nested(x: Any, g: Any) -> Any:
    first = gl.rand(5)
    for _ in range(30):
        x = step(x) + gl.rand(3)
        for _ in range(10):
            x = step(x) + gl.rand(3, dtype=gl.float64).float() + gl.rand(1)
        x = x * gl.rand(3)
        for _ in range(3):
            x = x + gl.rand(1)
    return x, first, gl.rand(2)


def only_the_inner_one(x: Any, g: Any) -> Any:
    for _ in range(30):
        x = x * 0.5
        for _ in range(10):
            x = step(x) + gl.rand(9)[:3]
    return x, gl.rand(2)


def own_generator(x: Any, g: Any) -> Any:
    first = gl.rand(2, generator=g), gl.rand(2)
    for _ in range(ROUNDS):
        x = step(x) + gl.rand(3, generator=g)
    for _ in range(2):
        for _ in range(ROUNDS):
            x = step(x) + gl.rand(3)
    return x, first, gl.rand(2, generator=g), gl.rand(2)


def gone_back(x: Any, g: Any) -> Any:
    state = gl.get_rng_state()
    for _ in range(ROUNDS):
        x = step(x) + gl.rand(3)
    gl.set_rng_state(state)
    for _ in range(ROUNDS):
        x = step(x) - gl.rand(3)
    gl.manual_seed(3)
    return x, gl.rand(2)


def kept(x: Any, g: Any) -> Any:
    masks, outs, total = [], [], 0.0
    for _ in range(ROUNDS):
        mask = (gl.rand_like(x) > 0.5).float()
        x = step(x) + mask
        total = total + (x * gl.rand(3)).sum()
        masks.append(mask)
        outs.append(x)
    return gl.stack(masks), gl.stack(outs), total, gl.rand(2)


def unused(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        gl.rand(5)
        x = step(x)
        gl.rand(9)
    return x, gl.rand(2)


def made_inside(x: Any, g: Any) -> Any:
    x = gl.zeros(3, 3)
    for _ in range(ROUNDS):
        x = step(x) + gl.rand(3, 3)
    return x, gl.rand(2)


def branch_beside(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        x = step(x) + gl.rand(3)
        if x.sum() > 0:
            x = x * 0.5
        else:
            x = x - 1
        x = x + gl.rand(3)
    return x, gl.rand(2)


def written(x: Any, g: Any) -> Any:
    out = gl.zeros(ROUNDS, 3)
    for t in range(ROUNDS):
        x = step(x)
        x += gl.rand(3)
        x = x * 0.5
        out[t] = gl.rand(3)
    return x, out, gl.rand(2)


def two_generators(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        x = step(x) + gl.rand(3, generator=g) * gl.rand(3)
    return x, gl.rand(2, generator=g), gl.rand(2)


def another_in_the_inner_one(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        for _ in range(9):
            x = step(x) + gl.rand(3, generator=g)
        x = step(x) + gl.rand(3)
    return x, gl.rand(2, generator=g), gl.rand(2)


def in_an_arm(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        if x.sum() > 0:
            x = step(x) - gl.rand(3)
        else:
            x = step(x) + 1
    return x, gl.rand(2)


def loop_in_an_arm(x: Any, g: Any) -> Any:
    if x.sum() > 0:
        for _ in range(ROUNDS):
            x = step(x) - gl.rand(3)
    return x, gl.rand(2)


def left_early(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        x = step(x) + gl.rand(3)
        if x.sum() > 8:
            break
    return x, gl.rand(2)


def while_loop(x: Any, g: Any) -> Any:
    while x.sum() < 50:
        x = x + gl.rand(3)
    return x, gl.rand(2)


def seeded(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        gl.manual_seed(3)
        x = step(x) + gl.rand(3)
    return x, gl.rand(2)


def forked(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        with gl.random.fork_rng():
            x = step(x) + gl.rand(3)
    return x, gl.rand(2)


def numpys(x: Any, g: Any) -> Any:
    rng = np.random.default_rng(3)
    for _ in range(ROUNDS):
        x = step(x) + gl.rand(3) * rng.random()
    return x, gl.rand(2), rng.random()


def checked(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        x = step(x) + gl.bernoulli(x.detach().sigmoid())
    return x, gl.rand(2)


def checkpointed(x: Any, g: Any) -> Any:
    for _ in range(ROUNDS):
        x = gl.autograd.checkpoint(lambda y: F.dropout(step(y), 0.2) + y, x)
    return x, gl.rand(2)


def in_a_checkpoint(x: Any, g: Any) -> Any:
    return gl.autograd.checkpoint(lambda y: made_inside(y, g)[0] + step(y), x), gl.rand(2)


one_graph = (
    sampler,
    several_draws,
    parts,
    nested,
    only_the_inner_one,
    own_generator,
    gone_back,
    kept,
    unused,
    made_inside,
    branch_beside,
    written,
)
"""Programs that are one graph."""
left = {
    two_generators: "two generators",
    another_in_the_inner_one: "two generators",
    in_an_arm: "random numbers drawn in a loop",
    loop_in_an_arm: "random numbers drawn in a loop",
    left_early: "left early",
    while_loop: "a branch on",  # newer CPythons ask the condition in one place, so that only its first value breaks
    seeded: "seeded",
    forked: "seeded",
    numpys: "NumPy's",
    checked: "no history is kept",
    checkpointed: "",
    in_a_checkpoint: "",
}
"""Programs that break."""
