"""Graph breaks inside contexts, loops and custom functions: both halves are compiled, and all is as in eager mode.

A program is a text with a line `BREAK`, in whose place each kind of break stands.
"""

from __future__ import annotations

import io
import linecache
import logging
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.training import World, same_result, same_world

import guardlift as gl
from guardlift import nn, optim
from guardlift.autograd import graph
from guardlift.frontend import state_of
from guardlift.tensor.dispatch import apply

BREAKS = {
    "print": "print(h.shape, file=WRITTEN)",
    "return": """
if gl.isnan(h.sum()):
    return None""",
    "raise": """
if gl.isnan(h.sum()):
    raise ValueError(str(h.shape))""",
    "branch": """
if h.detach().abs().sum() > 0.5:
    world.extras["total"].add_(1.0)
    TAKEN.append(1)
else:
    world.extras["total"].mul_(0.5)""",
    "call": 'LOGGER.debug("here")',
}
"""The kinds of breaks; `h` is what the program has computed last."""

PROGRAMS = {
    "forward": """
h = world.model.first(x).tanh()
BREAK
loss = world.model.second(h).square().mean()
loss.backward()""",
    "before backward": """
loss = h = world.model.second(world.model.first(x).tanh()).square().mean()
BREAK
loss.backward()""",
    "behind backward": """
loss = h = world.model.second(world.model.first(x).tanh()).square().mean()
loss.backward()
BREAK""",
    "no_grad": """
with gl.no_grad():
    h = world.model.first(x).tanh()
    BREAK
    target = world.model.second(h)
loss = (world.model.second(world.model.first(x)) - target - 1.0).square().mean()
loss.backward()""",
    "no_grad around a history": """
z = world.model.first(x)
with gl.no_grad():
    h = z.tanh()
    BREAK
    target = h * 2
loss = world.model.second(z * target).square().mean()
loss.backward()""",
    "enable_grad in no_grad": """
with gl.no_grad():
    with gl.enable_grad():
        h = world.model.first(x).tanh()
        BREAK
        loss = world.model.second(h).square().mean()
loss.backward()""",
    "inference_mode": """
with gl.inference_mode():
    h = world.model.first(x).tanh()
    BREAK
    scale = world.model.second(h).sum()
loss = world.model.second(world.model.first(x)).square().mean() * float(scale)
loss.backward()""",
    "inference_mode around a history": """
z = world.model.first(x)
with gl.inference_mode():
    h = z.tanh()
    BREAK
    scale = world.model.second(h).sum()
loss = world.model.second(z).square().mean() * float(scale)
loss.backward()""",
    "autocast": """
with gl.autocast("cpu"):
    h = world.model.first(x).tanh()
    BREAK
    loss = nn.functional.mse_loss(world.model.second(h), world.model.second(h * 2.0))
loss.backward()""",
    "autocast turned off inside": """
with gl.autocast("cpu", dtype=gl.float16):
    z = world.model.first(x)
    with gl.autocast("cpu", enabled=False):
        h = z.float().tanh()
        BREAK
        loss = world.model.second(h).square().mean()
loss.backward()""",
    "set_grad_enabled": """
with gl.set_grad_enabled(True):
    h = world.model.first(x).tanh()
    BREAK
    loss = world.model.second(h).square().mean()
loss.backward()""",
    "behind hooks on saved tensors": """
with graph.saved_tensors_hooks(doubled, halved):
    h = world.model.first(x).tanh()
loss = world.model.second(h).square().mean()
BREAK
loss.backward()""",
    "hooks on saved tensors": """
with graph.saved_tensors_hooks(lambda tensor: tensor * 2.0, lambda packed: packed / 2.0):
    h = world.model.first(x).tanh()
    BREAK
    loss = world.model.second(h).square().mean()
loss.backward()""",
    "inlineable hooks on saved tensors": """
with graph.saved_tensors_hooks(doubled, halved):
    h = world.model.first(x).tanh()
    BREAK
    loss = world.model.second(h).square().mean()
loss.backward()""",
    "save_on_cpu": """
with graph.save_on_cpu():
    h = world.model.first(x).tanh()
    BREAK
    loss = world.model.second(h).square().mean()
loss.backward()""",
    "a custom function that prints": """
h = Printing.apply(world.model.first(x).tanh())
BREAK
loss = world.model.second(h).square().mean()
loss.backward()""",
    "a custom function whose backward prints": """
h = PrintingBack.apply(world.model.first(x).tanh())
BREAK
loss = world.model.second(h).square().mean()
loss.backward()""",
    "a hook that prints": """
h = world.model.first(x).tanh()
h.register_hook(lambda gradient: print(gradient.shape, file=WRITTEN))
loss = world.model.second(h).square().mean()
loss.backward()
h = loss
BREAK""",
    "a custom function": """
h = Square.apply(world.model.first(x).tanh())
BREAK
loss = world.model.second(h).square().mean()
loss.backward()""",
    "a loop over time": """
h = world.model.first(x)
for k in range(4):
    h = (h @ world.model.middle.weight).tanh()
    BREAK
loss = world.model.second(h).square().mean()
loss.backward()""",
    "a loop over layers": """
h = world.model.first(x)
for layer in world.model.layers:
    h = layer(h).tanh()
    BREAK
loss = world.model.second(h).square().mean()
loss.backward()""",
    "a loop that gathers": """
h = world.model.first(x)
outs = []
for k in range(3):
    h = (h @ world.model.middle.weight).tanh()
    outs.append(h)
    BREAK
loss = world.model.second(gl.stack(outs)).square().mean()
loss.backward()""",
    "accumulation": """
loss = 0.0
for k in range(3):
    h = world.model.second(world.model.first(x * (k + 1)).tanh()).square().mean() / 3
    h.backward()
    BREAK
    loss = loss + h.detach()""",
    "retain_grad": """
h = world.model.first(x).tanh()
h.retain_grad()
BREAK
loss = world.model.second(h).square().mean()
loss.backward()
world.extras["total"].add_(h.grad.sum())""",
    "views": """
h = world.model.first(x).tanh()
part, twice = h[:, :3], h * 2
BREAK
loss = (world.model.second(twice) + part).square().mean()
loss.backward()""",
    "writes": """
h = world.model.first(x)
h.mul_(2.0)
BREAK
h.add_(1.0)
loss = world.model.second(h.tanh()).square().mean()
loss.backward()""",
    "two breaks": """
h = world.model.first(x).tanh()
double = h * 2
BREAK
loss = world.model.second(double * h).square().mean()
loss.backward(retain_graph=True)
BREAK
loss.backward()""",
    "create_graph": """
h = world.model.second(world.model.first(x).tanh()).square().mean()
slopes = gl.autograd.grad(h, list(world.model.parameters())[:2], create_graph=True)
BREAK
loss = h + sum(slope.square().sum() for slope in slopes)
loss.backward()""",
    "try": """
try:
    h = world.model.first(x).tanh()
    BREAK
    loss = world.model.second(h).square().mean()
finally:
    world.extras["total"].add_(1.0)
loss.backward()""",
}

BREAKS_IN = {
    "a loop over time": 4,
    "a loop over layers": 3,
    "a loop that gathers": 3,
    "accumulation": 3,
    "two breaks": 2,
}
"""The number of breaks that a call comes to, where it is not one."""

STEP = """
def step(world, x):
    world.optimizer.zero_grad()
    {body}
    nn.utils.clip_grad_norm_(world.model.parameters(), 1.0)
    world.optimizer.step()
    return loss.detach()
"""

ONE_BY_ONE = {
    "views": 1,  # the engine adds two gradients that come to one tensor
    "a custom function that prints": 3,
    "a custom function whose backward prints": 3,
    "hooks on saved tensors": 18,
    "save_on_cpu": 8,
}
"""The most ops that a program runs one by one, since they belong to Python: of the whole step it would be some 40."""
ASKED = {"branch": sys.version_info >= (3, 13)}
"""Ops that Python runs at a break: from CPython 3.13 on, a comparison asks for the truth of what it finds."""
UNDER_HOOKS = ("hooks on saved tensors", "save_on_cpu")
"""Programs in which Python runs what is below hooks on saved tensors, since these are no part of the graph."""

WRITTEN = io.StringIO()
TAKEN: list[int] = []
LOGGER = logging.getLogger(__name__)


class Square(gl.autograd.Function):
    """A function with a backward of its own."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        return gradient * 2.0 * x


class Printing(Square):
    """One whose forward breaks the graph."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        print(x.shape, file=WRITTEN)
        ctx.save_for_backward(x)
        return x * x


class PrintingBack(Square):
    """One whose backward breaks the graph."""

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        print(x.shape, file=WRITTEN)
        return gradient * 2.0 * x


class Adding(Square):
    """One whose backward writes, so that compiled code has no second derivative of it."""

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        return (gradient * 2.0 * x).add_(0.5 * x)


@graph.inlineable
def doubled(tensor: Any) -> Any:
    return tensor * 2.0


@graph.inlineable
def halved(packed: Any) -> Any:
    return packed / 2.0


class Net(nn.Module):
    """Layers for all programs."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.middle, self.second = nn.Linear(4, 6), nn.Linear(6, 6), nn.Linear(6, 3)
        self.layers = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])


def make_world() -> World:
    """A net, Adam without a state, and a running total."""
    gl.manual_seed(3)
    model = Net()
    return World(model, optim.Adam(model.parameters(), lr=0.01), {"total": gl.zeros(())})


def indented(text: str, by: str) -> str:
    """The lines of a text below one another, as a block."""
    return "\n".join(by + line for line in text.strip("\n").splitlines()).lstrip()


def step_of(program: str, kind: str) -> Callable[[World, Any], Any]:
    """The training step with this break in the place of `BREAK`."""
    lines = PROGRAMS[program].strip("\n").splitlines()
    body = "\n".join(
        line.replace("BREAK", indented(BREAKS[kind], line[: len(line) - len(line.lstrip())])) for line in lines
    )
    text = STEP.format(body=indented(body, "    "))
    name = f"<{program}, {kind}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    namespace = dict(globals())
    exec(compile(text, name, "exec"), namespace)
    step: Callable[[World, Any], Any] = namespace["step"]
    return step


def ops_run_eagerly(call: Callable[[], object]) -> int:
    """The number of ops that a call runs one by one."""
    count = 0

    def note(frame: types.FrameType, event: str, _: object) -> None:
        nonlocal count
        code = frame.f_code
        count += event == "call" and code is apply.__code__

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return count


def modes_now() -> tuple[bool, bool]:
    """The modes of autograd."""
    return gl.is_grad_enabled(), gl.is_inference_mode_enabled()


@pytest.mark.parametrize("kind", BREAKS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_both_halves_are_compiled_and_all_is_as_in_eager_mode(program: str, kind: str) -> None:
    step, x = step_of(program, kind), gl.linspace(-1.0, 1.0, 20).reshape(5, 4)
    fast, plain, world = gl.jit(step), make_world(), make_world()
    with warnings.catch_warnings():
        # It is told where a whole call, or all that comes before a break, is left to plain Python.
        warnings.simplefilter("ignore" if program in UNDER_HOOKS else "error", gl.GraphBreakWarning)
        for number in range(5):
            taken = []
            results = []
            for each, of in ((step, plain), (fast, world)):
                TAKEN.clear()
                results.append(each(of, x))
                taken.append(len(TAKEN))
                assert modes_now() == (True, False)
            same_result(f"result {number}", *results)
            same_world(plain, world)
            assert taken[0] == taken[1]
    assert not [event.text for event in state_of(fast).history if event.kind == "break" and event.whole]
    at_breaks = ASKED.get(kind, 0) * BREAKS_IN.get(program, 1)
    assert ops_run_eagerly(lambda: fast(world, x)) <= ONE_BY_ONE.get(program, 0) + at_breaks


@pytest.mark.parametrize("sizes", [(5, 5, 5), (5, 6, 7)], ids=["one size", "sizes"])
@pytest.mark.parametrize("middle", [gl.tanh, Square.apply, Adding.apply], ids=["op", "Square", "Adding"])
def test_histories_from_before_a_break_have_second_derivatives(
    middle: Callable[[Any], Any], sizes: tuple[int, ...]
) -> None:
    def step(world: World, x: Any) -> Any:
        h = middle(world.model.first(x))
        print(h.shape, file=WRITTEN)
        loss = world.model.second(h).square().mean()
        slopes = gl.autograd.grad(loss, list(world.model.first.parameters()), create_graph=True)
        print(loss.shape, file=WRITTEN)
        (loss + sum(slope.square().sum() for slope in slopes)).backward()
        world.optimizer.step()
        world.optimizer.zero_grad()
        return loss.detach()

    fast, plain, world = gl.jit(step), make_world(), make_world()
    for size in sizes:
        x = gl.linspace(-1.0, 1.0, 4 * size).reshape(size, 4)
        same_result("loss", step(plain, x), fast(world, x))
        same_world(plain, world)
    assert not [event.text for event in state_of(fast).history if event.kind == "break" and event.whole]


class Deep(nn.Module):
    """A module with a break and a custom function in its forward."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 6), nn.Linear(6, 3)

    def forward(self, x: Any) -> Any:
        h = self.first(x)
        print(h.shape, file=WRITTEN)
        return self.second(Adding.apply(h))


def test_so_have_those_of_a_function_that_is_compiled_for_itself() -> None:
    def step(world: World, x: Any) -> Any:
        loss = world.model(x).square().mean()
        slopes = gl.autograd.grad(loss, list(world.model.parameters()), create_graph=True)
        (loss + sum(slope.square().sum() for slope in slopes)).backward()
        world.optimizer.step()
        world.optimizer.zero_grad()
        return loss.detach()

    worlds = []
    for _ in range(2):
        gl.manual_seed(3)
        model = Deep()
        worlds.append(World(model, optim.Adam(model.parameters(), lr=0.01)))
    fast = gl.jit(step)
    for size in (5, 6, 7, 7):
        x = gl.linspace(-1.0, 1.0, 4 * size).reshape(size, 4)
        same_result("loss", step(worlds[0], x), fast(worlds[1], x))
        same_world(*worlds)


class Dependent(nn.Module):
    """A module with a break, of whose results one is computed from the other and saves what that one saves."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 6)

    def forward(self, x: Any) -> Any:
        z = self.first(x)
        print(z.shape, file=WRITTEN)
        u = z * z
        a = u.exp() * z
        return a, (a * u).sin() * z + u


def hooked(a: Any, b: Any) -> Any:
    a.register_hook(lambda gradient: gradient * 2.0)
    (a.sum() + b.sum()).backward()
    return b.detach()


def asked(a: Any, b: Any) -> Any:
    (found,) = gl.autograd.grad(b.sum(), a, retain_graph=True)
    (a.sum() + b.sum()).backward()
    return found


def retained(a: Any, b: Any) -> Any:
    a.retain_grad()
    b.sum().backward()
    return a.grad


@pytest.mark.parametrize("end", [hooked, asked, retained])
def test_gradients_pass_between_results_of_a_function_that_is_compiled_for_itself(
    end: Callable[[Any, Any], Any],
) -> None:
    def step(world: World, x: Any) -> Any:
        found = end(*world.model(x))
        world.optimizer.step()
        world.optimizer.zero_grad()
        return found

    worlds = []
    for _ in range(2):
        gl.manual_seed(3)
        model = Dependent()
        worlds.append(World(model, optim.Adam(model.parameters(), lr=0.01)))
    fast = gl.jit(step)
    for _ in range(3):
        x = gl.linspace(-0.1, 0.1, 20).reshape(5, 4)
        same_result("gradient", step(worlds[0], x), fast(worlds[1], x), 1e-4)
        same_world(*worlds, relative=1e-3)
