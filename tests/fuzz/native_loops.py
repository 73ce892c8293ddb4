"""Random functions with loops over elements and slices, and arguments for them: a program is its number."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SIZE = 6
"""Of most arrays, along each axis."""
DTYPES = ("float64",) * 5 + ("int64", "int64", "int32", "uint8", "float32", "bool")
HEAD = """
def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


def pick(c, x, y):
    return x if c else y


def wave(row, k):
    return row * k + row[0]

"""


@dataclass
class Writing:
    """A function that is being written.

    ints, floats: variables that hold Python ints, and numbers of any kind. rows: vectors that live in this round."""

    random: random.Random
    lines: list[str] = field(default_factory=list)
    indices: list[str] = field(default_factory=list)
    ints: list[str] = field(default_factory=lambda: ["n", "c"])
    numbers: list[str] = field(default_factory=lambda: ["s", "t", "x"])
    rows: list[str] = field(default_factory=list)
    loops: int = 0
    fresh: int = 0

    def pick(self, *given: str) -> str:
        """One of them."""
        return self.random.choice(given)

    def chance(self, share: float) -> bool:
        """Whether something that rarely happens, happens."""
        return self.random.random() < share

    def name(self, letter: str) -> str:
        """A name that was not used yet."""
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def put(self, depth: int, line: str) -> None:
        """A line of the function."""
        self.lines.append("    " * depth + line)

    # Expressions.
    def index(self) -> str:
        """What picks an element."""
        var = self.random.choice(self.indices) if self.indices and self.chance(0.9) else self.pick("n", "c", "0", "-1")
        form = self.random.random()
        if form < 0.5:
            return var
        return self.pick(
            f"{var} - 1",
            f"-{var}",
            f"{var} % {SIZE}",
            f"{var} // 2",
            f"idx[{var}]",
            f"{SIZE - 1} - {var}",
            f"({var} * 2) % {SIZE}",
            f"({var} + 1) % {SIZE}",
            f"{var} + 1",
            f"{var} - 2",
            f"({var} + 7) // (n % 3 + 1) - 7" if self.chance(0.2) else var,
            f"int(b[{var}]) % {SIZE}",
        )

    def element(self) -> str:
        """An element of an array."""
        return self.pick(
            f"a[{self.index()}]",
            f"a[{self.index()}]",
            f"b[{self.index()}]",
            f"g[{self.index()}, {self.index()}]",
            f"g[{self.index()}][{self.index()}]",
            f"idx[{self.index()}]",
            f"box.grid[{self.index()}]",
            *(f"{row}[{self.pick('0', '-1', '1')}]" for row in self.rows),
        )

    def integer(self, depth: int = 2) -> str:
        """A Python int."""
        atoms = [*self.ints, *self.indices, "1", "2", "3", "7", "-5", "k", "len(a)"]
        if depth == 0 or self.chance(0.3):
            return self.random.choice(atoms)
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        operator = self.pick("+", "-", "*", "//", "%", "&", "|", "^", "+", "-")
        return self.pick(
            f"({one} {operator} {other})",
            f"({one} {operator} {other})",
            f"abs({one})",
            f"(-{one})",
            f"min({one}, {other})",
            f"max({one}, {other})",
            f"({one} << 3)",
            f"({one} >> 1)",
            f"int({self.number(0)})",
            f"({one} if {self.condition(0)} else {other})",
            f"({one}) ** 2",
        )

    def number(self, depth: int = 2) -> str:
        """A number of any kind."""
        if depth == 0 or self.chance(0.3):
            return self.pick(self.element(), self.element(), *self.numbers, *self.ints, "0.5", "2.0", "f", "h")
        one, other = self.number(depth - 1), self.number(depth - 1)
        operator = self.pick("+", "-", "*", "/", "//", "%", "+", "-", "*")
        return self.pick(
            f"({one} {operator} {other})",
            f"({one} {operator} {other})",
            f"({one} {operator} {other})",
            f"abs({one})",
            f"(-{one})",
            f"min({one}, {other})",
            f"max({one}, {other})",
            f"float({one})",
            f"math.sqrt({one})",
            f"math.floor({one})",
            f"np.sqrt({one})",
            f"np.maximum({one}, {other})",
            f"pick({self.condition(0)}, {one}, {other})",
            f"clamp({one}, -1.0, 2.0)",
            f"({one} if {self.condition(0)} else {other})",
            f"round({one})",
            f"bool({one})",
            self.reduction(),
            self.integer(1),
        )

    def reduction(self) -> str:
        """A number that is folded from a vector."""
        row = self.vector(1)
        return self.pick(
            f"({row}).sum()",
            f"np.max({row})",
            f"({row}).min()",
            f"({row}).mean()",
            f"np.any({row})",
            f"({row}).argmax()",
            f"np.dot({row}, {row})",
            f"len({row})",
        )

    def condition(self, depth: int = 1) -> str:
        """What decides about a branch."""
        compare = self.pick("<", "<=", ">", ">=", "==", "!=")
        plain = self.pick(
            f"{self.number(depth)} {compare} {self.number(depth)}",
            f"{self.integer(depth)} {compare} {self.integer(depth)}",
            f"{self.element()} {compare} {self.pick('0', '1', '0.5', 's', 'n')}",
            f"{self.element()}",
            "flag",
        )
        if depth and self.chance(0.25):
            return self.pick(f"{plain} and {self.condition(0)}", f"{plain} or {self.condition(0)}", f"not ({plain})")
        return plain

    def slice(self) -> str:
        """A part of an axis."""
        var = self.random.choice(self.indices) if self.indices else "n"
        return self.pick(
            ":",
            "1:",
            ":-1",
            "1:-1",
            "2:",
            ":-2",
            "::2",
            "::-1",
            f":{var}",
            f"{var}:",
            f"{var}:{var} + 2",
            f"-{var}:",
            f"{var} - 1:{var} + 1",
            f":{var} + 1",
            f"1:{var}",
        )

    def place(self) -> str:
        """A vector or a matrix that can be written."""
        return self.pick(
            f"a[{self.slice()}]",
            f"g[{self.index()}]",
            f"g[{self.index()}, {self.slice()}]",
            f"g[{self.slice()}, {self.index()}]",
            f"b[{self.slice()}]",
            f"g[{self.slice()}]",
            *self.rows,
        )

    def vector(self, depth: int = 2) -> str:
        """An array."""
        if depth == 0 or self.chance(0.35):
            return self.place()
        one = self.vector(depth - 1)
        operator = self.pick("+", "-", "*", "+", "-", "/")
        return self.pick(
            f"({one} {operator} {self.vector(depth - 1)})",
            f"({one} {operator} {self.number(0)})",
            f"({self.number(0)} {operator} {one})",
            f"({one}).copy()",
            f"np.where({one} > {self.number(0)}, {one}, {self.number(0)})",
            f"np.abs({one})",
            f"(-{one})",
            f"g[{self.slice()}].sum(axis=0)",
            f"g[{self.slice()}].max(axis={self.pick('0', '1', '-1')})",
            f"np.zeros({SIZE})",
            f"np.array([{self.number(0)}, {self.number(0)}])",
            f"wave({one}, {self.number(0)})",
            f"({one} @ g)",
        )

    # Statements.
    def statement(self, depth: int, room: int) -> None:
        """One statement, or a few."""
        form = self.random.random()
        if form < 0.22:
            target = self.pick(f"a[{self.index()}]", f"g[{self.index()}, {self.index()}]", f"b[{self.index()}]")
            self.put(depth, f"{target} {self.pick('=', '+=', '-=', '*=', '=', '=')} {self.number()}")
        elif form < 0.36:
            self.put(depth, f"{self.place_written()} {self.pick('=', '+=', '-=', '*=', '=')} {self.vector()}")
        elif form < 0.46:
            variable = self.random.choice(self.numbers)
            self.put(depth, f"{variable} {self.pick('=', '+=', '-=', '*=', '+=')} {self.number()}")
        elif form < 0.56:
            variable = self.random.choice(["n", "c"])
            self.put(depth, f"{variable} {self.pick('=', '+=', '-=', '+=', '=')} {self.integer()}")
        elif form < 0.6:
            self.put(depth, self.pick("n, c = c, n", "s, t = t, s", "n, c = c, n + c", "flag = not flag", "x = n"))
        elif form < 0.68:
            row = self.name("r")
            self.put(depth, f"{row} = {self.vector()}")
            self.rows.append(row)
        elif form < 0.71 and self.loops:
            self.put(depth, f"if {self.condition()}:")
            self.put(depth + 1, self.pick("break", "continue", "return s", f"return {self.integer(1)}", "return n, t"))
        elif form < 0.88:
            self.branch(depth, room)
        elif room and self.loops < 3:
            self.loop(depth, room - 1)
        else:
            self.put(depth, f"flag = {self.condition()}")

    def place_written(self) -> str:
        """A part of an array to be stored into."""
        place = self.place()
        return f"{place}[:]" if place.isidentifier() and self.chance(0.5) else place

    def block(self, depth: int, room: int, most: int = 3) -> None:
        """Statements after a colon."""
        rows = list(self.rows)
        for _ in range(self.random.randint(1, most)):
            self.statement(depth, room)
        self.rows = rows

    def branch(self, depth: int, room: int) -> None:
        """An `if`."""
        self.put(depth, f"if {self.condition()}:")
        self.block(depth + 1, room, 2)
        if self.chance(0.3):
            self.put(depth, f"elif {self.condition()}:")
            self.block(depth + 1, room, 2)
        if self.chance(0.5):
            self.put(depth, "else:")
            self.block(depth + 1, room, 2)

    def loop(self, depth: int, room: int) -> None:
        """A `for` or a `while`."""
        var = self.name("i")
        outer = self.random.choice(self.indices) if self.indices else "0"
        self.loops += 1
        if self.chance(0.2):
            self.put(depth, f"{var} = {self.pick('0', '1', outer)}")
            self.put(depth, f"while {var} < {self.pick('len(a)', 'len(a) - 1', 'k')}:")
            self.put(depth + 1, f"{var} += 1")
            if self.chance(0.4):
                self.put(depth + 1, f"if {self.condition()}:")
                self.put(depth + 2, f"{var} += 1")
        else:
            bounds = self.pick(
                "len(a)",
                "1, len(a)",
                "len(a) - 1",
                "len(a) - 1, -1, -1",
                "0, len(a), 2",
                f"{outer}, len(a)",
                f"{outer} + 1",
                f"{outer}, -1, -2",
                "k",
                f"idx[{outer}], len(a)",
                "1, a.shape[0] - 1",
            )
            self.put(depth, f"for {var} in range({bounds}):")
        self.indices.append(var)
        self.block(depth + 1, room, 4)
        self.indices.pop()
        if self.chance(0.1):
            self.put(depth, "else:")
            self.block(depth + 1, 0, 1)
        self.loops -= 1
        if self.chance(0.2):
            self.put(depth, f"c = {var}")


@dataclass
class Program:
    """A function, and arguments for some calls of it."""

    number: int
    text: str
    rows: list[tuple[Any, ...]]

    def function(self) -> Callable[..., Any]:
        """A new function."""
        import linecache

        file = f"<native loop {self.number}>"
        linecache.cache[file] = (len(self.text), None, self.text.splitlines(keepends=True), file)
        names: dict[str, Any] = {"np": np, "math": math, "h": 0.25}
        exec(compile(self.text, file, "exec"), names)
        return names["function"]  # type: ignore[no-any-return]


class Box:
    """Something that has an array."""

    def __init__(self, grid: Any) -> None:
        self.grid = grid


def program(number: int) -> Program:
    """The program of this number."""
    writing = Writing(random.Random(number))
    caught = writing.chance(0.1)
    depth = 2 if caught else 1
    writing.loop(depth, 2)
    if writing.chance(0.3):
        writing.loop(depth, 1)
    start = [
        f"    s, t, x = {writing.pick('0.0', '0', '1', '1.5', 'a[0]', 'f')}, {writing.pick('0.0', '0', 'f')}, "
        f"{writing.pick('1.0', '2', 'g[0, 0]')}",
        f"    n, c = {writing.pick('0', '1', 'k')}, {writing.pick('0', '3', 'k')}",
        f"    flag = {writing.pick('False', 'True', 'k > 2')}",
    ]
    lines = [*start, *writing.lines]
    if caught:
        lines = [*start, "    try:", *writing.lines]
        lines += ["    except (IndexError, ZeroDivisionError, ValueError) as error:", "        return str(error)"]
    text = HEAD + "def function(a, b, g, idx, box, k, f):\n" + "\n".join(lines) + "\n"
    text += f"    return {writing.pick('s, t, x, n, c, flag', 's', 'a', 'n, flag', 'x, c, a.sum()')}\n"
    return Program(number, text, _rows(np.random.default_rng(number), writing.random))


def _rows(numbers: np.random.Generator, picks: random.Random) -> list[tuple[Any, ...]]:
    kinds = [picks.choice(DTYPES) for _ in range(4)]
    order = [picks.choice("CCCCFTRS") for _ in range(4)]
    aliased = picks.random() < 0.12
    made = []
    for call in range(3):
        size = SIZE if call < 2 else picks.choice([SIZE, SIZE + 1, 1, 0, 2])
        a, b, g, grid = (
            _array(numbers, (size,) * (2 if place == 2 else 1), kind, layout)
            for place, (kind, layout) in enumerate(zip(kinds, order, strict=True))
        )
        if aliased:
            b = a
        idx = numbers.integers(0, SIZE, max(size, 1))
        made.append((a, b, g, idx, Box(grid), picks.choice([3, 5, 6, 0]) if call else 5, picks.choice([0.5, -1.0])))
    return made


def _array(numbers: np.random.Generator, shape: tuple[int, ...], kind: str, layout: str) -> Any:
    values: Any = numbers.integers(-3, 9, shape) if kind != "bool" else numbers.random(shape) > 0.5
    if kind.startswith("float"):
        values = values + numbers.integers(0, 4, shape) / 4
        if numbers.random() < 0.25 and values.size:
            values.flat[numbers.integers(values.size)] = numbers.choice([np.nan, np.inf, -np.inf, -0.0])
    if kind == "uint8":
        values = values + 3
    values = values.astype(kind)
    if layout == "F":
        return np.asfortranarray(values)
    if layout == "T":
        return np.ascontiguousarray(values.T).T
    if layout == "R":
        return np.ascontiguousarray(values[::-1])[::-1]
    if layout == "S":
        wide = np.zeros(tuple(2 * size for size in shape), values.dtype)
        part = tuple(slice(None, None, 2) for _ in shape)
        wide[part] = values
        return wide[part]
    return values
