"""The benchmark of what checks in native loops cost: that it finds them and drops them, not what they took."""

from __future__ import annotations

import subprocess
import sys

import pytest
from repository.tree import ROOT


@pytest.mark.slow
def test_the_benchmark_finds_the_checks_of_a_program() -> None:
    command = [sys.executable, "-P", str(ROOT / "benchmarks" / "checks.py"), "--rounds", "1", "knapsack"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    (row,) = [line.split() for line in done.stdout.splitlines() if line.strip().startswith("knapsack")]
    assert int(row[1]) > 0
