"""Takes functions from their first call to a call that compiles anew, and shows every stage.

`ARCHITECTURE.md` is this walk with words, for a function over NumPy arrays; the pages in `architecture/` go on from it.

python docs/walk.py             prints the stages
python docs/walk.py --update    writes them into the pages
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from bytecode import UNSET

import guardlift as gl
from guardlift import nn
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import LaunchGrid
from guardlift.backend.launch.calls import ForeachCall
from guardlift.frontend import state_of
from guardlift.frontend.bytecode.decode import decode
from guardlift.graph.printer import print_graph

FOLDER = Path(__file__).resolve().parent
PAGES = [FOLDER / "ARCHITECTURE.md", *sorted((FOLDER / "architecture").glob("*.md"))]
_BLOCK = re.compile(r"(<!-- walk: (?P<name>[a-z ]+?)(?P<only> \(3\.\d+\))? -->\n```\w*\n)(?P<text>.*?)(```)", re.DOTALL)


@gl.jit
def unit_rows(x, scale):
    """Rows of `x`, centred and brought to length `scale`."""
    centred = x - x.mean(axis=1, keepdims=True)
    length = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
    return scale * centred / length


class Interval:
    """The least and the greatest of some numbers."""

    def __init__(self, low, high):
        self.low, self.high = low, high


@gl.jit
def bounds(x, seen):
    """The bounds of `x`, which are also put at the end of the list `seen`."""
    found = Interval(x.min(), x.max())
    seen.append(found)
    return found


@gl.jit
def running(a):
    """Running sums of `a` in place, what is negative left out."""
    for i in range(1, a.shape[0]):
        if a[i] < 0:
            a[i] = 0.0
        a[i] += a[i - 1]
    return a


@gl.jit
def states(xs, h, w):
    """What a recurrent network holds after each step. Shapes: xs [time, batch, n], h [batch, n], w [n, n]."""
    out = []
    for x in xs:
        h = gl.tanh(x + h @ w)
        out.append(h)
    return gl.stack(out)


@gl.jit
def clipped(x, w):
    """The product of `x` and `w`, brought to length 1 where it is longer."""
    h = x @ w
    norm = h.norm()
    if norm > 1:
        h = h / norm
    return h


@gl.jit
def announced(x):
    """One more than twice `x`; prints the sum on the way."""
    y = x * 2
    print(y.sum())
    return y + 1


class Square(gl.autograd.Function):
    """The square of a tensor, with its derivative written out."""

    @staticmethod
    def forward(ctx, x):
        """Keeps `x` for backward."""
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        """The gradient of `x`."""
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


@gl.jit
def limited(x):
    """The squares of `x`; what goes back through them is cut off at 1."""
    y = Square.apply(x)
    y.register_hook(lambda gradient: gradient.clamp(-1, 1))
    y.sum().backward()
    return y


@gl.jit
def score(x):
    """How far from 0 the answers of `layer` lie."""
    return layer(x).tanh().square().mean()


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
    parts = (array_stages, object_stages, break_stages, loop_stages, hook_stages, outside_stages, training_stages)
    found = {name: text for part in parts for name, text in part().items()}
    return {name: text.rstrip("\n") + "\n" for name, text in found.items()}


def array_stages() -> dict[str, str]:
    """The stages of `unit_rows`, with a fourth call that has more rows."""
    x = np.arange(12.0).reshape(3, 4) ** 2
    first = unit_rows(x, 2.0)
    state = state_of(unit_rows)
    assert state is not None
    entry = state.entries[0]
    compiled, traced = entry.details["compiled"], print_graph(entry.details["traced"])
    code = unit_rows.__wrapped__.__code__
    listing = [
        f"{each.line - code.co_firstlineno:>2}  {each.name:<14} {_argument(each.arg)}".rstrip()
        for each in decode(code).instructions
    ]
    found = {
        "bytecode": _excerpt("\n".join(listing), (" 3  ", "mean"), ("SUBTRACT", "STORE_FAST")),
        "graph": _excerpt(traced, ("graph", "%6"), ("%10", "}")),
        "passes": _changes(traced, print_graph(entry.details["graph"])),
        "guards": _guards(entry),
        "loops": _excerpt(compiled.kernels[0].loops, ("kernel", "t4"), ("t12", "p2[")),
        "kernel": _excerpt(compiled.kernels[0].text, ("def ", "p0"), ("for i0", "r1 =")),
        "plan": compiled.plan.describe(),
        "entry code": state.entry_text(),
    }
    again = unit_rows(x, 3.0)
    assert np.allclose(again, first * 1.5)
    entries = f"entries: {len(state.entries)}"
    unit_rows(x.astype(np.float32), 3.0)
    found["two more calls"] = f"{entries}\n{_last_reasons(state)}"
    unit_rows(np.ones((5, 4)), 3.0)
    (free,) = (each for each in state.entries if "shape" in _guards(each))
    found |= {
        "other sizes": _last_reasons(state),
        "sizes in the graph": _excerpt(print_graph(free.details["traced"]), ("graph", "%4")),
        "guards on sizes": _guards(free),
    }
    unit_rows(np.ones((7, 9)), 3.0)
    found["more sizes"] = f"entries: {len(state.entries)}"
    return found


def object_stages() -> dict[str, str]:
    """The stages of `bounds`."""
    bounds(np.arange(3.0), [])
    state = state_of(bounds)
    assert state is not None
    (entry,) = state.entries
    guards = _excerpt(
        _guards(entry), ("Interval is", "Interval is"), ("__mro__", "__del__"), ("Interval.__init__ is", "low")
    )
    return {"effects": entry.block, "guards on a class": guards}


def break_stages() -> dict[str, str]:
    """The stages of `announced`."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore", gl.GraphBreakWarning)
        announced(np.arange(3.0))
    state = state_of(announced)
    assert state is not None
    before, behind = state.entries
    graphs = "\n".join(print_graph(each.details["traced"]) for each in (before, behind))
    return {"split graphs": graphs, "split": before.block, "section": behind.block}


def loop_stages() -> dict[str, str]:
    """The stages of `running`, `states` and `clipped`."""
    running(np.arange(9.0) - 4)
    states(gl.zeros(10, 2, 3), gl.zeros(2, 3), gl.zeros(3, 3))
    clipped(gl.ones(2, 3), gl.ones(3, 3))
    found = {}
    for name, function in (("native loop", running), ("tensor loop", states), ("tensor cond", clipped)):
        state = state_of(function)
        assert state is not None
        details = state.entries[0].details
        if function is running:
            found[name] = details["compiled"].kernels[0].loops
            continue
        found[name] = _folded(_excerpt(print_graph(details["traced"]), (name.split()[1], "}")))
        found[f"plan of a {name}"] = _excerpt(details["compiled"].plan.describe(), ("steps:", "returns"))
    return found


def hook_stages() -> dict[str, str]:
    """The stage of `limited`."""
    limited(gl.ones(3, requires_grad=True))
    state = state_of(limited)
    assert state is not None
    return {"hooked graph": print_graph(state.entries[0].details["traced"])}


def outside_stages() -> dict[str, str]:
    """The stages of `score`."""
    result = score(gl.ones(4, 3))
    state = state_of(score)
    assert state is not None
    ((record,),) = (each.details["aot"] for each in state.entries)
    found = {
        "history": "\n".join(_tape(result.grad_fn)),
        "forward half": print_graph(record.pair.forward),
        "backward half": print_graph(record.pair.backward),
    }
    return found


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
    (table,) = (call for call in compiled.calls if isinstance(call, ForeachCall))
    found |= {
        "step graph": _excerpt(
            _renamed(print_graph(entry.details["traced"])), ("%0", "mean"), ("join", "return"), ("}", "}")
        ),
        "step loops": compiled.kernels[-1].loops,
        "table on a device": cuda_text(table.bound.kernel, LaunchGrid(table=True)),
        "step plan": _excerpt(compiled.plan.describe(), ("lifted", "lifted"), ("steps:", "returns")),
        "assumptions": _excerpt(
            "\n".join(f"{each.kind:<24} {each.fact}" for each in entry.assumptions),
            ("SGD", "hooks"),
            ("Linear._parameters", "values"),
        ),
    }
    layer.weight = nn.Parameter(gl.zeros(2, 3))
    train_step(x, y)
    found["step recompiled"] = f"{_last_reasons(state)}\nentries: {len(state.entries)}"
    return found


def _argument(arg: object) -> str:
    if arg is UNSET or arg == 0 and not hasattr(arg, "name"):
        return ""
    return str(getattr(arg, "name", arg))


def _guards(entry: Any) -> str:
    rows = ((guard.kind, "native" if guard.native else "entry", guard.fact()) for guard in entry.guards)
    return "\n".join(f"{kind:<13} {where:<7} {fact}" for kind, where, fact in rows)


def _last_reasons(state: Any) -> str:
    last = state.history[-1]
    lines = [f"{last.kind} of {last.function}", *(f"  entry {each.entry}: {each.text}" for each in last.reasons)]
    return re.sub(r"at \S*/(\w+\.py):\d+", r"at \1", "\n".join(lines))


def _tape(node: Any, depth: int = 0) -> Iterator[str]:
    """A node of eager's tape and what it saved, then what lies before it."""
    saved = ", ".join(each for each in getattr(node, "saved", ()) if isinstance(each, str))
    yield f"{'  ' * depth}{node.name()}" + (f"  saves {saved}" if saved else "")
    for before in dict.fromkeys(each for each, _ in node.next_functions if each is not None):
        yield from _tape(before, depth + 1)


def _renamed(graph: str) -> str:
    """A printed graph whose inputs are called as the program calls them."""
    names = {"params___0": "weight", "params___1": "bias"}
    return re.sub(r"opt_param_groups_0___(\w+)", lambda match: names.get(match[1], match[1]), graph)


def _excerpt(text: str, *spans: tuple[str, str]) -> str:
    """Some lines of a text: of each span those from its first word to the next line with its second word."""
    lines, kept, start = text.splitlines(), set[int](), 0
    for first, last in spans:
        start = next(at for at in range(start, len(lines)) if first in lines[at])
        stop = next(at for at in range(start, len(lines)) if last in lines[at])
        kept |= set(range(start, stop + 1))
    shown: list[str] = []
    for at, line in enumerate(lines):
        if at in kept:
            shown.append(line)
        elif not shown or not shown[-1].endswith("..."):
            shown.append(f"{line[: len(line) - len(line.lstrip())]}...")
    return "\n".join(shown)


def _changes(before: str, after: str) -> str:
    """The lines in which two texts differ."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    return "\n".join(f"-{old}\n+{new}" for old, new in pairs if old != new)


def _folded(graph: str) -> str:
    """A printed graph, each attribute of its long lines on a line of its own."""
    lines = (re.sub(r", (?=\w+=)", ",\n      ", line) if len(line) > 120 else line for line in graph.splitlines())
    return "\n".join(lines)


def blocks(page: str) -> dict[str, tuple[str, str]]:
    """The stages of a page: name -> (the CPython it is of, or empty; text)."""
    return {match["name"]: ((match["only"] or "").strip(" ()"), match["text"]) for match in _BLOCK.finditer(page)}


def update(page: str, texts: dict[str, str]) -> str:
    """A page with every stage written anew; a stage of another CPython stays as it is."""
    running = f"3.{sys.version_info.minor}"

    def renew(match: re.Match[str]) -> str:
        if (match["only"] or "").strip(" ()") not in ("", running):
            return match[0]
        return match[1] + texts[match["name"]] + match[5]

    return _BLOCK.sub(renew, page)


if __name__ == "__main__":
    shown = stages()
    if "--update" in sys.argv[1:]:
        for page in PAGES:
            page.write_text(update(page.read_text(encoding="utf-8"), shown), encoding="utf-8")
    else:
        for stage, text in shown.items():
            print(f"== {stage}\n{text}")
