"""The benchmark of what a call costs beside its work: that it measures what its table says, not how long it took."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from repository.tree import ROOT


@pytest.mark.spec("S5.30", "S5.31", "S5.32")
@pytest.mark.slow
def test_the_benchmark_compares_lifted_steps_with_others_of_as_many_graphs() -> None:
    command = [sys.executable, "-P", str(ROOT / "benchmarks" / "guards_ours.py"), "10"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    for way in ("lifted", "fetched"):
        figures = found[way]
        assert figures["entries"] == 1
        assert 0 < figures["plan"] and 0 < figures["kept"] and 0 < figures["fresh"] and 0 < figures["setter"]
    assert set(found["module"]) == {"call", "plan"} and found["plain setter"] > 0
