"""Programs of the native runtime, assembled from the IR that ships with the package."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guardlift.backend.cpu.compiler import fixed_programs, kernels, ship_programs
from guardlift.backend.cpu.compiler.compiler import content_digest
from guardlift.backend.cpu.compiler.fixed_programs import AGREE, PROGRAMS, FixedProgram, checked_text, obtain_program
from guardlift.core.config import config
from guardlift.core.errors import KernelError

FIRST_CALL = """
import sys
import numpy as np
from guardlift.backend.cpu.compiler.fixed_programs import PROGRAMS, obtain_program
from guardlift.backend.cpu.plan.cpython_api import numpy_functions
for each in PROGRAMS:
    assert obtain_program(each, numpy_functions()).address
assert "numba" not in sys.modules
print("assembled")
"""


def made_by(program: FixedProgram) -> str:
    """The line of a file that says which versions made it."""
    (line,) = [each for each in program.ir_file.read_text().splitlines() if each.startswith("; made by ")]
    return line.removeprefix("; made by ")


@pytest.mark.slow
def test_the_files_are_those_that_the_command_makes() -> None:
    if made_by(AGREE) != ship_programs.made_by():
        for each in PROGRAMS:  # other versions write the same program in other words; its sources are the same
            checked_text(each.ir_file.read_bytes())
        pytest.skip(f"the files were made by {made_by(AGREE)}")
    command = [sys.executable, "-m", ship_programs.__name__, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nrun `make programs`"


def test_no_program_is_for_one_processor_or_names_a_place_of_the_machine() -> None:
    for each in PROGRAMS:
        text = each.ir_file.read_text()
        assert "target-cpu" not in text and "target-features" not in text and "_ZN" not in text
        assert str(Path(fixed_programs.__file__).parents[4]) not in text


def test_a_process_with_an_empty_cache_assembles_them_without_numba(tmp_path: Path) -> None:
    environment = {"GUARDLIFT_CACHE_DIR": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FIRST_CALL],
        capture_output=True, text=True, timeout=300, check=False, env=environment,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "assembled\n"), done.stderr


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with copies of the files, in which programs are looked for, and an empty cache."""
    for each in PROGRAMS:
        (tmp_path / each.ir_file.name).write_bytes(each.ir_file.read_bytes())
    monkeypatch.setattr(fixed_programs, "IR_FOLDER", tmp_path)
    monkeypatch.setattr(kernels, "_cells", {})
    monkeypatch.setattr(kernels, "_stores", {})
    with config.patch(cache_dir=str(tmp_path / "cache")):
        yield tmp_path


def _with_digest(below: bytes) -> bytes:
    return f"{fixed_programs.DIGEST}{content_digest(below)}\n".encode() + below


def _flipped(place: int) -> Any:
    return lambda content: content[:place] + bytes([content[place] ^ 0x80]) + content[place + 1 :]


def _with_other_source(content: bytes) -> bytes:
    line = next(each for each in content.splitlines() if each.startswith(b"; source "))
    return _with_digest(content.partition(b"\n")[2].replace(line, line[:-4] + b"0000"))


def _that_llvm_refuses(content: bytes) -> bytes:
    return _with_digest(b"define i64 @f(")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_flipped(3), "it is damaged"),
        (_flipped(60), "it is damaged"),
        (_flipped(-900), "it is damaged"),
        (lambda content: content[:-100], "it is damaged"),
        (lambda content: b"", "it is damaged"),
        (_with_other_source, "has changed since it was made"),
        (_that_llvm_refuses, "LLVM refuses it"),
    ],
)
def test_a_file_that_is_of_no_use_is_told_of_and_the_program_compiled(own_folder: Path, damage: Any, said: str) -> None:
    path = own_folder / AGREE.ir_file.name
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(RuntimeWarning, match=f"(?s){said}.* is compiled from its source"):
        assert obtain_program(AGREE).address
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernels.forget()
        assert obtain_program(AGREE).address  # from the cache now


def test_so_is_one_that_is_not_there(own_folder: Path) -> None:
    (own_folder / AGREE.ir_file.name).unlink()
    with pytest.warns(RuntimeWarning, match="No such file"):
        assert obtain_program(AGREE).address


def test_a_text_is_checked_by_its_digest() -> None:
    content = AGREE.ir_file.read_bytes()
    assert "; ModuleID" in checked_text(content)
    with pytest.raises(KernelError, match="damaged"):
        checked_text(content.replace(b"define i64 @guardlift_agree", b"define i64 @guardlift_other"))
