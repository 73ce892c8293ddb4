"""The content of a page as JSON data: each text is made visible here, and each private one left out where asked."""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from typing import Any

from ...core.records import field_names, is_record
from ..record.lines import digest
from ..show.places import visible
from .content import KEPT, PLACE, TEXT, PageContent

LONGEST_LINE = 2_000
"""Characters of a line of a graph, of entry code or of a kernel."""


def page_data(content: PageContent) -> dict[str, Any]:
    """The content as JSON data, with `texts` beside it: every text of many lines, by the name that stands for it.

    No text holds a control character or a lone surrogate, and none but those lines is longer than 200 characters.
    """
    texts: dict[str, str] = {}
    found: dict[str, Any] = _encoded(content, PageContent, content.redacted, texts)
    return {**found, "texts": texts}


def _encoded(value: Any, kind: Any, redacted: bool, texts: dict[str, str]) -> Any:
    if is_record(value):
        own: Any = type(value)
        hints = _hints(own)
        return {name: _encoded(getattr(value, name), hints[name], redacted, texts) for name in field_names(own)}
    if isinstance(value, str):
        return _encoded_text(value, getattr(kind, "__metadata__", ("",))[0], redacted, texts)
    if isinstance(value, tuple):
        part = typing.get_args(kind)[0]
        listed = [_encoded(each, part, redacted, texts) for each in value]
        return [each for each in listed if each != ""] if redacted else listed
    if isinstance(value, Mapping):  # of numbers
        return {visible(key): each for key, each in value.items()}
    return value


def _encoded_text(value: str, kind: str, redacted: bool, texts: dict[str, str]) -> str:
    if redacted and kind not in (KEPT, PLACE):
        return ""
    if redacted and kind == PLACE:
        return visible(value.replace("\\", "/").rpartition("/")[2])
    if kind == TEXT and value:
        shown = "\n".join(visible(line, longest=LONGEST_LINE) for line in value.split("\n"))
        name = digest(shown)
        texts[name] = shown
        return name
    return visible(value)


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind, include_extras=True)
