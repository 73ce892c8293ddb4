"""PyTorch's import paths: each gives the objects that our packages have under the names of PyTorch's file."""

from __future__ import annotations

import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import guardlift as gl
from guardlift.core.names.import_paths import IMPORT_PATHS

LISTED = Path(__file__).parents[3] / "docs" / "pytorch_names" / "paths.txt"


def test_each_path_can_be_imported_and_has_the_names_of_pytorchs_file_that_are_there() -> None:
    lines = [line.split(": ") for line in LISTED.read_text("utf-8").splitlines() if ": " in line and line[0] != "#"]
    names = {path.removeprefix("torch."): text.split() for path, text in lines}
    for path in IMPORT_PATHS:
        assert isinstance(import_module(f"guardlift.{path}"), ModuleType), path
    missing, found = [], 0
    for path, listed in names.items():
        try:
            module = import_module(f"guardlift.{path}")
        except ModuleNotFoundError:
            continue
        if "." not in path:  # what lies above is everything
            continue
        above = gl.nn if path.startswith("nn.modules") else import_module(f"guardlift.{path}".rpartition(".")[0])
        there = [name for name in listed if not isinstance(getattr(above, name, gl), ModuleType)]  # files are no names
        missing += [f"{path}.{name}" for name in there if not hasattr(module, name)]
        found += sum(hasattr(module, name) for name in listed)
    assert missing == [] and found > 400


def test_names_that_scripts_import_by_the_path_of_their_file() -> None:
    program = """
import guardlift as gl
assert gl.cuda.amp.GradScaler(enabled=False).scale(2.0) == 2.0 and gl.nn.utils.clip_grad.clip_grad_norm_
with gl.cuda.amp.autocast(enabled=False): pass
import guardlift.cuda.amp, guardlift.random
from guardlift.cuda.amp import autocast, custom_fwd
from guardlift.cuda import amp
assert amp is gl.cuda.amp is guardlift.cuda.amp and gl.cuda.__name__ == "guardlift.runtime.cuda"
assert guardlift.random is gl.random and gl.random.manual_seed(0) is not None
from guardlift.nn.modules.utils import _pair, _single, _ntuple, consume_prefix_in_state_dict_if_present
from guardlift.nn.modules.batchnorm import _BatchNorm, _NormBase, SyncBatchNorm
from guardlift.nn.modules.conv import Conv2d, LazyConv2d, _ConvNd, _ConvTransposeNd
from guardlift.nn.modules.instancenorm import InstanceNorm2d, LazyInstanceNorm2d, _InstanceNorm
from guardlift.nn.modules.dropout import _DropoutNd
from guardlift.nn.init import _calculate_correct_fan, _calculate_fan_in_and_fan_out
from guardlift.optim.lr_scheduler import StepLR, _LRScheduler
from guardlift.distributions.utils import broadcast_all, clamp_probs, logits_to_probs, probs_to_logits
assert issubclass(Conv2d, _ConvNd) and not issubclass(Conv2d, _ConvTransposeNd) and issubclass(StepLR, _LRScheduler)
assert issubclass(InstanceNorm2d, _InstanceNorm) and issubclass(_BatchNorm, _NormBase)
assert _calculate_correct_fan(gl.zeros(3, 5), "fan_in") == 5 and issubclass(gl.nn.Dropout2d, _DropoutNd)
from guardlift.nn.common_types import _size_2_t
from guardlift.nn.modules import Linear, Module
from guardlift.utils.data._utils.collate import default_collate
from guardlift.utils.data.dataset import Dataset, random_split
from guardlift.optim.lr_scheduler import LambdaLR
from guardlift.optim.adamw import AdamW
from guardlift.nn.utils.weight_norm import weight_norm
import guardlift.nn.utils as utils
assert utils.weight_norm is weight_norm and callable(weight_norm)
assert AdamW is gl.optim.AdamW and Linear is gl.nn.Linear and Module is gl.nn.Module
assert _pair(3) == (3, 3) and _single([1]) == (1,) and _ntuple(3)(0) == (0, 0, 0)
state = {"module.a": 1, "b": 2}
consume_prefix_in_state_dict_if_present(state, "module.")
assert state == {"a": 1, "b": 2}
try:
    from guardlift.optim.adamw import NoSuch
except ImportError as error:
    assert "NoSuch" in str(error)
else:
    raise AssertionError
try:
    import guardlift.optim.no_such
except ModuleNotFoundError:
    pass
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-P", "-c", program], check=True)


def test_a_jitted_function_reads_names_by_such_a_path_and_modules_are_pickled() -> None:
    import guardlift.nn.modules.conv as conv
    import guardlift.nn.utils.clip_grad as clipping

    layer = gl.nn.Linear(2, 1)

    @gl.jit
    def step(x: gl.Tensor) -> gl.Tensor:
        layer.zero_grad()
        layer(x).sum().backward()
        return clipping.clip_grad_norm_(layer.parameters(), 1.0)

    assert step(gl.ones(2, 2)).item() == pytest.approx(12**0.5)
    assert gl.explain(step).breaks == ()
    made = conv.Conv2d(1, 1, 1)
    assert type(pickle.loads(pickle.dumps(made))) is gl.nn.Conv2d and conv.__name__ == "guardlift.nn.modules.conv"
