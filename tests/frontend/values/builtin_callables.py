"""Built-in callables of every kind, and programs that hold, ask, hand on and call one."""

from __future__ import annotations

import collections
import functools
import re
import types
from typing import Any

import numpy as np

import guardlift as gl

PRELUDE = """
import collections, enum, fractions, functools, itertools, math, operator, pickle, re, types
import numpy as np
import guardlift as gl

class Table(dict): pass
class Row(list): pass
class Kind:
    @staticmethod
    def static(v): return v
    @classmethod
    def made(cls, v): return v
    def method(self, v): return v
    def __call__(self, v): return v

def plus(v): return v + 1

KIND = Kind()
PATTERN, VECTOR, CALLED = re.compile("a"), np.vectorize(plus), np.frompyfunc(plus, 1, 1)
ITEM, PART, METHOD = operator.itemgetter(1), operator.attrgetter("ndim"), operator.methodcaller("max")
SPLIT, LENGTH, ROOT, REDUCE, ORDER = "a-b".split, (5).bit_length, math.sqrt, np.add.reduce, np.dtype("f8").newbyteorder

class World:
    def __init__(self):
        self.row, self.table, self.set, self.queue = [3, 1, 2], {"k": 1, "l": 2}, {1, 2}, collections.deque([1, 2])
        self.own_row, self.own_table, self.bytes = Row([1, 2]), Table(k=5), bytearray(b"ab")
        self.rng, self.old_rng = np.random.default_rng(0), np.random.RandomState(0)
        self.append, self.sum, self.size = [1].append, np.arange(3.0).sum, [1, 2].__len__
        self.draw, self.tensor = np.random.default_rng(1).normal, gl.tensor([1.0, 2.0])

def f(a, w, n, out, pause):
"""

CALLABLES: dict[str, str] = {
    "np.add": "a, 1", "np.divmod": "a, 2", "np.add.reduce": "a", "np.add.at": "a, [0, 0, 1], 1",
    "np.maximum.accumulate": "a", "np.multiply.outer": "a, a", "np.add.reduceat": "a, [0, 2]",
    "np.add.__call__": "a, 1",
    "np.logaddexp.reduce": "a", "REDUCE": "a", "np.add.resolve_dtypes": "(np.dtype('f4'), np.dtype('f8'), None)",
    "(5).bit_length": "", "(-5).bit_length": "", "(-1.5).is_integer": "", "(1.5).hex": "", "(1+2j).conjugate": "",
    "True.bit_length": "", "(5).__add__": "3", "(1.5).__mul__": "2.0", "(10**30).bit_length": "", "LENGTH": "",
    "'a-b'.split": "'-'", "'it\\'s'.upper": "", "','.join": "['x', 'y']", "'abc'.__len__": "", "SPLIT": "'-'",
    "b'ab'.hex": "", "b'ab'.decode": "", "(1, 2, 1).count": "1", "(1, 2).__len__": "", "frozenset([1]).union": "[3]",
    "w.row.append": "9", "w.row.pop": "", "w.row.sort": "", "w.row.__getitem__": "0", "w.append": "4", "w.size": "",
    "[1, 2].count": "1", "w.table.get": "'k'", "w.table.items": "", "{'k': 3}.get": "'k'",
    "w.table.__contains__": "'k'",
    "w.set.add": "7", "{1, 2}.union": "[3]", "w.queue.append": "1", "w.bytes.append": "3",
    "w.own_row.append": "3", "w.own_row.__len__": "", "w.own_table.get": "'k'", "Row([1]).append": "3",
    "a.sum": "", "a.reshape": "2, 2", "a.__len__": "", "a.__add__": "1", "a.tolist": "", "a.nonzero": "",
    "(a + 1).sum": "", "a.T.copy": "", "a[0].item": "", "w.sum": "", "a.dtype.newbyteorder": "'='", "ORDER": "'='",
    "w.rng.normal": "", "w.rng.random": "2", "w.rng.shuffle": "w.row", "w.draw": "", "w.old_rng.rand": "2",
    "np.random.default_rng": "3", "np.random.Generator.normal": "w.rng",
    "str.upper": "'ab'", "list.append": "w.row, 3", "dict.get": "w.table, 'k'", "int.__add__": "1, 2",
    "float.is_integer": "5.0", "np.ndarray.sum": "a", "np.ndarray.__add__": "a, 1", "object.__eq__": "1, 1",
    "dict.fromkeys": "'ab', 1", "Table.fromkeys": "'ab', 1", "int.from_bytes": "b'a', 'big'", "bytes.fromhex": "'61'",
    "str.maketrans": "'a', 'b'", "itertools.chain.from_iterable": "[[1], [2]]", "fractions.Fraction.from_float": "0.5",
    "functools.partial(np.add, 1)": "a", "functools.partial(np.add.reduce, axis=0)": "a", "ITEM": "a", "PART": "a",
    "METHOD": "a", "operator.itemgetter(1)": "a", "operator.attrgetter('shape')": "a", "operator.add": "a, 1",
    "np.sum": "a", "np.concatenate": "[a, a]", "np.linalg.norm": "a", "np.nonzero": "a", "np.vectorize(plus)": "a",
    "VECTOR": "a", "CALLED": "a", "math.sqrt": "2.0", "ROOT": "4.0", "math.gcd": "4, 6",
    "int": "'3'", "float": "2", "list": "'ab'", "range": "3", "type": "3", "np.float32": "3", "np.dtype": "'f4'",
    "fractions.Fraction": "1, 2", "collections.OrderedDict": "[(1, 2)]", "ValueError": "'x'",
    "object.__new__": "object",
    "len": "w.row", "sorted": "w.row", "isinstance": "3, int", "getattr": "a, 'ndim'", "divmod": "7, 2", "zip": "",
    "Kind.static": "3", "Kind.made": "3", "KIND.method": "3", "KIND": "3", "KIND.__eq__": "KIND", "plus": "3",
    "plus.__call__": "3", "int.mro": "", "PATTERN.match": "'ab'", "re.compile": "'ab'", "None.__eq__": "None",
    "gl.exp": "w.tensor", "gl.tensor": "[1.0]", "w.tensor.sum": "", "(w.tensor + 1).relu": "",
    "gl.Tensor.sum": "w.tensor",
    "types.SimpleNamespace": "x=1", "functools.reduce": "operator.add, w.row", "itertools.count": "3",
}  # fmt: skip
"""By the expression that gives one, arguments that it takes."""

PROGRAMS: dict[str, str] = {
    "returned": "return a * 2, {c}",
    "called": "return a * 2, {c}({args})",
    "kept across a break": "u = a * 2; k = {c}; pause(a); return u + 1, k, k({args})",
    "on the stack at a break": "u = a * 2; return u, {c}({args}{comma}*pause())",
    "in containers": "return a * 2, [{c}, ({c},)], dict(x={c})",
    "stored": "u = a * 2; out.append({c}); w.held = {c}; return u + 1, w.held({args})",
    "its type": "k = {c}; return a * 2, type(k), type(k).__name__, callable({c}), isinstance(k, types.MethodType)",
    "its attributes": "return a * 2, getattr({c}, '__name__', 0), getattr({c}, '__doc__', 0), hasattr({c}, 'nope')",
    "its qualified name": "return a * 2, getattr({c}, '__qualname__', 0), getattr({c}, '__self__', 0)",
    "compared": "k = {c}; return a * 2, k == k, k is k, k != len, {c} == {c}, {c} is {c}, k == 3, k in (len, k)",
    "as a key": "k = {c}; d = {{k: 1}}; return a * 2, d[k], k in d, {c} in d, len({{k, {c}}}), hash(k) == hash({c})",
    "a default": "g = lambda v, k={c}: k; return a * 2, g(1)({args}), g.__defaults__",
    "closed over": "k = {c}; g = lambda: k({args}); u = a * 2; pause(); return u, g()",
    "chosen": "k = {c} if n > 1 else len; u = a * 2; pause(); return u, k({args}), k or 1",
    "mapped": "return a * 2, list(map({c}, [1, 2]))",
    "sorting": "return a * 2, sorted([1, 2], key={c})",
    "partial": "return a * 2, functools.partial({c}, {args})(), functools.partial({c}, 1).func",
    "in error": "return a * 2, {c}(1, 2, 3, 4, 5, 6, 7, zz=4)",
    "in another error": "return a * 2, {c}(object(), object(), nope=4)",
    "shown": "k = {c}; return a * 2, repr({c}), f'{{k!r}}'[:8]",
    "set on": "u = a * 2; {c}.zz = 3; return u",
    "pickled": "return a * 2, pickle.loads(pickle.dumps({c}))",
    "in a table": "t = {{'x': {c}, 'y': len}}; u = a * 2; pause(); return u, t['x']({args}), t",
    "behind a mask": "u = a[a > 1]; k = {c}; return u, k({args}), k",
}
"""Programs of one line; `pause` breaks the graph and gives nothing."""


def source(expression: str, program: str) -> str:
    """The module with the function `f` that does so."""
    args = CALLABLES[expression]
    line = PROGRAMS[program].format(c=expression, args=args, comma=", " if args else "")
    return PRELUDE + "".join(f"    {part}\n" for part in line.split("; "))


def described(value: Any, depth: int = 0) -> Any:
    """Data that is equal for results that nobody could tell apart."""
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.shape, value.tolist()
    if isinstance(value, gl.Tensor):
        return "tensor", str(value.dtype), value.tolist()
    if isinstance(value, (list, tuple, collections.deque)) and depth < 6:
        return type(value).__name__, [described(each, depth + 1) for each in value]
    if isinstance(value, dict) and depth < 6:
        return type(value).__name__, [described(pair, depth + 1) for pair in value.items()]
    if callable(value) and depth < 6:
        words = [str(getattr(value, name, None))[:80] for name in ("__name__", "__qualname__", "__doc__")]
        owner = getattr(value, "__self__", None)
        parts = [getattr(value, name, None) for name in ("func", "args", "keywords")]
        held = parts if isinstance(value, functools.partial) else []
        about = described(owner, depth + 1) if not isinstance(owner, types.ModuleType) else owner.__name__
        return type(value).__name__, words, about, described(held, depth + 1)
    return type(value).__name__, plain(repr(value))


def plain(text: str) -> str:
    """A text without addresses."""
    return re.sub(r"0x[0-9a-fA-F]{6,}", "0x", text)


def outcome(text: str, make: Any) -> list[Any]:
    """The outcomes of two calls of the program, each in a world of its own; `make` is given the function."""
    scope: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "<program>", "exec"), scope)
    function = make(scope["f"])
    found: list[Any] = []
    for _ in range(2):
        world, out, array = scope["World"](), [], np.arange(4.0)
        try:
            given = "gave", described(function(array, world, 2, out, lambda *_: ()))
        except Exception as error:
            given = "raised", (type(error).__name__, plain(str(error)))
        state = world.rng.bit_generator.state["state"], world.set, list(world.queue), bytes(world.bytes)
        changed = [array, out, world.row, world.table, [*world.own_row], world.tensor]
        found.append((given, described(changed), repr(state)))
    return found
