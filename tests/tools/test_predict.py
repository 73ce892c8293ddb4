"""`gl.predict`: what a call would do, before it is made, and nothing else."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.events import listening

X = np.ones(3)
pytestmark = pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning", "ignore:.*the limit:RuntimeWarning")


def turns(x, n=1):
    for k in range(n):
        x = x + k
    return x


CALLS = [
    (X,),
    (X, 2),
    (X, 2),
    (X.astype(np.float32), 2),
    (np.ones(4),),
    (np.ones(5),),
    (np.ones((2, 2)), 1),
    (X, 3),
    (X, 4),
    (X, 5),
]


def test_the_prediction_is_what_then_happens() -> None:
    jitted = gl.jit(turns)
    met = set()
    with gl.config.patch(recompile_limit=5):
        for arguments in CALLS:
            predicted = gl.predict(jitted, *arguments)
            before = gl.explain(jitted)
            jitted(*arguments)
            after = gl.explain(jitted)
            hits, plain = after.calls.hits > before.calls.hits if before.calls.total else False, after.calls.plain
            happened = (
                "hit"
                if hits
                else "plain"
                if plain > before.calls.plain
                else "recompile"
                if after.recompiles > before.recompiles
                else "compile"
            )
            assert predicted.outcome == happened, arguments
            met.add(happened)
            if happened == "hit":
                (served,) = [
                    new.number
                    for old, new in zip(before.entries, after.entries, strict=True)
                    if new.served > old.served
                ]
                assert predicted.entry == served
            if happened == "recompile":
                assert predicted.reasons == after.events[-1].nearest()
    assert met == {"hit", "plain", "recompile", "compile"}


def test_nothing_happens() -> None:
    ran = []

    @gl.jit
    def f(x):
        ran.append(1)
        return x * 2

    events: list[object] = []
    with listening(events.append):
        assert gl.predict(f, X).outcome == "compile"
        assert gl.predict(f, np.ones((2, 2))).outcome == "compile"
    assert (events, ran, gl.explain(f).events, gl.explain(f).calls.total) == ([], [], (), 0)


def test_the_words_name_the_fact_and_its_line_and_claim_no_costs() -> None:
    jitted = gl.jit(turns)
    jitted(X, 1)
    predicted = gl.predict(jitted, X, n=2)
    text = str(predicted)
    assert text.startswith("turns: the call would compile again\n")
    assert "n 1 → 2" in text and "for k in range(n):" in text and "matters at" in text
    assert "saved" not in text and "recompile" not in text and "called at" not in text
    assert predicted.cause.expression == predicted.reasons[0].expression == "n"
    assert str(gl.predict(jitted, X)) == "turns: entry 0 would serve the call"


def test_a_break_that_leaves_the_call_to_python_is_named() -> None:
    @gl.jit
    def f(x):
        return x + 1 if x.sum() > 0 else x

    f(X)
    assert gl.predict(f, X).outcome == "hit"  # the part before the break
    with gl.config.patch(disable=True):
        assert gl.predict(f, X).why == "gl.config.disable is on"

    @gl.jit
    def yields(x):
        yield x

    assert gl.predict(yields, X).why.startswith("it is a generator")


def test_methods_partials_modules_and_shapes_will_do() -> None:
    class Model:
        @gl.jit
        def forward(self, x):
            return x + 1

    model, net, scaled = Model(), gl.jit(gl.nn.Linear(3, 2)), gl.jit(turns)
    bound = functools.partial(scaled, X)
    for called, argument in ((model.forward, X), (net, gl.ones(3)), (bound, 1)):
        assert gl.predict(called, argument).outcome == "compile"
        called(argument)
        assert gl.predict(called, argument).outcome == "hit"
    assert gl.predict(scaled, gl.ShapeDtypeStruct((3,), np.float64)).outcome == "hit"
    assert gl.predict(scaled, gl.ShapeDtypeStruct((3,), np.float32)).outcome == "recompile"


@pytest.mark.parametrize(("thing", "arguments", "error"), [(len, (X,), "gl.predict(f, x)"), (gl.jit(turns), (), "'x'")])
def test_what_cannot_be_predicted_is_an_error(thing, arguments, error) -> None:
    with pytest.raises(TypeError) as caught:
        gl.predict(thing, *arguments)
    assert error in str(caught.value)
