"""Reading the programs of this folder, and what is said about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cladpy.diagnostics import Diagnostic, DifferentiationError, render
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


def answer(name: str) -> Answer:
    """Differentiates a program for CUDA. Anything but a diagnostic is let through: a test that meets it fails."""
    text = (FOLDER / f"{name}.cu").read_text()
    first, *lines = text.split("\n")
    head = _HEAD.fullmatch(first)
    if head is None:
        raise ValueError(f"{name}.cu: the first line does not name the function")
    given = dict(m.groups() for line in lines if (m := _OPTION.fullmatch(line)))
    options: dict[str, Any] = {name: True if value in ("1", "yes") else value for name, value in given.items()}
    source = Source(f"{name}.cu", text, None)
    try:
        derivative = differentiate(source, head[1], head[2], Options.make(**options), "cuda")
    except DifferentiationError as error:
        return Answer(error.diagnostics, f"{error}\n")
    return Answer(derivative.warnings, render(derivative.warnings, {source.name: source.text}) + "\n")
