"""The Kullback-Leibler divergence of two distributions, by the rule registered for their classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .distribution import Distribution

Value = Any
Rule = TypeVar("Rule", bound=Callable[..., Any])
RULES: dict[tuple[type, type], Callable[..., Any]] = {}
"""The rules by the classes of both."""


def register_kl(type_p: type, type_q: type) -> Callable[[Rule], Rule]:
    """A decorator that registers the rule of a pair of classes, and of those below them that have none of their own.

    Errors: TypeError for what is no class below Distribution.
    """
    for name, each in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(each, type) or not issubclass(each, Distribution):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {each}")

    def register(rule: Rule) -> Rule:
        RULES[type_p, type_q] = rule
        return rule

    return register


def rule_for(p: Distribution, q: Distribution) -> Callable[..., Any] | None:
    """The rule of the nearest classes above both, those of the first counting more; None where there is none."""
    exact = RULES.get((type(p), type(q)))
    if exact is not None:
        return exact
    best: Any = None
    for pair in RULES:
        if isinstance(p, pair[0]) and isinstance(q, pair[1]) and (best is None or _is_nearer(pair, best)):
            best = pair
    return None if best is None else RULES[best]


def _is_nearer(pair: tuple[type, type], best: tuple[type, type]) -> bool:
    """Whether the first class of `pair` is below that of `best`, or is the same and the second is."""
    return issubclass(pair[0], best[0]) and (pair[0] is not best[0] or issubclass(pair[1], best[1]))


def kl_divergence(p: Distribution, q: Distribution) -> Value:
    """The divergence of `q` from `p`: the mean of ``p.log_prob - q.log_prob`` over samples of `p`, for the batch.

    Errors: NotImplementedError for classes of which no rule is known; see `register_kl`.
    """
    rule = rule_for(p, q)
    if rule is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}; add one with "
            "register_kl"
        )
    return rule(p, q)


__all__ = ["RULES", "kl_divergence", "register_kl", "rule_for"]
