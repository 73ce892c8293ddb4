"""The marker `guardlift` and its defaults in the ini file: the limits of a test, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...core.records import dataclass

if TYPE_CHECKING:
    import pytest

MARKER = "guardlift"
LINE = (
    "guardlift(max_recompiles=None, max_breaks=None, max_guard_us=None, backend=None, fresh=True): fail the test when "
    "it compiles functions again, or breaks graphs, more often than that, or when guards take longer; run it on that "
    "backend; fresh=False: jitted functions keep the entries that earlier tests have made"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a test, and how it begins; None where nothing is said.

    own: whether the marker of the test itself, and not of its class or module, or the ini file, sets a limit.
    """

    max_recompiles: int | None = None
    max_breaks: int | None = None
    max_guard_us: float | None = None
    backend: str | None = None
    fresh: bool | None = None
    own: bool = False

    @property
    def counts(self) -> bool:
        """Whether anything is limited."""
        return not (self.max_recompiles is self.max_breaks is self.max_guard_us is None)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and value >= 0  # type: ignore[operator]


def _is_backend(value: object) -> bool:
    from ...backend.plugins.registry import list_backends

    return isinstance(value, str) and value in list_backends()


@dataclass(frozen=True, slots=True)
class _Setting:
    """One argument of the marker: what it takes, and how the ini file's text is read."""

    takes: str
    fits: Callable[[object], bool]
    parse: Callable[[str], object] | None


SETTINGS: Mapping[str, _Setting] = {
    "max_recompiles": _Setting("an int from 0 on", _is_count, int),
    "max_breaks": _Setting("an int from 0 on", _is_count, int),
    "max_guard_us": _Setting("a number of microseconds from 0 on", _is_time, float),
    "backend": _Setting("the name of a backend (gl.list_backends())", _is_backend, str),
    "fresh": _Setting("True or False", lambda value: type(value) is bool, None),
}
IN_FILE = tuple(name for name, setting in SETTINGS.items() if setting.parse is not None)
"""The settings that have a default in the ini file, each under its name behind ``guardlift_``."""
COUNTED = ("max_recompiles", "max_breaks", "max_guard_us")


def defaults(config: pytest.Config) -> dict[str, Any]:
    """The ini file's defaults. Errors: a usage error for a value that is none."""
    import pytest as framework

    found: dict[str, Any] = {}
    for name in IN_FILE:
        text = str(config.getini(f"guardlift_{name}")).strip()
        setting = SETTINGS[name]
        if not text or setting.parse is None:
            continue
        try:
            value = setting.parse(text)
        except ValueError:
            value = None
        if not setting.fits(value):
            where = config.inipath or "the command line"
            raise framework.UsageError(f"{where}: guardlift_{name} takes {setting.takes}, not {text!r}")
        found[name] = value
    return found


def limits_of(item: pytest.Item, default: Mapping[str, Any]) -> Limits:
    """The limits of a test: of its markers the closest one wins, then the ini file's. Its markers were checked."""
    found: dict[str, Any] = {}
    for marker in item.iter_markers(MARKER):
        found = {**marker.kwargs, **found}
    own = any(name in mark.kwargs for mark in item.own_markers if mark.name == MARKER for name in COUNTED)
    return Limits(**{**default, **found}, own=own)


def wrong_markers(item: pytest.Item) -> Iterator[str]:
    """Mistakes in the markers of a test, a sentence each."""
    for marker in item.iter_markers(MARKER):
        said = ", ".join([*map(repr, marker.args), *(f"{name}={value!r}" for name, value in marker.kwargs.items())])
        for wrong in _wrong(marker):
            yield f"@pytest.mark.guardlift({said}): {wrong}"


def _wrong(marker: pytest.Mark) -> Iterator[str]:
    if marker.args or not marker.kwargs:
        yield f"it takes {', '.join(f'{name}=' for name in SETTINGS)} by name, one at least"
    for name, value in marker.kwargs.items():
        if name not in SETTINGS:
            yield f"there is no {name}=; it takes {', '.join(f'{each}=' for each in SETTINGS)}"
        elif not SETTINGS[name].fits(value):
            yield f"{name}= takes {SETTINGS[name].takes}, not {value!r}"
