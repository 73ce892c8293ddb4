from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from frontend.tensors.scenario import interpreted

import guardlift as gl
from guardlift import nn
from guardlift.core.watch import Validity, watch
from guardlift.core.watched_containers import WatchedDict


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2, bias=False)
        self.scale = nn.Parameter(gl.ones(2))
        self.register_buffer("mean", gl.zeros(2))
        self.register_buffer("scratch", gl.zeros(2), persistent=False)
        self.note = "plain"

    def forward(self, x: gl.Tensor) -> gl.Tensor:
        return self.second(self.first(x).relu()) * self.scale + self.mean


def test_attributes_go_to_parameters_modules_buffers_or_the_dict() -> None:
    net = Net()
    assert list(net._parameters) == ["scale"]
    assert list(net._modules) == ["first", "second"]
    assert list(net._buffers) == ["mean", "scratch"]
    assert vars(net) == {"note": "plain"}
    assert isinstance(net._parameters, WatchedDict)
    assert net.scale is net._parameters["scale"]
    assert {"scale", "first", "mean", "note", "forward"} <= set(dir(net))


def test_an_attribute_changes_its_kind_and_has_one_meaning() -> None:
    net = Net()
    net.thing = 3
    net.thing = nn.Parameter(gl.ones(1))
    assert "thing" not in vars(net) and "thing" in net._parameters
    net.thing = nn.ReLU()
    assert "thing" not in net._parameters and "thing" in net._modules
    net.mean = nn.Parameter(gl.ones(1))
    assert "mean" not in net._buffers and "mean" in net._parameters
    net.scale = None
    assert net._parameters["scale"] is None and net.scale is None
    net.scratch = gl.ones(3)
    assert net._buffers["scratch"].shape == (3,)
    del net.scratch, net.first, net.note
    assert not hasattr(net, "scratch") and not hasattr(net, "first") and not hasattr(net, "note")
    with pytest.raises(AttributeError):
        del net.note


def test_what_does_not_fit_an_attribute_is_refused() -> None:
    net = Net()
    with pytest.raises(TypeError, match="'scale' of Net is to be a Parameter or None, got int"):
        net.scale = 3
    with pytest.raises(TypeError, match="'scale' of Net is to be a Parameter or None, got Tensor"):
        net.scale = gl.ones(2)
    with pytest.raises(TypeError, match="'first' of Net is to be a Module or None, got str"):
        net.first = "linear"
    with pytest.raises(TypeError, match="'mean' of Net is to be a Tensor or None, got float"):
        net.mean = 0.5
    with pytest.raises(AttributeError, match="Net has no attribute 'third'"):
        net.third


def test_names_are_checked_when_something_is_registered() -> None:
    net = Net()
    for register, value in (
        (net.register_parameter, nn.Parameter(gl.ones(1))),
        (net.register_buffer, gl.ones(1)),
        (net.register_module, nn.ReLU()),
    ):
        with pytest.raises(KeyError, match="not empty and has no dot"):
            register("a.b", value)
        with pytest.raises(KeyError, match="not empty and has no dot"):
            register("", value)
        with pytest.raises(KeyError, match="Net has an attribute 'note' already"):
            register("note", value)
        with pytest.raises(TypeError, match="got int"):
            register("new", 3)
        with pytest.raises(TypeError, match="name of a .* is a string"):
            register(3, value)
        register("fine", None)
        delattr(net, "fine")
    with pytest.raises(KeyError, match="'forward' of its class"):
        net.forward = nn.Parameter(gl.ones(1))
    with pytest.raises(TypeError, match="a parameter is a leaf"):
        param = nn.Parameter(gl.ones(1))
        param.requires_grad_(False)
        net.register_parameter("computed", _computed(param))


def _computed(param: Any) -> Any:
    """A Parameter that has a history, which in-place arithmetic can give it."""
    other = gl.ones(1, requires_grad=True)
    param.mul_(other)
    return param


def test_assignments_before_init_say_what_to_do() -> None:
    class Early(nn.Module):
        def __init__(self) -> None:
            self.plain = 3
            self.layer = nn.ReLU()

    with pytest.raises(AttributeError, match=r"Early is not initialised yet: call super\(\).__init__\(\) first"):
        Early()


def test_the_tree_is_walked_parents_first_and_each_tensor_once() -> None:
    net = Net()
    assert [name for name, _ in net.named_parameters()] == ["scale", "first.weight", "first.bias", "second.weight"]
    assert [name for name, _ in net.named_parameters("net", recurse=False)] == ["net.scale"]
    assert [name for name, _ in net.named_buffers()] == ["mean", "scratch"]
    assert [name for name, _ in net.named_modules()] == ["", "first", "second"]
    assert [name for name, _ in net.named_children()] == ["first", "second"]
    assert list(net.children()) == [net.first, net.second]
    assert list(net.modules()) == [net, net.first, net.second]
    net.tied = net.first
    net.also = net.scale
    assert len(list(net.parameters())) == 4
    assert len(list(net.named_parameters(remove_duplicate=False))) == 7
    assert len(list(net.modules())) == 3
    assert list(net.buffers()) == [net.mean, net.scratch]


def test_members_are_found_by_dotted_name() -> None:
    outer = nn.Sequential(Net(), nn.ReLU())
    assert outer.get_submodule("0.first") is outer[0].first
    assert outer.get_submodule("") is outer
    assert outer.get_parameter("0.first.weight") is outer[0].first.weight
    assert outer.get_buffer("0.mean") is outer[0].mean
    with pytest.raises(AttributeError, match=r"Net has no module 'third' \(asked for '0.third.weight'\)"):
        outer.get_submodule("0.third.weight")
    with pytest.raises(AttributeError, match="Linear has no parameter 'scale'"):
        outer.get_parameter("0.first.scale")


def test_apply_visits_children_before_their_parent() -> None:
    net = Net()
    seen: list[nn.Module] = []
    assert net.apply(seen.append) is net
    assert seen == [net.first, net.second, net]


def test_mode_goes_down_the_tree() -> None:
    net = Net()
    assert net.eval() is net
    assert not any(module.training for module in net.modules())
    net.train()
    assert all(module.training for module in net.modules())
    with pytest.raises(ValueError, match="the mode is a bool, got int"):
        net.train(1)  # type: ignore[arg-type]


def test_gradients_are_asked_for_and_cleared() -> None:
    net = Net()
    net(gl.ones(5, 3)).sum().backward()
    gradient = net.scale.grad
    assert gradient is not None
    net.zero_grad(set_to_none=False)
    assert net.scale.grad is gradient and gradient.tolist() == [0.0, 0.0]
    net.zero_grad()
    assert all(param.grad is None for param in net.parameters())
    net.requires_grad_(False)
    assert not net(gl.ones(5, 3)).requires_grad


def test_forward_has_to_be_defined() -> None:
    with pytest.raises(NotImplementedError, match=r"Module has no forward\(\)"):
        nn.Module()(1)


def test_copies_are_independent_and_not_watched() -> None:
    net = Net()
    validity = Validity(1)
    watch(net, "note", validity, "net.note")
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert twin._watchers is None
        assert isinstance(twin._parameters, WatchedDict)
        assert twin.note == "plain" and list(twin.state_dict()) == list(net.state_dict())
        assert twin.first.weight is not net.first.weight
        assert twin.first.weight.tolist() == net.first.weight.tolist()
        twin.first.weight.data.zero_()
        assert net.first.weight.abs().sum().item() > 0
        assert "scratch" in twin._non_persistent_buffers
        twin.first = nn.ReLU()
        assert isinstance(net.first, nn.Linear)
    shallow = copy.copy(net)
    assert shallow.first is net.first
    shallow.first = nn.ReLU()
    assert isinstance(net.first, nn.Linear)
    assert validity.broken is None


def test_slots_of_a_subclass_are_copied_too() -> None:
    module = Slotted()
    module.extra = [1, 2]
    twin = copy.deepcopy(module)
    assert twin.extra == [1, 2] and twin.extra is not module.extra


class Slotted(nn.Module):
    __slots__ = ("extra",)


@pytest.mark.parametrize(
    ("place", "name", "change"),
    [
        ("", "note", lambda net: setattr(net, "note", "other")),
        ("", "note", lambda net: delattr(net, "note")),
        ("", "note", lambda net: setattr(net, "note", nn.Identity())),
        ("", "training", lambda net: net.eval()),
        ("_modules", "first", lambda net: setattr(net, "first", nn.Linear(3, 4))),
        ("_modules", "first", lambda net: delattr(net, "first")),
        ("_parameters", "scale", lambda net: net.register_parameter("scale", None)),
        ("_buffers", "mean", lambda net: setattr(net, "mean", gl.ones(2))),
        ("", "_hooks", lambda net: net.register_forward_hook(lambda *_: None)),
    ],
)
def test_whoever_relies_on_an_attribute_is_told(place: str, name: str, change: Any) -> None:
    net = Net()
    validity = Validity(1)
    watch(getattr(net, place) if place else net, name, validity, f"net.{name}")
    change(net)
    assert validity.broken is not None
    assert validity.broken.fact == f"net.{name}"


def test_a_write_that_changes_nothing_is_not_told() -> None:
    net = Net()
    validity = Validity(1)
    for name in ("note", "training", "other"):
        watch(net, name, validity, name)
    net.note = net.note
    net.train()
    net.third = 3
    assert validity.broken is None


def test_the_printed_tree() -> None:
    net = Net()
    net.add_module("body", nn.Sequential(nn.ReLU(), nn.Flatten()))
    assert repr(net) == (
        "Net(\n"
        "  (first): Linear(in_features=3, out_features=4, bias=True)\n"
        "  (second): Linear(in_features=4, out_features=2, bias=False)\n"
        "  (body): Sequential(\n"
        "    (0): ReLU()\n"
        "    (1): Flatten(start_dim=1, end_dim=-1)\n"
        "  )\n"
        ")"
    )
    assert repr(nn.LayerNorm(3)) == "LayerNorm((3,), eps=1e-05, elementwise_affine=True, bias=True)"
    assert repr(nn.Sequential()) == "Sequential()"
    assert repr(nn.ModuleList()) == "ModuleList()"
    several = nn.ModuleList([nn.Tanh(), *(nn.Sequential(nn.ReLU()) for _ in range(2)), nn.ReLU()])
    assert repr(several) == (
        "ModuleList(\n  (0): Tanh()\n  (1-2): 2 x Sequential(\n    (0): ReLU()\n  )\n  (3): ReLU()\n)"
    )
    assert repr(nn.GELU("tanh")) == "GELU(approximate='tanh')"
    assert repr(nn.ReLU(inplace=True)) == "ReLU(inplace=True)"
    assert repr(nn.Softmax(1)) == "Softmax(dim=1)"


class Counted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Buffer(gl.ones(2))
        self.count = nn.Buffer(gl.tensor(0.0), persistent=False)

    def forward(self, x: gl.Tensor) -> gl.Tensor:
        self.count += 1
        return x * self.scale


def test_a_buffer_that_is_assigned_is_a_buffer_in_one_graph_and_in_copies() -> None:
    net, plain = Counted(), Counted()
    ask = gl.jit(lambda net, x: net(x), fullgraph=True)
    x = gl.tensor([1.0, 2.0])
    with interpreted():
        for _ in range(3):
            assert gl.equal(ask(net, x), plain(x))
        assert net.count.item() == plain.count.item() == 3.0
        net.scale = gl.full((2,), 3.0)
        assert ask(net, x).tolist() == [3.0, 6.0]
        validity = Validity(1)
        watch(net._buffers, "scale", validity, "scale")
        net.scale = nn.Buffer(gl.zeros(2))
        assert validity.broken is not None
        assert ask(net, x).tolist() == [0.0, 0.0]
    for copied in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert list(copied.state_dict()) == ["scale"] and [name for name, _ in copied.named_buffers()] == [
            "scale",
            "count",
        ]
        assert isinstance(copied.scale, nn.Buffer)
    assert list(net.double().state_dict().values())[0].dtype is gl.float64
