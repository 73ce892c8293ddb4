"""Random programs with branches on the data of tensors, as source text: all that may stand in arms, much of it not."""

from __future__ import annotations

import random
from collections.abc import Iterator

NAMES = ("x", "w", "p", "q", "r")
"""Tensors [3, 3]; `x` and `w` are arguments. `s` and `t` are Python floats or numbers of tensors."""

_VALUES = (
    "{a} + {b}",
    "{a} * {b}",
    "{a} - {b} * 0.5",
    "gl.tanh({a})",
    "gl.exp({a} * 0.1)",
    "{a} @ {b}",
    "{a} / ({b}.norm() + 1)",
    "{a} * {n}",
    "{a}",
    "{a}.t() * {b}",
    "{a} - {a}.mean(0)",
    "{a}.detach() * {b}",
    "gl.where({a} > 0, {a}, {b})",
    "{a}.clone()",
    "{a}[1] + {b}",
)
_TESTS = (
    "{a}.sum() > 0",
    "{a}.norm().item() > {n}",
    "{a}.max() > {b}.mean()",
    "not {a}[0, 0] < {n}",
    "{a}.sum() > 0 and {b}.sum() < 0.5",
    "{a}.sum().item() > 0 or ({b} > 0).all()",
    "{a} is {b}",
)
_STATEMENTS = (
    *["{c} = {value}"] * 14,
    *["{c}, {d} = {value}, {other}"] * 2,
    "{c} = {value} if {test} else {other}",
    "{c} += {value}",
    "{c}[0] = {a}[1]",
    "{m} = {n} * 0.5",
    "{m} = {a}.mean().item()",
    "outs.append({a})",
    "{c} = outs[-1] if outs else {a}",
)


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self) -> str:
        lines = ["def program(x, w):", "    p, q, r, s, t = x * 2, x + w, w, 0.25, 1.5", "    outs = []"]
        lines += [f"    {line}" for line in self.block(3, 4)]
        last = self.random.choice(
            ("return p, q, r", "return p, q, r, outs, s", "return r", "return p + q, p is q", "return x, s")
        )
        return "\n".join([*lines, f"    {last}", ""])

    def block(self, depth: int, count: int) -> Iterator[str]:
        for _ in range(self.random.randint(1, count)):
            if depth and self.random.random() < 0.4:
                yield f"if {self.filled(self.random.choice(_TESTS))}:"
                yield from (f"    {line}" for line in self.block(depth - 1, 2))
                if self.random.random() < 0.7:
                    yield "else:"
                    yield from (f"    {line}" for line in self.block(depth - 1, 2))
            elif depth == 3 and self.random.random() < 0.1:
                yield "for _ in range(10):"
                yield from (f"    {line}" for line in self.block(1, 3))
            elif depth < 3 and self.random.random() < 0.05:
                yield f"return {self.filled('{value}')}"
            else:
                yield self.filled(self.random.choice(_STATEMENTS))

    def filled(self, text: str) -> str:
        pick = self.random.choice
        while "{value}" in text or "{other}" in text or "{test}" in text:
            text = text.replace("{value}", pick(_VALUES), 1).replace("{other}", pick(_VALUES), 1)
            text = text.replace("{test}", pick(_TESTS), 1)
        for key, choices in (
            ("{a}", NAMES),
            ("{b}", NAMES),
            ("{c}", NAMES[2:]),
            ("{d}", NAMES[2:]),
            ("{n}", ("s", "t", "0.5")),
            ("{m}", ("s", "t")),
        ):
            while key in text:
                text = text.replace(key, pick(choices), 1)
        return text
