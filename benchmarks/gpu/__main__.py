"""One run on a machine with a GPU: what is there, whether kernels are right, and how quick they are; then a report.

`make gpu` runs it; `make gpu GPU="bench softmax"` runs a step, or what holds a word of `forms`, `suite`, `bench`,
`peers` and `ncu`. It needs no network, and takes eight minutes at most. It changes no setting of the card.
Files: report.md and report.json, which are written anew after everything that a step tells, so that a run that is cut
off still tells; and suite.jsonl, suite.log, sanitizer.log, ncu.log, steps.log, sizes.json. The exit status is 1 when
something is wrong.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # -P leaves this folder out

from checkout import surroundings  # noqa: E402
from report import Report, clipped  # noqa: E402
from step_report import MARK, StepReport  # noqa: E402

SECONDS = 480.0
"""All steps together."""
PATIENCE = 30
"""Times as long as that a rehearsal may take, and each of its steps: it runs kernels on processors, which may be two
and have other work, so its limits only see to it that what hangs ends."""


@dataclass(frozen=True)
class Step:
    """A step: its title, its program with arguments, its most seconds, and the steps that have to be done before."""

    title: str
    program: str
    seconds: float
    needs: tuple[str, ...] = ("machine",)
    takes_names: bool = False


STEPS = {
    "machine": Step("what is there", "machine.py", 40, ()),
    "ceilings": Step("what the card and its libraries can do", "ceilings.py", 30),
    "forms": Step("each form of kernel beside NumPy in float64", "forms.py", 100, takes_names=True),
    "suite": Step("the tests of kernels on a GPU", "suite.py", 120, ("machine", "forms"), takes_names=True),
    "sanitizer": Step("compute-sanitizer over each form of kernel", "sanitizer.py", 60),
    "bench": Step("times of jitted functions", "bench.py", 90, ("machine", "forms"), takes_names=True),
    "peers": Step("times of the same in other libraries", "peers.py", 80, takes_names=True),
    "ncu": Step("six kernels under Nsight Compute", "ncu.py", 40, ("machine", "forms"), takes_names=True),
}
SAME_TABLE = {"peers": "bench"}
"""Steps whose rows go to the table of another one."""


def main() -> int:
    """Runs the steps that are asked for; the exit status."""
    parser = argparse.ArgumentParser(prog="gpu", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="step", help=f"{', '.join(STEPS)}; then words of what is wanted")
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("GPU_REPORT") or "build/gpu"))
    parser.add_argument("--rehearse", action="store_true", help="tiny sizes, for the tests' stand-in for a GPU")
    options = parser.parse_args()
    asked = [name for name in STEPS if name in options.names]
    words = [name for name in options.names if name not in STEPS]
    if words and not any(STEPS[name].takes_names for name in asked):
        parser.error(f"no such step: {', '.join(words)}; steps are {', '.join(STEPS)}")
    heading = "Rehearsal without a GPU: times mean nothing" if options.rehearse else "A run on a GPU"
    report = Report(options.folder.resolve(), f"{heading}, {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC")
    ended = run_steps(report, asked or list(STEPS), words, options.rehearse)
    print(f"{report.folder / 'report.md'}")
    return ended


def run_steps(report: Report, names: Sequence[str], words: Sequence[str], tiny: bool) -> int:
    """Runs steps one after the other; 1 where one of them found something wrong, or could not end."""
    patience = PATIENCE if tiny else 1
    deadline, known = time.monotonic() + SECONDS * patience, dict[str, StepReport]()
    log: list[str] = []
    for name in names:
        step = STEPS[name]
        mine = known[name] = report.begin(name, step.title)
        missing = [each for each in step.needs if each in known and not known[each].is_done]
        if missing:
            mine.status = f"left out: {', '.join(missing)} found something wrong, or was not done"
        else:
            command = [sys.executable, "-P", str(HERE / step.program), "--folder", str(report.folder)]
            command += ["--tiny"] * tiny + list(words) * step.takes_names
            seconds = min(step.seconds * patience, deadline - time.monotonic())
            target = known.get(SAME_TABLE.get(name, ""), mine)
            log += [f"== {name}", run_step(command, seconds, mine, target, report)]
            (report.folder / "steps.log").write_text(clipped("\n".join(log)))
        print(f"{name}: {mine.status}, {mine.seconds:.1f} s", flush=True)
        for each in mine.faults:
            print(f"    {each}", flush=True)
        report.write()
    stopped = "machine" in known and not known["machine"].is_done
    return int(stopped or any(each.faults or each.status.startswith("ended") for each in known.values()))


def run_step(command: Sequence[str], seconds: float, mine: StepReport, target: StepReport, report: Report) -> str:
    """Runs a step, enters what it tells, and gives what else it printed. target: where its tables go."""
    if seconds <= 0:
        mine.status = "left out: no time was left"
        return ""
    start, lines = time.monotonic(), Queue[str | None]()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env=surroundings(),
    )
    assert process.stdout is not None
    printed: list[str] = []
    reader = Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    while True:
        left = start + seconds - time.monotonic()
        try:
            line = lines.get(timeout=max(left, 0.01))
        except Empty:
            mine.status = f"ended after {seconds:.0f} s: no more time"
            _end(process)
            break
        if line is None:
            break
        if line.startswith(MARK):
            (target if line.startswith(f'{MARK}["row"') else mine).take(line)
            mine.seconds = time.monotonic() - start
            report.write()
        else:
            printed.append(line)
    status = process.wait()
    _end(process)  # whatever it has left behind
    mine.seconds = time.monotonic() - start
    if mine.status == "running":
        mine.status = "done" if not status else f"ended with status {status}"
        if mine.faults and not status:
            mine.status = f"wrong in {len(mine.faults)} points"
        if status:
            mine.texts += [each.rstrip() for each in printed[-12:]]
    return "".join(printed)


def _read(stream: object, lines: Queue[str | None]) -> None:
    for line in stream:  # type: ignore[attr-defined]
        lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    """Ends a step and what it has started, which are a group of processes of their own."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(5)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


if __name__ == "__main__":
    sys.exit(main())
