"""The table of kernels whose gradients are checked. The rows of a program `name.cu` stand beside it, in `name.py`."""

from __future__ import annotations

from importlib import import_module

from tests.kernels.case import HERE, Case


def rows(name: str) -> tuple[Case, ...]:
    """The rows of one program."""
    cases: tuple[Case, ...] = import_module(f"tests.kernels.{name}").CASES
    return cases


CASES: tuple[Case, ...] = tuple(case for program in sorted(HERE.glob("*.cu")) for case in rows(program.stem))
