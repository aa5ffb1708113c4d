"""The user's source: a file, several files of one program, or CUDA C++ text handed over as a string."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from cladpy import given
from cladpy.decoding import BYTE_ORDER_MARK, decoded
from cladpy.diagnostics import UsageError
from cladpy.quoting import included

Given: TypeAlias = "str | Path | Sequence[str | Path]"
_WANTED = "the path of a file, or the text of a program"


@dataclass(frozen=True, slots=True)
class Source:
    """`name` appears in diagnostics; `path` is None for text that is not in a file, such as the one that includes the
    files of a program."""

    name: str
    text: str
    path: Path | None

    @staticmethod
    def load(source: Given) -> Source:
        """Takes a path, or program text (recognised by a newline or a brace), or paths of files that are read one after
        the other. A byte order mark is no part of the text.

        Raises UsageError for what is neither, and where a file does not exist or cannot be read.
        """
        if isinstance(source, list | tuple) and source:
            return Source._program([Source.load(Path(given.path("source", f, _WANTED))) for f in source])
        if isinstance(source, str) and ("\n" in source or "{" in source):
            return Source("<string>.cu", source.removeprefix(BYTE_ORDER_MARK), None)
        path = Path(given.path("source", source, _WANTED))
        try:
            text = decoded(path.read_bytes())
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UsageError(f"cannot read {str(source)!r}: {reason}") from None
        return Source(str(source), text, path.resolve())

    @staticmethod
    def _program(files: Iterable[Source]) -> Source:
        return Source("<program>.cu", "".join(f'#include "{included(str(f.path))}"\n' for f in files), None)
