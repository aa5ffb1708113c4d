"""The table of host programs whose gradients are checked. The rows of a program `name.cu` stand beside it, in
`name.py`."""

from __future__ import annotations

from importlib import import_module

from tests.programs.case import HERE, Program


def rows(name: str) -> tuple[Program, ...]:
    """The rows of one program."""
    cases: tuple[Program, ...] = import_module(f"tests.programs.{name}").CASES
    return cases


CASES: tuple[Program, ...] = tuple(case for program in sorted(HERE.glob("*.cu")) for case in rows(program.stem))
