"""Settings of the documentation's site: `make docs` builds it into `build/docs`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "guardlift"
author = "the guardlift authors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "docstrings", "public_names", "source_pages"]
root_doc = "index"
exclude_patterns = ["_build", "**.ipynb_checkpoints"]

nb_execution_mode = "off"  # notebooks hold their output; tests/docs/test_notebooks.py runs them and compares
nb_merge_streams = True
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]  # tables of break kinds and of symptoms begin below the level that would follow

nitpicky = True
smartquotes = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
toc_object_entries = False  # a thousand names in the contents of every page

html_theme = "furo"
html_title = "guardlift"
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # a page from a file may not read others
html_theme_options = {"navigation_with_keys": True}
