"""Writes the pages that are tables: opcodes.md, graph_breaks.md, numpy_coverage.md and guides/from_pytorch.md.

python docs/tables.py             writes them
python docs/tables.py --check     says what differs; exit code 1 when something does
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy_page
import pytorch_page
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


def pages() -> dict[Path, str]:
    """The text of each page."""
    found = {DOCS / "opcodes.md": opcode_page(), DOCS / "graph_breaks.md": breaks_page()}
    found[DOCS / "guides" / "from_pytorch.md"] = pytorch_page.page()
    return found | {DOCS / "numpy_coverage.md": numpy_page.page()}


def stale() -> list[Path]:
    """The pages that differ from what the code declares."""
    found = pages().items()
    return [page for page, text in found if not page.exists() or page.read_text(encoding="utf-8") != text]


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        different = stale()
        for each in different:
            print(f"docs/{each.name} is stale: make docs-tables")
        sys.exit(bool(different))
    for path, content in pages().items():
        path.write_text(content, encoding="utf-8")
