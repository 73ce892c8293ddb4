"""A program with classes of its own, one with tensors, and changes of them after which an entry must not answer."""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from frontend.compile.warm_changes import Change, Namespace, patched

import guardlift as gl

CLASSES = """
import numpy as np

class Base:
    gain = 2.0

    def lift(self, a):
        return a * self.gain

    @property
    def double(self):
        return self.weight * 2

class Net(Base):
    mode = "plus"
    power = 2

    def __init__(self):
        self.weight = np.linspace(0.0, 1.0, 3)
        self.bias = 0.5
        self.name = "net"

    def __call__(self, a):
        return self.lift(a * self.weight) + self.bias

    @staticmethod
    def less(a):
        return a - 1.0

    @classmethod
    def scaled(cls, a):
        return a * cls.gain

class Plain:
    factor = 3.0

NET = Net()

def f(net, x):
    y = net(x) + net.double + Net.less(x) + net.scaled(x) + NET.bias * Plain.factor
    if net.mode == "plus":
        y = y + net.power
    return y if net.name == "net" else -y
"""


class Other:
    """A class of another module."""

    factor = 3.0


def of_program(namespace: Namespace) -> tuple[Any, ...]:
    """The arguments of the call whose entry is kept."""
    return namespace["Net"](), np.linspace(-1.0, 1.0, 3)


def _subclass(namespace: Namespace) -> None:
    class Net(namespace["Net"]):  # type: ignore[misc]
        def lift(self, a):  # type: ignore[no-untyped-def]
            return a * 100.0

    namespace["Net"] = Net


def _same_name(namespace: Namespace) -> None:
    before = namespace["Net"]
    members = {**vars(before), "lift": lambda self, a: a + 50.0}
    members = {name: each for name, each in members.items() if name not in ("__dict__", "__weakref__")}
    made = type("Net", before.__bases__, members)
    made.__module__, made.__qualname__ = before.__module__, before.__qualname__
    namespace["Net"] = made


def _on(name: str, member: str, value: Any) -> Any:
    return lambda namespace: setattr(namespace[name], member, value)


def _slow(self: Any, name: str) -> Any:
    return 7.0 if name == "bias" else object.__getattribute__(self, name)


CLASS_CHANGES = (
    Change("a method", program=("return a * self.gain", "return a + self.gain")),
    Change("a method of a base, set", before=_on("Base", "lift", lambda self, a: a + 9.0)),
    Change("a method that hides a base's", before=_on("Net", "lift", lambda self, a: a + 9.0)),
    Change("a property", program=("self.weight * 2", "self.weight * 5")),
    Change("a value for a property", before=_on("Base", "double", 4.0)),
    Change("a static method", program=("a - 1.0", "a - 5.0")),
    Change("a class method", program=("return a * cls.gain", "return a - cls.gain")),
    Change("a function for a static method", before=_on("Net", "less", staticmethod(np.negative))),
    Change("the call", program=("a * self.weight) + self.bias", "a * self.weight) - self.bias")),
    Change("a type in a class", program=("gain = 2.0", "gain = 3")),
    Change("a text in a class", program=('mode = "plus"', 'mode = "minus"')),
    Change("an attribute that hides a class's", program=("self.bias = 0.5", 'self.bias = 0.5; self.mode = "minus"')),
    Change("an attribute's type", program=("self.bias = 0.5", "self.bias = 4")),
    Change("an attribute's value that decides", program=('self.name = "net"', 'self.name = "other"')),
    Change("an attribute that is an array", program=("self.bias = 0.5", "self.bias = np.full(3, 4.0)")),
    Change("an array of another dtype", program=("0.0, 1.0, 3)", "0.0, 1.0, 3).astype(np.float32)")),
    Change("a descriptor over an attribute", before=_on("Net", "bias", property(lambda self: 8.0, lambda s, v: None))),
    Change("a __getattribute__", before=_on("Net", "__getattribute__", _slow)),
    Change("slots", program=("class Plain:\n", "class Plain:\n    __slots__ = ('x',)\n")),
    Change("another base", program=("class Net(Base):", "class Net(dict, Base):")),
    Change("no base", program=("class Base:\n", "class Root:\n    pass\n\nclass Base(Root):\n")),
    Change("a metaclass", program=("class Plain:", "class Plain(metaclass=type('M', (type,), {})):")),
    Change("a subclass", before=_subclass),
    Change("another class of the same name", before=_same_name),
    Change("a class of another module", before=lambda namespace: namespace.update(Plain=Other)),
    Change("an object for a class", before=lambda namespace: namespace.update(Plain=types.SimpleNamespace(factor=3))),
    Change("a class attribute that is an array", before=_on("Plain", "factor", np.full(3, 2.0))),
    Change("an object of a class's own", before=lambda namespace: namespace.update(NET=namespace["Plain"]())),
)
"""Whether a change is told by the key, at the link or by a guard at the call does not matter here."""


TENSORS = """
import numpy as np
import guardlift as gl

def f(x, y):
    x.add_(1.0)
    return gl.exp(x) * y + 2, x.sum(), y[1:]
"""


class Kind(gl.Tensor):
    """A class of tensors."""


def two_tensors() -> tuple[gl.Tensor, gl.Tensor]:
    """The arguments of the call whose entry is kept."""
    return gl.from_numpy(np.linspace(0.0, 1.0, 12).reshape(4, 3)), gl.from_numpy(
        np.linspace(1.0, 2.0, 12).reshape(4, 3)
    )


def _default_dtype(namespace: Namespace) -> Any:
    @contextmanager
    def other() -> Iterator[None]:
        before = gl.get_default_dtype()
        gl.set_default_dtype(gl.float64)
        try:
            yield
        finally:
            gl.set_default_dtype(before)

    return other()


TENSOR_CHANGES = (
    Change("a history", arguments=lambda: (two_tensors()[0], two_tensors()[1].requires_grad_())),
    Change("a dtype of tensors", arguments=lambda: (two_tensors()[0], two_tensors()[1].to(gl.float32))),
    Change("strides of tensors", arguments=lambda: (two_tensors()[0], two_tensors()[1].reshape(3, 4).T)),
    Change("an array for a tensor", arguments=lambda: (two_tensors()[0], np.full((4, 3), 2.0))),
    Change("one tensor under two names", arguments=lambda: (two_tensors()[0],) * 2),
    Change("a view of the other", arguments=lambda: (lambda x: (x, x[:]))(two_tensors()[0])),
    Change("a function of ours", before=lambda namespace: namespace.update(gl=types.SimpleNamespace(exp=gl.sin))),
    Change("an operator of tensors", around=patched(gl.Tensor, "__mul__", gl.Tensor.__add__)),
    Change("a function that was put there", around=patched(gl, "exp", gl.sin)),
    Change("the default dtype", around=_default_dtype),
)
