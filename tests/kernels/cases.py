"""The table of kernels whose gradients are checked. The rows of a program `name.cu` stand beside it, in `name.py`."""

from __future__ import annotations

from importlib import import_module

from tests.kernels.case import HERE, Case


def rows(name: str) -> tuple[Case, ...]:
    """The rows of one program."""
    cases: tuple[Case, ...] = import_module(f"tests.kernels.{name}").CASES
    return cases


CASES: tuple[Case, ...] = tuple(case for program in sorted(HERE.glob("*.cu")) for case in rows(program.stem))


def _distinct(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """One of those that differ in what they are given, and how they are launched, only."""
    first: dict[tuple[str, str, str], Case] = {}
    for case in cases:
        first.setdefault((case.file, case.function, case.args), case)
    return tuple(first.values())


GRADIENTS = _distinct(CASES)
