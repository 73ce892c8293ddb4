"""What a call of a jitted function costs: beside its plan's builtin called by hand, and beside plain NumPy."""

from __future__ import annotations

import numpy as np
from timing import Row, alternate, text

import guardlift as gl
from guardlift.frontend import state_of


def scaled(x):
    """One operation on one array."""
    return x * 2.0


def affine(x, a, b):
    """Two operations, two numbers that change."""
    return x * a + b


def smooth(x):
    """NumPy's names have to be looked up and guarded."""
    return np.tanh(x) + np.sqrt(np.abs(x))


def builtin_of(function):
    """The plan that a jitted function calls, and the objects it is given after the arguments, to compare them."""
    state = state_of(function)
    entry = state.entries[0]
    return state.pool.objects[entry.slot], entry.details["compiled"].layout.objects


def call(function, *args):
    """A task that calls `function` with these arguments, held in local variables."""
    names = [f"a{k}" for k in range(len(args))]
    parameters = ", ".join(f"{name}={name}" for name in names)
    return eval(f"lambda f=f, {parameters}: f({', '.join(names)})", {"f": function, **dict(zip(names, args))})


def measure(name: str, plain, *args) -> list[Row]:
    """The rows of one function. The loop's own overhead (an empty call) is taken off both sides."""
    with gl.config.patch(entry_cache=False):  # an entry of an earlier run does not name its plan
        function = gl.jit(plain)
        function(*args)
    plan, objects = builtin_of(function)
    times = alternate(
        {
            "empty": lambda: None,
            "jit": call(function, *args),
            "plan": call(plan, *args, *objects),
            "numpy": call(plain, *args),
        }
    )
    jit, by_hand, numpy = (times[key] - times["empty"] for key in ("jit", "plan", "numpy"))
    return [
        Row(
            f"{name}: jitted / plan by hand",
            f"{jit / by_hand:.2f}x",
            f"{text(jit)} / {text(by_hand)}",
            "<= 2x",
            jit <= 2 * by_hand,
        ),
        Row(f"{name}: jitted / NumPy", f"{jit / numpy:.2f}x", f"{text(jit)} / {text(numpy)}", "< 1x", jit < numpy),
    ]


def rows() -> list[Row]:
    """Call cost on one array of 8 float64."""
    x = np.linspace(-1.0, 1.0, 8)
    return [
        *measure("x * 2.0", scaled, x),
        *measure("x * a + b", affine, x, 0.5, 1.5),
        *measure("tanh(x) + sqrt(abs(x))", smooth, x),
    ]
