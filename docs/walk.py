"""Takes two functions from their first call to a call that compiles anew, and shows every stage.

`ARCHITECTURE.md` is this walk with words: first a function over NumPy arrays, then a training step.

python docs/walk.py             prints the stages
python docs/walk.py --update    writes them into ARCHITECTURE.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from bytecode import UNSET

import guardlift as gl
from guardlift import nn
from guardlift.backend.compile import TableCall
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import LaunchGrid
from guardlift.frontend import state_of
from guardlift.frontend.bytecode.decode import decode
from guardlift.graph.printer import print_graph

PAGE = Path(__file__).resolve().parent / "ARCHITECTURE.md"
_BLOCK = re.compile(r"(<!-- walk: (?P<name>[a-z ]+?)(?P<only> \(3\.\d+\))? -->\n```\w*\n)(?P<text>.*?)(```)", re.DOTALL)


@gl.jit
def unit_rows(x, scale):
    """Rows of `x`, centred and brought to length `scale`."""
    centred = x - x.mean(axis=1, keepdims=True)
    length = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
    return scale * centred / length


@gl.jit
def running(a):
    """Running sums of `a` in place, what is negative left out."""
    for i in range(1, a.shape[0]):
        if a[i] < 0:
            a[i] = 0.0
        a[i] += a[i - 1]
    return a


layer = nn.Linear(3, 2)
opt = gl.optim.SGD(layer.parameters(), lr=0.1)


@gl.jit
def train_step(x, y):
    """Moves the weights of `layer` one step down the slope."""
    opt.zero_grad()
    loss = nn.functional.mse_loss(layer(x).tanh(), y)
    loss.backward()
    opt.step()
    return loss


def stages() -> dict[str, str]:
    """Every stage's text, by name, in the order of the walk."""
    found = {**array_stages(), **loop_stages(), **training_stages()}
    return {name: text.rstrip("\n") + "\n" for name, text in found.items()}


def array_stages() -> dict[str, str]:
    """The stages of `unit_rows`."""
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
    found["third call"] = _last_reasons(state)
    return found


def loop_stages() -> dict[str, str]:
    """The stage of `running`."""
    running(np.arange(9.0) - 4)
    state = state_of(running)
    assert state is not None
    return {"native loop": state.entries[0].details["compiled"].kernels[0].loops}


def training_stages() -> dict[str, str]:
    """The stages of `train_step`."""
    x, y = gl.ones(4, 3), gl.zeros(4, 2)
    loss = nn.functional.mse_loss(layer(x).tanh(), y)
    found = {"tape": "\n".join(_tape(loss.grad_fn))}
    del loss
    for rate in (0.1, 0.05, 0.01):
        opt.param_groups[0]["lr"] = rate
        train_step(x, y)
    state = state_of(train_step)
    assert state is not None
    (entry,) = state.entries
    compiled = entry.details["compiled"]
    (table,) = (call for call in compiled.calls if isinstance(call, TableCall))
    found |= {
        "step graph": _shortened(print_graph(entry.details["traced"])),
        "step passes": _shortened(print_graph(entry.details["graph"])),
        "step loops": "\n".join(kernel.loops for kernel in compiled.kernels),
        "table kernel": compiled.kernels[-1].text,
        "table on a device": cuda_text(table.bound.kernel, LaunchGrid(table=True)),
        "step plan": "\n".join(line for line in compiled.plan.describe().splitlines() if " this " not in line),
        "assumptions": "\n".join(f"{each.kind:<24} {each.fact}" for each in entry.assumptions),
    }
    layer.weight = nn.Parameter(gl.zeros(2, 3))
    train_step(x, y)
    found["step recompiled"] = f"{_last_reasons(state)}\nentries: {len(state.entries)}"
    return found


def _argument(arg: object) -> str:
    if arg is UNSET or arg == 0 and not hasattr(arg, "name"):
        return ""
    return str(getattr(arg, "name", arg))


def _last_reasons(state: Any) -> str:
    last = state.history[-1]
    lines = [f"{last.kind} of {last.function}", *(f"  entry {each.entry}: {each.text}" for each in last.reasons)]
    return re.sub(r"at \S*/(\w+\.py):\d+", r"at \1", "\n".join(lines))


def _tape(node: Any, depth: int = 0) -> Iterator[str]:
    """A node of eager's tape and what it saved, then what lies before it."""
    saved = ", ".join(getattr(node, "saved", ()))
    yield f"{'  ' * depth}{node.name()}" + (f"  saves {saved}" if saved else "")
    for before in dict.fromkeys(each for each, _ in node.next_functions if each is not None):
        yield from _tape(before, depth + 1)


def _shortened(graph: str) -> str:
    """A printed graph whose inputs are called as the program calls them."""
    names = {"params___0": "weight", "params___1": "bias"}
    return re.sub(r"opt_param_groups_0___(\w+)", lambda match: names.get(match[1], match[1]), graph)


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
