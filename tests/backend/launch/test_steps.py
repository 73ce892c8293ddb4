"""Every kind of call has its place in a launch plan, and one that a device does not know is refused by name."""

import sys

import pytest

from guardlift.backend.compile import CompiledGraph
from guardlift.backend.cuda import plan as cuda_plan
from guardlift.backend.cuda.plan import _plan_call
from guardlift.backend.evaluate.buffers import Buffer
from guardlift.backend.launch.steps import Slots, steps_of
from guardlift.backend.schedule.calls import REALISED, RESULTS, Call
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.ops.registry import OPS

# A class with slots is made twice; the first one bears the same name, and is not used.
KINDS = [kind for kind in Call.__subclasses__() if vars(sys.modules[kind.__module__]).get(kind.__name__) is kind]
ON_DEVICES = {"AttentionCall", "AttentionGradientsCall", "MappedProductCall", "ScanCall"}
"""The kinds that are made in graphs for devices alone."""


class Unheard(Call):
    """A kind of call that nothing is registered for."""

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return ()

    def describe(self) -> list[str]:
        return ["a call of an unheard kind"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_kind_of_call_says_what_it_becomes_in_plans_of_the_cpu_and_of_devices(kind: type[Call]) -> None:
    found = [functions.dispatch(kind) is not functions.dispatch(object) for functions in (steps_of, _plan_call)]
    assert found == [kind.__name__ not in ON_DEVICES, True]


def test_a_call_that_no_steps_are_registered_for_is_told_by_its_class() -> None:
    with pytest.raises(AssertionError, match="no steps of a launch plan are registered for Unheard"):
        steps_of(Unheard(), Slots({}, 0))


def test_a_call_that_devices_do_not_know_is_refused_by_its_line_in_reports() -> None:
    around = cuda_plan._Around(CompiledGraph, object(), stops=False)  # type: ignore[arg-type]
    with pytest.raises(KernelError, match="a call of an unheard kind: it runs on the CPU only"):
        cuda_plan._plan_call(Unheard(), around)


def test_every_op_whose_nodes_are_steps_of_their_own_gives_results_of_an_op() -> None:
    of_one_result = {"cumprod", "cumsum"}
    assert {"call_out", "cond", "loop", "region"} | of_one_result <= REALISED.keys()
    assert {*REALISED, *RESULTS} <= OPS.keys() and len(RESULTS) == len(REALISED.keys() - of_one_result)


def test_slots_that_move_come_behind_those_of_buffers() -> None:
    buffer = Buffer("temporary", 0, dtypes.float32, 8)
    slots = Slots({buffer: 2}, 3)
    assert (slots.take(), slots.take(), slots.moving) == (3, 4, 2)
