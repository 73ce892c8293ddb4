"""A report as HTML for notebooks: escaped text, colours for light and dark pages, no script."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ..render import report_lines
from ..report import Report
from .places import visible
from .screen import screen_lines
from .terminal import Line

COLORS = {
    "good": ("#1a7f37", "#57d364"),
    "edit": ("#1a7f37", "#57d364"),
    "warn": ("#8a5a00", "#e3b341"),
    "bad": ("#b3261e", "#ff8a80"),
    "code": ("#0b6b75", "#6fd3de"),
    "dim": ("#5f6368", "#9aa0a6"),
}
"""The colours of a line's style on a light page and on a dark one."""
CLASS = "guardlift-report"


def html_of(report: Report) -> str:
    """The answer about one function, and its details folded up below it."""
    title = f"{report.name}  {report.state}"
    short = [("title", title), *screen_lines([report], rows=64, more="see the details below")]
    return (
        f'<div class="{CLASS}"><style>{_style()}</style><pre>{_spans(short)}</pre>'
        f"<details><summary>guards, inputs and costs</summary><pre>{_spans(report_lines(report))}</pre></details></div>"
    )


def _spans(lines: Iterable[Line]) -> str:
    return "\n".join(f'<span class="{style or "plain"}">{escape(_shown(text))}</span>' for style, text in lines)


def _shown(text: str) -> str:
    """The line without control characters and lone surrogates, which no page can hold."""
    return visible(text, longest=len(text)) if not text.isprintable() else text


def _style() -> str:
    """The style sheet. Notebooks mark a dark page by themselves, browsers by what the user prefers."""
    rules = [f".{CLASS} pre {{ color: inherit; white-space: pre-wrap; }}", f".{CLASS} .title {{ font-weight: bold; }}"]
    rules += [f".{CLASS} .{style} {{ color: {light}; }}" for style, (light, _) in COLORS.items()]
    dark = {style: dark for style, (_, dark) in COLORS.items()}
    marks = ("[data-jp-theme-light='false']", ".vscode-dark", "html[theme='dark']")
    rules += [
        ", ".join(f"{mark} .{CLASS} .{style}" for mark in marks) + f" {{ color: {color}; }}"
        for style, color in dark.items()
    ]
    inside = " ".join(f".{CLASS} .{style} {{ color: {color}; }}" for style, color in dark.items())
    light_marks = "body:not([data-jp-theme-light='true']):not(.vscode-light)"
    rules.append(
        f"@media (prefers-color-scheme: dark) {{ {inside.replace(f'.{CLASS} ', f'{light_marks} .{CLASS} ')} }}"
    )
    return "\n".join(rules)
