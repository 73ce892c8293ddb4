"""The wheel of `pip install`: every module of the tree, nothing that only lies beside it, and imports that work."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest
from repository.tree import ROOT, dotted, folders_of_code, package_files, package_folders

from guardlift.backend.cpu.compiler.fixed_programs import PROGRAMS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed, run away from the repository and from variables that lead to it."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, f"{command[:4]}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the sources, so that leftovers in build/ cannot get into it."""
    copy = tmp_path_factory.mktemp("sources") / "some-folder"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.egg-info"))
    # Without isolation there is nothing to fetch; an environment whose setuptools is too old fetches one.
    try:
        ready = int(importlib.metadata.version("setuptools").split(".")[0]) >= 77
    except importlib.metadata.PackageNotFoundError:
        ready = False
    output = copy.parent / "wheel"
    run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        *(["--no-isolation"] * ready),
        "--outdir",
        output,
        copy,
        cwd=copy.parent,
    )
    return next(output.glob("guardlift-*.whl"))


@pytest.fixture(scope="module")
def clean_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that holds the wheel; what the wheel depends on is borrowed from here."""
    home = tmp_path_factory.mktemp("clean") / "env"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=wheel.parent)
    python = home / "bin" / "python"
    # A folder named in a .pth file comes behind the environment's own, and its .pth files are not run: the editable
    # install of the checkout stays out of sight.
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=wheel.parent).strip())
    (own / "borrowed.pth").write_text("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}) + "\n")
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-compile",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=wheel.parent,
    )
    return python


def test_the_list_of_packages_is_the_tree() -> None:
    listed = PROJECT["tool"]["setuptools"]["packages"]
    in_tree = [dotted(folder) for folder in package_folders()]
    lines = "\n".join(f'    "{name}",' for name in in_tree)
    assert listed == in_tree, f"tool.setuptools.packages should read:\n{lines}"


def test_every_folder_with_modules_has_an_init() -> None:
    folders = {file.parent.relative_to(ROOT) for top in folders_of_code() for file in (ROOT / top).rglob("*.py")}
    assert sorted(folders - set(package_folders())) == []


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_beside_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {f"guardlift/{file}" for file in package_files()} | {
        "guardlift/py.typed",
        "guardlift/tools/report_schema.json",
        "guardlift/tools/record/record_schema.json",
        *(f"guardlift/tools/page/{name}" for name in ("page.html", "page.css", "page.js")),
        *(f"guardlift/backend/cpu/runner/ir/{each.ir_file.name}" for each in PROGRAMS),
    }
    assert names == expected


IMPORT_ALL = """
import importlib, importlib.metadata, sys, traceback
import guardlift
assert guardlift.__file__.startswith(sys.prefix), guardlift.__file__
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception:
        traceback.print_exc(limit=-1, file=sys.stdout)
print(importlib.metadata.version("guardlift"))
"""


@pytest.mark.slow
def test_every_module_of_the_wheel_can_be_imported_in_a_clean_environment(clean_python: Path, tmp_path: Path) -> None:
    script = tmp_path / "import_all.py"
    script.write_text(IMPORT_ALL)
    output = run(clean_python, "-P", script, *(dotted(file) for file in package_files()), cwd=tmp_path)
    assert output.strip() == PROJECT["project"]["version"], output


def test_the_command_is_installed_and_answers(clean_python: Path) -> None:
    assert "guard-explain" in run(clean_python.parent / "guard-explain", "--help", cwd=clean_python.parent)
