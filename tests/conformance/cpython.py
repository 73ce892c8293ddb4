"""CPython's own test modules, run plainly and with every test's function jitted; what differs is a bug of guardlift.

    python tests/conformance/cpython.py              every module; writes results/3.x.json and docs/conformance.md
    python tests/conformance/cpython.py bool dict    these modules, printed only
    python tests/conformance/cpython.py --update x   this module anew in what was written before

Each module runs in processes of its own (see worker.py), every test twice, so that entries and guards are used too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
EXCLUSIONS = HERE / "exclusions.txt"
RESULTS = HERE / "results"
LIMIT = 600
"""Seconds that one process may take."""
RESTARTS = 5
"""The number of times that a module goes on behind a test that ended its process."""

MODULES = (
    "bool int math cmath hash unary fractions string fstring userstring reprlib textwrap list dict deque collections "
    "userlist heapq dictviews iter itertools enumerate dictcomps listcomps raise with exception_variations except_star "
    "scope grammar keywordonlyarg augassign call patma functools operator binop isinstance class property dataclasses "
    "abc graphlib"
).split()

Test = dict[str, Any]


@dataclass
class Result:
    """The outcome of one module. `differences` are the tests with another outcome: test, plainly, jitted."""

    module: str
    tests: int = 0
    same: int = 0
    whole: int = 0
    executed: int = 0
    internal: int = 0
    differences: list[tuple[str, str, str]] = field(default_factory=list)
    breaks: Counter[str] = field(default_factory=Counter)

    @property
    def clean(self) -> bool:
        return not self.differences and not self.internal


def run_mode(module: str, mode: str) -> dict[str, Test]:
    """Every test of a module and what its calls gave; a test that ended its process has a `crash` instead."""
    tests: dict[str, Test] = {}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "lines"
        for _ in range(RESTARTS + 1):
            ended = _run_worker(module, mode, output, folder)
            lines = _lines(output)
            tests |= {line["test"]: line for line in lines if not line.get("begin") and line["test"]}
            if lines and lines[-1].get("end"):
                return tests
            begun = [line["test"] for line in lines if line["test"] not in tests]
            if not begun:
                break
            tests[begun[-1]] = {"crash": ended}
    return tests | {f"(module {module})": {"crash": ended}}


def _lines(output: Path) -> list[Any]:
    text = output.read_text(encoding="utf-8") if output.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def _run_worker(module: str, mode: str, output: Path, folder: str) -> str:
    """The end of the process, in words."""
    command = [sys.executable, "-P", str(HERE / "worker.py"), module, mode, str(output), str(EXCLUSIONS)]
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    try:
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"took more than {LIMIT} s"
    last = (ran.stderr.strip().splitlines() or [""])[-1]
    return f"ended with status {ran.returncode}: {last}"


def compare(module: str) -> Result:
    """The outcome of a module, run both ways."""
    if importlib.util.find_spec(f"test.test_{module}") is None:
        return Result(module)
    plain, traced = run_mode(module, "plain"), run_mode(module, "traced")
    result = Result(module)
    for test in dict.fromkeys([*plain, *traced]):
        one, two = plain.get(test, {"calls": []}), traced.get(test, {"calls": []})
        if one.get("calls") and all(call[0][0] == "skip" for call in one["calls"]):
            continue
        result.tests += 1
        result.breaks.update(set(two.get("breaks", ())))
        result.internal += any(each.startswith("B900") for each in two.get("breaks", ()))
        result.executed += bool(two.get("executed"))
        if one.get("calls") == two.get("calls") and "crash" not in two:
            result.same += 1
            result.whole += bool(two.get("whole"))
        else:
            result.differences.append((test, _shown(one, two), _shown(two, one)))
    return result


def _shown(test: Test, other: Test) -> str:
    """The first call's outcome that differs from the other run's, as one line."""
    if "crash" in test:
        return str(test["crash"])
    pairs = zip(test["calls"], other.get("calls", []) or [None] * 2, strict=False)
    number, call = next(((k, one) for k, (one, two) in enumerate(pairs, 1) if one != two), (0, []))
    return f"call {number}: " + "; ".join(" ".join(filter(None, each)) for each in call)[:300]


def main(names: list[str]) -> int:
    """Run modules, two at a time; all of them when none is named, and then the page is written."""
    version = f"3.{sys.version_info.minor}"
    update, names = "--update" in names, [name for name in names if name != "--update"]
    print(f"CPython {version}")
    with ThreadPoolExecutor(2) as pool:
        results = []
        for result in pool.map(compare, names or MODULES):
            results.append(result)
            _print(result, detailed=bool(names))
    if update or not names:
        _write(RESULTS / f"{version}.json", results, update=update)
    tests, same, whole = (sum(getattr(each, key) for each in results) for key in ("tests", "same", "whole"))
    print(f"{tests} tests, {same} with the same outcome, {whole} traced whole")
    return 0 if all(each.clean for each in results) else 1


def _write(path: Path, results: list[Result], *, update: bool) -> None:
    listed = [asdict(each) | {"breaks": each.breaks.most_common(5)} for each in results]
    if update:
        fresh = {each["module"]: each for each in listed}
        before = json.loads(path.read_text(encoding="utf-8"))["modules"]
        listed = [fresh.get(each["module"], each) for each in before]
    path.parent.mkdir(exist_ok=True)
    text = json.dumps({"python": sys.version.split()[0], "modules": listed}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    from page import write_page

    write_page()


def _print(result: Result, *, detailed: bool) -> None:
    word = "clean" if result.clean else "NOT CLEAN"
    print(f"{result.module:22} {result.tests:4} tests {result.same:4} same {result.whole:4} whole  {word}", flush=True)
    for test, plain, traced in result.differences:
        print(f"    {test}\n        plainly: {plain}\n        jitted:  {traced}")
    for text, count in result.breaks.most_common(12 if detailed else 0):
        print(f"    {count:4} {text}")
    if result.internal and not detailed:
        for text in (each for each in result.breaks if each.startswith("B900")):
            print(f"    {text}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
