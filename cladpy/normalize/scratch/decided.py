"""What a call computes must not depend on those before: where it does, by what lasts, that is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import VOID, Array, Pointer, Reference, Scalar, Struct, Type
from cladpy.normalize.scratch.lasting import allocation, given_place, uncast
from cladpy.order import scan

_HINT = (
    "pass it as an argument; scratch memory may last: allocate it where there is none yet or too little, do nothing "
    "else there, and have each call write it before it is read"
)
_CONDITIONS = (*s.COMPARISONS, BinaryOp.AND, BinaryOp.OR)
_JUMPS = (s.Return, s.Break, s.Continue)


@dataclass(slots=True)
class Refusals:
    """What makes a call depend on those before, by the statement in front of which it is said."""

    program: s.Program
    lasting: dict[Symbol, s.Declare | None]
    by_statement: dict[int, s.Unsupported] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)  # where a variable stands of which it is asked whether it is null
    beneath: list[FunctionSymbol] = field(default_factory=list)  # what is being looked at where a variable decides

    def add(self, statement: s.Stmt, symbol: Symbol, what: str, span: Span) -> None:
        message = f"'{symbol.name}' lasts from one call to the next, and {what}"
        self.by_statement.setdefault(id(statement), s.Unsupported("CP0120", message, _HINT, VOID, span))


class Checked:
    """One function. A statement is *decided* where it runs or not by what a variable holds that lasts: there, nothing
    may be done but what is for these variables alone, and what is refused is said in front of the statement that
    decides."""

    def __init__(
        self, function: s.Function, found: Refusals, by: Symbol | None = None, statement: s.Stmt | None = None
    ) -> None:
        self._function = function
        self._found = found
        self._lasting = found.lasting
        self._by = by  # what decides
        self._own: set[Symbol] = set()  # variables of decided statements
        self._statement: s.Stmt = statement or function.body
        self._loops = 0
        self._states = {  # what calls of the runtime said
            d.symbol
            for d in surface_walk.declarations(function.body)
            if d.init is not None and any(map(_is_of_runtime, surface_walk.walk(d.init)))
        }
        if by is not None:
            self._own.update(p for p in function.parameters if not isinstance(p.type, Reference))

    def run(self) -> None:
        self._block(self._function.body.statements, self._by)

    # ---- statements ------------------------------------------------------------------------------------------------

    def _block(self, statements: Iterable[s.Stmt], by: Symbol | None) -> Symbol | None:
        """What decides about what follows, if anything does."""
        for statement in statements:
            by = self._visit(statement, by) or by
        return by

    def _visit(self, statement: s.Stmt, by: Symbol | None) -> Symbol | None:
        if by is None:
            self._statement = statement
        match statement:
            case s.Block(statements=inner):
                return self._block(inner, by)
            case s.If():
                return self._if(statement, by)
            case s.For() | s.While() | s.DoWhile():
                self._loop(statement, by)
            case s.Return(value=value):
                self._return(statement, value, by)
            case s.Break() | s.Continue():
                if by is not None and not self._loops:
                    self._refuse(by, "decides when a loop is left", statement.span)
            case s.Declare(symbol=symbol, init=init):
                self._declare(symbol, init, by)
            case s.Evaluate(expr=expr):
                self._evaluate(expr, by)
            case s.Bind(referred=referred):
                self._refuse_place(referred)
            case _:
                for expr in surface_walk.own_expressions(statement):
                    self._expression(expr, by)
                self._inside(statement, by)
        return None

    def _if(self, statement: s.If, by: Symbol | None) -> Symbol | None:
        decided = self._expression(statement.condition, by, decides=True)
        arms = self._parts(statement)
        left = [self._visit(a, decided or by) for a in arms]
        if decided is not None:
            jumps = (e for a in arms for e in self._within(a) if isinstance(e, _JUMPS))
            return decided if any(jumps) else None
        return next((v for v in left if v is not None and v is not by), None)

    def _loop(self, statement: s.For | s.While | s.DoWhile, by: Symbol | None) -> None:
        if isinstance(statement, s.For):
            self._block(statement.init, by)
        for expr in surface_walk.own_expressions(statement):
            self._expression(expr, by)
        self._loops += by is not None
        self._inside(statement, by)
        self._loops -= by is not None

    def _inside(self, statement: s.Stmt, by: Symbol | None) -> None:
        for part in surface_walk.inner_statements(statement):
            after = self._visit(part, by)
            if after is not None and after is not by:
                self._refuse(after, "decides when a loop is left", statement.span)

    def _return(self, statement: s.Return, value: s.Expr | None, by: Symbol | None) -> None:
        if value is not None and isinstance(self._function.symbol.result, Reference):
            self._refuse_place(value)
        if value is not None and by is None:
            self._expression(value, None)
        if by is not None:
            every = (r for r in self._within(self._function.body) if isinstance(r, s.Return))
            if len(results := {_result(r) for r in every}) != 1 or None in results:
                self._refuse(by, "decides what is returned", statement.span)

    def _declare(self, symbol: Symbol, init: s.Expr | None, by: Symbol | None) -> None:
        if symbol in self._lasting:
            if init is not None and isinstance(symbol.type, Pointer):
                self._leads_to(symbol, init, symbol)
            return
        if by is not None:
            self._own.add(symbol)
        if init is None:
            return
        if isinstance(symbol.type, Reference):
            self._refuse_place(init)
        self._expression(init, by)

    def _evaluate(self, expr: s.Expr, by: Symbol | None) -> None:
        while isinstance(expr, s.Cast) and expr.type == VOID:
            expr = expr.operand
        match expr:
            case s.Comma(left=left, right=right):
                self._evaluate(left, by)
                self._evaluate(right, by)
            case s.Assign(target=s.VarRef(symbol=symbol), value=value) if symbol in self._lasting:
                if isinstance(symbol.type, Pointer):
                    self._leads_to(symbol, value, by)
                else:
                    self._kept(value, by)
            case s.CompoundAssign(target=s.VarRef(symbol=symbol), value=value) if symbol in self._lasting:
                self._kept(value, by)
            case s.IncDec(target=s.VarRef(symbol=symbol)) if symbol in self._lasting:
                pass
            case _:
                self._expression(expr, by)

    def _kept(self, value: s.Expr, by: Symbol | None) -> None:
        """What a number becomes that lasts may depend on what it was."""
        if by is not None:
            self._alone(value, by)
        for _ in self._asked(value, is_condition=False):
            pass

    def _leads_to(self, symbol: Symbol, value: s.Expr, by: Symbol | None) -> None:
        made = allocation(value)
        if made is not None:
            call, row = made
            if row.zeroed or row.grows:
                self._refuse(symbol, "its memory holds something where it is allocated", value.span)
            for argument in call.arguments:
                if by is not None:
                    self._alone(argument, by)
        elif not isinstance(uncast(value), s.Literal):
            self._refuse(symbol, "leads to something else than memory that is allocated for it", value.span)

    # ---- expressions -----------------------------------------------------------------------------------------------

    def _expression(self, expr: s.Expr, by: Symbol | None, *, decides: bool = False) -> Symbol | None:
        """The variable that a condition decides by, where one may."""
        if by is not None:
            self._alone(expr, by)
        found: Symbol | None = None
        for symbol, span in self._asked(expr, is_condition=decides):
            if not decides and by is None:
                self._refuse(symbol, "what it holds is used here", span)
            found = found or symbol
        return found

    def _asked(self, expr: s.Expr, *, is_condition: bool) -> Iterator[tuple[Symbol, Span]]:
        """The variables of which more is asked than the memory that they lead to."""
        match expr:
            case s.VarRef(symbol=symbol, span=span) if symbol in self._lasting:
                if isinstance(symbol.type, Scalar) or (is_condition and isinstance(symbol.type, Pointer)):
                    self._found.asked.add(id(expr))
                    yield symbol, span
                return
            case s.AddressOf(operand=operand):
                self._refuse_place(operand)
            case s.Assign(target=s.VarRef(symbol=symbol), value=value) if symbol in self._lasting:
                self._leads_to(symbol, value, None)
            case s.Call(callee=callee, arguments=arguments):
                place = given_place(expr)
                if place is not None and place in self._lasting:
                    row = known.of(callee.name)
                    assert isinstance(row, known.Allocation)
                    arguments = tuple(a for i, a in enumerate(arguments) if i != row.place)
                self._refuse_places(callee.parameters, arguments)
                for argument in arguments:
                    yield from self._asked(argument, is_condition=False)
                return
            case s.Construct(constructor=callee, arguments=arguments):
                self._refuse_places(callee.parameters[1:], arguments)
            case s.InitList(elements=elements, type=Struct() as type):
                self._refuse_places([f.type for f in type.fields], elements)
        asks = (
            (isinstance(expr, s.Binary) and expr.op in _CONDITIONS)
            or (isinstance(expr, s.Unary) and expr.op is UnaryOp.NOT)
            or (isinstance(expr, s.Cast) and isinstance(expr.type, Scalar))
        )
        for i, inner in enumerate(surface_walk.children(expr)):
            asked = asks or (isinstance(expr, s.Conditional) and i == 0)
            asked |= is_condition and isinstance(expr, s.Cast | s.Comma | s.Assign)
            yield from self._asked(inner, is_condition=asked)

    def _alone(self, expr: s.Expr, by: Symbol) -> None:
        """Refuses what a decided expression does besides."""
        for e in surface_walk.walk(expr):
            match e:
                case s.Assign(target=target) | s.CompoundAssign(target=target) | s.IncDec(target=target):
                    if not isinstance(target, s.VarRef) or target.symbol not in {*self._lasting, *self._own}:
                        self._refuse(by, "decides whether something else is written", e.span)
                case s.Call(callee=callee) | s.Construct(constructor=callee):
                    function = self._found.program.functions.get(callee)
                    if callee.kind is FunctionKind.KERNEL or (function is None and not _does_nothing(callee)):
                        self._refuse(by, f"decides whether '{callee.name}' is called", e.span)
                    elif function is not None and callee not in self._found.beneath:
                        self._found.beneath.append(callee)
                        Checked(function, self._found, by, self._statement).run()
                        self._found.beneath.pop()

    def _parts(self, statement: s.Stmt) -> tuple[s.Stmt, ...]:
        """The statements inside of one, without what runs where a call of the runtime has failed."""
        match statement:
            case s.If(condition=s.Binary(BinaryOp.NE) as condition, then=then, other=other):
                named = {e.symbol for e in surface_walk.walk(condition) if isinstance(e, s.VarRef)}
                asks = any(_is_of_runtime(e) and isinstance(e.type, Scalar) for e in surface_walk.walk(condition))
                if asks or (named and named <= self._states):
                    return () if other is None else (other,)
                return (then,) if other is None else (then, other)
            case _:
                return surface_walk.inner_statements(statement)

    def _within(self, statement: s.Stmt) -> Iterator[s.Stmt]:
        yield statement
        for part in self._parts(statement):
            yield from self._within(part)

    def _refuse_places(self, types: Iterable[Type], given: Iterable[s.Expr]) -> None:
        for type, expr in zip(types, given, strict=False):
            if isinstance(type, Reference):
                self._refuse_place(expr)

    def _refuse_place(self, expr: s.Expr) -> None:
        for symbol in scan.lvalue_symbols(expr):
            if symbol in self._lasting and not isinstance(symbol.type, Array):
                self._refuse(symbol, "may be changed through a pointer or reference", expr.span)

    def _refuse(self, symbol: Symbol, what: str, span: Span) -> None:
        self._found.add(self._statement, symbol, what, span)


def _result(statement: s.Return) -> object:
    """What a return statement gives, where that is told apart from others."""
    match statement.value and uncast(statement.value):
        case None:
            return "nothing"
        case s.VarRef(symbol=symbol) if symbol.role is Role.GLOBAL:
            return symbol
        case s.Literal(value=value):
            return value
        case _:
            return None


def _is_of_runtime(expr: s.Expr) -> bool:
    return (
        isinstance(expr, s.Call)
        and expr.callee.in_system_header
        and isinstance(known.of(expr.callee.name), known.HostCall)
    )


def _does_nothing(callee: FunctionSymbol) -> bool:
    """Whether a library's function neither writes memory nor starts anything."""
    row = known.of(callee.name)
    if isinstance(row, known.HostCall):
        return isinstance(row, known.Allocation | known.Release | known.Silent) and not getattr(row, "zeroed", False)
    if isinstance(row, known.Effect | known.Ending) or callee.qualified_name.startswith("cladpy::"):
        return True
    return not any(isinstance(t, Pointer | Reference) and not t.const for t in callee.parameters)
