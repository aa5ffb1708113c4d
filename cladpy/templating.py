"""The Jinja templates of generated code and of pages."""

from __future__ import annotations

from functools import cache

import jinja2

from cladpy.resources import templates_dir


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_dir()),
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),  # noqa: S701 - others are C++
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def template_named(name: str) -> jinja2.Template:
    """A file of `templates/`, compiled once."""
    return _environment().get_template(name)
