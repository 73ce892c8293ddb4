"""The command `guard-explain`: what it runs, prints and answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tools.report_schema import mistakes

import guardlift as gl
from guardlift.tools.explain import SCHEMA_FILE, main
from guardlift.tools.record.reader import read

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
COMMAND = [sys.executable, "-m", "guardlift.tools.explain"]

WAITING = "for _ in range(1000):\n    time.sleep(0.05)\n"
"""Statements that wait. One long sleep does not end by a signal that arrives just before it begins."""
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
ENDING = """
import atexit, os, subprocess, threading, time
atexit.register(print, "said at exit")
os.write(1, b"said below Python\\n")
subprocess.run([sys.executable, "-c", "print('said by a child')"])
threading.Thread(target=lambda: (time.sleep(0.2), scale(x, 3))).start()
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a run of `PROGRAM`, which lies beside it."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "program.py").write_text(PROGRAM)
    assert main(["-o", str(folder / "run.gl"), str(folder / "program.py")]) == 0
    return folder / "run.gl"


def explained(capfd, *arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command, those of the program included."""
    capfd.readouterr()
    code = main([str(each) for each in arguments])
    streams = capfd.readouterr()
    return code, streams.out, streams.err


# -- a run -------------------------------------------------------------------------------------------------------------
def test_the_answer_is_a_screen_behind_the_programs_own_output(capfd, program) -> None:
    code, out, err = explained(capfd, program, "--flag", "7")
    first, *rest = out.splitlines()
    assert (code, first) == (0, "program says ['--flag', '7']")
    assert "Traceback" not in err and len(rest) <= 23 and max(map(len, rest)) <= 80
    text = " ".join(" ".join(rest).split())
    assert text.startswith("guard-explain ") and " exit 0 5 functions, 5 compiles (2 again), 1 graph break; " in text
    assert "generates runs as plain Python: it is a generator" in text
    for words in (" scale n 1 → 2 1 recompile", " gone mode 'a' → 'b' 1 recompile", " B101 pick "):
        assert words in text
    assert " at 0x" not in out and "\x1b" not in out


def test_show_without_a_name_is_about_the_last_run(capfd, program, tmp_path: Path) -> None:
    with gl.config.patch(cache_dir=str(tmp_path / "of this test")):  # others run programs meanwhile
        explained(capfd, program)
        assert " scale n 1 → 2 " in " ".join(explained(capfd, "show")[1].split())


@pytest.mark.slow
def test_json_goes_to_standard_output_and_all_else_to_standard_error(program) -> None:
    program.write_text(PROGRAM + ENDING)
    command = [*COMMAND, "--json", str(program), "a"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=program.parent, check=False)
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert mistakes(data, SCHEMA, SCHEMA) == []
    assert data["program"] == {"name": str(program), "module": False, "arguments": ["a"], "exit_code": 0}
    sums = [data["totals"][name] for name in ("functions", "compiles", "recompiles", "breaks", "limits")]
    assert sums == [5, 6, 3, 1, 0]
    names = [function["name"].split(".")[-1] for function in data["functions"]]
    assert names == ["scale", "pick", "gone", "never", "generates"]
    assert data["guardlift"] == gl.__version__ and len(data["processes"]) == 1
    for words in ("program says", "said at exit", "said below Python", "said by a child"):
        assert words in done.stderr


def test_json_in_a_file_leaves_the_text_on_standard_output(capfd, tmp_path) -> None:
    (tmp_path / "empty.py").write_text("import guardlift\n")
    for number, form in enumerate((["--json", f"{tmp_path}/1.json"], [f"--json={tmp_path}/2.json"]), 1):
        code, out, _ = explained(capfd, *form, tmp_path / "empty.py")
        assert code == 0 and out.startswith("guard-explain")
        assert mistakes(json.loads((tmp_path / f"{number}.json").read_text()), SCHEMA, SCHEMA) == []


def test_the_schema_refuses_what_is_not_in_it(capfd, tmp_path) -> None:
    (tmp_path / "empty.py").write_text("import guardlift\n")
    data = json.loads(explained(capfd, "--json", "-", tmp_path / "empty.py")[1])
    data["color"] = "red"
    data["totals"]["compiles"] = "4"
    del data["findings"]
    expected = ["$: lacks findings", "$: does not know color", "$.totals.compiles: '4' is no integer"]
    assert sorted(mistakes(data, SCHEMA, SCHEMA)) == sorted(expected)


def test_a_limit_that_was_reached_counts_for_the_gate(capfd, program, monkeypatch) -> None:
    program.write_text(PROGRAM + "for n in range(1, 40): scale(x, n)\n")
    monkeypatch.setenv("GUARDLIFT_RECOMPILE_LIMIT", "2")
    code, out, _ = explained(capfd, "--max-recompiles", "9", program)
    assert code == 1
    assert "guard-explain: scale reached the limit of entries: further calls ran as plain Python\n" in out
    assert "1 recompile, then 37 calls in plain Python" in out


@pytest.mark.parametrize(
    ("ending", "code", "told"),
    [
        ("import sys; sys.exit(3)", 3, "exit 3"),
        ("import sys; sys.exit('no luck')", 1, "exit 1"),
        ("raise KeyboardInterrupt", 130, "ended by SIGINT"),
        ("import os; os.kill(os.getpid(), 9)", 137, "ended by SIGKILL"),
        ("import os; os._exit(4)", 4, "exit 4"),
    ],
)
def test_the_program_keeps_its_exit_code(capfd, tmp_path, ending, code, told) -> None:
    (tmp_path / "ends.py").write_text(f"{ending}\n")
    found, out, err = explained(capfd, "--max-recompiles", "0", tmp_path / "ends.py")
    assert found == code and f"ends.py {told} 0 functions" in " ".join(out.split())
    assert "put @gl.jit above one" not in out
    assert err.endswith("guard-explain: could not look: the program did not import guardlift\n")


def test_a_failing_program_shows_its_own_traceback_and_is_still_explained(capfd, program) -> None:
    program.write_text(PROGRAM + "\n\ndef fails():\n    raise LookupError('nothing here')\n\n\nfails()\n")
    code, out, err = explained(capfd, "--max-recompiles", "0", program)
    assert code == 1
    assert f'Traceback (most recent call last):\n  File "{program}", line ' in err
    assert "LookupError: nothing here" in err and "runpy" not in err and "tools" not in err
    assert "(2 again)" in out
    assert err.endswith("guard-explain: the program failed by itself, so the exit code is its own, 1\n")


def test_a_program_sees_what_it_sees_under_python(capfd, tmp_path, monkeypatch) -> None:
    says = "import sys\nprint(__file__, __name__, sys.argv, sys.path[0], sorted(globals()))\n"
    (tmp_path / "says.py").write_text(says)
    (tmp_path / "says_as_module.py").write_text(says)
    monkeypatch.chdir(tmp_path)
    for words in (["says.py", "-m", "x"], ["-m", "says_as_module", "--json"]):
        plain = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
        code, out, _ = explained(capfd, *words)
        assert code == 0 and out.splitlines()[0] == plain.stdout.splitlines()[0]


def test_ctrl_c_ends_the_program_and_not_the_command(tmp_path) -> None:
    (tmp_path / "waits.py").write_text(f"import time\nprint(1, flush=True)\n{WAITING}")
    command = [*COMMAND, str(tmp_path / "waits.py")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0)
    assert running.stdout is not None and running.stdout.readline() == "1\n"
    os.killpg(running.pid, signal.SIGINT)  # as a terminal sends it
    out, err = running.communicate(timeout=60)
    assert "ended by SIGINT" in " ".join(out.split()) and err.count("Traceback") == 1
    assert running.returncode == 130


def test_a_signal_to_the_command_is_for_the_program(tmp_path) -> None:
    waits = "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\nprint(1, flush=True)\n"
    (tmp_path / "waits.py").write_text(f"{waits}{WAITING}")
    running = subprocess.Popen([*COMMAND, str(tmp_path / "waits.py")], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "1\n"
    running.send_signal(signal.SIGTERM)
    assert " exit 7 " in " ".join(running.communicate(timeout=60)[0].split())
    assert running.returncode == 7


# -- a record ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "code", "finding"),
    [
        (("--max-recompiles", "1"), 1, "guard-explain: 2 recompiles, more than --max-recompiles 1\n"),
        (("--max-recompiles=2",), 0, ""),
        (("--max-breaks", "0"), 1, "guard-explain: 1 graph break, more than --max-breaks 0\n"),
        (("--max-breaks", "1"), 0, ""),
        (("--max-compile-seconds", "1e-6"), 1, " s of compiling, more than --max-compile-seconds 1e-06\n"),
        (("--max-compile-seconds", "600"), 0, ""),
        (("--max-guard-us", "0"), 1, " us a call, more than --max-guard-us 0\n"),
        (("--max-guard-us", "1000.5"), 0, ""),
    ],
)
def test_a_gate_that_is_exceeded_is_said_and_gives_1(capfd, recorded, options, code, finding) -> None:
    found, out, err = explained(capfd, "check", recorded, *options)
    assert (found, err) == (code, "")
    assert out.endswith(finding) and ("more than" in out) == bool(finding)


def test_annotations_stand_at_the_line_that_made_the_call(capfd, recorded, monkeypatch) -> None:
    monkeypatch.chdir(recorded.parent)
    out = explained(capfd, "check", "run.gl", "--max-recompiles", "0", "--max-breaks", "0", "--github")[1]
    lines = [line for line in out.splitlines() if line.startswith("::")]
    assert lines == [
        "::error file=program.py,line=35,title=guardlift recompile::scale: n was 1, now 2",
        "::error file=program.py,line=22,title=guardlift recompile::short_lived.<locals>.gone: mode was 'a', now 'b'",
        lines[2],
    ]
    assert lines[2].startswith("::error file=program.py,line=36,title=guardlift graph break::pick: ")


def test_show_prints_more_where_it_is_asked_to(capfd, recorded) -> None:
    code, out, err = explained(capfd, "show", "all", recorded)
    assert (code, err) == (0, "")
    assert "graph(%x: f64[3])" in out and "    entry code\n" in out and "    kernel " in out
    assert "graph(%x: f64[3])" not in explained(capfd, "show", recorded)[1]


def test_colour_is_for_terminals_or_on_demand(capfd, recorded, monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31m" in explained(capfd, "show", recorded)[1]
    assert "\x1b" not in explained(capfd, "show", recorded, "--no-color")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in explained(capfd, "show", recorded)[1]
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "0")
    assert "\x1b" not in explained(capfd, "show", recorded)[1]


# -- gates that cannot look --------------------------------------------------------------------------------------------
NOTHING_CALLED = "import guardlift as gl\n\n@gl.jit\ndef never(x):\n    return x\n"
TRACED = """\
import sys
import numpy as np
import guardlift as gl

@gl.jit
def f(x):
    return x + 1

sys.settrace(lambda *_: None)
f(np.ones(3))
sys.settrace(None)
"""


@pytest.mark.parametrize(
    ("text", "variables", "why"),
    [
        ("print(1)\n", {}, "the program did not import guardlift"),
        (NOTHING_CALLED, {}, "no jitted function was called"),
        (PROGRAM, {"GUARDLIFT_DISABLE": "1"}, "guardlift was switched off (GUARDLIFT_DISABLE)"),
        (TRACED, {}, "a debugger or coverage kept f from being compiled"),
    ],
)
def test_a_gate_that_could_not_look_gives_3_and_says_why(capfd, tmp_path, monkeypatch, text, variables, why) -> None:
    (tmp_path / "program.py").write_text(text)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code, _, err = explained(capfd, "--max-breaks", "5", tmp_path / "program.py")
    assert code == 3 and f"guard-explain: could not look: {why}" in err


# -- bad input ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "name the program to run: guard-explain [options] script.py [arguments]"),
        (("--json",), "name the program to run"),
        (("nowhere.py",), "there is no file nowhere.py"),
        (("--json", "nowhere.py"), "there is no file nowhere.py"),
        (("-m", "no_such_module_here"), "there is no module named no_such_module_here"),
        (("-m", "json.no_such_part"), "there is no module named json.no_such_part"),
        (("-m", "email"), "the package email holds no __main__.py that could be run"),
        (("-m",), "name the program to run"),
        (("folder",), "the folder folder holds no __main__.py that could be run"),
        (("--colour", "x.py"), "unrecognized arguments: --colour"),
        (("--max-recompiles", "many", "x.py"), "expected a whole number from 0 on, found 'many'"),
        (("--max-breaks", "-1", "x.py"), "expected a whole number from 0 on, found '-1'"),
        (("--max-recompiles", "1.5", "x.py"), "expected a whole number from 0 on, found '1.5'"),
        (("--max-compile-seconds", "-2", "x.py"), "expected a number from 0 on, found '-2'"),
        (("--max-guard-us=nan", "x.py"), "expected a number from 0 on, found 'nan'"),
        (("check",), "the following arguments are required: RECORD"),
        (("check", "x.gl"), "set a limit, such as --max-recompiles 0"),
        (("show", "guards", "a", "b"), "one part and one record, not guards a b"),
        (("diff", "a"), "the following arguments are required: B"),
    ],
)
def test_wrong_usage_gives_2_and_says_what_is_wrong(capfd, tmp_path, monkeypatch, arguments, text) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    code, out, err = explained(capfd, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("usage: guard-explain ") and text in err.splitlines()[-1]


@pytest.mark.parametrize("option", ["-o", "--json="])
def test_a_file_that_cannot_be_written_is_told_before_the_program_runs(capfd, tmp_path, option) -> None:
    (tmp_path / "marks.py").write_text("open('ran', 'w')\n")
    words = [f"{option}{tmp_path}/no_folder/x.json", str(tmp_path / "marks.py")]
    code, out, err = explained(capfd, *words)
    assert (code, out) == (2, "") and not (tmp_path / "ran").exists()
    assert err.endswith(f"guard-explain: {tmp_path}/no_folder/x.json cannot be written: No such file or directory\n")


def test_a_file_to_write_to_is_left_alone_when_the_program_is_missing(capfd, tmp_path) -> None:
    assert explained(capfd, "-o", tmp_path / "run.gl", tmp_path / "nowhere.py")[0] == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("show",), ("check", "--max-breaks", "0"), ("diff", __file__)])
@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "No such file or directory"),
        ("", "run.gl:1 is no guardlift record"),
        ("<html>\n", "run.gl:1 is no guardlift record"),
        ('{"schema": 2}\n', "run.gl:1 is no guardlift record"),
        ('{"schema": 3}\n', "run.gl:1: schema 3, this is 2"),
        ("[1]\n", "run.gl:1 is no guardlift record"),
    ],
)
def test_what_is_no_record_gives_2_and_one_line(capfd, tmp_path, command, content, text) -> None:
    if content is not None:
        (tmp_path / "run.gl").write_text(content)
    name, *rest = command
    code, out, err = explained(capfd, name, tmp_path / "run.gl", *rest)
    assert (code, out) == (2, "")
    assert err.startswith("guard-explain: ") and text in err and err.count("\n") == 1


def test_a_folder_without_records_gives_2(capfd, tmp_path) -> None:
    code, _, err = explained(capfd, "show", tmp_path)
    assert code == 2 and "is no guardlift record: the folder holds no file that ends in .gl" in err


def test_a_record_that_ends_within_a_line_is_read_up_to_there(capfd, recorded, tmp_path) -> None:
    lines = recorded.read_bytes().splitlines(keepends=True)
    events = [number for number, line in enumerate(lines) if line.startswith(b'{"is":"event"')]
    (tmp_path / "cut.gl").write_bytes(b"".join(lines[: events[-1]]) + lines[events[-1]][:40])
    code, out, err = explained(capfd, "show", tmp_path / "cut.gl")
    assert code == 0 and out.count("1 recompile\n") == 1
    assert err == f"guard-explain: {tmp_path}/cut.gl ends after event {len(events) - 1}\n"


def test_a_damaged_line_is_told_and_the_rest_is_read(capfd, recorded, tmp_path) -> None:
    lines = recorded.read_bytes().splitlines(keepends=True)
    event = next(number for number, line in enumerate(lines) if line.startswith(b'{"is":"event"'))
    lines[event] = lines[event][:40] + b"\n"
    (tmp_path / "damaged.gl").write_bytes(b"".join(lines))
    code, out, err = explained(capfd, "show", tmp_path / "damaged.gl")
    assert code == 0 and out.count("1 recompile\n") == 2
    assert err.startswith(f"guard-explain: {tmp_path}/damaged.gl:{event + 1} is damaged: ") and err.count("\n") == 1
    assert explained(capfd, "check", tmp_path / "damaged.gl", "--max-breaks", "9")[0] == 2


HOSTILE = """\
import numpy as np
import guardlift as gl

class Hostile:
    def __repr__(self):
        raise ValueError("no")
    __str__ = __repr__

def evil(x, mode, thing):
    return x + 1 if mode else x - 1
evil.__qualname__ = "<script>alert(1)</script>\\x1b[2J\\ud800\\n"
evil = gl.jit(evil)
x = np.ones(3)
evil(x, "\\x1b[31m\\n\\ud800", Hostile())
evil(x, "y" * 10_000_000, Hostile())
evil(x, "", Hostile())
"""


@pytest.mark.slow
def test_names_and_values_of_any_kind_are_shown_escaped_and_short(tmp_path) -> None:
    (tmp_path / "hostile.py").write_text(HOSTILE)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "100"}
    command = [*COMMAND, "-o", "run.gl", "hostile.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    assert "\x1b" not in text and "<script>alert(1)</script>\\x1b[2J\\ud800\\n" in text
    assert len(text) < 20_000 and (tmp_path / "run.gl").stat().st_size < 100_000
    assert {event.function for event in read(tmp_path / "run.gl").events} == {
        "<script>alert(1)</script>\x1b[2J\ud800\n"
    }


@pytest.mark.parametrize("stdout", ["closed", "broken pipe"])
def test_a_standard_output_that_takes_nothing_ends_quietly(recorded, stdout) -> None:
    shown = f"{sys.executable} -m guardlift.tools.explain show all {recorded}"
    line = f"{shown} >&-" if stdout == "closed" else f"({shown}; echo $? >&2) | true"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "" if stdout == "closed" else "0\n")
    assert done.returncode == 0


def test_help_version_and_schemas(capfd) -> None:
    assert explained(capfd, "--version")[:2] == (0, f"guard-explain {gl.__version__}\n")
    code, out, _ = explained(capfd, "--help")
    assert code == 0 and "guard-explain [options] script.py" in out and "--max-recompiles" in out
    for command in ("show", "check", "diff"):
        assert explained(capfd, command, "--help")[1].startswith(f"usage: guard-explain {command} ")
    assert json.loads(explained(capfd, "--schema")[1]) == SCHEMA
    assert json.loads(explained(capfd, "--record-schema")[1])["title"].startswith("guardlift record, schema 2")
