"""Reads snippets for the tests of the front end."""

from __future__ import annotations

from pathlib import Path

from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.frontend import parse
from cladpy.ir.surface import Program
from cladpy.ir.surface_text import format_program
from cladpy.ir.surface_verify import verify
from cladpy.options import Options
from cladpy.source import Source


def read(code: str | Path, function: str = "k", *, headers: str | None = None, **options: object) -> Program:
    """The verified surface program of a function."""
    program = parse(Source.load(code), function, Options.make(**options), Sink(), headers=headers)  # type: ignore[arg-type]
    assert verify(program) == []
    return program


def text(code: str | Path, function: str = "k", **options: object) -> str:
    return format_program(read(code, function, **options))  # type: ignore[arg-type]


def body(statements: str, before: str = "", headers: str | None = None) -> list[str]:
    """The printed lines of a kernel with these statements; its parameters are of every scalar type that matters."""
    code = f"""{before}
__global__ void k(double *out, const float *in, double d, float f, int i, unsigned u, long l, short h,
                  unsigned char c, bool b) {{
  {statements}
}}
"""
    printed = format_program(read(code, headers=headers))
    return [line[2:] for line in printed.split("\n}\n")[0].splitlines()[1:]]


def refusal(code: str | Path, function: str = "k", **options: object) -> str:
    """The rendered diagnostics of a program that is refused."""
    try:
        program = read(code, function, **options)  # type: ignore[arg-type]
    except DifferentiationError as error:
        return str(error)
    raise AssertionError(f"was not refused: {format_program(program)}")
