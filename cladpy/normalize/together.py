"""Statements that the threads of a block go through together, because of a barrier in them, where some have left.

A thread that returned early must still come to the barriers that follow: on the GPU an exited thread is not waited
for, but one that merely skips is. So what stands between barriers runs only where no flag is up, and the barriers stand
outside. A branch or loop around a barrier is entered by all threads of the block where one that is still there enters
it: what decides is the same for all of those, and the others are told by a barrier of our own.

So it is where threads may decide otherwise about what has a barrier in it (`Decisions.divided`). In a valid program all
threads of a block decide alike there, as the launch makes them: what is written here does the same then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import core, surface_walk
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import SYNCTHREADS_OR, FunctionSymbol, Space, Symbol
from cladpy.ir.types import BOOL, INT, Reference, Scalar, Struct
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.accesses import Places
from cladpy.normalize.calls import Calls
from cladpy.normalize.counted import Counter, Known
from cladpy.normalize.here import Here
from cladpy.normalize.library import LibraryCalls
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import NULL, ZERO, Cell, Pointer
from cladpy.normalize.policy import Policy
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import FALSE, SSA, TRUE
from cladpy.normalize.statements import Statements
from cladpy.normalize.values import Values
from cladpy.order import scan
from cladpy.order.scan import Jump

Flags = tuple[Cell, ...]  # one of them is up in a thread that has left


@dataclass(slots=True, eq=False)
class Together:
    report: Report
    here: Here
    ssa: SSA
    objects: Objects
    places: Places
    values: Values
    library: LibraryCalls
    calls: Calls
    statements: Statements
    policy: Policy
    constant_parameters: frozenset[Symbol]  # of the function that is normalised, which it does not assign

    def together(self, statements: Sequence[s.Stmt], flags: Flags, span: Span) -> None:
        """Statements with barriers of the block, where threads have left for which one of the flags is up."""
        waiting: list[s.Stmt] = []
        for statement in chain.from_iterable(map(_named_apart, statements)):
            if not self.policy.meets_in((statement,)):
                waiting.append(statement)
                continue
            flags = self._apart(waiting, flags, span)
            waiting = []
            self._jointly(statement, flags)
            flags = self._with_jumps(flags, statement)
        self._apart(waiting, flags, span)

    def _with_jumps(self, flags: Flags, *statements: s.Stmt) -> Flags:
        more = [f for t in statements for f in self.here.exits.flags(scan.jumps(t))]
        return (*flags, *(f for f in dict.fromkeys(more) if f not in flags))

    def _left(self, flags: Flags) -> core.Expr:
        """Whether this thread has jumped away."""
        left: core.Expr = FALSE
        for flag in flags:
            left = binary(BinaryOp.OR, left, self.ssa.scalar(flag), BOOL)
        return left

    def _unless(self, flags: Flags, act: Callable[[], None], span: Span) -> None:
        self.ssa.branch(unary(UnaryOp.NOT, self._left(flags), BOOL), act, lambda: None, span)

    # ---- between barriers ------------------------------------------------------------------------------------------

    def _apart(self, statements: Sequence[s.Stmt], flags: Flags, span: Span) -> Flags:
        """Statements without a barrier, for the threads that are still there. Their variables are there for all."""
        if not statements:
            return flags
        later = scan.Assigned()  # what statements change that not all come to
        acts: list[Callable[[], None]] = []
        for t in statements:
            act = self._declared_for_all(t, later) if isinstance(t, s.Declare) else self._as_it_is(t)
            acts.append(act)
            later.add_statement(t)
        references = {
            t.symbol: Cell(t.symbol.name, PointerType(t.symbol.type.referee))
            for t in statements
            if isinstance(t, s.Declare) and isinstance(t.symbol.type, Reference)
        }
        for cell in references.values():
            self.ssa.layers[-1][cell] = Pointer((NULL,), ZERO)

        def run(first: int) -> None:
            for at in range(first, len(statements)):
                statement = statements[at]
                acts[at]()
                if isinstance(statement, s.Declare) and statement.symbol in references:
                    bound = self.here.frame.bindings[statement.symbol]
                    assert isinstance(bound, Pointer)
                    self.ssa.assign(references[statement.symbol], bound, statement.span)
                jumped = scan.jumps(statement)
                if jumped:
                    self.statements.unless_left(jumped, lambda: run(at + 1), statement.span)  # noqa: B023
                    return

        self._unless(flags, lambda: run(0), span)
        for symbol, cell in references.items():
            content = self.ssa.content(cell)
            assert isinstance(content, Pointer)
            self.here.frame.bindings[symbol] = content
        return self._with_jumps(flags, *statements)

    def _as_it_is(self, statement: s.Stmt) -> Callable[[], None]:
        return lambda: self.statements.sequence((statement,))

    def _declared_for_all(self, statement: s.Declare, later: scan.Assigned) -> Callable[[], None]:
        """Makes the variable, which is zero for threads that have left; gives what initialises it for the others. What
        anybody may evaluate, all do, unless it is made of what is there `later`."""
        symbol, init, span = statement.symbol, statement.init, statement.span
        type = symbol.type
        if symbol.space is Space.SHARED or isinstance(type, Reference):
            return self._as_it_is(statement)
        self.statements.statement(s.Declare(symbol, None, span))
        bound = self.here.frame.bindings[symbol]
        if init is None:
            return lambda: None
        if isinstance(type, Scalar) and isinstance(bound, Cell):
            if not later.indirect and self._known().is_harmless(init, later.symbols):
                self.ssa.assign(bound, self.values.rvalue(init), span)
                return lambda: None
            later.symbols.setdefault(symbol)
            return lambda: self.ssa.assign(bound, self.values.rvalue(init), span)
        if isinstance(type, PointerType) and isinstance(bound, Cell):
            return lambda: self.ssa.assign(bound, self.places.pointer(init), span)
        place = bound if isinstance(bound, Pointer) else Pointer((bound,), ZERO)
        if isinstance(type, Struct):
            return lambda: self.objects.copy(self.objects.new_object(init, symbol.name), place, type, span)
        return lambda: self.objects.fill(place, type, init)

    # ---- what has a barrier in it ----------------------------------------------------------------------------------

    def _jointly(self, statement: s.Stmt, flags: Flags) -> None:
        span = statement.span
        if self._left(flags) == FALSE:
            self.statements.statement(statement)
            return
        match statement:
            case s.Block(statements=inner):
                self.together(inner, flags, span)
            case s.Evaluate(expr=s.Call() as call) if _is_barrier(call):
                self._barrier(call, flags)
            case s.Declare(symbol=symbol, init=init) if init is not None and (met := _barrier_in(init)) is not None:
                self.statements.statement(s.Declare(symbol, None, span))
                bound = self.here.frame.bindings[symbol]
                given = self._barrier(met, flags)
                assert isinstance(bound, Cell) and given is not None
                self.ssa.assign(bound, cast(given, bound.type), span)
            case s.Declare(init=expr) | s.Evaluate(expr=expr) | s.Return(value=expr) if expr is not None:
                self._answer(expr, flags)
                self._apart((statement,), flags, span)
            case s.If() if statement.span in self.policy.decisions.divided:
                self.branch_together(statement, flags)
            case s.If(condition=condition, then=then, other=other):
                self.ssa.branch(
                    self._decided(condition, flags, span),
                    lambda: self.together(then.statements, flags, span),
                    lambda: self.together(() if other is None else other.statements, flags, span),
                    span,
                )
            case s.For(init=init_statements, condition=condition, step=step, body=body):
                self._apart(init_statements, flags, span)
                own = frozenset(t.symbol for t in init_statements if isinstance(t, s.Declare))
                self.loop_together(condition, step, body, flags, span, own=own)
            case s.While(condition=condition, body=body):
                self.loop_together(condition, None, body, flags, span)
            case s.DoWhile(body=body, condition=condition):
                self.loop_together(condition, None, body, flags, span, first=True)
            case _:
                raise self._hidden(span)

    def _hidden(self, span: Span) -> Exception:
        return self.report.refuse(
            "CP0237",
            "a barrier in this statement, after which some threads of the block may be gone already",
            span,
            "put the barrier into a statement of its own, or let no thread return before the last barrier",
        )

    def _barrier(self, call: s.Call, flags: Flags) -> core.Expr | None:
        if not call.arguments:
            return self.library.barrier(call, False)
        here = self._asked(lambda: cast(self.values.rvalue(call.arguments[0]), BOOL), flags, call.span)
        if call.callee.name.endswith("_and"):
            here = binary(BinaryOp.OR, self._left(flags), here, BOOL)
        return self._met(call.callee, here, call.span)

    def _met(self, callee: FunctionSymbol, predicate: core.Expr, span: Span) -> core.Expr:
        value = core.Value(callee.name.strip("_"), INT)
        self.ssa.out.append(core.Barrier(callee, span, cast(predicate, INT), value))
        return core.Use(value)

    def _asked(self, test: Callable[[], core.Expr], flags: Flags, span: Span) -> core.Expr:
        """A condition, evaluated by the threads that are still there; false for the others."""
        cell = Cell("here", BOOL)
        self.ssa.layers[-1][cell] = FALSE
        self._unless(flags, lambda: self.ssa.assign(cell, test(), span), span)
        return self.ssa.scalar(cell)

    def _answer(self, expr: s.Expr, flags: Flags) -> None:
        """All threads come to the barriers in an expression, which is evaluated with their answers."""
        met = tuple(self._always_met(expr))
        if len(met) < sum(self._meets(e) for e in surface_walk.walk(expr)):
            raise self._hidden(expr.span)
        for call in met:
            given = self._barrier(call, flags) if _is_barrier(call) else self._inlined(call, flags)
            self.library.answers[id(call)] = given

    def _inlined(self, call: s.Call, flags: Flags) -> core.Expr | None:
        """What a function with barriers in it gives, whose body is written here."""
        span = call.span
        result = self.calls.inline_together(call, lambda given, body: self.together((*given, *body), flags, span))
        if result is None:
            return None
        if not isinstance(result, Cell) or not isinstance(result.type, Scalar):
            raise self._hidden(span)
        return self.ssa.scalar(result)

    def _always_met(self, expr: s.Expr) -> Iterator[s.Call]:
        """The barriers, and calls with barriers in them, that the evaluation of an expression comes to in any case,
        in no order that matters."""
        match expr:
            case s.Call() if self._meets(expr):
                yield expr
            case s.Conditional() | s.Comma() | s.Binary(op=BinaryOp.AND | BinaryOp.OR):
                pass
            case _:
                for part in surface_walk.children(expr):
                    yield from self._always_met(part)

    def _meets(self, expr: s.Expr) -> bool:
        callee = scan.called(expr)
        return callee is not None and self.policy.meets(callee)

    def _decided(self, condition: s.Expr, flags: Flags, span: Span) -> core.Expr:
        """A condition that all threads of the block must know."""
        if any(map(self._meets, surface_walk.walk(condition))):
            match condition:
                case s.Cast(operand=operand, type=type) if type == BOOL:
                    return cast(self._decided(operand, flags, span), BOOL)
                case s.Unary(op=UnaryOp.NOT, operand=operand):
                    return unary(UnaryOp.NOT, self._decided(operand, flags, span), BOOL)
                case s.Binary(op=BinaryOp.AND | BinaryOp.OR as op, left=left, right=right):
                    return self._decided_in_turn(op, left, right, flags, span)
                case _:
                    self._answer(condition, flags)
        if self._is_known_to_all(condition):
            return cast(self.values.rvalue(condition), BOOL)
        here = self._asked(lambda: cast(self.values.rvalue(condition), BOOL), flags, span)
        return cast(self._met(SYNCTHREADS_OR, here, span), BOOL)

    def _decided_in_turn(self, op: BinaryOp, left: s.Expr, right: s.Expr, flags: Flags, span: Span) -> core.Expr:
        """The right operand, and the barriers in it, only where the left one does not decide."""
        cell = Cell("decided", BOOL)
        self.ssa.layers[-1][cell] = FALSE if op is BinaryOp.AND else TRUE
        first = self._decided(left, flags, span)
        self.ssa.branch(
            first if op is BinaryOp.AND else unary(UnaryOp.NOT, first, BOOL),
            lambda: self.ssa.assign(cell, self._decided(right, flags, span), span),
            lambda: None,
            span,
        )
        return self.ssa.scalar(cell)

    def _is_known_to_all(self, condition: s.Expr) -> bool:
        """Whether a condition is made of what no thread changes: constants, the launch, the kernel's parameters."""
        return all(
            isinstance(e, s.Literal | s.Unary | s.Binary | s.Cast)
            or (isinstance(e, s.Builtin) and not e.var.value.startswith("threadIdx"))
            or (isinstance(e, s.VarRef) and e.symbol in self.constant_parameters)
            for e in self._unanswered(condition)
        )

    def _known(self) -> Known:
        """What all threads of the block know here."""
        exposed = self.statements.exposed()

        def content(symbol: Symbol) -> core.Expr | None:
            bound = self.here.frame.bindings.get(symbol)
            if not isinstance(bound, Cell) or bound in exposed:
                return None
            found = self.ssa.lookup(bound)
            return None if isinstance(found, Pointer) else found

        given = frozenset(e.value for p in self.constant_parameters if isinstance(e := content(p), core.Use))
        return Known(self.ssa.lets, given, content)

    def _unanswered(self, expr: s.Expr) -> Iterator[s.Expr]:
        """An expression and what it is made of, but for the barriers whose answers all threads have."""
        if id(expr) not in self.library.answers:
            yield expr
            for part in surface_walk.children(expr):
                yield from self._unanswered(part)

    def branch_together(self, statement: s.If, flags: Flags) -> None:
        """A branch of which each thread takes its own arm, while all of the block come to the barriers in it."""
        condition, span = statement.condition, statement.span
        if any(map(self._meets, surface_walk.walk(condition))):
            raise self._hidden(span)
        here = self.ssa.named(self._asked(lambda: cast(self.values.rvalue(condition), BOOL), flags, span), "here", span)
        passed, taken = Cell("passed", BOOL), Cell("taken", BOOL)  # up in the threads that are not in the arm
        self.ssa.layers[-1].update({passed: unary(UnaryOp.NOT, here, BOOL), taken: here})
        other = () if statement.other is None else statement.other.statements
        for arm, flag, enters in (
            (statement.then.statements, passed, lambda: here),
            (other, taken, lambda: unary(UnaryOp.NOT, here, BOOL)),
        ):
            inside = (*flags, flag)
            if not self.policy.meets_in(arm):
                self._apart(arm, inside, span)
                continue
            entered = cast(self._met(SYNCTHREADS_OR, self._asked(enters, flags, span), span), BOOL)
            self.ssa.branch(entered, lambda: self.together(arm, inside, span), lambda: None, span)  # noqa: B023

    def loop_together(
        self,
        condition: s.Expr | None,
        step: s.Expr | None,
        body: s.Block,
        flags: Flags,
        span: Span,
        first: bool = False,
        own: frozenset[Symbol] = frozenset(),
    ) -> None:
        """`for (; condition; step) body`, run by all threads of the block while one that is still there runs it. With
        `first` the condition is not asked before the first iteration. Nobody else uses the loop's `own` variables."""
        if not first and self._counted_together(condition, step, body, flags, span, own):
            return
        is_divided = span in self.policy.decisions.divided  # a thread whose condition does not hold has left
        inner = scan.jumps(body) | ({Jump.BREAK} if is_divided else frozenset())
        saved, self.here.exits = self.here.exits, self.statements.entered(inner)
        assigned = scan.Assigned()
        assigned.add_statement(body)
        for expr in (condition, step):
            if expr is not None:
                assigned.add_expression(expr)
        go = Cell("go", BOOL)
        self.ssa.layers[-1][go] = FALSE
        gone = (*flags, *(f for f in self.here.exits.flags(inner - {Jump.CONTINUE}) if f not in flags))

        def decide(condition: s.Expr | None) -> None:
            decided: core.Expr | None = None
            if condition is not None and any(map(self._meets, surface_walk.walk(condition))):
                decided = self._decided(condition, gone, span)

            def goes_on() -> core.Expr:
                if decided is not None:
                    return decided
                return TRUE if condition is None else cast(self.values.rvalue(condition), BOOL)

            here = self._asked(goes_on, gone, span)
            if is_divided and condition is not None:
                assert self.here.exits.broken is not None
                here = self.ssa.named(here, "here", span)
                self.ssa.assign(self.here.exits.broken, unary(UnaryOp.NOT, here, BOOL), span)
            # a loop that nobody is in any more ends, whatever decides about it
            self.ssa.assign(go, cast(self._met(SYNCTHREADS_OR, here, span), BOOL), span)

        def iteration() -> None:
            if self.here.exits.continued is not None:
                self.ssa.layers[-1][self.here.exits.continued] = FALSE
            self.together(body.statements, gone, span)
            if step is not None and self._known().steps_apart(step, own):
                self.values.discard(step)  # nobody asks those that are gone
            elif step is not None:
                self._unless(gone, lambda: self.values.discard(step), span)
            decide(condition)

        try:
            decide(None if first else condition)
            self.ssa.loop(
                [*self.statements.changed_cells(assigned, inner), go], lambda: self.ssa.scalar(go), iteration, span
            )
        finally:
            self.here.exits = saved

    def _counted_together(
        self,
        condition: s.Expr | None,
        step: s.Expr | None,
        body: s.Block,
        flags: Flags,
        span: Span,
        own: frozenset[Symbol],
    ) -> bool:
        """The same where all threads know how often that is; not done where they do not. Where they begin with other
        numbers than the least, those run the body whose own number is not beyond the bound."""
        known = self._known()
        counter = known.counter(condition, step, body)
        if counter is None:
            return False
        assert condition is not None
        assert step is not None
        mine = self.here.frame.bindings[counter.symbol]
        assert isinstance(mine, Cell)
        least = known.least(self.ssa.scalar(mine))
        is_one = least == self.ssa.scalar(mine)
        if least is None or not (is_one or self._may_begin_apart(counter, known, least, own)):
            return False
        lowest = mine if is_one else Cell(f"lowest_{mine.name}", mine.type)
        if not is_one:
            self.ssa.layers[-1][lowest] = self.ssa.named(least, lowest.name, span)

        def by_the_lowest(act: Callable[[], Any]) -> Any:
            self.here.frame.bindings[counter.symbol] = lowest
            try:
                return act()
            finally:
                self.here.frame.bindings[counter.symbol] = mine

        def goes_on() -> core.Expr:
            return cast(self.values.rvalue(condition), BOOL)

        def iteration() -> None:
            if self.here.exits.continued is not None:
                self.ssa.layers[-1][self.here.exits.continued] = FALSE
            gone = flags
            if not is_one:
                beyond = Cell("beyond", BOOL)
                self.ssa.layers[-1][beyond] = self.ssa.named(unary(UnaryOp.NOT, goes_on(), BOOL), beyond.name, span)
                gone = (*flags, beyond)
                by_the_lowest(lambda: self.values.discard(counter.step))
            self.together(body.statements, gone, span)
            self.values.discard(step)

        assigned = scan.Assigned()
        assigned.add_statement(body)
        assigned.add_expression(step)
        inner = scan.jumps(body)
        saved, self.here.exits = self.here.exits, self.statements.entered(inner)
        try:
            cells = self.statements.changed_cells(assigned, inner)
            self.ssa.loop([*cells, *({lowest} - {mine})], lambda: by_the_lowest(goes_on), iteration, span)
        finally:
            self.here.exits = saved
        return True

    def _may_begin_apart(self, counter: Counter, known: Known, least: core.Expr, own: frozenset[Symbol]) -> bool:
        """Whether threads that begin with other numbers than the least leave a loop before it, or with it."""
        return counter.adds and counter.symbol in own and (counter.has_sign or known.not_negative(least))


def _named_apart(statement: s.Stmt) -> tuple[s.Stmt, ...]:
    """A reference to a temporary is one to a variable, which is there for all threads."""
    match statement:
        case s.Declare(symbol=symbol, init=init) if isinstance(symbol.type, Reference) and init is not None:
            value = init.operand if isinstance(init, s.Temporary) else init
            if not is_lvalue(value):
                named = Symbol(symbol.name, value.type, symbol.role, init.span)
                return s.Declare(named, value, init.span), replace(
                    statement, init=s.VarRef(named, value.type, init.span)
                )
    return (statement,)


def _barrier_in(init: s.Expr) -> s.Call | None:
    """The barrier whose result an expression is."""
    while isinstance(init, s.Cast):
        init = init.operand
    return init if isinstance(init, s.Call) and _is_barrier(init) else None


def _is_barrier(call: s.Call) -> bool:
    return isinstance(known.of(call.callee.name), known.Barrier)
