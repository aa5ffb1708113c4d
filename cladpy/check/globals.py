"""Variables at namespace scope: the oracle's file holds the user's source, and reads and writes the variables there.

The source may define any macro, so it comes last: the functions before it reach a variable through `globals::gN()`,
which is defined after it. Variables that are not const get their first contents back before every run, so that no run
sees what another left.
"""

from __future__ import annotations

from collections.abc import Sequence

from cladpy.check.classes import Classes, float_offsets
from cladpy.emit.host_source import host_source
from cladpy.ir import surface as s
from cladpy.ir.symbols import Space, Symbol
from cladpy.ir.types import Array, Pointer, Reference, Scalar, Struct, Type, size_of, spell
from cladpy.quoting import literal
from cladpy.source import Source


def named(place: str, symbol: Symbol) -> str:
    """The statement by which what watches learns the name of shared memory."""
    return f"cladpy::host::race_check.named(&{place}, sizeof {place}, {literal(symbol.name)});"


class Globals:
    """The variables at namespace scope that a program names, in the order of their first use."""

    def __init__(self, classes: Classes, *, watched: bool = False) -> None:
        self._classes = classes
        self._watched = watched
        self._positions: dict[Symbol, int] = {}
        self._shared: dict[Symbol, int] = {}  # by blocks: these have nothing to be given, or to bring back

    def __bool__(self) -> bool:
        return bool(self._positions)

    def knows(self, symbol: Symbol) -> bool:
        """Whether a variable can be named: numbers, pointers and what is made of them."""
        return isinstance(symbol.type, Scalar | Array | Struct | Pointer)

    def place(self, symbol: Symbol) -> str:
        """The variable as an lvalue."""
        if symbol.space is Space.SHARED:
            return f"globals::shared{self._shared.setdefault(symbol, len(self._shared))}()"
        if isinstance(symbol.type, Struct) and not symbol.type.fields:  # a word of a library's, such as Kokkos::ALL
            return f"nothing<{self._classes.spell(symbol.type)}>()"
        return f"globals::g{self._positions.setdefault(symbol, len(self._positions))}()"

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return tuple(self._positions)

    def given(self) -> tuple[list[str], list[str]]:
        """Statements of the entry: before the run, what puts the contents that the caller gives into a variable, and
        says where its tangents are; after it, what brings the contents back."""
        before, after = [], []
        for symbol, i in self._positions.items():
            place = f"program::globals::g{i}()"
            if not symbol.const:
                before.append(f"  program::globals::given[{i}] = variables[{i}] != nullptr;")
                before.append(f"  if (variables[{i}]) std::memcpy(&{place}, variables[{i}], sizeof {place});")
                after.append(f"  if (variables[{i}]) std::memcpy(variables[{i}], &{place}, sizeof {place});")
            element = _element(symbol.type)
            offsets = float_offsets(element)
            if offsets:
                size = size_of(element)
                before += [
                    f"  static const std::size_t offsets_{i}[] = {{{', '.join(map(str, offsets))}}};",
                    f"  const region variable_{i} = {{reinterpret_cast<const char *>(&{place}),",
                    f"                             sizeof {place} / {size}, {size}, offsets_{i}, {len(offsets)},",
                    f"                             static_cast<cell *>(variable_cells[{i}])}};",
                    f"  if (variable_cells[{i}]) shadows.add_regions(&variable_{i}, 1);",
                ]
        return before, after

    def declarations(self) -> str:
        """What stands before the functions; `reset` and `changed` exist for any program."""
        heads = [f"static {self._head(symbol)};" for symbol in self._positions]
        heads += [f"static bool given[{len(heads)}];"] if heads else []
        for symbol, i in self._shared.items():
            held = f"CLADPY_ORACLE_SHARED static {self._classes.declare(symbol.type, 'held')};"
            head = self._classes.declare(Reference(symbol.type), f"shared{i}()")
            told = f" {named('held', symbol)}" if self._watched else ""
            heads.append(f"static {head} {{ {held}{told} return held; }}")
        return "\n".join(["namespace globals {", *heads, "static void reset();", "static bool changed();", "}"])

    def definitions(self, source: Source | None, program: s.Program, directories: Sequence[str]) -> str:
        """What stands after everything else. `source` is None only where there are no variables; the user's includes
        are looked for in `directories`."""
        lines = []
        if source is not None and self._positions:
            # the 3 says that what follows is a system header, whose warnings are not ours to report
            lines += [
                f"# 1 {literal(source.name)} 3",
                host_source(source, program, directories) or source.text,
                '# 1 "<oracle>" 2',
            ]
        lines += ["namespace cladpy_oracle {", "namespace program {", "namespace globals {"]
        lines += [f"static {self._head(symbol)} {{ return {self._object(symbol)}; }}" for symbol in self._positions]
        writable = [i for symbol, i in self._positions.items() if not symbol.const]
        lines += [
            *(f"static first_contents<sizeof g{i}()> first{i};" for i in writable),
            "static void reset() {",
            *(f"  first{i}.keep_or_restore(&g{i}());" for i in writable),
            "}",
            "static bool changed() {",
            *(f"  if (!given[{i}] && first{i}.differ(&g{i}())) return true;" for i in writable),
            "  return false;",
            *["}"] * 4,
        ]
        return "\n".join([*lines, ""])

    def _head(self, symbol: Symbol) -> str:
        return self._classes.declare(Reference(symbol.type, const=symbol.const), f"g{self._positions[symbol]}()")

    def _object(self, symbol: Symbol) -> str:
        """The program's variable; one of a class as the bytes that the oracle has for it, an enumeration as its
        integer."""
        type = Pointer(symbol.type, const=symbol.const)
        pointer = self._classes.spell(type)
        if pointer == spell(type):
            return f"::{symbol.name}"
        return f"*reinterpret_cast<{pointer}>(&::{symbol.name})"


def _element(type: Type) -> Type:
    return _element(type.element) if isinstance(type, Array) else type
