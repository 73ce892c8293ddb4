"""Prototypes of C functions as the sizes of their parameters, which is what a call has to agree in."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

PLACES = ("/usr/local/cuda/include/cuda.h", "/usr/include/cuda.h")
SIZES = {"char": 1, "short": 2, "int": 4, "unsigned": 4, "long": 8, "size_t": 8, "float": 4, "enum": 4}
SIZES |= {"uint64_t": 8, "uint32_t": 4}
"""Units: bytes."""


def header() -> Path | None:
    """The toolkit's cuda.h, where there is one."""
    nvcc = shutil.which("nvcc")
    beside = [] if nvcc is None else [Path(nvcc).resolve().parents[1] / "include" / "cuda.h"]
    return next((path for path in (*beside, *map(Path, PLACES)) if path.exists()), None)


def prototypes(text: str) -> dict[str, tuple[int, ...]]:
    """By name, the size of each parameter of the functions `cu...` in preprocessed C. Pointers take 8 bytes."""
    typedefs = {}
    for meaning, name in re.findall(r"\btypedef\s+([^;{}]*?)\b(\w+)\s*;", text):
        typedefs[name] = meaning.strip()
    typedefs |= dict.fromkeys(re.findall(r"\btypedef\s+enum\s+\w*\s*\{[^}]*\}\s*(\w+)\s*;", text), "enum")
    typedefs |= dict.fromkeys(re.findall(r"\btypedef\s+[^;{}]*\(\s*\*\s*(\w+)\)\s*\([^;{}]*\)\s*;", text), "*")
    found = {}
    for name, parameters in re.findall(r"\b(?:CUresult|int)\s+(cu[A-Z]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)", text):
        parts = [part.strip() for part in re.sub(r"\([^()]*\)\s*\([^()]*\)", "*", parameters).split(",")]
        found[name] = tuple(_size(part, typedefs) for part in parts if part not in ("", "void"))
    return found


def _size(declared: str, typedefs: dict[str, str]) -> int:
    """The size of a parameter by its declaration, with or without a name; 0 for a struct."""
    while "*" not in declared and "[" not in declared:
        words = re.findall(r"\w+", declared)
        known = next((word for word in words if word in typedefs), None)
        if known is None:
            plain = [SIZES[word] for word in words if word in SIZES]
            return 8 if 8 in plain else min(plain, default=0)
        declared = typedefs[known]
    return 8


def preprocessed(source: str) -> str:
    """C++ after the preprocessor. Errors: CalledProcessError."""
    done = subprocess.run(["c++", "-E", "-P", "-xc++", "-"], input=source, capture_output=True, text=True, check=True)
    return done.stdout


@cache
def of_the_header() -> dict[str, tuple[int, ...]]:
    """The prototypes of cuda.h; none where there is no such file, or no compiler."""
    found = header()
    return prototypes(preprocessed(f'#include "{found}"\n')) if found and shutil.which("c++") else {}


class Sized:
    """A parameter of so many bytes, as ctypes asks for it. Errors: TypeError for an argument of another size."""

    def __init__(self, name: str, place: int, size: int) -> None:
        self.where, self.size = f"argument {place} of {name}", size

    def from_param(self, given: Any) -> Any:
        """The argument, if it is of a type of C with this size, or stands for a pointer."""
        if given is None or isinstance(given, (ctypes.Array, bytes)) or type(given).__name__ in ("CArgObject", "pyarg"):
            size = 8
        elif isinstance(given, (ctypes._SimpleCData, ctypes._Pointer)):
            size = ctypes.sizeof(given)
        else:
            raise TypeError(f"{self.where} is a {type(given).__name__}, of which C has several sizes")
        if size != self.size:
            raise TypeError(f"{self.where} takes {self.size} bytes and got {size}: {given!r}")
        return ctypes.cast(given, ctypes.c_void_p) if isinstance(given, ctypes.Array) else given


def check_calls(library: ctypes.CDLL) -> None:
    """From now on a call of the library with arguments of other sizes than cuda.h says is ctypes.ArgumentError."""
    for name, sizes in of_the_header().items():
        try:
            function = getattr(library, name)
        except AttributeError:  # which the stand-in does not have
            continue
        function.argtypes = [Sized(name, place, size) for place, size in enumerate(sizes, 1)]
