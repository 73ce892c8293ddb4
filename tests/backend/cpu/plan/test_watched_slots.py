"""Watched slots: arrays that a plan finds where it was told, and not by following the access path to them at each
call."""

import gc
import sys
import threading
import weakref

import numpy as np
import pytest
from backend.cpu.plan.test_slot_paths import F4, OWNED, Box, Likewise, owner, reached

from guardlift.backend.call_layout import AccessPath, PathStep
from guardlift.backend.cpu.plan.plan import (
    ArrayInput,
    FreshOutput,
    KernelStep,
    LaunchPlan,
    LiftedInput,
    ViewOutput,
    build,
)
from guardlift.core.errors import KernelError
from guardlift.core.watched_slots import MOVES

PASSED = AccessPath(False, (PathStep(Box, (("flag", None),), "array"),))


class Teller:
    """Whom the plan subscribes to, who looks at all watched slots once."""

    def __call__(self, subscriber, owners):
        self.subscriber, self.owners = weakref.ref(subscriber), owners
        for number in range(len(owners)):
            subscriber(number)

    def tell(self, number=0):
        return self.subscriber()(number)


def doubling(double, thing, **changes):
    teller = Teller()
    given = reached(OWNED, subscribed=True, **changes)
    steps = (KernelStep(double, ((0, 0), (1, 0)), (), 4),)
    plan = LaunchPlan((given,), (FreshOutput(F4, (4,), (4,)),), steps=steps)
    return build(plan, (), [thing], teller), teller


def test_a_call_reads_what_was_told_and_not_what_the_slots_hold(double):
    thing = owner(1)
    call, teller = doubling(double, thing)
    assert call().tolist() == [2] * 4
    thing.inside.array = np.full(4, 5, F4)
    assert call().tolist() == [2] * 4  # nobody has told: this is what a watched slot is
    assert teller.tell(-1) is NotImplemented
    assert teller.tell() is None
    assert teller.tell(-1) is None
    assert call().tolist() == [10] * 4


def test_moves_make_the_next_call_look_at_everything(double):
    thing = owner(1)
    call, _ = doubling(double, thing)
    thing.inside.array = np.full(4, 5, F4)
    MOVES[0] += 1
    assert call().tolist() == [10] * 4


@pytest.mark.parametrize(
    "unfit",
    [
        lambda thing: setattr(thing, "inside", None),
        lambda thing: setattr(thing, "flag", False),
        lambda thing: setattr(thing.inside, "flag", 1),
        lambda thing: setattr(thing, "inside", Likewise(np.ones(4, F4))),
        lambda thing: setattr(thing.inside, "array", None),
        lambda thing: setattr(thing.inside, "array", np.ones(5, F4)),
        lambda thing: setattr(thing.inside, "array", np.ones(8, F4)[::2]),
        lambda thing: setattr(thing.inside, "array", np.ones(4)),
        lambda thing: setattr(thing.inside, "array", np.ones(17, np.uint8)[1:].view(F4)),
        lambda thing: delattr(thing.inside, "array"),
    ],
)
def test_what_does_not_fit_is_no_call_for_this_plan(double, unfit):
    thing = owner(1)
    call, teller = doubling(double, thing)
    unfit(thing)
    teller.tell()
    assert call() is NotImplemented
    assert call() is NotImplemented
    teller.tell()
    thing.flag, thing.inside = True, Box(np.full(4, 3, F4))
    teller.tell()
    assert call().tolist() == [6] * 4


def test_an_owner_that_died_fits_no_more(double):
    thing = owner(1)
    call, teller = doubling(double, thing)
    teller.owners.clear()
    del thing
    gc.collect()
    teller.tell()
    assert call() is NotImplemented


def test_arrays_are_held_once_and_given_up(double):
    thing = owner(1)
    array = thing.inside.array
    before = sys.getrefcount(array)
    call, teller = doubling(double, thing)
    assert sys.getrefcount(array) == before + 1
    for _ in range(5):
        teller.tell()
        call()
    assert sys.getrefcount(array) == before + 1
    thing.inside.array = np.ones(4, F4)
    teller.tell()
    assert sys.getrefcount(array) == before - 1  # the slot's own is gone too
    last = thing.inside.array
    counted = sys.getrefcount(last)
    del call
    gc.collect()
    assert teller.subscriber() is None
    assert sys.getrefcount(last) == counted - 1


def test_an_array_that_a_running_call_reads_lives_until_it_has_ended(python_kernel):
    thing, seen = owner(1), []

    def run(addresses, sizes, start, stop):
        thing.inside.array = np.full(4, 5, F4)
        teller.tell()
        seen.append(old() is not None)
        thing.inside.array = np.full(4, 6, F4)
        teller.tell()
        return 0

    old = weakref.ref(thing.inside.array)
    teller = Teller()
    steps = (KernelStep(python_kernel(run), ((0, 0),), (), 4),)
    call = build(LaunchPlan((reached(OWNED, subscribed=True),), steps=steps), (), [thing], teller)
    assert call() is None
    assert seen == [True]
    assert old() is None
    assert teller.tell(-1) is None


def test_checks_are_subscribed_too():
    thing, teller = owner(), Teller()
    check = AccessPath(True, (PathStep(type(thing), (("flag", True),)),))
    call = build(LaunchPlan(checks=(check,), subscribed_checks=1), (), [thing], teller)
    assert call() is None
    thing.flag = False
    assert call() is None
    teller.tell()
    assert call() is NotImplemented
    thing.flag = True
    teller.tell()
    assert call() is None


def test_a_watched_array_stays_apart_from_lifted_memory_that_is_written():
    memory, teller, thing = np.zeros(16, F4), Teller(), owner()
    lifted = LiftedInput(F4, (4,), (4,), True, True)
    call = build(LaunchPlan((lifted, reached(OWNED, subscribed=True))), [memory[:4]], [thing], teller)
    for first, fits in ((8, True), (2, False), (4, True), (0, False), (12, True)):
        thing.inside.array = memory[first : first + 4]
        teller.tell()
        assert call() is (None if fits else NotImplemented), first


def test_pairs_of_watched_arrays_are_asked_whenever_one_has_moved():
    memory, teller, things = np.zeros(16, F4), Teller(), [owner(), owner()]
    inputs = (reached(OWNED, subscribed=True), reached(OWNED, subscribed=True), ArrayInput(F4, (4,), (4,)))
    plan = LaunchPlan(inputs, disjoint=((0, 1), (0, 2), (1, 2)))
    call = build(plan, (), things, teller)
    other = np.zeros(4, F4)
    for first, second, fits in ((0, 4, True), (0, 2, False), (0, 2, False), (0, 8, True), (8, 8, False), (4, 8, True)):
        for number, place in enumerate((first, second)):
            things[number].inside.array = memory[place : place + 4]
            teller.tell(number)
        assert call(other) is (None if fits else NotImplemented), (first, second)
        assert call(memory[4:8]) is (None if fits and 4 not in (first, second) else NotImplemented)


@pytest.mark.parametrize(
    ("plan", "owners", "subscribe", "reason"),
    [
        (LaunchPlan((reached(OWNED, subscribed=True),)), [owner()], None, "has 1 watched slots, and nobody to call"),
        (LaunchPlan((reached(PASSED, subscribed=True),)), [], Teller(), "subscribed that is not reached from an owner"),
        (
            LaunchPlan((reached(OWNED, subscribed=True),), (ViewOutput(0, F4, (2,), (4,)),)),
            [owner()],
            Teller(),
            "which is subscribed",
        ),
    ],
)
def test_a_plan_that_cannot_be_told_is_refused(plan, owners, subscribe, reason):
    with pytest.raises(KernelError, match=reason):
        build(plan, (), owners, subscribe)


@pytest.mark.parametrize("number", [1, -2, 2**70])
def test_a_watched_slot_that_does_not_exist_is_refused(double, number):
    _, teller = doubling(double, owner())
    call, teller = doubling(double, owner())
    assert teller.tell(number) is NotImplemented
    assert call is not None


def test_threads_tell_and_call(double):
    thing = owner(1)
    call, teller = doubling(double, thing)
    stop, wrong = threading.Event(), []

    def tell():
        while not stop.is_set():
            thing.inside.array = np.full(4, 2, F4)
            teller.tell()

    def read():
        for _ in range(3000):
            found = call()
            if found[0] not in (2, 4):
                wrong.append(found)

    threads = [threading.Thread(target=tell) for _ in range(2)] + [threading.Thread(target=read) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads[2:]:
        each.join()
    stop.set()
    for each in threads[:2]:
        each.join()
    assert not wrong
