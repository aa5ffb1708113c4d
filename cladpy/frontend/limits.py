"""What clang may take to read a program: one that multiplies itself, by macros or templates, must be answered too.

Headers of the languages and cladpy's own are quick to read, so that the rest is the program's own text, of which clang
reads a megabyte or two a second. Of what is included besides nothing is known.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from cladpy.frontend.toolkit import Headers

_INCLUDED = re.compile(rb"(?m)^[ \t]*#[ \t]*(?:include|import|embed)\b[ \t]*(.*)")
_LANGUAGE = re.compile(rb"<(?:\w+|[cm]\w+\.h|std\w+\.h|string\.h|float\.h|limits\.h)>.*")
_SHIPPED = Path(__file__).parent / "headers"
_SECONDS, _BYTES = 7, 700 << 20
_BYTES_A_SECOND, _BYTES_A_BYTE = 100_000, 100  # of a long text, which is read several times
_AMPLE = (120, 8 << 30)


def limits(text: bytes, headers: Headers) -> tuple[int, int]:
    """Seconds of processor time for all readings of the program together, and bytes for each."""
    if not all(_is_quick(included, headers) for included in _INCLUDED.findall(text)):
        return _AMPLE
    return _SECONDS + len(text) // _BYTES_A_SECOND, _BYTES + len(text) * _BYTES_A_BYTE


def _is_quick(included: bytes, headers: Headers) -> bool:
    """Whether what an #include names is a header of the language's library, or one of cladpy's own."""
    name = os.fsdecode(included.strip().strip(b'"<>'))
    folders = [_SHIPPED] if headers.include is not None else [Path(a) for a in headers.arguments if os.path.isabs(a)]
    return _LANGUAGE.match(included) is not None or any((folder / name).is_file() for folder in folders)
