"""A surface program as one forward-mode C++ file: the functions, and the entry that the oracle calls.

The entry gets the addresses of the arguments, and regions: where in memory there are floating-point numbers that have
tangents, and where these tangents are. What is passed by value has such a region too; it is read as any memory is,
before the program begins. So is the result written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cladpy import known
from cladpy.check.classes import Classes
from cladpy.check.expressions import Expressions
from cladpy.check.globals import Globals
from cladpy.check.statements import definition, signature
from cladpy.check.storage import in_memory, walk
from cladpy.diagnostics import Sink
from cladpy.emit.unit import uses_halves
from cladpy.ir import surface as s
from cladpy.ir.surface_rules import without_restrict
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import Pointer, Reference, Struct, Type, Void, is_floating, strip_reference
from cladpy.source import Source

ENTRY = "cladpy_oracle_run"
ERROR = "cladpy_oracle_error"
CHANGED = "cladpy_oracle_changed"
DIRECT = "cladpy_oracle_direct"
TURNED = "cladpy_oracle_turned"

_HEAD = """#include "cladpy_oracle/oracle.h"

namespace cladpy_oracle {
namespace program {
"""

_FOOT = """
}  // namespace program
}  // namespace cladpy_oracle
"""


_ERROR = f"""
extern "C" const char *{ERROR}(int status) {{
  if (*cladpy_oracle::hosted::thrown) return cladpy_oracle::hosted::thrown;
  const char *text = cladpy_host_error();
  return *text ? text : cudaGetErrorString(static_cast<cudaError_t>(status));
}}
extern "C" int {CHANGED}() {{ return cladpy_oracle::program::globals::changed(); }}
extern "C" void {DIRECT}(int directed, unsigned draw) {{ cladpy_oracle::side() = {{directed != 0, false, draw}}; }}
extern "C" int {TURNED}() {{ return cladpy_oracle::side().turned; }}
"""


@dataclass(frozen=True, slots=True)
class Emitted:
    text: str
    holds_source: bool  # the user's, which then must be compiled with the user's options
    variables: tuple[Symbol, ...]  # at namespace scope, in the order in which the entry takes them
    halves: bool  # whether numbers of sixteen bits occur, whose types come before the oracle's headers


def _swaps(program: s.Program) -> bool:
    """Whether something compares and swaps, or joins halves of numbers: then numbers may be integers for a while."""
    return any(
        isinstance(node, s.Call) and (known.operation(name := node.callee.name) is known.Operation.SWAP or _joins(name))
        for function in program.functions.values()
        for node in walk(function.body)
    )


def _joins(name: str) -> bool:
    row = known.of(name)
    return isinstance(row, known.Bits) and not row.whole and not row.to_integer


def emit_program(
    program: s.Program, source: Source | None, directories: Sequence[str] = (), *, watched: bool = False
) -> Emitted:
    """The C++ text; `source` is what the program was read from, and is needed where it names variables outside of
    functions, as are the `directories` of what it includes. What is `watched` says where it is, and the names of shared
    arrays. Raises DifferentiationError for what forward mode does not know (CP0901 to CP0904)."""
    sink = Sink({} if source is None else {source.name: source.text})
    names = {symbol: f"{_identifier(symbol.name)}_f{i}" for i, symbol in enumerate(program.functions)}
    file = program.functions[program.entry].span.file if watched else ""
    emit = Expressions(in_memory(program), names, sink, swaps=_swaps(program), watched=file)
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
    # the entry and the variables may name classes that no function does, so the definitions of classes are made last
    entry = _entry(program, names[program.entry], emit.classes, emit.globals)
    tail = [_FOOT, entry, emit.globals.definitions(source, program, directories)]
    variables = emit.globals.declarations()
    rest = [variables, *heads, "", "\n\n".join(bodies), *tail]
    halves = any(map(uses_halves, rest))
    head = [_HEAD, *(f"#undef {name}" for name, _ in program.redefined)]
    parts = [*(["#include <cuda_fp16.h>"] if halves else []), *head, emit.classes.definitions(halves=halves), *rest]
    return Emitted("\n".join(parts), bool(emit.globals), emit.globals.symbols, halves)


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def _entry(program: s.Program, name: str, classes: Classes, globals: Globals) -> str:
    """`args[i]` points to the value of the i-th argument. `regions` are first those that last as long as the program
    runs, then `passing` ones, of what is passed by value and of the result. `variables` point to the contents of those
    at namespace scope, `variable_cells` to their tangents; null where the caller gives none."""
    before, after = globals.given()
    function = program.functions[program.entry]
    lines = [
        f'extern "C" int {ENTRY}(const unsigned *grid, const unsigned *block, std::size_t shared, void *const *args,',
        "                 const cladpy_oracle::region *regions, std::size_t lasting, std::size_t passing,",
        "                 void *result, void *const *variables, void *const *variable_cells) {",
        "  using namespace cladpy_oracle;",
        "  using namespace cladpy_oracle::program;",
        "  shadows.reset();",
        "  swaps::reset();",
        "  program::globals::reset();",
        *before,
        "  shadows.add_regions(regions, lasting + passing);",
        "  (void)grid, (void)block, (void)shared, (void)args, (void)result, (void)variables, (void)variable_cells;",
    ]
    passed = []
    for i, p in enumerate(function.parameters):
        text = f"*static_cast<{classes.spell(Pointer(without_restrict(strip_reference(p.type))))}>(args[{i}])"
        if is_floating(p.type) or isinstance(p.type, Struct):
            lines.append(f"  const auto value_{i} = load({text});")
            text = f"value_{i}"
        passed.append(text)
    lines.append("  shadows.drop_regions(passing);")
    call = f"program::{name}({', '.join(passed)})"
    if function.symbol.kind is FunctionKind.KERNEL:
        lines += [
            "  dim3 grid_dim(grid[0], grid[1], grid[2]);",
            "  dim3 block_dim(block[0], block[1], block[2]);",
            f"  const int status = cladpy::host::launch(grid_dim, block_dim, shared, nullptr, [&] {{ {call}; }});",
        ]
    elif function.symbol.kind is FunctionKind.DEVICE:
        body = _plain_call(function.symbol.result, call, classes)
        lines.append(f"  const int status = cladpy::host::launch(dim3(1), dim3(1), 0, nullptr, [&] {{ {body} }});")
    else:
        run = _plain_call(function.symbol.result, call, classes)
        lines.append(f"  const int status = hosted::guarded([&] {{ {run} }});")
    return "\n".join([*lines, *after, "  return status;", "}", _ERROR])


def _plain_call(type: Type, call: str, classes: Classes) -> str:
    """The call as statements that keep what it returns."""
    if isinstance(type, Void):
        return f"{call};"
    result = strip_reference(type)
    place = f"*static_cast<{classes.spell(Pointer(result))}>(result)"
    if not (is_floating(result) or isinstance(result, Struct)):
        return f"{place} = {call};"
    if isinstance(type, Reference):
        # what is returned is an lvalue: its value and tangent are read from memory
        call = f"load({call})"
    return (
        f"const auto value = {call}; shadows.add_regions(regions + lasting, passing);"
        f" (void)store<{classes.spell(result)}>{{value, {place}}};"
    )
