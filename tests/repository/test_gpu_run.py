"""`make gpu`: what a run without a GPU says, and what becomes of steps that fail, hang, or find something wrong.

`tests/backend/cuda/cases_rehearsal.py` runs it from end to end, on the stand-in for a GPU.
"""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "benchmarks" / "gpu"


@pytest.fixture
def run(monkeypatch):
    """The functions of the program, without its modules left behind."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    before = set(sys.modules)
    yield runpy.run_path(str(RUN / "__main__.py"))
    for name in set(sys.modules) - before:
        if str(RUN) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_without_a_gpu_the_run_says_so_and_does_nothing_else(tmp_path):
    command = [sys.executable, "-P", str(RUN), "machine", "forms", "ncu", "--folder", str(tmp_path)]
    surroundings = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "machine: not done: no GPU can be used" in done.stdout, done.stderr
    steps = {each["name"]: each for each in json.loads((tmp_path / "report.json").read_text())["steps"]}
    assert steps["forms"]["status"] == "left out: machine found something wrong, or was not done"
    assert steps["ncu"]["status"].startswith("left out: machine, forms")
    assert any(each["what"] == "numpy" for each in steps["machine"]["tables"]["machine"])
    assert f"| numpy | {np.__version__} |" in (tmp_path / "report.md").read_text()


STEP = """
import sys, time
sys.path.insert(0, sys.argv[1])
from report import fault, row, say, stop
print("plain words")
say("one | two")
row("times", task="a", ours=1.5)
row("times", task="b", ours=2)
row("times", task="a", other=0.12345678)
how = sys.argv[2]
if how == "fault": fault("3 is not 4")
if how == "stop": stop("nothing to do")
if how == "fail": raise ValueError("in the step")
if how == "hang":
    import subprocess
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    time.sleep(60)
"""


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ("end", "done"),
        ("fault", "wrong in 1 points"),
        ("stop", "not done: nothing to do"),
        ("fail", "ended with status 1"),
        ("hang", "ended after 5 s: no more time"),
    ],
)
def test_a_step_that_ends_in_any_way_is_in_the_report(run, tmp_path, how, status):
    report = run["Report"](tmp_path, "A test")
    mine, other = report.begin("first", "its title"), report.begin("second", "another")
    seconds = 5.0 if how == "hang" else 30.0
    printed = run["run_step"]([sys.executable, "-c", STEP, str(RUN), how], seconds, mine, other, report)
    report.write()
    assert mine.status == status and printed.startswith("plain words\n") and mine.texts[0] == "one | two"
    assert mine.faults == (["3 is not 4"] if how == "fault" else [])
    assert other.tables == {"times": [{"task": "a", "ours": 1.5, "other": 0.12345678}, {"task": "b", "ours": 2}]}
    text = (tmp_path / "report.md").read_text()
    assert "| a | 1.5 | 0.1235 |\n| b | 2 |  |" in text and f"| first | {status} |" in text
    assert ("ValueError: in the step" in text) is (how == "fail")


def test_logs_are_clipped_and_unknown_steps_refused(run):
    clipped = sys.modules["report"].clipped("a" * 50 + "b" * 50, 20)
    assert clipped == "a" * 10 + "\n... 80 characters are left out ...\n" + "b" * 10
    done = subprocess.run([sys.executable, "-P", str(RUN), "benhc"], capture_output=True, text=True)
    assert done.returncode == 2 and "no such step: benhc; steps are machine, " in done.stderr
