"""compute-sanitizer over a process that launches each form of kernel: bad addresses, races, memory that nobody wrote.

Writes sanitizer.log.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import options_of  # noqa: E402
from report import clipped, fault, row, stop  # noqa: E402
from step_report import MARK  # noqa: E402

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SECONDS = 55.0
"""All tools together, in full; each has what the ones before it left."""
_SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")


def main() -> None:
    """Runs each tool and tells what it found."""
    options = options_of(__doc__)
    program = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not Path(program).exists():
        stop("there is no compute-sanitizer on the PATH, nor in /usr/local/cuda/bin")
    launches = [sys.executable, "-P", str(Path(__file__).with_name("forms.py")), "--once"]
    deadline, log = time.monotonic() + SECONDS * (4 if options.tiny else 1), list[str]()
    options.folder.mkdir(parents=True, exist_ok=True)
    for tool in TOOLS:
        start = time.monotonic()
        found, said = run([program, "--tool", tool, "--print-limit", "20", *launches], deadline - start)
        row("sanitizer", tool=tool, found=found, seconds=time.monotonic() - start)
        log.append(f"== {tool}\n{said}")
        (options.folder / "sanitizer.log").write_text(clipped("\n".join(log)))
        if found not in ("0 errors", "no more time"):
            fault(f"{tool}: {found}; see sanitizer.log")


def run(command: list[str], seconds: float) -> tuple[str, str]:
    """What a tool found, in words, and all that was printed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=max(seconds, 1.0))
    except subprocess.TimeoutExpired as error:
        printed = error.stdout or b""
        return "no more time", printed.decode(errors="replace") if isinstance(printed, bytes) else printed
    summary, printed = _SUMMARY.search(done.stdout + done.stderr), done.stdout + done.stderr
    if any(line.startswith(f'{MARK}["fault"') for line in printed.splitlines()):
        return "the process itself failed", printed
    if summary is None:
        return f"no summary, status {done.returncode}", printed
    return f"{summary[1]} errors", printed


if __name__ == "__main__":
    main()
