"""Each form of kernel beside NumPy in float64, with memory that is filled with noise first and looked at afterwards.

Every block that is taken from the driver is all ones (NaN for floats) with a margin of another pattern on both sides:
an element that nobody wrote is a NaN, and one that was written beside the block is found. Blocks are given back before
each call, so that none holds the result of the last one. `--once` calls each form once and compares nothing, for the
tools that watch a process.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import numpy as np  # noqa: E402
from card import Card, go_on_after, left, options_of  # noqa: E402
from report import fault, row, say  # noqa: E402

import guardlift as gl  # noqa: E402
from guardlift import nn  # noqa: E402

Array = np.ndarray[Any, Any]
MARGIN = 256
"""Bytes on each side of a block."""
PATTERN = 0x5A
"""What they are: a float of some size, not NaN, which arithmetic might give as well."""
FORMS = frozenset({"thread", "rows", "warp", "block", "grid", "row parts", "table", "tiles", "blocks"})
"""The teams and schemes of `guardlift.backend.cuda`; one that no case has launched is told."""


@dataclass(frozen=True)
class Case:
    """A function that is jitted, its arguments, and the same in NumPy; how far results may be off.

    arguments: arrays; floats of 32 bits become float64 for `meaning`. near: relative, and absolute by the largest.
    """

    name: str
    function: Callable[..., Any]
    arguments: Callable[[], tuple[Array, ...]]
    meaning: Callable[..., Any]
    near: float = 2e-6


def normal(*shape: int, dtype: str = "f4") -> Array:
    """Draws that are the same in each run."""
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


def softmax(x: Array) -> Array:
    """Along the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def normed(x: Array) -> Array:
    """Layer normalisation along the last axis."""
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


def attended(q: Any, k: Any, v: Any, g: Any) -> Any:
    """Attention with its gradients."""
    given = [each.detach().clone().requires_grad_() for each in (q, k, v)]
    k, v = (each[:, :, :150] for each in given[1:])  # with gaps between the heads
    result = nn.functional.scaled_dot_product_attention(given[0], k, v, is_causal=True)
    return (result.detach(), *(each[:, :, :150] for each in gl.autograd.grad(result, given, g)))


def attended_meaning(q: Array, k: Array, v: Array, g: Array) -> tuple[Array, ...]:
    """The same, by the definition."""
    k, v = k[:, :, :150], v[:, :, :150]
    scores = q @ k.transpose(0, 1, 3, 2) / 8
    shares = softmax(np.where(np.tri(150, dtype=bool), scores, -np.inf))
    slopes = g @ v.transpose(0, 1, 3, 2)
    slopes = shares * (slopes - (slopes * shares).sum(-1, keepdims=True)) / 8
    turned = (0, 1, 3, 2)
    return shares @ v, slopes @ k, slopes.transpose(turned) @ q, shares.transpose(turned) @ g


def rows_case(columns: int, rows: int = 37) -> Case:
    """Rows of so many elements: what reduces one depends on that."""
    return Case(
        f"softmax, layer norm and argmax over {columns}",
        lambda x: (gl.softmax(x, 1), nn.functional.layer_norm(x, (columns,)), x.argmax(1)),
        lambda: (normal(rows, columns),),
        lambda x: (softmax(x), normed(x), x.argmax(1)),
    )


def stepped_loop(x: Any) -> Any:
    """A loop of launches."""
    total = gl.zeros(x.shape[1], device=x.device)
    for k in range(12):
        total = gl.tanh(total + x[k])
    return total


def loop_meaning(x: Array) -> Array:
    """The same in NumPy."""
    total = np.zeros(x.shape[1])
    for k in range(12):
        total = np.tanh(total + x[k])
    return total


def branch(x: Any) -> Any:
    """Two arms, of which the data picks one."""
    if x.sum() > 0:
        y = x.sin() * 2
    else:
        y = x.cos() @ x.t()
    return y.square().sum(0)


def written(x: Any, i: Any) -> Any:
    """Writes into an argument through an index, and a sum of rows by an index."""
    x[1] = 7.0
    x.mul_(2)
    return x, gl.zeros_like(x).index_add(0, i, x[: i.shape[0]])


def written_meaning(x: Array, i: Array) -> tuple[Array, Array]:
    """The same in NumPy."""
    x = x.copy()
    x[1] = 7.0
    x *= 2
    added = np.zeros_like(x)
    np.add.at(added, i, x[: len(i)])
    return x, added


CASES = (
    # Blocks are of whole kilobytes: of these the margin begins where the last element ends.
    Case(
        "pointwise, whole blocks",
        lambda x, y: x * y - 1,
        lambda: (normal(1 << 16), normal(1 << 16)[::-1].copy()),
        lambda x, y: x * y - 1,
    ),
    Case(
        "pointwise, odd length",
        lambda x, y: gl.tanh(x * 1.5 + y).abs() + gl.where(x > 0, x, -y),
        lambda: (normal(100_003), normal(100_003)[::-1].copy()),
        lambda x, y: np.abs(np.tanh(x * 1.5 + y)) + np.where(x > 0, x, -y),
    ),
    Case(
        "pointwise, strided and broadcast",
        lambda x, y: x.t()[::2] * y + x[:, :1].t(),
        lambda: (normal(65, 130), normal(65)),
        lambda x, y: x.T[::2] * y + x[:, :1].T,
    ),
    Case(
        "scalar functions",
        lambda x: (x.exp(), x.abs().log1p(), x.sin(), gl.erf(x), x.sigmoid(), x.abs().sqrt(), x.atan()),
        lambda: (normal(5000) * 3,),
        lambda x: (
            *(np.exp(x), np.log1p(np.abs(x)), np.sin(x), _erf(x), 1 / (1 + np.exp(-x)), np.sqrt(np.abs(x))),
            np.arctan(x),
        ),
    ),
    Case(
        "integers and bools",
        lambda x, y: (x // y, x % y, x << 2, (x > y) & (y != 3), x.sum(0), (x > 0).any(1)),
        lambda: (np.arange(-600, 600).reshape(30, 40), np.arange(1200).reshape(30, 40) % 17 + 1),
        lambda x, y: (x // y, x % y, x << 2, (x > y) & (y != 3), x.sum(0), (x > 0).any(1)),
    ),
    Case(
        "narrow floats",
        lambda x: ((x.to(gl.bfloat16) * 2).float(), x.to(gl.float16).float() + 1),
        lambda: (normal(3001),),
        lambda x: (x * 2, x + 1),
        1e-2,
    ),
    *map(rows_case, (7, 200, 1000, 5000)),
    Case(
        "sum, largest and mean of all",
        lambda x: (x.sum(), x.max(), (x * x).mean()),
        lambda: (normal(1500, 701),),
        lambda x: (x.sum(), x.max(), (x * x).mean()),
        1e-5,
    ),
    Case(
        "sums down columns",
        lambda x: (x.sum(0), x.square().mean(0), x[:5].sum(0)),
        lambda: (normal(1234, 333),),
        lambda x: (x.sum(0), (x * x).mean(0), x[:5].sum(0)),
        1e-5,
    ),
    Case(
        "cumulated sums",
        lambda x: (x.cumsum(0), x.cumsum(1)),
        lambda: (normal(130, 257),),
        lambda x: (np.cumsum(x, 0), np.cumsum(x, 1)),
        1e-5,
    ),
    Case("a transposition", lambda x: x.t().contiguous(), lambda: (normal(333, 1025),), lambda x: x.T),
    Case(
        "products",
        lambda x, y, z: (x @ y, y.t() @ x.t(), z @ z.transpose(1, 2)),
        lambda: (normal(130, 67), normal(67, 201), normal(3, 33, 65)),
        lambda x, y, z: (x @ y, y.T @ x.T, z @ z.transpose(0, 2, 1)),
        1e-5,
    ),
    Case("a product in float64", lambda x: x @ x.t(), lambda: (normal(70, 90, dtype="f8"),), lambda x: x @ x.T, 1e-12),
    Case(
        "attention, causal, and its gradients",
        attended,
        lambda: tuple(normal(2, 3, rows, 64) for rows in (150, 151, 152, 150)),
        attended_meaning,
        1e-5,
    ),
    Case(
        "attention over wide rows, masked",
        lambda q, k, v, m: nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=m > 0),
        lambda: (normal(4, 70, 128), normal(4, 45, 128), normal(4, 45, 96), normal(70, 45)),
        lambda q, k, v, m: softmax(np.where(m > 0, q @ k.transpose(0, 2, 1) / np.sqrt(128), -np.inf)) @ v,
        1e-5,
    ),
    Case(
        "rows by an index that is checked",
        lambda x, i: nn.functional.embedding(i, x) * 2,
        lambda: (normal(50, 33), np.arange(200) * 7 % 50),
        lambda x, i: x[i] * 2,
    ),
    Case("writes and scattered sums", written, lambda: (normal(40, 19), np.arange(30) * 3 % 40), written_meaning, 1e-5),
    Case("a loop of launches", stepped_loop, lambda: (normal(12, 300),), loop_meaning, 1e-5),
    Case("a branch, one arm", branch, lambda: (np.abs(normal(20, 20)),), lambda x: ((np.sin(x) * 2) ** 2).sum(0), 1e-5),
    Case(
        "a branch, the other",
        branch,
        lambda: (-np.abs(normal(20, 20)),),
        lambda x: ((np.cos(x) @ x.T) ** 2).sum(0),
        1e-5,
    ),
)


def _erf(x: Array) -> Array:
    from math import erf

    return np.vectorize(erf)(x)


class NoisyMemory:
    """Blocks of the device's own pool with noise in them and margins around them."""

    def __init__(self, card: Card) -> None:
        from guardlift.backend.cuda.device import current

        self.card, self.own = card, current().memory.own
        self.sizes: dict[int, int] = {}
        self.broken: list[str] = []

    def allocate(self, nbytes: int) -> int:
        """The address of a block; MemoryError where there is none."""
        whole = nbytes + 2 * MARGIN
        address = self.own.take(whole)
        if address is None:
            raise MemoryError(f"{nbytes} bytes")
        self.card.fill(address, whole, PATTERN)
        self.card.fill(address + MARGIN, nbytes)
        self.sizes[address + MARGIN] = nbytes
        return address + MARGIN

    def free(self, address: int) -> None:
        """Looks at the margins of a block and gives it back."""
        self.look(address)
        del self.sizes[address]
        self.own.give(address - MARGIN)

    def look_at_all(self) -> None:
        """Looks at the blocks that somebody still holds."""
        for address in tuple(self.sizes):
            self.look(address)

    def look(self, address: int) -> None:
        """Notes what was written beside a block."""
        nbytes = self.sizes[address]
        found = (ctypes.c_ubyte * MARGIN)()
        for side, place in (("before", address - MARGIN), ("behind", address + nbytes)):
            self.card.call("cuMemcpyDtoH_v2", found, ctypes.c_uint64(place), ctypes.c_size_t(MARGIN))
            if bytes(found) != bytes([PATTERN]) * MARGIN:
                self.broken.append(f"bytes were written {side} a block of {nbytes}")


def run(case: Case, compare: bool) -> float:
    """The error of a case as a part of what is allowed, over two calls. Errors: AssertionError."""
    arrays = case.arguments()
    function, worst = gl.jit(case.function, fullgraph=True), 0.0
    for _ in range(2 if compare else 1):
        found = results = None
        gc.collect()
        gl.cuda.empty_cache()
        found = function(*(gl.tensor(each).to("cuda") for each in arrays))
        results = found if isinstance(found, tuple) else (found,)
        if not compare:
            gl.cuda.synchronize()
            return 0.0
        wide = [each.astype(np.float64) if each.dtype.kind == "f" else each for each in arrays]
        meant = case.meaning(*wide)
        for k, (one, other) in enumerate(zip(results, meant if isinstance(meant, tuple) else (meant,), strict=True)):
            worst = max(worst, error_of(one.cpu().numpy(), np.asarray(other), case.near, k))
    return worst


def error_of(found: Array, meant: Array, near: float, number: int) -> float:
    """The largest error of a result as a part of what is allowed. Errors: AssertionError when it is more."""
    assert found.shape == meant.shape, f"result {number} has shape {found.shape}, and not {meant.shape}"
    if not found.size:
        return 0.0
    if found.dtype.kind != "f":
        wrong = np.argwhere(found != meant)
        assert not len(wrong), f"result {number} is wrong at {len(wrong)} places, first {wrong[0].tolist()}"
        return 0.0
    wide = found.astype(np.float64)
    allowed = near * (np.abs(meant) + np.abs(meant).max())
    ratio = np.abs(wide - meant) / np.maximum(allowed, 1e-30)
    bad = ~(ratio <= 1.0)
    if bad.any():
        place = tuple(np.argwhere(bad)[0].tolist())
        told = f"result {number} is wrong at {int(bad.sum())} of {bad.size} places; at {place} it is {wide[place]!r}"
        raise AssertionError(f"{told}, and should be {meant[place]!r}")
    return float(ratio.max())


def table_step(compare: bool) -> float:
    """Adam over many parameters, which is one launch over a table; beside the formula in float64."""
    arrays = [normal(size) for size in (1, 300, 4097, 20_000)]
    parameters = [nn.Parameter(gl.tensor(each).to("cuda")) for each in arrays]
    for each in parameters:
        each.grad = gl.full(tuple(each.shape), 0.5, device="cuda")
    optimizer = gl.optim.Adam(parameters, lr=0.01)
    gl.jit(optimizer.step)()
    gl.cuda.synchronize()
    worst = 0.0
    for k, (each, before) in enumerate(zip(parameters, arrays)):
        if compare:
            meant = before.astype(np.float64) - 0.01 * 0.5 / (0.5 + 1e-8)
            worst = max(worst, error_of(each.detach().cpu().numpy(), meant, 2e-5, k))
    return worst


def training_step(compare: bool) -> float:
    """Three steps of a perceptron on both devices: losses and weights agree."""
    found = []
    for device in ("cpu", "cuda") if compare else ("cuda",):
        gl.manual_seed(0)
        layers = nn.Linear(24, 64), nn.GELU(), nn.LayerNorm(64), nn.Dropout(0.1), nn.Linear(64, 5)
        model = nn.Sequential(*layers).to(device)
        optimizer = gl.optim.AdamW(model.parameters(), lr=1e-2)
        x, y = gl.tensor(normal(48, 24)).to(device), gl.tensor(np.arange(48) % 5).to(device)

        @gl.jit(fullgraph=True)
        def step(model=model, optimizer=optimizer, x=x, y=y):  # type: ignore[no-untyped-def]
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            return loss.detach()

        losses = [step() for _ in range(3 if compare else 1)]
        found.append([each.detach().cpu().numpy() for each in (*losses, *model.parameters())])
    if not compare:
        return 0.0
    return max(error_of(one, np.asarray(other, np.float64), 1e-3, k) for k, (other, one) in enumerate(zip(*found)))


WHOLE: dict[str, Callable[[bool], float]] = {
    "Adam over a table": table_step,
    "training steps, CPU beside GPU": training_step,
}


def launched_forms() -> set[str]:
    """The set in which the forms of all plans come that are made from now on."""
    from guardlift.backend.cuda import call

    seen, build = set[str](), call.build

    def noting(*given: Any, **named: Any) -> Any:
        made = build(*given, **named)
        _note(made.plan, seen)
        return made

    call.build = noting
    return seen


def _note(plan: Any, seen: set[str]) -> None:
    for step in plan.steps:
        if form := getattr(step, "form", ""):
            seen.add(form)
        for inner in (getattr(step, "body", None), *getattr(step, "branches", ())):
            if inner is not None:
                _note(inner, seen)


def main() -> None:
    """Runs all cases; every one that is wrong is told."""
    options = options_of(__doc__)
    card = Card()
    seen, memory = launched_forms(), NoisyMemory(card)
    if not options.once:
        gl.cuda.set_allocator(memory.allocate, memory.free)
    programs: dict[str, Callable[[bool], float]] = {
        case.name: (lambda compare, case=case: run(case, compare)) for case in CASES
    } | WHOLE
    for name in left(programs, options):
        try:
            worst = programs[name](not options.once)
            row("forms", case=name, error=f"{worst:.1g} of what is allowed")
        except Exception as error:
            row("forms", case=name, error="WRONG")
            fault(f"{name}: {type(error).__name__}: {error}")
            traceback.print_exc()
            if not options.once and card.is_lost():
                go_on_after(name)
        gl.cuda.empty_cache()
        memory.look_at_all()
        for each in dict.fromkeys(memory.broken):
            fault(f"{name}: {each}")
        memory.broken.clear()
    say(f"forms launched: {', '.join(sorted(seen))}")
    missing = FORMS - seen
    if missing and not options.names and not options.after:
        fault(f"no case launches {', '.join(sorted(missing))}")
    if host := gl.cuda.host_computations():
        say(f"computed by the host, of copies: {host}")


if __name__ == "__main__":
    main()
