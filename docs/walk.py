"""Takes one function from its first call to its third and shows every stage. `ARCHITECTURE.md` is this walk with words.

python docs/walk.py             prints the stages
python docs/walk.py --update    writes them into ARCHITECTURE.md
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
from bytecode import UNSET

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.code import decode
from guardlift.graph.printer import print_graph

PAGE = Path(__file__).resolve().parent / "ARCHITECTURE.md"
_BLOCK = re.compile(r"(<!-- walk: (?P<name>[a-z ]+?)(?P<only> \(3\.\d+\))? -->\n```\w*\n)(?P<text>.*?)(```)", re.DOTALL)


@gl.jit
def unit_rows(x, scale):
    """Rows of `x`, centred and brought to length `scale`."""
    centred = x - x.mean(axis=1, keepdims=True)
    length = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
    return scale * centred / length


def stages() -> dict[str, str]:
    """Every stage's text, by name, in the order of the walk."""
    x = np.arange(12.0).reshape(3, 4) ** 2
    first = unit_rows(x, 2.0)
    state = state_of(unit_rows)
    assert state is not None
    entry = state.entries[0]
    compiled = entry.details["compiled"]
    code = unit_rows.__wrapped__.__code__
    listing = [
        f"{each.line - code.co_firstlineno:>2}  {each.name:<14} {_argument(each.arg)}".rstrip()
        for each in decode(code).instructions
    ]
    found = {
        "bytecode": "\n".join(listing),
        "graph": print_graph(entry.details["traced"]),
        "passes": print_graph(entry.details["graph"]),
        "guards": "\n".join(
            f"{guard.kind:<13} {'native' if guard.native else 'entry':<7} {guard.fact()}" for guard in entry.guards
        ),
        "loops": "\n".join(kernel.loops for kernel in compiled.kernels),
        "kernel": "\n".join(kernel.text for kernel in compiled.kernels),
        "plan": compiled.plan.describe(),
        "entry code": state.entry_text(),
    }
    again = unit_rows(x, 3.0)
    assert np.allclose(again, first * 1.5)
    found["second call"] = f"entries: {len(state.entries)}"
    unit_rows(x.astype(np.float32), 3.0)
    last = state.history[-1]
    found["third call"] = "\n".join(
        [f"{last.kind} of {last.function}", *(f"  entry {each.entry}: {each.text}" for each in last.reasons)]
    )
    return {name: text.rstrip("\n") + "\n" for name, text in found.items()}


def _argument(arg: object) -> str:
    if arg is UNSET or arg == 0 and not hasattr(arg, "name"):
        return ""
    return str(getattr(arg, "name", arg))


def blocks(page: str) -> dict[str, tuple[str, str]]:
    """The page's stages: name -> (the CPython it is of, or empty; text)."""
    return {match["name"]: ((match["only"] or "").strip(" ()"), match["text"]) for match in _BLOCK.finditer(page)}


def update(page: str, texts: dict[str, str]) -> str:
    """The page with every stage written anew; a stage of another CPython stays as it is."""
    running = f"3.{sys.version_info.minor}"

    def renew(match: re.Match[str]) -> str:
        if (match["only"] or "").strip(" ()") not in ("", running):
            return match[0]
        return match[1] + texts[match["name"]] + match[5]

    return _BLOCK.sub(renew, page)


if __name__ == "__main__":
    shown = stages()
    if "--update" in sys.argv[1:]:
        PAGE.write_text(update(PAGE.read_text(encoding="utf-8"), shown), encoding="utf-8")
    else:
        for stage, text in shown.items():
            print(f"== {stage}\n{text}")
