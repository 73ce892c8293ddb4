"""A program whose entry is kept on disk, and changes of it after which that entry must not answer."""

from __future__ import annotations

import builtins
import math
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.backend.artifacts import seal
from guardlift.frontend.dispatch import recorded_entries

HELPERS = """
import numpy as np

OFFSET = 0.125

def scaled(a):
    return a * 3.0

def shift(a):
    return np.cos(a) + OFFSET
"""

PROGRAM = """
import math
import numpy as np
import warm_helpers
from warm_helpers import scaled

SCALE = 2.0
FLAG = True
NAME = "plus"
STEPS = 3
PAIR = (1.5, 2)
TABLE = {"a": 1.0, "b": 2}
ITEMS = [1.0, 2.0]
NOTHING = None

def inner(a, k=0.5):
    return a * k + math.sqrt(4.0)

def outer(a, *, lift=1.0):
    return inner(a) + lift

def make(k, op):
    def clamp(a):
        return op(a, k)
    return clamp

clamp = make(0.25, np.maximum)

def f(x, y, mode="both"):
    total = outer(np.exp(x)) * y + SCALE
    if FLAG:
        total = total + PAIR[0]
    if NAME == "plus":
        total = total + 1.0
    for step in range(STEPS):
        total = total + step
    total = clamp(total)
    total = scaled(total) + warm_helpers.shift(x) + warm_helpers.OFFSET
    total = total * TABLE["a"] + ITEMS[1] + len(TABLE) + len(ITEMS)
    if NOTHING is None:
        total = total - 0.5
    if mode == "both":
        total = total + np.abs(x).sum()
    return total
"""

Namespace = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One difference between the process that keeps an entry and the one that looks for it.

    program, helpers: (old, new) texts of the sources.   before: done to the namespace before the first call.
    around: a context around jitting and calling.   options: of `gl.jit`.   arguments: of the call.
    says: words that the reason of the miss has in it.
    """

    name: str
    program: tuple[str, str] | None = None
    helpers: tuple[str, str] | None = None
    before: Callable[[Namespace], object] | None = None
    around: Callable[[Namespace], Any] | None = None
    options: tuple[tuple[str, Any], ...] = ()
    arguments: Callable[[], tuple[Any, ...]] | None = None
    says: str = ""


def usual() -> tuple[Any, ...]:
    """The arguments of the call whose entry is kept."""
    return np.linspace(-1.0, 1.0, 12).reshape(3, 4), 2.0


def loaded(folder: Path, change: Change | None = None, program: str = PROGRAM) -> Namespace:
    """The program as a process with this change has it, as the same file; its helpers are a module of its own."""
    texts = []
    for text, edit in ((HELPERS, change and change.helpers), (program, change and change.program)):
        if edit is not None:
            assert text.count(edit[0]) == 1, edit
            text = text.replace(*edit)
        texts.append(text)
    helpers = types.ModuleType("warm_helpers")
    sys.modules["warm_helpers"] = helpers
    exec(compile(texts[0], str(folder / "warm_helpers.py"), "exec"), vars(helpers))
    module = types.ModuleType("warm_program")
    sys.modules["warm_program"] = module
    exec(compile(texts[1], str(folder / "warm_program.py"), "exec"), vars(module))
    return vars(module)


def _set(**values: Any) -> Callable[[Namespace], None]:
    return lambda namespace: namespace.update(values)


def _in_helpers(**values: Any) -> Callable[[Namespace], None]:
    return lambda namespace: vars(namespace["warm_helpers"]).update(values)


def patched(owner: Any, name: str, value: Any) -> Callable[[Namespace], Any]:
    """A context in which an attribute has another value."""

    @contextmanager
    def patch(namespace: Namespace) -> Iterator[None]:
        before = getattr(owner, name)
        setattr(owner, name, value)
        try:
            yield
        finally:
            setattr(owner, name, before)

    return patch


def _with_setting(**settings: Any) -> Callable[[Namespace], Any]:
    return lambda namespace: gl.config.patch(**settings)


def _with_seal(namespace: Namespace) -> Any:
    known = seal.seal()
    other = known._replace(functions=bytes(len(known.functions)))
    return patched(seal, "_known", [other])(namespace)


def _wrapped(function: Any) -> Any:
    import functools

    @functools.wraps(function)
    def around(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs) + 1.0

    return around


def _other_code(namespace: Namespace) -> None:
    def inner(a, k=0.5):  # type: ignore[no-untyped-def]
        return a * k - 1.0

    namespace["inner"].__code__ = inner.__code__


class Sub(np.ndarray[Any, Any]):
    """Another class of arrays."""


def _two(x: Any) -> Any:
    return x * 2.0


_LEN = len


def _longer(a: Any) -> int:
    return _LEN(a) + (type(a) is dict and [*a] == ["a", "b"])


X, Y = usual()

CHANGES = (
    # The function's own code, and how it is jitted.
    Change("a constant", program=("total - 0.5", "total - 0.75"), says="its code differs"),
    Change("an operator", program=("* y + SCALE", "* y - SCALE"), says="its code differs"),
    Change("a statement more", program=("    return total\n", "    total = total * 2\n    return total\n")),
    Change("a name", program=("np.abs(x).sum()", "np.sin(x).sum()"), says="its code differs"),
    Change("a sign of zero", program=("total + 1.0", "total * -0.0"), says="its code differs"),
    Change("a line further down", program=("\ndef inner", "\n\ndef inner"), says="its code differs"),
    Change("its own default", program=('mode="both"', 'mode="one"')),
    Change("free sizes", options=(("dynamic", True),), says="symbolic sizes"),
    Change("the whole graph", options=(("fullgraph", True),), says="option fullgraph"),
    # Functions that it calls.
    Change("a helper's code", program=("a * k + math", "a * k - math"), says="the code of"),
    Change("a helper's constant", program=("math.sqrt(4.0)", "math.sqrt(9.0)"), says="the code of"),
    Change("a helper's default", program=("k=0.5", "k=3"), says="__defaults__"),
    Change("a helper's default, set", before=lambda n: setattr(n["inner"], "__defaults__", (3,))),
    Change("a helper's keyword default", program=("lift=1.0", "lift=3"), says="lift"),
    Change("a helper that is keyword-only no more", program=("a, *, lift", "a, lift"), says="the code of outer"),
    Change("a helper's closure", program=("make(0.25", "make(3"), says="closed over"),
    Change("a function in a closure", program=("0.25, np.maximum", "0.25, np.minimum"), says="closed over"),
    Change("a closure's code", program=("return op(a, k)", "return op(k, a) * 2"), says="the code of clamp"),
    Change("a lambda for a helper", before=_set(clamp=lambda a: np.maximum(a, 7.0)), says="clamp"),
    Change("a helper of another module", helpers=("a * 3.0", "a * 5.0"), says="the code of scaled"),
    Change("a helper of a module", helpers=("np.cos(a) + OFFSET", "np.cos(a) - OFFSET"), says="shift"),
    Change("another function in a module", before=_in_helpers(shift=_two), says="shift"),
    Change("a type in a module", helpers=("0.125", "2"), says="OFFSET"),
    Change("code put into a helper", before=_other_code, says="the code of inner"),
    Change("a decorated helper", before=lambda n: n.update(inner=_wrapped(n["inner"])), says="inner"),
    Change("a disabled helper", before=lambda n: n.update(inner=gl.disable(n["inner"])), says="gl.disable"),
    Change("a jitted helper", before=lambda n: n.update(inner=gl.jit(n["inner"])), says="inner"),
    Change("a class for a helper", before=_set(scaled=type("scaled", (), {"__new__": lambda cls, a: a * 9.0}))),
    # What names stand for.
    Change("a type of a global", program=("SCALE = 2.0", "SCALE = 2"), says="SCALE"),
    Change("an array for a number", before=_set(SCALE=np.full(4, 2.5)), says="SCALE"),
    Change("a flag", program=("FLAG = True", "FLAG = False"), says="FLAG"),
    Change("a flag that is a number", program=("FLAG = True", "FLAG = 0"), says="FLAG"),
    Change("a text", program=('NAME = "plus"', 'NAME = "minus"'), says="NAME"),
    Change("a number of turns", program=("STEPS = 3", "STEPS = 4"), says="STEPS"),
    Change("a type in a tuple", program=("PAIR = (1.5, 2)", "PAIR = (1, 2)"), says="PAIR"),
    Change("a list for a tuple", program=("PAIR = (1.5, 2)", "PAIR = [1.75, 2]"), says="PAIR"),
    Change("a dict's size", program=('"b": 2}', '"b": 2, "c": 3}'), says="TABLE"),
    Change("a type in a dict", program=('"a": 1.0', '"a": 3'), says="TABLE"),
    Change("a list's length", program=("[1.0, 2.0]", "[1.0, 2.0, 3.0]"), says="ITEMS"),
    Change("no None any more", program=("NOTHING = None", "NOTHING = 0"), says="NOTHING"),
    Change("a module's stand-in", before=_set(math=types.SimpleNamespace(sqrt=_two)), says="math"),
    Change("a module's copy", before=lambda n: n.update(warm_helpers=types.SimpleNamespace(**vars(n["warm_helpers"])))),
    Change("a built-in's name", before=_set(len=lambda a: 11), says="len"),
    Change("a built-in's name in a helper", before=_in_helpers(OFFSET=np.float64(3.0)), says="OFFSET"),
    # What modules hold.
    Change("a ufunc for another", around=patched(np, "exp", np.sin), says="np.exp"),
    Change("a function for a ufunc", around=patched(np, "exp", _two), says="np.exp"),
    Change("a ufunc of the program's", around=patched(np, "abs", np.frompyfunc(lambda a: a, 1, 1)), says="np.abs"),
    Change("a function of math's", around=patched(math, "sqrt", math.exp), says="math.sqrt"),
    Change("a built-in", around=patched(builtins, "len", _longer), says="len"),
    # Settings and versions.
    Change("loops are not unrolled", around=_with_setting(unroll_limit=2), says="setting unroll_limit"),
    Change("no native loops", around=_with_setting(native_loops=False), says="setting native_loops"),
    Change("another NumPy", around=patched(np, "__version__", "9.9.9"), says="version numpy"),
    Change("another Python", around=patched(sys, "version", "3.99"), says="version python"),
    Change("another guardlift", around=_with_seal, says="version code"),
    Change("another form of files", around=patched(recorded_entries, "FORMAT", 0), says="version format"),
    # Arguments.
    Change("a dtype", arguments=lambda: (X.astype(np.float32), Y), says="float32"),
    Change("a shape", arguments=lambda: (X[:2].copy(), Y), says="x.shape"),
    Change("strides", arguments=lambda: (np.asfortranarray(X), Y), says="strides"),
    Change("a type of a number", arguments=lambda: (X, 2), says="y"),
    Change("a NumPy scalar", arguments=lambda: (X, np.float64(2.0)), says="y"),
    Change("a subclass of arrays", arguments=lambda: (X.view(Sub), Y), says="x"),
    Change("a default that is given", arguments=lambda: (X, Y, "one"), says="mode"),
)
