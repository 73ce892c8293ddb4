"""Expressions of loop IR under other names."""

from __future__ import annotations

from collections.abc import Mapping

from ..ir import Access, Amount, Apply, Expression, IndexValue, Load

Names = Mapping[str, str]
"""The new name by the old one; names that are not in it stay."""
Terms = tuple[tuple[str, Amount], ...]


def renamed(expression: Expression, names: Names) -> Expression:
    """The expression under the new names."""
    match expression:
        case Load(access):
            return Load(renamed_access(access, names))
        case Apply(text, operands, widens):
            return Apply(text, tuple(names.get(name, name) for name in operands), widens)
        case IndexValue(terms, constant):
            return IndexValue(_terms(terms, names), renamed_amount(constant, names))
    return expression


def renamed_access(access: Access, names: Names) -> Access:
    """The access under the new names."""
    return Access(access.pointer, _terms(access.terms, names))


def renamed_amount(amount: Amount, names: Names) -> Amount:
    """The amount under the new names."""
    return names.get(amount, amount) if isinstance(amount, str) else amount


def _terms(terms: Terms, names: Names) -> Terms:
    return tuple((names.get(name, name), renamed_amount(stride, names)) for name, stride in terms)
