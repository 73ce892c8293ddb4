"""Records outlive their processes: whichever way a process ends or begins, what it compiled is on disk."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.events import COMPILE, RECOMPILE
from guardlift.tools.record.reader import Record, read
from guardlift.tools.record.writer import start, stop

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the programs of these tests fork")


def ran(folder: Path, program: str, *words: str, expected: int = 0) -> Record:
    """The record of a program that ended with the exit code that was expected."""
    (folder / "program.py").write_text(program)
    environment = {**os.environ, "GUARDLIFT_RECORD": "record"}  # relative: the program may go elsewhere
    environment.pop("PYTEST_XDIST_WORKER", None)  # it names processes of a worker, and these are none
    command = [sys.executable, *words, "program.py"]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == expected, done.stderr
    record = read(folder / "record")
    assert record.problems == record.endings == []
    return record


def compiled(record: Record) -> list[list[str]]:
    """The functions that each process compiled, in the order of compiles."""
    kinds = (COMPILE, RECOMPILE)
    return [[event.function for event in process.events if event.kind in kinds] for process in record.processes]


DEATHS = """\
import atexit, os, signal, sys, threading
import numpy as np
import guardlift as gl

x = np.ones(3)

def jitted(name):
    def f(x):
        return x + 1
    f.__name__ = f.__qualname__ = name
    return gl.jit(f)

def dies(name):
    jitted(name)(x)
    if name == "_exit":
        os._exit(0)
    if name == "SIGTERM" or name == "SIGKILL" or name == "SIGABRT":
        os.kill(os.getpid(), getattr(signal, name))
    if name == "abort":
        os.abort()
    if name == "error":
        raise LookupError(name)
    if name == "Ctrl-C":
        signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background are born without
        signal.raise_signal(signal.SIGINT)
    if name == "closed":
        os.closerange(1, 256)
        reused = os.open("reused", os.O_WRONLY | os.O_CREAT)
        jitted("after closing")(x)
        os._exit(os.lseek(reused, 0, os.SEEK_END))
    if name == "exit":
        atexit.register(jitted("exit handler"), x)
        threading.Thread(target=jitted("thread"), args=(x,)).start()
        sys.exit()

jitted("parent")(x)
os.mkdir("elsewhere")
os.chdir("elsewhere")
status = {}
for name in ("_exit", "SIGTERM", "SIGKILL", "abort", "error", "Ctrl-C", "closed", "exit"):
    child = os.fork()
    if not child:
        sys.stderr = open(f"said by {name}", "w")
        dies(name)
    status[name] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert status == {
    "_exit": 0, "SIGTERM": -15, "SIGKILL": -9, "abort": -6, "error": 1, "Ctrl-C": -2, "closed": 0, "exit": 0,
}, (status, {name: open(f"said by {name}").read()[-1000:] for name, code in status.items() if code == 1})
"""


@pytest.mark.slow
def test_a_record_holds_what_was_compiled_whichever_way_a_process_dies(tmp_path) -> None:
    record = ran(tmp_path, DEATHS)
    assert compiled(record) == [
        ["parent"],
        *([name] for name in ("_exit", "SIGTERM", "SIGKILL", "abort", "error", "Ctrl-C")),
        ["closed", "after closing"],
        ["exit", "thread", "exit handler"],
    ]
    parent, *children = [process.head for process in record.processes]
    assert not parent["forked"] and all(child["forked"] for child in children)
    assert {child["parent"] for child in children} == {parent["process"]}


STARTS = """\
import multiprocessing, os, subprocess, sys
import numpy as np
import guardlift as gl

def work(name):
    def f(x):
        return x + 1
    f.__name__ = f.__qualname__ = name
    gl.jit(f)(np.ones(3))

if __name__ == "__main__":
    if "again" in sys.argv:
        work("execv")
        sys.exit()
    for method in ("fork", "spawn", "forkserver"):
        process = multiprocessing.get_context(method).Process(target=work, args=(method,), name=f"{method} worker")
        process.start()
        process.join()
        assert process.exitcode == 0
    subprocess.run([sys.executable, "-c", "import program; program.work('subprocess')"], check=True)
    work("before")
    os.execv(sys.executable, [sys.executable, "program.py", "again"])
"""


@pytest.mark.slow
def test_processes_of_every_kind_have_a_part_of_the_record(tmp_path) -> None:
    record = ran(tmp_path, STARTS)
    parts = {tuple(names): process for names, process in zip(compiled(record), record.processes, strict=True)}
    assert set(parts) == {("fork",), ("spawn",), ("forkserver",), ("subprocess",), ("before",), ("execv",)}
    for method in ("fork", "spawn", "forkserver"):
        assert parts[method,].label.endswith(f", {method} worker")
    assert parts["before",].head["process"] == parts["execv",].head["process"]


@pytest.mark.slow
def test_workers_of_xdist_are_looked_at(tmp_path) -> None:
    pytest.importorskip("xdist")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    tests = "import numpy as np, guardlift as gl\n" + "".join(
        f"def test_{k}():\n    f = gl.jit(lambda x, n: x * n)\n    for dtype in 'fd': f(np.ones(3, dtype), 2.0)\n"
        for k in range(4)
    )
    (tmp_path / "test_many.py").write_text(tests)
    command = [sys.executable, "-m", "guardlift.tools.explain", "--max-recompiles", "3", "-o", "run.gl"]
    command += ["-m", "pytest", "-q", "-n", "2", "test_many.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "4 recompiles, more than --max-recompiles 3" in done.stdout
    assert re.search(r"^ +in process \d+, gw[01]$", done.stdout, re.MULTILINE)
    labels = {process.head["name"] for process in read(tmp_path / "run.gl").processes}
    assert labels >= {"gw0", "gw1"}


def test_a_writer_can_be_started_and_stopped_within_a_process(tmp_path) -> None:
    f = gl.jit(lambda x: x + 2)
    writer = start(tmp_path)
    assert writer is not None
    f(np.ones(3))
    stop(writer)
    f(np.ones((3, 3)))
    assert [len(names) for names in compiled(read(tmp_path))] == [1]


def test_a_folder_that_cannot_be_written_is_told_and_changes_nothing(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    program = "import guardlift as gl, numpy as np\nprint(gl.jit(lambda x: x + 1)(np.ones(2)))\n"
    environment = {**os.environ, "GUARDLIFT_RECORD": str(tmp_path / "file")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[2. 2.]\n")
    assert done.stderr == f"guardlift: the record in {tmp_path}/file ends here: File exists\n"


def test_without_the_variable_nothing_is_imported_for_it() -> None:
    program = "import sys, guardlift; print([name for name in sys.modules if 'tools.record' in name])"
    variables = {name: value for name, value in os.environ.items() if name != "GUARDLIFT_RECORD"}
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout == "[]\n"
