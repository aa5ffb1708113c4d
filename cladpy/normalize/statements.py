"""Surface statements to core: `if` and loop as the only control flow, one exit.

`break`, `continue` and `return` become flags, and what follows them runs only where the flags are down. Where an `if`
branch always jumps, what follows the `if` moves into the other branch, so that the usual guard needs no flag at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.ir import core, surface_walk
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, unary
from cladpy.ir.never import assert_never
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import Space, Symbol
from cladpy.ir.types import BOOL, Array, Opaque, Reference, Scalar, Struct
from cladpy.ir.types import Pointer as PointerType
from cladpy.ir.walk import statements
from cladpy.normalize.accesses import Places
from cladpy.normalize.calls import Calls
from cladpy.normalize.exits import Exits
from cladpy.normalize.here import Here
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import NULL, ZERO, Cell, Pointer, cells_in, element_of, scalars_in
from cladpy.normalize.policy import Policy
from cladpy.normalize.ssa import FALSE, SSA, TRUE
from cladpy.normalize.storage import Storage
from cladpy.normalize.teams import team_of
from cladpy.normalize.values import Values
from cladpy.order.scan import Assigned, Jump, Jumps, always_jumps, jumps, once

if TYPE_CHECKING:
    from cladpy.normalize.together import Together


# A loop that allocates is written out up to this many iterations.
LONGEST_LOOP = 64
# Unless after this many iterations one is twice as long as an early one, as where a vector grows under conditions: each
# has to tell apart what all before it may have allocated.
GROWING_AFTER = 8


@dataclass(slots=True, eq=False)
class Statements:
    here: Here
    ssa: SSA
    storage: Storage
    objects: Objects
    places: Places
    values: Values
    calls: Calls
    policy: Policy
    jumps: Jumps = field(default_factory=Jumps)
    together: Together = field(init=False)

    # ---- sequences -------------------------------------------------------------------------------------------------

    def sequence(self, statements: Sequence[s.Stmt]) -> None:
        """Normalises statements: they are made of calls, and calls of them."""
        for position, statement in enumerate(map(once, statements)):
            kinds = self.jumps(statement)
            if not kinds:
                self.statement(statement)
                continue
            rest = statements[position + 1 :]
            if isinstance(statement, s.Block):
                # what follows a block stays outside its scope; names are symbols, so nothing can be captured
                self.sequence([*statement.statements, *rest])
                return
            if rest and not always_jumps(statement) and self._meets_after_leaving(rest):
                self.statement(statement)
                self.together.together(rest, tuple(self.here.exits.flags(kinds)), statement.span)
                return
            if isinstance(statement, s.If) and rest and not self._is_divided(statement):
                other = statement.other.statements if statement.other is not None else ()
                if always_jumps(statement.then):
                    self._branch(statement, statement.then.statements, [*other, *rest])
                    return
                if statement.other is not None and always_jumps(statement.other):
                    self._branch(statement, [*statement.then.statements, *rest], other)
                    return
            self.statement(statement)
            if always_jumps(statement) or not rest:
                return
            self.unless_left(kinds, lambda: self.sequence(rest), statement.span)  # noqa: B023
            return

    def _meets_after_leaving(self, statements: Sequence[s.Stmt]) -> bool:
        """Whether threads come to a barrier in these statements that others of their block may have left before."""
        return self.here.active_calls[0] in self.policy.decisions.leaving and self.policy.meets_in(statements)

    def _is_divided(self, statement: s.Stmt) -> bool:
        return statement.span in self.policy.decisions.divided

    def unless_left(self, kinds: frozenset[Jump], act: Callable[[], None], span: Span) -> None:
        """Runs `act` where none of the flags is up."""
        left: core.Expr = FALSE
        for flag in self.here.exits.flags(kinds):
            left = binary(BinaryOp.OR, left, self.ssa.scalar(flag), BOOL)
        self.ssa.branch(unary(UnaryOp.NOT, left, BOOL), act, lambda: None, span)

    def _branch(self, statement: s.If, then: Sequence[s.Stmt], other: Sequence[s.Stmt]) -> None:
        self.ssa.branch(
            self.values.rvalue(statement.condition),
            lambda: self.sequence(then),
            lambda: self.sequence(other),
            statement.span,
        )

    def statement(self, statement: s.Stmt) -> None:
        statement = once(statement)
        match statement:
            case s.Declare():
                self._declare(statement)
            case s.Bind(base=base, field=field, referred=referred, span=span):
                place = self.objects.part(self.objects.object_of(base), field, span)
                self.places.write(place, self.values.fixed(self.places.place(referred), span), span)
            case s.Evaluate(expr=expr):
                self.values.discard(expr)
            case s.Block(statements=inner):
                self.sequence(inner)
            case s.If() if self._is_divided(statement):
                self.together.branch_together(statement, ())
            case s.If(then=then, other=other):
                self._branch(statement, then.statements, () if other is None else other.statements)
            case s.For(init=init, condition=condition, step=step, body=body, span=span, shared=shared):
                for first in init:
                    self.statement(first)
                own = frozenset(t.symbol for t in init if isinstance(t, s.Declare))
                self._loop(condition, step, body, span, None if shared is None else team_of(shared), own)
            case s.While(condition=condition, body=body, span=span):
                self._loop(condition, None, body, span)
            case s.DoWhile(body=body, condition=condition, span=span):
                self._do_while(body, condition, span)
            case s.Switch():
                self._switch(statement)
            case s.Break(span=span):
                assert self.here.exits.broken is not None
                self.ssa.assign(self.here.exits.broken, TRUE, span)
            case s.Continue(span=span):
                assert self.here.exits.continued is not None
                self.ssa.assign(self.here.exits.continued, TRUE, span)
            case s.Return(value=value, span=span):
                if value is not None:
                    self.calls.give(value, span)
                self.ssa.assign(self.here.exits.returned, TRUE, span)
            case _:
                assert_never(statement)

    # ---- declarations ----------------------------------------------------------------------------------------------

    def _declare(self, statement: s.Declare) -> None:
        symbol, init, span = statement.symbol, statement.init, statement.span
        match symbol.type:
            case _ if symbol.space is Space.SHARED:
                self.here.frame.bindings[symbol] = self.storage.block_memory(symbol, span)
            case Reference():
                assert init is not None
                self.here.frame.bindings[symbol] = self.values.fixed(self.places.place(init), span)
            case (Scalar() | Opaque()) as type:
                own = self.storage.local(symbol.name, type, symbol.span)
                self.here.frame.bindings[symbol] = own
                if init is not None:
                    self.values.give(lambda: Pointer((own,), ZERO), init, span)
            case PointerType() as type:
                cell = Cell(symbol.name, type)
                self.here.frame.bindings[symbol] = cell
                self.ssa.layers[-1][cell] = Pointer((NULL,), ZERO)
                self.here.pointer_name, self.here.pointer_cell = symbol.name, cell
                if init is not None:
                    self.ssa.assign(cell, self.places.pointer(init), span)
            case Array() as type if isinstance(element := element_of(type), Scalar):
                made = self.storage.own(
                    symbol.name, element, symbol.span, scalars_in(type), lambda: self._array(symbol, statement)
                )
                self.here.frame.bindings[symbol] = made
                if init is not None:
                    self.objects.fill(Pointer((made,), ZERO), type, init)
            case Struct() as type if init is not None and _names(init, symbol):
                own = self.storage.local(symbol.name, type, symbol.span)
                self.here.frame.bindings[symbol] = own
                self.objects.copy(self.objects.object_of(init), Pointer((own,), ZERO), type, span)
            case Struct() if init is not None and not isinstance(init, s.InitList):
                self.here.frame.bindings[symbol] = self.objects.new_object(init, symbol.name)
            case type:
                made = self.storage.local(symbol.name, type, symbol.span)
                self.here.frame.bindings[symbol] = made
                if init is not None:
                    self.objects.fill(Pointer((made,), ZERO), type, init)

    def _array(self, symbol: Symbol, statement: s.Declare) -> core.Root:
        element = element_of(symbol.type)
        assert isinstance(element, Scalar)
        root = core.Root(symbol.name, element, core.RootKind.LOCAL, statement.span, scalars_in(symbol.type))
        self.ssa.out.append(core.Allocate(root, statement.init is not None, statement.span))
        return root

    # ---- loops -----------------------------------------------------------------------------------------------------

    def _loop(
        self,
        condition: s.Expr | None,
        step: s.Expr | None,
        body: s.Block,
        span: Span,
        team: core.Team | None = None,
        own: frozenset[Symbol] = frozenset(),
    ) -> None:
        """`for (; condition; step) body`, of which some variables are the loop's own."""
        kinds = jumps(body)
        if (
            self.here.on_host
            and not kinds
            and self.policy.allocates_in((body,))
            and self._written_out(condition, step, body)
        ):
            return
        whole = s.For((), condition, step, body, span)
        if self._is_divided(whole) or (Jump.RETURN in kinds and self._meets_after_leaving((whole,))):
            self.together.loop_together(condition, step, body, (), span, own=own)
            return
        inner = self.entered(kinds)
        assigned = Assigned()
        assigned.add_statement(body)
        if step is not None:
            assigned.add_expression(step)
        test = Assigned()
        if condition is not None:
            test.add_expression(condition)
        saved, self.here.exits = self.here.exits, inner
        try:
            if test.symbols or test.indirect:
                self._loop_with_effects(condition, step, body, kinds, assigned, test, span, team)
            else:
                self.ssa.loop(
                    self.changed_cells(assigned, kinds),
                    lambda: self._unless_stopped(kinds, condition, span),
                    lambda: self._iteration(step, body, kinds, span),
                    span,
                    team,
                )
        finally:
            self.here.exits = saved

    def _written_out(self, condition: s.Expr | None, step: s.Expr | None, body: s.Block) -> bool:
        """A loop that allocates, iteration by iteration, where it is known how often it runs: each has memory of its
        own."""
        layers, out = [dict(layer) for layer in self.ssa.layers], list(self.ssa.out)
        lengths = [_length(out)]
        for number in range(LONGEST_LOOP):
            going = self.values.rvalue(condition) if condition is not None else TRUE
            if not isinstance(going, core.Const):
                break
            if not going.value:
                return True
            self.here.inlined_at.append(number)
            try:
                self.sequence(body.statements)
                if step is not None:
                    self.values.discard(step)
            finally:
                self.here.inlined_at.pop()
            lengths.append(_length(self.ssa.out) - sum(lengths))
            if number >= GROWING_AFTER and lengths[-1] > 2 * max(lengths[2:5]):
                break
        # in place: others hold the layers and the statements
        for layer, before in zip(self.ssa.layers, layers, strict=True):
            layer.clear()
            layer.update(before)
        self.ssa.out[:] = out
        return False

    def entered(self, kinds: frozenset[Jump]) -> Exits:
        exits = Exits(self.here.exits.returned)
        if Jump.BREAK in kinds:
            exits.broken = Cell("stop", BOOL)
            self.ssa.layers[-1][exits.broken] = FALSE
        if Jump.CONTINUE in kinds:
            exits.continued = Cell("skip", BOOL)
        return exits

    def _unless_stopped(self, kinds: frozenset[Jump], condition: s.Expr | None, span: Span) -> core.Expr:
        """The loop's condition, evaluated only where no flag says that the loop has been left."""
        left: core.Expr = FALSE
        for flag in self.here.exits.flags(kinds - {Jump.CONTINUE}):
            left = binary(BinaryOp.OR, left, self.ssa.scalar(flag), BOOL)
        going = unary(UnaryOp.NOT, left, BOOL)
        if condition is None:
            return going
        return self.values.both(going, condition, span)

    def _iteration(self, step: s.Expr | None, body: s.Block, kinds: frozenset[Jump], span: Span) -> None:
        for flag in self.here.exits.flags(kinds - {Jump.CONTINUE}):
            self.ssa.layers[-1][flag] = FALSE  # or the loop's condition would not have held
        if self.here.exits.continued is not None:
            self.ssa.layers[-1][self.here.exits.continued] = FALSE
        self.sequence(body.statements)
        if step is not None:
            self.unless_left(kinds - {Jump.CONTINUE}, lambda: self.values.discard(step), span)

    def _loop_with_effects(
        self,
        condition: s.Expr | None,
        step: s.Expr | None,
        body: s.Block,
        kinds: frozenset[Jump],
        assigned: Assigned,
        test: Assigned,
        span: Span,
        team: core.Team | None,
    ) -> None:
        """A condition that assigns goes into the body: `go = true; while (go) if (condition) body else go = false`."""
        go = Cell("go", BOOL)
        self.ssa.layers[-1][go] = TRUE
        for symbol in test.symbols:
            assigned.symbols.setdefault(symbol)
        assigned.indirect |= test.indirect

        def iteration() -> None:
            assert condition is not None
            self.ssa.branch(
                self.values.rvalue(condition),
                lambda: self._iteration(step, body, kinds, span),
                lambda: self.ssa.assign(go, FALSE, span),
                span,
            )

        self.ssa.loop(
            [*self.changed_cells(assigned, kinds), go],
            lambda: binary(BinaryOp.AND, self.ssa.scalar(go), self._unless_stopped(kinds, None, span), BOOL),
            iteration,
            span,
            team,
        )

    def _do_while(self, body: s.Block, condition: s.Expr, span: Span) -> None:
        """`go = true; while (go) { body; go = condition }`."""
        kinds = jumps(body)
        whole = s.DoWhile(body, condition, span)
        if self._is_divided(whole) or (Jump.RETURN in kinds and self._meets_after_leaving((whole,))):
            self.together.loop_together(condition, None, body, (), span, first=True)
            return
        inner = self.entered(kinds)
        assigned = Assigned()
        assigned.add_statement(body)
        assigned.add_expression(condition)
        go = Cell("go", BOOL)
        self.ssa.layers[-1][go] = TRUE
        saved, self.here.exits = self.here.exits, inner

        def iteration() -> None:
            self._iteration(None, body, kinds, span)
            self.ssa.assign(go, self._unless_stopped(kinds, condition, span), span)

        try:
            self.ssa.loop(
                [*self.changed_cells(assigned, kinds), go],
                lambda: self.ssa.scalar(go),
                iteration,
                span,
            )
        finally:
            self.here.exits = saved

    def changed_cells(self, assigned: Assigned, kinds: frozenset[Jump]) -> list[Cell]:
        """The cells alive here that a loop may change, with the flags and the result that jumps out of it set."""
        flags = self.here.exits.flags(kinds - {Jump.CONTINUE})
        if Jump.RETURN in kinds and self.here.result is not None:
            flags += cells_in(self.here.result)
        found: dict[Cell, None] = {}
        for symbol in assigned.symbols:
            bound = self.here.frame.bindings.get(symbol)
            for cell in () if bound is None else cells_in(bound):
                if self.ssa.lookup(cell) is not None:
                    found.setdefault(cell)
                    if cell is bound:
                        self.ssa.changing.add(cell)
        if assigned.indirect:
            for cell in self.exposed():
                found.setdefault(cell)
        return [*found, *(f for f in flags if f not in found)]

    def exposed(self) -> list[Cell]:
        """The cells whose address some pointer or reference that is alive holds."""
        found: dict[Cell, None] = {}
        pointers = [b for b in self.here.frame.bindings.values() if isinstance(b, Pointer)]
        pointers += [c for layer in self.ssa.layers for c in layer.values() if isinstance(c, Pointer)]
        pointers += self.here.outer_references
        for pointer in pointers:
            for cell in cells_in(pointer):
                if self.ssa.lookup(cell) is not None:
                    found.setdefault(cell)
        return list(found)

    # ---- switch ----------------------------------------------------------------------------------------------------

    def _switch(self, statement: s.Switch) -> None:
        span = statement.span
        selector = self.ssa.named(self.values.rvalue(statement.value), "selector", span)
        sections = statement.sections
        labels = [label for section in sections for label in section.labels if label is not None]

        def matches(section: s.SwitchSection) -> core.Expr:
            test: core.Expr = FALSE
            for label in section.labels:
                if label is None:
                    none: core.Expr = TRUE
                    for other in labels:
                        none = binary(BinaryOp.AND, none, _equals(BinaryOp.NE, selector, other), BOOL)
                    test = binary(BinaryOp.OR, test, none, BOOL)
                else:
                    test = binary(BinaryOp.OR, test, _equals(BinaryOp.EQ, selector, label), BOOL)
            return test

        kinds = frozenset().union(*(jumps(s.Block(section.body, section.span)) for section in sections))
        saved = self.here.exits
        self.here.exits = Exits(saved.returned, Cell("stop", BOOL), saved.continued)
        assert self.here.exits.broken is not None
        self.ssa.layers[-1][self.here.exits.broken] = FALSE
        try:
            falls = [not always_jumps(s.Block(section.body, section.span)) for section in sections[:-1]]
            if not any(falls):
                self._chain(sections, matches, span)
            else:
                self._fall_through(sections, matches, kinds, span)
        finally:
            self.here.exits = saved

    def _chain(
        self, sections: tuple[s.SwitchSection, ...], matches: Callable[[s.SwitchSection], core.Expr], span: Span
    ) -> None:
        """No section falls into the next: `if ... else if ...`, with the default last."""
        ordered = sorted(sections, key=lambda section: None in section.labels)

        def from_(i: int) -> None:
            if i == len(ordered):
                return
            section = ordered[i]
            body = section.body
            if body and isinstance(body[-1], s.Break):
                body = body[:-1]
            if None in section.labels:
                self.sequence(body)
            else:
                self.ssa.branch(matches(section), lambda: self.sequence(body), lambda: from_(i + 1), section.span)

        from_(0)

    def _fall_through(
        self,
        sections: tuple[s.SwitchSection, ...],
        matches: Callable[[s.SwitchSection], core.Expr],
        kinds: frozenset[Jump],
        span: Span,
    ) -> None:
        """A section runs where its label matches or control falls into it, until something leaves the switch."""
        inside = Cell("fall", BOOL)
        self.ssa.layers[-1][inside] = FALSE
        for section in sections:
            entered = binary(BinaryOp.OR, self.ssa.scalar(inside), matches(section), BOOL)
            left: core.Expr = FALSE
            for flag in self.here.exits.flags(kinds):
                left = binary(BinaryOp.OR, left, self.ssa.scalar(flag), BOOL)
            entered = binary(BinaryOp.AND, unary(UnaryOp.NOT, left, BOOL), entered, BOOL)

            def run(section: s.SwitchSection = section) -> None:
                self.ssa.assign(inside, TRUE, section.span)
                self.sequence(section.body)

            self.ssa.branch(entered, run, lambda: None, section.span)


def _names(expr: s.Expr, symbol: Symbol) -> bool:
    """Whether an object is named where it is made, as what refers to it does."""
    return any(isinstance(e, s.VarRef) and e.symbol is symbol for e in surface_walk.walk(expr))


def _length(region: Sequence[core.Statement]) -> int:
    return sum(1 for _ in statements(tuple(region)))


def _equals(op: BinaryOp, selector: core.Expr, label: int) -> core.Expr:
    return binary(op, selector, core.Const(label, selector.type), BOOL)
