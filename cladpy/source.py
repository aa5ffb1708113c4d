"""The user's source: a file, or CUDA C++ text handed over as a string."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cladpy import given
from cladpy.decoding import BYTE_ORDER_MARK, decoded
from cladpy.diagnostics import UsageError

_WANTED = "the path of a file, or the text of a program"


@dataclass(frozen=True, slots=True)
class Source:
    """`name` appears in diagnostics; `path` is None for text that is not in a file."""

    name: str
    text: str
    path: Path | None

    @staticmethod
    def load(source: str | Path) -> Source:
        """Takes a path, or program text (recognised by a newline or a brace). A byte order mark is no part of the text.

        Raises UsageError for what is neither, and where a file does not exist or cannot be read.
        """
        if isinstance(source, str) and ("\n" in source or "{" in source):
            return Source("<string>.cu", source.removeprefix(BYTE_ORDER_MARK), None)
        path = Path(given.path("source", source, _WANTED))
        try:
            text = decoded(path.read_bytes())
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UsageError(f"cannot read {str(source)!r}: {reason}") from None
        return Source(str(source), text, path.resolve())
