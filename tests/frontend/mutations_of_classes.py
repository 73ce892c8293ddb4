"""More kinds of state that a trace can read: what a class statement in the traced function makes a class of."""

from __future__ import annotations

from frontend.mutations import Mutation

BASE = """
class A: pass
class B(A):
    k = 2.0
    def n(self, x): return x * self.k
class Field:
    def __get__(self, owner, cls): return 3.0
"""


def of_class(kind: str, body: str, expression: str, change: str, back: str, **options: bool) -> Mutation:
    """A fact that a class T below B with this body relies on, read by an expression."""
    text = f"{BASE}\nK = 2.0\ndef f(x):\n    class T(B):\n        {body}\n    return {expression}"
    return Mutation(f"class inside: {kind}", text, change, back, **options)


CLASSES_INSIDE = [
    of_class("base: method", "pass", "T().n(x)", "old = B.n; B.n = lambda self, x: x - 1", "B.n = old"),
    of_class("base: attribute", "pass", "T().n(x)", "B.k = 7.0", "B.k = 2.0"),
    of_class("base: attribute that the class hides", "k = 3.0", "T().n(x)", "B.k = 7.0", "B.k = 2.0"),
    of_class("base: attribute that comes", "pass", "x + getattr(T, 'z', 1.0)", "B.z = 5.0", "del B.z"),
    of_class("base: a base further up", "pass", "x + getattr(T(), 'z', 1.0)", "A.z = 5.0", "del A.z"),
    of_class("base: other bases", "pass", "x * len(T.__mro__)", "B.__bases__ = (type('Z', (), {}),)", "B.__bases__ = (A,)", served=False),
    of_class("base: rebound", "pass", "T().n(x)", "old = B; B = type('B', (A,), {'n': lambda self, x: x - 2})", "B = old"),
    of_class("base: __setattr__", "def __init__(self): self.v = 2.0", "x * T().__dict__['v']", "B.__setattr__ = lambda self, name, value: self.__dict__.update(v=9.0)", "del B.__setattr__"),
    of_class("base: __getattribute__", "w = 2.0", "x * T().w", "B.__getattribute__ = lambda self, name: 9.0", "del B.__getattribute__", served=False),
    of_class("base: __new__", "v = 1.0", "x * T().v", "B.__new__ = lambda cls: type('Z', (), {'v': 8.0})()", "del B.__new__", served=False),
    of_class("base: __init__", "v = 1.0", "x * T().v", "B.__init__ = lambda self: setattr(self, 'v', 6.0)", "del B.__init__"),
    of_class("base: __init_subclass__", "v = 1.0", "x * T().v", "B.__init_subclass__ = classmethod(lambda cls: setattr(cls, 'v', 5.0))", "del B.__init_subclass__", served=False),
    of_class("super()", "def n(self, x): return super().n(x) + 1", "T().n(x)", "old = B.n; B.n = lambda self, x: x - 1", "B.n = old"),
    of_class("a global in the body", "v = K", "x * T.v", "K = 5.0", "K = 2.0"),
    of_class("a global in a method", "def g(self, x): return x * K", "T().g(x)", "K = 5.0", "K = 2.0"),
    of_class("a global as default", "def g(self, x, k=K): return x * k", "T().g(x)", "K = 5.0", "K = 2.0"),
    of_class("the name of the module", "pass", "x + len(T.__module__)", "__name__ = 'another'", "__name__ = 'world'", served=False),
    of_class("property is hidden", "p = property(lambda self: 2.0)", "x * (T().p if type(T().p) is float else 1)", "property = lambda f: 7.0", "del property"),
    of_class("__build_class__", "v = 1.0", "x * T.v", "import builtins; old = builtins.__build_class__; builtins.__build_class__ = lambda *a: type('Z', (), {'v': 4.0})", "builtins.__build_class__ = old"),
    of_class("a descriptor's class", "v = Field()", "x * T().v", "old = Field.__get__; Field.__get__ = lambda self, owner, cls: 6.0", "Field.__get__ = old"),
    of_class("a descriptor's class tells it its name", "v = Field()", "x * T().v", "Field.__set_name__ = lambda self, cls, name: setattr(cls, name, 4.0)", "del Field.__set_name__", served=False),
    of_class("base: an abstract one", "v = 1.0", "x * T().v", "import abc; old = B; B = abc.ABCMeta('B', (), {})", "B = old"),
]  # fmt: skip
