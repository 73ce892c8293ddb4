"""Builds the stand-in for CUDA's driver: `python build.py COMMAND ...` runs a command on it.

Without a command it prints the folder that holds libcuda.so.1, libcublasLt.so.13 and ptxas. The folder is named by the
sources and lies in `.cache/stand_in`, beside the kernels that were translated.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parents[3] / ".cache" / "stand_in"
ASSEMBLER = """#!/bin/sh
# What ptxas is asked: to assemble the file named last, or standard input, into the file after -o.
out=
while [ $# -gt 0 ]; do
    case $1 in
    --version) echo "ptxas: the stand-in's"; exit 0 ;;
    -o) out=$2; shift ;;
    esac
    of=$1
    shift
done
{ echo "// cubin of the stand-in"; if [ "$of" = - ]; then cat; else cat "$of"; fi; } > "$out"
"""


def missing() -> str:
    """The compiler that is missing, or nothing."""
    return next((name for name in ("c++", "cc") if shutil.which(name) is None), "")


def built() -> Path:
    """The folder with the library, made where it is missing. Errors: RuntimeError with the compiler's words."""
    sources, translator = sorted((HERE / "driver").iterdir()), sorted((HERE / "translator").glob("*.[ph]*"))
    folder = CACHE / digest_of([Path(__file__), *sources, *translator])
    kernels = CACHE / f"kernels-{digest_of(translator)}"
    if (folder / "libcuda.so.1").exists():
        return folder
    kernels.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        made = Path(scratch) / "made"
        made.mkdir()
        places = {"TRANSLATOR": HERE / "translator", "KERNELS": kernels, "PYTHON": sys.executable}
        given = [f'-D{name}="{place}"' for name, place in places.items()]
        code = "".join(f'#include "{path}"\n' for path in sources if path.suffix == ".cpp")  # one unit: headers once
        command = ["c++", "-std=c++17", "-O2", "-Wall", "-fPIC", "-shared", *given, "-o", str(made / "libcuda.so.1")]
        done = subprocess.run([*command, "-xc++", "-", "-ldl"], input=code, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        (made / "libcublasLt.so.13").symlink_to("libcuda.so.1")
        (made / "ptxas").write_text(ASSEMBLER)
        (made / "ptxas").chmod(0o755)
        try:
            made.rename(folder)
        except OSError:  # another process was faster
            if not folder.exists():
                raise
    return folder


def digest_of(files: list[Path]) -> str:
    """A name for what these files hold."""
    return blake2b(b"".join(path.read_bytes() for path in files), digest_size=8).hexdigest()


def variables(**options: object) -> dict[str, str]:
    """The environment of a process that runs on the stand-in; `options` are those of driver/options.cpp."""
    folder = built()
    return {
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("LD_LIBRARY_PATH")))),
        "GUARDLIFT_PTXAS": str(folder / "ptxas"),
        "NUMBA_ENABLE_CUDASIM": "0",
        "STAND_IN_SEED": os.environ.get("STAND_IN_SEED", "2"),
        **{f"STAND_IN_{name.upper()}": str(value) for name, value in options.items()},
    }


if __name__ == "__main__":
    if sys.argv[1:]:
        os.execvpe(sys.argv[1], sys.argv[1:], os.environ | variables())
    print(built())
