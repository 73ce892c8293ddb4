"""Ctrl-C anywhere in a write of a watched fact: whoever relies on the fact is told of it, or it holds still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from interrupting import interrupted

import guardlift as gl
from guardlift.core import watched_slots
from guardlift.core.watch import LOCK, Validity, watch
from guardlift.core.watched_containers import STRUCTURE, WatchedDict, WatchedList

Write = Callable[[Any], Any]
HANDLES: dict[int, Any] = {}
"""The handle of a hook of a tensor, by the id of that: a tensor takes no attribute of the user's."""
Fact = tuple[Any, Any, Callable[[], Any]]
"""Who is watched, the key there, and the fact, as something that is compared with what it was before."""
HANDLES: dict[int, Any] = {}
"""The handle of a hook of a tensor, by the id of that: a tensor takes no attribute of the user's."""
DICT_KEYS, MODULE_KEYS = ("a", "b", "new", STRUCTURE), ("weight", "rate", "part", "count", "new", "_hooks")


def of_dict(container: Any) -> list[Fact]:
    keys = [(container, key, lambda key=key: container.get(key)) for key in ("a", "b", "new")]
    return [*keys, (container, STRUCTURE, lambda: list(container))]


def of_list(container: Any) -> list[Fact]:
    return [(container, STRUCTURE, lambda: list(container))]


def of_module(module: Any) -> list[Fact]:
    facts: list[Fact] = [(module, "_hooks", lambda: module._hooks)]
    for key in ("weight", "rate", "part", "count", "new"):
        facts.append((module, key, lambda key=key: vars(module).get(key)))
        for table in (module._parameters, module._modules, module._buffers):
            facts.append((table, key, lambda key=key, table=table: (key in table, table.get(key))))
    return facts


def of_optimizer(optimizer: Any) -> list[Fact]:
    return [(optimizer, key, lambda key=key: vars(optimizer).get(key)) for key in ("rate", "new")]


def of_tensor(tensor: Any) -> list[Fact]:
    def hooks() -> Any:
        held = tensor._hooks
        return () if held is None else (*held.gradient.values(), *held.accumulated.values())

    return [
        (tensor, "data", lambda: tensor._array),
        (tensor, "requires_grad", lambda: tensor._requires_grad),
        (tensor, "hooks", hooks),
    ]


def are_same(one: Any, other: Any) -> bool:
    if type(one) is not type(other) or type(one) not in (list, tuple):
        return one is other
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


class Part(gl.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight, self.part, self.rate = gl.nn.Parameter(gl.ones(2)), gl.nn.Identity(), 0.5
        self.register_buffer("count", gl.zeros(1))
        self.handle = self.register_forward_hook(lambda *_: None)


def optimizer() -> Any:
    made = gl.optim.SGD([gl.nn.Parameter(gl.ones(2))], lr=0.1)
    made.rate = 0.5
    return made


def leaf() -> Any:
    made = gl.ones(2, requires_grad=True)
    HANDLES[id(made)] = made.register_hook(lambda grad: None)
    return made


@pytest.fixture(autouse=True)
def _grad_mode() -> Iterator[None]:
    yield
    gl.set_grad_enabled(True)  # an interrupt at the end of a `no_grad` leaves it off, as in PyTorch


def set_attribute(name: str, value: Callable[[], Any]) -> Write:
    return lambda owner: setattr(owner, name, value())


KINDS: dict[str, tuple[Callable[[], Any], Callable[[Any], list[Fact]], dict[str, Write]]] = {
    "dict": (
        lambda: WatchedDict(a=[1], b=[2]),
        of_dict,
        {
            "set": lambda d: d.__setitem__("a", [3]),
            "add": lambda d: d.__setitem__("new", [3]),
            "del": lambda d: d.__delitem__("a"),
            "pop": lambda d: d.pop("a"),
            "pop with a default": lambda d: d.pop("b", None),
            "popitem": lambda d: d.popitem(),
            "setdefault": lambda d: d.setdefault("new", [3]),
            "clear": lambda d: d.clear(),
            "update": lambda d: d.update(a=[5], new=[6]),
            "|=": lambda d: d.__ior__({"b": [7]}),
        },
    ),
    "list": (
        lambda: WatchedList([[3], [1], [2]]),
        of_list,
        {
            "set": lambda c: c.__setitem__(0, [3]),
            "set a slice": lambda c: c.__setitem__(slice(0, 2), [[3]]),
            "del": lambda c: c.__delitem__(0),
            "append": lambda c: c.append([3]),
            "extend": lambda c: c.extend([[3], [4]]),
            "+=": lambda c: c.__iadd__([[3]]),
            "*=": lambda c: c.__imul__(2),
            "insert": lambda c: c.insert(0, [3]),
            "pop": lambda c: c.pop(),
            "remove": lambda c: c.remove([1]),
            "clear": lambda c: c.clear(),
            "sort": lambda c: c.sort(),
            "reverse": lambda c: c.reverse(),
            "fill": lambda c: c.__init__([[7]]),
        },
    ),
    "module": (
        Part,
        of_module,
        {
            "attribute": set_attribute("rate", lambda: 0.25),
            "new attribute": set_attribute("new", lambda: 0.25),
            "parameter": set_attribute("weight", lambda: gl.nn.Parameter(gl.zeros(2))),
            "parameter for an attribute": set_attribute("rate", lambda: gl.nn.Parameter(gl.zeros(2))),
            "module": set_attribute("part", gl.nn.Identity),
            "buffer": set_attribute("count", lambda: gl.ones(1)),
            "None for a parameter": set_attribute("weight", lambda: None),
            "dict": set_attribute("__dict__", lambda: {"rate": 0.75}),
            "del attribute": lambda m: delattr(m, "rate"),
            "del parameter": lambda m: delattr(m, "weight"),
            "register parameter": lambda m: m.register_parameter("new", gl.nn.Parameter(gl.zeros(2))),
            "register buffer": lambda m: m.register_buffer("new", gl.zeros(2)),
            "register module": lambda m: m.register_module("new", gl.nn.Identity()),
            "register hook": lambda m: m.register_forward_hook(lambda *_: None),
            "remove hook": lambda m: m.handle.remove(),
            "load and assign": lambda m: m.load_state_dict({"weight": gl.zeros(2), "count": gl.ones(1)}, assign=True),
        },
    ),
    "optimizer": (
        optimizer,
        of_optimizer,
        {
            "attribute": set_attribute("rate", lambda: 0.25),
            "new attribute": set_attribute("new", lambda: 0.25),
            "del": lambda o: delattr(o, "rate"),
        },
    ),
    "tensor": (
        leaf,
        of_tensor,
        {
            "data": set_attribute("data", lambda: gl.zeros(3)),
            "requires_grad": lambda t: t.requires_grad_(False),
            "hook": lambda t: t.register_hook(lambda grad: None),
            "accumulated": lambda t: t.register_post_accumulate_grad_hook(lambda leaf: None),
            "hook out": lambda t: HANDLES.pop(id(t)).remove(),
            "detach": lambda t: t.detach_(),
        },
    ),
}
CASES = [(kind, write) for kind, (*_, writes) in KINDS.items() for write in writes]


def at_every_place(attempt: Callable[[int], tuple[int, bool]]) -> None:
    """Calls `attempt` with the number of each place to be interrupted at, 0 for none; it gives how many it saw, and
    whether the write was done."""
    attempt(0)  # an interpreter may first have to learn that it is traced
    total, _ = attempt(0)
    done = [attempt(stop)[1] for stop in range(1, total + 1)]
    assert len(done) > 2 and any(done), "nothing was interrupted after the write"


@pytest.mark.parametrize(("kind", "write"), CASES)
def test_a_write_that_is_interrupted_anywhere_is_told_if_it_was_done(kind: str, write: str) -> None:
    make, facts_of, writes = KINDS[kind]

    def attempt(stop: int) -> tuple[int, bool]:
        owner, done = make(), False
        relied_on = [(Validity("plan"), fact, fact[2]()) for fact in facts_of(owner)]
        for validity, (watched, key, _), _ in relied_on:
            watch(watched, key, validity, str(key))
        seen, where = interrupted(lambda: writes[write](owner), stop)
        assert not LOCK._is_owned(), f"a lock is held for ever: interrupted at {where}"  # type: ignore[attr-defined]
        for validity, (_, key, found), before in relied_on:
            if not are_same(before, found()):
                done = True
                assert not validity.stands, f"{key} was written and not told: interrupted at {where}"
        return seen, done

    at_every_place(attempt)


@pytest.mark.parametrize("known", [True, False])
def test_a_gradient_that_was_set_is_looked_for_after_an_interrupt_anywhere(known: bool) -> None:
    def attempt(stop: int) -> tuple[int, bool]:
        tensor, gradient = gl.ones(2, requires_grad=True), gl.zeros(2)
        looked: list[Any] = []

        def look(_number: int) -> None:
            looked.append(tensor._grad)

        if known:
            watched_slots.subscribe(look, [tensor])
        moves = int(watched_slots.MOVES[0])

        def set_it() -> None:
            tensor.grad = gradient
            gl.is_tensor(gradient)  # a place to be interrupted at, after the write

        seen, where = interrupted(set_it, stop)
        done = tensor._grad is gradient
        found = bool(looked) and looked[-1] is gradient
        assert not known or not done or found or watched_slots.MOVES[0] > moves, f"untold: interrupted at {where}"
        return seen, done

    at_every_place(attempt)
