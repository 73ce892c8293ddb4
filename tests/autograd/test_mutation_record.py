"""The record of in-place operations: the version error names who wrote what backward needs."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

import guardlift as gl
from guardlift.tensor.version import TickedCounter, VersionCounter

spec = pytest.mark.spec


def here() -> int:
    return inspect.currentframe().f_back.f_lineno  # type: ignore[union-attr]


def spoiled() -> tuple[gl.Tensor, gl.Tensor]:
    """A tensor, and a loss whose backward needs it as it is."""
    x = gl.ones(2, 2, requires_grad=True)
    y = x * 1.0
    return y, (y * y).sum()


def error_of(loss: gl.Tensor) -> str:
    with pytest.raises(RuntimeError, match="modified by an inplace operation") as error:
        loss.backward()
    return str(error.value)


@spec("S10.06", "S1.20")
def test_the_error_names_operation_line_and_version_of_each_write() -> None:
    with gl.config.patch(record_mutations=8):
        y, loss = spoiled()
        line = here() + 1
        y.add_(2)
        y *= 3
        y[0] = 1.0
        y[1].zero_()
        y.detach().exp_()
        gl.autograd.graph.increment_version(y)
        text = error_of(loss)
    writes = ["add_", "__imul__", "setitem", "zero_", "exp_", "increment_version"]
    for offset, op in enumerate(writes):
        assert f"version {offset + 1} by {op} at {__file__}:{line + offset}: " in text
    assert "y *= 3" in text and "is at version 6; expected version 0" in text and "not recorded" not in text


@spec("S10.06")
def test_only_writes_since_the_save_are_named() -> None:
    with gl.config.patch(record_mutations=8):
        x = gl.ones(2, requires_grad=True)
        y = x * 1.0
        y.mul_(5)
        loss = (y * y).sum()
        y.add_(2)
        text = error_of(loss)
    assert "version 2 by add_" in text and "mul_ at" not in text and "version 1 by" not in text


@spec("S10.06")
def test_as_many_are_kept_as_the_setting_says() -> None:
    with gl.config.patch(record_mutations=2):
        y, loss = spoiled()
        for _ in range(4):
            y.add_(2)
        assert len(y._counter.__dict__["writes"]) == 2
        text = error_of(loss)
    for part in ("version 1 not recorded", "version 2 not recorded", "version 3 by add_", "version 4 by add_"):
        assert part in text


@spec("S10.06")
def test_tensors_made_before_the_setting_are_recorded_from_then_on_and_keep_their_count() -> None:
    y, loss = spoiled()
    y.add_(1)
    with gl.config.patch(record_mutations=8):
        assert y._version == 1
        y.mul_(2)
        text = error_of(loss)
    assert "version 1 not recorded; version 2 by mul_" in text
    assert y._version == 2
    y.add_(1)
    assert y._version == 3


@spec("S10.06")
def test_what_was_recorded_is_told_after_the_setting_went_off() -> None:
    y, loss = spoiled()
    with gl.config.patch(record_mutations=8):
        y.mul_(2)
    y.add_(1)
    assert "version 1 by mul_" in (text := error_of(loss)) and "version 2 not recorded" in text


@spec("S10.06")
def test_writes_of_optimizers_bear_the_name_and_line_of_the_step() -> None:
    w = gl.nn.Parameter(gl.ones(2))
    with gl.config.patch(record_mutations=8):
        optimizer = gl.optim.SGD([w], lr=0.1)
        loss = (w * w).sum()
        loss.backward(retain_graph=True)
        line = here() + 1
        optimizer.step()
        text = error_of(loss)
    assert f"at {__file__}:{line}: optimizer.step()" in text


@spec("S10.06")
def test_writes_of_compiled_code_are_named_by_the_call() -> None:
    @gl.jit
    def write(t: gl.Tensor) -> gl.Tensor:
        t.add_(1)
        return t * 2

    x = gl.ones(2, requires_grad=True)
    buffer = gl.ones(2)
    loss = (x * buffer).sum()
    with gl.config.patch(record_mutations=8):
        write(buffer)
        text = error_of(loss)
    assert "version 1 by compiled code at " in text


@spec("S10.06")
def test_writes_counted_by_compiled_optimizer_steps_do_not_disturb_the_record() -> None:
    w = gl.nn.Parameter(gl.ones(2))
    w.grad = gl.ones(2)
    optimizer = gl.optim.SGD([w], lr=0.1)
    step = gl.jit(lambda: optimizer.step())
    with gl.config.patch(record_mutations=8):
        step()
        step()
        loss = (w * w).sum()
        before = w._version
        step()
        with gl.no_grad():
            w.add_(1)
        assert w._version == before + 2
        text = error_of(loss)
    assert f"version {before + 2} by add_" in text


def test_switched_off_counters_are_plain_attributes() -> None:
    plain, ticked = VersionCounter.__dict__["value"], TickedCounter.__dict__["value"]
    with gl.config.patch(record_mutations=1), gl.config.patch(record_mutations=3):
        assert isinstance(VersionCounter.__dict__["value"], property)
    assert plain == 0 == VersionCounter.__dict__["value"] and TickedCounter.__dict__["value"] is ticked
    y, loss = spoiled()
    y.add_(1)
    assert "writes" not in y._counter.__dict__
    assert "gl.config.record_mutations = 8" in error_of(loss)


def test_each_thread_is_recorded_with_its_own_line() -> None:
    y = gl.ones(1)
    loss = (gl.ones(1, requires_grad=True) * y).sum()
    with gl.config.patch(record_mutations=8):
        thread = threading.Thread(target=lambda: y.add_(1))
        thread.start()
        thread.join()
        text = error_of(loss)
    assert f"version 1 by add_ at {__file__}" in text


def test_inference_tensors_are_written_under_the_setting() -> None:
    with gl.config.patch(record_mutations=8), gl.inference_mode():
        i = gl.ones(1)
        i.add_(1)
    assert i.tolist() == [2.0]


@pytest.mark.parametrize("wrong", [True, "3", 1.5])
def test_the_setting_takes_a_number(wrong: Any) -> None:
    with pytest.raises(gl.SettingValueError, match="record_mutations"), gl.config.patch(record_mutations=wrong):
        pass


def test_the_setting_is_read_from_its_variable() -> None:
    code = (
        "import guardlift as gl\nx = gl.ones(1, requires_grad=True)\ny = x * 1\nz = (y * y).sum()\ny.add_(1)\n"
        "try:\n    z.backward()\nexcept RuntimeError as error:\n    print(error)"
    )
    environment = {**os.environ, "GUARDLIFT_RECORD_MUTATIONS": "4"}
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "version 1 by add_ at <string>:5" in ran.stdout


@spec("S10.06")
def test_a_function_that_writes_to_out_goes_by_its_own_name() -> None:
    with gl.config.patch(record_mutations=2):
        y, loss = spoiled()
        with gl.no_grad():
            gl.add(gl.ones(2, 2), 1, out=y)
        assert f"version 1 by add at {__file__}" in error_of(loss)
