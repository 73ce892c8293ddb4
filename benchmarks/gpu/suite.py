"""The tests of kernels on a GPU, on several processes, with a limit of memory for each and of time for a test.

Writes suite.jsonl, a line for each event, and suite.log. What ends a process, a test that takes too long or a context
that is lost, is told, and another process goes on with the tests that are left. Words are files of tests, or parts of
names. In a rehearsal it is one file of tests, if no words say otherwise.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import MOST_OF_FREE, Card, options_of  # noqa: E402
from report import advise, clipped, fault, row, say, stop  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CASES = sorted((ROOT / "tests" / "backend" / "cuda").glob("cases_*.py"))
MOST_WORKERS = 12
SECONDS = 60
"""Of one test, but for GPU_TEST_SECONDS; then its process ends, and the test counts as failed."""
LEAST_BYTES = 1 << 30
"""Of the card that a process should have: there are fewer processes where there is less memory."""
MOST_ROUNDS = 12
"""Processes that are begun one after the other: what is lost twelve times is lost in all tests."""
Outcomes = dict[str, list[tuple[str, str]]]
"""By test its events and their texts, in the order in which they were told."""


def main() -> None:
    """Runs the tests and tells what failed."""
    options = options_of(__doc__)
    missing = [name for name in ("pytest", "hypothesis") if importlib.util.find_spec(name) is None]
    if missing:
        stop("packages are missing", f"`pip install --target build/gpu-packages {' '.join(missing)}`")
    workers, limit = shares(options.tiny)
    seconds = os.environ.get("GPU_TEST_SECONDS") or str(SECONDS)
    say(f"{workers} processes, each with {limit >> 20} MiB of the card; {seconds} s a test")
    options.folder.mkdir(parents=True, exist_ok=True)
    outcomes, known = (options.folder / f"suite.{kind}" for kind in ("jsonl", "known"))
    outcomes.write_text("")
    given = {"GUARDLIFT_CUDA_LIMIT": str(limit), "NUMBA_ENABLE_CUDASIM": "0", "PYTHONPATH": searched()}
    given |= {"GPU_TEST_SECONDS": seconds, "GPU_OUTCOMES": str(outcomes), "GPU_KNOWN": str(known)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "outcomes", "-m", ""]
    command += [*(["-n", str(workers)] if workers > 1 else []), *chosen(options.names, options.tiny)]
    log, told = list[str](), set[str]()
    for _ in range(MOST_ROUNDS):
        known.write_text("\n".join(events(outcomes)))
        before = told.copy()
        status, printed = one_round(command, given, outcomes, told)
        log.append(printed)
        (options.folder / "suite.log").write_text(clipped("\n".join(log)))
        ended = {test for test, seen in events(outcomes).items() if is_cut_off(seen)} - before
        for test in sorted(ended):
            fault(f"{test}: {cut_off(events(outcomes)[test], seconds)}")
        told |= ended
        if not ended or (workers > 1 and "maximum crashed workers" not in printed):
            break
    known.unlink()
    stacks = outcomes.with_suffix(".stacks.log")
    if stacks.exists() and not stacks.stat().st_size:
        stacks.unlink()
    tell_counts(events(outcomes))
    say((log[-1].strip().splitlines() or ["pytest printed nothing"])[-1])
    if status and not told:
        fault(f"pytest ended with status {status}: see suite.log")
    if told:
        names = re.sub(r"\[.*", "", min(told)).split("::")
        advise(f'`make gpu GPU="suite {names[-1]}"` runs it alone; what it printed is in suite.log')


def shares(tiny: bool) -> tuple[int, int]:
    """The number of processes, and the bytes of the card that each may take."""
    bytes_of_all = int(Card().memory()[0] * MOST_OF_FREE)
    workers = min(MOST_WORKERS, len(os.sched_getaffinity(0)) - 1, bytes_of_all // LEAST_BYTES)
    if importlib.util.find_spec("xdist") is None or tiny:
        workers = 1
    return max(1, workers), bytes_of_all // max(1, workers)


def searched() -> str:
    """The folders in which packages are found, with this one for the plugin."""
    return os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))


def chosen(words: list[str], tiny: bool) -> list[str]:
    """The arguments of pytest that say which tests run."""
    files = [word for word in words if word.endswith(".py")]
    parts = [word for word in words if word not in files]
    if tiny and not words:
        files = [str(path) for path in CASES if path.stem == "cases_draws"]
    return [*(files or map(str, CASES)), *(["-k", " or ".join(parts)] if parts else [])]


def one_round(command: list[str], given: dict[str, str], outcomes: Path, told: set[str]) -> tuple[int, str]:
    """Runs pytest to its end, tells tests that failed as they fail, and counts; its status, and what it printed."""
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        while True:
            try:
                printed, _ = process.communicate(timeout=1.0)
                break
            except subprocess.TimeoutExpired:
                tell_failures(events(outcomes), told)
    tell_failures(events(outcomes), told)
    return process.returncode, printed


def events(outcomes: Path) -> Outcomes:
    """What is known of each test that has begun."""
    found: Outcomes = {}
    for line in outcomes.read_text().splitlines():
        kind, test, text = json.loads(line)
        found.setdefault(test, []).append((kind, text))
    return found


def tell_failures(known: Outcomes, told: set[str]) -> None:
    """Tells what has failed and was not told, and the counts so far."""
    for test, seen in known.items():
        failure = next((text for kind, text in seen if kind == "failed"), None)
        if failure is not None and test not in told:
            told.add(test)
            fault(f"{test}: {' '.join(failure.split())[:300]}")
    tell_counts(known)


def is_cut_off(seen: list[tuple[str, str]]) -> bool:
    """Whether a test has begun and not come to its end."""
    return seen[-1][0] in ("begun", "lost")


def cut_off(seen: list[tuple[str, str]], seconds: str) -> str:
    """Why a test did not come to its end, in words."""
    kind, text = seen[-1]
    if kind == "lost":
        return f"it, or the test before it, lost the context: {text[:300]}"
    return f"it took more than {seconds} s, or ended its process; suite.stacks.log has where it stood"


def tell_counts(known: Outcomes) -> None:
    """The counts by file; a test that has only begun counts as failed."""
    counts: dict[str, list[int]] = {}
    for test, seen in known.items():
        kinds = {kind for kind, _ in seen}
        place = 0 if kinds <= {"begun", "passed"} and "passed" in kinds else 2 if "skipped" in kinds else 1
        counts.setdefault(Path(test.partition("::")[0]).stem, [0, 0, 0])[1 if "failed" in kinds else place] += 1
    for file, (passed, failed, skipped) in sorted(counts.items()):
        row("suite", file=file, passed=passed, failed=failed, skipped=skipped)


if __name__ == "__main__":
    main()
