"""Programs with loops over tensors: `traced_once` become loops of the graph, `unrolled` must not.

Each takes `xs` [20, 3, 4], a state `h` [3, 4], `w` [4, 4] and `b` [4], and returns tensors and numbers.
"""

from __future__ import annotations

from typing import Any

import guardlift as gl

STEPS = 20


def last_state(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(xs.shape[0]):
        h = gl.tanh(xs[t] + h @ w + b)
    return h


def stacked(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w + b)
        outs.append(h)
    return gl.stack(outs), h


def joined(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = [h]
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w + b)
        outs.append(h * 2)
    return gl.cat(outs, dim=0)


def elements(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w + b)
        outs.append(h)
    return outs[3] + outs[-1], h, outs[-1] is h, len(outs)


def whole_list(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = [h * 2]
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w)
        outs.append(h)
    return outs


def appended_first(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for t in range(STEPS):
        outs.append(h)
        h = gl.tanh(xs[t] + h @ w + b)
    return gl.stack(outs), outs[0] is h


def total(xs: Any, h: Any, w: Any, b: Any) -> Any:
    loss = 0.0
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w + b)
        loss = loss + (h * h).mean()
    return loss


def two_states(xs: Any, h: Any, w: Any, b: Any) -> Any:
    state = (h, h * 2)
    for t in range(STEPS):
        h, c = state
        i, f = gl.sigmoid(xs[t] + h @ w), gl.sigmoid(xs[t] - h @ w + b)
        c = f * c + i * gl.tanh(h)
        state = (i * gl.tanh(c), c)
    return state


def backwards(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS - 1, -1, -1):
        h = gl.tanh(xs[t] + h @ w + b)
    return h


def neighbours(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(1, STEPS - 1):
        h = gl.tanh(xs[t - 1] + xs[t + 1] * (-t) + xs[-t] + h @ w * (1 / t))
    return h


def second_axis(xs: Any, h: Any, w: Any, b: Any) -> Any:
    ys = xs.transpose(0, 1)
    for t in range(STEPS):
        h = gl.tanh(ys[:, t] + ys[:, t, :1] + h @ w + b)
    return h


def parts(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for x in xs:
        h = gl.tanh(x + h @ w + b)
    return h


def numbered_parts(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for i, x in enumerate(xs):
        h = gl.tanh(x + h @ w + b * i)
        outs.append(h * 2)
    return gl.stack(outs)


def parts_together(xs: Any, h: Any, w: Any, b: Any) -> Any:
    s = 0.0
    for x, y in zip(xs, xs * 2):
        h = gl.tanh(x + h @ w + b * y)
        s = s + h.sum()
    return s


def solver(xs: Any, h: Any, w: Any, b: Any) -> Any:
    t, dt, y = 0.0, 0.01, h
    for _ in range(STEPS):
        k1 = gl.tanh(y @ w) + t
        k2 = gl.tanh((y + dt / 2 * k1) @ w) + (t + dt / 2)
        y = y + dt * k2
        t = t + dt
    return y, t


def number_of_the_round(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for k in range(STEPS):
        h = h + 0.01 * gl.tanh(h @ w) * (k * 0.1) + b / (k + 1)
    return h


def state_before(xs: Any, h: Any, w: Any, b: Any) -> Any:
    p = h
    for _ in range(STEPS):
        n = gl.tanh(h @ w) + p * 0.1
        p = h
        h = n
    return h, p


def behind(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        g = xs[t] + h @ w
        h = gl.tanh(g + b)
        q = h
    return g, h, t, q is h


def helper(xs: Any, h: Any, w: Any, b: Any) -> Any:
    def cell(x: Any, h: Any) -> Any:
        z = [x, h]
        z.append(b)
        d = {"a": z[0] + z[1] @ w}
        return gl.tanh(sum(each for each in (d["a"], z[2])))

    for t in range(STEPS):
        h = cell(xs[t], h)
    return h


def writes_into_its_own(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        z = xs[t] + h @ w
        z.mul_(0.5)
        h = gl.tanh(z)
    return h


def written_behind(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w) * 2
        outs.append(h)
    h.add_(1.0)
    return gl.stack(outs), outs[-1], h


def same_in_all_rounds(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        v = gl.exp(w)
        h = gl.tanh(xs[t] + h @ v.T)
    return h, v


def one_after_the_other(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w)
    o = []
    for t in range(STEPS):
        h = gl.tanh(xs[STEPS - 1 - t] * h + b)
        o.append(h)
    return gl.cat(o)


def nested(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for _ in range(10):
        for t in range(STEPS):
            h = gl.tanh(xs[t] + h @ w + b)
        h = h * 0.9
    return h


def outer_number_inside(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        for k in range(8):
            h = gl.tanh(xs[t] * k + h @ w + b * t)
    return h


def row_inside(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        x = h
        for _ in range(8):
            h = gl.tanh(x @ w + h)
            x = xs[t]
    return h


def leaves_early(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for k in range(STEPS):
        h = gl.tanh(h @ w)
        if k == 15:
            break
    return h


def rounds_that_differ(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = []
    for k in reversed(range(STEPS)):
        h = gl.tanh(h @ w + xs[k])
        if not k:
            h = h * 2
        elif k < 7:
            h = h + b
        out.append(h)
    return gl.stack(out), h * k


def numbers_of_two_loops(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for i in range(10):
        for k in range(10):
            h = gl.tanh(h @ w + xs[i + k])
            if i > 3 and k != 9:
                h = h + b * (i - k)
    return h


traced_once = [
    last_state, stacked, joined, elements, whole_list, appended_first, total, two_states, backwards, neighbours,
    second_axis, parts, numbered_parts, parts_together, solver, number_of_the_round, state_before, behind, helper,
    writes_into_its_own, written_behind, same_in_all_rounds, one_after_the_other, nested, outer_number_inside,
    row_inside, leaves_early, rounds_that_differ, numbers_of_two_loops,
]  # fmt: skip


often = [
    last_state, joined, elements, appended_first, two_states, neighbours, numbered_parts, solver, state_before,
    written_behind, nested, rounds_that_differ, numbers_of_two_loops,
]  # fmt: skip


# -- what a loop of the graph cannot do --------------------------------------------------------------------------------
def swaps(xs: Any, h: Any, w: Any, b: Any) -> Any:
    a, c = h * 1, h * 2
    for _ in range(STEPS):
        a, c = c, a
    return a + c * 2


def writes_in_place(xs: Any, h: Any, w: Any, b: Any) -> Any:
    y = h * 1
    for t in range(STEPS):
        y.mul_(xs[t])
    return y


def asks_for_the_round(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for k in range(STEPS):
        h = gl.tanh(h @ w) if k % 2 else h @ w
    return h


def computes_the_index(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        h = gl.tanh(xs[t % 3] + h @ w)
    return h


def detaches(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h.detach() @ w + b) + h * 0.1
    return h


def without_history(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        with gl.no_grad():
            z = xs[t] @ w
        h = gl.tanh(z + h @ w)
    return h


def counts(xs: Any, h: Any, w: Any, b: Any) -> Any:
    n = 0
    for t in range(STEPS):
        n += 1
        h = gl.tanh(xs[t] + h @ w) / n
    return h


def compares_objects(xs: Any, h: Any, w: Any, b: Any) -> Any:
    start = h
    for t in range(STEPS):
        k = 2.0 if h is start else 1.0
        h = gl.tanh(xs[t] + h @ w) * k
    return h


class Holder:
    """An object with attributes."""

    h: Any


def sets_an_attribute(xs: Any, h: Any, w: Any, b: Any) -> Any:
    o = Holder()
    o.h = h
    for t in range(STEPS):
        o.h = gl.tanh(xs[t] + o.h @ w)
        h = o.h
    return h


def writes_a_variable_outside(xs: Any, h: Any, w: Any, b: Any) -> Any:
    def step(t: int) -> None:
        nonlocal h
        h = gl.tanh(xs[t] + h @ w)

    z = w
    for t in range(STEPS):
        step(t)
        z = z * 0.5
    return h, z


def fills_a_dict(xs: Any, h: Any, w: Any, b: Any) -> Any:
    d = {}
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w)
        d[0] = h
    return d[0], h


def asks_a_generator(xs: Any, h: Any, w: Any, b: Any) -> Any:
    g = (xs[t] for t in range(STEPS))
    for _ in range(STEPS):
        h = gl.tanh(next(g) + h @ w)
    return h


def appends_twice(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs: list[Any] = []
    more: list[Any] = []
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w)
        outs.append(h)
        more.append(h)
    return outs[5] is more[5], h


def number_of_a_tensor(xs: Any, h: Any, w: Any, b: Any) -> Any:
    c = b.sum().item()
    for t in range(STEPS):
        h = gl.tanh(xs[t] + h @ w) * (t + c) * 0.05
    return h


def row_that_is_carried(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(STEPS):
        h = h + gl.tanh(xs[t] @ w)
        h = xs[t]
    return h * w[0]


def pointwise_only(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for _ in range(8):
        h = h * w[0] + b
    return h


unrolled = [
    swaps, writes_in_place, asks_for_the_round, computes_the_index, detaches, without_history, counts,
    compares_objects, sets_an_attribute, writes_a_variable_outside, fills_a_dict, asks_a_generator, appends_twice,
    number_of_a_tensor, row_that_is_carried, pointwise_only,
]  # fmt: skip
often += [swaps, writes_in_place, detaches, compares_objects, fills_a_dict, appends_twice]
"""The programs that run whenever tests do; the others are slow, together."""
