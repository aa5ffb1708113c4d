"""The Jinja templates of generated code."""

from __future__ import annotations

from functools import cache

import jinja2

from cladpy.resources import templates_dir


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(  # noqa: S701 - C++ text, not HTML
        loader=jinja2.FileSystemLoader(templates_dir()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def template_named(name: str) -> jinja2.Template:
    """A file of `templates/`, compiled once."""
    return _environment().get_template(name)
