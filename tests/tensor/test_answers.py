"""Every function of the surface gives PyTorch's answers, or one of the differences that the guide lists.

The answers are those of PyTorch 2.13.0 (CPU), stored by answers/make.py. An answer is values, dtypes, strides,
gradients and second gradients, or the class of an error; what is asked is in answers/functions.txt.
"""

from __future__ import annotations

import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.tensor.surface import SURFACE

_ANSWERS = Path(__file__).parent / "answers"
_DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path[:0] = [str(_ANSWERS), str(_DOCS)]
import asking  # noqa: E402
import comparing  # noqa: E402
import operands  # noqa: E402
import pytorch_differences  # noqa: E402
import stored  # noqa: E402

del sys.path[:2]

CASES = asking.cases()
ORIGIN, STORED = stored.read()


def some(cases: Iterable[asking.Case], one_in: int) -> list[asking.Case]:
    """A part of the cases, the same one always, with at least one of each function."""
    seen: set[str] = set()
    chosen = []
    for case in cases:
        if case.function not in seen or zlib.crc32(case.name.encode()) % one_in == 0:
            chosen.append(case)
        seen.add(case.function)
    return chosen


def found_in(cases: Iterable[asking.Case]) -> Iterator[tuple[asking.Case, str]]:
    """The differences, as the first word for it of each case."""
    for case in cases:
        answer = asking.ask(gl, gl.nn.functional, case)
        words = comparing.differences(answer, STORED[case.name], operands.coarsest(case.operands))
        yield from ((case, word) for word in words[:1])


def covering(case: asking.Case, word: str) -> list[Any]:
    """The listed differences that this one is of."""
    return [
        each
        for each in pytorch_differences.DIFFERENCES
        if each.covers(case.function, word, case.expression, case.operands)
    ]


def unlisted(cases: Iterable[asking.Case]) -> list[str]:
    """The differences that are not listed."""
    return [f"{word}: {case.name}" for case, word in found_in(cases) if not covering(case, word)]


def test_the_answers_are_those_of_one_version() -> None:
    assert ORIGIN.startswith("PyTorch 2.13.0")


def test_every_case_has_an_answer() -> None:
    assert {case.name for case in CASES} == set(STORED), "run tests/tensor/answers/make.py"


@pytest.mark.slow
def test_a_part_of_the_answers_is_pytorch_s() -> None:
    assert unlisted(some(CASES, 4)) == []


@pytest.mark.slow
def test_all_answers_are_pytorch_s_or_listed_and_nothing_is_listed_in_vain() -> None:
    left: list[str] = []
    used: Counter[Any] = Counter()
    for case, word in found_in(CASES):
        known = covering(case, word)
        used.update(known)
        left += [] if known else [f"{word}: {case.name}"]
    assert left == []
    assert [each.here for each in pytorch_differences.DIFFERENCES if each not in used] == []


def differing(cases: Iterable[asking.Case], wrap: Callable[[Any], Any]) -> list[str]:
    """The cases of which the wrapped function gives another answer than the plain one."""
    found = []
    for case in cases:
        plain = asking.ask(gl, gl.nn.functional, case)
        wrapped = asking.ask(gl, gl.nn.functional, case, wrap)
        words = comparing.differences(wrapped, plain, operands.coarsest(case.operands))
        # With a number that is known at run time only, a gradient of zeros may have a history where it has none else.
        found += [f"{words[0]}: {case.name}"] if words not in ([], ["first tracked"]) else []
    return found


def test_jitted_functions_give_the_answers_of_eager_mode() -> None:
    assert differing(CASES[:: len(CASES) // 10], gl.jit) == []


@pytest.mark.slow
def test_one_case_in_forty_is_the_same_jitted() -> None:
    assert differing(CASES[::40], gl.jit) == []


def with_infinities(case: asking.Case, which: int, recorded: bool) -> Any:
    """The values of a case, where one operand in three elements is minus infinity; None for an error."""
    given = [operands.build(gl, name) for name in case.operands]
    for place, each in enumerate(given):
        if isinstance(each, gl.Tensor) and each.dtype.is_float and each.numel():
            each = each.detach().clone()
            if place == which:
                each = each.masked_fill((gl.arange(each.numel()) % 3 == 0).reshape(each.shape), -asking._SCOPE["inf"])
            given[place] = each.requires_grad_(recorded)
    names = ("x", "y", "w", "v")[: len(given)]
    scope: dict[str, Any] = {**asking._SCOPE, "gl": gl, "F": gl.nn.functional}
    exec(f"def question({', '.join(names)}):\n    return {case.expression}", scope)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = [each.detach() for each in asking._flat(scope["question"](*given)) if isinstance(each, gl.Tensor)]
            return [each.numpy() if not each.dtype.is_narrow else each.float().numpy() for each in found]
        except Exception:
            return None


def test_a_value_with_a_history_is_that_without_one_beside_infinities_too() -> None:
    asked: dict[str, asking.Case] = {}
    for case in CASES:
        asked.setdefault(case.expression, case)
    random = _NOT_ASKED["random"].split()
    wrong, compared = [], 0
    for case in asked.values():
        for which in range(len(case.operands)):
            if case.function not in random:
                plain, recorded = (with_infinities(case, which, history) for history in (False, True))
                pairs = [] if plain is None or recorded is None else zip(plain, recorded, strict=True)
                equal = [np.allclose(*pair, rtol=1e-4, equal_nan=True) for pair in pairs]
                compared += len(equal)
                wrong += [] if all(equal) else [(case.name, which)]
    assert wrong == [] and compared > 1000


_NOT_ASKED = {
    "random": "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout bernoulli poisson binomial "
    "cauchy_ exponential_ geometric_ log_normal_ multinomial normal uniform_ random_ rand randn randint "
    "randperm rand_like randn_like randint_like bernoulli_ normal_",
    "of where tensors are": "to_device cpu cuda is_cpu is_cuda layout is_sparse is_quantized itemsize nbytes",
    "of what comes from elsewhere": "from_dlpack frombuffer as_tensor asarray",
    "asked by another name": "getitem _iterate _len _matmul_operator _reversed _where_method type",
    "without a value to compare": "empty empty_strided new_empty computes_at_once",
    "in test_signal_windows.py": "bartlett_window blackman_window hamming_window hann_window kaiser_window",
    "parts of layers, tested in tests/nn": "_cayley all_true is_traced joint_norm lengths_of packed_again packed_rows "
    "padded there",
    "asked by the figures of nn": "embedding_bag multi_head_attention_forward",
    "of complex numbers, in test_complex_answers.py": "angle cdouble cfloat complex conj conj_physical conj_physical_ "
    "imag is_conj is_neg polar real resolve_conj resolve_neg sgn_ stft istft view_as_complex view_as_real",
    "of linear algebra and statistics, with figures in tests/linalg and tests/distributions": "cholesky "
    "cholesky_inverse cholesky_solve det householder_product inverse logdet matrix_exp pinverse qr slogdet svd "
    "digamma erfc erfinv igamma igammac "
    "lgamma mvlgamma polygamma _polygamma_method _standard_gamma digamma_ erfc_ erfinv_ igamma_ igammac_ lgamma_ "
    "mvlgamma_ polygamma_",
}
"""Names of the surface that no line asks about, by the reason."""


def test_every_function_of_the_surface_is_asked() -> None:
    asked = {case.function for case in CASES}
    nn = _ANSWERS.parent.parent / "nn"  # whose figures and programs are PyTorch's as well
    files = (_ANSWERS / "functions.txt", *nn.glob("figures/cases/*.py"), *nn.glob("*_like_pytorch.txt"))
    text = " ".join(each.read_text(encoding="utf-8") for each in files)
    left_out = " ".join(_NOT_ASKED.values()).split()
    missing = [
        name
        for name in sorted(
            {
                name
                for function, name in SURFACE.items()
                if function.__module__.startswith(("guardlift.tensor.", "guardlift.nn."))
            }
        )
        if name not in asked
        and name.strip("_") not in asked
        and name not in left_out
        and f".{name}(" not in text
        and not name.startswith("__")
    ]
    assert missing == []
