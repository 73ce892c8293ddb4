"""Random programs with contexts of saved-tensor hooks, graph breaks and gradients of gradients, as source text."""

from __future__ import annotations

import random
from collections.abc import Iterator

PRELUDE = """
import guardlift as gl
from guardlift.autograd import grad
from guardlift.autograd.graph import inlineable, saved_tensors_hooks

SCALE, SEEN, STORE = [2.0], [], {}


@inlineable
def doubled(t):
    return t * 2.0


@inlineable
def halved(t):
    return t / 2.0


@inlineable
def coarse(t):
    return (t * 64.0).round()


@inlineable
def fine(t):
    return t / 64.0


@inlineable
def half(t):
    return {"data": t.to(gl.float16), "shape": t.shape}


@inlineable
def whole(kept):
    return kept["data"].to(gl.float64).reshape(kept["shape"])


@inlineable
def as_it_is(t):
    return t


@inlineable
def scaled(t):
    return t * SCALE[0], SCALE[0]


@inlineable
def unscaled(kept):
    return kept[0] / kept[1]


@inlineable
def by_now(t):
    return t / SCALE[0]


@inlineable
def counted(t):
    SEEN.append(tuple(t.shape))
    return t * 2.0


@inlineable
def told(t, info):
    return (t * 64.0).round() / 64.0 if info.is_leaf or info.argument == "result" else t


@inlineable
def leaves_alone(t):
    return t if t.requires_grad and t.is_leaf else (t * 16.0).round() / 16.0


def put(t):
    STORE[len(STORE)] = t.detach().clone()
    return len(STORE) - 1


def take(key):
    return STORE[key]



def raising(text):
    raise ValueError(text)
"""

PAIRS = (
    "doubled, halved",
    "coarse, fine",
    "half, whole",
    "as_it_is, as_it_is",
    "scaled, unscaled",
    "scaled, unscaled",
    "coarse, by_now",
    "counted, halved",
    "told, as_it_is",
    "leaves_alone, as_it_is",
    "put, take",
)
_VALUES = (
    "{a} + {b}",
    "{a} * {b}",
    "{a} * {b}",
    "{a} - {b} * 0.5",
    "gl.tanh({a})",
    "gl.exp({a} * 0.1)",
    "{a}.sigmoid()",
    "({a} @ {b}).tanh()",
    "{a} / ({b}.norm() + 1)",
    "{a}.t() * {b}",
    "{a}[1] * {b}",
    "{a} * {a}.mean(0)",
    "{a}.detach() * {b}",
    "{a}.softmax(1)",
    "gl.where({a} > 0, {a}, {b}.sin())",
    "{a}.clone()",
    "({a} * x).sum(0) * w",
)
_BREAKS = (
    "print({a}.shape, file=OUT)",
    "print(end='', file=OUT)",
    "{m} = float({a}.detach().sum() > 0)",
    "if {a}.sum() > 1e9: raise ValueError('large')",
)
_CHANGES = ("SCALE[0] += 0.5", "SCALE[0] = 2.0", "{c} = {c}.clone().mul_(1.25)")
_ENDS = (
    ["loss.backward()"],
    ["loss.backward(retain_graph=True)", "loss.backward()"],
    ["found = grad(loss, [x, w], create_graph=True, allow_unused=True)", "{penalty}.backward()"],
    [
        "found = grad(loss, [x, w], create_graph=True, allow_unused=True)",
        "print('here', file=OUT)",
        "({penalty} + loss).backward()",
    ],
    ["loss.backward(create_graph=True)"],
)
_PENALTY = "sum((each * each).sum() for each in found if each is not None and each.requires_grad)"


class Writer:
    """Writes one program. chance_of_break: of a statement."""

    def __init__(self, seed: int, chance_of_break: float = 0.2) -> None:
        self.random = random.Random(seed)
        self.chance_of_break = chance_of_break

    def program(self) -> str:
        """The text of `program(x, w)`, which differentiates what it computes."""
        lines = ["def program(x, w):", "    p, q, r, s = x * 2, x * w, w, 0.5"]
        lines += [f"    {line}" for line in self.block(3, 5)]
        if self.random.random() < 0.3:
            lines.append(f"    {self.random.choice(_BREAKS).format(**self.names())}")
        lines.append("    loss = ((p * q).tanh() + r.sin() + q * s).sum() + (x * w).sum()")
        lines += [f"    {line.format(penalty=_PENALTY)}" for line in self.random.choice(_ENDS)]
        return "\n".join([*lines, "    return p, q, r, s, loss.detach()", ""])

    def names(self) -> dict[str, str]:
        a, b = (self.random.choice(("x", "w", "p", "q", "r")) for _ in range(2))
        return {"a": a, "b": b, "c": self.random.choice("pqr"), "m": "s"}

    def block(self, depth: int, most: int) -> Iterator[str]:
        """The lines of a block, not indented."""
        for _ in range(self.random.randint(1, most)):
            yield from self.statement(depth)

    def statement(self, depth: int) -> list[str]:
        names, chance = self.names(), self.random.random()
        if chance < self.chance_of_break:
            return [self.random.choice(_BREAKS).format(**names)]
        if depth and chance < self.chance_of_break + 0.25:
            return self.inside(depth)
        if chance < self.chance_of_break + 0.3:
            return [self.random.choice(_CHANGES).format(**names)]
        return [f"{names['c']} = {self.random.choice(_VALUES)}".format(**names)]

    def inside(self, depth: int) -> list[str]:
        """A block in a context."""
        kind = self.random.random()
        inner = [f"    {line}" for line in self.block(depth - 1, 4)]
        if kind < 0.65:
            return [f"with saved_tensors_hooks({self.random.choice(PAIRS)}):", *inner]
        if kind < 0.8:
            return [f"with gl.{self.random.choice(('no_grad', 'enable_grad'))}():", *inner]
        if kind < 0.9:
            return [f"for _ in range({self.random.randint(2, 3)}):", *inner]
        leaves = self.random.choice(("raising('x')", "int('x')"))
        return ["try:", *inner, f"    {leaves}", "except ValueError:", "    s = s + 1"]
