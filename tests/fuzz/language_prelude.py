"""The beginning of every random program: the functions, classes, context managers and globals that it uses."""

from __future__ import annotations

PRELUDE = """\
import contextlib
import functools
import io
import itertools
import math
import operator
import sys
import warnings

import numpy as np

LOG = []
OUT = io.StringIO()
push = LOG.append


def note(*values):
    LOG.append(values)


def look():
    caller = sys._getframe(1)
    note(caller.f_lineno, caller.f_code.co_name, caller.f_back.f_code.co_name)


class Oops(Exception):
    def __init__(self, code):
        super().__init__("oops", code)
        self.code = code


class Base:
    level = 1

    @classmethod
    def made(cls, n):
        return cls(n, np.ones(3))

    def __getattr__(self, name):
        if name == "fallback":
            return 7
        raise AttributeError(name)


class C(Base):
    w = 0.5

    def __init__(self, n, a):
        self.n, self.a, self.items = n, a, [n]

    def __repr__(self):
        return type(self).__name__

    def bump(self, k):
        self.n += k
        return self.n

    def scaled(self, x):
        return x * self.n

    @property
    def double(self):
        return self.n * 2

    @double.setter
    def double(self, value):
        self.n = value

    @staticmethod
    def plus(p, q):
        return p + q

    def __call__(self, x):
        return x + self.level

    def __add__(self, other):
        return self.a + other

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k % len(self.items)]

    def __setitem__(self, k, value):
        self.items[k % len(self.items)] = value

    def __iter__(self):
        yield from self.items


class Sub(C):
    def bump(self, k):
        return super().bump(k + 1)

    def __eq__(self, other):
        return isinstance(other, C) and self.n == other.n


class Guard:
    def __init__(self, k):
        self.k = k

    def __enter__(self):
        note("enter", self.k)
        return self

    def __exit__(self, kind, error, trace):
        note("exit", kind and kind.__name__)
        return kind is not None and issubclass(kind, ValueError)


@contextlib.contextmanager
def managed(k):
    note("in", k)
    try:
        yield k + 1
    finally:
        note("out", k)


def helper(p, *rest, k=2, **more):
    return p + k * len(rest) + sum(more.values())


def risky(p):
    if p > 1:
        raise Oops(p)
    return p + 1


def apply(function, value):
    return function(value)


def doubled(x):
    return x * 2


def blend(x, y, weight=0.5):
    return x * weight + y


def adder(k):
    def add(q):
        return q + k

    return add


def counting():
    seen = 0

    def count():
        nonlocal seen
        seen += 1
        return seen

    return count


counter = counting()


def remember(value, into=[]):
    into.append(value)
    return len(into)


def gen(n):
    for k in range(n):
        yield k * 2


def relay(values):
    count = yield from values
    return count


G_I = 3
G_L = [1, 2]
G_D = {"a": 1, "b": 2}
G_A = np.array([1.0, -2.0, 0.5])
G_O = C(2, G_A)
"""
