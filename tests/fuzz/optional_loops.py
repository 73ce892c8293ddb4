"""Random functions whose loops have variables that may be None, or that are bound in some rounds only."""

from __future__ import annotations

from fuzz.native_loops import Writing


class OptionalWriting(Writing):
    """`Writing` with two variables that start as None, two that start unbound, and a tuple that holds None."""

    def statement(self, depth: int, room: int) -> None:
        """One statement, or a few; in a loop often one with such variables."""
        if self.loops and self.chance(0.45):
            self.optional(depth)
        else:
            super().statement(depth, room)

    def optional(self, depth: int) -> None:
        """A statement that binds or reads such a variable."""
        form = self.random.random()
        name = self.pick("m", "m", "q")
        if form < 0.3:
            value = self.value(name)
            self.put(depth, f"if {name} is None or {self.pick(value, self.element())} {self.pick('<', '>')} {name}:")
            self.put(depth + 1, f"{name} = {value}")
            if self.chance(0.4):
                self.put(depth + 1, self.pick("u = n", "p = (m, n)", "v = s", "q = m", f"q = {self.integer(0)}"))
        elif form < 0.5:
            self.put(depth, f"if {self.condition()}:")
            bound = self.pick(f"{name} = {self.value(name)}", f"{name} = None", "u = n", f"v = {self.element()}")
            self.put(depth + 1, self.pick(bound, bound, f"p = (m, {self.integer(0)})"))
            if self.chance(0.3):
                self.put(depth, "else:")
                self.put(depth + 1, self.pick(f"{name} = None", f"{name} = {self.value(name)}", "u = c"))
        elif form < 0.7:
            self.put(depth, f"if {name} {self.pick('is not None', 'is None', 'is not None and c < 5')}:")
            self.put(
                depth + 1, self.pick(f"s += {name}", "c += 1", f"t = {name} * 2", f"{name} = 1", "continue", "break")
            )
            if self.chance(0.3):
                self.put(depth, "else:")
                self.put(depth + 1, self.pick(f"s += {name}", "c += 1", f"a[0] = {name}", f"{name} = None"))
        else:
            self.put(depth, self.read(name))

    def value(self, name: str) -> str:
        """An expression that a variable is bound to: often of one kind, so that the loop is native."""
        if self.chance(0.2):
            return self.number(1)
        return self.pick("a[0] * 2", self.element(), "a[-1]") if name == "m" else self.pick("n", self.integer(1), "c")

    def read(self, name: str) -> str:
        """A statement that reads one; some raise an error where it is not there."""
        if self.chance(0.12):
            return self.pick(f"s += {name}", "n += u", f"a[0] = {name}", "s += v", f"x = -{name}", f"b[q] = {name}")
        return self.pick(
            f"flag = {name} is None",
            f"flag = not {name}",
            "m, q = q, m" if self.chance(0.2) else "m, p = p[0], p",
            f"c += 1 if {name} else 2",
            f"flag = {name} is None or {name} > {self.element()}",
            "c += 1 if flag is True else 2" if self.chance(0.3) else "c += not flag",
            "n += q or 2",
            f"p = ({name}, n)",
            "q, n = p[0], c" if self.chance(0.2) else "n = p[1]",
            f"t = 0.5 if {name} is None else {name}",
            f"s += pick({name} is None, 1, 2)",
            f"x = given({name}, 1.5)",
        )

    def start(self) -> list[str]:
        """The lines that bind the variables that start as None; the others are local variables too."""
        return ["    m = q = None", "    p = (None, 0)", "    if k > 99:", "        u = v = 0"]

    def result(self) -> str:
        """The results of the function."""
        bound = [name for name in "uv" if any(f"{name} = " in line for line in self.lines)]
        return self.pick(
            *("m", "m, q", "s, m, q, p", "p, n", "m, s, c", "(m, (q, flag)), a.sum()", "given(m, 3) * 2"),
            *(f"{name}, m" for name in bound),
        )
