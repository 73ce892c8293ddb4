"""A program whose names and values are meant to do harm to whatever shows them."""

import numpy as np

import guardlift as gl

NAMES = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "\x1b[31mred\x1b[0m",
    "two\nlines",
    "lone \ud800 one",
    "\u2028\u202egnp.exe",
    "__proto__",
    "constructor",
    "{{ 7 * 7 }}{% raw %}",
    "long" * 1000,
)


class Loud:
    """A value whose `repr` is a text."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


class Broken:
    """A value whose `repr` raises."""

    def __repr__(self):
        raise ValueError("no words")


def named(name):
    def scaled(x, key):
        return x * 2.0 + len(key)

    scaled.__name__ = scaled.__qualname__ = name
    return gl.jit(scaled)


@gl.jit
def compared(x, value):
    if value == 3:
        return x
    return x + 1.0


for name in NAMES:
    function = named(name)
    function(np.ones(3), "<img src=x onerror=alert(3)>")
    function(np.ones(3), "\x1b[2J\ud800\n</script><script>alert(4)</script>" * 9)

for value in (Loud("<script>alert(5)</script>"), Loud("y" * 10_000_000), Broken(), "z" * 10_000_000, 3):
    compared(np.ones(2), value)
