"""All that is on this machine: Python, the driver and its card, memory, libraries, tools; and whether a kernel runs."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import Card, options_of  # noqa: E402
from checkout import ROOT  # noqa: E402
from report import fault, row, say, stop  # noqa: E402

LEAST_PYTHON = (3, 11)
LEAST_FREE = 1 << 30
"""Bytes of the card below which nothing is begun."""
PACKAGES = (
    *("numpy", "llvmlite", "numba", "numba-cuda", "nvidia-nvvm", "nvidia-nvjitlink", "cuda-toolkit", "cuda-bindings"),
    *("nvidia-nvvm-cu12", "nvidia-nvjitlink-cu12", "nvidia-cuda-nvcc-cu12", "torch", "triton", "cupy-cuda12x"),
    *("cupy-cuda13x", "jax", "pytest", "pytest-xdist", "hypothesis", "ml_dtypes", "bytecode", "networkx", "jinja2"),
)
PROGRAMS = ("nvidia-smi", "nvcc", "ptxas", "compute-sanitizer", "ncu", "nsys", "cc", "c++")
NEEDED = ("numpy", "llvmlite", "bytecode", "ml_dtypes", "networkx", "jinja2")
ASKED = "name,driver_version,clocks.sm,clocks.mem,power.limit,temperature.gpu,ecc.mode.current,mig.mode.current"


def main() -> None:
    """Tells what is there; stops with the reason where nothing can be run."""
    options_of(__doc__)
    row("machine", what="Python", found=sys.version.split()[0])
    row("machine", what="system", found=platform.platform())
    row("machine", what="processors that may be used", found=len(os.sched_getaffinity(0)))
    for name in PACKAGES:
        try:
            row("machine", what=name, found=version(name))
        except PackageNotFoundError:
            continue
    for name in PROGRAMS:
        if path := shutil.which(name):
            row("machine", what=name, found=path)
    if sys.version_info < LEAST_PYTHON:
        stop(
            f"Python {'.'.join(map(str, LEAST_PYTHON))} or later is needed, this is {sys.version.split()[0]}",
            "`make gpu GPU_PYTHON=/path/to/python3.12`",
        )
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        stop(
            f"packages are missing: {', '.join(missing)}",
            f"`pip install --target build/gpu-packages {' '.join(missing)}`, here or where there is a network",
        )
    look_at_card()
    look_at_compiler()
    run_one_kernel()


def look_at_card() -> None:
    """Tells what the driver says, and `nvidia-smi`, which is asked and told nothing."""
    try:
        facts = Card().facts()
    except OSError as error:
        stop(
            f"no GPU can be used, there is no driver: {error}",
            "install NVIDIA's driver; a container has to be given the GPU",
        )
    except RuntimeError as error:
        stop(f"no GPU can be used: {error}", "`nvidia-smi` shows GPUs and who uses them; see CUDA_VISIBLE_DEVICES")
    for what, found in facts.items():
        row("machine", what=what, found=found)
    if Card().memory()[0] < LEAST_FREE:
        stop(
            f"less than {LEAST_FREE >> 20} MiB of the card are free: somebody else uses it",
            "`nvidia-smi` shows who; wait, or choose another GPU by CUDA_VISIBLE_DEVICES",
        )
    if shutil.which("nvidia-smi"):
        command = ["nvidia-smi", f"--query-gpu={ASKED}", "--format=csv,noheader"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        say(f"nvidia-smi, {ASKED}: {done.stdout.strip() or done.stderr.strip()}")
    seen = os.environ.get("CUDA_VISIBLE_DEVICES")
    say(f"CUDA_VISIBLE_DEVICES is {seen!r}")


def look_at_compiler() -> None:
    """Tells whether kernels can be compiled here, and with what they would be assembled."""
    from guardlift.backend.cuda.compiler import assembler, nvvm
    from guardlift.backend.cuda.compiler.compiler import compiler_versions

    row("machine", what="compiler", found=compiler_versions() or "none: kernels come from the cache on disk alone")
    if compiler_versions() and nvvm.library() is None:
        say("libNVVM cannot be loaded, so kernels come from the cache on disk alone")
    linker = assembler._jit_link()
    row("machine", what="assembler", found=linker._name if linker else shutil.which("ptxas") or "the driver's own")


def run_one_kernel() -> None:
    """Runs one kernel, with a result that is known."""
    import guardlift as gl
    from guardlift.backend.cuda.compiler.device_code import counters

    row("machine", what="guardlift", found=gl.__version__)
    row("machine", what="commit", found=commit())
    row("machine", what="cache on disk", found=str(gl.config.cache_folder))
    try:
        found = gl.jit(lambda x: x * 2 + 1, fullgraph=True)(gl.tensor([1.0, 2.0, 3.0]).to("cuda")).tolist()
    except gl.cuda.OldDriverError as error:
        stop(
            f"a kernel cannot be run: {error}",
            "a newer driver, or a compiler of kernels of its version; see docs/gpu.md",
        )
    except (gl.cuda.CudaError, ImportError, gl.GuardliftError) as error:
        stop(
            f"a kernel cannot be run: {error}", "without a compiler kernels come from `make gpu-pack`; see docs/gpu.md"
        )
    if found != [3.0, 5.0, 7.0]:
        fault(f"x * 2 + 1 of 1, 2, 3 is {found}")
    say(f"one kernel ran; its code was {'on disk' if counters.found else 'compiled here'}")
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    ctypes.CDLL("libcuda.so.1").cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total))
    row("machine", what="free GB afterwards", found=free.value / 1e9)


def commit() -> str:
    """The commit that is checked out, and whether files differ from it; a question mark where git does not say."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, text=True) if shutil.which("git") else None
    return (done.stdout.strip() if done is not None else "") or "?"


if __name__ == "__main__":
    main()
