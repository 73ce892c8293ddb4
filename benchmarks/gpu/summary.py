"""The first page of a report: what ran where, whether it was right, figures beside aims, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from step_report import StepReport, table

MOST_OF_FLOOR = 1.25
"""Times the least that its bytes take: what a function that memory limits should take at most."""
MOST_OF_OTHERS = 1.1
"""Times what the quickest other library takes: what a function that arithmetic limits should take at most."""
NO_OTHERS = ("floor ms", "ours ms")
MOST_SHOWN = 10
WHERE = ("name", "compute capability", "driver knows CUDA", "free GB", "Python", "system", "guardlift", "commit")
"""Rows of the step `machine` that tell where a run was."""


def summary(steps: Sequence[StepReport]) -> list[str]:
    """The page, in Markdown; it holds for the steps that are known so far."""
    known = {step.name: step for step in steps}
    lines = ["## In short", "", *(f"- {each}" for each in _verdicts(known))]
    if figures := _figures(known):
        lines += ["", "Figures beside aims:", "", *table(figures)]
    if advice := _advice(known, figures):
        lines += ["", "What to do next:", "", *(f"{k}. {each}" for k, each in enumerate(advice, 1))]
    return lines


def _rows(known: dict[str, StepReport], step: str, name: str) -> list[dict[str, Any]]:
    return known[step].tables.get(name, []) if step in known else []


def _verdicts(known: dict[str, StepReport]) -> Iterator[str]:
    facts = {each["what"]: each["found"] for each in _rows(known, "machine", "machine")}
    told = [f"{name} {facts[name]}" for name in WHERE if name in facts]
    if told:
        yield f"Where: {', '.join(told)}"
    forms, files = _rows(known, "forms", "forms"), _rows(known, "suite", "suite")
    if forms:
        yield f"Forms of kernels: {sum(each['error'] != 'WRONG' for each in forms)} of {len(forms)} right"
    if files:
        counts = (f"{sum(each[word] for each in files)} {word}" for word in ("passed", "failed", "skipped"))
        yield f"Tests: {', '.join(counts)}"
    for each in _rows(known, "sanitizer", "sanitizer"):
        yield f"compute-sanitizer, {each['tool']}: {each['found']}"
    faults = [(step.name, each) for step in known.values() for each in step.faults]
    for name, each in faults[:MOST_SHOWN]:
        yield f"WRONG, {name}: {each}"
    if len(faults) > MOST_SHOWN:
        yield f"and {len(faults) - MOST_SHOWN} more that are wrong, told with their steps"
    if not faults and forms:
        yield "Nothing wrong was found by the steps that ran"
    for step in known.values():
        if not step.is_done and not step.faults:
            yield f"Not to the end: {step.name}: {step.status}"


def _figures(known: dict[str, StepReport]) -> list[dict[str, Any]]:
    """By task its time, the aim, and whether it is reached; without an aim where nothing was measured beside it."""
    found = []
    for each in _rows(known, "bench", "times"):
        ours = _number(each.get("ours ms"))
        columns = (name for name in each if name.endswith(" ms") and name not in NO_OTHERS)
        others = ((_number(each[name]), name.removesuffix(" ms")) for name in columns)
        quickest = min(((one, name) for one, name in others if one is not None), default=None)
        aim, of = None, "no other library was measured"
        if str(each.get("rate", "")).endswith("GB/s") and (floor := _number(each.get("floor ms"))):
            aim, of = MOST_OF_FLOOR * floor, f"{MOST_OF_FLOOR}x the least that its bytes take"
        elif quickest is not None:
            aim, of = MOST_OF_OTHERS * quickest[0], f"{MOST_OF_OTHERS}x {quickest[1]}"
        row = {"task": each["task"], "ours ms": each.get("ours ms", ""), "aim ms": "" if aim is None else aim, "of": of}
        verdict = "not measured" if ours is None else "" if aim is None else "reached"
        if ours is not None and aim is not None and ours > aim:
            verdict = f"missed: {ours / aim:.2f}x the aim"
        beside = "" if quickest is None else f"{quickest[1]} {quickest[0]:.4g}"
        found.append({**row, "verdict": verdict, "quickest other ms": beside})
    return found


def _number(cell: object) -> float | None:
    try:
        return float(str(cell))
    except ValueError:  # the name of an error, or nothing
        return None


def _advice(known: dict[str, StepReport], figures: Sequence[dict[str, Any]]) -> list[str]:
    """What the steps advise themselves, and what follows from their states."""
    found = [each for step in known.values() for each in step.advice]
    for step in known.values():
        if "no more time" in step.status or "no time was left" in step.status:
            found.append(f'`make gpu GPU="{step.name}"`: alone it has its time for itself')
        elif step.status.startswith("ended with status"):
            found.append(f"read the last lines of {step.name} below, or all of them in steps.log")
    wrong = [str(each["case"]) for each in _rows(known, "forms", "forms") if each["error"] == "WRONG"]
    if wrong:
        found.append(f"`compute-sanitizer python3 -P benchmarks/gpu/forms.py --once {wrong[0]!r}`: is it an address?")
    missed = [str(each["task"]) for each in figures if each["verdict"].startswith("missed")]
    if missed:
        found.append(f'`make gpu GPU="ncu {missed[0].split()[0]}"`: what limits it; missed: {", ".join(missed)}')
    if not found and known and all(step.status != "running" for step in known.values()):
        found.append("copy the table of figures into docs/gpu.md, with the card, the driver and the date")
    return list(dict.fromkeys(found))
