"""Writes the pages that follow from the code: those of `PAGES`.

python docs/tables.py                       writes them
python docs/tables.py recompiles.md ...     writes some of them
python docs/tables.py --check               says what differs; exit code 1 when something does
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import commands_page
import numpy_page
import pytorch_page
import recompiles_page
from break_examples import parts

from guardlift.frontend.breaks import KINDS
from guardlift.frontend.bytecode.versions.opcodes import OPCODES
from guardlift.frontend.opcodes import REFUSED, TABLE

DOCS = Path(__file__).resolve().parent


def opcode_page() -> str:
    """Every instruction of every version: the module of its handler, or the code of the break that it is."""
    return "\n".join(["# Instructions", "", "<!-- fmt: off -->", "", *_OPCODES_HEAD, *_opcode_rows(), ""])


_OPCODES_HEAD = """
What the tracer does with each instruction of CPython's bytecode: the module of
[frontend/opcodes/](../frontend/opcodes/) that evaluates it, or the [graph break](graph_breaks.md) that it ends in.
`–`: the version has no such instruction. Written by `make docs-tables`.
""".strip().splitlines()


def _opcode_rows() -> Iterator[str]:
    yield ""
    yield f"| | {' | '.join(f'3.{minor}' for minor in OPCODES)} |"
    yield "|---|" + "---|" * len(OPCODES)
    for name in sorted(frozenset().union(*OPCODES.values())):
        cells = (_treatment(name) if name in names else "–" for names in OPCODES.values())
        yield f"| `{name}` | {' | '.join(cells)} |"


def _treatment(name: str) -> str:
    if name in REFUSED:
        code = REFUSED[name][0].code
        return f"[{code}](graph_breaks.md#{code.lower()})"
    return TABLE[name].handler.__module__.rpartition(".")[2]


def breaks_page() -> str:
    """Every kind of graph break: what, why, what to do, and a program that does it."""
    lines = ["# Graph breaks", "", "<!-- fmt: off -->", "", *_BREAKS_HEAD]
    for code in sorted(KINDS):
        kind = KINDS[code]
        lines += ["", f"## {code}", "", f"**{_capital(kind.what)}.** {kind.why}.", "", f"Remedy: {kind.remedy}."]
        breaking, instead = parts(code)
        if breaking:
            lines += ["", "```python", breaking, "```"]
        if instead:
            lines += ["", "With the remedy:", "", "```python", instead, "```"]
    return "\n".join([*lines, ""])


_BREAKS_HEAD = """
Where tracing stops, by the code that a report, a warning or `Unsupported` names. What stands in braces is filled in.
In the examples `x` is an array of four floats. Written by `make docs-tables`.
""".strip().splitlines()


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


PAGES: dict[str, Callable[[], str]] = {
    "opcodes.md": opcode_page,
    "graph_breaks.md": breaks_page,
    "guides/from_pytorch.md": pytorch_page.page,
    "numpy_coverage.md": numpy_page.page,
    "commands.md": commands_page.page,
    "recompiles.md": recompiles_page.page,
}
"""What makes the text of each page, by its name below `docs/`."""


def stale(names: Iterable[str] = tuple(PAGES)) -> list[str]:
    """The pages that differ from what the code declares."""
    found = [(DOCS / name, name) for name in names]
    return [name for page, name in found if not page.exists() or page.read_text(encoding="utf-8") != PAGES[name]()]


if __name__ == "__main__":
    asked = [each for each in sys.argv[1:] if each != "--check"] or list(PAGES)
    if "--check" in sys.argv[1:]:
        different = stale(asked)
        for each in different:
            print(f"docs/{each} is stale: make docs-tables")
        sys.exit(bool(different))
    for each in asked:
        (DOCS / each).write_text(PAGES[each](), encoding="utf-8")
