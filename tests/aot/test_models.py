"""Composite models, jitted in three ways: values and gradients are those of eager mode, whatever is done beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from aot.declaring import SMALL, Sizes, World, world
from aot.disturbances import AROUND, AT_TAPS, ON_LEAVES, Taps
from aot.models import BREAKS, BREAKS_INSIDE, BREAKS_OUTSIDE, MODELS
from aot.ways import TOLERANCE, WAYS, compare, same
from frontend.tensors.scenario import interpreted
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

import guardlift as gl

NAMES = {model.__name__: model for model in MODELS}
QUIET = list(HealthCheck)
FUNCTIONS = [model for model in MODELS if not isinstance(model, type)]
every_model = pytest.mark.parametrize("name", NAMES)
every_way = pytest.mark.parametrize("way", WAYS)


def some_quick(names: list[str], step: int) -> list[Any]:
    """The names as parameters, of which one in so many is in the quick run."""
    return [pytest.param(each, marks=[pytest.mark.slow] if k % step else []) for k, each in enumerate(names)]


@pytest.fixture(autouse=True)
def loud() -> Any:
    """An internal error fails, and is no reason to run as plain Python."""
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        yield


def checked(name: str, way: str, dtype: str, sizes: Sizes = SMALL, **options: Any) -> list[str]:
    """The breaks of a model under a way to jit it, after it was compared with eager mode."""
    tap = options.pop("tap", Taps())
    return compare(NAMES[name], WAYS[way], dtype, sizes, tap, **options)


@every_way
@every_model
def test_gradients_of_float64_are_those_of_eager_mode(name: str, way: str) -> None:
    with interpreted():
        breaks = checked(name, way, "float64", calls=3)
    by_way = {"backward outside": BREAKS_OUTSIDE, "gradients inside": BREAKS_INSIDE}
    wanted = by_way.get(way, BREAKS).get(NAMES[name])
    assert bool(breaks) == bool(wanted), breaks
    assert not wanted or wanted in breaks[0], breaks


@pytest.mark.parametrize("name", some_quick(list(NAMES), 4))
def test_a_whole_step_of_float32_is_that_of_eager_mode(name: str) -> None:
    with interpreted():
        checked(name, "whole step", "float32")


@pytest.mark.parametrize("name", some_quick(list(NAMES)[::8], 3))
def test_a_whole_step_through_kernels_is_that_of_eager_mode(name: str) -> None:
    checked(name, "whole step", "float64")


@every_model
def test_the_list_says_which_derivatives_a_model_takes(name: str) -> None:
    made = world(NAMES[name], SMALL, "float64", Taps())
    waiting, seen, found = [made.loss(*made.operands).grad_fn], set(), set()
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            found.add(node.op.name if hasattr(node, "op") else node.name())
            waiting += [before for before, _ in node.next_functions]
    assert sorted(found - {"AccumulateGrad"}) == MODELS[NAMES[name]].split()


# -- with disturbances -------------------------------------------------------------------------------------------------
@st.composite
def disturbed(draw: Callable[..., Any]) -> dict[str, Any]:
    """The places and kinds of disturbances of a model, as options of `checked`."""
    name = draw(st.sampled_from(sorted(NAMES)))
    taps: list[str] = []

    def listed(at: str, t: Any) -> Any:
        taps.append(at)
        return t

    made = world(NAMES[name], SMALL, "float64", listed)
    made.loss(*made.operands)
    leaves = list(made.leaves)
    plan = (
        draw(st.dictionaries(st.sampled_from(sorted(set(taps))), st.sampled_from(sorted(AT_TAPS)), max_size=2))
        if taps
        else {}
    )
    hooks = draw(st.dictionaries(st.sampled_from(leaves), st.sampled_from(sorted(ON_LEAVES)), max_size=1))
    around = draw(st.sampled_from([*["nothing"] * 4, *AROUND]))
    way = draw(st.sampled_from(sorted(WAYS)))
    note(f"{name}, {way}, taps {plan}, leaves {hooks}, around {around}")

    def prepare(each: World) -> None:
        for leaf, hook in hooks.items():
            ON_LEAVES[hook](each.leaves[leaf])

    return {"name": name, "way": way, "tap": Taps(plan), "prepare": prepare, "around": AROUND[around]}


SIZES = st.fixed_dictionaries({name: st.integers(1 if name in "nkh" else 2, 6) for name in SMALL})


@settings(max_examples=40, suppress_health_check=QUIET)
@given(disturbed())
@pytest.mark.slow
def test_a_disturbed_model_does_what_eager_mode_does(options: dict[str, Any]) -> None:
    with interpreted():
        checked(dtype="float64", **options)


@pytest.mark.long
@settings(max_examples=600, suppress_health_check=QUIET)
@given(disturbed(), SIZES, st.sampled_from(["float64", "float32"]))
def test_a_disturbed_model_of_any_size_does_what_eager_mode_does(
    options: dict[str, Any], sizes: Sizes, dtype: str
) -> None:
    with interpreted():
        checked(dtype=dtype, sizes=sizes, calls=3, **options)


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=QUIET)
@given(disturbed(), SIZES, st.sampled_from(["float64", "float32"]))
def test_a_disturbed_model_does_what_eager_mode_does_through_kernels(
    options: dict[str, Any], sizes: Sizes, dtype: str
) -> None:
    checked(dtype=dtype, sizes=sizes, **options)


# -- with sizes that change --------------------------------------------------------------------------------------------
def loss_of(model: Any) -> Callable[..., Any]:
    return lambda *operands: model(Taps(), *operands)


def gradients_of(model: Any) -> Callable[..., Any]:
    def gradients(*operands: Any) -> Any:
        loss = model(Taps(), *operands)
        return loss.detach(), gl.autograd.grad(loss, [each for each in operands if each.requires_grad])

    return gradients


@pytest.mark.long
@pytest.mark.parametrize("make", [loss_of, gradients_of])
@settings(max_examples=100, suppress_health_check=QUIET)
@given(st.sampled_from(FUNCTIONS), st.lists(SIZES, min_size=2, max_size=5))
def test_one_jitted_model_is_right_for_every_size_in_turn(make: Any, model: Any, sizes: list[Sizes]) -> None:
    plain, fast = make(model), gl.jit(make(model))
    with interpreted():
        for number, each in enumerate(sizes):
            worlds = [world(model, each, "float64", Taps(), number) for _ in range(2)]
            results = [run(*given.operands) for run, given in zip((plain, fast), worlds, strict=True)]
            if make is loss_of:
                for result in results:
                    result.backward()
            same(f"{each}", results[0], results[1], TOLERANCE["float64"])
            grads = [{f"{name}.grad": leaf.grad for name, leaf in given.leaves.items()} for given in worlds]
            same(f"{each}", grads[0], grads[1], TOLERANCE["float64"])


@pytest.mark.long
@every_way
@every_model
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_every_way_gives_what_eager_mode_gives_through_kernels(name: str, way: str, dtype: str) -> None:
    checked(name, way, dtype, calls=3)
