from __future__ import annotations

import pytest
from optim.cases import parameters, train

import guardlift as gl
from guardlift import nn, optim


def test_without_momentum_nothing_is_remembered() -> None:
    params = parameters()
    optimizer = optim.SGD(params, lr=0.1)
    train(optimizer, params, range(2))
    assert len(optimizer.state) == 0


def test_the_buffer_starts_as_the_gradient_and_stays_the_same_tensor() -> None:
    (param, *_) = parameters()
    optimizer = optim.SGD([param], lr=0.1, momentum=0.9, dampening=0.5)
    train(optimizer, [param], range(1))
    buffer = optimizer.state[param]["momentum_buffer"]
    assert param.grad is not None
    assert buffer.tolist() == param.grad.tolist()
    assert buffer._array is not param.grad._array
    versions = buffer._version, param._version
    train(optimizer, [param], range(1, 2))
    assert optimizer.state[param]["momentum_buffer"] is buffer
    assert (buffer._version, param._version) == (versions[0] + 1, versions[1] + 1)


def test_a_closure_is_called_with_gradients_recorded() -> None:
    param = nn.Parameter(gl.ones(2))
    optimizer = optim.SGD([param], lr=0.5)

    def closure() -> gl.Tensor:
        optimizer.zero_grad()
        loss = (param * param).sum()
        loss.backward()
        return loss

    with gl.no_grad():
        loss = optimizer.step(closure)
    assert loss.item() == 2.0
    assert param.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"lr": -1.0}, "lr is not to be negative, got -1.0"),
        ({"momentum": -0.1}, "momentum is not to be negative"),
        ({"weight_decay": -0.1}, "weight_decay is not to be negative"),
        ({"nesterov": True}, "nesterov=True takes a momentum above 0 and no dampening"),
        ({"nesterov": True, "momentum": 0.9, "dampening": 0.1}, "nesterov=True takes a momentum"),
        ({"differentiable": True}, "differentiable=True is not supported"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, float], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        optim.SGD([gl.zeros(1)], **settings)  # type: ignore[arg-type]
