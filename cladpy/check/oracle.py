"""The oracle: directional derivatives by forward mode, emitted from the surface program and run on the host.

It shares neither normalisation nor the reverse sweep nor the derivative rules with the gradients that it judges.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from cladpy.check.arguments import triple
from cladpy.check.memory import Block, Memory, Operand, blocks_of, has_tangents
from cladpy.check.program import CHANGED, DIRECT, ENTRY, ERROR, TURNED, emit_program
from cladpy.check.statements import uses_float
from cladpy.diagnostics import LaunchError, UsageError
from cladpy.emit.unit import uses_halves
from cladpy.ir import surface
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import Void, strip_reference
from cladpy.options import Options
from cladpy.runtime.host_runtime import Lent, lent_to
from cladpy.source import Source
from cladpy.toolchain import compile_host
from cladpy.toolchain.openmp import openmp_flags

INCLUDE = Path(__file__).parent / "include"
_RACE = re.compile(r"race at (0x[0-9a-f]+) \((\w+) memory\): (.*)")


@dataclass(frozen=True, slots=True)
class TangentResult:
    """What one run gave. `tangents` and `magnitudes` hold an entry for every argument with floating-point numbers: the
    tangents of its final contents (of what is passed by value: those that it came with), and the sums of the magnitudes
    of the contributions to them, which are larger the more of them cancelled.

    Everything has the form that the argument was given in: arrays, structured arrays, dicts of fields for objects that
    hold pointers, lists for pointers to pointers. Structures and dicts of tangents have the fields with tangents only.
    A result of class type is a structured scalar, and so are its tangent and magnitude. Variables at namespace scope
    that were given contents are among the arguments, as `::name`."""

    values: dict[str, Any]
    tangents: dict[str, Any]
    magnitudes: dict[str, Any]
    result: Any
    result_tangent: Any
    result_magnitude: Any
    left_behind: bool  # whether a variable at namespace scope that was not given holds something else than before
    race: str = ""  # where two threads met, if the oracle watches for that
    unwritten: str = ""  # what was read of shared memory where nobody had written, likewise


@dataclass(slots=True)
class Oracle:
    """Forward mode of one program. Building it raises DifferentiationError for what forward mode does not know; the
    first run compiles, and may raise ToolchainError. `source` is what the program was read from; only programs that
    name variables outside of functions need it."""

    program: surface.Program
    options: Options
    source: Source | None = None
    flags: ClassVar[tuple[str, ...]] = ()  # for the compiler, where the unit begins with the oracle's headers
    optimize: str = "-O1"
    watches_races: bool = False  # of floating-point numbers in memory, and of integers that are stored
    text: str = field(init=False)
    _holds_source: bool = field(init=False)
    _halves: bool = field(init=False)
    _variables: tuple[Symbol, ...] = field(init=False)
    _library: ctypes.CDLL | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        emitted = emit_program(self.program, self.source, self.program.include_dirs, watched=self.watches_races)
        self.text, self._holds_source, self._variables = emitted.text, emitted.holds_source, emitted.variables
        self._halves = emitted.halves

    @property
    def function(self) -> surface.Function:
        return self.program.functions[self.program.entry]

    @property
    def variables(self) -> tuple[Symbol, ...]:
        """Those at namespace scope that it names in the user's source."""
        return self._variables

    @property
    def single_precision(self) -> bool:
        return uses_float(self.program)

    @property
    def half_precision(self) -> bool:
        return uses_halves(self.text)

    def tangent(
        self,
        grid: int | Sequence[int] | None,
        block: int | Sequence[int] | None,
        args: Sequence[Any],
        tangents: Mapping[str, Any],
        shared_mem: int = 0,
        variables: Mapping[str, Any] | None = None,
    ) -> TangentResult:
        """Runs the program on copies of `args`, with the tangents of the arguments that are named in `tangents` (the
        others have none). `grid` and `block` are None for anything but kernels. Tangents have the form of their
        argument; fields that they lack have none. `variables` has contents for variables at namespace scope, by name,
        in the form of an argument; their tangents are named `::name`. At a kink the tangents are those of the side that
        the direction leads to, if the program is continuous there.

        Raises LaunchError or ArgumentTypeError for arguments that do not fit, UsageError for an unknown name.
        """

        given = (grid, block, args, tangents, shared_mem, variables)
        beside, turned = self._phase(True, *given)
        if not turned:
            return beside
        at, _ = self._phase(False, *given)
        # where a comparison turns and the values jump, there is no derivative along this direction
        same = _same(beside.values, at.values) and _same(beside.result, at.result)
        return replace(beside, values=at.values, result=at.result) if same else at

    def beside(
        self,
        grid: int | Sequence[int] | None,
        block: int | Sequence[int] | None,
        args: Sequence[Any],
        tangents: Mapping[str, Any],
        shared_mem: int = 0,
        variables: Mapping[str, Any] | None = None,
        *,
        draw: int = 0,
    ) -> TangentResult:
        """As `tangent`, but at a kink always those of the side that the direction leads to, and the values that come of
        taking its branches at the point: where these are others than without a direction, the program jumps there. A
        `draw`, which is any other number, draws a side by lot for each comparison of equal numbers."""
        return self._phase(True, grid, block, args, tangents, shared_mem, variables, draw=draw)[0]

    def _phase(self, directed: bool, *given: Any, draw: int = 0) -> tuple[TangentResult, bool]:
        """A run that goes on along the direction or not, and whether a comparison has turned."""
        loaded = self._loaded()
        getattr(loaded, DIRECT)(directed, ctypes.c_uint(draw))
        found = self._run(*given)
        return found, bool(getattr(loaded, TURNED)())

    def _run(
        self,
        grid: int | Sequence[int] | None,
        block: int | Sequence[int] | None,
        args: Sequence[Any],
        tangents: Mapping[str, Any],
        shared_mem: int,
        variables: Mapping[str, Any] | None,
    ) -> TangentResult:
        function = self.function
        kernel = function.symbol.kind is FunctionKind.KERNEL
        if kernel != (grid is not None):
            raise LaunchError("grid and block are given for kernels, and only for them")
        names = [p.name for p in function.parameters]
        if len(names) != len(args):
            raise LaunchError(f"expected {len(names)} arguments ({', '.join(names)}), got {len(args)}")
        given = variables or {}
        for name in tangents:
            if name not in names and name.removeprefix("::") not in given:
                raise UsageError(f"'{name}' is not a parameter of '{function.symbol.name}'")
        memory = Memory(args)
        operands: dict[str, Operand] = {}
        blocks: dict[str, Block] = {}
        known = {v.name: v.type for v in self._variables}
        for name, content in given.items():
            if name in known:  # not what only a function that is never called names
                key = f"::{name}"
                blocks[name], operands[key] = memory.variable(known[name], content, tangents.get(key), name)
        addresses = (ctypes.c_void_p * max(1, len(args)))()
        for i, (p, value) in enumerate(zip(function.parameters, args, strict=True)):
            addresses[i], operands[p.name] = memory.argument(p.type, value, tangents.get(p.name), p.name)
        void = isinstance(function.symbol.result, Void)
        result = None if void else memory.result(strip_reference(function.symbol.result))
        place = 0 if result is None else result.block.address
        held = [found for name, operand in operands.items() for found in blocks_of(operand, name)]
        lent = [Lent(of.address, of.bytes.size, path) for path, of in held]
        with lent_to(self._loaded(), lent) if not kernel else nullcontext():
            self._call(grid, block, shared_mem, addresses, memory, place, blocks)
        moving = result if has_tangents(strip_reference(function.symbol.result)) else None
        active = [p.name for p in function.parameters if has_tangents(p.type)]
        active += [f"::{name}" for name in blocks if has_tangents(known[name])]
        return TangentResult(
            values={name: operand.value() for name, operand in operands.items()},
            tangents={name: operands[name].tangents(0) for name in active},
            magnitudes={name: operands[name].tangents(1) for name in active},
            result=None if result is None else _single(result.value()),
            result_tangent=0.0 if moving is None else _single(moving.tangents(0)),
            result_magnitude=0.0 if moving is None else _single(moving.tangents(1)),
            left_behind=bool(getattr(self._loaded(), CHANGED)()),
            race=self._race_among(operands) if self.watches_races else "",
            unwritten=self._loaded().cladpy_race_unwritten().decode() if self.watches_races else "",
        )

    def race(
        self,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[Any],
        shared_mem: int = 0,
        variables: Mapping[str, Any] | None = None,
    ) -> str:
        """Where two threads of the program meet with no barrier between, not both reading and not both with atomics;
        empty where none do."""
        return self.watched(grid, block, args, shared_mem, variables).race

    def watched(
        self,
        grid: int | Sequence[int] | None,
        block: int | Sequence[int] | None,
        args: Sequence[Any],
        shared_mem: int = 0,
        variables: Mapping[str, Any] | None = None,
    ) -> TangentResult:
        """A run in which what threads do to memory is watched."""
        watching = Oracle(self.program, self.options, self.source, self.optimize, watches_races=True)
        return watching.tangent(grid, block, args, {}, shared_mem, variables)

    def _race_among(self, operands: Mapping[str, Operand]) -> str:
        text = self._loaded().cladpy_race_report().decode()
        found = _RACE.match(text)
        if not found:
            return ""
        address, memory, what = int(found[1], 16), found[2], found[3]
        for name, operand in operands.items():
            for path, block in blocks_of(operand, name):
                if block.address <= address < block.address + block.bytes.size:
                    return f"at element {(address - block.address) // block.size} of '{path}': {what}"
        return f"in {memory} memory: {what}"

    def _call(
        self,
        grid: int | Sequence[int] | None,
        block: int | Sequence[int] | None,
        shared_mem: int,
        addresses: Any,
        memory: Memory,
        result: int,
        variables: Mapping[str, Block],
    ) -> None:
        run = getattr(self._loaded(), ENTRY)
        regions, lasting, passing = memory.regions()
        status = run(
            (ctypes.c_uint * 3)(*triple(grid if grid is not None else 1)),
            (ctypes.c_uint * 3)(*triple(block if block is not None else 1)),
            ctypes.c_size_t(shared_mem),
            addresses,
            regions,
            ctypes.c_size_t(lasting),
            ctypes.c_size_t(passing),
            ctypes.c_void_p(result),
            self._in_order({name: block.address for name, block in variables.items()}),
            self._in_order({name: int(block.cells.ctypes.data) for name, block in variables.items()}),
        )
        if status != 0:
            text = getattr(self._loaded(), ERROR)(status).decode(errors="replace")
            raise LaunchError(f"the oracle's run of '{self.function.symbol.name}' failed: {text}")

    def _in_order(self, addresses: Mapping[str, int]) -> Any:
        """Addresses of what variables hold, as the entry takes them; null for what has none."""
        found = [addresses.get(v.name) for v in self._variables]
        return (ctypes.c_void_p * max(1, len(found)))(*found)

    def _loaded(self) -> ctypes.CDLL:
        if self._library is None:
            own, options = self._holds_source, self.options
            library = compile_host(
                self.text,
                source=self.source if own else None,
                dependencies=[*sorted(INCLUDE.rglob("*.h")), *(self.program.includes if own else ())],
                std=options.std,
                include_directories=(INCLUDE, *(self.program.include_dirs if own else ())),
                defines=options.defines if own else (),
                optimize=self.optimize,
                extra_flags=(
                    *(() if self._halves else self.flags),
                    *(openmp_flags("host") if self.program.openmp else ()),
                    *(f"-D{name}={other}" for name, other in self.program.redefined),
                    *(["-DCLADPY_CHECK_RACES"] if self.watches_races else []),
                ),
            )
            loaded = ctypes.CDLL(str(library))
            getattr(loaded, ERROR).restype = ctypes.c_char_p
            if self.watches_races:
                loaded.cladpy_race_report.restype = loaded.cladpy_race_unwritten.restype = ctypes.c_char_p
                loaded.cladpy_race_clear()
            self._library = loaded
        return self._library


def _same(first: Any, second: Any) -> bool:
    """Whether values are the same, but for what a change of the order of additions makes."""
    if isinstance(first, dict):
        return all(_same(v, second[k]) for k, v in first.items())
    if isinstance(first, list | tuple):
        return all(_same(v, w) for v, w in zip(first, second, strict=True))
    a, b = np.asarray(first), np.asarray(second)
    if a.dtype.names is not None:
        return all(_same(a[n], b[n]) for n in a.dtype.names)
    if a.dtype.kind != "f":
        return bool((a == b).all())
    largest = np.abs(a, where=np.isfinite(a), out=np.zeros_like(a)).max(initial=0.0)
    return np.allclose(a, b, rtol=0.0, atol=1e3 * float(largest) * float(np.finfo(a.dtype).eps), equal_nan=True)


def _single(result: Any) -> Any:
    """A number as one of Python, an object of a class as a structured scalar."""
    if result.dtype.names is not None:
        return result[()]
    return float(result) if result.dtype.kind == "f" else result.item()
