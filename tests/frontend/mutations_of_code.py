"""More kinds of state that a trace can read: globals, cells, functions, classes, objects, the process, the model."""

from __future__ import annotations

from frontend.mutations import Mutation, of_object

MODULE = "import types, sys\nM = types.ModuleType('changing')\nM.rate = 2.0\nM.act = np.tanh\n"
NET = """
from guardlift import nn, optim
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 2)
        self.scale, self.numbers = 2.0, [1.0]
        with gl.no_grad():
            for p in self.parameters(): p.copy_(gl.ones(*p.shape) * 0.5)
    def forward(self, x): return self.a(x) * self.scale if self.training else self.a(x) - 1
net = Net()
"""
STEP = """
def args(): return dict(x=gl.tensor(np.ones((2, 3), np.float32)))
opt = optim.SGD(net.parameters(), lr=0.1)
def f(x):
    opt.zero_grad()
    loss = (net(x) * net(x)).sum()
    loss.backward()
    opt.step()
    return loss.detach()
def see(): return [p.detach().numpy().copy() for p in net.parameters()]
"""
FORWARD = "def args(): return dict(x=gl.tensor(np.ones((2, 3), np.float32)))\ndef f(x): return net(x).detach()"
TENSOR = "def args(): return dict(x=gl.tensor([1.0, 2.0, 3.0]))\n"

GLOBALS = [
    Mutation("global: rebound", "K = 2.0\ndef f(x): return x * K", "K = 5.0", "K = 2.0"),
    Mutation("global: type", "K = 2\ndef f(x): return x * K, K", "K = True", "K = 2"),
    Mutation("global: decides", "K = 2.0\ndef f(x): return x * 2 if K > 1 else x + 5", "K = 0.0", "K = 2.0"),
    Mutation("global: 0.0 to -0.0", "K = 0.0\ndef f(x): return x * K, [K]", "K = -0.0", "K = 0.0"),
    Mutation("global: deleted", "K = 2.0\ndef f(x): return x * K", "del K", "K = 2.0"),
    Mutation("global: deleted, and the built-in shows", "len = lambda x: 100\ndef f(x): return x + len(x)", "del len", "len = lambda x: 100", served=False),
    Mutation("global: hides a built-in", "def f(x): return x + len(x)", "len = lambda x: 100", "del len"),
    Mutation("global: hides a built-in in an inlined function", "def g(x): return x + max(1, 2)\ndef f(x): return g(x)", "max = min", "del max"),
    Mutation("global: None to value", "K = None\ndef f(x): return x + 1 if K is None else x * K", "K = 3.0", "K = None"),
    Mutation("global: array", "K = np.ones(3)\ndef f(x): return x * K", "K = np.ones((2, 3))", "K = np.ones(3)"),
    Mutation("global: array written", "K = np.ones(3)\ndef f(x): return x * K", "K[0] = 5", "K[0] = 1"),
    Mutation("global: function", "def g(x): return x + 1\nold = g\ndef f(x): return g(x)", "def g(x): return x - 1", "g = old"),
    Mutation("global: of another module", MODULE + "exec('def g(x): return x * rate', vars(M))\ng = M.g\ndef f(x): return g(x)", "M.rate = 5.0", "M.rate = 2.0"),
    Mutation("global: through __globals__", "K = 2.0\ndef g(x): return x * K\ndef f(x): return g(x)", "g.__globals__['K'] = 3.0", "g.__globals__['K'] = 2.0"),
    Mutation("global: of a function of an equal code", "make = lambda k: eval('lambda x: x * K', {'K': k})\ng = make(2.0)\nh = g\ndef f(x): return g(x)", "g = make(3.0)", "g = h"),
    Mutation("global: read, not used, deleted", "K = 2.0\ndef f(x):\n    K\n    return x * 2", "del K", "K = 2.0"),
    Mutation("module: attribute read, not used, deleted", MODULE + "def f(x):\n    M.rate\n    return x * 2", "del M.rate", "M.rate = 2.0"),
    Mutation("module: attribute", MODULE + "def f(x): return x * M.rate", "M.rate = 5.0", "M.rate = 2.0"),
    Mutation("module: function", MODULE + "def f(x): return M.act(x)", "M.act = np.abs", "M.act = np.tanh"),
    Mutation("module: attribute deleted", MODULE + "def f(x): return x * M.rate", "del M.rate", "M.rate = 2.0"),
    Mutation("module: replaced", MODULE + "N = types.ModuleType('n'); N.rate = 3.0; O = M\ndef f(x): return x * M.rate", "M = N", "M = O"),
    Mutation("module: __getattr__", MODULE + "def f(x): return x * getattr(M, 'other', 1.0)", "M.__getattr__ = lambda name: 5.0", "del M.__getattr__", traced=False),
    Mutation("module: in sys.modules", MODULE + "sys.modules['changing_one'] = M\ndef f(x):\n    import changing_one\n    return x * changing_one.rate", "N = types.ModuleType('n'); N.rate = 3.0; sys.modules['changing_one'] = N", "sys.modules['changing_one'] = M"),
    Mutation("module: name imported from it", MODULE + "sys.modules['changing_one'] = M\ndef f(x):\n    from changing_one import rate\n    return x * rate", "M.rate = 5.0", "M.rate = 2.0"),
    Mutation("patched: np.tanh", "old = np.tanh\ndef f(x): return np.tanh(x)", "np.tanh = lambda x: x + 100", "np.tanh = old"),
    Mutation("patched: np.ndarray is no class", "old = np.sum\ndef f(x): return np.sum(x)", "np.sum = lambda x: 100", "np.sum = old"),
    Mutation("patched: math.sqrt", "import math\nold = math.sqrt\ndef f(x): return x * math.sqrt(4.0)", "math.sqrt = lambda x: 100.0", "math.sqrt = old"),
    Mutation("patched: math.pi", "import math\nold = math.pi\ndef f(x): return x * math.pi", "math.pi = 3.0", "math.pi = old"),
    Mutation("patched: a built-in", "import builtins\nold = builtins.divmod\ndef f(x): return x + divmod(7, 4)[0]", "builtins.divmod = lambda *a: (50, 0)", "builtins.divmod = old"),
    Mutation("patched: functools.reduce", "import functools\nold = functools.reduce\ndef f(x): return functools.reduce(lambda p, q: p + q, [x, x])", "functools.reduce = lambda *a: 7", "functools.reduce = old", traced=False),
    Mutation("process: np.errstate", "def f(x): return x / (x - 2.0)", "np.seterr(all='raise')", "np.seterr(all='ignore')"),
    Mutation("process: recursion limit", "import sys\nold = sys.getrecursionlimit()\ndef g(x, k): return x if k == 0 else g(x + 1, k - 1)\ndef f(x): return g(x, 20)", "sys.setrecursionlimit(old + 1)", "sys.setrecursionlimit(old)"),
    Mutation("process: environment", "import os\ndef f(x): return x * 2 if os.environ.get('GL_TEST_X') else x + 5", "os.environ['GL_TEST_X'] = '1'", "del os.environ['GL_TEST_X']", traced=False),
    Mutation("process: print options", "def f(x): return x + 1, str(x[:0].shape)", "np.set_printoptions(precision=2)", "np.set_printoptions(precision=8)", traced=False),
]  # fmt: skip
FUNCTIONS = [
    Mutation("cell: rebound", "def make():\n    k = 2.0\n    def put(v):\n        nonlocal k\n        k = v\n    return (lambda x: x * k), put\nf, put = make()", "put(5.0)", "put(2.0)"),
    Mutation("cell: type", "def make():\n    k = 2\n    def put(v):\n        nonlocal k\n        k = v\n    return (lambda x: x * k), put\nf, put = make()", "put(True)", "put(2)"),
    Mutation("cell: emptied", "def make():\n    k = 2.0\n    def put(v):\n        nonlocal k\n        if v is None:\n            del k\n        else:\n            k = v\n    return (lambda x: x * k), put\nf, put = make()", "put(None)", "put(2.0)"),
    Mutation("cell: of an inlined function", "def make():\n    k = 2.0\n    def put(v):\n        nonlocal k\n        k = v\n    return (lambda x: x * k), put\ng, put = make()\ndef f(x): return g(x)", "put(None)", "put(2.0)"),
    Mutation("cell: cell_contents", "def make(k): return lambda x: x * k\ng = make(2.0)\ndef f(x): return g(x)", "g.__closure__[0].cell_contents = 5.0", "g.__closure__[0].cell_contents = 2.0"),
    Mutation("cell: another closure of the same code", "def make(k): return lambda x: x * k\ng = h = make(2.0)\ndef f(x): return g(x)", "g = make(3.0)", "g = h"),
    Mutation("cell: a list in it", "def make(k): return (lambda x: x * k[0]), k\nf, K = make([2.0])", "K[0] = 4.0", "K[0] = 2.0"),
    Mutation("function: default", "def g(x, k=1.0): return x + k\ndef f(x): return g(x)", "g.__defaults__ = (9.0,)", "g.__defaults__ = (1.0,)"),
    Mutation("function: default removed", "def g(x, k=1.0): return x + k\ndef f(x): return g(x)", "g.__defaults__ = None", "g.__defaults__ = (1.0,)"),
    Mutation("function: more defaults", "def g(x, k=1.0): return x + k\ndef f(x): return g(x)", "g.__defaults__ = (5.0, 9.0)", "g.__defaults__ = (1.0,)"),
    Mutation("function: mutable default", "K = [1.0]\ndef g(x, k=K): return x + k[0]\ndef f(x): return g(x)", "K[0] = 9.0", "K[0] = 1.0"),
    Mutation("function: keyword default", "def g(x, *, k=1.0): return x + k\ndef f(x): return g(x)", "g.__kwdefaults__ = {'k': 9.0}", "g.__kwdefaults__ = {'k': 1.0}"),
    Mutation("function: keyword default in place", "def g(x, *, k=1.0): return x + k\ndef f(x): return g(x)", "g.__kwdefaults__['k'] = 9.0", "g.__kwdefaults__['k'] = 1.0"),
    Mutation("function: keyword default gone", "def g(x, *, k=1.0): return x + k\ndef f(x): return g(x)", "g.__kwdefaults__.clear()", "g.__kwdefaults__['k'] = 1.0"),
    Mutation("function: code", "def g(x): return x + 1\nold = g.__code__\ndef f(x): return g(x)", "g.__code__ = (lambda x: x * 7).__code__", "g.__code__ = old"),
    Mutation("function: attribute", "def g(x): return x * g.rate\ng.rate = 2.0\ndef f(x): return g(x)", "g.rate = 5.0", "g.rate = 2.0", traced=False),
    Mutation("function: what a decorator keeps", "import functools\ndef deco(h):\n    @functools.wraps(h)\n    def w(x): return h(x) * w.times\n    w.times = 2.0\n    return w\n@deco\ndef g(x): return x + 1\ndef f(x): return g(x)", "g.times = 3.0", "g.times = 2.0", traced=False),
    Mutation("function: own default", "def f(x, k=2.0): return x * k", "f.__defaults__ = (5.0,)", "f.__defaults__ = (2.0,)"),
    Mutation("function: own keyword default", "def f(x, *, k=2.0): return x * k", "f.__kwdefaults__ = {'k': 5.0}", "f.__kwdefaults__ = {'k': 2.0}"),
    Mutation("function: jitted itself, then plain", "def h(x): return x + 1\ng = gl.jit(h)\nj = g\ndef f(x): return g(x)", "g = lambda x: x + 2", "g = j"),
    Mutation("partial: arguments", "import functools\ndef h(x, k): return x * k\ng = old = functools.partial(h, k=2.0)\ndef f(x): return g(x)", "g = functools.partial(h, k=3.0)", "g = old", traced=False),
    Mutation("partial: keywords in place", "import functools\ndef h(x, k): return x * k\ng = functools.partial(h, k=2.0)\ndef f(x): return g(x)", "g.keywords['k'] = 3.0", "g.keywords['k'] = 2.0", traced=False),
    Mutation("partial: __setstate__", "import functools\ndef h(x, k): return x * k\ndef i(x, k): return x + k\ng = functools.partial(h, k=2.0)\ndef f(x): return g(x)", "g.__setstate__((i, (), {'k': 2.0}, None))", "g.__setstate__((h, (), {'k': 2.0}, None))", traced=False),
    Mutation("lru_cache: cleared", "import functools\nN = []\n@functools.lru_cache\ndef g(k):\n    N.append(k)\n    return k * 2.0\ndef f(x): return x * g(2), len(N)", "g.cache_clear()", "g.cache_clear()", traced=False),
    Mutation("bound method: of another object", "class C:\n    def __init__(self, k): self.k = k\n    def m(self, x): return x * self.k\no, p = C(2.0), C(3.0)\ng = o.m\ndef f(x): return g(x)", "g = p.m", "g = o.m"),
]  # fmt: skip
OBJECTS = [
    of_object("attribute", "x * o.w", "o.w = 7.0", "o.w = 3.0"), of_object("attribute's type", "x * o.w, o.w", "o.w = True", "o.w = 3.0"),
    of_object("attribute that decides", "x * 2 if o.w else x + 5", "o.w = 0.0", "o.w = 3.0"), of_object("attribute deleted", "x * o.w", "del o.w", "o.w = 3.0"),
    of_object("attribute read, not used, deleted", "(o.w, x * 2)[1]", "del o.w", "o.w = 3.0"), of_object("class attribute read, not used, deleted", "(o.k, x * 2)[1]", "del C.k", "C.k = 2.0"),
    of_object("attribute over a class attribute", "x * o.k", "o.k = 7.0", "del o.k"), of_object("class attribute", "x * o.k", "C.k = 7.0", "C.k = 2.0"),
    of_object("attribute through __dict__", "x * o.w", "o.__dict__['w'] = 8.0", "o.__dict__['w'] = 3.0"), of_object("__dict__ replaced", "x * o.w", "o.__dict__ = {'w': 100.0}", "o.__dict__ = {'w': 3.0}"),
    of_object("class attribute deleted", "x * o.k", "del C.k", "C.k = 2.0"), of_object("attribute of a base", "x * o.j", "B.j = 7.0", "B.j = 4.0"),
    of_object("attribute of a base hidden by the class", "x * o.j", "C.j = 7.0", "del C.j"), of_object("class attribute read through the class", "x * C.k", "C.k = 7.0", "C.k = 2.0"),
    of_object("class attribute read through a base's name", "x * B.j", "B.j = 7.0", "B.j = 4.0"), of_object("class attribute through type()", "x * type(o).k", "C.k = 7.0", "C.k = 2.0"),
    of_object("method of the class", "o.m(x)", "old = C.m; C.m = lambda self, x: x * 100", "C.m = old"), of_object("method of the instance", "o.m(x)", "o.m = lambda x: x * 100", "del o.m"),
    of_object("method of a base", "o.n(x)", "old = B.n; B.n = lambda self, x: x * 100", "B.n = old"), of_object("method that a class hides", "o.n(x)", "C.n = lambda self, x: x * 100", "del C.n"),
    of_object("method made static", "o.m(x)", "old = C.m; C.m = staticmethod(lambda x: x * 100)", "C.m = old"), of_object("method's code", "o.m(x)", "old = C.m.__code__; C.m.__code__ = (lambda self, x: x * 100).__code__", "C.m.__code__ = old"),
    of_object("bases", "o.n(x) * o.j", "C.__bases__ = (E,)", "C.__bases__ = (B,)", "\nclass Z: pass\nclass B(Z):\n    j = 4.0\n    def n(self, x): return x + 1\nclass E(Z):\n    j = 9.0\n    def n(self, x): return x - 1\nclass C(B): pass\no = C()", served=False),
    of_object("__class__", "x * o.k", "o.__class__ = D", "o.__class__ = C"), of_object("__class__ that decides", "x * 2 if isinstance(o, D) else x + 5", "o.__class__ = D", "o.__class__ = C", traced=False),
    of_object("property", "x * o.p", "old = C.p; C.p = property(lambda self: 50.0)", "C.p = old"), of_object("property over an attribute", "x * o.w", "C.w = property(lambda self: 100.0)", "del C.w"),
    of_object("property's function", "x * o.p", "old = C.p.fget.__code__; C.p.fget.__code__ = (lambda self: 9.0).__code__", "C.p.fget.__code__ = old"),
    of_object("class attribute below an attribute", "x * o.w", "C.w = 100.0", "del C.w"), of_object("descriptor with __set__", "x * o.w", "C.w = type('Q', (), {'__get__': lambda *a: 9.0, '__set__': lambda *a: None})()", "del C.w"),
    of_object("__getattribute__", "x * o.w", "C.__getattribute__ = lambda self, name: 100.0", "del C.__getattribute__"), of_object("__getattribute__ of a base", "x * o.w", "B.__getattribute__ = lambda self, name: 100.0", "del B.__getattribute__"),
    of_object("__getattr__ and a missing attribute", "x * getattr(o, 'missing', 1.0)", "C.__getattr__ = lambda self, name: 100.0", "del C.__getattr__", traced=False), of_object("hasattr", "x * 2 if hasattr(o, 'extra') else x + 5", "o.extra = 1", "del o.extra", traced=False),
    of_object("hasattr, of the class", "x * 2 if hasattr(o, 'extra') else x + 5", "C.extra = 1", "del C.extra", traced=False), of_object("hasattr, of a base", "x * 2 if hasattr(o, 'extra') else x + 5", "B.extra = 1", "del B.extra", traced=False),
    of_object("__setattr__", "(setattr(o, 'w', 3.0), x * o.w)[1]", "C.__setattr__ = lambda self, name, value: None", "del C.__setattr__", traced=False),
    of_object("__call__", "o(x)", "old = C.__call__; C.__call__ = lambda self, x: x * 100", "C.__call__ = old"), of_object("__call__ of the instance, which counts for nothing", "o(x)", "o.__call__ = lambda x: x * 100", "del o.__call__"),
    of_object("__len__", "x * len(o)", "old = C.__len__; C.__len__ = lambda self: 5", "C.__len__ = old", traced=False), of_object("__bool__ over __len__", "x * 2 if o else x + 5", "C.__bool__ = lambda self: False", "del C.__bool__", traced=False),
    of_object("__add__", "x + (o + 1.0)", "old = C.__add__; C.__add__ = lambda self, other: 77.0", "C.__add__ = old", traced=False), of_object("__radd__ of a subclass", "o + o2", "D.__radd__ = lambda self, other: 77.0", "del D.__radd__", "\no2 = D(); o2.w = 1.0\nC.__add__ = lambda self, other: 1.0", traced=False),
    of_object("__getitem__", "x + o[2]", "old = C.__getitem__; C.__getitem__ = lambda self, key: 77.0", "C.__getitem__ = old", traced=False), of_object("__iter__ over __getitem__", "x + [k for k, _ in zip(o, (1, 2))][0]", "C.__iter__ = lambda self: iter([55.0, 1.0])", "del C.__iter__", traced=False),
    of_object("__eq__", "x * 2 if o == o2 else x + 5", "C.__eq__ = lambda self, other: True", "del C.__eq__", "\no2 = C()", traced=False), of_object("__contains__", "x * 2 if 3.0 in o else x + 5", "C.__contains__ = lambda self, k: True", "del C.__contains__", "\nC.__getitem__ = lambda self, k: [1.0, 2.0][k]", traced=False),
    of_object("__array_priority__", "x + 1, o.w", "C.__array_priority__ = 1", "del C.__array_priority__"), of_object("__array_ufunc__", "x * o.w", "C.__array_ufunc__ = None", "del C.__array_ufunc__"),
    of_object("class method", "o.c(x) + C.c(x)", "old = C.__dict__['c']; C.c = classmethod(lambda cls, x: x - 100)", "C.c = old"), of_object("static method", "o.s(x)", "old = C.__dict__['s']; C.s = staticmethod(lambda x: x - 100)", "C.s = old"),
    of_object("super", "o.q(x)", "old = B.n; B.n = lambda self, x: x * 50", "B.n = old", "\nclass F(C):\n    def n(self, x): return super().n(x) * 2\n    def q(self, x): return self.n(x)\no = F()", traced=False),
    of_object("super, and a class between", "o.q(x)", "C.n = lambda self, x: x * 50", "del C.n", "\nclass F(C):\n    def n(self, x): return super().n(x) * 2\n    def q(self, x): return self.n(x)\no = F()", traced=False),
    of_object("enum member", "x * 2 if o.w is Color.RED else x + 5", "o.w = Color.BLUE", "o.w = Color.RED", "\nclass Color(enum.Enum):\n    RED = 1\n    BLUE = 2\no.w = Color.RED", traced=False), of_object("IntEnum member", "x * o.w", "o.w = Color.BLUE", "o.w = Color.RED", "\nclass Color(enum.IntEnum):\n    RED = 1\n    BLUE = 2\no.w = Color.RED", traced=False),
    of_object("data class field", "x * o.w", "o.w = 8.0", "o.w = 3.0", "\n@dataclasses.dataclass\nclass P:\n    w: float = 3.0\no = P()"), of_object("default of a data class", "x * P().w", "P.__init__.__defaults__ = (9.0,)", "P.__init__.__defaults__ = (3.0,)", "\n@dataclasses.dataclass\nclass P:\n    w: float = 3.0", traced=False),
    of_object("slot", "x * o.w", "o.w = 8.0", "o.w = 3.0", "\no = Slotted(); o.w = 3.0", traced=False), of_object("__init__", "x * P(2.0).w", "old = P.__init__; P.__init__ = lambda self, w: setattr(self, 'w', 9.0)", "P.__init__ = old", "\nclass P:\n    def __init__(self, w): self.w = w", traced=False),
    of_object("__new__", "x * P(2.0).w", "P.__new__ = lambda cls, w: types.SimpleNamespace(w=50.0)", "del P.__new__; P.__new__ = lambda cls, w: object.__new__(cls)", "\nclass P:\n    def __init__(self, w): self.w = w", served=False, traced=False),
    of_object("__slots__ of a made class", "x * o.w", "o = C(); o.w = 5.0", "o.w = 3.0", served=False), of_object("cached property", "x * o.cp", "del o.__dict__['cp']; o.w = 50.0", "del o.__dict__['cp']; o.w = 3.0", "\nclass P(C): pass\nP.cp = functools.cached_property(lambda self: self.w + 1); P.cp.__set_name__(P, 'cp')\no = P(); o.w = 3.0", served=False, traced=False),
    of_object("metaclass attribute", "x * getattr(P, 'mm', 1.0)", "Meta.mm = 5.0", "del Meta.mm", "\nclass Meta(type): pass\nclass P(metaclass=Meta): pass", traced=False), of_object("__instancecheck__", "x * 2 if isinstance(o, P) else x + 5", "Meta.__instancecheck__ = lambda cls, o: True", "del Meta.__instancecheck__", "\nclass Meta(type): pass\nclass P(metaclass=Meta): pass"), of_object("metaclass", "x * 2 if isinstance(o, P) else x + 5", "P.__class__ = Asks", "P.__class__ = Meta", "\nclass Meta(type): pass\nclass Asks(type):\n    def __instancecheck__(cls, o): return True\nclass P(metaclass=Meta): pass"),
    of_object("registered with an ABC", "x * 2 if isinstance(o, P) else x + 5", "P.register(C)", "pass", "\nimport abc\nclass P(abc.ABC): pass", served=False, traced=False), of_object("identity of two", "x * 2 if o is o2 else x + 5", "o2 = C()", "o2 = o", "\no2 = o", traced=False),
    of_object("array of it", "x * o.w", "o.w = np.ones((2, 3))", "o.w = np.ones(3)", "\no.w = np.ones(3)"), of_object("list of it", "x * o.w[0]", "o.w[0] = 9.0", "o.w[0] = 1.0", "\no.w = [1.0]"), of_object("object of it", "x * o.q.w", "o.q.w = 9.0", "o.q.w = 1.0", "\no.q = C(); o.q.w = 1.0"),
    of_object("simple namespace", "x * o.w", "o.w = 9.0", "o.w = 1.0", "\no = types.SimpleNamespace(w=1.0)", traced=False), of_object("weak reference", "x * 2 if r() is None else x + 5", "del q", "pass", "\nimport weakref\nq = C()\nr = weakref.ref(q)", served=False, traced=False),
]  # fmt: skip
MODELS = [
    Mutation("grad mode", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)\ndef f(x):\n    return (x * w).requires_grad, x + 1", "m = gl.no_grad(); m.__enter__()", "m.__exit__(None, None, None)"),
    Mutation("inference mode", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)\ndef f(x):\n    return (x * w).requires_grad, x + 1", "m = gl.inference_mode(); m.__enter__()", "m.__exit__(None, None, None)"),
    Mutation("default dtype", TENSOR + "def f(x): return x + gl.zeros(3), gl.ones(2)", "gl.set_default_dtype(gl.float64)", "gl.set_default_dtype(gl.float32)"),
    Mutation("requires_grad of an argument", "K = False\ndef args(): return dict(x=gl.tensor([1.0, 2.0], requires_grad=K))\ndef f(x): return x * 2", "K = True", "K = False"),
    Mutation("requires_grad of a global", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0])\ndef f(x): return x * w", "w.requires_grad_(True)", "w.requires_grad_(False)"),
    Mutation("grad of a global", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)\ndef f(x):\n    (x * w).sum().backward()\n    return w.grad", "w.grad = None", "w.grad = None", served=False, traced=False),
    Mutation("data of a tensor", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0])\ndef f(x): return x * w", "w.data = gl.tensor([9.0, 9.0, 9.0])", "w.data = gl.tensor([1.0, 2.0, 3.0])", served=False),
    Mutation("data of a tensor, another dtype", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0])\ndef f(x): return x * w", "w.data = gl.tensor([9.0, 9.0, 9.0], dtype=gl.float64)", "w.data = gl.tensor([1.0, 2.0, 3.0])", served=False),
    Mutation("hook on a tensor", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)\ndef f(x):\n    w.grad = None\n    (x * w).sum().backward()\n    return w.grad", "h = w.register_hook(lambda g: g * 10)", "h.remove()", served=False),
    Mutation("saved-tensor hooks", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)\ndef f(x):\n    w.grad = None\n    (w * w * x).sum().backward()\n    return w.grad", "m = gl.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t * 2); m.__enter__()", "m.__exit__(None, None, None)", served=False),
    Mutation("anomaly mode", TENSOR + "w = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)\ndef f(x):\n    w.grad = None\n    (x * w).sum().backward()\n    return w.grad", "m = gl.autograd.set_detect_anomaly(True); m.__enter__()", "m.__exit__(None, None, None)", served=False),
    Mutation("model: scale", NET + FORWARD, "net.scale = 5.0", "net.scale = 2.0"), Mutation("model: eval", NET + FORWARD, "net.eval()", "net.train()"),
    Mutation("model: weight", NET + FORWARD, "old = net.a.weight; net.a.weight = nn.Parameter(gl.zeros(2, 3))", "net.a.weight = old", served=False), Mutation("model: child", NET + FORWARD, "old = net.a; net.a = nn.Identity()", "net.a = old", served=False),
    Mutation("model: forward hook", NET + FORWARD, "h = net.register_forward_hook(lambda m, i, o: o * 10)", "h.remove()", served=False), Mutation("model: forward of the instance", NET + FORWARD, "net.forward = lambda x: x", "del net.forward", served=False),
    Mutation("model: forward of the class", NET + FORWARD, "old = Net.forward; Net.forward = lambda self, x: x * 2", "Net.forward = old"), Mutation("model: weight written", NET + FORWARD, "net.a.weight.detach().numpy()[0] = 9", "net.a.weight.detach().numpy()[0] = 0.5"),
    Mutation("step: lr", NET + STEP, "opt.param_groups[0]['lr'] = 0.01", "opt.param_groups[0]['lr'] = 0.1"), Mutation("step: momentum", NET + STEP, "opt.param_groups[0]['momentum'] = 0.5", "opt.param_groups[0]['momentum'] = 0.0", served=False),
    Mutation("step: frozen", NET + STEP, "net.a.bias.requires_grad_(False)", "net.a.bias.requires_grad_(True)", served=False), Mutation("step: group's parameters", NET + STEP, "del opt.param_groups[0]['params'][1]", "opt.param_groups[0]['params'].append(net.a.bias)", served=False),
    Mutation("step: maximize", NET + STEP, "opt.param_groups[0]['maximize'] = True", "opt.param_groups[0]['maximize'] = False", served=False),
]  # fmt: skip
