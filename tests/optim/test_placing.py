"""The device of what optimizers keep of parameters on a device; `cases_tensors.py` has it jitted."""

from __future__ import annotations

import pytest
from core.host_device import host_device  # noqa: F401  (a fixture)

import guardlift as gl
from guardlift import nn, optim
from guardlift.optim.placing import place_counters, prepare_groups

pytestmark = pytest.mark.usefixtures("host_device")


def stepped(device: str, **settings: object) -> tuple[nn.Module, optim.Optimizer]:
    """A layer and its optimizer after two steps."""
    gl.manual_seed(3)
    layer = nn.Linear(3, 2).to(device)
    optimizer = optim.Adam(layer.parameters(), lr=0.1, **settings)
    for _ in range(2):
        optimizer.zero_grad()
        layer(gl.ones(1, 3, device=device)).square().sum().backward()
        optimizer.step()
    return layer, optimizer


def places(optimizer: optim.Optimizer, name: str) -> set[str]:
    return {each[name].device.type for each in optimizer.state.values()}


@pytest.mark.parametrize("settings", [{}, {"amsgrad": True}, {"capturable": True}, {"fused": True}])
def test_eager_steps_on_a_device_have_the_numbers_of_the_cpu(settings: dict[str, bool]) -> None:
    here, _ = stepped("cpu", **settings)
    there, optimizer = stepped("cuda", **settings)
    for one, other in zip(here.parameters(), there.parameters()):
        assert one.tolist() == other.tolist() and other.device.type == "cuda"
    assert places(optimizer, "exp_avg") == {"cuda"}
    assert places(optimizer, "step") == {"cuda" if {"capturable", "fused"} & settings.keys() else "cpu"}


def test_sgd_makes_its_buffers_beside_the_parameters() -> None:
    layer = nn.Linear(3, 2).to("cuda")
    optimizer = optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)
    layer(gl.ones(1, 3, device="cuda")).sum().backward()
    optimizer.step()
    assert places(optimizer, "momentum_buffer") == {"cuda"}


@pytest.mark.spec("S5.06")
def test_capturable_is_switched_on_where_all_parameters_are_new_and_on_a_device() -> None:
    def groups(*lists: list[gl.Tensor]) -> optim.Optimizer:
        return optim.Adam([{"params": each} for each in lists], lr=0.1)

    here, there = gl.ones(2, requires_grad=True), gl.ones(2, device="cuda", requires_grad=True)
    other = gl.ones(3, device="cuda", requires_grad=True)
    optimizer = groups([here], [there], [other])
    optimizer.state[other]["step"] = gl.tensor(1.0)
    prepare_groups(optimizer)
    assert [each["capturable"] for each in optimizer.param_groups] == [False, True, False]
    mixed = groups([there, here])
    prepare_groups(mixed)
    assert mixed.param_groups[0]["capturable"] is False
    plain = optim.SGD([there], lr=0.1)
    prepare_groups(plain)
    assert "capturable" not in plain.param_groups[0]


@pytest.mark.spec("S5.05")
def test_counters_on_the_wrong_device_are_moved() -> None:
    layer, optimizer = stepped("cuda")
    assert places(optimizer, "step") == {"cpu"}
    place_counters(optimizer)
    assert places(optimizer, "step") == {"cuda"}
    assert {each["step"].item() for each in optimizer.state.values()} == {2.0}
    _, on_the_cpu = stepped("cpu")
    before = [each["step"] for each in on_the_cpu.state.values()]
    place_counters(on_the_cpu)
    assert all(each["step"] is old for each, old in zip(on_the_cpu.state.values(), before))


@pytest.mark.parametrize(("settings", "counters"), [({}, "cpu"), ({"capturable": True}, "cuda")])
def test_a_state_dict_is_loaded_to_the_devices_of_the_parameters(settings: dict[str, bool], counters: str) -> None:
    _, trained = stepped("cpu", **settings)
    layer = nn.Linear(3, 2).to("cuda")
    optimizer = optim.Adam(layer.parameters(), lr=0.1, **settings)
    optimizer.load_state_dict(trained.state_dict())
    assert places(optimizer, "exp_avg_sq") == {"cuda"} and places(optimizer, "step") == {counters}
    assert places(trained, "exp_avg_sq") == {"cpu"}
