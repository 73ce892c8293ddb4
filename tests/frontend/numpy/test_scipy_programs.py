"""Functions of SciPy, jitted: what they give is SciPy's, and calls like those before compile nothing any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.events import COMPILE, RECOMPILE, RELINK, Event, listening
from guardlift.frontend.dispatch import miss_handler

integrate, interpolate, linalg, ndimage, optimize, signal, spatial, special, stats = (
    pytest.importorskip(f"scipy.{name}")
    for name in "integrate interpolate linalg ndimage optimize signal spatial special stats".split()
)
X, Y = np.random.default_rng(0).normal(size=(2, 200))
PLACES = np.linspace(0, 199, 77)


def lorenz(t: float, y: np.ndarray) -> np.ndarray:
    return np.array([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "solve_ivp": lambda x: integrate.solve_ivp(lorenz, (0, 0.5), x[:3]).y,
    "odeint": lambda x: integrate.odeint(lambda y, t: lorenz(t, y), x[:3], np.linspace(0, 0.5, 20)),
    "quad": lambda x: integrate.quad(lambda t: np.exp(-t * t) * x[0], 0, 1)[0],
    "simpson": lambda x: integrate.simpson(x, dx=0.1),
    "rosen": lambda x: optimize.rosen(x) + optimize.rosen_der(x).sum(),
    "minimize": lambda x: optimize.minimize(optimize.rosen, x[:3], method="BFGS", jac=optimize.rosen_der).x,
    "minimize_scalar": lambda x: optimize.minimize_scalar(lambda z: (z - x[0]) ** 2).x,
    "newton": lambda x: optimize.newton(lambda z: z**3 - 2, 1.0 + x[0] * 0),
    "windows": lambda x: signal.windows.hann(50) * x[:50],
    "lfilter": lambda x: signal.lfilter([1, 0.5], [1, -0.3], x),
    "detrend": lambda x: signal.detrend(x),
    "welch": lambda x: signal.welch(x, nperseg=64)[1],
    "interp1d": lambda x: interpolate.interp1d(np.arange(200.0), x)(PLACES),
    "CubicSpline": lambda x: interpolate.CubicSpline(np.arange(200.0), x)(PLACES),
    "zscore": lambda x: stats.zscore(x),
    "ttest_ind": lambda x: stats.ttest_ind(x[:100], x[100:]).pvalue,
    "linregress": lambda x: stats.linregress(x, Y).slope,
    "gmean": lambda x: stats.gmean(np.abs(x) + 1),
    "entropy": lambda x: stats.entropy(np.abs(x) / np.abs(x).sum()),
    "gaussian_filter": lambda x: ndimage.gaussian_filter(x, 2.0),
    "cdist": lambda x: spatial.distance.cdist(x.reshape(50, 4), x.reshape(50, 4)),
    "logsumexp": lambda x: special.logsumexp(x.reshape(20, 10), axis=1),
    "expm": lambda x: linalg.expm(x[:16].reshape(4, 4)),
}


@pytest.mark.slow
@pytest.mark.every_case
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_function_of_scipy_gives_the_same_and_comes_to_rest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program, late = PROGRAMS[name], []
    find = miss_handler._find_or_compile
    expected, jitted = program(X), gl.jit(program)
    for _ in range(12):
        np.testing.assert_allclose(jitted(X), expected, rtol=1e-12, atol=1e-13)

    def note(event: Event) -> None:
        if event.kind in (COMPILE, RECOMPILE, RELINK):
            late.append(event.text or event.function)

    def found(state: Any, *arguments: Any) -> Any:
        late.append(f"a miss of {state.original.__qualname__}")
        return find(state, *arguments)

    monkeypatch.setattr(miss_handler, "_find_or_compile", found)
    with listening(note):
        for _ in range(3):
            np.testing.assert_allclose(jitted(X), expected, rtol=1e-12, atol=1e-13)
    assert not late
