"""The site: `python -m sphinx -W --keep-going -c docs . build/site`, at the root of the repository.

Pages stay plain Markdown, which a repository shows as well. The menu has what `docs/index.md` lists.
"""

from __future__ import annotations

import re
from typing import Any

project = "cladpy"
html_title = "cladpy"
copyright = "the authors of cladpy"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "custom_derivatives/README.md",
    "examples/**.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "AGENTS.md",
    "benchmarks/results/*.md",
]
exclude_patterns = ["docs/errors/pages"]  # docs/errors/index.md has them all
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # code is shortened by dots
html_theme = "furo"
html_extra_path = ["index.html"]
html_show_sphinx = False
pygments_style, pygments_dark_style = "friendly", "native"

# Pages that have others below them, which they need not all name.
_BELOW = {"examples/README": "*/README", "docs/benchmarks": "/benchmarks/results/*"}
_LINK = re.compile(r"^- \[(.+?)\]\(([\w./-]+)\.md\)", re.MULTILINE)


def menu(_: Any, name: str, source: list[str]) -> None:
    """Makes a table of contents of each list of pages in the index."""
    if name in _BELOW:
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{_BELOW[name]}\n```\n"
    if name != root_doc:
        return
    head, *parts = source[0].split("\n## ")
    for part in parts:
        caption = part.partition("\n")[0]
        links = [(text, page.replace("../", "/", 1)) for text, page in _LINK.findall(part)]
        pages = [f"{text} <{page}>" for text, page in links]
        head += "\n## " + part + "\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```\n"])
    source[0] = head


def setup(app: Any) -> None:
    app.connect("source-read", menu)
