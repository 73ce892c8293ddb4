"""Entries that rely on facts without asking: what a write does to them, what is said of it, what is freed.

The entries are made by hand: each bakes in the scale of the owner it was compiled for, as a lifted constant would be.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tools.report_schema import mistakes

import guardlift as gl
from guardlift.core.config import config
from guardlift.core.errors import AssumptionError
from guardlift.core.watch import Validity, changing, tell
from guardlift.core.watched_containers import STRUCTURE, WatchedDict, WatchedList
from guardlift.frontend import state_of
from guardlift.frontend.codegen.frame_state import FrameState
from guardlift.frontend.compile.entry import Compiled
from guardlift.frontend.dispatch import new_entry
from guardlift.frontend.dispatch.event_history import why_no_entry_fits
from guardlift.guards.assumptions import Assumption, checked_first, grouped, resume, stale_plan, subscribe
from guardlift.guards.entry import Entry, compiled_block, condition, plain_block
from guardlift.guards.entry_code import TO_BODY
from guardlift.guards.guard import TypeIs, WeakIs, Where
from guardlift.guards.pool import Pool
from guardlift.guards.sources import RESULT, Local, WeakSource
from guardlift.tools.explain import SCHEMA_FILE

HERE = Where("train.py", 7, "return x * owner.scale")


class Owner:
    """An object of ours: its scale and its flag `training` are watched."""

    __slots__ = ("__weakref__", "_watchers", "own", "scale", "training")

    def __init__(self, scale: float) -> None:
        self._watchers = None
        self.scale = scale
        self.training = True
        self.own: Any = None

    def set(self, key: str, value: Any) -> None:
        with changing(self, key, f"it was set to {value}"):
            setattr(self, key, value)


class Plan:
    """Stands for a plan that holds memory of the owner's."""

    def __init__(self, scale: float, calls: list[float]) -> None:
        self.scale, self.calls = scale, calls

    def __call__(self, owner: Owner, x: float) -> float:
        self.calls.append(self.scale)
        return x * self.scale


def fact(owner: Owner, key: str) -> Assumption:
    reference, value = weakref.ref(owner), getattr(owner, key)
    return Assumption(reference, key, f"owner.{key} is {value}", HERE, lambda: getattr(reference(), key) is value)


class Toy:
    """A jitted function with what its hand-made compiler did: plans by entry, and scales of the calls that hit one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]) -> None:
        self.keys = keys
        self.hits: list[float] = []
        self.plans: list[weakref.ref[Plan]] = []
        self.meanwhile: Callable[[Owner], None] = lambda owner: None
        self.plain = False
        self.seconds = 0.0
        """The time that a compile is said to have taken."""
        monkeypatch.setattr(new_entry, "compile_entry", self.compile)

        @gl.jit
        def f(owner, x):
            return x * owner.scale if owner.training else -x

        self.f: Any = f

    def compile(self, function: Any, at: FrameState, pool: Pool, number: int, refused: Any) -> Compiled:
        return Compiled(self.entry(at.variables["owner"], pool, number), None)

    def entry(self, owner: Owner, pool: Pool, number: int) -> Entry:
        guards = (
            WeakIs(Local("owner"), HERE, weakref.ref(owner)),
            TypeIs(Local("x"), HERE, float),
        )
        assumptions = tuple(fact(owner, key) for key in self.keys)
        if self.plain:
            validity = Validity(True, False)
            name, slot = pool.new(validity)
            subscribe(assumptions, validity)
            block = plain_block(f"{name}.payload and {condition(guards, pool)}", side_exit=TO_BODY)
            return Entry(number, guards, block, slot, True, {"total": 0.0}, {}, assumptions, validity)
        plan = Plan(owner.scale if owner.training else -1.0, self.hits)
        self.plans.append(weakref.ref(plan))
        self.meanwhile(owner)
        validity = Validity(plan, stale_plan)
        name, slot = pool.new(validity)
        check = checked_first(condition(guards, pool), validity, name, assumptions, f"entry {number} of f")
        subscribe(assumptions, validity)
        block = compiled_block(check, f"{name}.payload", ["owner", "x"], [f"return {RESULT}"], side_exit="")
        details = {"graph": plan}
        del plan
        return Entry(number, guards, block, slot, False, {"total": self.seconds}, details, assumptions, validity)

    @property
    def entries(self) -> list[Entry]:
        return state_of(self.f).entries

    @property
    def events(self) -> list[Any]:
        return [event for event in state_of(self.f).history if event.kind != "break"]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with config.patch(check_assumptions=False):
        yield


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    return Toy(monkeypatch, ("scale",))


@pytest.fixture
def flagged(monkeypatch: pytest.MonkeyPatch) -> Toy:
    return Toy(monkeypatch, ("scale", "training"))


def test_nothing_changes_and_every_call_hits(toy: Toy) -> None:
    owner = Owner(3.0)
    assert [toy.f(owner, float(k)) for k in range(4)] == [0.0, 3.0, 6.0, 9.0]
    assert toy.hits == [3.0] * 4 and toy.kinds() == ["compile"]


def test_a_change_replaces_the_entry_and_the_reason_says_what_was_done_and_where(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    owner.set("scale", 4.0)
    line = Owner.set.__code__.co_firstlineno + 1
    assert toy.f(owner, 2.0) == 8.0
    assert toy.kinds() == ["compile", "recompile"]
    (reason,) = toy.events[1].nearest()
    assert (reason.entry, reason.guard, reason.expression, reason.was) == (
        0,
        "assumption",
        "`owner.scale is 3.0`",
        "true",
    )
    source = 'with changing(self, key, f"it was set to {value}"):'
    assert reason.now == f"false: it was set to 4.0 at {__file__}:{line}: {source}"
    assert reason.done_at == (__file__, line, source)
    assert reason.where == "train.py:7: return x * owner.scale" and reason.at == ("train.py", 7, HERE.text)
    assert reason.no_edit == "the program changes it between calls; a change before the first call costs nothing"
    assert reason.text == f"{reason.expression} was {reason.was}, now {reason.now}; no edit known: {reason.no_edit}"
    assert [entry.number for entry in toy.entries] == [1]
    assert toy.f(owner, 2.0) == 8.0 and toy.hits == [3.0, 4.0, 4.0]


def test_the_line_that_is_named_is_the_users_and_not_one_of_ours() -> None:
    table = WatchedDict(weight=1)
    validity = Validity("plan")
    check = Assumption(weakref.ref(table), "weight", "table['weight'] is the same", None, lambda: True)
    assert subscribe([check], validity)
    table["weight"] = 2
    assert (validity.broken.file, validity.broken.line) == (__file__, sys._getframe().f_lineno - 1)
    assert validity.broken.what == "'weight' was set anew"


@pytest.mark.parametrize(
    ("relift", "kinds"), [(True, ["compile", *["recompile"] * 5]), (False, ["compile", "recompile", "limit"])]
)
@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_replaced_entries_do_not_eat_the_limit_unless_relift_is_off(toy: Toy, relift: bool, kinds: list[str]) -> None:
    owner = Owner(0.0)
    with config.patch(relift=relift, recompile_limit=2):
        for k in range(6):
            owner.set("scale", float(k))
            assert toy.f(owner, 2.0) == 2.0 * k
    assert toy.kinds() == kinds


@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_entries_of_dead_owners_never_count(toy: Toy) -> None:
    with config.patch(relift=False, recompile_limit=2):
        for k in range(6):
            assert toy.f(Owner(float(k)), 2.0) == 2.0 * k
    assert toy.kinds() == ["compile", *["recompile"] * 5]
    assert len(toy.entries) == 1


@pytest.mark.spec("S5.18")
@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_living_owners_do_count(toy: Toy) -> None:
    owners = [Owner(float(k)) for k in range(6)]
    with config.patch(recompile_limit=2):
        assert [toy.f(owner, 2.0) for owner in owners] == [2.0 * k for k in range(6)]
    assert toy.kinds() == ["compile", "recompile", "limit"]
    assert len(toy.entries) == 2


def test_entries_that_never_pay_off_are_replaced_less_often(toy: Toy) -> None:
    owner = Owner(-1.0)
    toy.seconds = 1000.0
    toy.f(owner, 2.0)
    with config.patch(relift_limit=3):
        for k in range(3):
            owner.set("scale", float(k))
            assert toy.f(owner, 2.0) == 2.0 * k
        owner.set("scale", 3.0)
        why = r"compiled anew 3 times in a row, each .* \(gl.config.relift_limit\); .* last miss: `owner.scale is 2"
        with pytest.warns(RuntimeWarning, match=why):
            assert toy.f(owner, 2.0) == 6.0
        assert toy.f(owner, 2.0) == 6.0
        assert toy.kinds() == ["compile", *["recompile"] * 3, "limit"]
        toy.entries[0].born -= 20_001.0  # much later
        assert toy.f(owner, 2.0) == toy.f(owner, 2.0) == 6.0
        assert toy.kinds()[-1] == "recompile" and toy.hits[-2:] == [3.0, 3.0]


def test_error_on_recompile_names_the_broken_assumption(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    owner.set("scale", 4.0)
    with config.patch(error_on_recompile=True), pytest.raises(gl.RecompileError, match="`owner.scale is 3.0` was true"):
        toy.f(owner, 2.0)


@pytest.mark.spec("S5.14")
def test_the_death_of_an_owner_is_no_mismatch(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    del owner
    toy.f(Owner(4.0), 2.0)
    first = toy.events[1].reasons[0]
    assert (first.guard, first.now) == ("assumption", "told of an object that has died")


def test_a_dead_owners_plan_is_freed_at_once_though_the_function_is_never_called_again(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    toy.f(owner, 2.0)
    seen = weakref.ref(owner)
    gc.disable()
    try:
        del owner
        assert seen() is None
        assert toy.plans[0]() is None
    finally:
        gc.enable()
    assert toy.entries[0].stale and toy.entries[0].details == {}


def test_an_owner_in_a_cycle_is_collected_with_its_plan(toy: Toy) -> None:
    owner = Owner(3.0)
    owner.own = [owner]
    toy.f(owner, 2.0)
    del owner
    gc.collect()
    assert toy.plans[0]() is None


def test_a_change_frees_the_plan_at_once(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    owner.set("scale", 4.0)
    assert toy.plans[0]() is None


def test_replaced_entries_leave_nothing_behind(toy: Toy) -> None:
    owner = Owner(0.0)
    for k in range(20):
        owner.set("scale", float(k))
        toy.f(owner, 2.0)
    gc.collect()
    assert [plan() is not None for plan in toy.plans] == [False] * 19 + [True]
    alive = [each for each in state_of(toy.f).pool.objects if isinstance(each, Validity)]
    assert alive == [toy.entries[0].validity]
    assert len(owner._watchers.by_key["scale"]) == 1


def test_forgetting_frees_plans_and_leaves_the_owner_unwatched_by_them(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    gl.testing.forget(toy.f)
    gc.collect()
    assert toy.plans[0]() is None
    assert toy.f(owner, 2.0) == 6.0 and toy.kinds() == ["compile"]


def test_a_change_while_the_function_is_compiled_is_found(toy: Toy) -> None:
    owner = Owner(3.0)
    changes = iter([True])
    toy.meanwhile = lambda owner: owner.set("scale", 5.0) if next(changes, False) else None
    reference = fact(owner, "scale")
    assert reference.holds()
    # What the plan was made of is no longer so when the entry is ready: it must not serve.
    toy_fact = fact
    try:
        globals()["fact"] = lambda owner, key: reference if owner.scale == 3.0 else toy_fact(owner, key)
        assert toy.f(owner, 2.0) == 10.0
    finally:
        globals()["fact"] = toy_fact
    assert toy.hits == []
    assert toy.f(owner, 2.0) == 10.0 and toy.hits == [5.0]
    assert "it was changed while the function was compiled" in toy.events[1].nearest()[0].text


def test_a_flag_switched_back_and_forth_makes_two_entries_and_no_more(flagged: Toy) -> None:
    owner = Owner(3.0)
    for k in range(10):
        owner.set("training", k % 2 == 0)
        for _ in range(2):
            assert flagged.f(owner, 2.0) == (6.0 if k % 2 == 0 else -2.0)
    assert flagged.kinds() == ["compile", "recompile"]
    assert flagged.hits == [3.0, 3.0, -1.0, -1.0] * 5
    assert [entry.stale for entry in flagged.entries] == [False, False]
    (reason,) = flagged.events[1].nearest()
    assert (reason.guard, reason.expression) == ("assumption", "`owner.training is True`")
    assert reason.now.startswith("false: it was set to False at ")


def test_a_paused_entry_that_breaks_for_good_does_not_come_back(flagged: Toy) -> None:
    owner = Owner(3.0)
    flagged.f(owner, 2.0)
    owner.set("training", False)
    assert flagged.plans[0]() is not None
    owner.set("scale", 5.0)
    assert flagged.plans[0]() is None
    owner.set("training", True)
    assert flagged.f(owner, 2.0) == 10.0
    assert [entry.number for entry in flagged.entries] == [1]


def test_a_paused_entry_is_watched_again_once_it_goes_on(flagged: Toy) -> None:
    owner = Owner(3.0)
    flagged.f(owner, 2.0)
    for _ in range(3):
        owner.set("training", False)
        owner.set("training", True)
        assert flagged.f(owner, 2.0) == 6.0
    assert flagged.kinds() == ["compile"]
    assert len(owner._watchers.by_key["training"]) == 1
    owner.set("training", False)
    assert flagged.f(owner, 2.0) == -2.0


def test_resume_leaves_paused_what_does_not_hold_yet() -> None:
    owner = Owner(3.0)
    validity = Validity("plan", "stale")
    assumptions = (fact(owner, "scale"), fact(owner, "training"))
    assert subscribe(assumptions, validity)
    assert resume(assumptions, validity)
    owner.set("training", False)
    assert not resume(assumptions, validity) and validity.payload == "stale"
    owner.set("training", True)
    assert resume(assumptions, validity) and validity.payload == "plan"


def test_a_plain_entry_is_tried_no_more_after_its_assumptions_broke(flagged: Toy) -> None:
    owner = Owner(3.0)
    flagged.plain = True
    assert flagged.f(owner, 2.0) == flagged.f(owner, 2.0) == 6.0
    flagged.plain = False
    owner.set("training", False)
    assert flagged.f(owner, 2.0) == flagged.f(owner, 2.0) == -2.0
    assert flagged.hits == [-1.0, -1.0]
    owner.set("training", True)
    count = len(flagged.events)
    assert flagged.f(owner, 2.0) == 6.0 and len(flagged.events) == count  # the plain one is back
    assert flagged.f(owner, 2.0) == 6.0 and flagged.hits == [-1.0, -1.0]


def test_another_thread_may_change_what_a_running_call_relies_on(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    running, go_on = threading.Event(), threading.Event()

    class Slow(Plan):
        def __call__(self, owner: Owner, x: float) -> float:
            running.set()
            assert go_on.wait(5)
            return super().__call__(owner, x)

    state_of(toy.f).entries[0].validity.payload = Slow(3.0, toy.hits)
    results: list[float] = []
    caller = threading.Thread(target=lambda: results.append(toy.f(owner, 2.0)))
    caller.start()
    assert running.wait(5)
    owner.set("scale", 4.0)
    assert toy.f(owner, 2.0) == 8.0
    go_on.set()
    caller.join()
    assert results == [6.0]  # it began before the change


@pytest.mark.slow
def test_threads_that_change_and_call_get_the_scale_of_their_own_moment(toy: Toy) -> None:
    owner = Owner(0.0)
    stop = threading.Event()
    wrong: list[Any] = []
    told = [0.0]  # the scale whose writer has come back: until then a call may meet the one before

    def call() -> None:
        while not stop.is_set():
            before = told[0]
            result = toy.f(owner, 1.0)
            if not before <= result <= owner.scale:
                wrong.append((before, result))

    callers = [threading.Thread(target=call) for _ in range(3)]
    for each in callers:
        each.start()
    for k in range(60):
        owner.set("scale", float(k))
        told[0] = float(k)
        time.sleep(0.002)
    stop.set()
    for each in callers:
        each.join()
    assert wrong == [] and len(toy.hits) > 60
    assert toy.f(owner, 1.0) == 59.0


def test_check_assumptions_finds_a_write_behind_the_watchers(toy: Toy) -> None:
    owner = Owner(3.0)
    with config.patch(check_assumptions=True):
        assert toy.f(owner, 2.0) == toy.f(owner, 2.0) == 6.0
    object.__setattr__(owner, "scale", 4.0)
    with pytest.raises(AssumptionError) as caught:
        toy.f(owner, 2.0)
    text = str(caught.value)
    assert text.startswith("entry 0 of f assumes that `owner.scale is 3.0` (relied on at train.py:7: return x * owner")
    assert "the Owner was written behind its watchers" in text
    tell(owner, "scale")
    assert toy.f(owner, 2.0) == 8.0


@pytest.mark.parametrize(
    ("container", "key", "write"),
    [
        (WatchedDict(a=1), "a", lambda found: dict.__setitem__(found, "a", 2)),
        (WatchedDict(a=1), STRUCTURE, lambda found: dict.update(found, b=2)),
        (WatchedList([1]), STRUCTURE, lambda found: list.append(found, 2)),
    ],
)
def test_check_assumptions_finds_a_write_behind_a_containers_watchers(container: Any, key: Any, write: Any) -> None:
    reference, before = weakref.ref(container), repr(container)
    assumption = Assumption(reference, key, f"it is {before}", None, lambda: repr(reference()) == before)
    validity = Validity("plan")
    assert subscribe([assumption], validity)
    with config.patch(check_assumptions=True):
        assert checked_first("x", validity, "V", [assumption], "entry 0 of f") == "V.check() and x"
        assert checked_first("", validity, "V", [assumption], "entry 0 of f") == "V.check()"
    assert checked_first("x", validity, "V", [assumption], "entry 0 of f") == "x"
    assert validity.check()
    write(container)
    assert validity.stands
    with pytest.raises(AssumptionError, match=rf"`it is .*the {type(container).__mro__[1].__name__} was written"):
        validity.check()


def test_check_assumptions_waits_for_a_thread_between_its_write_and_its_telling() -> None:
    owner = Owner(3.0)
    validity = Validity("plan")
    assumption = fact(owner, "scale")
    subscribe([assumption], validity)
    with config.patch(check_assumptions=True):
        checked_first("", validity, "V", [assumption], "entry 0 of f")
    owner.scale = 4.0
    teller = threading.Timer(0.01, lambda: tell(owner, "scale"))
    teller.start()
    assert validity.check()
    teller.join()
    assert not validity.stands


def test_what_is_asked_again_may_raise_and_then_does_not_hold() -> None:
    owner = Owner(3.0)
    validity = Validity("plan")
    assert not subscribe([Assumption(weakref.ref(owner), "scale", "it divides", None, lambda: bool(1 / 0))], validity)
    assert validity.broken.what == "it was changed while the function was compiled"


def test_an_owner_that_is_dead_already_ends_it() -> None:
    owner = Owner(3.0)
    assumption = fact(owner, "scale")
    del owner
    validity = Validity("plan")
    assert not subscribe([assumption], validity)
    assert validity.broken.what == "what it speaks of was deleted"
    assert [group.kind for group in grouped([assumption])] == ["deleted objects"]


def many(owners: list[Any]) -> list[Assumption]:
    table, listed = WatchedDict(a=1), WatchedList()
    owners += [table, listed]
    made = [fact(owner, key) for owner in owners[:-2] for key in ("scale", "training")]
    made.append(Assumption(weakref.ref(table), "a", "table['a'] is 1", HERE, lambda: True))
    made.append(Assumption(weakref.ref(table), STRUCTURE, "table has the keys ('a',)", HERE, lambda: True))
    made.append(Assumption(weakref.ref(listed), STRUCTURE, "listed is empty", HERE, lambda: True))
    return made


def test_assumptions_are_counted_by_kind() -> None:
    owners: list[Any] = [Owner(float(k)) for k in range(100)]
    groups = grouped(many(owners))
    assert [(group.kind, group.count) for group in groups] == [
        ("Owner.scale", 100),
        ("Owner.training", 100),
        ("values in dicts", 1),
        ("keys of dicts", 1),
        ("elements of lists", 1),
    ]
    assert groups[0].facts == ("owner.scale is 0.0", "owner.scale is 1.0", "owner.scale is 2.0")
    assert groups[0].where is HERE


@pytest.mark.usefixtures("log_on_stderr")
def test_a_report_shows_assumptions_beside_guards_counted_where_they_are_many(toy: Toy, capsys) -> None:
    owner = Owner(3.0)
    with config.patch(logs=("guards",)):
        toy.f(owner, 2.0)
    (entry,) = toy.entries
    owners: list[Any] = [Owner(float(k)) for k in range(20_000)]
    entry.assumptions = tuple(many(owners))
    report = gl.explain(toy.f)
    text = str(report)
    assert len(text.splitlines()) < 40
    assert "    relies, without asking at each call, on 40003 facts\n" in text
    line = "      20000 on Owner.scale, such as owner.scale is 0.0  # train.py:7: return x * owner.scale\n"
    assert line in text
    assert "      table['a'] is 1  # train.py:7: return x * owner.scale\n" in text
    (group, *_) = report.entries[0].assumptions
    assert (group.kind, group.count, len(group.facts), group.where.line) == ("Owner.scale", 20_000, 3, 7)
    log = capsys.readouterr().err
    assert "owner is the same Owner object    # train.py:7" in log
    assert "and, without asking at each call, while\nguardlift guards:   owner.scale is 3.0    # train.py:7" in log


def test_a_report_and_the_harness_say_what_is_stale_and_why(toy: Toy) -> None:
    owner = Owner(3.0)
    toy.f(owner, 2.0)
    owner.set("scale", 4.0)
    report = gl.explain(toy.f)
    assert report.state == "stale: 1 entry, see below; a call compiles anew"
    assert report.entries[0].stale.startswith("`owner.scale is 3.0` was true, now false: it was set to 4.0 at ")
    stale = report.entries[0].stale.replace(os.path.join(os.getcwd(), ""), "")
    assert f"    stale, so that no call fits it: {stale}\n" in str(report)
    assert "  entry 0: its plan was dropped\n" in str(report)
    with (
        pytest.raises(AssertionError, match="`owner.scale is 3.0` true → false: it was set to 4.0 at") as caught,
        gl.testing.no_recompiles() as log,
    ):
        toy.f(owner, 2.0)
    assert "matters at train.py:7" in str(caught.value) and "no edit known: the program changes it" in str(caught.value)
    assert [reason.guard for reason in log.reasons] == ["assumption"]
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    data = json.loads(gl.explain(toy.f).to_json())
    del data["schema"]
    assert mistakes(data, schema["$defs"]["function"], schema) == []
    (reason,) = data["events"][1]["reasons"]
    assert reason["done_at"]["file"] == __file__ and "was set to {value}" in reason["done_at"]["source"]
    assert gl.explain(toy.f).state == "compiled: 1 entry"


def test_reasons_name_the_assumption_first_and_then_the_guards_that_fail(toy: Toy) -> None:
    owner, other = Owner(3.0), Owner(4.0)
    toy.f(owner, 2.0)
    owner.set("scale", 5.0)
    state = state_of(toy.f)
    at = FrameState(state.points[0], {"owner": other, "x": 2.0})
    (reason,) = why_no_entry_fits(state, at)["reasons"]
    assert reason.guard == "assumption"
    at = FrameState(state.points[0], {"owner": other, "x": 2})
    failures = [each.guard for each in state.entries[0].failures(state.namespace(at), state.pool)]
    assert failures == ["assumption", "identity", "type"]


def test_a_weak_identity_keeps_nothing_alive_and_a_dead_one_fits_nothing() -> None:
    owner, pool = Owner(3.0), Pool(())
    guard = WeakIs(Local("owner"), HERE, weakref.ref(owner))
    source = WeakSource(weakref.ref(owner), "owner")
    assert guard == WeakIs(Local("owner"), None, weakref.ref(owner)) != WeakIs(Local("x"), None, weakref.ref(owner))
    assert (
        source == WeakSource(weakref.ref(owner), "by another name")
        and len({source, WeakSource(weakref.ref(owner), "")}) == 1
    )
    assert guard.holds({"owner": owner}, pool) and not guard.holds({"owner": Owner(3.0)}, pool)
    assert guard.text(pool) == "owner is __guardlift_pool__[0]() is not None"
    assert source.text(pool) == "__guardlift_pool__[0]()"
    seen = weakref.ref(owner)
    del owner
    assert seen() is None
    assert not guard.holds({"owner": None}, pool)
    assert guard.fact() == "owner is the same object (which was deleted)"
    table = WatchedDict()
    assert WeakIs(Local("x"), HERE, weakref.ref(table)).fact() == "x is the same dict object"
    assert (
        WeakIs(Local("x"), HERE, weakref.ref(table))
        .explain(WatchedDict())
        .startswith("x was a dict, now another dict;")
    )
    assert guard.change(None).was == "an object that has died"


def test_code_never_keeps_an_owner_alive() -> None:
    owner, pool = Owner(3.0), Pool(())
    for value in (owner, (1, owner), WatchedDict(), WatchedList()):
        with pytest.raises(TypeError, match="would keep a .* alive"):
            pool.add(value)
    assert pool.objects == ()
