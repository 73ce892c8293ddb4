"""The operands that the functions of the surface are asked about, by name, and the lists of them that a line names.

A name stands for numbers, a dtype and a way to lie in memory; both worlds build the same from it. Nothing here imports
PyTorch or guardlift.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

nan, inf = float("nan"), float("inf")
_SPECIAL = [nan, inf, -inf, 0.0, -0.0, 1.0, -2.5]
_WIDE = [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 1e20, 1e-42]
_F = [[0.5, -1.25, 2.0], [-0.75, 1.5, 0.25]]
_G = [[1.5, 0.5, -0.25], [-2.0, 1.5, 3.0]]
_I = [[7, -3, 2], [0, 5, -8]]
_EXTREMES = {"i8": [-128, 127, 0, 1, -1, 2], "i4": [-(2**31), 2**31 - 1, 0, 1, -1, 2]}
_EXTREMES["i8"] = [-(2**63), 2**63 - 1, 0, 1, -1, 2]

ARRAYS: dict[str, tuple[Any, str]] = {
    "f": (_F, "f4"),
    "g": (_G, "f4"),
    "p": (np.abs(_F), "f4"),
    "h": (_F, "f2"),
    "hg": (_G, "f2"),
    "d": (_F, "f8"),
    "dg": (_G, "f8"),
    "s": (_WIDE, "f4"),
    "sd": (_WIDE, "f8"),
    "sx": (np.repeat(_SPECIAL, len(_SPECIAL)), "f4"),
    "sy": (np.tile(_SPECIAL, len(_SPECIAL)), "f4"),
    "i": (_I, "i8"),
    "ig": ([[2, 2, -3], [4, -1, 3]], "i8"),
    "iz": ([[2, 0, -3], [4, -1, 0]], "i8"),
    "j": (_I, "i4"),
    "k": (_I, "i1"),
    "u": ([[0, 255, 1], [2, 128, 7]], "u1"),
    "I": (_EXTREMES["i8"], "i8"),
    "J": (_EXTREMES["i4"], "i4"),
    "b": ([[True, False, True], [False, False, True]], "?"),
    "bg": ([[True, True, False], [False, True, True]], "?"),
    "e": (np.zeros((0, 3)), "f4"),
    "e0": (np.zeros(0), "f4"),
    "r0": (np.zeros((2, 0)), "f4"),
    "ei": (np.zeros(0), "i8"),
    "z": (1.5, "f4"),
    "zd": (-0.5, "f8"),
    "zi": (3, "i8"),
    "zb": (True, "?"),
    "zn": (nan, "f4"),
    "o": ([[0.5, -1.25, 2.0]], "f4"),
    "c": ([[0.5], [-1.5]], "f4"),
    "row": ([1.5, 0.5, -0.25], "f4"),
    "v": ([0.5, -1.25, 2.0, 0.75], "f4"),
    "tie": ([[2.0, 2.0, 1.0], [-1.0, -1.0, -1.0]], "f4"),
    "nan": ([[1.0, nan, 2.0], [-1.0, 0.5, 3.0]], "f4"),
    "nans": ([[nan, nan, nan], [1.0, nan, nan]], "f4"),
    "inf": ([[inf, -inf, 1.0], [inf, inf, 0.0]], "f4"),
    "zeros": ([[0.0, 2.0, 0.0], [0.0, -1.5, 3.0]], "f4"),
    "all0": (np.zeros((2, 3)), "f4"),
    "cube": (np.linspace(-2, 3, 24).reshape(2, 3, 4), "f4"),
    "sq": ([[2.0, -1.0, 0.5], [0.25, 1.5, -0.75], [1.0, 0.5, 3.0]], "f4"),
    "sq2": ([[1.0, 0.5, -0.5], [2.0, -1.5, 0.75], [0.0, 0.25, 1.0]], "f4"),
    "m34": (np.linspace(-1, 2, 12).reshape(3, 4), "f4"),
    "b1": (np.linspace(-1, 1, 12).reshape(2, 2, 3), "f4"),
    "b2": (np.linspace(2, -1, 18).reshape(2, 3, 3), "f4"),
    "unit": ([[0.5, -1.0, 0.25], [1.0, 0.0, -0.75]], "f4"),
    "over1": ([[1.0, 1.25, 2.0], [3.0, 1.5, 9.0]], "f4"),
    "at": ([[0, 2, 1], [1, 0, 2]], "i8"),
    "at0": ([[0, 1, 0]], "i8"),
    "rows": ([1, 0, 1], "i8"),
    "back": ([-1, 0], "i8"),
    "far": ([0, 9], "i8"),
    "cls": ([2, 0], "i8"),
    "places": ([0, 5, 5, 2], "i8"),
    "sorted": ([-1.0, 0.0, 0.5, 2.0], "f4"),
    "count": ([1, 2, 1, 0, 5], "i8"),
    "none": (np.zeros((2, 3)), "?"),
}
LAYOUTS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "t": ("m32", lambda x: x.t()),
    "n": ("m26", lambda x: x[:, ::2]),
    "x": ("o", lambda x: x.expand(2, 3)),
    "x0": ("z", lambda x: x.expand(2, 3)),
    "q": ("cube", lambda x: x.permute(2, 0, 1)),
    "bt": ("b32", lambda x: x.t()),
    "it": ("i32", lambda x: x.t()),
    "vr": ("v8", lambda x: x[::2]),
}
ARRAYS |= {
    "m32": (np.transpose(_F), "f4"),
    "m26": (np.repeat(_F, 2, 1), "f4"),
    "b32": ([[True, False], [False, False], [True, True]], "?"),
    "i32": (np.transpose(_I), "i8"),
    "v8": (np.repeat([0.5, -1.25, 2.0, 0.75], 2), "f4"),
}
HALVES = {"bf": "f", "bg16": "g"}
"""In bfloat16, which NumPy does not have."""

ONE = "f s d h bf i I J u b e0 e z zn zi o t n x q"
LISTS = {
    "one": ONE,
    "unit": ONE.replace("f ", "unit ", 1),
    "over1": ONE.replace("f ", "over1 ", 1),
    "positive": ONE.replace("f ", "p ", 1),
    "two": "f,g sx,sy d,dg f,d h,hg h,f h,bf bf,bg16 i,ig I,ig J,i j,ig k,j u,k b,bg b,f b,i i,f f,row f,c c,row f,z "
    "z,f z,zd f,zd zi,f i,z i,zi zb,i f,2.5 f,2 i,2 i,2.5 b,2 u,-1 h,2.5 2.5,f 2,i s,0.0 s,nan s,1 e,row e,1 e0,z "
    "t,f t,t x,f x,x n,f f,v o,f",
    "integers": "i,ig i,iz I,ig J,ig u,u k,j b,bg b,i i,2 i,0 zi,i i,zi ei,zi f,g it,i i,row",
    "fold": "f d h bf i j u b nan nans inf tie zeros all0 e0 e r0 z zn zi o t n x q cube I",
    "fold_floats": "f d h bf i b nan nans inf tie zeros all0 e0 r0 z zn o t n x q",
    "move": "f i b h cube t n x q z o e nan",
    "matrix": "f cube sq b t x e z v i",
    "square": "sq m34 f i d v b2",
}
"""Lists of operands: names of what is `x`, or of `x,y` and so on; a number stands for itself."""


def cases_of(text: str) -> list[tuple[str, ...]]:
    """The operands of each case: of a list by its name, or of one written out."""
    listed = LISTS.get(text, text)
    return [tuple(each.split(",")) for each in listed.split()]


def build(world: Any, name: str) -> Any:
    """The operand called `name`: a leaf that requires grad if it is of floats; or a Python number."""
    if name in HALVES:
        x = _tensor(world, *ARRAYS[HALVES[name]]).to(world.bfloat16)
    elif name in LAYOUTS:
        base, lay = LAYOUTS[name]
        x = lay(_tensor(world, *ARRAYS[base]))
    elif name in ARRAYS:
        x = _tensor(world, *ARRAYS[name])
    else:
        return float(name) if "." in name or name == "nan" else int(name)
    return x.detach().requires_grad_() if x.is_floating_point() else x


def _tensor(world: Any, values: Any, kind: str) -> Any:
    return world.from_numpy(np.array(values, kind, order="C"))


def coarsest(names: tuple[str, ...]) -> str:
    """The dtype with the fewest digits among those of floats."""
    kinds = {"bfloat16" if name in HALVES else _kind(name) for name in names}
    return next((each for each in ("bfloat16", "float16", "float32") if each in kinds), "float64")


def _kind(name: str) -> str:
    base = LAYOUTS[name][0] if name in LAYOUTS else name
    return str(np.dtype(ARRAYS[base][1])) if base in ARRAYS else "number"
