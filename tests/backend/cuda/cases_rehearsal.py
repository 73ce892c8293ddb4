"""`make gpu` from end to end at tiny sizes. `make ptx-run` runs this file, on the stand-in for the driver alone."""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[3] / "benchmarks" / "gpu"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("STAND_IN_SEED" not in os.environ, reason="on a GPU `make gpu` runs this file with others"),
]
TOOL = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do
    case $1 in --tool|--print-limit|--clock-control|--kernel-name|--launch-count|--section) shift ;; esac
    shift
done
"$@" || exit 1
echo "========= ERROR SUMMARY: 0 errors"
"""
"""Runs the program that it is given, as compute-sanitizer and ncu do."""


def rehearse(folder, *steps, **variables):
    surroundings = os.environ | {"STAND_IN_RACE": "0", "NUMBA_ENABLE_CUDASIM": "0"} | variables
    command = [sys.executable, "-P", str(RUN), *steps, "--rehearse", "--folder", str(folder)]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True)
    report = json.loads((folder / "report.json").read_text())
    return done, {each["name"]: each for each in report["steps"]}


def test_every_step_runs_and_tells(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("compute-sanitizer", "ncu"):
        (tools / name).write_text(TOOL)
        (tools / name).chmod(0o755)
    folder = tmp_path / "report"
    done, steps = rehearse(folder, PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert {name: each["status"] for name, each in steps.items()} == dict.fromkeys(steps, "done"), done.stdout
    assert done.returncode == 0 and len(steps) == 8
    assert {each["found"] for each in steps["sanitizer"]["tables"]["sanitizer"]} == {"0 errors"}
    assert all(float(each["ours ms"]) > 0 for each in steps["bench"]["tables"]["times"])
    assert not any("computed by the host" in text for each in steps.values() for text in each["texts"])
    files = list(folder.iterdir())
    text = (folder / "report.md").read_text()
    assert "Tests: 0 passed" not in text and "| softmax |" in text.partition("## Steps")[0]
    assert len(files) <= 8 and sum(path.stat().st_size for path in files) < 16 << 20


DRAWS = Path(__file__).with_name("cases_draws.py")
PACKED = """
import sys
sys.modules["nvidia"] = None
from guardlift.backend.cuda.compiler import toolkit
toolkit._system_folders = lambda: ()
"""
"""Has no package or toolkit of NVIDIA's be found."""


@pytest.mark.parametrize("names", [["forms", "bench", "softmax"], ["suite", str(DRAWS)]], ids=["forms", "suite"])
def test_a_pack_has_the_code_of_all_that_is_run(tmp_path, names):
    pack, there = tmp_path / "pack.tar.xz", tmp_path / "there"
    surroundings = os.environ | {"STAND_IN_RACE": "0", "NUMBA_ENABLE_CUDASIM": "0"}
    command = [sys.executable, "-P", str(RUN / "pack.py"), *names, "--tiny", "--stand-in"]
    done = subprocess.run([*command, "--file", str(pack)], env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0 and "tar xf pack.tar.xz && make gpu" in done.stdout, done.stdout + done.stderr
    assert pack.stat().st_size < 2 << 20
    with tarfile.open(pack) as archive:
        archive.extractall(there, filter="data")
    kernels = there / "build" / "gpu-kernels"
    kernels.chmod(0o700)
    assert len(list(kernels.glob("*.cubin"))) > 4
    (tmp_path / "sitecustomize.py").write_text(PACKED)
    places = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    places = {"PYTHONPATH": places, "GUARDLIFT_CACHE_DIR": str(kernels), "GUARDLIFT_TEST_KERNELS": str(kernels)}
    done, steps = rehearse(tmp_path / "report", *names, **places)
    assert done.returncode == 0, (done.stdout, steps)


BROKEN = """
from guardlift.backend.cuda.compiler import device_code
before = device_code.device_image
device_code.device_image = lambda text, *rest, **named: before(text.replace({old!r}, {new!r}), *rest, **named)
"""


@pytest.mark.parametrize(
    ("form", "old", "new", "told"),
    [
        ("odd length", "1.5", "1.6", "result 0 is wrong at"),
        ("whole blocks", "i0 < extent:", "i0 < extent + 3:", "bytes were written behind a block of 262144"),
    ],
    ids=["a wrong kernel", "a store beside the block"],
)
def test_forms_that_are_wrong_are_told_and_nothing_is_measured(tmp_path, form, old, new, told):
    (tmp_path / "sitecustomize.py").write_text(BROKEN.format(old=old, new=new))
    places = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    done, steps = rehearse(tmp_path / "report", "forms", "bench", form, PYTHONPATH=places)
    assert done.returncode == 1 and steps["forms"]["status"] == "wrong in 1 points", (done.stdout, steps)
    assert told in steps["forms"]["faults"][0] and steps["bench"]["status"].startswith("left out: forms found")


REFUSED = {"STAND_IN_VERSION": "12000", "STAND_IN_FAIL": "cuModuleLoadData:1:222"}


@pytest.mark.parametrize(
    ("variables", "reason", "remedy"),
    [
        ({"LD_LIBRARY_PATH": ""}, "there is no driver", "install NVIDIA's driver"),
        ({"STAND_IN_FAIL": "cuInit:1:100"}, "no GPU can be used", "CUDA_VISIBLE_DEVICES"),
        (
            {"STAND_IN_VERSION": "12000", "STAND_IN_FAIL": "cuModuleLoadData:1:222"},
            "a kernel cannot be run",
            "a newer driver",
        ),
        ({"STAND_IN_MEMORY": str(1 << 29)}, "somebody else uses it", "choose another GPU"),
    ],
    ids=["no driver", "no GPU", "an old driver", "a GPU in use"],
)
def test_a_machine_that_can_run_nothing_is_told_with_what_would_help(tmp_path, variables, reason, remedy):
    done, steps = rehearse(tmp_path, "machine", "forms", GUARDLIFT_CACHE_DIR=str(tmp_path / "cache"), **variables)
    assert done.returncode == 1 and reason in steps["machine"]["status"], steps
    assert steps["forms"]["status"].startswith("left out: machine")
    first_page = (tmp_path / "report.md").read_text().partition("## Steps")[0]
    assert reason in first_page and remedy in first_page.partition("What to do next")[2]


ENDING = """
import time
import guardlift as gl

def test_before():
    assert gl.ones(3, device="cuda").sum().item() == 3

def test_that_fails():
    assert gl.ones(3, device="cuda").sum().item() == 4

def test_that_hangs():
    time.sleep(1e4)

def test_that_loses_the_context():
    import ctypes
    ctypes.CDLL("libcuda.so.1").stand_in_set(b"fail", b"cuLaunchKernel:1:700,cuGraphLaunch:1:700")
    gl.ones(3, device="cuda").sum().item()

def test_after():
    assert gl.ones(3, device="cuda").sum().item() == 3
"""


def test_what_ends_a_process_of_the_suite_is_told_and_the_tests_behind_it_run(tmp_path):
    file = tmp_path / "cases_ending.py"
    file.write_text(ENDING)
    done, steps = rehearse(tmp_path / "report", "suite", str(file), GPU_TEST_SECONDS="5")
    assert done.returncode == 1 and steps["suite"]["tables"]["suite"] == [
        {"file": "cases_ending", "passed": 2, "failed": 3, "skipped": 0}
    ], (done.stdout, steps)
    told = {each.split("::")[1].partition(":")[0]: each for each in steps["suite"]["faults"]}
    assert "AssertionError" in told["test_that_fails"] and "lost the context" in told["test_that_loses_the_context"]
    assert "took more than 5 s" in told["test_that_hangs"] and len(told) == 3
    assert "test_that_hangs" in (tmp_path / "report/suite.stacks.log").read_text()


LOSING = """
import ctypes
command = open("/proc/self/cmdline").read()
if "--folder" in command and "--after" not in command:
    ctypes.CDLL("libcuda.so.1").stand_in_set(b"fail", b"cuLaunchKernel:1:700")
"""


def test_a_lost_context_leaves_out_one_form_and_one_time(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(LOSING)
    places = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    done, steps = rehearse(tmp_path / "report", "forms", "sum", PYTHONPATH=places)
    errors = {each["case"]: each["error"] for each in steps["forms"]["tables"]["forms"]}
    assert done.returncode == 1 and list(errors.values()).count("WRONG") == 1 and len(errors) > 2, steps
    done, steps = rehearse(tmp_path / "report", "bench", "sum", PYTHONPATH=places)
    times = [each["ours ms"] for each in steps["bench"]["tables"]["times"]]
    assert done.returncode == 1 and times[0] == "DeviceLostError" and float(times[1]) > 0, steps
