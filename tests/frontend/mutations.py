"""The kinds of state that a trace can read, as data: how it is at first, one change of it, and the way back.

A row is the text of a module with a function `f` of x (and of what `args` gives), the statement that changes one thing,
and the statement that changes it back. `OBJECT` is a module with a class C below B and an instance o.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """One kind of state. `served`: after the way back, the first entry serves the call."""

    kind: str
    text: str
    change: str
    back: str
    served: bool = True
    traced: bool = True


def of_argument(kind: str, before: str, after: str, use: str = "", **options: bool) -> Mutation:
    """The argument v is `before`, then `after`; both are expressions, evaluated for each call."""
    body = (
        use
        or "w = x * 2 if v is None or isinstance(v, (str, list, tuple, dict, set)) else x * v\n    return w + 1 if v else w - 1"
    )
    text = f"make = lambda: {before}\ndef args(): return dict(x=X.copy(), v=make())\ndef f(x, v):\n    {body}"
    return Mutation(f"argument: {kind}", text, f"make = lambda: {after}", f"make = lambda: {before}", **options)


def of_array(kind: str, before: str, after: str, use: str = "return x + v.sum() + v, v.T") -> Mutation:
    """A mutation of an array, which decides nothing."""
    return of_argument(kind, before, after, use)


def of_object(kind: str, expression: str, change: str, back: str, extra: str = "", **options: bool) -> Mutation:
    """A fact about the instance o of the class C, read by an expression."""
    return Mutation(f"object: {kind}", f"{OBJECT}{extra}\ndef f(x): return {expression}", change, back, **options)


OBJECT = """
import dataclasses, enum, collections, functools, types
class B:
    j = 4.0
    def n(self, x): return x + 1
class C(B):
    k = 2.0
    def m(self, x): return x + self.w
    @property
    def p(self): return self.w + 1
    @classmethod
    def c(cls, x): return x * cls.k
    @staticmethod
    def s(x): return x * 3
    def __call__(self, x): return x * self.k
    def __add__(self, other): return other + self.w
    def __len__(self): return 2
    def __getitem__(self, key): return self.w * key
class D(C):
    k = 11.0
class E:
    j = 9.0
    def n(self, x): return x - 1
class Slotted:
    __slots__ = ("w",)
o = C(); o.w = 3.0
"""
Y = "np.array([4.0, 5.0, 6.0])"
BASE = "np.arange(12.0)"

ARGUMENTS = [
    of_argument("int to float", "2", "2.0"), of_argument("1 to True", "1", "True"), of_argument("True to 1.0", "True", "1.0"),
    of_argument("True to False", "True", "False"), of_argument("0.0 to -0.0", "0.0", "-0.0", "return x * v, v"),
    of_argument("float to nan", "2.0", "float('nan')"), of_argument("value", "2.0", "5.0"), of_argument("int value", "2", "0"),
    of_argument("huge int", "2", "2**70"), of_argument("float to np.float64", "2.0", "np.float64(2.0)"),
    of_argument("np.float64 to np.float32", "np.float64(2.0)", "np.float32(2.0)", "return x * v, v"), of_argument("None to value", "None", "3.0"),
    of_argument("int to np.int64", "2", "np.int64(2)"), of_argument("to bool of numpy", "True", "np.True_"),
    of_argument("value to None", "3.0", "None"), of_argument("string value", "'ab'", "'abc'", "return x + len(v)"),
    of_argument("string that decides", "'relu'", "'none'", "return abs(x) if v == 'relu' else x - 1"),
    of_argument("string to an empty one", "'ab'", "''"), of_argument("string to bytes", "'a'", "b'a'", "return x * 2 if v == 'a' else x + 5"),
    of_argument("subclass of int", "2", "type('N', (int,), {})(5)"), of_argument("subclass of str", "'a'", "type('N', (str,), {'__eq__': lambda s, o: False, '__hash__': str.__hash__})('a')", "return x * 2 if v == 'a' else x + 5"),
    of_argument("subclass of list", "[1, 2]", "type('N', (list,), {'__len__': lambda s: 7})([1, 2])", "return x + len(v)"),
    of_argument("subclass of dict", "{'a': 1}", "type('N', (dict,), {'__getitem__': lambda s, k: 9})({'a': 1})", "return x + v['a']"),
    of_argument("an int that outgrows int64", "2**62", "2**63", "return x * (v + 1), v + v"),
    of_argument("range", "range(3)", "range(0, 6, 2)", "return [x + k for k in v]", traced=False),
    of_argument("slice", "slice(0, 2)", "slice(1, None)", "return x[v] * 2", traced=False),
    of_argument("complex", "2.0", "1j", "return x * v"), of_argument("tuple element", "(2.0, True)", "(2.0, False)", "return x * v[0] if v[1] else x + 5"),
    of_argument("tuple to list", "(1, 2)", "[1, 2]", "return x * v[0], type(v) is tuple"),
    of_argument("tuple length", "(1, 2)", "(1, 2, 3)", "return x * len(v)"),
    of_argument("nested tuple", "(1, (2, 3))", "(1, (2, 4))", "return x * 2 if v[1][1] == 3 else x + 5"),
    of_argument("list length", "[1, 2]", "[1, 2, 3]", "return x * len(v)"), of_argument("list element", "[1, 2]", "[1, 5]", "return x * v[1]"),
    of_argument("list element that decides", "[1, 2]", "[0, 2]", "return x * 2 if v[0] else x + 5"),
    of_argument("type of a list element", "[1, 2]", "[1.0, 2]", "return x.astype(np.int64) * v[0], v[0]"),
    of_argument("list within a list", "[[1], [2]]", "[[1], [2, 3]]", "return x * sum(sum(each) for each in v)"),
    of_argument("one list twice", "[[1], [1]]", "[[1]] * 2", "return x * 2 if v[0] is v[1] else x + 5", traced=False),
    of_argument("list that contains it", "[1, 2]", "[3, 4]", "return x * 2 if 1 in v else x + 5"),
    of_argument("list comparison", "[1, 2]", "[1, 3]", "return x * 2 if v == [1, 2] else x + 5"),
    of_argument("dict value", "{'a': 1.0}", "{'a': 9.0}", "return x + v['a']"), of_argument("dict key", "{'a': 1.0}", "{'b': 1.0}", "return x + 1 if 'a' in v else x + 5"),
    of_argument("dict key order", "{'a': 1.0, 'b': 2.0}", "{'b': 2.0, 'a': 1.0}", "return [x * k + w for k, w in enumerate(v.values())]"),
    of_argument("dict key type", "{1: 2.0}", "{True: 2.0}", "return [x * k if isinstance(k, bool) else x + k for k in v]"),
    of_argument("dict key added", "{'a': 1.0}", "{'a': 1.0, 'b': 1}", "return x + len(v), v.get('b')"),
    of_argument("dict key that is 1 and then 1.0", "{1: 2.0}", "{1.0: 2.0}", "return x + 1, list(v)"),
    of_argument("dict kind", "{'a': 1.0}", "__import__('collections').defaultdict(int, {'a': 1.0})", "return x + v.get('b', 3.0), len(v)"),
    of_argument("ordered dict", "{'a': 1.0}", "__import__('collections').OrderedDict({'a': 1.0})", "return x + v['a'], type(v) is dict"),
    of_argument("set contents", "{1, 2}", "{1, 3}", "return x * 2 if 2 in v else x + 5", traced=False),
    of_argument("set length", "{1, 2}", "{1, 2, 3}", "return x * len(v)", traced=False),
    of_argument("frozenset", "frozenset({1})", "frozenset({2})", "return x * 2 if 1 in v else x + 5", traced=False),
    of_argument("function", "np.tanh", "np.abs", "return v(x)"), of_argument("lambda of other code", "(lambda q: q + 1)", "(lambda q: q - 1)", "return v(x)", served=False),
    of_argument("class", "float", "int", "return x + v(2.5)"), of_argument("module", "np", "__import__('math')", "return x + v.pi * 0 + hasattr(v, 'add')", traced=False),
    of_argument("empty dict", "{}", "{'z': 3}", "return x * 2 if v else x + 1"), of_argument("dtype object", "np.dtype('f4')", "np.dtype('f8')", "return x.astype(v)"),
]  # fmt: skip
ARRAYS = [
    of_array("dtype", Y, f"{Y}.astype(np.float32)"), of_array("dtype to int", Y, "np.array([4, 5, 6])"), of_array("byte order", Y, f"{Y}.astype('>f8')"),
    of_array("shape", Y, "np.ones((2, 3))"), of_array("shape of one", Y, "np.ones(1)"), of_array("rank", Y, "np.array(3.0)"), of_array("empty", Y, "np.zeros((0, 3))"),
    of_array("stride", f"{BASE}[:3]", f"{BASE}[:6:2]"), of_array("negative stride", f"{BASE}[:3]", f"{BASE}[2::-1]"), of_array("stride 0", Y, "np.broadcast_to(3.0, 3)"),
    of_array("order", "np.ones((3, 3))", "np.ones((3, 3), order='F')", "return v.copy(), v.reshape(-1), v + x, v.ravel()"),
    of_array("array to scalar", Y, "3.0", "return x + v"), of_array("0-d to np.float64", "np.array(3.0)", "np.float64(3.0)", "return x + v, v * 2"),
    of_array("0-d to float", "np.array(3.0)", "3.0", "return x + v, v * 2"), of_array("array to list", Y, "[4.0, 5.0, 6.0]", "return x + v"),
    of_array("array to None", Y, "None", "return x if v is None else x + v"), of_array("subclass", Y, f"{Y}.view(type('S', (np.ndarray,), {{}}))"),
    of_array("masked array", Y, "np.ma.array([4.0, 5.0, 6.0], mask=[0, 1, 0])", "return (x + v).sum()"), of_array("matrix", "np.ones((3, 3))", "np.matrix(np.ones((3, 3)))", "return v * v"),
    of_array("object array", Y, "np.array([1, 2.5, 3], object)"), of_array("structured", Y, "np.zeros(3, [('a', float)])", "return x + 1, v.ndim"),
    of_array("unaligned", Y, "np.frombuffer(b'0' * 25, np.uint8)[1:].view(np.float64)", "return x + v"),
    of_array("longdouble", Y, f"{Y}.astype(np.longdouble)"), of_array("complex dtype", Y, f"{Y} + 1j"), of_array("float16", Y, f"{Y}.astype(np.float16)"), of_array("datetime", Y, "np.array([1, 2, 3], 'M8[s]')", "return x + 1, v[1:]"),
    Mutation("array: writeable", "Q = np.ones(3)\ndef args(): return dict(x=X.copy(), v=Q)\ndef f(x, v):\n    v += 1\n    return x * v", "Q.flags.writeable = False", "Q.flags.writeable = True"),
    Mutation("array: writeable, not written", "Q = np.ones(3)\ndef args(): return dict(x=X.copy(), v=Q)\ndef f(x, v):\n    return v[1:], x * v", "Q.flags.writeable = False", "Q.flags.writeable = True"),
    Mutation("array: shape assigned", "Q = np.ones(4)\ndef args(): return dict(x=1.0, v=Q)\ndef f(x, v): return x * v", "Q.shape = (2, 2)", "Q.shape = (4,)"),
    Mutation("array: dtype assigned", "Q = np.ones(4)\ndef args(): return dict(x=1.0, v=Q)\ndef f(x, v): return x * v", "Q.dtype = np.int64", "Q.dtype = np.float64"),
    Mutation("array: two become one", "make = lambda: (X.copy(), X.copy())\ndef args(): return dict(zip('xv', make()))\ndef f(x, v):\n    x += 1\n    return x * v", "make = lambda: (X.copy(),) * 2", "make = lambda: (X.copy(), X.copy())"),
    Mutation("array: is", "make = lambda: (X.copy(), X.copy())\ndef args(): return dict(zip('xv', make()))\ndef f(x, v): return x * 2 if x is v else x * 3", "make = lambda: (X.copy(),) * 2", "make = lambda: (X.copy(), X.copy())"),
    Mutation("array: view of the other", "make = lambda: (X.copy(), X.copy())\ndef args(): return dict(zip('xv', make()))\ndef f(x, v):\n    x[1:] += v[:-1]\n    v *= 2\n    return x + v", "make = lambda: (lambda q: (q[:3], q[1:4]))(np.arange(5.0))", "make = lambda: (X.copy(), X.copy())"),
    Mutation("array: one twice in a list", "make = lambda: [X.copy(), X.copy()]\ndef args(): return dict(x=X.copy(), v=make())\ndef f(x, v):\n    v[0] += 1\n    return v[1] * x", "make = lambda: [X.copy()] * 2", "make = lambda: [X.copy(), X.copy()]"),
    Mutation("array: the global one as argument", "K = np.ones(3)\nmake = lambda: X.copy()\ndef args(): return dict(x=make())\ndef f(x):\n    x += 1\n    return x * K", "make = lambda: K", "make = lambda: X.copy()"),
    Mutation("array: in the object as well", "class C: pass\no = C(); o.a = np.ones(3)\nmake = lambda: X.copy()\ndef args(): return dict(x=make())\ndef f(x):\n    x += 1\n    return x * o.a", "make = lambda: o.a[...]", "make = lambda: X.copy()"),
]  # fmt: skip
CONTAINERS = [
    Mutation("list: element of a global one", "K = [1.0, 2.0]\ndef f(x): return x * K[0]", "K[0] = 7.0", "K[0] = 1.0"),
    Mutation("list: grown", "K = [1.0, 2.0]\ndef f(x):\n    for k in K: x = x + k\n    return x", "K.append(3.0)", "K.pop()"),
    Mutation("list: array in it", "K = [np.ones(3)]\ndef f(x): return x * K[0]", "K[0] = np.full(3, 4.0)", "K[0] = np.ones(3)"),
    Mutation("list: the same through another name", "K = [1.0]\nJ = K\ndef f(x):\n    return x * 2 if J is K else x + 5", "J = [1.0]", "J = K", traced=False),
    Mutation("list: within", "K = [[1.0]]\ndef f(x): return x * K[0][0]", "K[0][0] = 5.0", "K[0][0] = 1.0"),
    Mutation("list: contains itself", "K = [1.0, [2.0]]\ndef f(x): return x * K[0]", "K[1] = K", "K[1] = [2.0]"),
    Mutation("dict: value", "K = {'a': 1.0}\ndef f(x): return x * K['a']", "K['a'] = 5.0", "K['a'] = 1.0"),
    Mutation("dict: key added", "K = {'a': 1.0}\ndef f(x): return x * len(K)", "K['b'] = 5.0", "del K['b']"),
    Mutation("dict: key that get misses", "K = {'a': 1.0}\ndef f(x): return x * K.get('b', 2.0)", "K['b'] = 5.0", "del K['b']"),
    Mutation("dict: order", "K = {'a': 1.0, 'b': 2.0}\ndef f(x): return [x * k for k in K.values()]", "K['a'] = K.pop('a')", "K['b'] = K.pop('b')"),
    Mutation("dict: key that is an equal one", "K = {1: 1.0}\ndef f(x): return [x * k if isinstance(k, bool) else x + k for k in K]", "K[True] = K.pop(1)", "K[1] = K.pop(True)"),
    Mutation("set: contents", "K = {1, 2}\ndef f(x): return x * 2 if 1 in K else x + 5", "K.remove(1)", "K.add(1)", traced=False),
    Mutation("deque: contents", "import collections\nK = collections.deque([1.0])\ndef f(x): return x * K[0]", "K[0] = 5.0", "K[0] = 1.0", traced=False),
    Mutation("namedtuple: field", "import collections\nP = collections.namedtuple('P', 'a b')\nK = P(1.0, 2.0)\ndef f(x): return x * K.a + K[1]", "K = P(1.0, 5.0)", "K = P(1.0, 2.0)", traced=False),
    Mutation("namedtuple: field that decides", "import collections\nP = collections.namedtuple('P', 'a b')\nK = P(1.0, True)\ndef f(x): return x * K.a if K.b else x + 5", "K = P(1.0, False)", "K = P(1.0, True)", traced=False),
    Mutation("tuple: of a global", "K = (1.0, 'a')\ndef f(x): return x * 2 if K[1] == 'a' else x + 5", "K = (1.0, 'b')", "K = (1.0, 'a')"),
    Mutation("bytearray", "K = bytearray(b'ab')\ndef f(x): return x * K[0]", "K[0] = 1", "K[0] = 97", traced=False),
    Mutation("mapping proxy", "import types\nQ = {'a': 1.0}\nK = types.MappingProxyType(Q)\ndef f(x): return x * K['a']", "Q['a'] = 4.0", "Q['a'] = 1.0", traced=False),
    Mutation("iterator: from outside", "K = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])\ndef f(x): return x * next(K)", "next(K)", "pass", traced=False),
    Mutation("generator: from outside", "K = (k * 1.0 for k in range(9))\ndef f(x): return x * next(K)", "next(K)", "pass", traced=False),
    Mutation("exception: another", "K = ValueError(1.0)\ndef f(x): return x * K.args[0], type(K)", "K = KeyError(1.0)", "K = ValueError(1.0)"),
    Mutation("exception: args", "K = ValueError(1.0)\ndef f(x): return x * K.args[0]", "K.args = (5.0, 2)", "K.args = (1.0,)"),
    Mutation("exception: text", "K = ValueError('a')\ndef f(x): return x * 2, str(K), repr(K)", "K.args = ('b',)", "K.args = ('a',)"),
    Mutation("exception: cause", "K = ValueError(1.0)\ndef f(x): return x * 2 if K.__cause__ is None else x + 5", "K.__cause__ = KeyError()", "K.__cause__ = None"),
    Mutation("exception: field", "K = StopIteration(1.0)\ndef f(x): return x * K.value", "K.value = 5.0", "K.value = 1.0"),
    Mutation("exception: attribute", "K = ValueError()\nK.w = 1.0\ndef f(x): return x * K.w", "K.w = 5.0", "K.w = 1.0"),
    Mutation("exception: notes", "K = ValueError()\nK.add_note('a')\ndef f(x): return x * len(K.__notes__)", "K.add_note('b')", "K.__notes__.pop()"),
    Mutation("exception: traceback", "K = ValueError()\ndef go():\n    try: raise K\n    except ValueError: pass\ndef f(x): return x * 2 if K.__traceback__ is None else x + 5", "go()", "K.__traceback__ = None"),
    Mutation("exception: member of a group", "K = ExceptionGroup('g', [ValueError(1.0)])\ndef f(x): return x * K.exceptions[0].args[0], K.message", "K = ExceptionGroup('h', [ValueError(5.0)])", "K = ExceptionGroup('g', [ValueError(1.0)])"),
    Mutation("exception: derive of a group's class", "class G(ExceptionGroup):\n    def derive(self, errors): return G('p', errors)\nG.d = G.derive\ndef f(x):\n    part = G('g', [ValueError(1), KeyError(2)]).subgroup(KeyError)\n    return x * 2, part.message, type(part)", "del G.derive", "G.derive = G.d"),
    Mutation("exception: __new__ of its class", "class E(Exception): pass\ndef new(cls, *args):\n    made = Exception.__new__(cls, *args)\n    made.w = 4.0\n    return made\ndef f(x): return x * getattr(E(1), 'w', 2.0)", "E.__new__ = new", "del E.__new__", served=False),
    Mutation("singledispatch: another class", "import functools\n@functools.singledispatch\ndef g(k): return 2.0\nm = g.register(int, lambda k: 3.0)\nmake = lambda: 1\ndef args(): return dict(x=X.copy(), v=make())\ndef f(x, v): return x * g(v)", "make = lambda: 'a'", "make = lambda: 1"),
    Mutation("singledispatch: registered", "import functools\n@functools.singledispatch\ndef g(k): return 2.0\ng.register(int, lambda k: 3.0)\ndef f(x): return x * g(1)", "g.register(int, lambda k: 4.0)", "g.register(int, lambda k: 3.0)", served=False),
    Mutation("random: the state", "import random\nrandom.seed(3)\ndef f(x): return x * random.random()", "random.seed(5)", "random.seed(3)", traced=False),
]  # fmt: skip
