"""Loops over a tensor's parts, over windows of it, and with writes to the part that is the round's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.control_flow.tensors.test_loops import arguments, assert_close, flat, loops_in, shown, with_gradients
from frontend.tensors.scenario import interpreted
from hypothesis import given, note, settings
from hypothesis import strategies as st

import guardlift as gl
from guardlift.frontend import state_of

STEPS = 20


def step(x: Any, h: Any, w: Any, b: Any) -> Any:
    return gl.tanh(x + h @ w + b)


def split(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for x in xs.transpose(0, 1).split(1, dim=1):
        h = step(x.squeeze(1), h, w, b)
        outs.append(h)
    return gl.stack(outs)


def unbind(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for x in xs.unbind():
        h = step(x, h, w, b)
    return h


def unbind_later(xs: Any, h: Any, w: Any, b: Any) -> Any:
    parts = xs.permute(1, 2, 0).unbind(-1)
    for t, x in enumerate(parts):
        h = step(x, h, w, b) * (t * 0.1)
    return h, parts[3] * 2


def chunks(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for x in gl.chunk(xs, 10):
        h = step(x[0] - x[1], h, w, b)
    return h


def wide_parts(xs: Any, h: Any, w: Any, b: Any) -> Any:
    total = 0.0
    for x in xs.transpose(0, 1).split(2, 1):
        h = step(x.mean(1), h, w, b)
        total = total + (x * x).sum()
    return h, total


def together(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for x, y in zip(xs.unbind(0), (xs * 2).split(1)):
        h = step(x + y[0], h, w, b)
        outs += [h]
    return gl.stack(outs)


def backwards(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for x in reversed(xs.unbind(0)):
        h = step(x, h, w, b)
    return h


def every_second(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for x in xs.unbind(0)[1::2]:
        h = step(x, h, w, b)
    return h


def all_but_one(xs: Any, h: Any, w: Any, b: Any) -> Any:
    parts = xs.unbind(0)
    h = h + parts[0]
    for x in parts[1:]:
        h = step(x, h, w, b)
    return h


def slices(xs: Any, h: Any, w: Any, b: Any) -> Any:
    ys = xs.transpose(0, 1)
    for t in range(ys.size(1)):
        h = step(ys[:, t : t + 1].squeeze(1), h, w, b)
    return h


def windows(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for t in range(2, STEPS - 1):
        h = step(xs[t - 2 : t + 2].sum(0), h, w, b)
    return h


def windows_with_a_stride(xs: Any, h: Any, w: Any, b: Any) -> Any:
    ys = xs.permute(1, 2, 0)
    for t in range(STEPS - 3):
        h = step(ys[..., t : t + 3].sum(-1), h, w, b) + ys[:, :, t : t + 4].mean(2)
    return h


def extends(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = [h * 2]
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        outs += [h, h * 2]
    return gl.stack(outs), len(outs)


def extends_by_name(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs = []
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        outs.extend((h,))
    return gl.stack(outs)


def assigns(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.zeros(3, STEPS, 4, dtype=xs.dtype)
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        out[:, t] = h
    return out, h


def assigns_rows(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.zeros(STEPS + 1, 3, 4, dtype=xs.dtype)
    out[0] = h
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        out[t + 1] = h
    return out * 2


def assigns_slices(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = xs.new_zeros(3, STEPS, 4)
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        out[:, t : t + 1, :] = h.unsqueeze(1)
    return out


def assigns_from_the_end(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out, sums = gl.empty(3, 4, STEPS, dtype=xs.dtype), gl.zeros(2 * STEPS, dtype=xs.dtype)
    for t in reversed(range(STEPS)):
        h = step(xs[t], h, w, b)
        out[..., t] = h
        sums[2 * t] = h.sum()
    return out, sums


def assigns_what_broadcasts(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.ones(STEPS, 3, 4, dtype=xs.dtype)
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        out[t] = h.sum(0)
    return out


def results_of_results(xs: Any, h: Any, w: Any, b: Any) -> Any:
    first = h = step(xs[0], h, w, b)
    total = h.sum()
    for x in xs.unbind(0)[1:]:
        h = step(x, h, w, b)
        total = total + h.sum()
    return first, h, total * h


def results_of_two_loops(xs: Any, h: Any, w: Any, b: Any) -> Any:
    total = h.sum() * 2
    for x in xs.unbind(0):
        h = step(x, h, w, b)
        total = total + h.mean()
    last = h * total
    return h, total, last, last * h


traced_once = [
    *(
        results_of_results,
        results_of_two_loops,
        split,
        unbind,
        unbind_later,
        chunks,
        wide_parts,
        together,
        backwards,
        every_second,
        all_but_one,
        slices,
        windows,
    ),
    *(windows_with_a_stride, extends, extends_by_name, assigns, assigns_rows, assigns_slices, assigns_from_the_end),
    assigns_what_broadcasts,
]


def reads_what_it_wrote(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.zeros(STEPS, 3, 4, dtype=xs.dtype)
    for t in range(1, STEPS):
        out[t] = step(xs[t], out[t - 1].clone(), w, b)
    return out


def sums_what_it_wrote(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.zeros(STEPS, 3, 4, dtype=xs.dtype)
    for t in range(STEPS):
        h = step(xs[t], h, w, b) + out.sum(0) * 0.1
        out[t] = h
    return out


def reads_a_view_of_it(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.zeros(STEPS, 3, 4, dtype=xs.dtype)
    seen = out[3]
    h = h + seen
    for t in range(STEPS):
        h = step(xs[t], h, w, b) + seen
        out[t] = h
    return out, seen


def writes_twice(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.zeros(STEPS + 1, 3, 4, dtype=xs.dtype)
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        out[t] = h
        out[t + 1] = h * 2
    return out


def overlapping(xs: Any, h: Any, w: Any, b: Any) -> Any:
    out = gl.zeros(STEPS + 1, 3, 4, dtype=xs.dtype)
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        out[t : t + 2] = h
    return out


def writes_what_it_goes_over(xs: Any, h: Any, w: Any, b: Any) -> Any:
    ys = xs * 1
    for y in ys.unbind(0):
        h = step(y, h, w, b)
        ys[3] = h
    return ys, h


def extends_what_it_goes_over(xs: Any, h: Any, w: Any, b: Any) -> Any:
    parts = list(xs.unbind(0))
    for x in parts:
        h = step(x, h, w, b)
        if len(parts) < 30:
            parts += [h]
    return h, len(parts)


def names_it_twice(xs: Any, h: Any, w: Any, b: Any) -> Any:
    outs: list[Any] = []
    same = outs
    for t in range(STEPS):
        h = step(xs[t], h, w, b)
        outs += [h]
        if len(same) > 3:
            h = h * 0.5
    return gl.stack(same), outs is same


def uneven(xs: Any, h: Any, w: Any, b: Any) -> Any:
    for x in xs.split(3):
        h = step(x.sum(0), h, w, b)
    return h


unrolled = [
    *(reads_what_it_wrote, sums_what_it_wrote, reads_a_view_of_it, writes_twice, overlapping),
    *(writes_what_it_goes_over, extends_what_it_goes_over, names_it_twice, uneven),
]


@pytest.mark.parametrize("program", [*traced_once, *unrolled], ids=lambda each: each.__name__)
def test_a_loop_over_time_gives_what_eager_mode_gives(program: Callable[..., Any]) -> None:
    with interpreted():
        compare(program)


@pytest.mark.parametrize("program", [split, windows, extends, assigns_slices], ids=lambda each: each.__name__)
def test_so_it_does_through_kernels(program: Callable[..., Any]) -> None:
    compare(program)


def compare(program: Callable[..., Any]) -> None:
    """Asserts that a program does the same jitted, and is one loop if it should be."""
    given, jitted = arguments(), gl.jit(program)
    wanted, facts = with_gradients(program, given)
    versions = [each._version for each in flat(program(*given)) if isinstance(each, gl.Tensor)]
    for _ in range(2):
        found, found_facts = with_gradients(jitted, given)
        assert_close(found, wanted)
        assert found_facts == facts
    assert [each._version for each in flat(jitted(*given)) if isinstance(each, gl.Tensor)] == versions
    breaks = [event.break_code for event in state_of(jitted).history if event.kind == "break"]
    assert "B900" not in breaks
    if program in traced_once:
        assert loops_in(jitted) == 1 and not breaks
    with gl.no_grad():
        assert_close([shown(each) for each in flat(jitted(*given))], [shown(each) for each in flat(program(*given))])


@pytest.mark.parametrize("program", [split, together, slices, extends, assigns], ids=lambda each: each.__name__)
def test_a_long_loop_over_time_is_no_graph_break(program: Callable[..., Any]) -> None:
    steps = gl.config.unroll_limit + 6
    given = arguments(steps=steps)
    if program in (split, together, slices):
        assert_close(with_gradients(gl.jit(program, fullgraph=True), given)[0], with_gradients(program, given)[0])
    else:
        jitted = gl.jit(program)
        assert_close(with_gradients(jitted, given)[0], with_gradients(program, given)[0])
        assert not [event for event in state_of(jitted).history if event.kind == "break"]


def test_memory_of_the_caller_is_written_as_in_eager_mode() -> None:
    def program(xs: Any, h: Any, w: Any, out: Any) -> Any:
        with gl.no_grad():
            for t in range(xs.shape[0]):
                h = gl.tanh(xs[t] + h @ w)
                out[:, t] = h
        return h

    xs, h, w, _ = arguments(grad=False)
    jitted = gl.jit(program)
    for _ in range(2):
        one, other = gl.ones(3, STEPS, 4, dtype=xs.dtype), gl.ones(3, STEPS, 4, dtype=xs.dtype)
        found, wanted = jitted(xs, h, w, one), program(xs, h, w, other)
        assert_close([shown(found), shown(one)], [shown(wanted), shown(other)])
        assert one._version == other._version
    assert loops_in(jitted) == 1
    same = xs.permute(1, 0, 2)
    for function in (jitted, program):  # what is written is what is read
        own = same.clone()
        assert (
            shown(function(own.permute(1, 0, 2), h, w, own)).tolist()
            == shown(program(xs, h, w, gl.zeros(3, STEPS, 4, dtype=xs.dtype))).tolist()
        )


READS = [
    "xs[t]",
    "xs[t:t+1][0]",
    "xs[t:t+1].squeeze(0)",
    "xs[t:t+2].sum(0)",
    "xs[-1-t]",
    "xs[t, :, :1]",
    "ys[:, t]",
    "ys[:, t:t+1].mean(1)",
]
WRITES = [
    "outs.append(h)",
    "outs += [h]",
    "outs.extend([h * 2])",
    "o1[t] = h",
    "o2[:, t] = h",
    "o2[:, t:t+1] = h[:, None]",
    "o3[..., 9-t] = h",
    "s = s + h.sum()",
]
HEADS = [
    "for t in range(10):",
    "for t, x in enumerate(ys.unbind(1)[:10]):",
    "for t, x in enumerate(xs.split(2)):",
    "for t, (x, y) in enumerate(zip(xs.unbind()[::2], reversed(xs.unbind()[5:15]))):",
]


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(READS), min_size=1, max_size=3),
    st.lists(st.sampled_from(WRITES), min_size=1, max_size=4),
    st.booleans(),
)
@pytest.mark.slow
def test_any_loop_over_time_gives_what_eager_mode_gives(
    head: str, reads: list[str], writes: list[str], last: bool
) -> None:
    parts = [*reads, "x.sum(0, keepdim=True)[0, :1]" if "x" in head.split("in")[0] else "b"]
    lines = [
        "def program(xs, h, w, b):",
        "    ys, outs, s = xs.transpose(0, 1), [], 0.0",
        "    o1, o2, o3 = (gl.zeros(*shape, dtype=b.dtype) for shape in ((10, 3, 4), (3, 10, 4), (3, 4, 10)))",
        f"    {head}",
        f"        h = gl.tanh(h @ w + {' + '.join(parts)})",
        *(f"        {write}" for write in writes),
        "    rows = gl.stack(outs) if outs else b * 2",
        f"    return [h, o1, o2, o3, rows, *outs[:2], s * h{', x * 2' if last and 'x' in head.split('in')[0] else ''}]",
    ]
    note("\n".join(lines))
    namespace: dict[str, Any] = {"gl": gl}
    exec("\n".join(lines), namespace)
    given, jitted = arguments(), gl.jit(namespace["program"])
    wanted, facts = with_gradients(namespace["program"], given)
    with interpreted():
        found, found_facts = with_gradients(jitted, given)
    assert "B900" not in [event.break_code for event in state_of(jitted).history]
    assert_close(found, wanted)
    assert found_facts == facts
