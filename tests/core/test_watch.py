"""Subscriptions, what ends them, what pauses them, and what they say of it."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

import pytest

from guardlift.core.watch import Validity, WatchedChange, changing, tell, tell_all, watch, watch_life


class Owner:
    __slots__ = ("__weakref__", "_watchers", "other", "value")

    def __init__(self, value: Any = None) -> None:
        self._watchers = None
        self.value = value
        self.other: Any = None

    def set(self, value: Any) -> None:
        with changing(self, "value", lambda: f"it was set to {value}"):
            self.value = value


def watching(owner: Owner, key: str = "value", **options: Any) -> Validity:
    validity = Validity("plan", "stale plan")
    watch(owner, key, validity, f"owner.{key if isinstance(key, str) else 'other'} is {owner.value}", **options)
    return validity


def test_a_change_ends_the_validity_and_says_who_did_what_where() -> None:
    owner = Owner(3)
    validity = watching(owner, number=7)
    assert (validity.stands, validity.payload, validity.change) == (True, "plan", None)
    owner.set(4)
    line = sys._getframe().f_lineno - 1
    # The class of the owner is the user's here; for one of ours it would be the line above.
    set_line = Owner.set.__code__.co_firstlineno + 1
    assert validity.broken == WatchedChange("owner.value is 3", "it was set to 4", __file__, set_line, 7)
    assert (validity.stands, validity.payload) == (False, "stale plan")
    assert set_line < line


def test_the_first_change_is_the_one_that_is_told() -> None:
    owner, other = Owner(3), Owner(5)
    validity = watching(owner)
    watch(other, "value", validity, "other.value is 5")
    owner.set(4)
    other.set(4)
    assert validity.broken.fact == "owner.value is 3"


def test_another_key_ends_nothing_and_all_keys_end_everything() -> None:
    owner = Owner(3)
    first, second = watching(owner, "value"), watching(owner, "other")
    tell(owner, "third")
    assert first.stands and second.stands
    tell_all(owner, "it was replaced")
    assert first.broken.what == second.broken.what == "it was replaced"
    assert owner._watchers is None


def test_whoever_subscribed_before_a_change_is_told_once() -> None:
    owner = Owner(3)
    first = watching(owner)
    owner.set(4)
    second = watching(owner)
    assert not first.stands and second.stands
    owner.set(5)
    assert (first.broken.fact, second.broken.fact) == ("owner.value is 3", "owner.value is 4")


def test_an_owner_without_subscriptions_left_has_no_watchers() -> None:
    owner = Owner(3)
    watching(owner)
    assert owner._watchers is not None
    owner.set(4)
    assert owner._watchers is None


def test_subscriptions_of_dead_validities_go_at_the_next_one() -> None:
    owner = Owner(3)
    for _ in range(100):
        watching(owner)
    kept = watching(owner)
    assert len(owner._watchers.by_key["value"]) <= 2
    owner.set(4)
    assert not kept.stands


def test_a_validity_keeps_no_owner_alive_and_an_owner_no_validity() -> None:
    owner = Owner(3)
    validity = watching(owner)
    watch_life(owner, validity, "owner.value is 3")
    references = weakref.ref(owner), weakref.ref(validity)
    del validity
    assert references[1]() is None
    del owner
    assert references[0]() is None


def test_the_death_of_an_owner_ends_the_validity_and_frees_its_payload_at_once() -> None:
    owner, payload = Owner(3), Owner()
    validity = Validity(payload, "stale plan")
    watch_life(owner, validity, "owner.value is 3", "the Owner was deleted")
    freed = weakref.ref(payload)
    del payload
    assert freed() is not None
    del owner
    assert freed() is None
    assert validity.broken == WatchedChange("owner.value is 3", "the Owner was deleted")


def test_the_death_of_an_owner_in_a_cycle_is_seen_when_it_is_collected() -> None:
    owner, payload = Owner(3), Owner()
    owner.value = owner
    validity = Validity(payload)
    watch_life(owner, validity, "owner lives")
    freed = weakref.ref(payload)
    del payload, owner
    gc.collect()
    assert freed() is None and validity.broken is not None


def test_a_life_is_watched_no_longer_than_the_validity_lives() -> None:
    owner = Owner(3)
    validity = Validity("plan")
    watch_life(owner, validity, "owner lives")
    assert weakref.getweakrefcount(owner) == 1
    del validity
    assert weakref.getweakrefcount(owner) == 0


def test_the_end_calls_on_end_once_after_the_payload_is_gone() -> None:
    owner, calls = Owner(3), []
    validity = watching(owner)
    validity.on_end = lambda: calls.append(validity.payload)
    owner.set(4)
    validity.end(WatchedChange("again", "it was changed"))
    assert calls == ["stale plan"]


def test_a_fact_that_comes_back_pauses_and_goes_on() -> None:
    owner = Owner(True)
    validity = watching(owner, number=0, returns=True)
    owner.set(False)
    assert (validity.broken, validity.stands, validity.payload) == (None, False, "stale plan")
    assert validity.change.fact == "owner.value is True"
    owner.value = True
    assert validity.go_on(validity.pauses)
    assert (validity.stands, validity.payload, validity.change) == (True, "plan", None)


def test_what_changes_meanwhile_keeps_it_paused_and_what_ends_it_keeps_it_ended() -> None:
    owner, other = Owner(True), Owner(True)
    validity = watching(owner, number=0, returns=True)
    watch(other, "value", validity, "other.value is True", 1, returns=True)
    owner.set(False)
    pauses = validity.pauses
    other.set(False)
    assert not validity.go_on(pauses)
    assert not validity.stands and set(validity.paused) == {0, 1}
    validity.end(WatchedChange("a third", "it was changed"))
    assert not validity.go_on(validity.pauses)
    assert validity.payload == "stale plan" and validity.change.fact == "a third"


def test_a_paused_validity_frees_its_payload_when_the_owner_dies() -> None:
    owner, payload = Owner(True), Owner()
    validity = Validity(payload)
    watch(owner, "value", validity, "owner.value is True", 0, returns=True)
    watch_life(owner, validity, "owner.value is True")
    freed = weakref.ref(payload)
    del payload
    owner.set(False)
    assert freed() is not None
    del owner
    assert freed() is None


def test_what_a_payload_does_when_it_dies_may_change_watched_things() -> None:
    owner, other = Owner(1), Owner(2)

    class Payload:
        def __del__(self) -> None:
            other.set(3)
            watching(owner)

    second = watching(other)
    first = Validity(Payload())
    watch(owner, "value", first, "owner.value is 1")
    owner.set(4)
    assert not first.stands and not second.stands


def test_a_subscription_is_not_lost_when_all_others_are_told_in_the_midst_of_it() -> None:
    owner = Owner(1)
    first = watching(owner)

    class Key:
        """Code that runs while the key is looked up; a collection of garbage could do the same."""

        def __hash__(self) -> int:
            owner.set(2)
            return 7

    key = Key()
    second = watching(owner, key)  # type: ignore[arg-type]
    assert not first.stands and second.stands
    tell(owner, key)
    assert not second.stands


class Stopping:
    """An owner whose write an exception keeps from being told: KeyboardInterrupt may come anywhere."""

    __slots__ = ("__weakref__", "_watchers", "value")

    def __init__(self) -> None:
        self._watchers, self.value = None, 3

    def set(self, value: Any) -> None:
        with changing(self, "value"):
            self.value = value
            raise KeyboardInterrupt


def test_a_change_is_told_though_an_interrupt_follows_it_at_once() -> None:
    owner = Stopping()
    validity = watching(owner)  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        owner.set(4)
    assert not validity.stands


def test_an_interrupt_while_a_change_is_told_leaves_it_undone_and_the_rest_subscribed() -> None:
    owner = Owner(3)
    first, second = watching(owner), watching(owner)

    def interrupt() -> None:
        raise KeyboardInterrupt

    first.on_end = interrupt
    with pytest.raises(KeyboardInterrupt):
        owner.set(4)
    assert (owner.value, first.stands, second.stands) == (3, False, True)
    owner.set(5)
    assert not second.stands


def test_threads_that_subscribe_and_change_lose_nothing() -> None:
    owner = Owner(0)
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            owner.set(owner.value + 1)

    writer = threading.Thread(target=change)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    writer.start()
    subscribed = 0
    try:
        until = time.monotonic() + 0.5
        while time.monotonic() < until or subscribed < 10:
            seen = owner.value
            validity = Validity("plan")
            watch(owner, "value", validity, f"owner.value is {seen}")
            if owner.value != seen:
                continue  # what `subscribe` finds out when it looks once more
            subscribed += 1
            while owner.value < seen + 2:
                time.sleep(0)
            # The writer is at its second write at least: the first one has been told.
            assert not validity.stands
    finally:
        stop.set()
        writer.join()
        sys.setswitchinterval(interval)


def test_owners_that_die_with_the_interpreter_say_nothing() -> None:
    program = """
from guardlift.core.watch import Validity, watch, watch_life
from guardlift.core.watched_containers import WatchedDict
d, cycle = WatchedDict(), WatchedDict()
cycle["self"] = cycle
v = Validity(object())
for each in (d, cycle):
    watch(each, "a", v, "a"); watch_life(each, v, "a")
import sys
sys.kept = v
"""
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
