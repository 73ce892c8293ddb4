"""Entries that another process has made: they answer where nothing has changed, and nowhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from frontend.compile.warm_changes import CHANGES, HELPERS, PROGRAM, Change, loaded, usual
from frontend.compile.warm_class_changes import CLASS_CHANGES, CLASSES, TENSOR_CHANGES, TENSORS, of_program, two_tensors

import guardlift as gl
from guardlift.backend.artifacts import counters, store
from guardlift.core.events import COMPILE, LOAD, listening
from guardlift.frontend.dispatch.registry import state_of


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with gl.config.patch(cache_dir=str(tmp_path / "cache"), artifact_cache=True, entry_cache=True):
        yield tmp_path


@pytest.fixture(autouse=True)
def modules() -> Iterator[None]:
    counters._missed.clear()
    yield
    for name in ("warm_helpers", "warm_program"):
        sys.modules.pop(name, None)


def kinds(function: Any) -> list[str]:
    """The kinds of events of a function that made entries."""
    return [event.kind for event in state_of(function).history if event.kind in (COMPILE, LOAD)]


def counted() -> Any:
    return gl.artifact_counters()["entry"]


def outcome(call: Any, *arguments: Any) -> Any:
    """The value of a call, or the type of its error."""
    try:
        return call(*arguments)
    except Exception as error:
        return type(error)


def keep_one(folder: Path) -> None:
    """Jit and call the program as it is, so that its entry is on disk."""
    before = counted().save
    gl.jit(loaded(folder)["f"])(*usual())
    assert counted().save == before + 1, [str(miss) for miss in gl.artifact_misses()[-2:]]


def test_an_unchanged_program_is_answered_from_disk(folder: Path) -> None:
    keep_one(folder)
    namespace, before = loaded(folder), counted()
    f = gl.jit(namespace["f"])
    found = f(*usual())
    assert kinds(f) == [LOAD] and counted().hit == before.hit + 1 and counted().miss == before.miss
    np.testing.assert_allclose(found, namespace["f"](*usual()), rtol=1e-12)
    assert kinds(f) == [LOAD]


def test_the_catalogue_is_long_enough() -> None:
    assert len(CHANGES) >= 40 and len({change.name for change in CHANGES}) == len(CHANGES)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_changed_program_is_not_answered_from_disk(folder: Path, change: Change) -> None:
    keep_one(folder)
    namespace, before = loaded(folder, change), counted()
    if change.before is not None:
        change.before(namespace)
    arguments = change.arguments or usual
    with change.around(namespace) if change.around is not None else nullcontext():
        f = gl.jit(namespace["f"], **dict(change.options))
        found, wanted = outcome(f, *arguments()), outcome(namespace["f"], *arguments())
    assert type(found) is type(wanted)
    if isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-5 if wanted.dtype == np.float32 else 1e-12)
    assert counted().hit == before.hit
    reasons = [miss.reason for miss in gl.artifact_misses() if miss.kind == "entry"]
    assert any(change.says in reason for reason in reasons), reasons


@pytest.mark.parametrize("change", [None, *CLASS_CHANGES], ids=lambda change: change.name if change else "none")
def test_classes_of_the_program_are_those_that_were_meant(folder: Path, change: Change | None) -> None:
    namespace, saved = loaded(folder, program=CLASSES), counted().save
    gl.jit(namespace["f"])(*of_program(namespace))
    assert counted().save == saved + 1, [str(miss) for miss in gl.artifact_misses()]
    namespace, before = loaded(folder, change, CLASSES), counted()
    if change is not None and change.before is not None:
        change.before(namespace)
    f = gl.jit(namespace["f"])
    found, wanted = outcome(f, *of_program(namespace)), outcome(namespace["f"], *of_program(namespace))
    assert type(found) is type(wanted)
    if isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert counted().hit == before.hit + (change is None)
    assert change is None or any(miss.reason for miss in gl.artifact_misses() if miss.kind == "entry")


@pytest.mark.parametrize("change", [None, *TENSOR_CHANGES], ids=lambda change: change.name if change else "none")
def test_tensors_are_served_as_long_as_they_are_alike(folder: Path, change: Change | None) -> None:
    saved = counted().save
    gl.jit(loaded(folder, program=TENSORS)["f"])(*two_tensors())
    assert counted().save == saved + 1, [str(miss) for miss in gl.artifact_misses()]
    namespace, before = loaded(folder, program=TENSORS), counted()
    if change is not None and change.before is not None:
        change.before(namespace)
    arguments = change.arguments if change is not None and change.arguments is not None else two_tensors
    with change.around(namespace) if change is not None and change.around is not None else nullcontext():
        f, ours, theirs = gl.jit(namespace["f"]), arguments(), arguments()
        found, wanted = outcome(f, *ours), outcome(namespace["f"], *theirs)
    assert type(found) is type(wanted) is tuple
    for one, other in zip((*found, *ours), (*wanted, *theirs), strict=True):
        assert type(one) is type(other) and one.dtype == other.dtype and one.shape == other.shape
        assert getattr(one, "_version", 0) == getattr(other, "_version", 0)
        assert getattr(one, "requires_grad", 0) == getattr(other, "requires_grad", 0)
        plain = [each.detach().numpy() if isinstance(each, gl.Tensor) else each for each in (one, other)]
        np.testing.assert_allclose(*plain, rtol=1e-6)
    assert counted().hit == before.hit + (change is None)


def test_another_value_of_a_number_that_no_trace_depends_on_is_answered_from_disk(folder: Path) -> None:
    keep_one(folder)
    namespace = loaded(folder, Change("", program=("SCALE = 2.0", "SCALE = -7.5")))
    f = gl.jit(namespace["f"])
    np.testing.assert_allclose(f(*usual()), namespace["f"](*usual()), rtol=1e-12)
    assert kinds(f) == [LOAD]


def test_what_changes_after_the_first_call_is_seen(folder: Path) -> None:
    keep_one(folder)
    namespace = loaded(folder)
    f = gl.jit(namespace["f"])
    f(*usual())
    for name, value in (("FLAG", False), ("scaled", lambda a: a * 11.0), ("STEPS", 1), ("SCALE", 4)):
        namespace[name] = value
        np.testing.assert_allclose(f(*usual()), namespace["f"](*usual()), rtol=1e-12)
    assert kinds(f)[0] == LOAD and state_of(f).numbers > 1


def test_entries_for_several_shapes_are_kept_beside_each_other(folder: Path) -> None:
    with gl.config.patch(dynamic_sizes=False):
        x, y = usual()
        f = gl.jit(loaded(folder)["f"])
        f(x, y), f(x[:2], y), f(x, 3)
        namespace = loaded(folder)
        f = gl.jit(namespace["f"])
        for arguments in ((x[:2], y), (x, 3), (x, y)):
            np.testing.assert_allclose(f(*arguments), namespace["f"](*arguments), rtol=1e-12)
        assert kinds(f) == [LOAD] * 3
        f(x[:1], y)
        assert state_of(f).numbers == 4
        assert len(state_of(gl.jit(loaded(folder)["f"])).recorded.data["entries"]) == 4


def test_writes_and_views_are_those_of_the_call(folder: Path) -> None:
    def step(x, out):  # type: ignore[no-untyped-def]
        out[...] = np.where(x > 0, x, -x)
        out[0] += 1
        return out, x.T, x[1:], {"a": x + 1, "b": [x * 2, 5]}

    x = usual()[0].copy()
    gl.jit(step)(x, np.zeros((3, 4)))
    warm, out = gl.jit(step), np.zeros((3, 4))
    found, flipped, part, parts = warm(x, out)
    assert kinds(warm) == [LOAD]
    assert found is out and flipped.base is x and part.base is x and parts["b"][1] == 5
    wanted = step(x, np.zeros((3, 4)))
    np.testing.assert_array_equal(out, wanted[0])
    np.testing.assert_array_equal(parts["b"][0], wanted[3]["b"][0])
    both = np.linspace(-1.0, 1.0, 16).reshape(4, 4)
    want = both.copy()
    step(want[:3], want[1:])
    warm(both[:3], both[1:])
    np.testing.assert_array_equal(both, want)


def test_what_python_raises_is_raised_in_the_users_own_line(folder: Path) -> None:
    def step(x, at):  # type: ignore[no-untyped-def]
        return x.sum() + x[at] * 2

    x = np.arange(4.0)
    gl.jit(step)(x, 1)
    warm = gl.jit(step)
    with pytest.raises(IndexError) as caught:
        warm(x, 9)
    assert caught.traceback[-1].name == "step"
    assert warm(x, 1) == step(x, 1)


def test_an_entry_from_disk_is_explained(folder: Path) -> None:
    keep_one(folder)
    f = gl.jit(loaded(folder)["f"])
    f(*usual())
    report = gl.explain(f)
    assert report.entries[0].loaded and "exp(" in report.entries[0].graph and report.entries[0].kernels
    assert "found on disk" in str(report) and "np.exp is np.exp" in str(report)


def test_what_has_no_name_is_not_written_and_says_why(folder: Path) -> None:
    class Net(metaclass=type("Meta", (type,), {})):
        scale = 2.0

    def of_a_class(x):  # type: ignore[no-untyped-def]
        return x * Net.scale

    def draws(x):  # type: ignore[no-untyped-def]
        return x + np.random.default_rng(0).normal(size=x.shape)

    def jitted_callee(x):  # type: ignore[no-untyped-def]
        return inner(x) * 2

    inner = gl.jit(lambda x: x + 1)
    for function in (of_a_class, draws, jitted_callee):
        before = counted()
        gl.jit(function)(np.ones(3))
        assert counted().bypass > before.bypass and counted().save == before.save, function
    assert all(miss.reason for miss in gl.artifact_misses())


def test_who_listens_is_told_of_a_trace(folder: Path) -> None:
    keep_one(folder)
    f = gl.jit(loaded(folder)["f"])
    heard: list[str] = []
    with listening(lambda event: heard.append(event.kind)):
        f(*usual())
    assert COMPILE in heard and LOAD not in heard


@pytest.mark.parametrize("setting", ["entry_cache", "artifact_cache"])
def test_a_setting_turns_it_off(folder: Path, setting: str) -> None:
    keep_one(folder)
    with gl.config.patch(**{setting: False}):
        f = gl.jit(loaded(folder)["f"])
        f(*usual())
        assert kinds(f) == [COMPILE]


# -- the disk ---------------------------------------------------------------------------------------------------------
def file_of(folder: Path) -> Path:
    """The file of the program's entry."""
    request = state_of(gl.jit(loaded(folder)["f"])).recorded.request
    return folder / "cache" / f"{request.key}{store.SUFFIX}"


def is_right(folder: Path) -> list[str]:
    """The events of the program, whose first call gives what Python gives."""
    namespace = loaded(folder)
    f = gl.jit(namespace["f"])
    np.testing.assert_allclose(f(*usual()), namespace["f"](*usual()), rtol=1e-12)
    return kinds(f)


def forget() -> None:
    """As in another process: folders are looked at again."""
    store._stores.clear()


@pytest.mark.slow
def test_a_flipped_bit_anywhere_is_found(folder: Path) -> None:
    keep_one(folder)
    file = file_of(folder)
    whole = file.read_bytes()
    for place in range(0, len(whole), max(len(whole) // 12, 1)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        assert is_right(folder) == [COMPILE]
    for end in (0, 1, 40, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:end])
        assert is_right(folder) == [COMPILE]
    assert is_right(folder) == [LOAD]


@pytest.mark.parametrize("part", ["guards", "named", "plan", "block", "slot", "probe", "number", "report"])
def test_data_of_another_form_is_refused(folder: Path, part: str) -> None:
    keep_one(folder)
    recorded = state_of(gl.jit(loaded(folder)["f"])).recorded
    for wrong in (None, 3, [], [3], {"x": 1}, "text"):
        if part in ("block", "report"):
            wrong = None if wrong == "text" else wrong
        entry = {**recorded.data["entries"][0], part: wrong}
        if wrong is not None and part in ("number", "slot") and type(wrong) is int:
            continue
        store.keep(recorded.request, {**recorded.data, "entries": [entry]})
        assert is_right(folder) in ([COMPILE], [LOAD])


def test_files_and_folders_that_others_can_write_are_refused(folder: Path) -> None:
    keep_one(folder)
    file = file_of(folder)
    file.chmod(0o622)
    assert is_right(folder) == [COMPILE]
    assert is_right(folder) == [LOAD]  # it was written anew
    (folder / "cache").chmod(0o777)
    forget()
    try:
        assert is_right(folder) == [COMPILE]
    finally:
        (folder / "cache").chmod(0o700)
        forget()
    assert is_right(folder) == [LOAD]


def test_a_full_disk_and_a_folder_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_one(folder)
    file = file_of(folder)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        file.unlink()
        forget()
        assert is_right(folder) == [COMPILE]
    assert not file.exists()
    forget()
    assert is_right(folder) == [COMPILE]
    assert file.exists()
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.mkstemp", full)
        forget()
        assert is_right(folder) == [LOAD]
    forget()


# -- real processes ---------------------------------------------------------------------------------------------------
SCRIPT = """
import json, sys
import numpy as np
import guardlift as gl
from warm_program import f, np
g = gl.jit(f)
x, y = np.linspace(-1.0, 1.0, 12).reshape(3, 4), 2.0
found = [g(x, y).tolist() for _ in range(3)]
tracer = [name for name in sys.modules if name.startswith("guardlift.frontend.")]
want = f(x, y).tolist()
counts = gl.artifact_counters()["entry"]
reasons = [miss.reason for miss in gl.artifact_misses() if miss.kind == "entry"]
print(json.dumps([np.allclose(found, want, rtol=1e-12), counts.hit, counts.miss, counts.save, tracer, reasons]))
"""


KILLED = """
import io, os, signal
replace, fdopen = os.replace, os.fdopen
class Half(io.BytesIO):
    def close(self):
        if not self.closed:
            content = self.getvalue()
            os.write(self.target, content[: len(content) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
def opened(descriptor, mode):
    file = Half()
    file.target = descriptor
    return file
def replaced(*names):
    os.kill(os.getpid(), signal.SIGKILL)
os.fdopen, os.replace = (opened, replace) if MIDDLE else (fdopen, replaced)
"""
"""The beginning of a process that is to die as it writes a file: in the middle of it, or before it has its name."""


def start(folder: Path, first: str = "", **edits: tuple[str, str]) -> subprocess.Popen[str]:
    """A process that runs the program, whose sources have these edits. first: what it does before."""
    for name, text in (("warm_helpers", HELPERS), ("warm_program", PROGRAM)):
        if name in edits:
            text = text.replace(*edits[name])
        (folder / f"{name}.py").write_text(text)
    (folder / "main.py").write_text(first + SCRIPT)
    environment = {
        **os.environ,
        "GUARDLIFT_CACHE_DIR": str(folder / "cache"),
        "GUARDLIFT_ENTRY_CACHE": "1",
        "PYTHONPATH": os.pathsep.join([str(Path(str(gl.__file__)).parents[1]), os.environ.get("PYTHONPATH", "")]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.Popen([sys.executable, "main.py"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> list[Any]:
    """The words of a process: whether results are right, hits, misses, saves, tracer modules, reasons."""
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    right, *rest = json.loads(out)
    assert right is True
    return rest


@pytest.mark.slow
def test_a_second_process_imports_no_tracer(folder: Path) -> None:
    _, misses, saves, tracer, _ = finished(start(folder))
    assert (misses, saves) == (1, 1) and len(tracer) > 100
    hits, misses, _, tracer, _ = finished(start(folder))
    assert (hits, misses) == (1, 0)
    rooms = {name.removeprefix("guardlift.frontend.") for name in tracer}
    assert rooms == LOADER
    hits, misses, *_, reasons = finished(start(folder, warm_helpers=("a * 3.0", "a * 5.0")))
    assert hits == 0 and any("the code of scaled" in reason for reason in reasons)


LOADER = {
    *("jit", "bytecode", "bytecode.code_flags", "bytecode.versions", "codegen", "dispatch.call_counts"),
    *("codegen.frame_state", "dispatch", "dispatch.answers", "dispatch.frame_introspection", "dispatch.install"),
    *(
        "dispatch.pickling",
        "dispatch.recorded_entries",
        "dispatch.registry",
        "dispatch.state",
        "tracing",
        "tracing.control",
    ),
}
"""The modules of the frontend that a process imports whose functions are all found on disk."""


@pytest.mark.slow
def test_processes_that_write_at_once_and_one_that_is_killed(folder: Path) -> None:
    both = [start(folder), start(folder)]
    for process in both:
        finished(process)
    killed = start(folder, warm_helpers=("a * 3.0", "a * 4.0"))
    killed.kill()
    killed.communicate()
    hits, *_ = finished(start(folder))
    assert hits == 1


@pytest.mark.skipif(sys.platform == "win32", reason="sends itself a signal")
@pytest.mark.slow
def test_a_process_that_dies_while_it_writes_leaves_nothing_that_is_believed(folder: Path) -> None:
    for middle in (True, False):
        dies = f"MIDDLE = {middle}{KILLED}"
        finished(start(folder))  # the next one writes what is new: a kernel, an artifact and an entry
        edit = ("a * 3.0", f"a * {5.0 + middle}")
        killed = start(folder, dies, warm_helpers=edit)
        killed.communicate(timeout=300)
        assert killed.returncode == -9
        assert finished(start(folder, warm_helpers=edit))[0] == 0
        assert finished(start(folder, warm_helpers=edit))[0] == 1


LAZY = """
import json
import numpy as np
import guardlift as gl

def f(x):
    return gl.tanh(x) + gl.nn.functional.relu(x)

x = np.array([-1.0, 0.5], np.float32)
found = gl.jit(f)(gl.tensor(x)).tolist()
assert np.allclose(found, np.tanh(x) + np.maximum(x, 0))
print(json.dumps([gl.artifact_counters()["entry"].hit, gl.artifact_counters()["entry"].save]))
"""


@pytest.mark.slow
def test_names_that_are_imported_when_they_are_asked_for_are_there_for_an_entry(folder: Path) -> None:
    (folder / "program.py").write_text(LAZY)
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(folder / "cache"), "GUARDLIFT_ENTRY_CACHE": "1"}
    command = [sys.executable, "-P", str(folder / "program.py")]
    said = [subprocess.run(command, env=environment, text=True, capture_output=True, check=True) for _ in range(2)]
    assert [json.loads(each.stdout) for each in said] == [[0, 1], [1, 0]]
