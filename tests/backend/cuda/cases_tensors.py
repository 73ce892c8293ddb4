"""Jitted functions over tensors on a device do what they do on the CPU. `test_simulated.py` runs this file."""

import warnings

import numpy as np
import pytest
from frontend.tensors.autograd.custom_samples import SineAndCosine

import guardlift as gl
from guardlift import nn, optim
from guardlift.autograd.graph import inlineable, saved_tensors_hooks
from guardlift.backend.cuda.control_flow import CudaLoopStep
from guardlift.backend.cuda.device import is_simulated
from guardlift.backend.schedule.conds import CondCall
from guardlift.frontend import state_of
from guardlift.nn import functional as F

DEVICES = ("cpu", "cuda")


@pytest.fixture(autouse=True)
def no_silent_breaks():
    """A graph break, or an error of ours, fails the test."""
    with gl.config.patch(raise_internal_errors=True), warnings.catch_warnings():
        warnings.simplefilter("error", gl.GraphBreakWarning)
        yield


def entries(function):
    return state_of(function).entries


def tensors_in(value):
    if isinstance(value, gl.Tensor):
        yield value.detach()
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from tensors_in(each)


def compare(build, calls=3, near=1e-5):
    """`build(device)` gives a function, and another for the state to look at; on each device it is jitted and called.

    Gives the jitted function on the device."""
    found = {}
    for device in DEVICES:
        gl.manual_seed(7)
        step, state = build(device)
        function = step if state_of(step) else gl.jit(fullgraph=True)(step)
        results = [function() for _ in range(calls)]
        found[device] = list(tensors_in([*results, state()]))
    assert {each.device.type for each in found["cpu"]} == {"cpu"}
    assert {each.device.type for each in found["cuda"]} == {"cuda"}
    for one, other in zip(found["cpu"], found["cuda"], strict=True):
        np.testing.assert_allclose(one.numpy(), other.cpu().numpy(), rtol=near, atol=1e-6)
    return function


def network(device):
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).to(device)


def test_a_forward_pass_runs_as_kernels_of_the_device():
    def build(device):
        x, w = gl.randn(4, 6).to(device), gl.randn(6, 5).to(device)
        return lambda: (F.softmax(x @ w, -1).sum(0), gl.where(x > 0, x, 0 * x).max(1).values, x.argmax(1)), list

    (entry,) = entries(compare(build))
    assert entry.details["compiled"].graph.device == "cuda:0"


def test_one_function_serves_both_devices():
    @gl.jit
    def double(x):
        return x * 2, x.device.type == "cuda"

    for device in ("cpu", "cuda", "cpu", "cuda"):
        result, there = double(gl.ones(3, device=device))
        assert result.tolist() == [2.0] * 3 and (result.device.type, there) == (device, device == "cuda")
    assert len(entries(double)) == 2
    assert "x.device was cpu, now cuda:0" in str(gl.explain(double))


def test_tensors_go_to_the_device_and_back_inside():
    def build(device):
        w, scale = gl.randn(3, 4).requires_grad_(), gl.randn(3, 4, device=device)

        def step():
            w.grad = None
            (w.sin().to(device) * scale).sum().backward()
            return w.grad.to(device)

        return step, list

    compare(build)


def test_what_is_made_inside_lies_where_it_is_asked_to():
    def build(device):
        x = gl.randn(3, 4).to(device)

        def step():
            ramp = gl.arange(4.0, device=device) + gl.ones(3, 4, device=x.device) + gl.zeros_like(x)
            return x * ramp, gl.full((2,), 3.0, device=device), gl.ones(2, device=device).fill_(5)

        return step, list

    compare(build)


def test_the_default_device_is_a_guard():
    @gl.jit
    def made():
        return gl.ones(2) + 1

    assert made().device.type == "cpu"
    gl.set_default_device("cuda")
    try:
        assert made().device.type == "cuda"
    finally:
        gl.set_default_device(None)
    assert made().device.type == "cpu"


def test_writes_into_tensors_of_before_the_call():
    def build(device):
        x = gl.randn(3, 4).to(device)

        def step():
            x.mul_(2)
            x[1] = 7.0
            x[:, 0].add_(1)
            return x.sum()

        return step, lambda: [x]

    compare(build)


def copied(x, values, places):
    x.copy_(gl.gather(values, 0, places))


def added(x, values, places):
    x.mul_(3)
    x.add_(values[places])
    return x.sum()


@pytest.mark.parametrize("program", [copied, added])
@pytest.mark.parametrize("count", [3, 300])
def test_a_check_that_fails_leaves_tensors_as_they_were(program, count):
    jitted = gl.jit(program)
    values, places = gl.ones(count, device="cuda"), gl.arange(count, device="cuda")
    jitted(gl.ones(count, device="cuda"), values, places)
    places[1] = count + 5
    found = []
    for function in (program, jitted):
        x = gl.full((count,), -1.0, device="cuda")
        with pytest.raises((IndexError, RuntimeError), match="out of bounds"):
            function(x, values, places)
        found.append(x.tolist())
    assert found[0] == found[1] and len(entries(jitted)) == 1


def test_devices_that_do_not_mix_are_refused_as_in_eager_mode():
    jitted = gl.jit(lambda x, y: x + y)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jitted(gl.ones(2), gl.ones(2, device="cuda"))


def test_a_scalar_of_the_cpu_beside_tensors_of_the_device():
    scale = gl.tensor(2.5)
    jitted = gl.jit(lambda x: x * scale)
    assert jitted(gl.ones(2, device="cuda")).tolist() == [2.5, 2.5]
    scale.fill_(3.0)
    assert jitted(gl.ones(2, device="cuda")).tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    "make",
    [
        lambda params: optim.SGD(params, lr=0.1, momentum=0.9, nesterov=True),
        lambda params: optim.Adam(params, lr=0.01),
        lambda params: optim.AdamW(params, lr=0.01, amsgrad=True),
        lambda params: optim.Adagrad(params, lr=0.1),
        lambda params: optim.RMSprop(params, lr=0.01),
        lambda params: optim.NAdam(params, lr=0.01),
    ],
)
def test_a_training_step_is_one_graph_on_the_device(make):
    def build(device):
        model = network(device)
        x, target = gl.randn(5, 3).to(device), gl.tensor([0, 1, 1, 0, 1]).to(device)
        optimizer = make(model.parameters())

        def step():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), target)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            return loss

        return step, lambda: [[each, each.grad] for each in model.parameters()]

    assert len(entries(compare(build))) == 1


def adam_over(device):
    model = nn.Linear(3, 2).to(device)
    optimizer = optim.Adam(model.parameters(), lr=0.1)

    @gl.jit
    def step():
        for each in model.parameters():
            each.grad = gl.ones_like(each)
        optimizer.step()

    return model, optimizer, step


def test_compiled_steps_keep_counters_on_the_device():
    for device in DEVICES:
        model, optimizer, step = adam_over(device)
        for _ in range(3):
            step()
        assert optimizer.param_groups[0]["capturable"] is (device == "cuda")
        assert {optimizer.state[each]["step"].device.type for each in model.parameters()} == {device}
        assert {optimizer.state[each]["step"].item() for each in model.parameters()} == {3.0}
        assert len(entries(step)) == 1


def test_counters_of_an_old_checkpoint_are_moved():
    _, trained, once = adam_over("cpu")
    once()
    model, optimizer, step = adam_over("cuda")
    optimizer.load_state_dict(trained.state_dict())
    assert {optimizer.state[each]["step"].device.type for each in model.parameters()} == {"cpu"}
    step()
    step()
    assert {optimizer.state[each]["step"].device.type for each in model.parameters()} == {"cuda"}
    assert {optimizer.state[each]["step"].item() for each in model.parameters()} == {3.0}


def test_gradients_that_may_move_are_hinted_at(capsys, log_on_stderr):
    model = nn.Linear(3, 2).to("cuda")
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    step = gl.jit(optimizer.step)
    with gl.config.patch(logs=("hints",)):
        for _ in range(2):
            model.zero_grad()
            model(gl.ones(1, 3, device="cuda")).sum().backward()
            step()
    assert capsys.readouterr().err.count(".grad") == 2


def test_backward_outside_of_a_jitted_forward():
    def build(device):
        model = network(device)
        forward, x = gl.jit(lambda x: model(x).square()), gl.randn(5, 3).to(device)

        @gl.jit
        def nothing():
            return x * 1

        for _ in range(2):
            forward(x).sum().backward()
        return nothing, lambda: [each.grad for each in model.parameters()]

    compare(build, calls=1)


def test_second_order_through_compiled_code():
    def build(device):
        w = gl.randn(3, 4).to(device).requires_grad_()
        outside = gl.jit(lambda w: (w.sin() * w).sum())
        (first,) = gl.autograd.grad(outside(w), w, create_graph=True)
        second = gl.autograd.grad(first.square().sum(), w)

        def inside():
            (first,) = gl.autograd.grad((w.sin() * w).sum(), w, create_graph=True)
            return gl.autograd.grad(first.square().sum(), w)[0]

        return inside, lambda: second

    compare(build)


@inlineable
def as_half(tensor):
    return tensor.to(gl.float16)


@inlineable
def as_single(tensor):
    return tensor.to(gl.float32)


@pytest.mark.parametrize("hooks", [(as_half, as_single), (lambda t: t.cpu(), lambda t: t.to("cuda"))])
def test_saved_tensor_hooks(hooks):
    w = gl.randn(3, 4, device="cuda").requires_grad_()
    jitted = gl.jit(lambda w: (w.sin() * w).sum())
    for _ in range(2):
        w.grad = None
        with saved_tensors_hooks(*hooks):
            loss = jitted(w)
        loss.backward()
    expected = (w.cos() * w + w.sin()).detach()
    np.testing.assert_allclose(w.grad.cpu().numpy(), expected.cpu().numpy(), atol=1e-2)


def test_tensor_hooks_and_compiled_backward():
    def build(device):
        w = gl.randn(3, 4).to(device).requires_grad_()

        def step():
            w.grad = None
            y = w * 2
            y.register_hook(lambda g: g * 3)
            y.square().sum().backward()
            return w.grad

        with gl.autograd.compiled_autograd():
            (w.exp() * w).sum().backward()
        before = w.grad
        return step, lambda: [before]

    compare(build)


def test_a_custom_function_gets_zeros_on_the_device():
    def build(device):
        x = gl.randn(3, 4).to(device).requires_grad_()

        def step():
            x.grad = None
            SineAndCosine.apply(x)[0].sum().backward()
            return x.grad

        return step, list

    compare(build)


def test_a_loop_over_tensors_is_a_loop_of_launches():
    def build(device):
        cell = nn.Linear(6, 4).to(device)
        inputs = gl.randn(20, 3, 2).to(device)

        def step():
            cell.zero_grad()
            h = gl.zeros(3, 4, device=device)
            for t in range(20):
                h = gl.tanh(cell(gl.cat([inputs[t], h], 1)))
            loss = h.square().sum()
            loss.backward()
            return loss

        return step, lambda: [each.grad for each in cell.parameters()]

    (entry,) = entries(compare(build, calls=2))
    run = entry.validity.payload
    assert [type(each) for each in run.plan.steps].count(CudaLoopStep) == 2


def test_a_branch_on_data_launches_the_arm_that_is_taken():
    def build(device):
        w, x = gl.randn(3, 4).to(device).requires_grad_(), gl.randn(3, 4).to(device)
        sign = gl.ones((), device=device)

        def step():
            w.grad = None
            y = w * x
            if (y * sign).sum() > 0:
                z = y.sin() * 2
            else:
                z = y.cos() @ y.t() @ y
            z.square().sum().backward()
            sign.neg_()
            return z

        return step, lambda: [w.grad]

    (entry,) = entries(compare(build, calls=4))
    assert [type(each) for each in entry.details["compiled"].calls].count(CondCall) == 2


def test_bodies_with_results_on_several_devices_are_no_nodes():
    def build(device):
        x, here = gl.randn(9, 3).to(device), gl.randn(3)

        def step():
            total, other = gl.zeros(3, device=device), here
            for row in range(9):
                total, other = gl.tanh(total + x[row]), gl.tanh(other + here)
            return total + other.to(device)

        return step, list

    compare(build, calls=2)


def test_other_sizes_cost_one_compile_more():
    layer = nn.Linear(3, 4).to("cuda")
    jitted = gl.jit(lambda x: layer(x).tanh().sum(0))
    for count in (2, 3, 5, 9):
        x = gl.randn(count, 3, device="cuda")
        expected = layer(x).tanh().sum(0).detach()
        np.testing.assert_allclose(jitted(x).detach().cpu().numpy(), expected.cpu().numpy(), rtol=1e-5)
    assert len(entries(jitted)) == 2


def test_half_floats_and_views():
    def build(device):
        x = gl.randn(4, 6).to(device)

        def step():
            half = x.to(gl.bfloat16)
            packed = x.to(gl.float8_e4m3fn)
            return (half * 2 + 1).float(), packed[1:3].float(), gl.stack([x[0], x[2]]).cumsum(0), x.diagonal() + 1

        return step, list

    compare(build)


@pytest.mark.parametrize("dtype", [gl.float8_e4m3fn, gl.float8_e5m2], ids=str)
def test_casts_to_and_from_float8_have_the_bits_of_the_cpu(dtype):
    step = 257 if is_simulated() else 1
    upper, lower = np.meshgrid(np.arange(0, 1 << 16, step, dtype=np.uint32), np.array([0, 1, 0xFFFF], np.uint32))
    floats = gl.tensor((upper << 16 | lower).view(np.float32))  # every float8, half-way between them, just beside
    found = floats.to("cuda").to(dtype).cpu().view(gl.uint8)
    np.testing.assert_array_equal(found.numpy(), floats.to(dtype).view(gl.uint8).numpy())
    every = gl.arange(256, dtype=gl.uint8).view(dtype)
    again = every.to("cuda").to(gl.float32).cpu().view(gl.int32)
    np.testing.assert_array_equal(again.numpy(), every.to(gl.float32).view(gl.int32).numpy())


def test_what_no_kernel_covers_is_a_graph_break_that_says_so():
    sorts = gl.jit(lambda x, a: (x * 2, np.sort(a)))
    with pytest.warns(gl.GraphBreakWarning, match=r"numpy\.sort is NumPy's own"):
        doubled, ordered = sorts(gl.ones(2, device="cuda"), np.array([3.0, 1.0]))
    assert doubled.tolist() == [2.0, 2.0] and ordered.tolist() == [1.0, 3.0]
    other = gl.jit(lambda x: x * 2, backend="reference")
    with pytest.warns(gl.GraphBreakWarning, match="the backend 'reference' runs graphs on the CPU only"):
        assert other(gl.ones(2, device="cuda")).tolist() == [2.0, 2.0]
    assert other(gl.ones(2)).tolist() == [2.0, 2.0]
    assert sorted(each.plain for each in entries(other)) == [False, True]


def test_eager_memory_is_given_back():
    from guardlift.backend.cuda.simulator import BLOCKS

    _, _, step = adam_over("cuda")
    step()
    before = len(BLOCKS._blocks)
    for _ in range(5):
        step()
    assert len(BLOCKS._blocks) == before
