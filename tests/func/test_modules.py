import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.func import functional_call, grad, hessian, stack_module_state, vmap

F = nn.functional


def model():
    gl.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


def state_of(module):
    return {name: each.detach() for name, each in module.named_parameters()}


X, Y = gl.tensor(np.random.default_rng(1).uniform(-1, 1, (5, 3)).astype("f")), gl.tensor([0, 1, 1, 0, 1])


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)
        self.b.weight = self.a.weight
        self.register_buffer("count", gl.zeros(2))

    def forward(self, x):
        self.count += 1
        return self.b(self.a(x)) + self.count


@pytest.mark.parametrize("jit", [lambda f: f, lambda f: gl.jit(f, fullgraph=True)])
def test_gradients_of_single_examples(jit):
    net = model()
    params = state_of(net)

    def loss(params, x, y):
        return F.cross_entropy(functional_call(net, params, (x[None],)), y[None])

    found = jit(vmap(grad(loss), in_dims=(None, 0, 0)))(params, X, Y)
    for k in range(5):
        net.zero_grad()
        F.cross_entropy(net(X[k : k + 1]), Y[k : k + 1]).backward()
        for name, each in net.named_parameters():
            np.testing.assert_allclose(found[name][k].numpy(), each.grad.numpy(), atol=1e-6)


@pytest.mark.parametrize("jit", [lambda f: f, lambda f: gl.jit(f, fullgraph=True)])
def test_an_ensemble_of_models(jit):
    models = [nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)) for _ in range(3)]
    params, buffers = stack_module_state(models)
    base = models[0]
    run = jit(
        lambda p, b, x: (
            vmap(lambda q, c: functional_call(base, (q, c), (x,)))(p, b)
            if b
            else vmap(lambda q: functional_call(base, q, (x,)))(p)
        )
    )
    found = run(params, buffers, X)
    for each, net in zip(found, models, strict=True):
        np.testing.assert_allclose(each.detach().numpy(), net(X).detach().numpy(), atol=1e-6)
    found.sum().backward()
    assert params["0.weight"].grad.shape == (3, 4, 3)


@pytest.mark.parametrize("jit", [lambda f: f, lambda f: gl.jit(f, fullgraph=True)])
def test_the_hessian_of_a_network(jit):
    net = model().double()
    params, x = state_of(net), X.double()

    def loss(bias):
        return functional_call(net, {**params, "2.bias": bias}, x).tanh().pow(2).sum()

    found = jit(hessian(loss))(params["2.bias"])
    y = np.tanh(net(x).detach().numpy())
    slope = 1 - y * y
    expected = np.diag((2 * slope * slope - 4 * y * y * slope).sum(0))
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-10)


def test_the_module_has_its_own_tensors_again():
    net = nn.Linear(2, 2)
    before = dict(net.named_parameters())
    functional_call(net, {"weight": gl.eye(2), "bias": gl.zeros(2)}, gl.ones(2))
    assert all(each is before[name] for name, each in net.named_parameters())
    with pytest.raises(RuntimeError):
        functional_call(net, {"weight": gl.eye(3)}, gl.ones(2))
    assert all(each is before[name] for name, each in net.named_parameters())


@pytest.mark.parametrize("jit", [lambda f: f, lambda f: gl.jit(f, fullgraph=True)])
def test_what_is_left_out_is_the_module_s_own(jit):
    net = nn.Linear(2, 2)
    found = jit(lambda w, x: functional_call(net, {"weight": w}, x))(gl.eye(2), gl.ones(2))
    np.testing.assert_allclose(found.detach().numpy(), 1 + net.bias.detach().numpy())
    assert found.requires_grad


@pytest.mark.parametrize("jit", [lambda f: f, gl.jit])
def test_tied_parameters_are_replaced_together(jit):
    net, x = Tied(), gl.ones(2)
    net.a.bias.data.zero_(), net.b.bias.data.zero_()
    given = {"a.weight": 2 * gl.eye(2), "count": gl.zeros(2)}
    found = jit(lambda given, x: functional_call(net, given, x))(given, x)
    np.testing.assert_allclose(found.detach().numpy(), [5, 5])
    np.testing.assert_array_equal(given["count"].numpy(), [1, 1])
    np.testing.assert_array_equal(net.count.numpy(), [0, 0])
    apart = functional_call(net, {"a.weight": 2 * gl.eye(2), "count": gl.zeros(2)}, x, tie_weights=False)
    np.testing.assert_allclose(apart.detach().numpy(), 1 + 2 * net.a.weight.detach().numpy().sum(1), rtol=1e-6)


def test_a_jitted_model_sees_what_is_given():
    net = nn.Linear(2, 2)
    compiled = gl.jit(lambda x: net(x))
    compiled(gl.ones(2))
    found = vmap(lambda w: functional_call(net, {"weight": w, "bias": gl.zeros(2)}, gl.ones(2)))(gl.stack([gl.eye(2)]))
    np.testing.assert_allclose(found.numpy(), [[1, 1]])
    np.testing.assert_allclose(compiled(gl.ones(2)).detach().numpy(), net(gl.ones(2)).detach().numpy(), rtol=1e-6)

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = net

        def forward(self, x):
            return compiled(x)

    swapped = functional_call(Outer(), {"inner.weight": gl.eye(2), "inner.bias": gl.zeros(2)}, gl.ones(2))
    np.testing.assert_allclose(swapped.detach().numpy(), [1, 1])


def test_asking_a_lent_table_breaks_the_graph():
    class Summed(nn.Linear):
        def forward(self, x):
            return sum((each.sum() for each in self.parameters()), x.sum())

    net = Summed(2, 2)
    given = {"weight": gl.ones(2, 2), "bias": gl.ones(2)}
    assert float(gl.jit(lambda given, x: functional_call(net, given, x))(given, gl.ones(2))) == 8.0


def test_wrong_calls_are_refused():
    net, x = nn.Linear(2, 2), gl.ones(2)
    weight = gl.eye(2)
    with pytest.raises(ValueError, match="multiple dictionaries"):
        functional_call(net, ({"weight": weight}, {"weight": weight}), x)
    with pytest.raises(ValueError, match="to be a dict"):
        functional_call(net, 3, x)
    with pytest.raises(TypeError, match="is not an instance of"):
        functional_call(net, {"weight": 3.0}, x)
    with pytest.raises(AttributeError):
        functional_call(net, {"sub.weight": weight}, x)
    with pytest.raises(RuntimeError, match="Missing key"):
        functional_call(net, {"weight": weight}, x, strict=True)
    with pytest.raises(RuntimeError, match="Unexpected key"):
        functional_call(net, {"weight": weight, "bias": x, "other": x}, x, strict=True)
    with pytest.raises(ValueError, match="tied"):
        functional_call(Tied(), {"a.weight": weight, "b.weight": weight * 2}, x)
    with pytest.raises(TypeError):
        functional_call(net, {"weight": weight}, x, {"strange": 1})


def test_wrong_ensembles_are_refused():
    with pytest.raises(RuntimeError, match="at least one model"):
        stack_module_state([])
    with pytest.raises(RuntimeError, match="same training/eval mode"):
        stack_module_state([nn.Linear(2, 2), nn.Linear(2, 2).eval()])
    with pytest.raises(RuntimeError, match="same class"):
        stack_module_state([nn.Linear(2, 2), nn.ReLU()])
    frozen = nn.Linear(2, 2)
    frozen.weight.requires_grad_(False)
    with pytest.raises(RuntimeError, match=r"same .requires_grad"):
        stack_module_state([nn.Linear(2, 2), frozen])


def test_stacked_parameters_are_leaves_and_stacked_buffers_are_plain():
    params, buffers = stack_module_state([Tied(), Tied()])
    assert list(params) == ["a.weight", "a.bias", "b.bias"]
    assert {name: each.shape for name, each in buffers.items()} == {"count": (2, 2)}
    assert all(each.is_leaf and each.requires_grad for each in params.values())
    assert not any(each.requires_grad for each in buffers.values())
