"""A surface program as one forward-mode C++ file: the functions, and the entry that the oracle calls."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cladpy.check.expressions import Expressions
from cladpy.check.statements import definition, signature
from cladpy.check.storage import in_memory
from cladpy.diagnostics import Sink
from cladpy.ir import surface as s
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Array, Pointer, Reference, Type, Void, is_floating, scalar_of, spell, strip_reference
from cladpy.source import Source

ENTRY = "cladpy_oracle_run"
ERROR = "cladpy_oracle_error"
CHANGED = "cladpy_oracle_changed"

_HEAD = """#include "cladpy_oracle/oracle.h"

namespace cladpy_oracle {
namespace program {
"""

_FOOT = """
}  // namespace program
}  // namespace cladpy_oracle
"""


_ERROR = f"""
extern "C" const char *{ERROR}() {{ return cladpy_host_error(); }}
extern "C" int {CHANGED}() {{ return cladpy_oracle::program::globals::changed(); }}
"""


@dataclass(frozen=True, slots=True)
class Emitted:
    text: str
    holds_source: bool  # the user's, which then must be compiled with the user's options


def emit_program(program: s.Program, source: Source | None) -> Emitted:
    """The C++ text; `source` is what the program was read from, and is needed where it names variables outside of
    functions. Raises DifferentiationError for what forward mode does not know (CP0901 to CP0904)."""
    sink = Sink({} if source is None else {source.name: source.text})
    names = {symbol: f"{_identifier(symbol.name)}_f{i}" for i, symbol in enumerate(program.functions)}
    emit = Expressions(in_memory(program), names, sink)
    try:
        heads = [signature(f, names[f.symbol], emit) + ";" for f in program.functions.values()]
        bodies = [definition(f, names[f.symbol], emit) for f in program.functions.values()]
    except RecursionError:
        sink.error("CP0904", "an expression is nested too deeply for the oracle", program.functions[program.entry].span)
        sink.raise_if_errors()
        raise
    if emit.globals and source is None:
        message = "the oracle needs the source of a program that names variables at namespace scope"
        sink.error("CP0903", message, program.functions[program.entry].span)
    sink.raise_if_errors()
    parts = [_HEAD, emit.globals.declarations(), *heads, "", "\n\n".join(bodies), _FOOT]
    parts += [_entry(program, names[program.entry]), emit.globals.definitions(source, program)]
    return Emitted("\n".join(parts), bool(emit.globals))


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def _entry(program: s.Program, name: str) -> str:
    """`args[i]` points to the value of the i-th argument, `cells[i]` to its tangents (null: none), `counts[i]` says
    how many elements a buffer has."""
    function = program.functions[program.entry]
    lines = [
        f'extern "C" int {ENTRY}(const unsigned *grid, const unsigned *block, std::size_t shared, void *const *args,',
        "                 const std::size_t *counts, void *const *cells, void *result, void *result_cell) {",
        "  using namespace cladpy_oracle;",
        "  shadows.reset();",
        "  program::globals::reset();",
        "  (void)grid, (void)block, (void)shared, (void)args, (void)counts, (void)cells;",
        "  (void)result, (void)result_cell;",
    ]
    passed = []
    for i, p in enumerate(function.parameters):
        of = p.type.referee if isinstance(p.type, Reference) else p.type
        text = f"*static_cast<{spell(Pointer(of))}>(args[{i}])"
        if isinstance(of, Pointer | Array):
            if is_floating(scalar_of(of)):
                lines.append(
                    f"  if (cells[{i}]) shadows.add_region({text}, counts[{i}], sizeof({spell(scalar_of(of))}),"
                    f" static_cast<cell *>(cells[{i}]));"
                )
        elif is_floating(of) and isinstance(p.type, Reference):
            lines.append(
                f"  if (cells[{i}]) shadows.add_region(&{text}, 1, sizeof {text}, static_cast<cell *>(cells[{i}]));"
            )
        elif is_floating(of):
            lines.append(f"  dual<{spell(of)}> scalar_{i} = constant({text});")
            lines.append(
                f"  if (cells[{i}]) scalar_{i}.t = static_cast<cell *>(cells[{i}])->t,"
                f" scalar_{i}.m = static_cast<cell *>(cells[{i}])->m;"
            )
            text = f"scalar_{i}"
        passed.append(text)
    call = f"program::{name}({', '.join(passed)})"
    if function.symbol.kind is FunctionKind.KERNEL:
        lines += [
            "  dim3 grid_dim(grid[0], grid[1], grid[2]);",
            "  dim3 block_dim(block[0], block[1], block[2]);",
            f"  return cladpy::host::launch(grid_dim, block_dim, shared, nullptr, [&] {{ {call}; }});",
        ]
    elif function.symbol.kind is FunctionKind.DEVICE:
        body = _plain_call(function.symbol.result, call)
        lines.append(f"  return cladpy::host::launch(dim3(1), dim3(1), 0, nullptr, [&] {{ {body} }});")
    else:
        lines += [f"  {_plain_call(function.symbol.result, call)}", "  return 0;"]
    return "\n".join([*lines, "}", _ERROR])


def _plain_call(result: Type, call: str) -> str:
    """The call as statements that keep what it returns."""
    if isinstance(result, Void):
        return f"{call};"
    if isinstance(result, Reference):
        # what is returned is an lvalue: its value and tangent are read from memory
        call = f"load({call})" if is_floating(result.referee) else call
    of = spell(strip_reference(result))
    if not is_floating(strip_reference(result)):
        return f"*static_cast<{spell(Pointer(strip_reference(result)))}>(result) = {call};"
    return (
        f"dual<{of}> value = {call}; *static_cast<{of} *>(result) = value.v;"
        " *static_cast<cell *>(result_cell) = cell{value.t, value.m};"
    )
