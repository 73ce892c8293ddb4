"""The tests of kernels on a GPU, on several processes, with a limit of memory for each and of time for a test.

Writes junit.xml and suite.log. In a rehearsal it is one file of tests.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import MOST_OF_FREE, Card, options_of  # noqa: E402
from report import clipped, fault, row, say, stop  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((ROOT / "tests" / "backend" / "cuda").glob("cases_*.py"))
MOST_WORKERS = 12
SECONDS = 60
"""Of one test; then its process ends, and the test counts as failed."""


def main() -> None:
    """Runs the tests and tells what failed."""
    options = options_of(__doc__)
    missing = [name for name in ("pytest", "hypothesis") if importlib.util.find_spec(name) is None]
    if missing:
        stop(f"packages are missing: pip install --target build/gpu-packages {' '.join(missing)}")
    workers = max(1, min(MOST_WORKERS, len(os.sched_getaffinity(0)) - 1))
    if importlib.util.find_spec("xdist") is None or options.tiny:
        workers = 1
    limit = int(Card().memory()[0] * MOST_OF_FREE) // workers
    junit = options.folder / "junit.xml"
    options.folder.mkdir(parents=True, exist_ok=True)
    cases = [path for path in CASES if path.stem == "cases_draws"] if options.tiny else CASES
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "", f"--junitxml={junit}"]
    command += [*(["-n", str(workers)] if workers > 1 else []), *map(str, cases)]
    say(f"{workers} processes, each with {limit >> 20} MiB of the card; {SECONDS} s a test")
    limits = {"GUARDLIFT_CUDA_LIMIT": str(limit), "GUARDLIFT_TEST_SECONDS": str(SECONDS), "NUMBA_ENABLE_CUDASIM": "0"}
    done = subprocess.run(command, cwd=ROOT, env=os.environ | limits, capture_output=True, text=True, errors="replace")
    (options.folder / "suite.log").write_text(clipped(done.stdout + done.stderr))
    say((done.stdout.strip().splitlines() or [done.stderr[-300:]])[-1])
    if junit.exists():
        tell(junit)
    if done.returncode:
        fault(f"pytest ended with status {done.returncode}: see suite.log")


def tell(junit: Path) -> None:
    """The counts by file, and each test that failed."""
    counts: dict[str, list[int]] = {}
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        file = re.sub(r".*\.(cases_\w+).*", r"\1", case.get("classname") or "")
        found = counts.setdefault(file, [0, 0, 0])
        bad = case.find("failure") if case.find("failure") is not None else case.find("error")
        found[1 if bad is not None else 2 if case.find("skipped") is not None else 0] += 1
        if bad is not None:
            fault(f"{file}: {case.get('name')}: {(bad.get('message') or '').strip()[:300]}")
    for file, (passed, failed, skipped) in sorted(counts.items()):
        row("suite", file=file, passed=passed, failed=failed, skipped=skipped)


if __name__ == "__main__":
    main()
