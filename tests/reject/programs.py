"""Reading the programs of this folder, and what is said about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cladpy.diagnostics import Diagnostic, DifferentiationError, render
from cladpy.frontend.kokkos import target_of
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

FOLDER = Path(__file__).parent / "programs"
_HEAD = re.compile(r"// ([\w:]+)\((.*)\)")
_OPTION = re.compile(r"// (\w+)=(.*)")


@dataclass(frozen=True)
class Answer:
    """What is said about a program: the diagnostics, and their text as the command line shows it."""

    diagnostics: tuple[Diagnostic, ...]
    text: str


def options_in(text: str) -> Options:
    """The options that lines of a program such as `// split=yes` ask for."""
    given = dict(m.groups() for line in text.split("\n") if (m := _OPTION.fullmatch(line)))
    options: dict[str, Any] = {name: True if value in ("1", "yes") else value for name, value in given.items()}
    return Options.make(**options)


def answer(name: str) -> Answer:
    """Differentiates a program for CUDA, or for what it is written for. Anything but a diagnostic is let through: a
    test that meets it fails."""
    text = (FOLDER / f"{name}.cu").read_text()
    head = _HEAD.fullmatch(text.split("\n", 1)[0])
    if head is None:
        raise ValueError(f"{name}.cu: the first line does not name the function")
    source = Source(f"{name}.cu", text, None)
    try:
        derivative = differentiate(source, head[1], head[2], options_in(text), target_of(source))
    except DifferentiationError as error:
        return Answer(error.diagnostics, f"{error}\n")
    return Answer(derivative.warnings, render(derivative.warnings, {source.name: source.text}) + "\n")
