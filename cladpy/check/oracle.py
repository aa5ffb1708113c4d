"""The oracle: directional derivatives by forward mode, emitted from the surface program and run on the host.

It shares neither normalisation nor the reverse sweep nor the derivative rules with the gradients that it judges.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, element_dtype, pointers_to, private_copies, triple
from cladpy.check.program import CHANGED, ENTRY, ERROR, emit_program
from cladpy.check.statements import uses_float
from cladpy.diagnostics import LaunchError, UsageError
from cladpy.ir import surface
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Scalar, Type, Void, is_floating, strip_reference
from cladpy.options import Options
from cladpy.source import Source
from cladpy.toolchain import compile_host

INCLUDE = Path(__file__).parent / "include"


@dataclass(frozen=True, slots=True)
class TangentResult:
    """What one run gave. `tangents` and `magnitudes` hold an entry for every floating-point argument: the tangent of
    its final contents (of a scalar passed by value: the tangent it came with), and the sum of the magnitudes of the
    contributions to it, which is larger the more of it cancelled."""

    values: dict[str, Array]
    tangents: dict[str, Array]
    magnitudes: dict[str, Array]
    result: float | None
    result_tangent: float
    result_magnitude: float
    left_behind: bool  # whether a variable at namespace scope holds something else than before


@dataclass(slots=True)
class Oracle:
    """Forward mode of one program. Building it raises DifferentiationError for what forward mode does not know; the
    first run compiles, and may raise ToolchainError. `source` is what the program was read from; only programs that
    name variables outside of functions need it."""

    program: surface.Program
    options: Options
    source: Source | None = None
    optimize: str = "-O1"
    text: str = field(init=False)
    _holds_source: bool = field(init=False)
    _run: Any = field(init=False, default=None)
    _error: Any = field(init=False, default=None)
    _changed: Any = field(init=False, default=None)

    def __post_init__(self) -> None:
        emitted = emit_program(self.program, self.source)
        self.text, self._holds_source = emitted.text, emitted.holds_source

    @property
    def function(self) -> surface.Function:
        return self.program.functions[self.program.entry]

    @property
    def single_precision(self) -> bool:
        return uses_float(self.program)

    def tangent(
        self,
        grid: int | Sequence[int] | None,
        block: int | Sequence[int] | None,
        args: Sequence[Any],
        tangents: Mapping[str, Any],
        shared_mem: int = 0,
    ) -> TangentResult:
        """Runs the program on copies of `args`, with the tangents of the arguments that are named in `tangents` (the
        others have none). `grid` and `block` are None for anything but kernels.

        Raises LaunchError or ArgumentTypeError for arguments that do not fit, UsageError for an unknown name.
        """
        function = self.function
        kernel = function.symbol.kind is FunctionKind.KERNEL
        if kernel != (grid is not None):
            raise LaunchError("grid and block are given for kernels, and only for them")
        values = private_copies(function.parameters, args)
        names = [p.name for p in function.parameters]
        for name in tangents:
            if name not in names:
                raise UsageError(f"'{name}' is not a parameter of '{function.symbol.name}'")
        cells: list[Array | None] = []
        for parameter, value in zip(function.parameters, values, strict=True):
            if element_dtype(parameter.type).kind != "f":
                cells.append(None)
                continue
            cell = np.zeros((value.size, 2), dtype=np.longdouble)
            if parameter.name in tangents:
                cell[:, 0] = np.asarray(tangents[parameter.name], dtype=np.longdouble).reshape(-1)
                cell[:, 1] = np.abs(cell[:, 0])
            cells.append(cell)
        result = np.zeros(1, dtype=_result_dtype(function.symbol.result))
        result_cell = np.zeros((1, 2), dtype=np.longdouble)
        self._call(grid, block, shared_mem, values, cells, result, result_cell)
        shaped = {}
        for name, value, given in zip(names, values, args, strict=True):
            shaped[name] = value.reshape(np.shape(given))
        known = {n: c for n, c in zip(names, cells, strict=True) if c is not None}
        void = isinstance(function.symbol.result, Void)
        return TangentResult(
            values=shaped,
            tangents={n: c[:, 0].reshape(shaped[n].shape) for n, c in known.items()},
            magnitudes={n: c[:, 1].reshape(shaped[n].shape) for n, c in known.items()},
            result=None if void else result[0].item(),
            result_tangent=float(result_cell[0, 0]),
            result_magnitude=float(result_cell[0, 1]),
            left_behind=bool(self._changed()),
        )

    def _call(
        self,
        grid: int | Sequence[int] | None,
        block: int | Sequence[int] | None,
        shared_mem: int,
        values: list[Array],
        cells: list[Array | None],
        result: Array,
        result_cell: Array,
    ) -> None:
        parameters = self.function.parameters
        n = max(1, len(values))
        addresses, alive = pointers_to(parameters, values)
        counts = (ctypes.c_size_t * n)(*(v.size for v in values))
        cell_addresses = (ctypes.c_void_p * n)(*(None if c is None else c.ctypes.data for c in cells))
        run = self._compiled()
        status = run(
            (ctypes.c_uint * 3)(*triple(grid if grid is not None else 1)),
            (ctypes.c_uint * 3)(*triple(block if block is not None else 1)),
            ctypes.c_size_t(shared_mem),
            addresses,
            counts,
            cell_addresses,
            ctypes.c_void_p(result.ctypes.data),
            ctypes.c_void_p(result_cell.ctypes.data),
        )
        del alive
        if status != 0:
            text = self._error().decode(errors="replace")
            raise LaunchError(f"the oracle's run of '{self.function.symbol.name}' failed: {text or f'error {status}'}")

    def _compiled(self) -> Any:
        if self._run is None:
            own, options = self._holds_source, self.options
            library = compile_host(
                self.text,
                source=self.source if own else None,
                dependencies=[*sorted(INCLUDE.rglob("*.h")), *(self.program.includes if own else ())],
                std=options.std,
                include_directories=(INCLUDE, *(options.include_dirs if own else ())),
                defines=options.defines if own else (),
                optimize=self.optimize,
            )
            loaded = ctypes.CDLL(str(library))
            self._error = loaded[ERROR]
            self._error.restype = ctypes.c_char_p
            self._changed = loaded[CHANGED]
            self._changed.restype = ctypes.c_int
            self._run = loaded[ENTRY]
            self._run.restype = ctypes.c_int
        return self._run


def _result_dtype(type: Type) -> np.dtype[Any]:
    inner = strip_reference(type)
    if isinstance(inner, Scalar):
        return element_dtype(inner)
    return np.dtype("u8") if not is_floating(inner) else np.dtype("f8")
