"""Random programs over arrays, as Python text: expressions, views, writes in place, reductions, in any order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from oracle import copied

# Values stay small and dyadic, and every operation here is exact, so that no order of summation shows and no rounding
# error decides a comparison: whatever differs from NumPy is a mistake.
EXPRESSIONS = [
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} // {b}", "{a} % {b}", "{a} + {n}", "{n} - {a}", "{a} * {f}",
    "{a} / 4", "{a} / 2.0",
    "{a} < {b}", "{a} >= {f}", "{a} == {b}", "{a} != {n}", "({a} > 0) & ({b} < 2)", "{a} & {n}", "{a} | {b}",
    "{a} ^ {b}", "~{a}", "-{a}", "+{a}", "abs({a})", "{a} ** 2", "{a} << 1", "{a} >> {n}",
    "np.maximum({a}, {b})", "np.minimum({a}, {f})", "np.where({a} > {b}, {a}, {b})", "np.where({a} > 0, {a}, {n})",
    "np.clip({a}, {n}, {f})", "np.clip({a}, -1, 3)", "np.sign({a})", "np.floor({a})", "np.square({a})",
    "np.isfinite({a})",
    "{a}.sum()", "{a}.sum(axis={i})", "{a}.sum(axis={i}, keepdims=True)", "{a}.max(axis={i})", "{a}.min()",
    "{a}.any(axis={i})", "{a}.all()", "np.argmax({a}, axis={i})", "np.argmin({a})", "np.prod({a}, axis={i})",
    "{a}.max()", "np.count_nonzero({a}, axis={i})",
    "{a}[{i}]", "{a}[{i}:]", "{a}[:{j}]", "{a}[::-1]", "{a}[::2]", "{a}[..., {i}]", "{a}[:, {i}]", "{a}[None]",
    "{a}[:, None]", "{a}[{i}:{j}]", "{a}[{i}, {j}]", "{a}[...]", "{a}[()]", "{a}[-{j}::-1]", "{a}[[{i}, {j}]]",
    "{a}[:, [{i}]]", "{a}[::-2, 1:]",
    "{a}.T", "{a}.reshape(-1)", "{a}.reshape(-1, 1)", "{a}.reshape({j}, -1)", "{a}.ravel()", "np.squeeze({a})",
    "np.expand_dims({a}, {i})", "np.swapaxes({a}, 0, -1)", "np.flip({a})", "np.transpose({a})", "np.atleast_2d({a})",
    "{a}.copy()", "{a}.astype(np.float32)", "{a}.astype(np.int64)", "{a}.astype(bool)", "np.array({a})",
    "np.asarray({a})", "np.zeros_like({a})", "np.ones_like({a})", "np.full_like({a}, {n})",
    "np.ascontiguousarray({a})",
    "np.concatenate([{a}, {b}])", "np.concatenate([{a}, {a}], axis=-1)", "np.stack([{a}, {a}], axis={i})",
    "np.vstack([{a}, {b}])", "np.hstack([{a}, {b}])", "np.roll({a}, {n})", "np.roll({a}, 1, axis={i})",
    "np.diff({a}, axis={i})", "np.tile({a}, 2)", "np.repeat({a}, 2, axis={i})", "np.pad({a}, 1)", "np.tril({a})",
    "np.split({a}, 2)[0]",
    "np.array([{a}, {b}])", "np.array([{f}, {n}, 1])", "np.arange({j})",
    "np.arange({n}, {n} + {j})", "np.arange({n}, {n} + 3, dtype=np.float32)", "np.tri(2, 3, {n})", "np.tril({a}, {n})",
    "{a}[{n}:{n} + {j}]", "{a}[max(0, len({a}) - {n}):]", "{a}[: min(len({a}), {n})]", "{a} * int(len({a}) > {n})",
    "np.zeros(({j}, {i}))", "{a} @ {b}",
    "{a}.view('u' + str({a}.itemsize)) & 7", "{a}.view(np.uint8) & 127", "({a} > {f}).view('u1')",
    "{a}.view('u' + str({a}.itemsize)).view({a}.dtype)", "{a}.view({a}.dtype)", "{a}[::2].view('i4') & 7",
    "np.dot({a}, {b})", "np.outer({a}, {b})", "np.take({a}, [{i}, 0], axis=0)", "np.take({a}, {i})",
]  # fmt: skip
STATEMENTS = [
    "{a} += {b}", "{a} -= {n}", "{a} *= {f}", "{a} //= {n}", "{a} |= {b}", "{a} &= {n}", "{a}[{i}] = {b}",
    "{a}[{i}:] = {n}", "{a}[:{j}] = {b}", "{a}[...] = {b}", "{a}[::2] = {f}", "{a}[::-1] = {b}", "{a}[:, {i}] = {n}",
    "{a}[{i}] += {b}", "{a}[{i}:] *= {n}", "{a}[{i}, {j}] = {f}",
    "{a}[1:] = {a}[:-1]", "{a}[:-1] = {a}[1:]", "{a}[1:] += {a}[:-1]", "{a}[{a} > {n}] = {f}", "{a}[{b} < 1] = {n}",
    "{a}.fill({n})", "np.add({a}, {b}, out={a})", "np.multiply({a}, {b}, out={c})", "np.maximum({a}, {n}, out={a})",
    "np.negative({a}, out={c})", "{a}, {b} = {b}, {a}", "{a}[0], {a}[-1] = {a}[-1], {a}[0]", "{a} += {a}.T",
    "{a} -= {a}[::-1]",
    "if {n} > {i}:\n        {a} = {a} + 1", "for k in range({j}):\n        {a} = {a} * 2 - k",
    "for k in range({j}):\n        {a}[k] = {b}[k]", "for row in {a}:\n        row += 1",
    "{a}.view('u' + str({a}.itemsize))[{i}:] = 0", "{a}.view(np.uint8)[..., :{j}] = 0",
    "{c} = {a}.view('u' + str({a}.itemsize)).view({a}.dtype)\n    {c}[{i}] = {n}\n    {a}[0] = {f}",
    "np.clip({a}, 0, {n}, out={a})", "{a}.T[...] = {n}", "{a}.reshape(-1)[{i}] = {n}",
]  # fmt: skip
DTYPES = ["bool", "uint8", "int32", "int64", "float16", "float32", "float64"]
SHAPES = [(), (1,), (3,), (4,), (2, 3), (3, 3), (3, 1), (1, 4), (0, 3), (2, 3, 2)]


@dataclass
class Program:
    """A function as text, with arguments to call it with."""

    lines: list[str] = field(default_factory=list)
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return f"def f({', '.join(self.arguments)}):\n    " + "\n    ".join(self.lines)

    def function(self) -> Callable[..., Any]:
        namespace: dict[str, Any] = {"np": np}
        exec(self.text, namespace)
        return namespace["f"]  # type: ignore[no-any-return]


def arrays(draw: Callable[..., Any]) -> np.ndarray[Any, Any]:
    """An array of small dyadic numbers in any layout."""
    dtype, shape = np.dtype(draw(st.sampled_from(DTYPES))), draw(st.sampled_from(SHAPES))
    rng = np.random.default_rng(draw(st.integers(0, 50)))
    choice = (
        [0, 1]
        if dtype.kind == "b"
        else [0, 1, 2, 3]
        if dtype.kind == "u"
        else [-2, -1, 0, 1, 2, 3]
        if dtype.kind == "i"
        else [-1.5, -1.0, 0.0, 0.5, 2.0]
    )
    wide = rng.choice(np.array(choice, dtype), (*shape[:-1], 2 * shape[-1]) if shape else ())
    layout = draw(st.sampled_from(["C", "C", "F", "strided", "reversed", "view"]))
    if not shape:
        return np.asarray(wide)
    if layout in ("strided", "reversed"):
        return wide[..., ::2] if layout == "strided" else wide[..., ::-2]
    half = wide[..., : shape[-1]]
    return half if layout == "view" else half.copy(layout)  # type: ignore[arg-type]


@st.composite
def programs(draw: Callable[..., Any], max_lines: int = 9) -> Program:
    """A program whose every line runs on its arguments, but perhaps the last."""
    program = Program()
    names = ["x", "y"]
    program.arguments = {"x": arrays(draw)}
    related = draw(st.sampled_from(["apart", "apart", "apart", "same", "view"]))
    x = program.arguments["x"]
    program.arguments["y"] = {
        "apart": lambda: arrays(draw),
        "same": lambda: x,
        "view": lambda: x[...] if x.ndim == 0 else x[1:],
    }[related]()
    program.arguments["n"] = draw(st.sampled_from([1, 2, 0, 3, -1]))
    program.arguments["f"] = draw(st.sampled_from([0.5, 2.0, -1.0, 0.0]))
    if draw(st.booleans()):
        program.arguments["s"] = np.dtype(draw(st.sampled_from(DTYPES))).type(draw(st.sampled_from([1, 0, 2])))
        names.append("s")
    state = _start(program)
    for number in range(draw(st.integers(1, max_lines))):
        line = _line(draw, names, f"v{number}")
        if not _runs(line, state):
            if draw(st.integers(0, 60)) == 0:
                program.lines.append(line)
                break
            continue
        program.lines.append(line)
        if line.startswith("v") and line.split(" ")[0] == f"v{number}":
            names.append(f"v{number}")
    kept = draw(st.lists(st.sampled_from(names), min_size=1, max_size=4))
    program.lines.append(f"return {', '.join(kept)}")
    return program


def _start(program: Program) -> dict[str, Any]:
    return {"np": np, **copied(program.arguments)}


def _runs(line: str, state: dict[str, Any]) -> bool:
    with np.errstate(all="ignore"):
        before = dict(state)
        try:
            exec(line.replace("\n        ", "\n  "), state)
        except Exception:
            state.clear()
            state.update(before)
            return False
    sizes = [each for each in state.values() if isinstance(each, np.ndarray)]
    return all(each.size <= 500 for each in sizes)


def _line(draw: Callable[..., Any], names: list[str], target: str) -> str:
    def fill(template: str) -> str:
        recent = st.one_of(st.sampled_from(names), st.sampled_from(names[-3:]))
        return template.format(
            a=draw(recent), b=draw(recent), c=draw(recent), i=draw(st.integers(0, 2)), j=draw(st.integers(1, 3)),
            n=draw(st.sampled_from(["n", "1", "2", "3"])), f=draw(st.sampled_from(["f", "0.5", "2.0"])),
        )  # fmt: skip

    if draw(st.integers(0, 2)):
        return f"{target} = {fill(draw(st.sampled_from(EXPRESSIONS)))}"
    return fill(draw(st.sampled_from(STATEMENTS)))
