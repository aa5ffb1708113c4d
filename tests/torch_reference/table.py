"""All operations, by the program that has their kernels."""

from __future__ import annotations

from importlib import import_module

from tests.torch_reference.operation import HERE, Operation, Row


def operations(program: str) -> tuple[Operation, ...]:
    found: tuple[Operation, ...] = import_module(f"tests.torch_reference.programs.{program}").OPERATIONS
    return found


PROGRAMS: tuple[str, ...] = tuple(path.stem for path in sorted((HERE / "programs").glob("*.cu")))
ROWS: tuple[Row, ...] = tuple(
    Row(program, operation, kernel)
    for program in PROGRAMS
    for operation in operations(program)
    for kernel in operation.kernels
)
