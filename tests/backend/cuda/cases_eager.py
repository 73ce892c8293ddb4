"""Eager operations on tensors of a GPU: kernels, with the CPU's results. `test_simulated.py` runs this file."""

import warnings

import numpy as np
import pytest
from backend.graph_cases import strided

import guardlift as gl
from guardlift import nn, optim
from guardlift.core import dtypes
from guardlift.nn import functional as F
from guardlift.ops import OPS
from guardlift.ops.call_outs import CALL_OUT
from guardlift.ops.registry import Composite, Creation, Structural, broadcasts
from guardlift.tensor.dispatch import apply, apply_
from guardlift.tensor.tensor import Tensor

BY_HOST = set(
    "binomial cholesky cofactor_slopes cofactors det distinct eigh eigvalsh gamma_slope gammainc gammaincc "
    "histc inverse ldl ldl_solve lu matrix_exp matrix_info pinv poisson polygamma qr row_order slogdet solve "
    "solve_triangular standard_gamma svd svdvals von_mises zeta".split()
)
"""The ops that NumPy and LAPACK compute, in compiled code too, at least for some of their attributes."""
SUMS = {"sum", "matmul", "mean", "var", "layer_norm", "linear", "nll_loss", "softmax", "log_softmax", "convolution"}
SUMS |= {
    "convolution_input",
    "convolution_weight",
    "gelu",
    "random_normal",
    "masked_softmax",
    "standardise",
    "standardised",
}
SUMS |= {name for name in OPS if name.startswith("attention")}
"""Ops that add in another order, or whose terms cancel."""
MOST_SAMPLES = 6
ON_THE_CPU = {"complex", "real", "imag", "real_view", "imag_view", "view_as_real", "view_as_complex"}
ON_THE_CPU |= {"fft", "irfft", "rfft"}
"""Ops that take or give complex numbers."""
NAMES = [
    name
    for name, op in OPS.items()
    if name not in {*ON_THE_CPU, "to_device"}
    and not isinstance(op.lower, (Creation, Structural))
    and op is not CALL_OUT
]


def counted():
    return dict(gl.cuda.host_computations())


@pytest.fixture
def no_host():
    """The host computes nothing for tensors on the device in the test."""
    before = counted()
    yield
    assert counted() == before


def given(sample, variant):
    """The operands of a sample, laid out in one of several ways, on the CPU and on the device."""
    there = [Tensor._wrap(strided(array, variant)).to("cuda") for array in sample.args]
    return [each.cpu() for each in there], there


def check_alike(found, expected, name, exact):
    assert (found.shape, found.dtype, found.device.type) == (expected.shape, expected.dtype, "cuda")
    one, other = expected.detach().numpy(), found.detach().cpu().numpy()
    if exact and not expected.dtype.is_narrow:
        np.testing.assert_array_equal(other, one, err_msg=name)
    else:
        near = 1e-2 if expected.dtype.is_narrow else 1e-5
        np.testing.assert_allclose(
            other.astype("f8"), one.astype("f8"), near, 1e-5 if name in SUMS else 1e-6, err_msg=name
        )


@pytest.mark.parametrize("name", NAMES)
def test_every_op_has_the_cpus_result_by_a_kernel(name):
    op = OPS[name]
    exact = op.exact and not isinstance(op.lower, Composite) and name not in {*SUMS, "maximum", "minimum"}
    samples = list(op.samples())
    for k, sample in enumerate(samples[:: -(-len(samples) // MOST_SAMPLES)]):
        here, there = given(sample, k % 2)
        before, attrs = counted(), dict(sample.attrs)
        found, expected = apply(op, *there, **attrs), apply(op, *here, **attrs)
        check_alike(found, expected, name, exact)
        assert counted() == before or name in BY_HOST or not all(each.numel() for each in (*there, found)), sample
        if all(size > 1 for size in found.shape):
            assert found.stride() == expected.stride(), sample


@pytest.mark.parametrize("name", [name for name in NAMES if OPS[name].vjp and name not in BY_HOST])
def test_the_gradients_of_every_op_come_from_kernels(name):
    op = OPS[name]
    for sample in list(op.samples())[:2]:
        wanted = [
            rule is not None and array.dtype.kind == "f" and array.size and array.dtype.itemsize > 2
            for array, rule in zip(sample.args, op.vjp * len(sample.args) if op.variadic else op.vjp, strict=False)
        ]
        if not any(wanted):
            continue
        here, there = given(sample, 0)
        found = []
        for tensors in (here, there):
            leaves = [each.requires_grad_() if want else each for each, want in zip(tensors, wanted, strict=True)]
            result = apply(op, *leaves, **dict(sample.attrs))
            if not result.requires_grad:
                break
            before = counted()
            g = gl.full_like(result, 0.5)
            found.append(gl.autograd.grad(result, [x for x in leaves if x.requires_grad], g, allow_unused=True))
            assert counted() == before
        for one, other in zip(*found, strict=True) if found else ():
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(other.cpu().numpy(), one.numpy(), 1e-4, 1e-5, err_msg=name)


@pytest.mark.usefixtures("no_host")
def test_operations_in_place_read_before_they_write():
    base = np.arange(1.0, 13.0, dtype="f4")
    programs = [
        lambda x: x.add_(x),
        lambda x: x[1:].add_(x[:-1]),
        lambda x: x[:-1].mul_(x[1:]),
        lambda x: x.reshape(3, 4).copy_(x.reshape(4, 3).t()),
        lambda x: x[2:].copy_(x[:-2]),
        lambda x: x[::2].sub_(x[1::2], alpha=2),
        lambda x: x.reshape(3, 4)[:3, :3].add_(x.reshape(3, 4)[:3, :3].t()),
        lambda x: x.reshape(3, 4).add_(x[:4]),
        lambda x: x.clamp_(2, 5).relu_().neg_(),
        lambda x: x.reshape(3, 4).t().mul_(gl.arange(3.0, device=x.device)),
        lambda x: x.masked_fill_(x > 3, 7.0),
        lambda x: x.zero_(),
        lambda x: x.fill_(2.5),
        lambda x: x[3:5].fill_(-1),
        lambda x: x.copy_(gl.arange(12, device=x.device)),
        lambda x: x.pow_(2).sqrt_().addcmul_(x, x, value=0.5),
        lambda x: x.lerp_(x.flip(0), 0.25),
    ]
    for number, program in enumerate(programs):
        found = []
        for device in ("cpu", "cuda"):
            x = gl.tensor(base).to(device)
            program(x)
            found.append(x)
        np.testing.assert_allclose(found[1].cpu().numpy(), found[0].numpy(), 1e-6, err_msg=str(number))


@pytest.mark.usefixtures("no_host")
@pytest.mark.parametrize("dtype", [*dtypes.ALL, dtypes.float16, dtypes.bfloat16], ids=str)
def test_dtypes_meet_as_on_the_cpu(dtype):
    found = []
    for device in ("cpu", "cuda"):
        x = (gl.arange(6) % 3).to(dtype).to(device)
        others = (
            x.to(gl.float32),
            x if dtype.kind == "u" else x.to(gl.int64),
            x.to(gl.bool),
            gl.tensor(2.5, device=device),
            gl.tensor(2),
        )
        mine = [x + each for each in others] + [
            x + 1,
            x * 2.5,
            x == 1,
            x < 2.5,
            x / 2,
            gl.where(x > 0, x, 1),
            1 - x.long(),
        ]
        mine += [x.to(each) for each in dtypes.ALL] + [
            x.sum(),
            x.float().mean(),
            x.reshape(2, 3).amax(1),
            gl.cat([x, x]),
        ]
        mine += [
            x.reshape(2, 3).t().contiguous(),
            x.clone(),
            x[[2, 0]] if device == "cpu" else x.index_select(0, gl.tensor([2, 0]).to(device)),
        ]
        found.append(mine)
    for number, (one, other) in enumerate(zip(*found, strict=True)):
        check_alike(other, one, str(number), False)


def test_numbers_that_a_dtype_does_not_hold_are_the_cpus():
    for device in ("cpu", "cuda"):
        x = gl.tensor([1, 44, 255], dtype=gl.uint8).to(device)
        assert (x == 300).tolist() == [False] * 3 and (x < 300).tolist() == [True] * 3
        assert (x + 300).tolist() == [45, 88, 43]
        assert gl.full((2,), 2**63, dtype=gl.uint64, device=device).tolist() == [2**63] * 2
        assert (gl.ones(2, dtype=gl.int64, device=device) * 2**62).tolist() == [2**62] * 2
        assert gl.tensor([-0.0, 1.0], device=device).mul(-0.0).tolist() == [0.0, -0.0]


@pytest.mark.usefixtures("no_host")
def test_new_tensors_are_made_where_they_lie():
    found = []
    for device in ("cpu", "cuda"):
        gl.manual_seed(3)
        made = [gl.zeros(2, 3, device=device), gl.ones(0, device=device), gl.full((2, 2), 7, device=device)]
        made += [gl.arange(1, 9, 3, device=device), gl.arange(0.1, 2.0, 0.3, device=device), gl.ones((), device=device)]
        made += [gl.full((3,), -1.5, dtype=gl.bfloat16, device=device), gl.full((2,), True, device=device)]
        made += [gl.rand(5, device=device), gl.randint(3, 90, (4,), device=device), gl.rand_like(made[0])]
        made += [gl.zeros_like(made[0]), gl.ones(3, device=device).uniform_(2, 3), F.dropout(made[0] + 1, 0.5)]
        found.append((made, gl.randn(7, dtype=gl.float64, device=device)))
    for number, (one, other) in enumerate(zip(found[0][0], found[1][0], strict=True)):
        check_alike(other, one, str(number), True)
    check_alike(found[1][1], found[0][1], "normal", False)


def test_errors_are_those_of_the_cpu_and_nothing_is_written():
    x, y = gl.ones(2, 3, device="cuda"), gl.ones(4, device="cuda")
    for wrong in (
        lambda x, y: x + y,
        lambda x, y: x.add_(y),
        lambda x, y: x @ x,
        lambda x, y: x.copy_(y),
        lambda x, y: x[gl.tensor([0, 5]).to(x.device)],
        lambda x, y: y[:1].add_(y),
        lambda x, y: gl.cat([x, y]),
        lambda x, y: gl.tensor([1, 2], device=x.device) ** -1,
        lambda x, y: x.expand(5, 2, 3).add_(1),
    ):
        with pytest.raises(Exception) as here:  # noqa: PT011  (whatever it is, the device has the same)
            wrong(x.cpu(), y.cpu())
        with pytest.raises(type(here.value)) as there:
            wrong(x, y)
        assert str(there.value) == str(here.value)
    assert x.tolist() == [[1.0] * 3] * 2 and y.tolist() == [1.0] * 4
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x + gl.ones(2, 3)


OPTIMIZERS = {
    "SGD": lambda params: optim.SGD(params, lr=0.1, momentum=0.9, nesterov=True),
    "Adam": lambda params: optim.Adam(params, lr=0.01),
    "AdamW": lambda params: optim.AdamW(params, lr=0.01, amsgrad=True),
    "Adamax": lambda params: optim.Adamax(params, lr=0.01),
    "NAdam": lambda params: optim.NAdam(params, lr=0.01),
    "RAdam": lambda params: optim.RAdam(params, lr=0.01),
    "Adagrad": lambda params: optim.Adagrad(params, lr=0.1),
    "Adadelta": lambda params: optim.Adadelta(params),
    "RMSprop": lambda params: optim.RMSprop(params, lr=0.01, centered=True, momentum=0.5),
    "Rprop": lambda params: optim.Rprop(params, lr=0.01),
    "ASGD": lambda params: optim.ASGD(params, lr=0.01),
}


@pytest.mark.usefixtures("no_host")
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_training_step_is_kernels_alone(name):
    found = []
    for device in ("cpu", "cuda"):
        gl.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.LayerNorm(4), nn.Linear(4, 2)).to(device)
        x, target = gl.randn(5, 3).to(device), gl.tensor([0, 1, 1, 0, 1]).to(device)
        optimizer = OPTIMIZERS[name](model.parameters())
        for step in range(3):
            optimizer.zero_grad(set_to_none=step != 1)
            for _ in range(2 if step else 1):
                F.cross_entropy(model(x), target).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
        found.append([*model.parameters(), *(each.grad for each in model.parameters())])
    for number, (one, other) in enumerate(zip(*found, strict=True)):
        check_alike(other, one, str(number), False)


def test_pointwise_ops_in_place():
    names = [name for name in NAMES if broadcasts(OPS[name]) and name not in BY_HOST]
    for name in names:
        op = OPS[name]
        sample = next(iter(op.samples()))
        expected = op(*sample.args, **dict(sample.attrs))
        if not sample.args or (expected.shape, expected.dtype) != (sample.args[0].shape, sample.args[0].dtype):
            continue
        here, there = given(sample, 0)
        before = counted()
        for tensors in (here, there):
            apply_(op, *tensors, **dict(sample.attrs))
        assert counted() == before, name
        check_alike(there[0], here[0], name, False)


def test_other_sizes_take_the_program_that_there_is():
    def programs(x, y):
        first = gl.softmax(x, -1).sum(0), x + y, x * 2.5, x @ y.t(), x.amax(1), (x > y).any(), x.clone().sub_(y[:1])
        w = x.clone().requires_grad_()
        ((w * y).relu().square() @ y.t()).sum().backward()
        return *first, w.grad

    kernels = gl.ones(1, device="cuda")._array.memory.copies.kernels
    sizes = [(5, 6), (6, 5), (9, 11), (8, 20), (7, 7), (3, 40), (40, 3), (2, 2), (1, 4), (4, 1), (0, 3)]
    counts = []
    for rows, columns in sizes:
        here = gl.randn(rows, columns), gl.randn(rows, columns)
        found = programs(*(each.to("cuda") for each in here)) if rows else programs(*here)
        for number, (one, other) in enumerate(zip(programs(*here), found, strict=True)):
            near = f"{number} of {rows} x {columns}"
            np.testing.assert_allclose(other.cpu().numpy(), one.numpy(), 1e-4, 1e-4, err_msg=near)
        counts.append(sum(map(len, kernels._programs.values())))
    assert len(set(counts[:4])) == 1 and counts[0]
    assert all(len(each) <= 6 for each in kernels._programs.values())


def test_a_step_over_parameters_that_share_memory_takes_them_in_turn():
    found = []
    for device in ("cpu", "cuda"):
        memory = gl.arange(12.0).to(device)
        params = [memory[:4], memory[2:6], memory[6:].reshape(2, 3).t(), memory[7:9]]
        params = [nn.Parameter(each) for each in params]
        for number, each in enumerate(params):
            each.grad = gl.full_like(each, 1.0 + number)
        params[1].grad = params[0].detach()
        params[3].grad = params[3].detach()
        optimizer = optim.SGD(params, lr=0.5, momentum=0.5)
        for _ in range(3):
            optimizer.step()
        found.append(memory)
    check_alike(found[1], found[0], "memory", False)


@pytest.mark.parametrize(
    "function",
    [
        gl.complex,
        gl.polar,
        lambda x, y: gl.view_as_complex(gl.stack([x, y], -1)),
        lambda x, y: x * 1j,
        lambda x, y: gl.fft.fft(x),
    ],
    ids=["complex", "polar", "view_as_complex", "number", "fft"],
)
def test_complex_numbers_are_refused_by_name(function):
    x, y = (gl.ones(3).to("cuda") for _ in range(2))
    for run in (function, gl.jit(lambda x, y: function(x, y))):
        with (
            warnings.catch_warnings(),
            pytest.raises(NotImplementedError, match="complex tensors are on the CPU alone"),
        ):
            warnings.simplefilter("ignore", gl.GraphBreakWarning)
            run(x, y)
