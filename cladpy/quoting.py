"""Names of files and lines of programs where they stand in generated code, or on a terminal: they say nothing there but
themselves."""

from __future__ import annotations

import re

from cladpy.diagnostics import UsageError

_NOT_IN_INCLUDE = re.compile(r'["\\\x00-\x1f\x7f]')


def included(name: str) -> str:
    """A name as `#include "..."` holds it. Raises UsageError for one that it cannot hold."""
    if _NOT_IN_INCLUDE.search(name):
        raise UsageError(f"{name!r} cannot be included: rename it, without quotes, backslashes and control characters")
    return name


def literal(name: str) -> str:
    """A name as a string in a #line directive, between its quotes."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", "?", escaped) + '"'


def comment(text: str) -> str:
    """A line comment that cannot swallow the next line: no newline, no backslash at the end, as a trigraph either."""
    flat = " ".join(text.split())
    printable = "".join(c if c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF else "?" for c in flat)
    return re.sub(r"\?{2,}/", "?/", f"// {printable}").rstrip("\\ ").rstrip()
