"""A kernel's body for a whole block as C++ text: loops over its threads, by <cladpy/host/phases.h>.

What each thread has from phase to phase is an array with a place for each; in a phase it is a variable.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cladpy.emit.statements import Statements, privatised_name, without_default
from cladpy.ir import code, core
from cladpy.ir.core import Value
from cladpy.ir.phases import Count, If, Loop, Meet, Node, Nodes, Once, Phase, Phases
from cladpy.ir.types import declare, spell

_ALL = "_block_threads"


def phases_text(phases: Phases, printer: Statements, tape: str) -> str:
    """`tape` is the type of a thread's."""
    return "\n".join(_Text(printer, tape).whole(phases))


@dataclass(slots=True)
class _Text:
    s: Statements
    tape: str
    held: dict[Value, str] = field(default_factory=dict)

    def whole(self, phases: Phases) -> list[str]:
        names = self.s.names
        lines = [f"  CLADPY_WHOLE_BLOCK({_ALL});"]
        for v in phases.held:
            self.held[v] = names.fresh(f"{names.of(v)}_of")
            lines.append(f"  cladpy::host::of_threads<{spell(v.type)}> {self.held[v]};")
        arrays: set[tuple[core.Root, bool]] = set()
        for array in phases.arrays:
            key = (array.root.storage, array.adjoint)
            name = names.fresh(f"{names.of(key)}_of")
            type = spell(array.root.adjoint_cell if array.adjoint else array.root.element)
            lines.append(f"  cladpy::host::of_threads<{type}[{array.root.length or 1}]> {name};")
            names.given[key] = f"{name}[_t]"
            arrays.add((array.root, array.adjoint))
        self.s.held = frozenset(arrays)
        if phases.tape:
            lines.append(f"  {self.tape} *const _tapes = cladpy::host::tapes_of_threads<{self.tape}>({_ALL});")
            self.s.tape = "_tapes[_t]"
        return [*lines, *self.nodes(phases.nodes, 1)]

    def nodes(self, nodes: Nodes, depth: int) -> list[str]:
        return [line for node in nodes for line in self.node(node, depth)]

    def node(self, node: Node, depth: int) -> list[str]:
        pad = "  " * depth
        match node:
            case Phase():
                return self.phase(node, depth)
            case Once(code.CallPullback(name, arguments)):
                given = ", ".join([_ALL, *map(self.s.argument, arguments)])
                return [f"{pad}{name.replace('cladpy::', 'cladpy::host::threads::')}({given});"]
            case Once(statement):
                return self.s.block((statement,), depth)
            case Meet(name, arguments, variable, under, alike):
                given = f"{_ALL}, {'cladpy::host::everybody' if under is None else f'{self.held[under]}.of'}"
                texts = [self.argument(e) for e in without_default(arguments)]
                function = f"cladpy::host::threads::{name.removeprefix('cladpy::').strip('_')}"
                if alike:
                    text = f"{function}({', '.join([given, *texts])})"
                    return [f"{pad}const {declare(variable.type, self.s.names.of(variable))} = {text};"]
                return [f"{pad}{function}({', '.join([given, f'{self.held[variable]}.of', *texts])});"]
            case If(condition, then, other):
                lines = [f"{pad}if ({self.s.e.text(condition)}) {{", *self.nodes(then, depth + 1)]
                lines += [f"{pad}}} else {{", *self.nodes(other, depth + 1)] if other else []
                return [*lines, f"{pad}}}"]
            case Loop(before, condition, body):
                inside = self.nodes(body, depth + 1)
                if not before:
                    return [f"{pad}while ({self.s.e.text(condition)}) {{", *inside, f"{pad}}}"]
                end = f"{pad}  if (!{self.s.e.operand(condition)}) break;"
                return [f"{pad}while (true) {{", *self.nodes(before, depth + 1), end, *inside, f"{pad}}}"]
            case Count(variable, count, body):
                type, name = spell(variable.type), self.s.names.of(variable)
                start = f"{self.s.e.operand(count)} - 1"
                head = f"{pad}for ({type} {name} = {start}; {name} >= 0; --{name}) {{"
                return [head, *self.nodes(body, depth + 1), f"{pad}}}"]

    def argument(self, expr: core.Expr) -> str:
        if isinstance(expr, core.Use) and expr.value in self.held:
            return f"{self.held[expr.value]}.of"
        return self.s.e.text(expr)

    def phase(self, phase: Phase, depth: int) -> list[str]:
        pad = "  " * depth
        of = _ALL if phase.under is None else f"{_ALL}.under({self.held[phase.under]}.of)"
        rows, added = phase.rows, [f"{pad}{self.added(s, of)}" for s in phase.added]
        if rows is None:
            return [f"{pad}CLADPY_EACH_THREAD(_t, {of}) {{", *self.of_thread(phase, depth + 1), f"{pad}}}", *added]
        place = self.s.names.of(rows.place)
        return [
            f"{pad}CLADPY_EACH_ROW(_t, {of}, {rows.width}, {'true' if rows.of_grid else 'false'}) {{",
            *self.s.block(rows.once, depth + 1),
            f"{pad}  CLADPY_EACH_OF_ROW(_t, {place}) {{",
            *self.of_thread(phase, depth + 2),
            f"{pad}  }}",
            f"{pad}}}",
            *added,
        ]

    def added(self, s: code.AddElement, of: str) -> str:
        """What threads hold is added to sums of the piece."""
        place, value = map(self.argument, (s.index, s.expr))
        asked = self.s.if_asked_for(self.s.names.of((s.root, True)))
        return f"{asked}{privatised_name(self.s.names, s.root)}.add({of}, {place}, {value});"

    def of_thread(self, phase: Phase, depth: int) -> list[str]:
        pad, lines = "  " * depth, []
        for v in phase.loaded:
            const = "" if v in phase.stored else "const "
            name = self.s.names.of(v)
            lines.append(f"{pad}{const}{declare(v.type, name)} = {self.held[v]}[_t];")
        lines += self.s.block(phase.body, depth)
        return [*lines, *(f"{pad}{self.held[v]}[_t] = {self.s.names.of(v)};" for v in phase.stored)]
