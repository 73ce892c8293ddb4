from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl
from guardlift.tools.harness.compile_log import KEPT_EVENTS, CompileLog


@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_a_long_program_is_counted_and_not_kept() -> None:
    @gl.jit(on_limit="eager")
    def handle(x, name):
        return x + len(name) if name.startswith("a") else x * len(name)

    x = np.ones(8)
    with gl.config.patch(recompile_limit=2):
        with pytest.raises(AssertionError) as caught, gl.testing.max_recompiles(1, of=handle) as log:
            for k in range(500):
                handle(x, f"user{k}")
    assert log.over_limit > 400 and log.compiles + log.over_limit == 500
    assert len(log.events) <= log.compiles + KEPT_EVENTS
    assert log.told()[-1].times == log.over_limit - KEPT_EVENTS + 1
    assert sum(event.times for event in log.told()) == 500
    first, *others = str(caught.value).splitlines()
    assert first.endswith(f", {log.over_limit} of them beyond the limit of entries, where at most 1 may happen")
    assert len(others) < 40 and any(f"{log.over_limit} calls in plain Python" in line for line in others)


def test_a_log_of_given_events_counts_them() -> None:
    @gl.jit
    def double(x):
        return x * 2

    double(np.ones(3))
    double(np.ones(3, np.int8))
    log = CompileLog(gl.explain(double).events)
    assert (log.compiles, log.recompiles, log.breaks) == (2, 1, [])
    assert repr(log) == "<CompileLog: 2 compiles, 1 recompiles, 0 breaks>"
    assert 0 < log.seconds < 60
