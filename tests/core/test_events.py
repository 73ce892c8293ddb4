from __future__ import annotations

import threading

import pytest

from guardlift.core.events import Event, Reason, emit, listened_to, listening, plural


def event(**fields: object) -> Event:
    return Event("recompile", "f", "a.py", 3, **fields)


def test_a_listener_hears_what_happens_in_its_context_and_no_more() -> None:
    heard: list[Event] = []
    emit(event())
    with listening(heard.append):
        assert listened_to()
        emit(event(entry=1))
    emit(event(entry=2))
    assert [each.entry for each in heard] == [1]


def test_listeners_nest_and_the_same_one_may_listen_twice() -> None:
    heard: list[int] = []

    def hear(each: Event) -> None:
        heard.append(each.entry)

    with listening(hear):
        with listening(hear):
            emit(event(entry=1))
        emit(event(entry=2))
    assert heard == [1, 1, 2]


def test_a_listener_is_gone_after_an_error_inside() -> None:
    heard: list[Event] = []
    with pytest.raises(ZeroDivisionError), listening(heard.append):
        raise ZeroDivisionError
    emit(event())
    assert heard == []


def test_contexts_of_many_threads_do_not_disturb_each_other() -> None:
    heard: list[Event] = []

    def enter_and_leave() -> None:
        for _ in range(200):
            with listening(lambda each: None):
                pass

    threads = [threading.Thread(target=enter_and_leave) for _ in range(4)]
    with listening(heard.append):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        emit(event())
    assert len(heard) == 1


def failed(entry: int, expression: str, parts: int = 1) -> Reason:
    return Reason(entry, "equality", expression, "", "", parts=parts)


def test_the_nearest_entry_is_the_one_that_differs_least_and_not_the_newest() -> None:
    failures = (failed(2, "a"), failed(2, "b"), failed(1, "a", parts=3), failed(0, "c"))
    assert event(failures=failures).nearest() == (failed(0, "c"),)
    assert event().nearest() == ()


def test_of_entries_as_near_those_count_that_share_a_cause_and_the_newest_stands_for_them() -> None:
    failures = (failed(3, "c"), failed(2, "a"), failed(1, "a"), failed(0, "a"))
    assert event(failures=failures).nearest() == (failed(2, "a"),)


def test_where_two_causes_are_as_near_both_are_told() -> None:
    failures = (failed(1, "a"), failed(0, "c"))
    assert event(failures=failures).alternatives() == ((failed(1, "a"),), (failed(0, "c"),))
    assert event(failures=failures).nearest() == failures


def test_an_event_without_all_failures_falls_back_on_the_first_ones() -> None:
    assert event(reasons=(failed(0, "a"),)).nearest() == (failed(0, "a"),)


def test_a_reason_without_values_gives_its_text() -> None:
    assert Reason(0, "none", "", "every guard holds", "").change() == "every guard holds"


@pytest.mark.parametrize(("count", "text"), [(0, "0 compiles"), (1, "1 compile"), (2, "2 compiles")])
def test_a_count_agrees_with_its_word(count: int, text: str) -> None:
    assert plural(count, "compile") == text
