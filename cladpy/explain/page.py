"""The page of a diagnostic, from the catalogue in docs/errors."""

from __future__ import annotations

import difflib
import re

from cladpy.diagnostics import UsageError
from cladpy.resources import errors_dir

_CODE = re.compile(r"CP\d{4}", re.IGNORECASE)
_HEADING = re.compile(r"^### (CP\d{4})$", re.MULTILINE)


def is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


def page(code: str) -> str:
    """What is said under a code, and what to do. Raises UsageError where there is no such diagnostic."""
    text = (errors_dir() / "index.md").read_text(encoding="utf-8")
    headings = list(_HEADING.finditer(text))
    known = {h.group(1): h for h in headings}
    wanted = code.upper()
    if wanted not in known:
        near = difflib.get_close_matches(wanted, known, 1)
        raise UsageError(f"there is no diagnostic {wanted}" + (f"; did you mean {near[0]}?" if near else ""))
    rest = text[known[wanted].end() :]
    end = re.search(r"^##", rest, re.MULTILINE)
    body = rest[: end.start()] if end else rest
    return f"{wanted}\n\n{body.strip()}\n"


def summary(code: str) -> str:
    """The first thing that is said under a code. Raises UsageError as `page` does."""
    said = [line.removeprefix("> ") for line in page(code).splitlines() if line.startswith("> ")]
    return said[0] if said else code
