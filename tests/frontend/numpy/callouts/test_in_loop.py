"""`np.linalg` in graphs and in native loops: NumPy's own results, types, errors; what is written in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from frontend.numpy.test_random import whole
from oracle import check

RANDOM = np.random.default_rng(23)
MATRIX = RANDOM.random((4, 4)) + 2 * np.eye(4)
POSITIVE = MATRIX @ MATRIX.T


@pytest.mark.parametrize("backend", ["numba", "reference"])
def test_results_of_every_kind(backend: str) -> None:
    def of_square(a: Any, b: Any) -> Any:
        one = np.linalg.inv(a), np.linalg.solve(a, b), np.linalg.det(a), np.linalg.slogdet(a)
        two = np.linalg.matrix_rank(a), np.linalg.matrix_power(a, 3), np.linalg.norm(a, 2), np.linalg.norm(a, 1)
        return one, two, np.linalg.pinv(a[:3])

    def of_positive(a: Any) -> Any:
        values, vectors = np.linalg.eigh(a)
        parts = np.linalg.svd(a, full_matrices=False)
        q, _ = np.linalg.qr(a[:, :2])
        return np.linalg.cholesky(a), values, vectors, parts.S, q, np.linalg.eigvalsh(a), np.linalg.qr(a, mode="r")

    whole(of_square, MATRIX, RANDOM.random(4), backend=backend)
    whole(of_positive, POSITIVE, backend=backend)


@pytest.mark.parametrize("layout", ["columns", "part", "steps", "narrow", "integers"])
def test_layouts_and_dtypes(layout: str) -> None:
    wide = RANDOM.random((9, 9))
    operands = {
        "columns": np.asfortranarray(MATRIX),
        "part": wide[2:6, 3:7],
        "steps": wide[::-2, ::2][:4, :4],
        "narrow": MATRIX.astype(np.float32),
        "integers": np.array([[2, 1], [1, 3]]),
    }

    def solved(a: Any) -> Any:
        return np.linalg.inv(a), np.linalg.inv(a.T), np.linalg.solve(a, a[0]), np.linalg.det(a[:2, :2] + 1)

    whole(solved, operands[layout], backend="reference")


def test_results_of_types_that_are_named() -> None:
    import guardlift as gl

    def named(a: Any) -> Any:
        return np.linalg.qr(a), np.linalg.eigh(a), np.linalg.svd(a), np.linalg.slogdet(a)

    jitted = gl.jit(named)
    for _ in range(2):
        for found, expected in zip(jitted(POSITIVE), named(POSITIVE), strict=True):
            assert type(found) is type(expected)
            for one, other in zip(found, expected, strict=True):
                assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
    assert gl.explain(jitted).compiles == 1


def test_errors_are_numpys_at_the_users_line() -> None:
    def inverted(a: Any, log: Any) -> Any:
        log[0] += 1
        found = np.linalg.inv(a)
        log[1] += 1
        return found

    def factored(a: Any, log: Any) -> Any:
        for i in range(len(log)):
            log[i] = np.linalg.cholesky(a)[0, 0]
            a[i, i] -= 3.0
        return log

    check(inverted, np.zeros((3, 3)), np.zeros(2))
    check(inverted, np.zeros((2, 3)), np.zeros(2))
    check(factored, POSITIVE, np.zeros(4))


def test_a_native_loop_calls_out() -> None:
    def filtered(seen: Any, F: Any, H: Any, noise: float) -> Any:
        x, P = np.zeros(4), 10.0 * np.eye(4)
        states = np.empty((len(seen), 4))
        for t in range(len(seen)):
            x = F @ x
            P = F @ P @ F.T + 0.1 * np.eye(4)
            if not np.isnan(seen[t]).any():
                K = P @ H.T @ np.linalg.inv(H @ P @ H.T + noise * np.eye(2))
                x = x + K @ (seen[t] - H @ x)
                P = (np.eye(4) - K @ H) @ P
            states[t] = x
        return states

    seen = RANDOM.random((7, 2))
    seen[3] = np.nan
    report = check(filtered, seen, MATRIX / 4, np.eye(2, 4), 0.25, expect="compiled", rtol=1e-12)
    assert "region" in report.op_names

    def written(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            out[i] = np.linalg.det(a) + np.linalg.solve(a, a[0])[1] + np.linalg.inv(a[:2, :2])[0, i % 2]
            a[i % 4, 1] += 1.0
        return out

    native(written, MATRIX, np.zeros(6), rtol=1e-12)


def test_arguments_without_a_form_break_the_graph() -> None:
    def itself(a: Any) -> Any:
        return np.linalg.matrix_power(a, 1), np.linalg.eig(a)

    check(itself, POSITIVE, expect="broken")


def test_functions_without_a_kernel_in_a_native_loop() -> None:
    def smoothed(a: Any, q: float) -> Any:
        out, kept = np.zeros(len(a)), np.zeros(a.shape)
        for i in range(a.shape[0]):
            row = np.sort(a[i] * 2)
            out[i] = np.median(row) + np.percentile(a[i], q) + row.cumsum()[-1] + np.searchsorted(row, 0.5)
            kept[i] = np.convolve(row, [1.0, 2.0], "same") + a[i].argsort()
            a[i].sort()
            np.put(kept[i], [0, 1], [q, 7.0])
        return out, kept

    native(smoothed, RANDOM.random((5, 6)), 30.0)
    native(smoothed, np.asfortranarray(RANDOM.random((5, 6))), 40.0)

    def spectra(a: Any) -> Any:
        powers = np.zeros((len(a), 3))
        for i in range(len(a)):
            found = np.fft.rfft(a[i])
            powers[i] = found.real**2 + found.imag**2
            q, r = np.linalg.qr(a[i : i + 2, :2]) if i < 2 else np.linalg.qr(a[:2, :2])
            powers[i, 0] += r[0, 0] + q[1, 1]
        return powers

    check(spectra, RANDOM.random((5, 4)), backend="reference")


def test_matrices_of_which_nobody_knows_how_they_lie_keep_numpys_layout() -> None:
    def ordered(a: Any) -> Any:
        kept = a * 1.0
        for _ in range(3):
            kept[0, 0] += 1.0
            kept = np.sort(kept.T, axis=0)
        return kept

    for array in (RANDOM.random((4, 4)), np.asfortranarray(RANDOM.random((4, 4)))):
        for backend in ("reference", "numba"):
            check(ordered, array, backend=backend)


def test_what_a_call_in_a_native_loop_raises_and_warns_of_is_numpys_at_the_users_line() -> None:
    def chosen(a: Any, places: Any) -> Any:
        for i in range(len(places)):
            a[i] = np.choose(places[i : i + 1], [a[:1], a[1:2]])[0]
            a[0] += 1.0
        return a

    check(chosen, np.arange(6.0), np.array([0, 1, 1, 0]))
    check(chosen, np.arange(6.0), np.array([0, 1, 5, 0]))

    def averaged(a: Any) -> Any:
        out = np.zeros(len(a))
        for i in range(len(a)):
            out[i] = np.nanmean(a[i])
        return out

    check(averaged, np.array([[1.0, 2.0], [np.nan, np.nan], [np.nan, 3.0]]), backend="reference")


def test_a_function_that_writes_may_not_read_what_it_writes() -> None:
    def put(a: Any) -> Any:
        for i in range(3):
            a[i] += i
            np.put(a, [1, 2], a[:2])
        return a

    check(put, np.arange(5.0))

    def itself(a: Any) -> Any:
        np.maximum.at(a, [3, 2, 1, 0], a)
        np.put(a, [1, 0], a)
        return a

    assert check(itself, np.arange(4.0)).breaks[0] == "B202"


def test_draws_that_numpy_makes_of_arrays() -> None:
    def drawn(rng: Any, a: Any) -> Any:
        found = rng.multinomial(20, [0.2, 0.3, 0.5]), rng.dirichlet([1.0, 2.0]), rng.permutation(a.T)
        rng.shuffle(a)
        rng.shuffle(a, axis=1)
        return found, rng.multivariate_normal(np.zeros(2), np.eye(2)), rng.random((2, 0))

    for array in (RANDOM.random((3, 4)), np.asfortranarray(RANDOM.random((3, 4)))):
        check(drawn, np.random.default_rng(3), array)
