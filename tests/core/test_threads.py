import os
from pathlib import Path

import pytest

from guardlift.core import threads
from guardlift.core.threads import default_threads, usable_cores


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    monkeypatch.setattr(threads, "_QUOTA", tmp_path / "cpu.max")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


@pytest.mark.parametrize(
    ("quota", "cores"),
    [
        ("max 100000", 8),
        ("250000 100000", 2),
        ("50000 100000", 1),
        ("9900000 100000", 8),
        ("", 8),
        ("1 0", 8),
        ("x y", 8),
    ],
)
def test_a_containers_share_of_the_processor_counts(tmp_path: Path, quota: str, cores: int) -> None:
    (tmp_path / "cpu.max").write_text(quota)
    assert usable_cores() == cores


def test_without_a_quota_the_cores_of_the_process_count() -> None:
    assert usable_cores() == 8


@pytest.mark.parametrize(
    ("said", "number"), [("3", 3), ("4,2", 4), (" 5 ", 5), ("0", 1), ("", 8), ("many", 8), ("-2", 8)]
)
def test_the_variable_of_openmp_comes_first(monkeypatch: pytest.MonkeyPatch, said: str, number: int) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert default_threads() == number
