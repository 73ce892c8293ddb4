"""Every training program, eager and jitted, over thirty steps; graph breaks and compilations as they are declared."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend.tensors.steps import PROGRAMS
from frontend.tensors.steps.comparison import same_training

import guardlift as gl

STEPS = 30
NO_PROGRAMS = {"__init__", "comparison", "record", "test_steps"}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
@pytest.mark.slow
def test_a_program_trains_as_in_eager_mode(name: str) -> None:
    declared = PROGRAMS[name]
    report = gl.explain(same_training(declared, STEPS))
    assert len(report.breaks) == declared.breaks, "\n".join(map(str, report.breaks))
    assert report.compiles == declared.compiles, str(report)


def test_nearly_every_program_is_one_graph_and_none_is_compiled_often() -> None:
    one_graph = [each.name for each in PROGRAMS.values() if not each.breaks]
    assert len(PROGRAMS) >= 20 and len(one_graph) >= 0.8 * len(PROGRAMS)
    assert [each.name for each in PROGRAMS.values() if each.compiles > 2 * (each.breaks + 1)] == []


def test_every_module_of_the_folder_has_programs() -> None:
    modules = {file.stem for file in Path(__file__).parent.glob("*.py")} - NO_PROGRAMS
    assert {each.make.__module__.rpartition(".")[2] for each in PROGRAMS.values()} == modules
