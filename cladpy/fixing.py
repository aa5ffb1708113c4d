"""`cladpy fix`: the patches of what is said about a program, as a diff or made in its files."""

from __future__ import annotations

import hashlib
import os
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cladpy.diagnostics import Diagnostic, DifferentiationError, Severity, UsageError
from cladpy.edits import compatible, edited, unified
from cladpy.options import Options
from cladpy.output import write_together
from cladpy.source import Source


@dataclass(frozen=True, slots=True)
class _File:
    """A file by the name that it is shown by, and what it held when it was read."""

    name: str
    path: Path
    read: str  # its digest

    def contents(self) -> bytes:
        """What it holds. Raises UsageError where that is not what was read."""
        data = self.path.read_bytes()
        # the digest of a source is that of its text, which has no byte order mark; that of another file is its own
        if self.read not in (_digest(data), _digest(data.removeprefix(BOM_UTF8))):
            raise UsageError(f"{self.name!r} has changed since it was read: nothing was written")
        return data


@dataclass(frozen=True, slots=True)
class Fixes:
    """What can be changed so that less is said of a program. `mended` has the errors whose patches that makes, `left`
    those that nothing is done about: without a patch, or with one that overlaps another, which comes first."""

    texts: Mapping[_File, tuple[bytes, bytes]]  # before and after
    mended: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...]
    shown: dict[str, str]  # sources by name, to show diagnostics with

    def diff(self) -> str:
        """What changes, in the form of `diff -u`."""
        parts = (unified(file.name, *map(_decoded, both)) for file, both in self.texts.items())
        return "".join(parts)

    def make(self) -> None:
        """Changes all of the files, or none. Raises UsageError where one cannot be written, or is not any more what was
        read."""
        written = {}
        for file, (_, after) in self.texts.items():
            mark = BOM_UTF8 if file.contents().startswith(BOM_UTF8) else b""
            written[file.path] = _decoded(mark + after)
        write_together(written)


def fixes(source: Source, function: str, args: str, options: Options, target: str) -> Fixes:
    """What the patches of all errors come to that are found in a program. Raises UsageError as `differentiate` does."""
    from cladpy.pipeline import differentiate

    read: dict[str, tuple[Path, str]] = {}
    if source.path is not None:
        read[source.name] = (source.path, _digest(source.text.encode(errors="surrogateescape")))
    try:
        differentiate(source, function, args, options, target)
    except DifferentiationError as error:
        found, texts = error.diagnostics, error.texts
        read |= {name: (Path(name), digest) for name, digest in error.read.items()}
    else:
        return Fixes({}, (), (), {})
    errors = [d for d in found if d.severity is Severity.ERROR]
    edits = compatible(d.patch for d in errors if all(e.span.file in read for e in d.patch))
    mended = tuple(d for d in errors if d.patch and all(e in edits for e in d.patch))
    left = tuple(d for d in errors if d not in mended)
    changed = {}
    for name in sorted({e.span.file for e in edits}):
        file = _File(_short(name), *read[name])
        before = file.contents().removeprefix(BOM_UTF8)
        changed[file] = before, edited(before, [e for e in edits if e.span.file == name])
    return Fixes(changed, mended, left, texts)


def _short(name: str) -> str:
    """A file by its way from the working directory, if it lies below that."""
    near = os.path.relpath(name)
    return name if near.startswith(os.pardir) else near


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", errors="surrogateescape")
