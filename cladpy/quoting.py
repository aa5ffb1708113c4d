"""Names of files and lines of programs where they stand in generated code, or on a terminal: they say nothing there but
themselves. And the words that C++ keeps for itself."""

from __future__ import annotations

import re

from cladpy.diagnostics import UsageError

_NOT_IN_INCLUDE = re.compile(r'["\\\x00-\x1f\x7f]')

_RESERVED = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile
    wchar_t while xor xor_eq
"""
KEYWORDS = frozenset(_RESERVED.split())  # of C++


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
