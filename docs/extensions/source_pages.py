"""Links from pages to files of the repository outside of `docs/`: each such file becomes a page of the site.

A link to a folder leads to a list of its files. These pages are plain: in the frame of the site, with its list of all
pages, hundreds of them would take longer than all the others. Pages below `docs/` that stand for a file of the root,
such as `docs/contributing.md`, have that file's text.
"""

from __future__ import annotations

import ast
import os
import posixpath
import re
from html import escape
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
FOLDER = "source"
OF_THE_ROOT = {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}
"""Pages whose text is that of a file of the root."""
BLOCK = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s:]+)\)")


def rewritten(text: str, page: str, folder: Path) -> tuple[str, set[str]]:
    """The text of a page with links out of `docs/` led to pages of the site, and the paths of what they lead to.

    page: its name on the site.   folder: where the relative links of the text begin.
    Errors: FileNotFoundError for a link to what is not there.
    """
    found: set[str] = set()

    def lead(match: re.Match[str]) -> str:
        path, _, anchor = match["target"].partition("#")
        if not path:
            return match[0]
        target = Path(os.path.normpath(folder / path))
        name = posixpath.relpath(target.as_posix(), ROOT.as_posix())
        for own, standing in OF_THE_ROOT.items():
            if name == standing:
                return f"[{match['text']}]({_from(page, own + '.md')}{anchor and '#' + anchor})"
        if name == "README.md":
            return f"[{match['text']}]({_from(page, 'index.md')})"
        if target.is_relative_to(DOCS) and target.suffix in (".md", ".ipynb"):
            return f"[{match['text']}]({_from(page, target.relative_to(DOCS).as_posix())}{anchor and '#' + anchor})"
        if not target.exists():
            raise FileNotFoundError(f"{page} links to {match['target']}, which is not there")
        found.add(name)
        return f'<a href="{_from(page, page_of(name))}.html">{match["text"]}</a>'

    parts, end = [], 0
    for block in BLOCK.finditer(text):
        parts += [LINK.sub(lead, text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, LINK.sub(lead, text[end:])]), found


def page_of(name: str) -> str:
    """The name of the page of a file or a folder of the repository."""
    return f"{FOLDER}/{name}/index" if (ROOT / name).is_dir() else f"{FOLDER}/{name}"


def _from(page: str, target: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def _read(app: Any, page: str, source: list[str]) -> None:
    standing = OF_THE_ROOT.get(page)
    text = (ROOT / standing).read_text(encoding="utf-8") if standing else source[0]
    if Path(app.env.doc2path(page)).suffix == ".ipynb":
        return
    if standing:
        app.env.note_dependency(str(ROOT / standing))
    folder = ROOT if standing else DOCS / posixpath.dirname(page)
    source[0], found = rewritten(text, page, folder)
    linked(app.env)[page] = found


def linked(env: Any) -> dict[str, set[str]]:
    """The paths that pages lead to, by the page; kept with what Sphinx knows of the pages."""
    if not hasattr(env, "linked_sources"):
        env.linked_sources = {}
    return env.linked_sources  # type: ignore[no-any-return]


def write_pages(names: set[str], folder: Path) -> None:
    """Writes below `folder` the pages of all files and folders that are linked, and of the files in those folders."""
    inside = {each.relative_to(ROOT).as_posix() for name in names if (ROOT / name).is_dir() for each in _files(name)}
    for name in sorted(names | inside):
        body = (
            _folder_html(name) if (ROOT / name).is_dir() else f"<pre>{escape((ROOT / name).read_text('utf-8'))}</pre>"
        )
        page = page_of(name)
        file = folder / f"{page}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PAGE.format(title=escape(name), home=_from(page, "index.html"), body=body), encoding="utf-8")


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><link rel="icon" href="data:,">
<style>:root {{ color-scheme: light dark }} body {{ margin: 2em; font-family: sans-serif }}</style>
</head><body><p><a href="{home}">guardlift</a></p><h1>{title}</h1>{body}</body></html>
"""


def _files(name: str) -> list[Path]:
    return sorted(each for each in (ROOT / name).iterdir() if each.suffix in (".py", ".txt", ".md"))


def _file_html(name: str) -> str:
    return f"<pre>{escape((ROOT / name).read_text(encoding='utf-8'))}</pre>"


def _folder_html(name: str) -> str:
    rows = []
    for each in _files(name):
        said = (ast.get_docstring(ast.parse(each.read_text(encoding="utf-8"))) or "") if each.suffix == ".py" else ""
        rows.append(f'<dt><a href="{each.name}.html">{each.name}</a></dt><dd>{escape(said.partition(chr(10))[0])}</dd>')
    return f"<dl>{''.join(rows)}</dl>"


def _finish(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        write_pages(set().union(*linked(app.env).values()), Path(app.outdir))


def _purge(app: Any, env: Any, page: str) -> None:
    linked(env).pop(page, None)


def _merge(app: Any, env: Any, pages: Any, other: Any) -> None:
    linked(env).update({page: found for page, found in linked(other).items() if page in pages})


def setup(app: Any) -> dict[str, Any]:
    """The extension, for Sphinx."""
    app.connect("source-read", _read)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
