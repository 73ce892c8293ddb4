import functools
import gc
import inspect
import pickle
import threading
import traceback
import weakref

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.plan import errstate
from guardlift.backend.cpu.plan.table_layout import STATE_BITS
from guardlift.core.errors import RecompileError, SettingValueError
from guardlift.frontend import state_of
from guardlift.frontend.dispatch import new_entry
from guardlift.guards.entry import Entry


@gl.jit
def doubled(x):
    """Twice x."""
    return x * 2.0


def kinds(function):
    return [event.kind for event in state_of(function).history]


def test_a_jitted_function_is_a_real_function_with_the_original_behind_it() -> None:
    def scale(x: np.ndarray, by: float = 3.0, *rest, key: int = 1, **named) -> np.ndarray:
        """Scales."""
        return x * by

    jitted = gl.jit(scale)
    assert inspect.isfunction(jitted) and jitted is not scale
    assert jitted.__wrapped__ is scale
    assert inspect.signature(jitted) == inspect.signature(scale)
    assert (jitted.__name__, jitted.__qualname__, jitted.__doc__, jitted.__module__) == (
        scale.__name__, scale.__qualname__, scale.__doc__, scale.__module__,
    )  # fmt: skip
    assert jitted.__defaults__ == scale.__defaults__ and jitted.__kwdefaults__ == scale.__kwdefaults__
    assert jitted.__annotations__ == scale.__annotations__
    np.testing.assert_array_equal(jitted(np.ones(3)), np.full(3, 3.0))


def test_jitting_twice_gives_the_same_function() -> None:
    assert gl.jit(doubled) is doubled


def test_the_decorator_takes_arguments() -> None:
    @gl.jit(fullgraph=True)
    def f(x):
        return x + 1.0

    np.testing.assert_array_equal(f(np.zeros(2)), np.ones(2))


def test_wrong_calls_raise_as_the_plain_function_does() -> None:
    def two(a, b):
        return a + b

    jitted = gl.jit(two)
    for args, kwargs in (((1,), {}), ((1, 2, 3), {}), ((1,), {"c": 2})):
        with pytest.raises(TypeError) as plain:
            two(*args, **kwargs)
        with pytest.raises(TypeError) as ours:
            jitted(*args, **kwargs)
        assert str(ours.value) == str(plain.value)


@pytest.mark.parametrize(
    ("what", "text"),
    [
        (3, "a value of type int; pass the function itself"),
        (np.tanh, "the ufunc tanh; write a Python function that calls it"),
        (len, "the builtin_function_or_method len; write a Python function that calls it"),
        (dict, "the type dict; put @gl.jit on its methods"),
        (functools.partial(len), "the builtin_function_or_method len; write a Python function that calls it"),
        (staticmethod(doubled.__wrapped__), "put @gl.jit below @staticmethod"),
        ([].append, "write a Python function that calls it"),
    ],
)
def test_jit_of_something_else_says_what_to_do(what, text) -> None:
    with pytest.raises(gl.NotAFunctionError, match="gl.jit takes a Python function, not ") as caught:
        gl.jit(what)
    assert text in str(caught.value)
    assert isinstance(caught.value, TypeError)


def test_methods_of_all_kinds() -> None:
    class Model:
        def __init__(self):
            self.w = np.arange(3.0)

        @gl.jit
        def forward(self, x):
            return x * self.w

        @staticmethod
        @gl.jit
        def static(x):
            return x + 1.0

        @classmethod
        @gl.jit
        def of_class(cls, x):
            return x - 1.0

    model, x = Model(), np.ones(3)
    for _ in range(2):
        np.testing.assert_array_equal(model.forward(x), x * model.w)
        np.testing.assert_array_equal(Model.static(x), x + 1.0)
        np.testing.assert_array_equal(model.of_class(x), x - 1.0)
    assert kinds(Model.forward) == ["compile"]


class Scaled:
    """An object that is called like a function."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def __call__(self, x, shift=0.0):
        return x * self.scale + shift


def test_objects_with_a_call_of_their_own() -> None:
    two, three = Scaled(2.0), Scaled(3.0)
    fast, other = gl.jit(two), gl.jit(three)
    for _ in range(2):
        assert fast(np.ones(2)).tolist() == [2.0, 2.0]
        assert other(np.ones(2), shift=1.0).tolist() == [4.0, 4.0]
    assert fast.__self__ is two
    assert kinds(fast.__func__) == ["compile"]
    two.scale = 5.0
    assert fast(np.ones(2)).tolist() == [5.0, 5.0]


def test_partial_applications() -> None:
    def affine(x, scale, shift=0.0):
        return x * scale + shift

    fast = gl.jit(functools.partial(affine, scale=3.0, shift=1.0))
    assert isinstance(fast, functools.partial)
    for _ in range(2):
        assert fast(np.ones(2)).tolist() == [4.0, 4.0]
        assert fast(np.ones(2), shift=2.0).tolist() == [5.0, 5.0]
    assert kinds(fast.func) == ["compile"]
    of_object = gl.jit(functools.partial(Scaled(2.0), shift=1.0))
    assert of_object(np.ones(2)).tolist() == [3.0, 3.0]


def test_a_jitted_function_is_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(doubled)) is doubled


@pytest.mark.spec("S7.01")
def test_variants_in_rotation_compile_once_each() -> None:
    @gl.jit
    def f(x):
        return x + x

    arrays = [np.ones(3), np.ones(3, np.float32), np.ones((2, 2))]
    for _ in range(4):
        for array in arrays:
            np.testing.assert_array_equal(f(array), array + array)
    assert kinds(f) == ["compile", "recompile", "recompile"]


@pytest.mark.spec("S7.06")
def test_a_float_that_changes_never_compiles_again() -> None:
    @gl.jit
    def f(x, rate):
        return x * rate

    for rate in np.linspace(-1.0, 1.0, 50):
        np.testing.assert_array_equal(f(np.ones(3), float(rate)), np.full(3, rate))
    assert kinds(f) == ["compile"]


@pytest.mark.spec("S7.06")
def test_an_int_that_array_code_consumes_never_compiles_again() -> None:
    @gl.jit
    def f(x, n):
        return x * n

    for n in range(-3, 8):
        np.testing.assert_array_equal(f(np.ones(3), n), np.full(3, float(n)))
    assert kinds(f) == ["compile"]


@pytest.mark.spec("S7.06")
def test_each_shape_is_compiled_once_where_sizes_are_static() -> None:
    @gl.jit(dynamic=False)
    def f(x):
        return x + 1.0

    for size in (2, 3, 4, 4, 5, 5, 6, 2):
        np.testing.assert_array_equal(f(np.zeros(size)), np.ones(size))
    assert kinds(f) == ["compile"] + 4 * ["recompile"]


@pytest.mark.spec("S7.08")
def test_one_array_under_two_names_is_another_variant() -> None:
    @gl.jit
    def f(a, b):
        a += 1.0
        return b * 2.0

    a, b, c = np.zeros(2), np.ones(2), np.zeros(2)
    np.testing.assert_array_equal(f(a, b), [2.0, 2.0])
    np.testing.assert_array_equal(f(c, c), [2.0, 2.0])  # what is written through `a` is seen under `b`
    np.testing.assert_array_equal(f(a, b), [2.0, 2.0])
    assert kinds(f) == ["compile", "recompile"]


@pytest.mark.spec("S7.09")
def test_a_flag_switched_back_and_forth_makes_two_entries() -> None:
    class Model:
        def __init__(self):
            self.training = True

    @gl.jit
    def f(model, x):
        return x * 2.0 if model.training else x * 3.0

    model = Model()
    for _ in range(5):
        for model.training in (True, False):
            np.testing.assert_array_equal(f(model, np.ones(2)), f.__wrapped__(model, np.ones(2)))
    assert kinds(f) == ["compile", "recompile"]


@pytest.mark.spec("S7.09")
def test_a_dtype_and_a_layout_add_an_entry_each() -> None:
    @gl.jit
    def f(x):
        return x + x

    square = np.arange(9, dtype=np.float32).reshape(3, 3)
    for array in (square, square.astype(np.float64), square.astype(np.float64).T, square):
        np.testing.assert_array_equal(f(array), array + array)
    assert kinds(f) == ["compile", "recompile", "recompile"]


@pytest.mark.spec("S7.07")
def test_past_the_limit_entries_still_serve_and_other_calls_run_plainly_with_one_warning() -> None:
    @gl.jit
    def f(x, n):
        return x * (2.0 if n > 5 else 1.0) + sum([x] * n, x)

    x = np.ones(2)
    with gl.config.patch(recompile_limit=2):
        with pytest.warns(RuntimeWarning, match=r"has 2 entries, the limit .*n was 2, now 3") as caught:
            for n in (1, 2, 3, 4, 1, 2):
                np.testing.assert_array_equal(f(x, n), f.__wrapped__(x, n))
        assert len(caught) == 1 and caught[0].filename == __file__
    assert kinds(f) == ["compile", "recompile", "limit"]


@pytest.mark.spec("S7.04")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_over_the_limit_a_miss_asks_no_entry_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    @gl.jit
    def function(x, text):
        return x + len(text)

    with gl.config.patch(recompile_limit=2):
        for text in ("", "a", "ab"):
            function(np.ones(2), text)
        fits = Entry.fits
        monkeypatch.setattr(Entry, "fits", lambda entry, *args: asked.append(entry.number) or fits(entry, *args))
        for count in range(3, 9):
            np.testing.assert_array_equal(function(np.ones(2), "b" * count), np.full(2, 1.0 + count))
        np.testing.assert_array_equal(function(np.ones(2), "a"), [2.0, 2.0])
        state = state_of(function)
        assert state is not None and not asked and state.misses_over_limit == 7
        readable = errstate._words[STATE_BITS]
        errstate._words[STATE_BITS] = 0
        with np.errstate(divide="ignore"):  # the plans refuse; the entry fits all the same, and is found
            np.testing.assert_array_equal(function(np.ones(2), "a"), [2.0, 2.0])
        errstate._words[STATE_BITS] = readable
        assert asked and state.misses_over_limit == 7


def test_error_on_recompile_raises_with_the_reason_and_leaves_hits_alone() -> None:
    @gl.jit
    def f(x):
        return x + 1.0

    f(np.ones(3))
    with gl.config.patch(error_on_recompile=True):
        f(np.zeros(3))
        with pytest.raises(gl.RecompileError, match=r"x.dtype was float64, now float32; pass x.astype"):
            f(np.ones(3, np.float32))


@pytest.mark.spec("S7.05")
def test_the_floating_point_error_state_is_honoured() -> None:
    @gl.jit
    def inverse(x):
        return 1.0 / x

    zero = np.zeros(2)
    np.testing.assert_array_equal(inverse(zero), [np.inf, np.inf])
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        inverse(zero)
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(inverse(zero), [np.inf, np.inf])
    np.testing.assert_array_equal(inverse(zero), [np.inf, np.inf])
    assert kinds(inverse) == ["compile", "break"]
    assert state_of(inverse).history[-1].break_code == "B501"


def test_an_error_has_the_users_lines_and_no_frame_of_ours() -> None:
    def helper(a, b):
        return a + b

    def outer(a, b):
        return helper(a, b) * 2.0

    jitted = gl.jit(outer)
    jitted(np.ones(3), np.ones(3))

    def trail(function):
        with pytest.raises(ValueError, match="could not be broadcast") as caught:
            function(np.ones(3), np.ones(4))
        return str(caught.value), [(f.filename, f.lineno, f.name) for f in traceback.extract_tb(caught.tb)[1:]]

    assert trail(jitted) == trail(outer)


def test_an_index_out_of_range_raises_numpys_error_before_anything_is_written() -> None:
    def f(x, index):
        x += 1.0
        return x[index]

    jitted, good = gl.jit(f), np.array([0, 2])
    x = np.arange(3.0)
    np.testing.assert_array_equal(jitted(x, good), [1.0, 3.0])
    plain, ours = np.arange(3.0), np.arange(3.0)
    with pytest.raises(IndexError) as expected:
        f(plain, np.array([0, 7]))
    with pytest.raises(IndexError) as found:
        jitted(ours, np.array([0, 7]))
    assert str(found.value) == str(expected.value)
    np.testing.assert_array_equal(ours, plain)
    assert kinds(jitted) == ["compile"]


def test_a_dropped_function_frees_everything_it_held() -> None:
    def make():
        captured = np.ones(1000)

        @gl.jit
        def f(x):
            return (x * captured).sum()

        f(np.ones(1000))
        f(np.ones(1000, np.float32))
        state = state_of(f)
        plans = [state.pool.objects[entry.slot].__self__ for entry in state.entries]
        held = [f, f.__wrapped__, captured, state, *plans]
        return f, [weakref.ref(each) for each in held]

    function, references = make()
    assert all(reference() is not None for reference in references)
    del function
    gc.collect()
    assert [reference() for reference in references] == [None] * len(references)


def test_compiling_twice_at_once_makes_one_entry() -> None:
    @gl.jit
    def f(x):
        return np.exp(x).sum()

    barrier, errors = threading.Barrier(4), []

    def work():
        try:
            barrier.wait()
            for _ in range(50):
                assert abs(f(np.ones(5)) - 5 * np.e) < 1e-12
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and kinds(f) == ["compile"]


def test_functions_that_read_frames_and_generators_are_left_alone() -> None:
    @gl.jit
    def names(x):
        y = x
        return sorted(locals())

    @gl.jit
    def numbers(x):
        yield x

    assert names(np.ones(1)) == ["x", "y"]
    assert inspect.isgeneratorfunction(numbers) and list(numbers(3)) == [3]
    assert state_of(names) is None and state_of(numbers) is None


class Holder:
    def __init__(self, weight: float) -> None:
        self.weight = weight


def test_vars_and_dir_of_an_object_are_no_reason_to_be_left_alone() -> None:
    @gl.jit(fullgraph=True)
    def weighed(x, holder):
        return x * sum(vars(holder).values())

    @gl.jit
    def listed(x, holder):
        y = x * 2
        names = [name for name in dir(holder) if not name.startswith("_")]
        return y.sum(), names, len(vars(holder))

    @gl.jit
    def looked_at(x, *holders):
        return sorted(vars(*holders))

    for _ in range(2):
        assert weighed(np.ones(2), Holder(3.0)).tolist() == [3.0, 3.0]
        assert listed(np.ones(2), Holder(3.0)) == (4.0, ["weight"], 1)
        assert looked_at(np.ones(2)) == ["holders", "x"]
    assert state_of(listed) is not None and state_of(looked_at) is None


def test_with_the_switch_off_functions_run_as_they_are() -> None:
    with gl.config.patch(disable=True):

        @gl.jit
        def f(x):
            return x + 1.0

        np.testing.assert_array_equal(f(np.zeros(2)), np.ones(2))
        assert state_of(f) is None


def test_under_a_tracer_calls_run_plainly() -> None:
    import sys

    @gl.jit
    def f(x):
        return x + 1.0

    lines = []

    def tracer(frame, event, arg):
        if frame.f_code.co_name == "f" and event == "line":
            lines.append(frame.f_lineno)
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        f(np.zeros(2))
    finally:
        sys.settrace(before)
    assert kinds(f) == ["plain"]
    assert f.__wrapped__.__code__.co_firstlineno + 2 in lines


def test_recursion_with_a_known_depth_is_one_graph() -> None:
    np.testing.assert_array_equal(power_of(np.full(3, 2.0), 5), np.full(3, 32.0))
    assert kinds(power_of) == ["compile"]


@gl.jit
def power_of(x, n):
    return x if n == 1 else x * power_of(x, n - 1)


def test_an_index_whose_value_is_not_used_is_checked_all_the_same() -> None:
    def f(x, index):
        x[index]
        return x * 2.0

    jitted = gl.jit(f)
    np.testing.assert_array_equal(jitted(np.ones(3), np.array([0, 2])), np.full(3, 2.0))
    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        jitted(np.ones(3), np.array([0, 7]))
    assert kinds(jitted) == ["compile"]


def test_a_call_without_array_work_runs_plainly_and_is_no_break() -> None:
    @gl.jit(fullgraph=True)
    def f(x, scale):
        return x if scale == 1 else x * scale

    x = np.ones(3)
    assert f(x, 1) is x and f(x, 1) is x
    np.testing.assert_array_equal(f(x, 2), [2.0, 2.0, 2.0])
    assert kinds(f) == ["plain", "compile"]


def test_the_original_given_other_code_later_changes_the_original_alone() -> None:
    def f(x):
        return x + 1.0

    jitted = gl.jit(f)
    np.testing.assert_array_equal(jitted(np.zeros(2)), [1.0, 1.0])
    f.__code__ = (lambda x: x + 5.0).__code__
    np.testing.assert_array_equal(jitted(np.zeros(2)), [1.0, 1.0])
    np.testing.assert_array_equal(jitted(np.zeros(3)), [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(f(np.zeros(2)), [5.0, 5.0])


@pytest.mark.spec("S8.07")
def test_a_call_that_cannot_be_split_warns_once_at_the_users_line() -> None:
    @gl.jit
    def f(x):
        k = 0
        while k < 100_000:
            k = k + 1
        return x * 2.0

    with gl.config.patch(trace_limit=100):
        with pytest.warns(gl.GraphBreakWarning, match=r"f runs as plain Python\. B305 at .*trace_limit") as caught:
            for _ in range(3):
                np.testing.assert_array_equal(f(np.ones(3)), np.full(3, 2.0))
    (only,) = caught
    first = f.__wrapped__.__code__.co_firstlineno
    assert only.filename == __file__ and only.lineno in (first + 3, first + 4)  # where in the loop differs by version


def test_an_error_of_the_program_gives_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    @gl.jit
    def f(x, y):
        return x + y

    with pytest.raises(ValueError, match="broadcast"):
        f(np.ones(3), np.ones(4))
    assert not recwarn.list


def test_a_method_that_is_called_like_a_function_that_reads_frames_is_no_reason_to_be_left_alone():
    class Switch:
        def eval(self):
            return 2.0

    switch = Switch()

    @gl.jit(fullgraph=True)
    def function(x):
        return x * switch.eval()

    assert function(np.ones(3)).tolist() == [2.0] * 3


def lengths():
    def function(x, text):
        return x + len(text)

    return function


@pytest.mark.spec("S7.07")
def test_a_limit_can_be_an_error():
    f = gl.jit(lengths(), on_limit="error")
    with gl.config.patch(recompile_limit=2):
        for text in ("", "a"):
            f(np.ones(2), text)
        with pytest.raises(RecompileError, match=r"(?s)has 2 entries, the limit .*text was 'a', now 'ab'"):
            f(np.ones(2), "ab")
        np.testing.assert_array_equal(f(np.ones(2), "a"), np.full(2, 2.0))
    g = gl.jit(lengths())
    with gl.config.patch(recompile_limit=1, on_limit="error"), pytest.raises(RecompileError):
        for text in ("", "a"):
            g(np.ones(2), text)


def test_an_eager_function_has_an_entry_for_each_size_up_to_the_limit():
    f = gl.jit(lambda x: x * 2.0, on_limit="eager")
    with gl.config.patch(recompile_limit=3), pytest.warns(RuntimeWarning, match="has 3 entries, the limit"):
        for size in (2, 3, 4, 5):
            np.testing.assert_array_equal(f(np.ones(size)), np.full(size, 2.0))
    assert kinds(f) == ["compile", "recompile", "recompile", "limit"]


def test_another_policy_for_limits_is_an_error():
    with pytest.raises(
        SettingValueError, match="gl.jit got on_limit = 'never'; it takes 'generalise', 'eager' or 'error'"
    ):
        gl.jit(lengths(), on_limit="never")
    with pytest.raises(SettingValueError, match="gl.config.on_limit was set to 'never'"):
        gl.config.on_limit = "never"


@pytest.mark.parametrize("policy", ["wait", "plain"])
def test_a_call_while_another_thread_compiles_waits_or_runs_plainly(policy, monkeypatch):
    compiling, answered = threading.Event(), threading.Event()
    compile_entry = new_entry.compile_entry

    def slow(*args):
        compiling.set()
        assert answered.wait(10 if policy == "plain" else 0.2) is (policy == "plain")
        return compile_entry(*args)

    monkeypatch.setattr(new_entry, "compile_entry", slow)
    f, found = gl.jit(lengths()), []
    with gl.config.patch(while_compiling=policy):
        first = threading.Thread(target=lambda: found.append(f(np.ones(2), "ab")))
        first.start()
        assert compiling.wait(10)
        found.append(f(np.ones(2), "ab"))
        answered.set()
        first.join()
    assert [each.tolist() for each in found] == [[3.0, 3.0]] * 2
    assert kinds(f) == ["compile"]
