"""The user's source: a file, several files of one program, or CUDA C++ text handed over as a string."""

from __future__ import annotations

import re
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
# A variable or function that each file of a program may have for itself.
_OWN = re.compile(r"^(?:static|const|constexpr)\b[^;{}()=\[\n]*?\b(\w+)\s*(?:[=(;]|\[[^\]\n]*\]\s*[=;])", re.MULTILINE)


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
        """Files that include each other's text: what several have for themselves has a name for each."""
        lines: list[str] = []
        known: set[str] = set()
        for number, file in enumerate(files, 1):
            own = dict.fromkeys(_OWN.findall(file.text))
            again = [name for name in own if name in known]
            known.update(own)
            lines += (f"#define {name} {name}_of_{number}" for name in again)
            lines.append(f'#include "{included(str(file.path))}"')
            lines += (f"#undef {name}" for name in again)
        return Source("<program>.cu", "".join(f"{line}\n" for line in lines), None)
