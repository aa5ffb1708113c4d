"""Building structured SSA: the versions of all cells, the statement list being filled, merges at branches and loops.

Cells (scalar and pointer variables) have a current content in a stack of layers, one layer for each branch or loop
body that is open, so that what a branch changed is known without comparing everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.fold import unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, INT, LONG, Opaque, is_floating
from cladpy.ir.walk import subexpressions
from cladpy.normalize.places import Cell, Pointer, Target, converted, nested, padded, steps_of, unnested
from cladpy.normalize.report import Report

Content = core.Expr | Pointer
# What constants of handles are besides null, and numbers that the program gives: made here, and made here or null.
MADE, UNSURE = -1, -2
TRUE = core.Const(True, BOOL)
FALSE = core.Const(False, BOOL)


@dataclass(slots=True, eq=False)
class SSA:
    report: Report
    out: list[core.Statement] = field(default_factory=list)
    layers: list[dict[Cell, Content]] = field(default_factory=lambda: [{}])
    links_known: int = 0  # how many targets pointers in memory have been seen to lead to
    depth: int = 0  # how many loops are around
    changing: set[Cell] = field(
        default_factory=set
    )  # cells that loops are known to change, not merely by their objects
    lets: dict[core.Value, core.Expr] = field(default_factory=dict)  # what values are made of
    unsure: set[core.Value] = field(default_factory=set)  # handles that may be made here
    unsure_in_memory: set[Opaque] = field(default_factory=set)  # types of those that are stored
    # uses of null pointers in loops: perhaps more is found out about these
    nulls: list[tuple[str, Span]] = field(default_factory=list)

    # ---- null pointers ---------------------------------------------------------------------------------------------

    def null_is(self, used: str, span: Span) -> None:
        """Refuses the use of a null pointer. In a loop that is done when it is known where pointers may lead there."""
        if self.depth == 0:
            raise self.report.refuse("CP0207", f"a null pointer is {used}", span, "initialise the pointer first")
        self.nulls.append((used, span))

    # ---- contents of cells -----------------------------------------------------------------------------------------

    def lookup(self, cell: Cell) -> Content | None:
        for layer in reversed(self.layers):
            if cell in layer:
                return layer[cell]
        return None

    def content(self, cell: Cell) -> Content:
        found = self.lookup(cell)
        if found is None:
            raise AssertionError(f"{cell.name} has no content")
        return found

    def scalar(self, cell: Cell) -> core.Expr:
        found = self.content(cell)
        assert not isinstance(found, Pointer)
        return found

    def assign(self, cell: Cell, content: Content, span: Span) -> None:
        """A new version of the cell. What is more than a name gets one, so that it is computed once."""
        if isinstance(content, Pointer):
            offset = nested([self.named(i, cell.name, span) for i in unnested(content.offset)])
            tag = None if content.tag is None else self.named(content.tag, cell.name + "_which", span)
            self.layers[-1][cell] = Pointer(content.targets, offset, tag)
        else:
            self.layers[-1][cell] = self.named(content, cell.name, span)

    def named(self, expr: core.Expr, name: str, span: Span) -> core.Expr:
        if isinstance(expr, core.Const | core.Use):
            return expr
        value = core.Value(name, expr.type)
        self.out.append(core.Let(value, expr, span))
        self.lets[value] = expr
        return core.Use(value)

    # ---- regions ---------------------------------------------------------------------------------------------------

    def capture(self, fill: Callable[[], None]) -> tuple[list[core.Statement], dict[Cell, Content]]:
        """Runs `fill` on a fresh region and layer; gives the statements and what they changed."""
        saved, self.out = self.out, []
        self.layers.append({})
        try:
            fill()
            return self.out, self.layers[-1]
        finally:
            self.layers.pop()
            self.out = saved

    def branch(self, condition: core.Expr, then: Callable[[], None], other: Callable[[], None], span: Span) -> None:
        """`if (condition) then else other`, merging what they assign."""
        if isinstance(condition, core.Const):
            (then if condition.value else other)()
            return
        if any(is_floating(e.type) for e in subexpressions(condition)):
            condition = self.named(condition, "taken", span)  # decided once; the reverse sweep uses the same bit
        then_out, then_changes = self.capture(then)
        other_out, other_changes = self.capture(other)
        merges: list[core.Merge] = []
        if len(then_changes) + len(other_changes) > 0 and not isinstance(condition, core.Use):
            flags = [c for c in (*then_changes, *other_changes) if c.type == BOOL and self.lookup(c) is not None]
            if flags:  # a flag may become the condition itself, which is then used more than once
                condition = self.named(condition, "taken", span)
        for cell in [*then_changes, *(c for c in other_changes if c not in then_changes)]:
            before = self.lookup(cell)
            if before is None:  # declared within
                continue
            a, b = then_changes.get(cell, before), other_changes.get(cell, before)
            self.layers[-1][cell] = self._merge(cell.name, condition, a, b, merges)
        simple = not then_out and not other_out
        if simple and all(is_cheap(m.then) and is_cheap(m.other) for m in merges):
            for m in merges:
                self.out.append(core.Let(m.value, core.Select(condition, m.then, m.other, m.value.type), span))
        else:
            self.out.append(core.If(condition, tuple(then_out), tuple(other_out), tuple(merges), span))

    def _merge(self, name: str, condition: core.Expr, a: Content, b: Content, merges: list[core.Merge]) -> Content:
        if a == b:
            return a
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            targets = union(a.targets, b.targets)
            tag: core.Expr | None = None
            if len(targets) > 1:
                merged_tag = self._merge(name + "_which", condition, tag_in(a, targets), tag_in(b, targets), merges)
                assert not isinstance(merged_tag, Pointer)
                tag = merged_tag
            steps = max(steps_of(t) for t in targets)
            indices: list[core.Expr] = []
            for i, j in zip(padded(a.offset, steps), padded(b.offset, steps), strict=True):
                if i.type != j.type:
                    i, j = converted(i, LONG), converted(j, LONG)
                index = self._merge(name, condition, i, j, merges)
                assert not isinstance(index, Pointer)
                indices.append(index)
            return Pointer(targets, nested(indices), tag)
        assert not isinstance(a, Pointer) and not isinstance(b, Pointer)
        if a.type == BOOL and isinstance(a, core.Const) and isinstance(b, core.Const):
            return condition if a.value else unary(UnaryOp.NOT, condition, BOOL)
        value = core.Value(name, a.type)
        merges.append(core.Merge(value, a, b))
        if any(self.unsure_handle(e) or (isinstance(e, core.Const) and e.value in (MADE, UNSURE)) for e in (a, b)):
            self.unsure.add(value)
        return core.Use(value)

    def unsure_handle(self, expr: core.Expr) -> bool:
        return isinstance(expr, core.Use) and expr.value in self.unsure

    def _targets(self, cell: Cell) -> tuple[Target, ...]:
        content = self.content(cell)
        return content.targets if isinstance(content, Pointer) else ()

    def loop(
        self,
        cells: list[Cell],
        condition: Callable[[], core.Expr],
        body: Callable[[], None],
        span: Span,
        team: core.Team | None = None,
    ) -> None:
        """`while (condition) body`, where `cells` may change. It is tried again where the body turns out to change
        more, or to make a pointer point elsewhere. A constant that is not known to change is one until it does."""
        cells, nulls = list(cells), len(self.nulls)
        staying = {c for c in cells if c not in self.changing and isinstance(self.content(c), core.Const)}
        targets = {c: content.targets for c in cells if isinstance(content := self.content(c), Pointer)}
        while True:
            more = self._try_loop([c for c in cells if c not in staying], targets, condition, body, span, team)
            if more is None:
                break
            del self.nulls[nulls:]
            for cell, seen in more.items():
                self.changing.add(cell)
                staying.discard(cell)
                if cell not in cells:
                    cells.append(cell)
                if seen:
                    targets[cell] = union(targets.get(cell, ()), seen)
        if self.depth == 0 and self.nulls:
            self.null_is(*self.nulls[0])

    def _try_loop(
        self,
        cells: list[Cell],
        targets: dict[Cell, tuple[Target, ...]],
        condition: Callable[[], core.Expr],
        body: Callable[[], None],
        span: Span,
        team: core.Team | None,
    ) -> dict[Cell, tuple[Target, ...]] | None:
        """None where it went well; else the cells that must be carried too, with what they may point to."""
        inits: list[tuple[core.Expr, core.Value]] = []  # initial content and block argument, a pair per scalar carried
        start: dict[Cell, Content] = {}

        def carry(expr: core.Expr, name: str) -> core.Expr:
            value = core.Value(name, expr.type)
            inits.append((expr, value))
            if isinstance(expr.type, Opaque):
                self.unsure.add(value)
            return core.Use(value)

        for cell in cells:
            content = self.content(cell)
            if isinstance(content, Pointer):
                roots = targets[cell]
                tag = carry(tag_in(content, roots), cell.name + "_which") if len(roots) > 1 else None
                steps = max(steps_of(t) for t in roots)
                carried_steps = [carry(converted(i, LONG), cell.name) for i in padded(content.offset, steps)]
                start[cell] = Pointer(roots, nested(carried_steps), tag)
            else:
                start[cell] = carry(content, cell.name)

        saved, self.layers = self.layers, [*self.layers, dict(start)]
        known = self.links_known, len(self.unsure_in_memory)
        self.depth += 1
        try:
            test: list[core.Expr] = []
            before, changed = self.capture(lambda: test.append(condition()))
            if any(self.lookup(c) is not None for c in changed):
                raise AssertionError("a loop's condition has side effects")
            if test == [FALSE] and not before:
                return None  # it never runs
            body_out, changes = self.capture(body)
        finally:
            self.layers = saved
            self.depth -= 1

        grown = {c: self._targets(c) for c in changes if c not in start and self.lookup(c) is not None}
        nexts: list[core.Expr] = []
        for cell in cells:
            content = changes.get(cell, start[cell])
            if isinstance(content, Pointer):
                seen = union(targets[cell], content.targets)
                if seen != targets[cell]:
                    grown[cell] = seen
                    continue
                if len(targets[cell]) > 1:
                    nexts.append(tag_in(content, targets[cell]))
                steps = max(steps_of(t) for t in targets[cell])
                nexts += [converted(i, LONG) for i in padded(content.offset, steps)]
            else:
                nexts.append(content)
        # what was read before may lead there too, or be one of these handles
        if grown or known != (self.links_known, len(self.unsure_in_memory)):
            return grown

        carried = tuple(
            core.Carried(value, init, next_, core.Value(value.name, value.type))
            for (init, value), next_ in zip(inits, nexts, strict=True)
        )
        self.unsure.update(c.result for c in carried if c.value in self.unsure)
        # what no iteration changes is what it was, and may be a constant
        results = iter(c.init if c.next == core.Use(c.value) else core.Use(c.result) for c in carried)
        for cell in cells:
            content = start[cell]
            if isinstance(content, Pointer):
                tag = next(results) if content.tag is not None else None
                offset = nested([next(results) for _ in unnested(content.offset)])
                self.layers[-1][cell] = Pointer(content.targets, offset, tag)
            else:
                self.layers[-1][cell] = next(results)
        self.out.append(core.Loop(carried, tuple(before), test[0], tuple(body_out), span, team=team))
        return None


def union(a: tuple[Target, ...], b: tuple[Target, ...]) -> tuple[Target, ...]:
    return a + tuple(t for t in b if t not in a)


def tag_in(pointer: Pointer, targets: tuple[Target, ...]) -> core.Expr:
    """The position in `targets` of what the pointer points to."""
    if pointer.tag is None:
        return core.Const(targets.index(pointer.targets[0]), INT)
    if pointer.targets == targets[: len(pointer.targets)]:
        return pointer.tag
    expr: core.Expr = core.Const(targets.index(pointer.targets[0]), INT)
    for i, target in enumerate(pointer.targets[1:], 1):
        chosen = core.Binary(BinaryOp.EQ, pointer.tag, core.Const(i, INT), BOOL)
        expr = core.Select(chosen, core.Const(targets.index(target), INT), expr, INT)
    return expr


def is_cheap(expr: core.Expr) -> bool:
    """Whether evaluating an expression needlessly costs nothing worth a branch, and cannot fault."""
    return not any(_is_costly(e) for e in subexpressions(expr))


def _is_costly(expr: core.Expr) -> bool:
    match expr:
        case core.OfPointer(_, _, _, index):
            return index is not None  # it reads memory then
        case core.Binary(op):
            return op in (BinaryOp.DIV, BinaryOp.REM)
        case _:
            return isinstance(expr, core.Math | core.Formula | core.Linear)
