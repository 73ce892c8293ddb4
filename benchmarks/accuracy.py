"""The accuracy of the functions of one operand that kernels compute by themselves; writes docs/accuracy.md.

Of float32, every one of the 2**32 operands is compared with the same function in float64; of float64, random ones with
the same in long double. NumPy's own float32 and float64 functions go the same way, where it has them. A distance is in
units of the last place of the exact result; 0.5 is correct rounding.

    python -P benchmarks/accuracy.py                  all functions, in two processes; writes the page (15 minutes)
    python -P benchmarks/accuracy.py exp log          some of them; prints the table alone
    python -P benchmarks/accuracy.py --every 64 exp   each 64th float32
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # -P leaves this folder out

import math_accuracy  # noqa: E402
import numpy as np  # noqa: E402
from math_accuracy import (  # noqa: E402
    BINARY,
    CHUNK,
    NAMES,
    Worst,
    double_arguments,
    double_distances,
    own_loop,
    single_distances,
)

PAGE = Path(__file__).resolve().parent.parent / "docs" / "accuracy.md"
ROUNDED = ("sqrt", "square", "reciprocal")
"""Functions of one instruction each, which the processor rounds correctly: listed, so that the page shows it."""
FUNCTIONS = (*(name for name in NAMES if name not in BINARY), *ROUNDED)
SAMPLES = {"erf": 2_000_000}
MOST_SAMPLES = 20_000_000


def reference(name: str) -> Callable[..., np.ndarray]:
    """The function in the precision of its operands."""
    return getattr(np, name) if name in ROUNDED else math_accuracy.reference(name)


def numpys(name: str) -> Callable[..., np.ndarray] | None:
    """NumPy's own function; None where it has none."""
    return getattr(np, name, None)


def single(name: str, every: int) -> tuple[Worst, Worst]:
    """The worst of ours and of NumPy's over each `every`-th float32, by its bits."""
    loop, exact_of, measure, other = own_loop(name, "f32"), reference(name), single_distances(), numpys(name)
    found, distances, ours, theirs = np.empty(CHUNK, np.float32), np.empty(CHUNK), Worst(), Worst()
    for start in range(0, 1 << 32, CHUNK * every):
        x = np.arange(start, start + CHUNK * every, every, dtype=np.uint64).astype(np.uint32).view(np.float32)
        exact = np.asarray(exact_of(x.astype(np.float64)), np.float64)
        loop(x, found)
        measure(found, exact, distances)
        ours.meet(distances, found, exact, x)
        if other is not None:
            result = other(x)
            measure(result, exact, distances)
            theirs.meet(distances, result, exact, x)
    return ours, theirs


def double(name: str) -> tuple[Worst, Worst]:
    """The worst of ours and of NumPy's over random float64s."""
    loop, other, ours, theirs = own_loop(name, "f64"), numpys(name), Worst(), Worst()
    for x in _doubles(name):
        exact = np.asarray(_erf(x) if name == "erf" else reference(name)(x.astype(np.longdouble)))
        found = np.empty_like(x)
        loop(x, found)
        ours.meet(double_distances(found, exact), found, exact, x)
        if other is not None:
            result = other(x)
            theirs.meet(double_distances(result, exact), result, exact, x)
    return ours, theirs


def _doubles(name: str) -> Iterator[np.ndarray]:
    left = SAMPLES.get(name, MOST_SAMPLES)
    for x in double_arguments(name, np.random.default_rng(0)):
        yield x
        left -= x.size
        if left <= 0:
            return


_WHOLE = 6.5
"""From here on the error function is 1 to more than the digits of long double that count."""
_TERMS = 300


def _erf(x: np.ndarray) -> np.ndarray:
    """The error function of float64s in long double: 2x/sqrt(pi) * e**-x**2 * sum of (2x**2)**n / (1*3*...*(2n+1)).

    No term is negative, so that nothing is lost. Source: Abramowitz and Stegun, 7.1.6.
    """
    wide = np.clip(x, -_WHOLE, _WHOLE).astype(np.longdouble)
    square = wide * wide
    term, total = np.ones_like(wide), np.ones_like(wide)
    for n in range(1, _TERMS):
        term *= 2 * square / (2 * n + 1)
        total += term
    root = np.sqrt(np.longdouble("3.14159265358979323846264338327950288"))
    return np.where(np.abs(x) >= _WHOLE, np.sign(x), 2 * wide / root * np.exp(-square) * total)


def row(given: tuple[str, int]) -> list[str]:
    """The cells of a function's line."""
    name, every = given
    np.seterr(all="ignore")
    (ours, theirs), (ours_double, theirs_double) = single(name, every), double(name)
    has = numpys(name) is not None
    at = ours.where.partition(" -> ")[0]
    cells = [_ulp(ours), at, _ulp(theirs) if has else "–", _ulp(ours_double), _ulp(theirs_double) if has else "–"]
    print(f"{name:10} {'  '.join(cells)}", flush=True)
    return [name, "all" if every == 1 else f"1 in {every}", *cells]


def _ulp(worst: Worst) -> str:
    """The distance, rounded up, so that it is a bound of what was met."""
    return f"{math.ceil(worst.distance * 1000) / 1000:.3f}" if math.isfinite(worst.distance) else "inf"


def page(rows: list[list[str]]) -> str:
    """The text of docs/accuracy.md."""
    return "\n".join(
        [
            "# Accuracy",
            "",
            "<!-- fmt: off -->",
            "",
            "The distance of results of compiled functions from the exact ones, in units of the last place (ulp) of",
            "the exact result; 0.5 is correct rounding. Written by `make accuracy`.",
            "",
            "- float32: the largest distance over all 2^32 operands, subnormal numbers among them, or over as many as",
            "  the table says; and an operand at which it is met.",
            f"- float64: the largest of {MOST_SAMPLES // 10**6} million random operands of every magnitude"
            f" ({SAMPLES['erf'] // 10**6} million of `erf`): not a bound.",
            f"- NumPy: the same of NumPy {np.__version__}'s own functions on the same machine ({_processor()}).",
            "  They depend on the processor.",
            "",
            "Kernels compute these functions by arithmetic of their own, whatever NumPy is installed. `floor`,",
            "`absolute`, `maximum`, `+`, comparisons and the like are exact or correctly rounded; functions of two",
            "operands that are not (`power`, `hypot`, `arctan2`) are not in the table. float16 and bfloat16 are",
            "computed in float32, and rounded once more.",
            "",
            "| | operands | float32 | at | NumPy | float64 | NumPy |",
            "|---|---|---|---|---|---|---|",
            *(f"| `{name}` | {' | '.join(cells)} |" for name, *cells in rows),
            "",
        ]
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def main() -> None:
    """Prints a line for each function as it is done, and writes the page where all were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {' '.join(FUNCTIONS)}")
    parser.add_argument("--every", type=int, default=1, help="each so many-th float32 alone, a power of two")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in FUNCTIONS]
    if unknown:
        parser.error(f"no such function: {', '.join(unknown)}")
    tasks = [(name, options.every) for name in options.names or FUNCTIONS]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        rows = pool.map(row, tasks, chunksize=1)
    if not options.names:
        PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
