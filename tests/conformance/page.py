"""Writes docs/conformance.md from what the runs of cpython.py left in results/, one file for each version of Python."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "conformance.md"

START = """# CPython's own tests, with every test's function jitted

`make conformance` runs {count} of the test modules that come with CPython. Each test's function is replaced by `gl.jit`
of it, with `gl.config.trace_without_arrays` on, and called twice, each time on a fresh instance between its own `setUp`
and `tearDown`. What both calls give (passed, or each failure with its exception and message) is compared with a plain
run in another process.

- **same**: tests with the same outcome in both calls, of those that are not skipped plainly.
- **whole**: tests of which the second call ran none of the body's own instructions, only guards and what rebuilds the
  result, and no function of the test, of unittest, of `re` or of the library under test ran while tracing. On 3.12 and
  later `sys.monitoring` watches the body's instructions; on 3.11 the function's entries and history tell.

A module is **clean** when every outcome is the same, no process crashed, and no error inside guardlift was noted.
"""

DYNAMO = """
For comparison: on tests of these modules, TorchDynamo (torch 2.13, CPython 3.11) gives the same outcome in 93.9 %,
graph breaks allowed, and traces 43.9 % whole.
"""


def write_page() -> None:
    """Write the page anew from all the results there are."""
    versions = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(HERE.glob("results/*.json"))}
    tables = {version: {each["module"]: each for each in data["modules"]} for version, data in versions.items()}
    modules = list(dict.fromkeys(name for table in tables.values() for name in table))
    text = START.format(count=len(modules)) + _totals(versions) + DYNAMO + _modules(tables, modules)
    PAGE.write_text(text + _unclean(tables) + _causes(tables) + _exclusions(), encoding="utf-8")


def _totals(versions: dict[str, Any]) -> str:
    lines = ["\n## All modules\n", "| CPython | tests | same | whole | modules clean |", "|---|---:|---:|---:|---:|"]
    for data in versions.values():
        run = [each for each in data["modules"] if each["tests"]]
        tests, same, whole = (sum(each[key] for each in run) for key in ("tests", "same", "whole"))
        clean = sum(_is_clean(each) for each in run)
        lines.append(
            f"| {data['python']} | {tests} | {same} ({same / tests:.1%}) | {whole} ({whole / tests:.1%}) "
            f"| {clean} of {len(run)} |"
        )
    return "\n".join(lines) + "\n"


def _is_clean(result: Any) -> bool:
    return not result["differences"] and not result["internal"]


def _modules(tables: dict[str, Any], modules: list[str]) -> str:
    lines = ["\n## Each module: tests, same, whole\n"]
    lines.append("| module | " + " | ".join(tables) + " |")
    lines.append("|---|" + "---|" * len(tables))
    for name in modules:
        cells = [_cell(table.get(name)) for table in tables.values()]
        lines.append(f"| test_{name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(result: Any) -> str:
    if result is None or not result["tests"]:
        return "absent"
    figures = f"{result['tests']}, {result['same']}, {result['whole']}"
    return figures if _is_clean(result) else f"**{figures}**"


def _unclean(tables: dict[str, Any]) -> str:
    lines = ["\n## Modules that are not clean\n"]
    for version, table in tables.items():
        for name, result in table.items():
            if _is_clean(result):
                continue
            lines.append(f"- test_{name} on {version}: {len(result['differences'])} of {result['tests']}")
            if result["internal"]:
                lines.append(f"  - {result['internal']} with an error inside guardlift (the call ran as plain Python)")
            lines += [
                f"  - `{test}`: {plain} plainly, {jitted} jitted" for test, plain, jitted in result["differences"]
            ]
    return "\n".join(lines if len(lines) > 1 else [*lines, "None."]) + "\n"


def _causes(tables: dict[str, Any]) -> str:
    lines = ["\n## Why tests are not traced whole\n", "The breaks that end most traces, by the number of tests.\n"]
    for version, table in tables.items():
        counted: Counter[str] = Counter()
        for result in table.values():
            counted.update(dict(result["breaks"]))
        lines += [f"- {version}: {count} × {text}" for text, count in counted.most_common(8)]
    return "\n".join(lines) + "\n"


def _exclusions() -> str:
    lines = ["\n## Tests left out\n"]
    for line in (HERE / "exclusions.txt").read_text(encoding="utf-8").splitlines():
        fields = [each.strip() for each in line.split("|")]
        if len(fields) == 4 and not line.startswith("#"):
            lines.append(f"- test_{fields[0]} `{fields[1]}` ({fields[2]}): {fields[3]}")
    return "\n".join(lines if len(lines) > 1 else [*lines, "None."]) + "\n"


if __name__ == "__main__":
    write_page()
