"""Tensors on a device: they do what tensors on the CPU do, and what comes of them lies there too."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator

import numpy as np
import pytest
from core.host_device import HostDevice, host_device  # noqa: F401  (a fixture)
from frontend.tensors.autograd.custom_samples import SineAndCosine
from tensor.test_like_pytorch import cases, programs

import guardlift as gl

pytestmark = pytest.mark.usefixtures("host_device")

MAKERS = frozenset(("arange", "empty", "eye", "full", "linspace", "logspace", "ones", "rand", "randint", "randn"))
MAKERS |= {"randperm", "tensor", "zeros"}
HOST_ALONE = "complex tensors are on the CPU alone"
COMPLEX = re.compile(r"\dj\b|complex")
ASKS_FOR_THE_CPU = re.compile(r"'cpu'|\.numpy\(\)|str\(x\)")


class MadeThere:
    """`gl`, whose tensors are made on the device when the program makes them, while new ones are the CPU's still."""

    def __getattr__(self, name: str) -> object:
        found = getattr(gl, name)
        if name not in MAKERS:
            return found
        return lambda *args, **keywords: found(*args, **{"device": "cuda", **keywords})


@pytest.fixture
def default_cuda() -> Iterator[None]:
    """New tensors lie on the device."""
    gl.set_default_device("cuda")
    yield
    gl.set_default_device(None)


def outcome(program: str, face: object) -> str:
    """The value of an expression, or what a program leaves in `r`, as text."""
    names: dict[str, object] = {"gl": face}
    try:
        try:
            code = compile(program, "<expression>", "eval")
        except SyntaxError:
            with gl.config.patch(num_threads=gl.config.num_threads):  # which a program may set
                exec(program, names)
            return repr(names.get("r"))
        return repr(eval(code, names))
    except Exception as error:
        return f"!! {type(error).__name__}" + (f": {error}" if HOST_ALONE in str(error) else "")


def without_device(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r",\s*device='cuda:0'", "", text))


def tensors_on_the_cpu(text: str) -> int:
    return text.count("tensor(") - text.count("device='cuda:0'")


PROGRAMS = [each for each, _ in (*cases(), *programs("programs")) if not ASKS_FOR_THE_CPU.search(each)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.usefixtures("default_cuda")
def test_a_program_does_on_a_device_what_it_does_on_the_cpu(program: str) -> None:
    found = outcome(program, gl)
    assert tensors_on_the_cpu(found) == 0
    if HOST_ALONE in found:
        assert COMPLEX.search(program)
        return
    gl.set_default_device("cpu")
    assert without_device(found) == without_device(outcome(program, gl))


MAKES_MORE = re.compile(r"_indices\(|scalar_tensor|asarray|as_tensor|sparse")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", [each for each in PROGRAMS if not MAKES_MORE.search(each)])
def test_nothing_is_made_on_the_cpu_in_between(program: str) -> None:
    found = outcome(program, MadeThere())
    assert tensors_on_the_cpu(found) == 0
    if HOST_ALONE in found:
        assert COMPLEX.search(program)
        return
    assert without_device(found) == without_device(outcome(program, gl))


def test_to_moves_there_and_back_and_gradients_with_it() -> None:
    x = gl.tensor([1.0, 2.0], requires_grad=True)
    there = x.to("cuda", gl.float64)
    assert (str(there.device), there.dtype, there.is_cuda, there.is_cpu) == ("cuda:0", gl.float64, True, False)
    assert there.to("cuda:0") is there and there.cuda() is there and x.cpu() is x
    (there * gl.tensor([3.0, 4.0], device="cuda")).sum().backward()
    assert str(x.grad.device) == "cpu" and x.grad.tolist() == [3.0, 4.0]


def test_gradients_lie_beside_what_they_belong_to() -> None:
    w = gl.ones(2, device="cuda", requires_grad=True)
    scale = gl.tensor(2.0, requires_grad=True)
    (w * scale).square().sum().backward()
    assert [str(each.grad.device) for each in (w, scale)] == ["cuda:0", "cpu"]
    (found,) = gl.autograd.grad((w.relu() * 2).sum(), w)
    assert str(found.device) == "cuda:0" and found.tolist() == [2.0, 2.0]


def test_hooks_see_gradients_on_the_device() -> None:
    seen = []
    w = gl.ones(3, device="cuda", requires_grad=True)
    y = w.expand(2, 3)
    y.register_hook(lambda g: seen.append(g.device))
    y.sum().backward()
    assert seen == ["cuda:0"]


def test_a_custom_function_gets_zeros_on_the_device() -> None:
    x = gl.zeros(3, device="cuda", requires_grad=True)
    SineAndCosine.apply(x)[0].sum().backward()
    assert repr(x.grad) == "tensor([1., 1., 1.], device='cuda:0')"


def test_derivatives_of_functions_lie_on_the_device() -> None:
    x = gl.arange(3.0, device="cuda")
    assert gl.autograd.functional.jacobian(lambda x: x * x, x).tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 4]]
    assert str(gl.autograd.functional.hessian(lambda x: (x * x * x).sum(), x).device) == "cuda:0"
    assert gl.autograd.gradcheck(lambda x: x.sin(), x.double().requires_grad_())


def test_what_a_device_does_not_have_is_refused() -> None:
    lookup = gl.nn.Embedding(4, 2, sparse=True).to("cuda")
    with pytest.raises(NotImplementedError, match="sparse gradients are for weights on the CPU"):
        lookup(gl.tensor([1], device="cuda"))
    with pytest.raises(NotImplementedError, match="sparse tensors lie on 'cpu'"):
        gl.sparse_coo_tensor([[0]], [1.0], device="cuda")


def test_checked_hooks_want_back_what_was_on_the_device_there() -> None:
    x = gl.arange(3.0, device="cuda").requires_grad_()
    hooks = gl.autograd.graph.saved_tensors_hooks
    with hooks(lambda t: t.cpu(), lambda t: t.cuda(), check=True):
        y = (x * x).sum()
    y.backward()
    assert x.grad.tolist() == [0.0, 2.0, 4.0]
    wrong = pytest.raises(gl.autograd.graph.HookCheckError, match=r"on cuda:0 came back as float32 \[3\] on cpu")
    with wrong, hooks(lambda t: t.cpu(), lambda t: t, check=True):
        x * x


def test_tensors_on_two_devices_do_not_mix() -> None:
    here, there = gl.ones(2), gl.ones(2, device="cuda")
    for mixed in (lambda: here + there, lambda: there @ here, lambda: here.add_(there), lambda: gl.cat([there, here])):
        with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
            mixed()
    assert here.tolist() == [1.0, 1.0]
    assert str((there * gl.tensor(3.0)).device) == "cuda:0"  # but for those without axes
    there.copy_(here * 5)
    assert there.tolist() == [5.0, 5.0]


def test_indices_may_lie_on_the_cpu() -> None:
    x = gl.arange(4, device="cuda")
    assert repr(x[gl.tensor([0, 3])]) == "tensor([0, 3], device='cuda:0')"
    with pytest.raises(RuntimeError, match="indices should be either on cpu"):
        gl.arange(4)[x]


def test_numpy_gets_no_elements_of_a_device() -> None:
    x = gl.ones(2, device="cuda")
    for ask in (x.numpy, lambda: np.asarray(x), lambda: np.concatenate([x, x])):
        with pytest.raises(TypeError, match=r"can't convert cuda:0 device type tensor to numpy"):
            ask()
    assert x.numpy(force=True).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("how", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_lie_on_the_device(how) -> None:
    base = gl.arange(6.0, device="cuda").reshape(2, 3)
    whole, row = how([base, base[1]])
    row.zero_()
    assert str(whole.device) == "cuda:0" and whole.tolist() == [[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]
    assert base.tolist()[1] == [3.0, 4.0, 5.0]


def test_a_module_moves_and_keeps_its_parameters() -> None:
    module = gl.nn.Linear(2, 3)
    before = list(module.parameters())
    module.weight.sum().backward()
    module.to("cuda")
    assert [a is b for a, b in zip(before, module.parameters())] == [True, True]
    assert {str(each.device) for each in (*before, module.weight.grad)} == {"cuda:0"}
    assert str(module(gl.ones(1, 2, device="cuda")).device) == "cuda:0"
    module.to("cpu")
    assert {str(each.device) for each in before} == {"cpu"}


def test_memory_is_given_back(host_device: HostDevice) -> None:  # noqa: F811
    w = gl.ones(100, device="cuda", requires_grad=True)
    for _ in range(3):
        w.grad = None
        (w * 2).sin().sum().backward()
    assert len(host_device.blocks) <= 3  # w, its gradient, and the one that backward began with
    del w
    assert not host_device.blocks


def test_without_a_device_an_error_says_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    from guardlift.backend.cuda import current_device
    from guardlift.core import floors
    from guardlift.core.errors import NoDriverError

    def no_device() -> None:
        raise NoDriverError("no CUDA driver on this machine; NUMBA_ENABLE_CUDASIM=1 simulates one")

    monkeypatch.setattr(current_device, "current", no_device)
    monkeypatch.setitem(floors._offers, floors.DEVICE_MEMORY, lambda: current_device.the_device)
    with pytest.raises(RuntimeError, match=r"no CUDA driver on this machine.*NUMBA_ENABLE_CUDASIM=1"):
        gl.ones(2, device="cuda")
    assert gl.cuda.is_available() is False and gl.cuda.device_count() == 0
    with pytest.raises(RuntimeError, match="no device 'cuda:1'"):
        gl.ones(2, device="cuda:1")


def test_pinned_memory_is_copied_from_without_waiting(host_device: HostDevice) -> None:  # noqa: F811
    x = gl.arange(12.0).reshape(3, 4).t()
    pinned = x.pin_memory()
    assert pinned.is_pinned() and not x.is_pinned() and pinned.pin_memory() is pinned and pinned[1:].is_pinned()
    assert pinned.tolist() == x.tolist() and pinned.stride() == x.stride()
    for move in (lambda: pinned.to("cuda", non_blocking=True), lambda: pinned.cuda(non_blocking=True), pinned.cuda):
        assert move().tolist() == x.tolist()
    assert host_device.waits == [False, False, True]
    with pytest.raises(RuntimeError, match="only dense CPU tensors"):
        x.cuda().pin_memory()
    assert len(host_device.pinned) == 1
    x.pin_memory()
    assert len(host_device.pinned) == 1


def test_what_the_host_computes_is_counted_and_hinted_at(capsys, log_on_stderr) -> None:
    x = gl.ones(3, device="cuda")
    before = gl.cuda.host_computations()
    with gl.config.patch(logs=("hints",)):
        for _ in range(11):
            (x + 1).erfinv()
    found = gl.cuda.host_computations()
    assert found["add"] - before.get("add", 0) == found["erfinv"] - before.get("erfinv", 0) == 11
    told = capsys.readouterr().err
    assert told.count("the host computes") >= 1 and "test_devices.py:" in told


def test_views_are_arithmetic(host_device: HostDevice) -> None:  # noqa: F811
    x = gl.arange(24.0, device="cuda").reshape(2, 3, 4)
    before, blocks = gl.cuda.host_computations(), len(host_device.blocks)
    views = [x[1], x[:, 1:, ::2], x.transpose(0, 2), x.permute(2, 0, 1), x.reshape(6, 4), x.view(24), x.unsqueeze(1)]
    views += [x.expand(5, 2, 3, 4), x.diagonal(0, 1, 2), *x.split(2, 2), *x.unbind(0), x.squeeze(), x.flatten(1)]
    views += [x.narrow(2, 1, 2), x.select(1, 2), x.movedim(0, 2), x.as_strided((2, 2), (1, 2)), x.detach(), x[None]]
    assert gl.cuda.host_computations() == before and len(host_device.blocks) == blocks
    x.fill_(7)
    assert all((each == 7).all() for each in views)
