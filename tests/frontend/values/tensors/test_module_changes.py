"""Changes of a module by a jitted step: its mode, plain attributes, buffers in place; all without a break."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.eagerly import agree, breaks_of

import guardlift as gl
from guardlift import nn


class Norm(nn.Module):
    """Centres its input, by running means where it is not in training."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", gl.zeros(3))

    def forward(self, x: Any) -> Any:
        if not self.training:
            return x - self.mean
        mean = x.mean(0)
        with gl.no_grad():
            self.mean.mul_(0.9).add_(mean.detach() * 0.1)
        return x - mean


class Net(nn.Module):
    level = 5

    def __init__(self) -> None:
        super().__init__()
        self.a, self.norm = nn.Linear(4, 3), Norm()
        self.n, self.average, self.last = 0, 0.0, None
        self.register_buffer("count", gl.zeros(()))

    def forward(self, x: Any) -> Any:
        return self.norm(self.a(x))


class Counting(Net):
    def train(self, mode: bool = True) -> Any:
        super().train(mode)
        self.n += 100
        return self


def _seeded(kind: type) -> Any:
    gl.manual_seed(0)
    return kind()


def trained_then_evaluated(net: Any, x: Any) -> Any:
    net.train()
    y = net(x).sum()
    net.eval()
    return y.detach(), net(x).sum().detach(), net.training


def a_part_evaluated(net: Any, x: Any) -> Any:
    net.norm.eval()
    y = net(x).detach()
    net.norm.train()
    return y


def put_back(net: Any, x: Any) -> Any:
    before = net.training
    net.eval()
    try:
        return net(x).detach()
    finally:
        net.train(before)


def by_what_is_known(net: Any, x: Any) -> Any:
    net.train(x.shape[0] > 1)
    return net(x).detach()


def asked(net: Any, x: Any) -> Any:
    net.n += 1 if net.training else -1
    return x * net.n


def left_by_an_error(net: Any, x: Any) -> Any:
    net.eval()
    return net(x).reshape(100)


def counted(net: Any, x: Any) -> Any:
    net.n += 1
    return x * net.n


def counted_in_a_buffer(net: Any, x: Any) -> Any:
    net.count += 1
    return x * net.count


def averaged(net: Any, x: Any) -> Any:
    net.average = 0.5 * net.average + 0.5
    return x * net.average


def over_the_class(net: Any, x: Any) -> Any:
    net.level += 1
    return x + net.level


def kept(net: Any, x: Any) -> Any:
    net.last = x * 2
    return net.last + 1


def kept_in_a_tuple(net: Any, x: Any) -> Any:
    net.last = (x, net.n)
    return x + 1


def named_anew(net: Any, x: Any) -> Any:
    net.fresh = net.n + 1
    return x + net.fresh


PROGRAMS = (
    trained_then_evaluated,
    a_part_evaluated,
    put_back,
    by_what_is_known,
    asked,
    left_by_an_error,
    counted,
    counted_in_a_buffer,
    averaged,
    over_the_class,
    kept,
    kept_in_a_tuple,
    named_anew,
)


@pytest.mark.parametrize("kind", [Net, Counting])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_step_changes_a_module_as_eager_mode_does(program: Callable[..., Any], kind: type) -> None:
    nets = [_seeded(kind), _seeded(kind)]
    turns = iter(range(100))

    def make() -> Sequence[Any]:
        turn = next(turns)
        net = nets[turn % 2]
        if turn // 2 == 2:
            net.eval()
        if turn // 2 == 4:
            net.n = 7
        return net, gl.ones(2, 4) * (turn // 2)

    def known(arguments: Sequence[Any]) -> list[Any]:
        return [*arguments[0].parameters(), *arguments[0].buffers()]

    jitted = agree(program, make, calls=6, known=known)
    assert not breaks_of(jitted)
    for one, other in zip(*(each.modules() for each in nets), strict=True):
        assert one.training is other.training
        plain = [{k: v for k, v in vars(each).items() if isinstance(v, (int, float))} for each in (one, other)]
        assert plain[0] == pytest.approx(plain[1])


def test_a_step_that_ends_in_the_mode_in_which_it_began_stays_one_entry() -> None:
    net = Net()
    step = gl.jit(trained_then_evaluated)
    for _ in range(4):
        step(net, gl.ones(2, 4))
    assert len(gl.explain(step).entries) == 2  # once from training mode, and once from the mode that this left


def test_a_change_that_a_class_or_a_container_has_a_say_in_is_left_to_python() -> None:
    class Checked(Net):
        @property
        def level(self) -> int:  # type: ignore[override]
            return self._level

        @level.setter
        def level(self, value: int) -> None:
            self._level = value + 1

    @gl.jit
    def set_level(net: Any, x: Any) -> Any:
        net.level = 3
        return x * net.level

    @gl.jit
    def replaced(net: Any, x: Any) -> Any:
        net.count = net.count + 1
        return x * net.count

    net = Checked()
    for turn in range(3):
        assert set_level(net, gl.ones(2)).tolist() == [4.0, 4.0]
        assert replaced(net, gl.ones(1)).item() == turn + 1
    assert breaks_of(set_level) == breaks_of(replaced) == ["B302"]
