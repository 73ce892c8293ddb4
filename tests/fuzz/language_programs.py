"""Random programs of the language, as text that can be pasted and run: a module with a function and its calls."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from fuzz.language_prelude import PRELUDE
from fuzz.language_templates import ARGUMENTS, EXPRESSIONS, LEAVES, RAISING, STATEMENTS

HOLE = re.compile(r"<([$=]?)([A-Z]+)(\d?)>")
OPTIONAL = sorted(set(STATEMENTS) - {"core"})
NAMES = {"I": "i", "F": "x", "B": "t", "S": "s", "A": "a", "V": "v", "L": "l", "M": "m", "N": "n", "T": "p", "D": "d",
         "E": "e", "Z": "z", "O": "o", "G": "g", "K": "fold", "J": "told"}  # fmt: skip
PARAMETERS = ["A", "A", "I", "F", "L", "D", "S", "O", "M", "A", "I"]
NEEDS = {"L": "lists", "D": "dicts", "S": "strings", "O": "objects", "M": "lists"}


@dataclass
class Generator:
    """Writes one program; every choice comes from `rng`. `features` are the groups of templates in use."""

    rng: random.Random
    features: list[str] = field(default_factory=list)
    scope: dict[str, list[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    number: int = 0

    def program(self) -> str:
        """The text of the whole module."""
        share = self.rng.choice([0.08, 0.15, 0.3, 0.5])
        self.features = ["core", *(each for each in OPTIONAL if self.rng.random() < share)]
        names = self.parameters()
        body = self.block(0, self.rng.randint(2, 8), in_loop=False)
        shown = self.rng.sample(self.everything(), min(4, len(self.everything())))
        body.append(f"return {', '.join([self.variable('A') + ' * 2', *shown])}")
        declared = sorted({line.strip() for line in body if line.strip().startswith("global ")})
        body = declared + [line for line in body if not line.strip().startswith("global ")]
        lines = ["nonlocal c1, c2", *body]
        calls = [f"    lambda: dict({text})," for text in self.calls(names)]
        return "\n".join(
            [PRELUDE, "", "def outer():", "    c1, c2 = 1, [4]", "", f"    def f({', '.join(names)}):"]
            + ["        " + line for line in lines]
            + ["", "    return f", "", "", "f = outer()", "CALLS = [", *calls, "]", ""]
        )

    def parameters(self) -> list[str]:
        names = []
        for kind in PARAMETERS:
            if NEEDS.get(kind, "core") in self.features and (kind == "A" or self.rng.random() < 0.8):
                names.append(self.fresh(kind))
        return names

    def calls(self, names: list[str]) -> list[str]:
        """Arguments for the calls: the first ones, and the same with one or two things changed."""
        first = {name: self.argument(name, 2) for name in names}
        texts = [self.joined(first)]
        for _ in range(2):
            changed = dict(first)
            for name in self.rng.sample(names, min(len(names), self.rng.randint(1, 2))):
                changed[name] = self.argument(name, 20)
            texts.append(self.joined(changed))
        arrays = [name for name in names if name[0] == "a"]
        if len(arrays) > 1 and self.rng.random() < 0.5:
            one, two = arrays[:2]
            view = self.rng.choice(["q", "q[...]", "q[::-1]"])
            rest = self.joined({name: text for name, text in first.items() if name not in (one, two)})
            texts.append(f"**(lambda q: dict({one}=q, {two}={view}))({first[one]}), {rest}".rstrip(", "))
        return texts

    def argument(self, name: str, usual: int) -> str:
        kind = next(kind for kind, letter in NAMES.items() if letter == name[0])
        choices = ARGUMENTS[kind]
        return self.rng.choice(choices[:usual] if usual < len(choices) else choices)

    @staticmethod
    def joined(arguments: dict[str, str]) -> str:
        return ", ".join(f"{name}={text}" for name, text in arguments.items())

    def fresh(self, kind: str) -> str:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        name = f"{NAMES[kind]}{self.counts[kind]}"
        self.scope.setdefault(kind, []).append(name)
        return name

    def everything(self) -> list[str]:
        return [name for names in self.scope.values() for name in names]

    def block(self, depth: int, count: int, in_loop: bool, risky: bool = False) -> list[str]:
        """Indented lines; variables first bound in a block below the top are seldom read after it."""
        saved = {kind: list(names) for kind, names in self.scope.items()}
        lines: list[str] = []
        for number in range(count):
            lines += self.statement(depth)
            if in_loop and self.rng.random() < 0.12:
                word = self.rng.choice(["break", "continue"])
                lines += [f"if {self.expression('B', 1)}:", f"    {word}"]
            if risky and number == count - 1:
                lines += self.filled(self.rng.choice(RAISING), depth)
        if depth and self.rng.random() < 0.97:
            self.scope = saved
        return lines

    def statement(self, depth: int) -> list[str]:
        for _ in range(30):
            group = self.rng.choice(self.features)
            if group == "returns" and self.rng.random() < 0.8:
                continue
            template = self.rng.choice(STATEMENTS[group])
            if depth >= 3 and "<BLOCK>" in template or depth >= 2 and ("<LOOP>" in template or "<TRY>" in template):
                continue
            if self.usable(template):
                return self.filled(template, depth)
        return ["pass"]

    def usable(self, template: str) -> bool:
        """Whether there is a variable for every hole that wants one."""
        for mark, kind, _ in HOLE.findall(template):
            if mark == "$" and kind != "X" and not self.scope.get(kind):
                return False
        return True

    def filled(self, template: str, depth: int) -> list[str]:
        if not self.usable(template):
            return ["pass"]
        self.number += 1
        template = template.replace("#", str(self.number))
        lines: list[str] = []
        shared: dict[str, str] = {}
        bound: list[tuple[str, str]] = []
        for line in template.split("\n"):
            indent = line[: len(line) - len(line.lstrip())]
            inner = HOLE.fullmatch(line.strip())
            if inner and inner.group(2) in ("BLOCK", "LOOP", "TRY"):
                self.bind(bound)
                word = inner.group(2)
                found = self.block(depth + 1, self.rng.randint(1, 3), word == "LOOP", word == "TRY")
                lines += [indent + "    " + each for each in found]
                continue
            lines.append(HOLE.sub(lambda hole: self.hole(hole, shared, bound), line))
            if not line.rstrip().endswith(":"):
                self.bind(bound)
        self.bind(bound)
        return lines

    def bind(self, bound: list[tuple[str, str]]) -> None:
        """Make the names that a line has bound known, after the line."""
        for kind, name in bound:
            if name not in self.scope.setdefault(kind, []):
                self.scope[kind].append(name)
        bound.clear()

    def hole(self, hole: re.Match[str], shared: dict[str, str], bound: list[tuple[str, str]]) -> str:
        mark, kind, number = hole.groups()
        if mark == "=":
            if kind == "X":
                kind = self.rng.choice([each for each in NAMES if self.scope.get(each)])
            known = self.scope.get(kind, [])
            if known and self.rng.random() < 0.5:
                return self.rng.choice(known)
            name = self.fresh(kind)
            self.scope[kind].remove(name)
            bound.append((kind, name))
            return name
        if mark == "$":
            return self.variable(kind)
        if not number:
            return self.expression(kind, 2)
        if kind + number not in shared:
            shared[kind + number] = self.expression(kind, 1)
        return shared[kind + number]

    def variable(self, kind: str) -> str:
        if kind == "X":
            return self.rng.choice(self.everything())
        names = self.scope[kind]
        return self.rng.choice(names[-3:] if self.rng.random() < 0.5 else names)

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a kind, with operands nested at most `depth` deep."""
        if kind == "X":
            kind = self.rng.choice([each for each in "IFALTDSO" if self.scope.get(each)])
        known = self.scope.get(kind)
        if known and (depth == 0 or self.rng.random() < 0.35):
            return self.variable(kind)
        if depth == 0:
            return LEAVES[kind]
        choices = [each for group in self.features for each in EXPRESSIONS.get(group, {}).get(kind, ())]
        usable = [each for each in choices if self.usable(each)]
        if not usable:
            return LEAVES[kind]
        template = self.rng.choice(usable)
        shared: dict[str, str] = {}

        def fill(hole: re.Match[str]) -> str:
            mark, inner, number = hole.groups()
            if mark == "$":
                return self.variable(inner)
            if not number:
                return self.expression(inner, depth - 1)
            return shared.setdefault(inner + number, self.expression(inner, 0))

        text = HOLE.sub(fill, template)
        return f"({text})" if kind in "BFIA" and not text.replace("_", "").replace(".", "").isalnum() else text


def program(seed: int) -> str:
    """The program with this number."""
    return Generator(random.Random(seed)).program()
