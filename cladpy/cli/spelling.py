"""Arguments before they are parsed: those in files, compilers' spellings, and the form of errors at any point."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from cladpy.diagnostics import UsageError


def from_files(arguments: list[str]) -> list[str]:
    """Puts the lines of a file in the place of `@FILE`, each an argument. What follows `--` is left alone."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    found: list[str] = []
    for argument in arguments[:end]:
        if argument.startswith("@"):
            try:
                lines = os.fsdecode(Path(argument[1:]).read_bytes()).split("\n")
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise UsageError(f"cannot read the arguments in {argument[1:]!r}: {reason}") from None
            found += [line for line in lines if line]
        else:
            found.append(argument)
    return found + arguments[end:]


def split_joined(arguments: list[str]) -> list[str]:
    """Other spellings of long options: `-std=c++20`, as compilers have it, and `--json`. What follows `--` is left
    alone."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    head = [re.sub(r"^-(?=(std|arch)(=|$))", "--", argument) for argument in arguments[:end]]
    head = ["--diagnostics=json" if argument == "--json" else argument for argument in head]
    return head + arguments[end:]


def diagnostics_form(arguments: Sequence[str]) -> str:
    """The value of --diagnostics, known before the options are parsed, for errors at any point."""
    form = "text"
    for argument, following in pairwise([*arguments, ""]):
        if argument == "--diagnostics":
            form = following
        elif argument == "--json":
            form = "json"
        elif argument.startswith("--diagnostics="):
            form = argument.partition("=")[2]
    return form if form in ("json", "sarif") else "text"
