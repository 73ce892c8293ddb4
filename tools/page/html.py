"""The page as HTML: one text without anything outside of it, which runs its own script and style alone."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..show.screen import seconds_text
from .content import PageContent
from .encode import page_data

FOLDER = Path(__file__).parent


def page_text(content: PageContent) -> str:
    """The HTML of the page, in ASCII but for texts of the program that are printable."""
    data = page_data(content)
    style, script = (FOLDER.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"seconds": seconds_text, "count": _count}
    return environment.get_template("page.html").render(
        page=data,
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'",
        style=Markup(style),
        script=Markup(script),
        data=inline_json(data),
    )


def inline_json(data: Any) -> Markup:
    """The data as JSON that no parser of HTML takes for the end of the element that holds it."""
    return Markup(json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"))


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def _count(number: float) -> str:
    return f"{number:,}"
