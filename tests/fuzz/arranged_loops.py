"""Random functions whose loops turn arrays round, accumulate, raise to powers, and pick from tuples and lists."""

from __future__ import annotations

from fuzz.native_loops import Writing


class ArrangedWriting(Writing):
    """`Writing` with flips, rolls, methods of ufuncs, running sums, powers that vary, tables, and integer products."""

    def start(self) -> list[str]:
        """A tuple and a list of ints, one of floats, and a small matrix of integers."""
        return [
            "    ups, downs, shares = (1, 5, 2, 0, 3, 4), [2, 0, -1, 7, 1, 1], [0.5, -1.0, 2.0, 0.25, -0.0, 1.0]",
            "    m = np.array([[1, 2], [k, -1]])",
        ]

    def table(self, depth: int) -> str:
        """An index of a table, which often is in range."""
        inside = f"({self.integer(depth)}) % {self.pick('6', '6', '6', '7')}"
        return self.pick(inside, inside, f"int(idx[{self.index()}])", f"-1 - {inside}", f"idx[{self.index()}]")

    def integer(self, depth: int = 2) -> str:
        """A Python int."""
        if depth == 0 or not self.loops or self.chance(0.7):
            return super().integer(depth)
        one = super().integer(depth - 1)
        return self.pick(
            f"({one}) ** ({super().integer(0)} & 7)",
            f"({one} & 15) ** {self.pick('0', '9', '11')}",
            f"pow({one}, {super().integer(0)} & 3)",
            f"ups[{self.table(0)}]",
            f"downs[{self.table(0)}]",
            f"downs[ups[{self.table(0)}]]",
        )

    def number(self, depth: int = 2) -> str:
        """A number of any kind."""
        if depth == 0 or not self.loops or self.chance(0.8):
            return super().number(depth)
        return self.pick(
            f"shares[{self.table(0)}]",
            f"abs(complex({self.number(0)}, {self.integer(0)}) ** {self.pick('2', '3', '4')})",
            f"(b[{self.index()}] ** (idx[{self.index()}] & 3))",
            f"(m @ m)[{self.pick('0', '1')}, {self.pick('0', '-1')}]",
            f"np.add.reduce({self.vector(1, 'full')})",
            f"np.maximum.reduce({self.vector(1, 'full')})",
        )

    def vector(self, depth: int = 2, kind: str = "") -> str:
        """An array."""
        if depth == 0 or not self.loops or self.chance(0.6):
            return super().vector(depth, kind)
        one = super().vector(depth - 1, kind)
        forms = [
            f"np.flip({one})",
            f"np.roll({one}, {self.pick('1', '-2', self.integer(1))})",
            f"np.cumsum({one})",
            f"np.{self.pick('add', 'maximum', 'minimum', 'multiply')}.accumulate({one})",
            f"({one}).cumprod()",
        ]
        if kind in ("", "full"):
            var = self.random.choice(self.indices) if self.indices else "n"
            forms += [
                f"np.{self.pick('add', 'subtract')}.outer({one}, {self.place('full')})[{self.pick('0', var)}]",
                f"np.roll(g, {self.pick('1', var, f'(1, -{var})')}, axis={self.pick('0', '1', '(0, 1)')})[{var}]",
                f"np.{self.pick('flipud', 'fliplr', 'transpose')}(g)[{var}]",
            ]
        return self.pick(*forms)

    def statement(self, depth: int, room: int) -> None:
        """One statement, or a few."""
        if self.loops and self.chance(0.06):
            self.put(depth, self.pick("m = m @ m % 7", "m @= m", "m = np.dot(m, m) % 5", "m[0] = m[1] @ m"))
        else:
            super().statement(depth, room)
