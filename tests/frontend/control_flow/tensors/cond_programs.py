"""Programs with branches on the data of tensors: `merged` become conds of the graph, `parted` must break it.

Each takes `x` [4, 4], `w` [4, 4] and `b` [4], and returns tensors, numbers and tuples of them.
"""

from __future__ import annotations

from typing import Any

import guardlift as gl

LOG: list[str] = []
STATE = {"count": 0}


def two_arms(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = (x @ w).sin()
    else:
        y = (x @ w).cos()
    return y * 2


def two_returns(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        return gl.tanh(x * w)
    return gl.exp(x) * w


def three_returns(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 1:
        return x * w
    if x[0, 0] > 0:
        return x.sin() * w
    return x - w


def several_variables(x: Any, w: Any, b: Any) -> Any:
    if x.mean() > 0:
        y, z = x * w, w.exp() + b
        extra = y + z
    else:
        y, z = x.tanh() - w, (w + b).cos()
        extra = x * 0 + z * w
    return y, z, extra


def one_tensor_under_two_names(x: Any, w: Any, b: Any) -> Any:
    if x.mean() > 0:
        y = z = x * w
    else:
        z = y = x + w
    return y, y is z, z * 2


def rescaled(x: Any, w: Any, b: Any) -> Any:
    h = x @ w
    norm = h.norm()
    if norm > 2:
        h = h / norm
    return h


def rescaled_by_item(x: Any, w: Any, b: Any) -> Any:
    h = x @ w
    if h.abs().max().item() > 1.5:
        h = h * 0.5
    return h.sum()


def chosen_number(x: Any, w: Any, b: Any) -> Any:
    scale = 0.5 if x.sum() > 0 else 2.0
    return x * w * scale


def chosen_flag(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        large = True
    else:
        large = False
    if large:
        return x * w
    return x + w


def expression(x: Any, w: Any, b: Any) -> Any:
    return (x.sin() if x.sum() > 0 else x.cos()) * w + b


def both_conditions(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0 and w.sum() > 0 or x[0, 0] > 1:
        return x @ w
    return x + w


def negated(x: Any, w: Any, b: Any) -> Any:
    if not (x > 0).all():
        x = x.abs() + w
    else:
        x = x * w
    return x


def chain(x: Any, w: Any, b: Any) -> Any:
    s = x.sum()
    if s > 2:
        y = x * w
    elif s > 0:
        y = x - w
    elif s > -2:
        y = w - x
    else:
        y = x / (w.exp() + 1)
    return y


def in_a_call(x: Any, w: Any, b: Any) -> Any:
    def clipped(h: Any) -> Any:
        if h.abs().max() > 1:
            return h / h.abs().max()
        return h * 1

    return clipped(x @ w) + clipped(x)


def in_a_row(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    if h.sum() > 1:
        h = h * 0.5
    if h.sum() < -1:
        h = h * 0.25
    if (h * h).sum() > 0.5:
        h = h.tanh()
    return h


def in_a_loop(x: Any, w: Any, b: Any) -> Any:
    h = x
    for _ in range(12):
        h = gl.tanh(h @ w + b)
        if h.norm() > 1.5:
            h = h / h.norm()
    return h


def loop_in_an_arm(x: Any, w: Any, b: Any) -> Any:
    h = x
    if x.sum() > 0:
        for _ in range(10):
            h = gl.tanh(h @ w + b)
    else:
        for _ in range(12):
            h = gl.sin(h @ w - b)
    return h


def integers(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        index = x.argmax(1)
    else:
        index = x.argmin(1)
    return index, x * 2


def read_only_before(x: Any, w: Any, b: Any) -> Any:
    y = x
    if x.sum() > 0:
        y = x * w
    else:
        y = w * x * 2
    return (y * x).sum()


def chosen_of_two(x: Any, w: Any, b: Any) -> Any:
    with gl.no_grad():
        p, q = x.exp(), w.exp()
        r = p if x.sum() > 0 else q
        return r * 2


def part_detached(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = x * w.detach() * w
    else:
        y = x * w
    return y


def write_into_its_own(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = x * w
        y += 1
    else:
        y = x - w
        y.mul_(2)
    return y


def module_like(x: Any, w: Any, b: Any) -> Any:
    y = gl.nn.functional.linear(x, w, b)
    if y.mean() > 0:
        y = gl.nn.functional.relu(y)
    else:
        y = gl.nn.functional.gelu(y)
    return gl.nn.functional.softmax(y, 1)


merged = (
    two_arms,
    two_returns,
    three_returns,
    several_variables,
    one_tensor_under_two_names,
    rescaled,
    rescaled_by_item,
    chosen_number,
    chosen_flag,
    expression,
    both_conditions,
    negated,
    chain,
    in_a_call,
    in_a_row,
    in_a_loop,
    loop_in_an_arm,
    integers,
    read_only_before,
    chosen_of_two,
    part_detached,
    write_into_its_own,
    module_like,
)


# What follows is no cond: branches leave something else than tensors of one form, or only the run knows what is one.
def the_argument_or_not(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        x = x + 1
    return x


def argument_without_history(x: Any, w: Any, b: Any) -> Any:
    x = x.detach()
    y = x
    if x.sum() > 0:
        y = x + 1
    return y


def an_intermediate_or_not(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    y = h
    if x.sum() > 0:
        y = h * 2
    return y, h


def written_afterwards(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    y = h
    if x.sum() > 0:
        y = h * 2
    h.add_(1)
    return y * 3


def view_written_afterwards(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    y = h
    if x.sum() > 0:
        y = h * 2
    row = y[0] * 1
    h.add_(1)
    return y[0] * 3 + row


def written_itself(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    y = h
    if x.sum() > 0:
        y = h * 2
    y.add_(1)
    return h * 3


def identity(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    y = h
    if x.sum() > 0:
        y = h * 2
    return y is h, h.sum()


def key(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    y = h
    if x.sum() > 0:
        y = h * 2
    return {h: 1}.get(y, 0), h.sum()


def one_or_two(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = z = x * w
    else:
        y, z = x * w, x * w
    return y, z


def two_that_may_be_one(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        h = x * w
        y = h
        if w.sum() > 0:
            y = h * 2
    else:
        h, y = x + w, x - w
    return h.add_(1), y


def two_of_one(x: Any, w: Any, b: Any) -> Any:
    h = x * w
    y = z = h
    if x.sum() > 0:
        y = h * 2
    if w.sum() > 0:
        z = h * 3
    return y, z


def other_shapes(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = x * w
    else:
        y = x.sum() * w[0]
    return y


def other_dtypes(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = x > w
    else:
        y = x * w
    return y


def other_strides(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = (x * w).t()
    else:
        y = x * w
    return y


def a_number_or_a_tensor(x: Any, w: Any, b: Any) -> Any:
    total = 0.0
    if x.sum() > 0:
        total = total + (x * w).sum()
    return total


def other_gradients(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = x * w
    else:
        y = x * b
    return y


def no_gradient_in_one_arm(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = x * w
    else:
        y = (x * w).detach()
    return y


def part_under_no_grad(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        with gl.no_grad():
            c = w.exp()
        y = x * c * w
    else:
        y = x * w
    return y


def write_from_outside(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        with gl.no_grad():
            b.add_(1)
    return x * w


def write_before(x: Any, w: Any, b: Any) -> Any:
    h = x * 1
    if x.sum() > 0:
        h.mul_(2)
    return h * w


def side_effect(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        LOG.append("positive")
        y = x * w
    else:
        y = x + w
    return y


def counted(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        STATE["count"] += 1
    return x * w


def list_before(x: Any, w: Any, b: Any) -> Any:
    outs = []
    if x.sum() > 0:
        outs.append(x * w)
    return outs, x * 2


def closure_variable(x: Any, w: Any, b: Any) -> Any:
    y = x * w

    def read() -> Any:
        return y

    if x.sum() > 0:
        y = y * 2
    return read() + 1


def only_one_binds(x: Any, w: Any, b: Any) -> Any:
    y = x * w
    if x.sum() > 0:
        z = y * 2
    try:
        return z + 0  # noqa: F821
    except UnboundLocalError:
        return y


def checked_index(x: Any, w: Any, b: Any) -> Any:
    if x.sum() > 0:
        y = x[x.argmax(1)] * w
    else:
        y = x * w
    return y


def left_loop(x: Any, w: Any, b: Any) -> Any:
    h = x
    for _ in range(12):
        h = gl.tanh(h @ w)
        if h.norm() < 0.5:
            break
    return h


def while_loop(x: Any, w: Any, b: Any) -> Any:
    h = x
    while h.norm() > 0.5:
        h = h * 0.5
    return h


def many_elements(x: Any, w: Any, b: Any) -> Any:
    try:
        if x > 0:
            return x * w
    except RuntimeError:
        pass
    return x + w


def random_draw(x: Any, w: Any, b: Any) -> Any:
    gl.manual_seed(3)
    if x.sum() > 0:
        y = x * gl.rand(4, 4) * w
    else:
        y = x * w
    return y + gl.rand(4, 4)


def backward_inside(x: Any, w: Any, b: Any) -> Any:
    loss = (x * w).sum()
    if loss > 0 and loss.requires_grad:
        loss.backward()
    return (x * w).sum()


def carried_or_not(x: Any, w: Any, b: Any) -> Any:
    h = x
    for _ in range(12):
        if (h * w).sum() > 0:
            h = h @ w
    return h


def previous_or_not(x: Any, w: Any, b: Any) -> Any:
    h = x
    for _ in range(12):
        previous = gl.tanh(h @ w)
        h = previous
        if h.norm() > 1.5:
            h = h * 0.5
    return h, previous


parted = (
    the_argument_or_not,
    argument_without_history,
    an_intermediate_or_not,
    written_afterwards,
    view_written_afterwards,
    written_itself,
    identity,
    key,
    one_or_two,
    two_that_may_be_one,
    two_of_one,
    other_shapes,
    other_dtypes,
    other_strides,
    a_number_or_a_tensor,
    other_gradients,
    no_gradient_in_one_arm,
    part_under_no_grad,
    write_from_outside,
    write_before,
    side_effect,
    counted,
    list_before,
    closure_variable,
    only_one_binds,
    checked_index,
    left_loop,
    while_loop,
    many_elements,
    random_draw,
    backward_inside,
    carried_or_not,
    previous_or_not,
)


# Branches of which one branch raises: the call is left to Python where that is taken.
def raising(x: Any, w: Any, b: Any) -> Any:
    LOG.append("called")
    if x.sum() < 0:
        raise ValueError(f"{len(LOG)} too small")
    return x * w


def asserting(x: Any, w: Any, b: Any) -> Any:
    y = x * w
    assert (x.sum() > 0).item(), "too small"
    return y


def raising_in_a_call(x: Any, w: Any, b: Any) -> Any:
    def checked(h: Any) -> Any:
        if not h.sum() > 0:
            raise ValueError("too small")
        return h

    with gl.no_grad():
        b.add_(1)
    return checked(x) * w


def caught(x: Any, w: Any, b: Any) -> Any:
    try:
        if x.sum() < 0:
            raise ValueError("too small")
    except ValueError:
        return x - w
    return x * w


raising_programs = (raising, asserting, raising_in_a_call, caught)
