"""Calls functions of scikit-learn and SciPy, written against the array API standard, eager and jitted; prints JSON.

Run as a program, since both libraries read SCIPY_ARRAY_API when they are imported: `python other_libraries.py KIND`,
where KIND is "tensors" or "arrays". For each function: whether eager mode and the jitted function gave NumPy's answer,
and how many graph breaks there were.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402
import scipy.special as special  # noqa: E402
import sklearn  # noqa: E402
import sklearn.metrics as metrics  # noqa: E402
import sklearn.metrics.pairwise as pairwise  # noqa: E402
import sklearn.preprocessing as preprocessing  # noqa: E402

import guardlift as gl  # noqa: E402

RANDOM = np.random.default_rng(0)
TRUE, PREDICTED = RANDOM.normal(size=20), RANDOM.normal(size=20)
X, Y = RANDOM.normal(size=(10, 4)), RANDOM.normal(size=(6, 4))
LABELS, GUESSES = RANDOM.integers(0, 2, 20), RANDOM.integers(0, 2, 20)
REGRESSION = "mean_squared_error mean_absolute_error root_mean_squared_error max_error".split()
KERNELS = "cosine_similarity euclidean_distances linear_kernel rbf_kernel polynomial_kernel sigmoid_kernel".split()

BOTH: dict[Any, tuple[Any, ...]] = {
    **{getattr(metrics, name): (TRUE, PREDICTED) for name in REGRESSION},
    metrics.mean_absolute_percentage_error: (TRUE, PREDICTED),
    **{getattr(pairwise, name): (X, Y) for name in KERNELS},
    pairwise.paired_euclidean_distances: (X[:6], Y),
    preprocessing.normalize: (X,),
    preprocessing.binarize: (X,),
    special.logsumexp: (X,),
    special.softmax: (X,),
    special.log_softmax: (X,),
}
CASES = {
    "arrays": {**BOTH, preprocessing.maxabs_scale: (X,), preprocessing.minmax_scale: (X,)},
    "tensors": {
        **BOTH,
        metrics.r2_score: (TRUE, PREDICTED),
        metrics.explained_variance_score: (TRUE, PREDICTED),
        metrics.mean_squared_log_error: (np.abs(TRUE), np.abs(PREDICTED)),
        metrics.mean_poisson_deviance: (np.abs(TRUE), np.abs(PREDICTED)),
        metrics.accuracy_score: (LABELS, GUESSES),
        metrics.zero_one_loss: (LABELS, GUESSES),
        pairwise.cosine_distances: (X, Y),
        pairwise.additive_chi2_kernel: (np.abs(X), np.abs(Y)),
    },
}
"""The functions that become one graph, for tensors and for NumPy's arrays, with their arguments."""


def plain(value: Any) -> Any:
    return value.detach().numpy() if isinstance(value, gl.Tensor) else np.asarray(value)


def outcome(function: Any, arrays: tuple[Any, ...], kind: str) -> dict[str, Any]:
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        wanted = function(*arrays)
    given = tuple(map(gl.tensor, arrays)) if kind == "tensors" else arrays
    jitted = gl.jit(lambda *arguments: function(*arguments))
    options = {"array_api_dispatch": kind == "tensors", "assume_finite": kind == "arrays"}
    with sklearn.config_context(skip_parameter_validation=True, **options):
        results = [function(*given), jitted(*given), jitted(*given)]
    same = [bool(np.allclose(plain(each), wanted, rtol=1e-6)) for each in results]
    return {"eager": same[0], "jitted": all(same[1:]), "breaks": [str(each) for each in gl.explain(jitted).breaks]}


def main(kind: str) -> None:
    found = {function.__name__: outcome(function, arrays, kind) for function, arrays in CASES[kind].items()}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
