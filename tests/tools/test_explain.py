"""The command `guard-explain`: what it runs, prints and answers. Programs run in this process unless streams matter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tools.report_schema import mistakes

import guardlift as gl
from guardlift.tools.explain import SCHEMA_FILE, main

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))

PROGRAM = """\
import sys
import numpy as np
import guardlift as gl

@gl.jit
def scale(x, n):
    for k in range(n):
        x = x + k
    return x

@gl.jit
def pick(x):
    if x.sum() > 0:
        return x
    return -x

def short_lived(x):
    @gl.jit
    def gone(x, mode):
        return x * 2 if mode == "a" else x * 3
    gone(x, "a")
    gone(x, "b")

@gl.jit
def never(x):
    return x

@gl.jit
def generates(x):
    yield x

print("program says", sys.argv[1:])
x = np.arange(3.0)
scale(x, 1)
scale(x, 2)
pick(x)
short_lived(x)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def explained(capsys, *arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    code = main([str(each) for each in arguments])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


def test_the_report_tells_totals_reasons_breaks_and_what_was_left_alone(capsys, program) -> None:
    code, out, err = explained(capsys, program, "--flag", "7")
    assert (code, err) == (0, "")
    assert out.startswith("program says ['--flag', '7']\nguard-explain: ")
    assert "5 jitted functions, 5 compiles, 2 recompiles, 1 graph break; " in out
    assert "native code: " in out and "loaded from the cache" in out
    assert "n was 1, now 2  (entry 0, equality)" in out
    assert f"matters at {program}:7: for k in range(n):" in out
    assert "no edit known: n says how many turns there are" in out
    assert f"graph break B101 at {program}:13\n      if x.sum() > 0:\n         ^^^^^^^^^^^" in out
    assert "generates  " in out and "left alone, runs as plain Python: it is a generator" in out
    assert "never  " in out and "not compiled: not called yet" in out
    assert " at 0x" not in out and "\x1b" not in out


def test_functions_that_are_gone_at_the_end_are_told_of(capsys, program) -> None:
    _, out, _ = explained(capsys, program)
    assert "short_lived.<locals>.gone  " in out
    assert "mode was 'a', now 'b'" in out
    assert "mode == 'b'" in out


def test_verbose_adds_graphs_entry_code_kernels_and_every_entry(capsys, program) -> None:
    program.write_text(PROGRAM + "scale(x.astype(np.float32), 2)\n")
    _, out, _ = explained(capsys, "--verbose", program)
    assert "graph(%x: f64[3])" in out
    assert "    entry code\n" in out and "    kernel " in out
    assert "    entry 0 would have needed:\n      n was 1, now 2" in out


def test_json_goes_to_standard_output_and_the_program_to_standard_error(capsys, program) -> None:
    code, out, err = explained(capsys, "--json", program, "a")
    data = json.loads(out)
    assert (code, err) == (0, "program says ['a']\n")
    assert mistakes(data, SCHEMA, SCHEMA) == []
    assert data["program"] == {"name": str(program), "module": False, "arguments": ["a"], "exit_code": 0}
    assert [data["totals"][name] for name in ("functions", "compiles", "recompiles", "breaks", "limits")] == [
        5,
        5,
        2,
        1,
        0,
    ]
    names = [function["name"].split(".")[-1] for function in data["functions"]]
    assert names == ["scale", "pick", "gone", "never", "generates"]
    assert data["guardlift"] == gl.__version__


def test_json_in_a_file_leaves_the_text_on_standard_output(capsys, program, tmp_path) -> None:
    file = tmp_path / "report.json"
    _, out, _ = explained(capsys, f"--json={file}", program)
    assert "guard-explain: " in out
    assert mistakes(json.loads(file.read_text()), SCHEMA, SCHEMA) == []


def test_the_schema_refuses_what_is_not_in_it(capsys, program) -> None:
    data = json.loads(explained(capsys, "--json", program)[1])
    data["functions"][0]["entries"][0]["color"] = "red"
    data["totals"]["compiles"] = "4"
    del data["functions"][1]["state"]
    assert mistakes(data, SCHEMA, SCHEMA) == [
        "$.totals.compiles: '4' is no integer",
        "$.functions[0].entries[0]: does not know color",
        "$.functions[1]: lacks state",
    ]


def test_the_schema_can_be_printed(capsys) -> None:
    code, out, _ = explained(capsys, "--schema")
    assert code == 0 and json.loads(out) == SCHEMA


@pytest.mark.parametrize(
    ("options", "code", "finding"),
    [
        (("--max-recompiles", "1"), 1, "guard-explain: 2 recompiles, more than --max-recompiles 1\n"),
        (("--max-recompiles=2",), 0, ""),
        (("--max-breaks", "0"), 1, "guard-explain: 1 graph break, more than --max-breaks 0\n"),
        (("--max-breaks", "1"), 0, ""),
    ],
)
def test_a_gate_that_is_exceeded_is_said_and_gives_1(capsys, program, options, code, finding) -> None:
    found, out, _ = explained(capsys, *options, program)
    assert found == code
    assert out.endswith(finding) and ("more than" in out) == bool(finding)


@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_a_limit_that_was_reached_counts_for_the_gate(capsys, program) -> None:
    program.write_text(PROGRAM + "for n in range(1, 40): scale(x, n)\n")
    with gl.config.patch(recompile_limit=2):
        code, out, _ = explained(capsys, "--max-recompiles", "9", program)
    assert code == 1
    assert "guard-explain: scale reached the limit of entries: further calls ran as plain Python\n" in out
    assert "limit reached: 2 entries, 37 calls that fit none of them ran as plain Python" in out


@pytest.mark.parametrize(
    ("ending", "code", "error"),
    [
        ("sys.exit(3)", 3, ""),
        ("sys.exit()", 0, ""),
        ("sys.exit('no luck')", 1, "no luck\n"),
        ("raise KeyboardInterrupt", 130, "KeyboardInterrupt"),
    ],
)
def test_the_program_keeps_its_exit_code(capsys, tmp_path, ending, code, error) -> None:
    program = tmp_path / "ends.py"
    program.write_text(f"import sys\n{ending}\n")
    found, out, err = explained(capsys, "--max-recompiles", "0", program)
    assert found == code and error in err
    assert f"ended with exit code {code}" in out
    assert "no function was jitted: put @gl.jit above one" in out


def test_a_failing_program_shows_its_own_traceback_and_is_still_explained(capsys, program) -> None:
    program.write_text(PROGRAM + "\n\ndef fails():\n    raise LookupError('nothing here')\n\n\nfails()\n")
    code, out, err = explained(capsys, program)
    assert code == 1
    assert err.startswith(f'Traceback (most recent call last):\n  File "{program}", line ')
    assert "LookupError: nothing here" in err and "runpy" not in err
    assert "2 recompiles" in out


def test_a_module_runs_with_dash_m_and_finds_its_neighbours(capsys, tmp_path, monkeypatch) -> None:
    (tmp_path / "neighbour_of_ex.py").write_text("WORD = 'neighbour'\n")
    (tmp_path / "explained_module.py").write_text(
        "import sys, neighbour_of_ex as n\nprint(n.WORD, __name__, sys.argv[1:])\n"
    )
    monkeypatch.chdir(tmp_path)
    code, out, _ = explained(capsys, "-m", "explained_module", "--json")
    assert code == 0 and out.startswith("neighbour __main__ ['--json']\n")


def test_threads_of_the_program_are_waited_for(capsys, program) -> None:
    later = "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.2), scale(x, 3))).start()\n"
    program.write_text(PROGRAM + later)
    assert "3 recompiles" in explained(capsys, program)[1]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "name the program to run: guard-explain [options] script.py [arguments]"),
        (("--json",), "name the program to run"),
        (("nowhere.py",), "there is no file nowhere.py"),
        (("-m", "no_such_module_here"), "there is no module named no_such_module_here"),
        (("-m",), "name the program to run"),
        (("--colour", "x.py"), "unrecognized arguments: --colour"),
        (("--max-recompiles", "many", "x.py"), "invalid int value: 'many'"),
    ],
)
def test_wrong_usage_gives_2_and_says_what_is_wrong(capsys, arguments, text) -> None:
    code, out, err = explained(capsys, *arguments)
    assert (code, out) == (2, "")
    assert text in err and err.startswith("usage: guard-explain ")


def test_help_and_version(capsys) -> None:
    assert explained(capsys, "--version")[:2] == (0, f"guard-explain {gl.__version__}\n")
    code, out, _ = explained(capsys, "--help")
    assert code == 0 and "guard-explain [options] script.py" in out and "--max-recompiles" in out


def test_colour_is_for_terminals_or_on_demand(capsys, program, monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31m" in explained(capsys, program)[1]
    assert "\x1b" not in explained(capsys, "--no-color", program)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in explained(capsys, program)[1]


def test_in_a_process_of_its_own_nothing_but_json_reaches_standard_output(program) -> None:
    ending = """
import atexit, os, subprocess
atexit.register(print, "said at exit")
os.write(1, b"said below Python\\n")
subprocess.run([sys.executable, "-c", "print('said by a child')"])
"""
    program.write_text(PROGRAM + ending)
    command = [sys.executable, "-m", "guardlift.tools.explain", "--json", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=program.parent, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["totals"]["recompiles"] == 2
    for words in ("program says", "said at exit", "said below Python", "said by a child"):
        assert words in done.stderr
