"""The examples run to their end as a user starts them, with small sizes, and their own checks hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name: str, *arguments: str) -> str:
    """The output of the example, which must exit with 0."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def figures(output: str) -> dict[str, str]:
    """The printed lines by their label, which fills the first 20 columns."""
    return {line[:20].strip(): line[20:].strip() for line in output.splitlines()}


def test_digits_are_learned_and_the_weights_are_those_of_the_plain_run() -> None:
    pytest.importorskip("sklearn")
    found = figures(run("digits_numpy.py", "--epochs", "40"))
    assert float(found["test accuracy"].split()[0]) >= 0.93
    # 1,438 images make eleven batches of 128 and one of 30: a second shape, and no third.
    assert found["compiled"] in ("1 times in 480 steps", "2 times in 480 steps")
    assert found["graph breaks"] == "0"
    assert float(found["weights differ by"].split()[0]) <= 1e-6
    assert "times as fast" in found["median step, jitted"]


@pytest.mark.slow
def test_the_solver_finds_the_swing_through_its_steps() -> None:
    found = figures(run("ode.py", "--steps", "40", "--epochs", "60"))
    assert float(found["losses differ by"].split()[0]) <= 1e-10
    stiffness, friction = (float(each.split()[-1]) for each in found["found"].split(","))
    assert abs(stiffness - 4.0) < 0.3 and abs(friction - 0.3) < 0.15


@pytest.mark.slow
def test_the_recurrent_network_learns_to_add_what_it_saw_long_ago() -> None:
    found = figures(run("rnn.py", "--steps", "20", "--epochs", "300"))
    assert float(found["losses differ by"].split()[0]) <= 1e-5
    first, last = found["loss"].split(";")[0].split(", then ")
    assert float(last) < 0.05 < float(first)


@pytest.mark.slow
def test_the_heated_plate_ends_in_the_bits_of_the_plain_run() -> None:
    found = figures(run("heat.py", "--size", "64", "--steps", "50"))
    assert found["field"].endswith("; 0 values differ")
    assert found["step compiled"].startswith("1 times") and found["step compiled"].endswith(" 0 graph breaks")
    assert found["energy compiled"].startswith("1 times") and found["energy compiled"].endswith(" 0 graph breaks")


def test_the_plate_refuses_a_grid_without_inner_points() -> None:
    command = [sys.executable, str(EXAMPLES / "heat.py"), "--size", "2"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert done.returncode == 2
    assert "at least 3 points" in done.stderr


@pytest.mark.slow
def test_a_perceptron_is_trained_by_one_compiled_step(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    explanation = tmp_path / "explained.txt"
    found = figures(run("digits.py", "--explanation", str(explanation)))
    assert float(found["test accuracy"].split()[0]) >= 0.96
    compiles, _, late = found["compiled"].partition(" times in 330 steps, ")
    assert compiles in ("1", "2") and late == "0 after epoch 2"
    assert found["graph breaks"] == "0"
    assert float(found["losses differ by"].split()[0]) <= 1e-5
    assert found["explanation"] == str(explanation)
    text = explanation.read_text(encoding="utf-8")
    assert "train_step" in text and "holds while" in text and "kernel" in text


@pytest.mark.slow
def test_the_perceptron_needs_epochs_after_those_that_may_compile() -> None:
    pytest.importorskip("sklearn")
    command = [sys.executable, str(EXAMPLES / "digits.py"), "--epochs", "2"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert done.returncode == 2
    assert "at least 3 epochs" in done.stderr


@pytest.mark.slow
def test_hooks_halve_the_bytes_kept_for_backward() -> None:
    pytest.importorskip("sklearn")
    found = figures(run("saved_hooks.py"))
    before, after = (int(found[f"bytes kept, {label}"].split()[0].replace(",", "")) for label in ("plain", "packed"))
    assert 2 * after == before
    plain, packed = (float(found[f"accuracy, {label}"]) for label in ("plain", "packed"))
    assert plain >= 0.95 and plain - packed <= 0.01


def run_with(changes: str, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The example as a module `it`, with `changes` made to it first."""
    code = f"import sys, {name} as it\n{changes}\nsys.exit(it.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, text=True, capture_output=True, timeout=300, cwd=EXAMPLES)


# Batches of another size in the last epoch compile anew, two epochs later than they may.
SMALLER_AT_LAST = """
whole = it.Digits.batches
it.Digits.batches = lambda self, size, epoch: whole(self, size - (epoch == 3), epoch)
"""


@pytest.mark.parametrize(
    ("changes", "complaint"),
    (
        ("it.ACCURACY_WANTED = 1.1", "is below 1.1"),
        pytest.param("it.LOSSES_MAY_DIFFER = -1.0", "the losses differ by", marks=pytest.mark.slow),
        pytest.param(SMALLER_AT_LAST, "1 compiles after epoch 2", marks=pytest.mark.slow),
    ),
)
def test_the_perceptron_exits_with_1_when_a_claim_is_broken(changes: str, complaint: str, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    done = run_with(changes, "digits", "--epochs", "4", "--explanation", str(tmp_path / "explained.txt"))
    assert done.returncode == 1
    assert complaint in done.stderr


@pytest.mark.slow
def test_hooks_that_save_nothing_are_found_out() -> None:
    pytest.importorskip("sklearn")
    done = run_with("it.np.float16 = it.np.float64", "saved_hooks", "--epochs", "1")
    assert done.returncode == 1
    assert "packing left" in done.stderr


def test_pytorch_is_set_beside_when_it_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    torch = pytest.importorskip("torch")
    found = figures(run("digits.py", "--explanation", str(tmp_path / "explained.txt")))
    assert found["PyTorch"] == torch.__version__
    assert "jitted takes" in found["step, torch, eager"] and "jitted takes" in found["step, torch.compile"]


@pytest.mark.slow
def test_activations_packed_in_compiled_code_take_a_quarter_of_the_memory() -> None:
    last = run("packed_mlp.py", "--width", "64", "--rows", "512", "--layers", "3").splitlines()[-1]
    assert last.startswith("hooks keep 7")
