"""Random functions with loops over elements and slices, and arguments for them: a program is its number."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SIZE = 6
"""The length of most arrays, along each axis."""
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


def given(x, default):
    if x is None:
        return default
    return x


def wave(row, k):
    return row * k + row[0]

"""


@dataclass
class Writing:
    """A function that is being written.

    ints, floats: variables that hold Python ints, and numbers of any kind. rows: vectors that live in this round.
    calm: what is likely to keep a loop from being native is left out."""

    random: random.Random
    lines: list[str] = field(default_factory=list)
    indices: list[str] = field(default_factory=list)
    ints: list[str] = field(default_factory=lambda: ["n", "c"])
    numbers: list[str] = field(default_factory=lambda: ["s", "t", "x"])
    rows: dict[str, str] = field(default_factory=dict)
    calm: bool = False
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
        """An index that picks an element."""
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
            f"((k & 7) << ({one} & 3))",
            f"({one} >> 1)",
            f"int({self.number(0)})",
            f"({one} if {self.condition(0)} else {other})",
            f"({one}) ** 2",
            f"(~{one})",
            f"divmod({one}, {other})[{self.pick('0', '1')}]",
            f"({one} in (1, {other}, 3))",
            f"(-1) ** ({one} & 7)",
            f"2 ** ({one} & 7)",
            f"({one} or {other})",
        )

    def number(self, depth: int = 2) -> str:
        """A number of any kind."""
        if depth == 0 or self.chance(0.3):
            return self.pick(self.element(), self.element(), *self.numbers, *self.ints, "0.5", "2.0", "f", "h")
        one, other = self.number(depth - 1), self.number(depth - 1)
        operator = self.pick("+", "-", "*", "/", "//", "%", "+", "-", "*")
        if self.calm and self.chance(0.7):
            return f"({one} {self.pick('+', '-', '*')} {other})"
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
            f"bool({one})",
            f"float({one}) ** {self.pick('2', '3', '0.5', '-1')}",
            f"({one} and {other})",
            f"math.copysign({one}, {other})",
            f"({one}, {other})[{self.pick('0', '1', f'{self.integer(0)} & 1')}]",
            self.reduction(),
            self.integer(1),
        )

    def reduction(self) -> str:
        """A number that is folded from a vector."""
        row = self.vector(1, self.kind())
        return self.pick(
            f"({row}).sum()",
            f"np.max({row})",
            f"({row}).min()",
            f"({row}).mean()",
            f"({row}).max(axis=0, keepdims=True)[0]",
            f"np.any({row})",
            f"({row}).argmax()",
            f"np.dot({row}, {row})",
            f"len({row})",
        )

    def condition(self, depth: int = 1) -> str:
        """An expression that decides about a branch."""
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

    def slice(self, kind: str = "") -> str:
        """A part of an axis; of a kind, those of one size."""
        var = self.random.choice(self.indices) if self.indices else "n"
        kinds = {
            "full": [":", ":", "::-1", "0:"],
            "inner": ["1:-1", "2:", ":-2"],
            "less": ["1:", ":-1"],
            "to": [f":{var}", f"1:{var} + 1"],
            "from": [f"{var}:"],
            "two": [f"{var}:{var} + 2", f"{var} - 1:{var} + 1", "1:3", ":2"],
            "few": ["::2", f"-{var}:", f":{var} + 1", f"1:{var}"],
            "strided": [
                f"::{var} + 1",
                f"{var}::c",
                f"{var}:1:-1",
                f"::-{var} - 1",
                f"::{self.integer(1)}",
                f"1::{var} - 2",
            ],
        }
        return self.pick(*(kinds[kind] if kind else sum(kinds.values(), [])))

    def place(self, kind: str = "", *, rows: bool = True) -> str:
        """A vector or a matrix that can be written."""
        part = self.slice(kind)
        known = [row for row, of in self.rows.items() if of == kind or not kind] if rows else []
        whole = ["a", f"g[{self.index()}]", "b"] if kind in ("", "full") else [f"a[{part}]"]
        return self.pick(
            f"a[{part}]", f"g[{self.index()}, {part}]", f"g[{part}, {self.index()}]", f"b[{part}]", *whole, *known
        )

    def vector(self, depth: int = 2, kind: str = "") -> str:
        """An array."""
        if depth == 0 or self.chance(0.35):
            return self.place(kind)
        one = self.vector(depth - 1, kind)
        operator = self.pick("+", "-", "*", "+", "-", "/")
        forms = [
            f"({one} {operator} {self.vector(depth - 1, kind)})",
            f"({one} {operator} {self.vector(depth - 1, kind)})",
            f"({one} {operator} {self.number(0)})",
            f"({self.number(0)} {operator} {one})",
            f"np.where({one} > {self.number(0)}, {one}, {self.number(0)})",
            f"np.abs({one})",
            f"(-{one})",
            f"wave({one}, {self.number(0)})",
        ]
        if kind in ("", "full"):
            forms += [
                f"({one}).copy()",
                f"g[{self.slice()}].sum(axis=0)",
                f"g[{self.slice('full')}].max(axis={self.pick('0', '1', '-1')})",
                f"({one} @ g)",
                f"(g @ {one})",
            ]
        if kind == "two" or not kind:
            forms.append(f"np.array([{self.number(0)}, {self.number(0)}])")
        return self.pick(*forms)

    def kind(self) -> str:
        """The kind of the vectors of a statement."""
        return self.pick("full", "full", "inner", "less", "to", "from", "two") if self.calm or self.chance(0.7) else ""

    # Statements.
    def statement(self, depth: int, room: int) -> None:
        """One statement, or a few."""
        form = self.random.random()
        if form < 0.22:
            target = self.pick(f"a[{self.index()}]", f"g[{self.index()}, {self.index()}]", f"b[{self.index()}]")
            self.put(depth, f"{target} {self.pick('=', '+=', '-=', '*=', '=', '=')} {self.number()}")
        elif form < 0.36:
            self.store(depth)
        elif form < 0.46:
            variable = self.random.choice(self.numbers)
            self.put(depth, f"{variable} {self.pick('=', '+=', '-=', '*=', '+=')} {self.number()}")
        elif form < 0.56:
            variable = self.random.choice(["n", "c"])
            self.put(depth, f"{variable} {self.pick('=', '+=', '-=', '+=', '=')} {self.integer()}")
        elif form < 0.57:
            self.put(
                depth,
                self.pick(
                    "a, b = b, a", "b = a", f"a = {self.vector(1, 'full')}", "b = a.copy()", "a = b if flag else a"
                ),
            )
        elif form < 0.6:
            self.put(
                depth,
                self.pick(
                    "n, c = c, n", "s, t = t, s", "n, c = c, n + c", "flag = not flag", "x = n", "w = s, n", "s, n = w"
                ),
            )
        elif form < 0.61 and not self.calm:
            self.put(depth, f"g[{self.index()}, :2] = {self.number(1)}, {self.number(0)}")
        elif form < 0.66 or not self.rows:
            self.row(depth)
        elif form < 0.68:
            self.replacement(depth)
        elif form < 0.71 and self.loops:
            self.put(depth, f"if {self.condition()}:")
            self.put(
                depth + 1,
                self.pick(
                    "break",
                    "continue",
                    "return s",
                    "raise ValueError(f'{n}')",
                    "return w",
                    f"return {self.integer(1)}",
                    "return n, t",
                ),
            )
        elif form < 0.88:
            self.branch(depth, room)
        elif room and self.loops < 3:
            self.loop(depth, room - 1)
        else:
            self.put(depth, f"flag = {self.condition()}")

    def store(self, depth: int) -> None:
        """A store into a part of an array."""
        kind = self.kind()
        target, value = self.place(kind, rows=not self.calm), self.vector(2, kind)
        # NumPy's own copies between parts of one array are wrong where both have one axis and their steps differ.
        if any(", " in each and not each.startswith("(") or "::" in each for each in (target, value)):
            value = f"(0 + {value})"
        target = target if "[" in target else f"{target}[:]"
        self.put(depth, f"{target} {self.pick('=', '+=', '-=', '*=', '=')} {value}")

    def row(self, depth: int) -> None:
        """A vector with a name, which may be written."""
        name, kind = self.name("r"), self.kind() if not self.calm else self.pick("full", "two", "inner")
        made = self.vector(1, kind)
        if self.chance(0.4):
            makers = {
                "full": [f"({made}).copy()", "np.zeros(len(a))", "np.zeros_like(a)", "np.ones_like(g[0])"],
                "two": [f"np.array([{self.number(0)}, {self.number(0)}])", "np.zeros(2)"],
            }
            made = self.pick(*makers.get(kind, [f"({made}).copy()"]))
            self.put(depth, f"{name} = {made}")
            place = self.pick("0", "-1")
            self.put(depth, self.pick(f"{name} += {self.vector(1, kind)}", f"{name}[{place}] = {self.number(1)}"))
        else:
            self.put(depth, f"{name} = {made}")
        self.rows[name] = kind

    def replacement(self, depth: int) -> None:
        """A vector that takes the place of one with a name, under a condition."""
        kept, kind = self.random.choice(list(self.rows.items()))
        new = self.name("r")
        self.put(depth, f"{new} = {self.vector(1, kind)}")
        self.put(depth, f"if {self.condition()}:")
        self.put(depth + 1, f"{kept} = {self.pick(new, new, f'{new}.copy()', f'{new} * 2')}")
        if self.chance(0.3):
            self.rows[new] = kind

    def block(self, depth: int, room: int, most: int = 3) -> None:
        """Statements after a colon."""
        rows = dict(self.rows)
        for _ in range(self.random.randint(1, 2 if self.calm else most)):
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

    def over(self, numbers: str) -> str:
        """The iterable of a loop's variable, given a range."""
        return self.pick(numbers, numbers, f"reversed({numbers})")

    def elements(self, depth: int, room: int) -> None:
        """A loop over an array, or over several things at once."""
        var, x = self.name("i"), self.name("e")
        rows = dict(self.rows)
        form = self.pick("array", "numbered", "numbered", "rows", "several")
        line = self.pick("a", "b", f"a[{self.slice()}]", f"g[{self.index()}]", f"g[:, {self.index()}]", "idx", *rows)
        if form == "array":
            self.put(depth, f"for {x} in {self.pick(line, f'reversed({line})')}:")
        elif form == "numbered":
            self.put(depth, f"for {var}, {x} in enumerate({line}):")
        elif form == "rows":
            self.put(depth, f"for {var}, {x} in enumerate(g{self.pick('', '', '.T')}):")
            self.rows[x] = "full"
        else:
            other = self.pick(
                "a", "b", "range(1, len(a))", "range(9, 0, -2)", f"reversed(range({self.index()}))", "enumerate(b)"
            )
            target = f"({x}, {self.name('e')})" if other.startswith("enumerate") else x
            self.put(depth, f"for {var}, {target} in zip({self.over('range(len(a))')}, {other}):")
        self.loops += 1
        if form != "array":
            self.indices.append(var)
        if form != "rows":
            self.numbers.append(x)
        self.block(depth + 1, room, 3)
        if form != "rows":
            self.numbers.remove(x)
        if form != "array":
            self.indices.pop()
        self.rows = rows
        self.loops -= 1

    def loop(self, depth: int, room: int) -> None:
        """A `for` or a `while`."""
        if self.chance(0.25):
            self.elements(depth, room)
            return
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
            self.put(depth, f"for {var} in {self.over(f'range({bounds})')}:")
        self.indices.append(var)
        self.block(depth + 1, room, 4)
        self.indices.pop()
        self.loops -= 1
        if self.chance(0.1):
            self.put(depth, "else:")
            self.block(depth + 1, 0, 1)
        if self.chance(0.2):
            self.put(depth, f"c = 0 + {var}")

    # The function's ends.
    def start(self) -> list[str]:
        """Lines before the loops, besides those of all programs."""
        return []

    def result(self) -> str:
        """The results of the function."""
        return self.pick("s, t, x, n, c, flag", "s", "a", "n, flag", "x, c, a.sum()")


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


def program(number: int, grammar: type[Writing] = Writing) -> Program:
    """The program of this number."""
    writing = grammar(random.Random(number))
    caught, writing.calm = writing.chance(0.1), writing.chance(0.6)
    depth = 2 if caught else 1
    writing.loop(depth, 2)
    if writing.chance(0.3):
        writing.loop(depth, 1)
    start = [
        f"    s, t, x = {writing.pick('0.0', '0', '1', '1.5', 'a[0]', 'f')}, {writing.pick('0.0', '0', 'f', 'a[0]')}, "
        f"{writing.pick('1.0', '2', 'g[0, 0]')}",
        f"    n, c = {writing.pick('0', '1', 'k')}, {writing.pick('0', '3', 'k')}",
        f"    flag = {writing.pick('False', 'True', 'k > 2')}",
        f"    w = {writing.pick('0.0, 0', 's, n')}",
        *writing.start(),
    ]
    lines = [*start, *writing.lines]
    if caught:
        lines = [*start, "    try:", *writing.lines]
        lines += ["    except (IndexError, ZeroDivisionError, ValueError) as error:", "        return str(error)"]
    text = HEAD + "def function(a, b, g, idx, box, k, f):\n" + "\n".join(lines) + "\n"
    text += f"    return {writing.result()}\n"
    return Program(number, text, _rows(np.random.default_rng(number), writing.random))


def _rows(numbers: np.random.Generator, picks: random.Random) -> list[tuple[Any, ...]]:
    kinds = [picks.choice(DTYPES) for _ in range(4)] if picks.random() < 0.6 else ["float64"] * 4
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
