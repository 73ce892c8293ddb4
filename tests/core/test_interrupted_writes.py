"""Ctrl-C anywhere in a write of a watched fact: whoever relies on the fact is told of it, or it holds still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from interrupting import interrupted

import guardlift as gl
from guardlift.core import watched_slots
from guardlift.core.watch import Validity, watch
from guardlift.core.watched_containers import STRUCTURE, WatchedDict, WatchedList

Write = Callable[[Any], Any]
HANDLES: dict[int, Any] = {}
"""The handle of a hook of a tensor, by the id of that: a tensor takes no attribute of the user's."""
DICT_KEYS, MODULE_KEYS = ("a", "b", "new", STRUCTURE), ("weight", "rate", "part", "count", "new", "_hooks")


def read_dict(container: Any) -> Any:
    return {**{key: id(value) for key, value in container.items()}, STRUCTURE: list(container)}


def read_list(container: Any) -> Any:
    return {STRUCTURE: [id(each) for each in container]}


def read_module(module: Any) -> Any:
    found = {**vars(module), **module._parameters, **module._modules, **module._buffers}
    return {key: id(found[key]) for key in MODULE_KEYS if key in found} | {"_hooks": id(module._hooks)}


def read_optimizer(optimizer: Any) -> Any:
    return {key: id(vars(optimizer)[key]) for key in ("rate", "new") if key in vars(optimizer)}


def read_tensor(tensor: Any) -> Any:
    hooks = tensor._hooks
    listed = () if hooks is None else (*hooks.gradient.values(), *hooks.accumulated.values())
    return {"data": id(tensor._array), "requires_grad": tensor._requires_grad, "hooks": listed}


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


KINDS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], tuple[Any, ...], dict[str, Write]]] = {
    "dict": (
        lambda: WatchedDict(a=[1], b=[2]),
        read_dict,
        DICT_KEYS,
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
        read_list,
        (STRUCTURE,),
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
        read_module,
        MODULE_KEYS,
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
        read_optimizer,
        ("rate", "new"),
        {
            "attribute": set_attribute("rate", lambda: 0.25),
            "new attribute": set_attribute("new", lambda: 0.25),
            "del": lambda o: delattr(o, "rate"),
        },
    ),
    "tensor": (
        leaf,
        read_tensor,
        ("data", "requires_grad", "hooks"),
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


@pytest.mark.parametrize(("kind", "write"), CASES)
def test_a_write_that_is_interrupted_anywhere_is_told_if_it_was_done(kind: str, write: str) -> None:
    make, read, keys, writes = KINDS[kind]
    total, done, stop = 1, 0, 0
    while stop <= total:
        owner = make()
        before = read(owner)
        relied_on = {key: Validity("plan") for key in keys}
        for key, validity in relied_on.items():
            watch(owner, key, validity, str(key))
        seen, where = interrupted(lambda owner=owner: writes[write](owner), stop)
        total, after = (seen if not stop else total), read(owner)
        for key, validity in relied_on.items():
            if before.get(key) != after.get(key):
                done += 1
                assert not validity.stands, f"{key} was written and not told: interrupted at {where}"
        stop += 1
    assert total > 2 and done, "nothing was interrupted after the write"


@pytest.mark.parametrize("known", [True, False])
def test_a_gradient_that_was_set_is_looked_for_after_an_interrupt_anywhere(known: bool) -> None:
    total, stop, done = 1, 1, 0
    while stop <= total:
        tensor, looked = gl.ones(2, requires_grad=True), []

        def look(number: int, tensor: Any = tensor, looked: list[Any] = looked) -> None:
            looked.append(tensor._grad)

        if known:
            watched_slots.subscribe(look, [tensor])
        moves, gradient = int(watched_slots.MOVES[0]), gl.zeros(2)
        set_it = lambda tensor=tensor, gradient=gradient: setattr(tensor, "grad", gradient)  # noqa: E731
        if stop == 1:
            total, _ = interrupted(set_it, 0)
            tensor.grad = None
            looked.clear()
        _, where = interrupted(set_it, stop)
        if tensor._grad is gradient:
            done += 1
            found = looked and looked[-1] is gradient
            assert found or watched_slots.MOVES[0] > moves or not known, f"nobody looks again: interrupted at {where}"
        stop += 1
    assert total > 2 and done
