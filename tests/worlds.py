"""Two worlds: a module given as text is run plainly, and again with its function jitted; what they do is compared.

A world is the text of a module that defines `f` and `CALLS`, a list of functions that make the arguments of a call by
name. After each call everything that can be reached is described: result or exception with its lines, arguments,
globals, cells, attributes, what was printed. Descriptions are equal for equal states, aliasing included.
"""

from __future__ import annotations

import functools
import io
import linecache
import re
import traceback
import types
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from fuzz.ending import Endless, ending
from odd_names import compile_module
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of

Array = np.ndarray[Any, Any]
FILE = "<program>"
ATOMS = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), range, slice, np.dtype)
MISTAKES = ("B900", "B902")
"""Breaks that no program may meet: an error inside guardlift, and guards that accept what their plan refuses."""
CODE = (types.ModuleType, types.BuiltinFunctionType, property, classmethod, staticmethod)


@dataclass
class Describer:
    """Turns objects into plain data; an object seen before is told by its number."""

    zeros: bool = False
    numbers: dict[int, int] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)
    memories: dict[int, int] = field(default_factory=dict)

    def describe(self, value: Any) -> Any:
        """Data that is equal for values that are the same in type, contents and aliasing."""
        kind = type(value).__name__
        if isinstance(value, np.generic):
            return kind, self.bits(np.asarray(value))
        if isinstance(value, ATOMS):
            return kind, repr(value)
        if isinstance(value, tuple):
            return kind, [self.describe(each) for each in value]
        if id(value) in self.numbers:
            return "again", self.numbers[id(value)]
        self.numbers[id(value)] = len(self.numbers)
        self.kept.append(value)
        return kind, self.contents(value)

    def contents(self, value: Any) -> Any:
        """The parts inside an object that has an identity."""
        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, gl.Tensor):
            return self.describe(value.detach().numpy()), value.requires_grad, self.describe(value.grad)
        if isinstance(value, list):
            return [self.describe(each) for each in value]
        if isinstance(value, dict):
            return [(self.describe(key), self.describe(each)) for key, each in value.items()]
        if isinstance(value, (set, frozenset)):
            return sorted(repr(self.describe(each)) for each in value)
        if isinstance(value, BaseException):
            return self.error(value)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, types.MethodType):
            return value.__func__.__qualname__, self.describe(value.__self__)
        if isinstance(value, (types.BuiltinFunctionType, types.MethodWrapperType)):
            owner = value.__self__
            return value.__qualname__, None if isinstance(owner, types.ModuleType) else self.describe(owner)
        if isinstance(value, functools.partial):
            return self.describe(value.func), self.describe(value.args), self.describe(value.keywords)
        if isinstance(value, type):
            names = sorted(key for key, each in vars(value).items() if is_data(key, each))
            return value.__qualname__, [(key, self.describe(vars(value)[key])) for key in names]
        if isinstance(value, io.StringIO):
            return value.getvalue()
        if isinstance(value, types.GeneratorType):
            return value.gi_code.co_name  # what it still has to give is not for the describer to take
        plain = hasattr(value, "__dict__") and not isinstance(value, types.ModuleType)
        return self.describe(vars(value)) if plain else None

    def array(self, value: Array) -> Any:
        """An array: its layout, its elements, and where its memory lies among the memories seen so far."""
        owner: Any = value
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self.kept.append(owner)
        memory = self.memories.setdefault(id(owner), len(self.memories))
        start = owner.__array_interface__["data"][0]
        offset = value.__array_interface__["data"][0] - start if value.size else 0
        sized = zip(value.strides, value.shape, strict=True)
        strides = tuple(step if size > 1 and value.size else 0 for step, size in sized)
        flags = value.flags.writeable, value.flags.owndata
        return value.shape, strides, flags, (memory, offset), self.bits(value)

    def bits(self, value: Array) -> Any:
        """The dtype and the elements; one NaN is as good as another."""
        flat = np.asarray(value).reshape(-1).tolist()
        return value.dtype.str, [repr(0.0 if self.zeros and each == 0 else each) for each in flat]

    def function(self, value: types.FunctionType) -> Any:
        """A function: its name, its defaults, the contents of its cells."""
        original = getattr(value, "__wrapped__", value)
        cells = [self.cell(each) for each in original.__closure__ or ()]
        return original.__qualname__, cells, self.describe(value.__defaults__), self.describe(value.__kwdefaults__)

    def cell(self, cell: types.CellType) -> Any:
        """The contents of a cell."""
        try:
            return self.describe(cell.cell_contents)
        except ValueError:
            return "empty"

    def error(self, value: BaseException) -> Any:
        """An exception: arguments, lines of the program, cause and context."""
        frames = traceback.extract_tb(value.__traceback__)
        lines = [(each.lineno, each.name) for each in frames if each.filename == FILE]
        if isinstance(value, UnboundLocalError) and lines:
            lines.pop()  # in CPython 3.11 a function that is warm tells the line of the instruction before
        if isinstance(value, RecursionError):
            lines = list(dict.fromkeys(lines))  # how deep it gets is CPython's to say
        return self.describe(value.args), lines, self.describe(value.__cause__), self.describe(value.__context__)


def is_data(name: str, value: Any) -> bool:
    """Whether a global or a class attribute is part of the state to compare."""
    return not name.startswith("__") and not isinstance(value, CODE)


@dataclass
class World:
    """One run of the module. `steps` has a description for each call."""

    text: str
    jitted: bool
    zeros: bool = False
    names: dict[str, Any] = field(default_factory=dict)
    function: Any = None
    steps: list[Any] = field(default_factory=list)
    errors: list[BaseException | None] = field(default_factory=list)
    kept: list[Any] = field(default_factory=list)

    def start(self) -> None:
        """Run the module."""
        linecache.cache[FILE] = (len(self.text), None, self.text.splitlines(keepends=True), FILE)
        self.names = {"__name__": __name__, "gl": gl, "__file__": FILE}
        exec(compile_module(self.text, FILE), self.names)
        self.function = gl.jit(self.names["f"]) if self.jitted else self.names["f"]
        if self.jitted:
            self.names["f"] = self.function

    def call(self, arguments: dict[str, Any]) -> None:
        """Call the function and describe what can be seen afterwards."""
        error: BaseException | None = None
        value: Any = None
        try:
            value = self.function(**arguments)
            value = list(value) if isinstance(value, types.GeneratorType) else value
        except Exception as found:
            error = found
        self.kept.append((value, arguments))
        roots = {name: each for name, each in self.names.items() if is_data(name, each) and name != "CALLS"}
        describer = Describer(self.zeros)
        told = {
            "raised": describer.describe(error), "result": describer.describe(value),
            "arguments": describer.describe(arguments), "globals": describer.describe(roots),
            "earlier": describer.describe(self.kept[:-1]),
        }  # fmt: skip
        self.steps.append(told)
        self.errors.append(error)

    def run(self) -> World:
        """All calls: the first twice on equal arguments and once more on the very same, the others, the first again."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            self.start()
            first, *others = self.names["CALLS"]
            self.call(first())
            again = first()
            for arguments in (again, again, *(each() for each in others), first()):
                self.call(arguments)
        return self


@dataclass
class Verdict:
    """The comparison of the two worlds: `difference` is empty when they are the same."""

    difference: str
    raised: float
    compiled: bool
    breaks: tuple[str, ...]
    """The words of each graph break, once each."""

    @property
    def whole(self) -> bool:
        """Whether every call was traced to its end."""
        return self.compiled and not self.breaks


def compare(text: str, backend: str = "reference") -> Verdict:
    """Run a module plainly and jitted, and say what differs."""
    zeros = backend != "reference"
    plain = World(text, False, zeros).run()
    with under(backend):
        jitted = World(text, True, zeros).run()
    state: Any = state_of(jitted.function)
    history = state.history if state is not None else []
    met = [event for event in history if event.kind == "break"]
    breaks = tuple(sorted({event.text for event in met}))
    wrong = next((f"{each.break_code}: {each.text}" for each in met if each.break_code in MISTAKES), "")
    compiled = any(not entry.plain for entry in state.entries) if state is not None else False
    raised = sum(map(bool, plain.errors)) / len(plain.errors)
    return Verdict(difference(plain, jitted) or wrong, raised, compiled, breaks)


def difference(plain: World, jitted: World) -> str:
    """The first call after which the two worlds differ, and where; empty when they do not."""
    for number, (one, two) in enumerate(zip(plain.steps, jitted.steps, strict=True)):
        for name in one:
            if one[name] != two[name]:
                shown = "" if plain.errors[number] else "".join(traceback.format_exception(jitted.errors[number]))
                return f"call {number + 1}, {name}: {first_difference(one[name], two[name], '')}\n{shown}"
    return ""


def first_difference(one: Any, two: Any, path: str) -> str:
    """The place at which two descriptions part."""
    if type(one) is type(two) and isinstance(one, (list, tuple)) and len(one) == len(two):
        for k, (left, right) in enumerate(zip(one, two, strict=True)):
            if left != right:
                return first_difference(left, right, f"{path}/{k}")
    return f"{path}: {one!r} plainly, {two!r} jitted"


def body_of(lines: list[str]) -> tuple[int, int]:
    """The places of the first line of the body of `f` and of the line after its last one."""
    start = next(k for k, line in enumerate(lines) if re.match(r" *def f\(", line)) + 1
    return start, block_end(lines, start - 1)


def block_end(lines: list[str], k: int) -> int:
    """The place after the last line that is nested in line k."""
    indent = len(lines[k]) - len(lines[k].lstrip())
    end = k + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return end


def reduced(text: str, fails: Callable[[str], bool]) -> str:
    """The text without the statements of `f`, and then of the module, that the failure does not need."""
    lines = _reduced(text.split("\n"), fails, lambda lines: range(*body_of(lines)))
    return "\n".join(_reduced(lines, fails, lambda lines: [k for k, line in enumerate(lines) if line[:1].strip(" )]")]))


def _reduced(lines: list[str], fails: Callable[[str], bool], places: Callable[[list[str]], Sequence[int]]) -> list[str]:
    shrunk = True
    while shrunk:
        shrunk = False
        number = 0
        while number < len(places(lines)):
            candidates = shorter(lines, places(lines)[number])
            found = next((each for each in candidates if fails("\n".join(each))), None)
            lines, shrunk, number = (found, True, number) if found is not None else (lines, shrunk, number + 1)
    return lines


def shorter(lines: list[str], k: int) -> list[list[str]]:
    """The lines without line k and what is nested in it; with `pass` for it; with its block in its place."""
    if lines[k].strip() == "pass":
        return [lines[:k] + lines[k + 1 :]]
    indent, end = lines[k][: len(lines[k]) - len(lines[k].lstrip())], block_end(lines, k)
    inner = [line[4:] for line in lines[k + 1 : end]]
    found = [lines[:k] + lines[end:], [*lines[:k], indent + "pass", *lines[end:]]]
    return [*found, lines[:k] + inner + lines[end:]] if inner else found


def fails_at_all(text: str) -> bool:
    """Whether a text is a module on which the two worlds differ."""
    try:
        compile(text, FILE, "exec")
        with ending():
            return bool(compare(text).difference)
    except (Exception, Endless):
        return False


__all__ = ["FILE", "Verdict", "World", "block_end", "body_of", "compare", "fails_at_all", "reduced"]
