"""Start-up beside other compilers: whole processes of one compiled function each, with empty caches and with full ones.

A figure is the median over rounds of the wall time of a process: Python's start, imports, data, the first call, the
exit. In each round, every library takes its turn on every program, first with an empty cache and then with what that
left on disk. JAX keeps every kernel in its persistent cache; torch.compile has a folder of inductor's to itself. They
are found as in `turns.python_of`: GUARDLIFT_BENCH_JAX and GUARDLIFT_BENCH_TORCH name their Pythons.

    python -P benchmarks/start.py [--rounds 5] [chain rows step block]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from timing import Row, options_of, print_columns, print_table, text  # noqa: E402
from turns import python_of  # noqa: E402

PROGRAMS = {
    "chain": "10 operations, 1M float32",
    "rows": "layer norm, 1024 rows of 512",
    "step": "training step, 2 layers",
    "block": "transformer block, forward and backward",
}
SCRIPT = Path(__file__).with_name("start_programs.py")
STATES = ("cold", "warm")
DEAREST = 20
CALL = "import numpy, guardlift as gl; gl.jit(lambda x: numpy.tanh(x) + 1)(numpy.ones(3))"
IMPORT = """
import json, sys, time
start = time.perf_counter()
import numpy
middle = time.perf_counter()
known = set(sys.modules)
import guardlift as gl
end = time.perf_counter()
imported = len(set(sys.modules) - known)
gl.jit(lambda x: numpy.tanh(x) + 1)(numpy.ones(3))
print(json.dumps([middle - start, end - middle, imported, len(set(sys.modules) - known)]))
"""


def environment(folder: str) -> dict[str, str]:
    """The variables of a measured process: one folder for the caches of whichever library it is."""
    rest = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {
        **rest,
        "GUARDLIFT_CACHE_DIR": folder,
        "JAX_COMPILATION_CACHE_DIR": folder,
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "TORCHINDUCTOR_CACHE_DIR": folder,
    }


def output(command: list[str], folder: str) -> str:
    """The output of a process that has to succeed."""
    done = subprocess.run(command, env=environment(folder), text=True, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def pair(python: str, library: str, program: str) -> Iterator[tuple[float, float]]:
    """Seconds and printed number of a process with an empty cache, then of one with what the first one left."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in STATES:
            began = time.perf_counter()
            said = output([python, "-P", str(SCRIPT), library, program], folder)
            yield time.perf_counter() - began, float(said.split()[-1])


def folders(rounds: int) -> list[list[str]]:
    """Of what a first call with full caches imports, the dearest folders and packages: modules, and milliseconds."""
    times: dict[str, list[float]] = {}
    modules: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        output([sys.executable, "-P", "-c", CALL], folder)
        for _ in range(rounds):
            command = [sys.executable, "-P", "-X", "importtime", "-c", CALL]
            said = subprocess.run(command, env=environment(folder), text=True, capture_output=True, check=True).stderr
            found: dict[str, list[int]] = {}
            for line in said.splitlines():
                parts = line.removeprefix("import time:").split("|")
                if len(parts) == 3 and parts[0].strip().isdecimal():
                    path = parts[2].strip().split(".")
                    found.setdefault(".".join(path[: 3 if path[0] == "guardlift" else 1]), []).append(int(parts[0]))
            for name, each in found.items():
                times.setdefault(name, []).append(sum(each) / 1000)
                modules[name] = len(each)
    dearest = sorted(times, key=lambda name: -statistics.median(times[name]))[:DEAREST]
    return [[name, str(modules[name]), f"{statistics.median(times[name]):.1f} ms"] for name in dearest]


def main() -> None:
    """Prints the table of programs, and that of imports and second functions."""
    options = options_of(__doc__, PROGRAMS, rounds=5)
    pythons = {"ours": sys.executable}
    for module in ("jax", "torch"):
        python, why = python_of(module)
        if python is None:
            print(why)
        else:
            pythons[module] = python
    programs = options.names or list(PROGRAMS)
    times: dict[tuple[str, str, str], list[float]] = {}
    ours: dict[str, list[float]] = {state: [] for state in STATES}
    imports = []
    for round_ in range(options.rounds + 1):  # the first compiles bytecode, and fills the system's cache of files
        for program in programs:
            numbers = []
            for library, python in pythons.items():
                if library == "torch" and not round_ and program != programs[0]:
                    continue
                for state, (seconds, number) in zip(STATES, pair(python, library, program), strict=True):
                    numbers.append(number)
                    if round_:
                        times.setdefault((program, library, state), []).append(seconds)
            if max(numbers) - min(numbers) > 1e-3 * abs(numbers[0]):
                raise SystemExit(f"{program}: the libraries differ: {numbers}")
        for state, (_, seconds) in zip(STATES, pair(sys.executable, "ours", "second"), strict=True):
            ours[state].append(seconds)
        with tempfile.TemporaryDirectory() as folder:
            said = [output([sys.executable, "-P", "-c", IMPORT], folder) for _ in STATES]
            imports.append(json.loads(said[-1]))
    heads = [f"{library} {state}" for library in pythons for state in STATES]
    lines = [["", *heads]]
    for program in programs:
        found = [statistics.median(times[program, library, state]) for library in pythons for state in STATES]
        lines.append([PROGRAMS[program], *map(text, found)])
    print_columns(f"whole processes, medians of {options.rounds}", lines)
    print_table("start-up of guardlift", own_rows(ours, imports[1:]))
    print_columns("imports of a first call, the dearest", [["", "modules", "alone"], *folders(options.rounds)])


def own_rows(second: dict[str, list[float]], imports: list[list[float]]) -> list[Row]:
    """The first call of a second function, and what importing and a first call load."""
    cold, warm = (statistics.median(second[state][1:]) for state in STATES)
    numpy, package, modules, all_modules = (statistics.median(column) for column in zip(*imports, strict=True))
    return [
        Row("first call of a second function, empty cache", text(cold), "", "<= 40 ms", cold <= 0.04),
        Row("first call of a second function, full cache", text(warm)),
        Row("import guardlift / import numpy", f"{package / numpy:.2f}x", f"{text(package)} / {text(numpy)}"),
        Row("modules that `import guardlift` loads beyond numpy's", f"{modules:.0f}"),
        Row("the same, and a first call of a function over arrays, full cache", f"{all_modules:.0f}"),
    ]


if __name__ == "__main__":
    main()
