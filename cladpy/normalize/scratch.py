"""Scratch of host programs that is made once and lasts: pointers at namespace scope or static in a function, whose
memory is allocated where there is none yet, or too little.

What a call computes does not depend on whether it was made before. What such variables hold decides about nothing but
allocations, and nobody reads their memory before the call has written it. So the first call stands for all:
they become variables of the entry, which hold at its beginning what they do where the program begins, and which the
functions that name them are lent. New memory is filled with bytes that no number is made of: should something be read
that the call has not written, the result is no number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from cladpy import known
from cladpy.diagnostics import NOWHERE, Span
from cladpy.ir import core, surface_walk
from cladpy.ir import surface as s
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FAIL, FunctionKind, FunctionSymbol, Role, Space, Symbol
from cladpy.ir.types import BOOL, INT, ULONG, VOID, Array, Pointer, Reference, Scalar, Struct, Type, is_floating
from cladpy.order import scan
from cladpy.quoting import literal

_HINT = (
    "pass it as an argument; scratch memory may last: allocate it where there is none yet or too little, do nothing "
    "else there, and have each call write it before it is read"
)
_UNWRITTEN = 255  # each byte of a number that is none
_VOID = Pointer(VOID)
_FILLS = {
    side: FunctionSymbol(name, name, result, (_VOID, INT, ULONG), FunctionKind.HOST, NOWHERE, in_system_header=True)
    for side, name, result in ((True, "cudaMemset", INT), (False, "memset", _VOID))
}
_CONDITIONS = (*s.COMPARISONS, BinaryOp.AND, BinaryOp.OR)
_WRITES = (s.Assign, s.CompoundAssign, s.IncDec)
_JUMPS = (s.Return, s.Break, s.Continue)


def with_scratch(program: s.Program) -> s.Program:
    """The program with variables of the entry in place of those that last; where what it computes depends on earlier
    calls, that is said in front of the statement (CP0120)."""
    if program.entry.kind is not FunctionKind.HOST:
        return program
    of_host = (FunctionKind.HOST, FunctionKind.HOST_DEVICE)
    hosts = [f for f in program.functions.values() if f.symbol.kind in of_host]
    lasting = _lasting(hosts)
    if not lasting:
        return program
    found = _Refusals(program, lasting)
    for function in hosts:
        _Checked(function, found).run()
    if any(program.entry in scan.callees(f) for f in hosts):
        body = program.functions[program.entry].body
        found.add(body.statements[0], next(iter(lasting)), "the function calls itself", body.span)
    return _Lent(program, hosts, lasting, found).program()


def _lasting(hosts: list[s.Function]) -> dict[Symbol, s.Declare | None]:
    """The variables that last, with their declarations where these are static in a function: such ones, pointers
    to what is allocated, and integers that change in a function which names one of the others."""
    found: dict[Symbol, s.Declare | None] = {
        d.symbol: d for f in hosts for d in surface_walk.declarations(f.body) if d.symbol.role is Role.GLOBAL
    }
    for function in hosts:
        found |= {v: None for v in _allocated_for(function) if _may_last(v) and v not in found}
    for function in hosts:
        if not found.keys().isdisjoint(scan.globals_of(function)):
            assigned = scan.Assigned()
            assigned.add_statement(function.body)
            integers = (v for v in assigned.symbols if isinstance(v.type, Scalar) and not is_floating(v.type))
            found |= {v: None for v in integers if _may_last(v) and v not in found}
    return found


def _allocated_for(function: s.Function) -> Iterator[Symbol]:
    """The variables that a function has lead to new memory."""
    for expr in surface_walk.expressions(function.body):
        for e in surface_walk.walk(expr):
            match e:
                case s.Assign(target=s.VarRef(symbol=symbol), value=value) if _allocation(value) is not None:
                    yield symbol
                case s.Call():
                    given = _given_place(e)
                    if given is not None:
                        yield given


def _may_last(symbol: Symbol) -> bool:
    return (
        symbol.role is Role.GLOBAL and symbol.space is Space.GLOBAL and not symbol.const and symbol.initial is not None
    )


def _given_place(call: s.Call) -> Symbol | None:
    """The variable that an allocation has lead to its memory."""
    row = known.of(call.callee.name) if call.callee.in_system_header else None
    if isinstance(row, known.Allocation) and row.place is not None:
        match _uncast(call.arguments[row.place]):
            case s.AddressOf(operand=s.VarRef(symbol=symbol)):
                return symbol
    return None


def _uncast(expr: s.Expr) -> s.Expr:
    while isinstance(expr, s.Cast) and isinstance(expr.type, Pointer) and isinstance(expr.operand.type, Pointer):
        expr = expr.operand
    return expr


def _allocation(expr: s.Expr) -> tuple[s.Call, known.Allocation] | None:
    """A call that returns new memory."""
    call = _uncast(expr)
    if isinstance(call, s.Call) and call.callee.in_system_header:
        row = known.of(call.callee.name)
        if isinstance(row, known.Allocation) and row.place is None:
            return call, row
    return None


@dataclass(slots=True)
class _Refusals:
    """What makes a call depend on those before, by the statement in front of which it is said."""

    program: s.Program
    lasting: dict[Symbol, s.Declare | None]
    by_statement: dict[int, s.Unsupported] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)  # where a variable stands of which it is asked whether it is null
    beneath: list[FunctionSymbol] = field(default_factory=list)  # what is being looked at where a variable decides

    def add(self, statement: s.Stmt, symbol: Symbol, what: str, span: Span) -> None:
        message = f"'{symbol.name}' lasts from one call to the next, and {what}"
        self.by_statement.setdefault(id(statement), s.Unsupported("CP0120", message, _HINT, VOID, span))


class _Checked:
    """One function. A statement is *decided* where it runs or not by what a variable holds that lasts: there, nothing
    may be done but what is for these variables alone, and what is refused is said in front of the statement that
    decides."""

    def __init__(
        self, function: s.Function, found: _Refusals, by: Symbol | None = None, statement: s.Stmt | None = None
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
        made = _allocation(value)
        if made is not None:
            call, row = made
            if row.zeroed or row.grows:
                self._refuse(symbol, "its memory holds something where it is allocated", value.span)
            for argument in call.arguments:
                if by is not None:
                    self._alone(argument, by)
        elif not isinstance(_uncast(value), s.Literal):
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
                place = _given_place(expr)
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
                        _Checked(function, self._found, by, self._statement).run()
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
    match statement.value and _uncast(statement.value):
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


class _Lent:
    """The program with the variables in the entry, and parameters for them where they are named."""

    def __init__(
        self,
        program: s.Program,
        hosts: list[s.Function],
        lasting: dict[Symbol, s.Declare | None],
        found: _Refusals,
    ) -> None:
        self._program = program
        self._lasting = lasting
        self._found = found
        self._made = {  # whether a variable has been given its value, where that is no constant
            v: Symbol(f"{v.name}_made", BOOL, Role.GLOBAL, v.span) for v, d in lasting.items() if _is_made(d)
        }
        named: dict[FunctionSymbol, dict[Symbol, None]] = {}
        below = {f.symbol: scan.callees(f) for f in hosts}
        for function in hosts:
            own = [v for v in scan.globals_of(function) if v in lasting]
            declared = [d.symbol for d in surface_walk.declarations(function.body) if d.symbol in lasting]
            all_own = dict.fromkeys((*own, *declared))
            named[function.symbol] = all_own | {self._made[v]: None for v in all_own if v in self._made}
        grows = True
        while grows:
            grows = False
            for symbol, callees in below.items():
                more = {v: None for c in callees for v in named.get(c, ()) if v not in named[symbol]}
                named[symbol].update(more)
                grows |= bool(more)
        self._named = named
        self._symbols = {
            f: f if f is program.entry or not variables else _with_more(f, variables) for f, variables in named.items()
        }

    def program(self) -> s.Program:
        done = {
            self._symbols.get(symbol, symbol): self._function(function) if symbol in self._named else function
            for symbol, function in self._program.functions.items()
        }
        return replace(self._program, functions=done)

    def _function(self, function: s.Function) -> s.Function:
        symbol, variables = function.symbol, self._named[function.symbol]
        is_entry = symbol is self._program.entry
        role = Role.VARIABLE if is_entry else Role.PARAMETER
        own = {
            v: replace(
                v,
                name=v.name.rpartition("::")[2],
                type=v.type if is_entry else Reference(v.type),
                role=role,
                space=Space.LOCAL,
                initial=None,
            )
            for v in variables
        }
        inside = _Rewritten(own, self._made, self._symbols, self._named, self._found)
        body = inside.block(function.body)
        if not is_entry:
            parameters = (*function.parameters, *own.values())
            return replace(function, symbol=self._symbols[symbol], parameters=parameters, body=body)
        first = [s for v, variable in own.items() for s in self._first(v, variable)]
        return replace(function, body=replace(body, statements=(*first, *body.statements)))

    def _first(self, lasting: Symbol, variable: Symbol) -> Iterator[s.Stmt]:
        """What a variable holds where the program begins; of an array what is no number, as of other memory."""
        type, span = variable.type, variable.span
        if isinstance(type, Array):
            yield s.Declare(variable, None, span)
            size = s.Literal(type.length, ULONG, span)
            counter = Symbol("i", ULONG, Role.VARIABLE, span)
            at = s.VarRef(counter, ULONG, span)
            element = s.Index(s.VarRef(variable, type, span), at, type.element, span)
            nothing = s.Literal(float("nan"), type.element, span)
            each = s.Evaluate(s.Assign(element, nothing, type.element, span), span)
            yield s.For(
                (s.Declare(counter, s.Literal(0, ULONG, span), span),),
                s.Binary(BinaryOp.LT, at, size, BOOL, span),
                s.IncDec(at, 1, True, ULONG, span),
                s.Block((each,), span),
                span,
            )
            return
        declared = self._lasting.get(lasting)
        if declared is not None and declared.init is not None and not _is_made(declared):
            yield s.Declare(variable, declared.init, span)
        else:
            yield s.Declare(variable, s.Literal(lasting.initial or 0, type, span), span)


def _with_more(function: FunctionSymbol, variables: Iterable[Symbol]) -> FunctionSymbol:
    more = tuple(Reference(v.type) for v in variables)
    return replace(function, parameters=(*function.parameters, *more), unnamed=True)


def _is_made(declared: s.Declare | None) -> bool:
    """Whether a static variable gets its value when its declaration is come to."""
    if declared is None or isinstance(declared.symbol.type, Array) or declared.init is None:
        return False
    return not isinstance(_uncast(declared.init), s.Literal)


@dataclass(slots=True)
class _Rewritten:
    """The statements of one function with its own variables for those that last."""

    own: dict[Symbol, Symbol]
    made: dict[Symbol, Symbol]
    symbols: dict[FunctionSymbol, FunctionSymbol]
    named: dict[FunctionSymbol, dict[Symbol, None]]
    found: _Refusals

    def block(self, block: s.Block) -> s.Block:
        return replace(block, statements=tuple(map(self._statement, block.statements)))

    def _statement(self, statement: s.Stmt) -> s.Stmt:
        done: s.Stmt
        if isinstance(statement, s.Block):
            done = self.block(statement)
        elif isinstance(statement, s.Declare) and statement.symbol in self.own:
            done = self._once(statement) if statement.symbol in self.made else s.Block((), statement.span)
        else:
            done = surface_walk.rebuilt(statement, self._expr, self._statement)
        refused = self.found.by_statement.get(id(statement))
        if refused is None:
            return done
        return s.Block((s.Evaluate(refused, refused.span), done), statement.span)

    def _once(self, declared: s.Declare) -> s.Stmt:
        """A static variable gets its value once."""
        span, variable = declared.span, declared.symbol
        flag = self._use(self.made[variable], span)
        assert declared.init is not None
        value = s.Assign(s.VarRef(variable, variable.type, span), declared.init, variable.type, span)
        noted = s.Assign(flag, s.Literal(True, BOOL, span), BOOL, span)
        then = (s.Evaluate(self._expr(value), span), s.Evaluate(noted, span))
        return s.If(s.Unary(UnaryOp.NOT, flag, BOOL, span), s.Block(then, span), None, span)

    def _use(self, lasting: Symbol, span: Span) -> s.VarRef:
        return s.VarRef(self.own[lasting], lasting.type, span)

    def _expr(self, expr: s.Expr) -> s.Expr:
        match expr:
            case s.VarRef(symbol=symbol, span=span) if symbol in self.own:
                use = self._use(symbol, span)
                return use if id(expr) in self.found.asked else _allocated(use)
            case s.AddressOf(operand=s.VarRef(symbol=symbol, span=span)) if symbol in self.own:
                return replace(expr, operand=self._use(symbol, span))
        releases = isinstance(expr, s.Call) and isinstance(known.of(expr.callee.name), known.Release)
        operand = self._renamed if releases or isinstance(expr, _WRITES) else self._expr
        done = surface_walk.rebuilt(expr, operand)
        match done:
            case s.Call(callee=callee, arguments=arguments, span=span) if self.named.get(callee):
                more = tuple(self._use(v, span) for v in self.named[callee])
                return replace(done, callee=self.symbols[callee], arguments=(*arguments, *more))
            case s.Construct(constructor=callee, arguments=arguments, span=span) if self.named.get(callee):
                more = tuple(self._use(v, span) for v in self.named[callee])
                return replace(done, constructor=self.symbols[callee], arguments=(*arguments, *more))
            case s.Call(arguments=arguments) if self._is_own(_given_place(done)):
                row = known.of(done.callee.name)
                assert isinstance(row, known.Allocation) and row.place is not None
                place = _given_place(done)
                assert place is not None
                pointer = s.VarRef(place, _type_of(place), done.span)
                filled = _filled(pointer, arguments[row.factors[0]], row.side, done.span)
                return s.Comma(done, s.Cast(filled, done.type, done.span), done.type, done.span)
            case s.Assign(target=s.VarRef(symbol=symbol) as target, value=value, type=type, span=span) if self._is_own(
                symbol
            ):
                allocated = _allocation(value)
                if allocated is None:
                    return done
                call, row = allocated
                filled = _filled(target, call.arguments[row.factors[0]], row.side, span)
                return s.Comma(s.Comma(done, filled, filled.type, span), target, type, span)
            case _:
                return done

    def _renamed(self, expr: s.Expr) -> s.Expr:
        """The same with the variable itself, whether or not it leads to memory."""
        if isinstance(expr, s.VarRef) and expr.symbol in self.own:
            return self._use(expr.symbol, expr.span)
        return surface_walk.rebuilt(expr, self._renamed) if isinstance(expr, s.Cast) else self._expr(expr)

    def _is_own(self, symbol: Symbol | None) -> bool:
        return symbol is not None and symbol in self.own.values()


def _type_of(variable: Symbol) -> Pointer:
    type = variable.type.referee if isinstance(variable.type, Reference) else variable.type
    assert isinstance(type, Pointer)
    return type


def _allocated(use: s.VarRef) -> s.Expr:
    """A pointer; the program ends where that may be null: what it leads to then is known to earlier calls alone."""
    if not isinstance(use.type, Pointer):
        return use
    span = use.span
    there = s.Binary(BinaryOp.NE, use, s.Literal(0, use.type, span), BOOL, span)
    text = f"'{use.symbol.name}' is used in a call that has not allocated its memory"
    said = s.StringLiteral(literal(text), FAIL.parameters[0], span)
    fails = s.Call(FAIL, (said,), VOID, span)
    return s.Conditional(there, use, s.Comma(fails, use, use.type, span), use.type, span)


def _filled(pointer: s.Expr, bytes: s.Expr, side: core.Side, span: Span) -> s.Call:
    fill = _FILLS[side is core.Side.DEVICE]
    given = (s.Cast(pointer, _VOID, span), s.Literal(_UNWRITTEN, INT, span), bytes)
    return s.Call(fill, given, fill.result, span)
