"""Accuracy and speed of the transcendental functions that kernels call.

    python -P benchmarks/math_accuracy.py single exp log     every float32, against NumPy in float64 (half a minute)
    python -P benchmarks/math_accuracy.py double exp log     random float64s, against NumPy in long double
    python -P benchmarks/math_accuracy.py speed              ns per element beside NumPy's, on blocks that fit the cache

Without names, all functions. The distance is in units of the last place of the exact result; 0.5 is correct rounding.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import njit, types

from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.compiler.numba_functions import numba_function

UFUNCS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in (
        "exp exp2 expm1 log log1p log2 log10 tanh sinh cosh sin cos tan arctan arcsin arccos cbrt"
        " arctan2 power hypot remainder fmod floor_divide"
    ).split()
}
EXACT = ("remainder", "fmod", "floor_divide")
BINARY = ("arctan2", "power", "hypot", *EXACT)
NAMES = (*UFUNCS, "erf", "sigmoid")
CHUNK = 1 << 20
BLOCK = 4096
FLOATS = {"f32": (types.float32, np.float32), "f64": (types.float64, np.float64)}


@dataclass
class Worst:
    """The largest distance met, and where."""

    distance: float = 0.0
    where: str = ""

    def meet(self, distances: np.ndarray, found: np.ndarray, exact: np.ndarray, *operands: np.ndarray) -> None:
        """Takes in a chunk."""
        index = int(np.argmax(distances))
        if distances[index] > self.distance:
            self.distance = float(distances[index])
            at = ", ".join(repr(operand[index].item()) for operand in operands)
            self.where = f"{at} -> {found[index].item()!r}, exactly {exact[index]}"


@cache
def erf_loop() -> Callable[[np.ndarray], np.ndarray]:
    """The C library's erf over an array of float64."""

    def loop(x: Any, out: Any) -> None:
        for i in range(x.size):
            out[i] = math.erf(x[i])

    array = types.float64[::1]
    compiled = njit(types.void(array, array))(loop)

    def erf(x: np.ndarray) -> np.ndarray:
        out = np.empty(x.shape)
        compiled(x.astype(np.float64), out)
        return out

    return erf


def reference(name: str) -> Callable[..., np.ndarray]:
    """The function in the precision of its operands."""
    if name == "erf":
        return erf_loop()
    if name == "sigmoid":
        return lambda x: 1 / (1 + np.exp(-x))
    return UFUNCS[name]


def own_loop(name: str, code: str) -> Callable[..., None]:
    """Our function over contiguous arrays, the last of which takes the result: as a kernel."""
    operands = "ab"[: 2 if name in BINARY else 1]
    lines = [f"{each} = pointer_{code}(addresses[{k}])" for k, each in enumerate((*operands, "made"))]
    indexed = ", ".join(f"{operand}[i]" for operand in operands)
    body = "\n".join(f"    {line}" for line in lines)
    text = (
        f"def kernel(addresses, sizes, start, stop):\n{body}\n"
        f"    for i in range(start, stop):\n        made[i] = {name}_{code}({indexed})\n    return 0\n"
    )
    kernel = get_kernel(text)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)(kernel.address)

    def loop(*arrays: np.ndarray) -> None:
        addresses = np.array([each.ctypes.data for each in arrays])
        call(addresses.ctypes.data, addresses.ctypes.data, 0, arrays[-1].size)

    return loop


@cache
def single_distances() -> Callable[[np.ndarray, np.ndarray, np.ndarray], None]:
    """A compiled loop: the distance of each float32 from the float64 that is all but exact."""
    bits_of, float_of = (numba_function(n) for n in ("bits_f32_i32", "bits_i32_f32"))
    largest = np.float32(np.finfo(np.float32).max)

    def loop(found: Any, exact: Any, out: Any) -> None:
        for i in range(found.size):
            rounded = np.float32(exact[i])
            if not np.isfinite(found[i]) or not np.isfinite(rounded):
                same = found[i] == rounded or (found[i] != found[i] and rounded != rounded)
                out[i] = 0.0 if same else np.inf
            else:
                size = min(abs(rounded), largest)
                below_next = size if size < largest else float_of(bits_of(largest) - 1)
                spacing = np.float64(float_of(bits_of(below_next) + 1)) - np.float64(below_next)
                out[i] = abs(np.float64(found[i]) - exact[i]) / spacing

    singles, doubles = types.float32[::1], types.float64[::1]
    return njit(types.void(singles, doubles, doubles), error_model="numpy")(loop)  # type: ignore[no-any-return]


def check_single(name: str) -> Worst:
    """The worst of all 2**32 float32 values."""
    loop, exact_of, measure, worst = own_loop(name, "f32"), reference(name), single_distances(), Worst()
    found, distances = np.empty(CHUNK, np.float32), np.empty(CHUNK)
    for start in range(0, 1 << 32, CHUNK):
        x = np.arange(start, start + CHUNK, dtype=np.uint32).view(np.float32)
        loop(x, found)
        exact = np.asarray(exact_of(x.astype(np.float64)), np.float64)
        measure(found, exact, distances)
        worst.meet(distances, found, exact, x)
    return worst


def double_arguments(name: str, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Random operands without end: bits, every magnitude, and the ranges where results are neither 0 nor inf."""
    count = CHUNK // 4
    while True:
        sign = rng.choice([-1.0, 1.0], count)
        yield np.concatenate(
            [
                rng.integers(0, 2**64, count // 4, dtype=np.uint64).view(np.float64),
                sign * 2.0 ** rng.uniform(-60, 10, count),
                sign * rng.uniform(0, 2, count),
                sign * rng.uniform(0, 40, count),
                sign[: count // 2] * rng.uniform(0, 750, count // 2),
                1 + rng.normal(0, 1e-3, count // 4),
            ]
        )


def double_distances(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The distance of each float64 from the long double that is all but exact."""
    rounded = exact.astype(np.float64)
    size = np.minimum(np.abs(rounded), np.nextafter(np.finfo(np.float64).max, 0))
    distances = (np.abs(found - exact) / np.spacing(size)).astype(np.float64)
    same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
    return np.where(np.isfinite(found) & np.isfinite(rounded), distances, np.where(same, 0.0, np.inf))


def check_double(name: str, count: int) -> Worst:
    """The worst of `count` random float64s, or pairs."""
    loop, exact_of, worst = own_loop(name, "f64"), reference(name), Worst()
    rng = np.random.default_rng(0)
    for first, second in zip(double_arguments(name, rng), double_arguments(name, rng)):
        operands = (first, rng.permutation(second)) if name in BINARY else (first,)
        found = np.empty_like(first)
        loop(*operands, found)
        exact = exact_of(*[operand.astype(np.longdouble) for operand in operands])
        worst.meet(double_distances(found, exact), found, exact, *operands)
        count -= first.size
        if count <= 0:
            return worst
    raise AssertionError("the operands never end")


def seconds_per_element(call: Callable[[], object]) -> float:
    """The best of several runs over a million elements, block by block."""
    best = math.inf
    for _ in range(7):
        start = time.perf_counter()
        for _ in range((1 << 20) // BLOCK):
            call()
        best = min(best, time.perf_counter() - start)
    return best / (1 << 20)


def speed(name: str, code: str) -> tuple[float, float]:
    """Nanoseconds per element: ours, and NumPy's."""
    _, scalar_type = FLOATS[code]
    rng = np.random.default_rng(0)
    low = -1.0 if name in ("arcsin", "arccos") else 0.01 if name.startswith("log") or name in BINARY else -3.0
    operands = [
        rng.uniform(low, 1.0 if low == -1.0 else 3.0, BLOCK).astype(scalar_type) for _ in range(1 + (name in BINARY))
    ]
    out = np.empty(BLOCK, scalar_type)
    loop = own_loop(name, code)
    ours = seconds_per_element(lambda: loop(*operands, out))
    function = reference(name)
    if isinstance(function, np.ufunc):
        theirs = seconds_per_element(lambda: function(*operands, out=out))
    else:
        theirs = seconds_per_element(lambda: function(*operands))
    return ours * 1e9, theirs * 1e9


def main() -> None:
    """Prints one line a function."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["single", "double", "speed"])
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {' '.join(NAMES)}")
    parser.add_argument("--count", type=int, default=50_000_000, help="how many random float64s")
    options = parser.parse_intermixed_args()
    np.seterr(all="ignore")
    for name in options.names or NAMES:
        if options.what == "speed":
            for code in FLOATS:
                ours, theirs = speed(name, code)
                print(
                    f"{name + '_' + code:18} {ours:6.2f} ns  NumPy {theirs:6.2f} ns  {theirs / ours:5.1f} times",
                    flush=True,
                )
        elif options.what == "single" and name not in BINARY:
            worst = check_single(name)
            print(f"{name + '_f32':12} {worst.distance:.3f} ulp at {worst.where}", flush=True)
        elif options.what == "double" and name not in EXACT:
            worst = check_double(name, options.count)
            print(f"{name + '_f64':12} {worst.distance:.3f} ulp at {worst.where}", flush=True)


if __name__ == "__main__":
    main()
