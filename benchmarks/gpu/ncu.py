"""Six kernels under Nsight Compute, at the clocks that the card has: throughput, occupancy, memory. Writes ncu.log."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import options_of  # noqa: E402
from report import clipped, say, stop  # noqa: E402

TASKS = ("chain", "softmax", "layer norm", "Adam", "column sum", "product")
SECTIONS = ("SpeedOfLight", "Occupancy", "MemoryWorkloadAnalysis", "LaunchStats")
SHOWN = ("Duration", "DRAM Throughput", "Memory Throughput", "Compute (SM)", "Achieved Occupancy", "Registers")


def main() -> None:
    """Runs it and tells the lines that matter."""
    options = options_of(__doc__)
    program = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not Path(program).exists():
        stop("there is no ncu on the PATH, nor in /usr/local/cuda/bin")
    command = [program, "--clock-control", "none", "--kernel-name", "regex:guardlift_", "--launch-count", "60"]
    command += [word for section in SECTIONS for word in ("--section", section)]
    command += [sys.executable, "-P", str(Path(__file__).with_name("bench.py")), "--once", *["--tiny"] * options.tiny]
    done = subprocess.run([*command, *(options.names or TASKS)], capture_output=True, text=True, errors="replace")
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "ncu.log").write_text(clipped(done.stdout + done.stderr))
    if "ERR_NVGPUCTRPERM" in done.stdout + done.stderr:
        stop("this user may not read the card's counters (ERR_NVGPUCTRPERM)")
    for line in done.stdout.splitlines():
        if "guardlift_" in line or line.strip().startswith(SHOWN):
            say(" ".join(line.split()))
    if done.returncode:
        stop(f"ncu ended with status {done.returncode}: see ncu.log")


if __name__ == "__main__":
    main()
