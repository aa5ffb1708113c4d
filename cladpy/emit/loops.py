"""Loops of generated code as C++ text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cladpy.emit.literals import literal
from cladpy.emit.mentioned import read_variables
from cladpy.emit.readable import step_of
from cladpy.emit.row_sums import InRows, in_rows
from cladpy.ir import code, core
from cladpy.ir.code_walk import variables_read
from cladpy.ir.fold import cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import LONG, Type, declare, is_signed, spell

if TYPE_CHECKING:
    from cladpy.emit.statements import Statements


class Loops:
    """What `statements` prints around and between the statements of a body."""

    def __init__(self, statements: Statements) -> None:
        self.s = statements
        self.e = statements.e
        self.names = statements.names

    def while_(self, loop: code.While, depth: int, begin: code.Define | None = None) -> list[str]:
        """`begin` is the definition of a variable that is the loop's own, with its first value."""
        pad = "  " * depth
        condition = self.e.text(loop.condition)
        if loop.fetched:
            count = self.names.fresh("_count")
            fetch = [f"if (!({condition})) continue;", f"{count} = {{}} + 1;"]
            lines = self._in_batches(loop, fetch, [f"if ({{}} >= {count}) continue;"], depth)
            return [f"{pad}while ({condition}) {{", f"{pad}  int {count} = 0;", *lines, f"{pad}}}"]
        if not loop.before:
            first = [] if begin is None else self.s.define(begin)
            outside = [] if len(first) == 1 else [pad + line for line in first]  # too long a way: see `ways`
            step = step_of(loop)
            if step is None:
                return [f"{pad}while ({condition}) {{", *self.s.block(loop.body, depth + 1), f"{pad}}}"]
            begun = first[0].removesuffix(";") if not outside and first else ""
            after = self.s.assign(step.variable, step.expr).removesuffix(";")
            body = self.s.block(tuple(s for s in loop.body if s is not step), depth + 1)
            return [*outside, f"{pad}for ({begun}; {condition}; {after}) {{", *body, f"{pad}}}"]
        lines = [f"{pad}while (true) {{", *self.s.block(loop.before, depth + 1)]
        lines.append(f"{pad}  if (!{self.e.operand(loop.condition)}) break;")
        return [*lines, *self.s.block(loop.body, depth + 1), f"{pad}}}"]

    def rewind(self, rewind: code.Rewind, depth: int) -> list[str]:
        pad = "  " * depth
        states, clock = self.names.of(rewind.states.variable), self.names.of(rewind.clock)
        step, state = self.e.operand(rewind.step), ", ".join(self.names.of(v) for _, v in rewind.variables)
        start, after = f"{states}.rewind({step}, {state})", f"{states}.put(++{clock}, {state})"
        self.s.ways.begin(clock, start)
        head = f"{pad}for ({spell(rewind.clock.type)} {clock} = {start}; {clock} < {step}; {after}) {{"
        return [head, *self.s.block(rewind.body, depth + 1), f"{pad}}}"]

    def count_down(self, loop: code.CountDown, depth: int) -> list[str]:
        pad = "  " * depth
        if loop.at_once is not None:
            return self._at_once(loop, loop.at_once, depth)
        if loop.soon is not None:
            fetch = f"{pad}{code.TAPE}.fetch({self.e.text(loop.soon)});"
            return [fetch, *self.count_down(replace(loop, soon=None), depth)]
        rows = None if self.s.sums is None or self.s.rows else in_rows(loop, self.s.sums)
        if rows is not None:
            return self._in_rows(loop, rows, depth)
        return self._count_down(loop, depth)

    def _at_once(self, loop: code.CountDown, how: code.AtOnce, depth: int) -> list[str]:
        """A loop whose iterations the threads of OpenMP share; each has its part of the tape."""
        pad, type, name = "  " * depth, spell(loop.variable.type), self.names.of(loop.variable)
        count, tape = self.e.operand(cast(loop.count, loop.variable.type)), self.s.tape
        lines: list[str] = []
        own: list[str] = []
        if how.rows is not None:
            rows = self.names.fresh("_rows")
            kind = "rows_to_fill" if how.rows is code.Rows.FILLED else "rows_to_read"
            many = f"{count}, " if how.rows is code.Rows.FILLED else ""
            lines.append(f"{pad}cladpy::{kind} {rows}({tape}, {many}{how.slots});")
            self.s.tape = self.names.fresh("_row")
            own.append(f"{pad}  cladpy::row {self.s.tape}({rows}, {name});")
        elif how.own_tape:
            self.s.tape = self.names.fresh("_own_tape")
            own.append(f"{pad}  cladpy::growing_tape {self.s.tape};")
        sums = f" reduction(+ : {', '.join(map(self.names.of, how.sums))})" if how.sums else ""
        lines.append(f"#pragma omp parallel for{sums}")
        lines.append(f"{pad}for ({type} {name} = 0; {name} < {count}; ++{name}) {{")
        lines += (*own, *self.s.block(loop.body, depth + 1), f"{pad}}}")
        self.s.tape = tape
        return lines

    def _in_rows(self, loop: code.CountDown, found: InRows, depth: int) -> list[str]:
        """A loop that adds to rows of sums; and as it was, where there is no room for these."""
        pad = "  " * depth
        type, count = loop.variable.type, cast(loop.count, LONG)
        lines: list[str] = []
        rows: list[str] = []
        for row, added in found.rows:
            name = self.names.fresh("_row")
            cell = spell(row.root.adjoint_cell)
            elements = (f"&{self.e.element(row.root, index, adjoint=True)}" for index in (row.first, row.second))
            given = ", ".join((*elements, self.e.text(count)))
            lines.append(f"{pad}{cell} *const {name} = cladpy::row_of_sums({given});")
            self.s.rows.update((s, f"{name}[{self.names.of(loop.variable)}]") for s in added)
            rows.append(name)
        inner = depth + bool(rows)
        if found.apart:
            name = self.names.of(loop.variable)
            summed = ", ".join(map(self.names.of, found.summed))
            end = self.e.operand(cast(loop.count, type))
            body = [
                f"{'  ' * inner}{f'CLADPY_SUMS({summed})' if summed else 'CLADPY_APART'}",
                f"{'  ' * inner}for ({spell(type)} {name} = 0; {name} < {end}; ++{name}) {{",
                *self.s.block(loop.body, inner + 1),
                f"{'  ' * inner}}}",
            ]
        else:
            body = self._count_down(InRows.plain(loop), inner)
        self.s.rows.clear()
        if not rows:
            return body
        lines += (f"{pad}if ({' && '.join(rows)}) {{", *body, f"{pad}}} else {{")
        return [*lines, *self._count_down(loop, inner), f"{pad}}}"]

    def _count_down(self, loop: code.CountDown, depth: int) -> list[str]:
        pad = "  " * depth
        name, count = self.names.of(loop.variable), loop.count
        if loop.mask is not None:
            most = f"cladpy::largest({self.e.text(loop.mask)}, {self.e.text(cast(count, LONG))})"
            self.s.ways.begin(name, most)
            head = f"{pad}for (long {name} = {most} - 1; {name} >= 0; --{name}) {{"
            mine = f"{pad}  if ({name} < {self.e.operand(count)}) {{"
            return [head, mine, *self.s.block(loop.body, depth + 2), f"{pad}  }}", f"{pad}}}"]
        type = loop.variable.type
        if loop.in_step:
            most = f"cladpy::in_step<{spell(type)}>({self.e.text(count)})"
            self.s.ways.begin(name, most)
            head = f"{pad}{_down(type, name, most, f'{most} - 1')}"
            mine = f"{pad}  if ({name} < {self.e.operand(count)}) {{"
            return [head, mine, *self.s.block(loop.body, depth + 2), f"{pad}  }}", f"{pad}}}"]
        last = core.Binary(BinaryOp.SUB, cast(count, type), core.Const(1, type), type)
        start = literal(int(count.value) - 1, type) if isinstance(count, core.Const) else self.e.text(last)
        self.s.ways.begin(name, start)
        if loop.fetched:
            if is_signed(type):
                first = self.names.fresh("_first")
                begin = [f"const {spell(type)} {name} = {first} - {{}};", f"if ({name} < 0) continue;"]
                head = f"{pad}for ({spell(type)} {first} = {start}; {first} >= 0; {first} -= {loop.batch}) {{"
            else:
                left, own, many = self.names.fresh("_left"), f"({spell(type)}){{}}", f"{loop.batch}u"
                begin = [f"const {spell(type)} {name} = {left} - 1u - {own};", f"if ({left} <= {own}) continue;"]
                after = f"{left} -= {left} < {many} ? {left} : {many}"
                head = f"{pad}for ({spell(type)} {left} = {self.e.text(cast(count, type))}; {left} > 0u; {after}) {{"
            return [head, *self._in_batches(loop, begin, begin, depth), f"{pad}}}"]
        head = f"{pad}{_down(type, name, self.e.text(cast(count, type)), start)}"
        unrolled = [f"{pad}CLADPY_UNROLL"] if loop.unrolled else []
        return [*unrolled, head, *self.s.block(loop.body, depth + 1), f"{pad}}}"]

    def _in_batches(
        self, loop: code.While | code.CountDown, before_loads: list[str], before: list[str], depth: int
    ) -> list[str]:
        """For each batch of iterations the loads of all, into arrays, and then the rest of all. What is put `before`
        the two has `{}` for the number of an iteration in its batch."""
        pad, place = "  " * depth, self.names.fresh("_i")
        fetched, rest = loop.body[: loop.fetched], loop.body[loop.fetched :]
        counters = {s.variable for s in fetched if isinstance(s, code.Assign)}
        for_loads, later = read_variables(fetched), read_variables(rest)
        arrays: list[str] = []
        fetch: list[str] = []
        again: list[str] = []
        for s in reversed(fetched):
            if isinstance(s, code.Assign):
                fetch.insert(0, f"{pad}    {self.s.assign(s.variable, s.expr)}")
                continue
            assert isinstance(s, code.Define)
            value = declare(s.variable.type, self.names.of(s.variable))
            inside = [f"{pad}    {line}" for line in self.s.define(s)]
            if s.variable in later:
                made_of = set(variables_read(s))
                if isinstance(s.init, code.Element) or not counters.isdisjoint(made_of):
                    array = self.names.fresh(f"{self.names.of(s.variable)}_of")
                    arrays.insert(0, f"{pad}  {declare(s.variable.type, array)}[{loop.batch}];")
                    again.insert(0, f"{pad}    const {value} = {array}[{place}];")
                    kept = self.names.of(s.variable) if s.variable in for_loads else self.s.initializer(s.init)
                    inside = [*(inside if s.variable in for_loads else []), f"{pad}    {array}[{place}] = {kept};"]
                else:
                    later |= made_of
                    again = [*inside, *again]
            fetch = [*self.s.quote(s, depth + 2), *inside, *fetch]
        for s in fetched:  # in the order in which one names another, unlike above
            if isinstance(s, code.Define):
                name, text = self.names.of(s.variable), self.s.initializer(s.init)
                value = declare(s.variable.type, name)
                if not self.s.ways.fits(name, text):
                    fetch, again = (_divided(lines, value, name) for lines in (fetch, again))
        each = [
            f"{pad}  CLADPY_UNROLL",
            f"{pad}  for (int {place} = 0; {place} < {loop.batch}; ++{place}) {{",
        ]
        return [
            *arrays,
            *each,
            *(f"{pad}    {line.format(place)}" for line in before_loads),
            *fetch,
            f"{pad}  }}",
            *each,
            *(f"{pad}    {line.format(place)}" for line in before),
            *again,
            *self.s.block(rest, depth + 2),
            f"{pad}  }}",
        ]


def _down(type: Type, name: str, count: str, last: str) -> str:
    """The head of a loop that counts down from the last of so many iterations."""
    if is_signed(type):
        return f"for ({spell(type)} {name} = {last}; {name} >= 0; --{name}) {{"
    return f"for ({spell(type)} {name} = {count}; {name}-- > 0u;) {{"


def _divided(lines: list[str], value: str, name: str) -> list[str]:
    """The lines with a declaration and an assignment for each initialisation of a variable."""
    found: list[str] = []
    for line in lines:
        pad, mark, initializer = line.partition(f"const {value} = ")
        found += [f"{pad}{value};", f"{pad}{name} = {initializer}"] if mark else [line]
    return found
