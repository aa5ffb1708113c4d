"""Pools: containers that last and hold pointers to spare memory, for the next one who asks for some.

What is taken out of a pool is scratch, as what lasts in a variable is: nobody reads it before it is written. So a pool
may as well be empty whenever it is asked, and forget what is put into it: then each request allocates, and what the
pool is made of has no part in the program. What it holds may decide about nothing but that: whether memory is taken or
allocated. New memory is filled with bytes that no number is made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.containers import is_pool
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import BOOL, VOID, Pointer, Scalar, Struct, Type, is_floating, strip_reference
from cladpy.normalize.scratch.lasting import allocation, uncast
from cladpy.normalize.scratch.unwritten import Unknown, filled, filled_object
from cladpy.order import scan

_TO_ELEMENTS = (
    "begin end cbegin cend rbegin rend crbegin crend find lower_bound upper_bound data insert erase emplace operator++ "
    "operator-- operator+ operator- operator+= operator-= operator->"
)
_TO_PARTS = frozenset(_TO_ELEMENTS.split())
_CHANGES = frozenset(["push", "pop", "push_back", "pop_back", "emplace", "emplace_back", "insert", "erase", "clear"])
_EQUAL = {"operator==": True, "operator!=": False, "operator<": False, "operator>": False}
_COMPARED = {BinaryOp.EQ: True, BinaryOp.NE: False, BinaryOp.LT: False, BinaryOp.GT: False}
_HINT = (
    "pass it as an argument; a container that lasts may hold memory for the next one who asks: take it out where there "
    "is some, allocate it where there is none, do nothing else there, and have each call write it before it is read"
)


class _Role(Enum):
    """What an expression is to a pool: a part of it, a pointer or reference to one; a pointer that it holds; or a
    number that it says of itself."""

    PART = "part"
    TAKEN = "taken"
    SAID = "said"


def without_pools(program: s.Program) -> s.Program:
    """The program with pools that are empty; where one does more than to hold memory, that is said in front of the
    statement (CP0120)."""
    hosts = {f.symbol: f for f in program.functions.values() if _is_users(f)}
    named = (v for f in hosts.values() for v in scan.globals_of(f))
    declared = (d.symbol for f in hosts.values() for d in surface_walk.declarations(f.body))
    possible = dict.fromkeys(v for v in named if v.role is Role.GLOBAL and is_pool(v.type))
    pools = {v for v in possible if _parts_of({v}, hosts.values()).are_changed(hosts.values())}
    pools |= {v for v in declared if v.role is Role.GLOBAL and is_pool(v.type)}
    if not pools:
        return program
    parts = _parts_of(pools, hosts.values())
    dropped = {f: _without(hosts[f], gone) for f, gone in parts.given.items()}
    emptied = {
        f: _Emptied(program, hosts[f], parts, dropped).emptied()
        for f in sorted(hosts, key=lambda f: f not in parts.givers)
    }
    functions = {dropped.get(f, f): emptied.get(f, function) for f, function in program.functions.items()}
    return replace(program, functions=_reached(program.entry, functions))


def _parts_of(pools: set[Symbol], functions: Iterable[s.Function]) -> _Parts:
    parts = _Parts(pools)
    while parts.grown(functions):
        pass
    return parts


def _is_users(function: s.Function) -> bool:
    of_host = function.symbol.kind in (FunctionKind.HOST, FunctionKind.HOST_DEVICE)
    return of_host and not is_of_library(function.symbol)


def is_of_library(function: FunctionSymbol) -> bool:
    return function.qualified_name.startswith(("std::", "__gnu_cxx::"))


@dataclass(slots=True)
class _Parts:
    """The variables that stand for parts of pools, and the functions that give them."""

    pools: set[Symbol]
    variables: set[Symbol] = field(default_factory=set)
    givers: set[FunctionSymbol] = field(default_factory=set)
    given: dict[FunctionSymbol, set[int]] = field(default_factory=dict)  # positions of parameters that are
    deciding: set[Symbol] = field(default_factory=set)  # variables that hold what pools have said
    busy: set[FunctionSymbol] = field(default_factory=set)  # the functions among them that do something besides

    def grown(self, functions: Iterable[s.Function]) -> bool:
        before = self._size()
        by_symbol = {f.symbol: f for f in functions}
        for function in by_symbol.values():
            for declared in surface_walk.declarations(function.body):
                if declared.init is not None and declared.symbol not in self.pools:
                    self._holds(declared.symbol, declared.init)
            for expr in surface_walk.expressions(function.body):
                for e in surface_walk.walk(expr):
                    match e:
                        case s.Assign(target=s.VarRef(symbol=symbol), value=value):
                            self._holds(symbol, value)
                        case s.Call(callee=callee, arguments=arguments) if callee in by_symbol:
                            self._passed(by_symbol[callee], arguments)
            if any(
                r.value is not None and self.role(r.value) is _Role.PART for r in surface_walk.returns(function.body)
            ):
                self.givers.add(function.symbol)
        return self._size() != before

    def are_changed(self, functions: Iterable[s.Function]) -> bool:
        """Whether the program puts something in, or takes something out; else this is memory like any other."""
        return any(
            isinstance(e, s.Call)
            and e.callee.name in _CHANGES
            and is_of_library(e.callee)
            and any(self.role(a) is _Role.PART for a in e.arguments)
            for function in functions
            for expr in surface_walk.expressions(function.body)
            for e in surface_walk.walk(expr)
        )

    def _size(self) -> int:
        return len(self.variables) + len(self.givers) + len(self.deciding) + sum(map(len, self.given.values()))

    def _holds(self, symbol: Symbol, value: s.Expr) -> None:
        if self.role(value) is _Role.PART:
            self.variables.add(symbol)
        elif isinstance(symbol.type, Scalar) and self.decides(value):
            self.deciding.add(symbol)

    def _passed(self, function: s.Function, arguments: tuple[s.Expr, ...]) -> None:
        for i, argument in enumerate(arguments):
            if self.role(argument) is _Role.PART:
                self.given.setdefault(function.symbol, set()).add(i)
                self.variables.add(function.parameters[i])

    def decides(self, expr: s.Expr) -> bool:
        """Whether an expression is made of what a pool says or holds."""
        return any(
            self.role(e) in (_Role.SAID, _Role.TAKEN) or (isinstance(e, s.VarRef) and e.symbol in self.deciding)
            for e in surface_walk.walk(expr)
        )

    def role(self, expr: s.Expr) -> _Role | None:
        match expr:
            case s.VarRef(symbol=symbol):
                return _Role.PART if symbol in self.pools or symbol in self.variables else None
            case s.AddressOf(operand=inner) | s.Temporary(operand=inner):
                return _Role.PART if self.role(inner) is not None else None
            case s.Cast(operand=inner) | s.Comma(right=inner):
                return self.role(inner)
            case s.Deref(operand=inner) | s.Index(base=inner) | s.Member(base=inner):
                return self._within(expr.type) if self.role(inner) is _Role.PART else None
            case s.IncDec(target=inner) | s.Assign(target=inner) | s.CompoundAssign(target=inner):
                return _Role.PART if self.role(inner) is _Role.PART else None
            case s.Binary(op=op, left=left, right=right):
                if _Role.PART not in (self.role(left), self.role(right)):
                    return None
                return _Role.SAID if op in s.COMPARISONS or not isinstance(expr.type, Pointer) else _Role.PART
            case s.Construct(arguments=arguments, type=type):
                is_part = isinstance(type, Struct) and type.spelling.startswith(("std::", "__gnu_cxx::"))
                return _Role.PART if is_part and any(self.role(a) is _Role.PART for a in arguments) else None
            case s.Call(callee=callee, arguments=arguments):
                if callee in self.givers:
                    return _Role.PART
                if not is_of_library(callee) or not any(self.role(a) is _Role.PART for a in arguments):
                    return None
                if callee.name in _TO_PARTS and not isinstance(callee.result, Scalar):
                    return _Role.PART
                return self._within(strip_reference(callee.result))
            case _:
                return None

    @staticmethod
    def _within(type: Type) -> _Role:
        match type:
            case Struct():
                return _Role.PART
            case Pointer():
                return _Role.TAKEN
            case _:
                return _Role.SAID


@dataclass(slots=True)
class _Found(Exception):
    """What makes a call depend on those before."""

    what: str
    span: Span


@dataclass(slots=True)
class _Emptied:
    """One function with pools that are empty. A statement is *decided* where it runs or not by what a pool holds."""

    program: s.Program
    function: s.Function
    parts: _Parts
    dropped: dict[FunctionSymbol, FunctionSymbol]
    own: set[Symbol] = field(default_factory=set)  # variables of decided statements
    held: list[s.Literal] = field(default_factory=list)  # in the place of what empty pools hold
    constant: dict[Symbol, s.Literal] = field(default_factory=dict)  # variables that say what all empty pools do

    def emptied(self) -> s.Function:
        function, symbol = self.function, self.function.symbol
        gone = self.parts.given.get(symbol, set())
        parameters = tuple(p for i, p in enumerate(function.parameters) if i not in gone)
        self._find_constants()
        done, _ = self._block(function.body.statements, False)
        body = replace(function.body, statements=tuple(map(self._without_held, done)))
        if symbol in self.parts.givers and any(map(_does_something, surface_walk.expressions(body))):
            self.parts.busy.add(symbol)
        return replace(function, symbol=self.dropped.get(symbol, symbol), parameters=parameters, body=body)

    def _find_constants(self) -> None:
        given: dict[Symbol, list[s.Expr | None]] = {}
        for declared in surface_walk.declarations(self.function.body):
            if declared.init is not None:
                given.setdefault(declared.symbol, []).append(declared.init)
        for expr in surface_walk.expressions(self.function.body):
            for e in surface_walk.walk(expr):
                match e:
                    case s.Assign(target=s.VarRef(symbol=symbol), value=value):
                        given.setdefault(symbol, []).append(value)
                    case s.CompoundAssign(target=s.VarRef(symbol=symbol)) | s.IncDec(target=s.VarRef(symbol=symbol)):
                        given.setdefault(symbol, []).append(None)
                    case s.AddressOf(operand=s.VarRef(symbol=symbol)):
                        given.setdefault(symbol, []).append(None)
        for symbol in self.parts.deciding:
            said = [v and self._said(v) for v in given.get(symbol, ()) if symbol.role is Role.VARIABLE]
            literals = [v for v in said if isinstance(v, s.Literal)]
            if literals and len(literals) == len(said) and len({v.value for v in literals}) == 1:
                self.constant[symbol] = literals[0]

    def _said(self, value: s.Expr) -> s.Expr | None:
        try:
            return self._expr(value)
        except _Found:
            return None

    def _refused(self, found: _Found) -> s.Stmt:
        own = [v.name for v in scan.globals_of(self.function) if v in self.parts.pools]
        name = (own or [v.name for v in self.parts.pools])[0]
        message = f"'{name}' lasts from one call to the next, and {found.what}"
        return s.Evaluate(s.Unsupported("CP0120", message, _HINT, VOID, found.span), found.span)

    def _without_held(self, statement: s.Stmt) -> s.Stmt:
        """Refuses what an empty pool should hold."""
        done = surface_walk.rebuilt(statement, lambda e: e, self._without_held)
        for expr in surface_walk.own_expressions(done):
            for e in surface_walk.walk(expr):
                if any(e is h for h in self.held):
                    return s.Block((self._refused(_Found("what it holds is used here", e.span)), done), done.span)
        return done

    # ---- statements ------------------------------------------------------------------------------------------------

    def _block(self, statements: Iterable[s.Stmt], decided: bool) -> tuple[list[s.Stmt], bool]:
        """What becomes of statements, and whether a pool decides about what follows."""
        out: list[s.Stmt] = []
        for statement in statements:
            try:
                done, decided = self._visit(statement, decided)
                out += done
            except _Found as found:
                out += [self._refused(found), statement]
        return out, decided

    def _inner(self, block: s.Block, decided: bool) -> tuple[s.Block, bool]:
        done, after = self._block(block.statements, decided)
        return replace(block, statements=tuple(done)), after

    def _visit(self, statement: s.Stmt, decided: bool) -> tuple[list[s.Stmt], bool]:
        span = statement.span
        match statement:
            case s.Block():
                block, after = self._inner(statement, decided)
                return [block], after
            case s.If():
                return self._if(statement, decided)
            case s.For() | s.While():
                return self._loop(statement, decided)
        if decided:
            self._alone(statement)
        else:
            self._in_conditions_only(statement)
        match statement:
            case s.Declare(symbol=symbol, init=init) if symbol in self.parts.pools or symbol in self.parts.variables:
                effects = [] if init is None or symbol in self.parts.pools else self._effects(init)
                return [s.Evaluate(e, span) for e in effects], decided
            case s.Return(value=value) if value is not None and self.parts.role(value) is _Role.PART:
                return [*(s.Evaluate(e, span) for e in self._effects(value)), replace(statement, value=None)], decided
            case s.Return(value=s.Call() | s.Cast() as value) if decided and isinstance(value.type, Pointer):
                made = Symbol("made", value.type, Role.VARIABLE, span)
                use = s.VarRef(made, made.type, span)
                declared = s.Declare(made, self._expr(value), span)
                return [declared, *_fills(use, value), replace(statement, value=use)], decided
            case s.Evaluate(expr=expr) if self._concerns(expr):
                return [s.Evaluate(e, span) for e in self._effects(expr)], decided
            case s.Evaluate(expr=s.Assign(target=target, value=value)) if decided:
                return [surface_walk.rebuilt(statement, self._expr), *_fills(target, value)], decided
            case s.Declare(symbol=symbol, init=init) if decided and init is not None:
                done = surface_walk.rebuilt(statement, self._expr)
                return [done, *_fills(s.VarRef(symbol, symbol.type, span), init)], decided
            case s.Evaluate(expr=expr) if decided:
                filled_after = [f for e in surface_walk.walk(expr) for f in _filled_by(e)]
                return [surface_walk.rebuilt(statement, self._expr), *filled_after], decided
            case _:
                return [surface_walk.rebuilt(statement, self._expr, lambda i: self._one(i, decided))], decided

    def _one(self, statement: s.Stmt, decided: bool) -> s.Stmt:
        done, after = self._block((statement,), decided)
        if after and not decided:
            raise _Found("decides when a loop is left", statement.span)
        return done[0] if len(done) == 1 else s.Block(tuple(done), statement.span)

    def _if(self, statement: s.If, decided: bool) -> tuple[list[s.Stmt], bool]:
        decides = self.parts.decides(statement.condition)
        test = self._expr(statement.condition)
        then, after = self._inner(statement.then, decided or decides)
        other, after_other = (
            (None, False) if statement.other is None else self._inner(statement.other, decided or decides)
        )
        if decides:
            after = any(scan.jumps(a) for a in (statement.then, statement.other) if a is not None)
        else:
            after |= after_other
        if decides and isinstance(test, s.Literal):
            live, dead = (then, other) if test.value else (other, then)
            return [b for b in (live, _refusals(dead)) if b is not None], decided or after
        return [replace(statement, condition=test, then=then, other=other)], decided or after

    def _loop(self, statement: s.For | s.While, decided: bool) -> tuple[list[s.Stmt], bool]:
        first, decided = self._block(statement.init, decided) if isinstance(statement, s.For) else ([], decided)
        condition = statement.condition
        decides = condition is not None and self.parts.decides(condition)
        test = None if condition is None else self._expr(condition)
        body, after = self._inner(statement.body, decided or decides)
        if decides:
            after = scan.Jump.RETURN in scan.jumps(statement)
        elif after and not decided:
            raise _Found("decides when a loop is left", statement.span)
        if decides and isinstance(test, s.Literal) and not test.value:
            refusals = _refusals(body)
            return [*first, *([] if refusals is None else [refusals])], decided or after
        if isinstance(statement, s.While):
            assert test is not None
            return [replace(statement, condition=test, body=body)], decided or after
        step = statement.step
        if step is not None:
            effects = self._effects(step) if self._concerns(step) else [self._expr(step)]
            step = _in_turn(effects) if effects else None
        return [replace(statement, init=tuple(first), condition=test, step=step, body=body)], decided or after

    def _in_conditions_only(self, statement: s.Stmt) -> None:
        """What a pool says is no number to be used, what it holds is for who asks for memory."""
        match statement:
            case s.Declare(symbol=symbol) if symbol in self.parts.deciding or symbol in self.parts.variables:
                return
            case s.Evaluate(expr=s.Assign(target=s.VarRef(symbol=symbol))) if symbol in self.parts.deciding:
                return
            case s.Evaluate(expr=expr) if self._concerns(expr):
                return
        for expr in surface_walk.own_expressions(statement):
            if self.parts.decides(expr):
                raise _Found("what it holds is used here", statement.span)

    def _alone(self, statement: s.Stmt) -> None:
        """Refuses what a decided statement does besides taking, allocating and releasing memory."""
        if isinstance(statement, s.Declare):
            self.own.add(statement.symbol)
        for expr in surface_walk.own_expressions(statement):
            for e in surface_walk.walk(expr):
                match e:
                    case s.Assign(target=target) | s.CompoundAssign(target=target) | s.IncDec(target=target):
                        if self.parts.role(target) is None and not self._is_pointer(target):
                            raise _Found("decides whether something else is written", e.span)
                    case s.Call(callee=callee):
                        if not (self._concerns(e) or self._is_about_memory(callee)):
                            raise _Found(f"decides whether '{callee.name}' is called", e.span)

    def _is_pointer(self, target: s.Expr) -> bool:
        match target:
            case s.VarRef(symbol=symbol):
                is_own = symbol in self.own or symbol in self.parts.deciding
                return is_own or (isinstance(target.type, Pointer) and symbol.role is not Role.GLOBAL)
            case s.Deref(operand=s.VarRef()):
                return isinstance(target.type, Pointer)
            case _:
                return False

    def _is_about_memory(self, callee: FunctionSymbol) -> bool:
        """Whether a function allocates, releases, makes or destroys objects, or says whether that went well."""
        row = known.of(callee.name)
        if isinstance(row, known.Allocation):
            return not row.zeroed and not row.grows
        if isinstance(row, known.Release | known.Silent) or callee.qualified_name.startswith("cladpy::"):
            return True
        function = self.program.functions.get(callee)
        if function is None or callee.kind is FunctionKind.KERNEL:
            return False
        return callee.unnamed or callee.name.startswith(("destroy_", "~", "new_object", "delete_object"))

    # ---- expressions -----------------------------------------------------------------------------------------------

    def _concerns(self, expr: s.Expr) -> bool:
        """Whether an expression by itself does something with a pool."""
        match expr:
            case s.Assign(target=target) | s.CompoundAssign(target=target) | s.IncDec(target=target):
                return self.parts.role(target) is not None
            case s.Call(callee=callee, arguments=arguments):
                given = any(self.parts.role(a) is _Role.PART for a in arguments)
                return callee in self.parts.givers or (given and is_of_library(callee))
            case _:
                return self.parts.role(expr) is not None

    def _effects(self, expr: s.Expr) -> list[s.Expr]:
        """What an expression does that is made of parts of pools, but for what it does with these."""
        if isinstance(expr, s.Call) and expr.callee in self.parts.busy:
            raise _Found(f"'{expr.callee.name}' does more than to give it", expr.span)
        if self._concerns(expr):
            return [e for child in surface_walk.children(expr) for e in self._effects(child)]
        return [self._expr(expr)] if _does_something(expr) else []

    def _expr(self, expr: s.Expr) -> s.Expr:
        if self._concerns(expr):
            return _in_turn([*self._effects(expr), self._of_empty(expr)])
        match expr:
            case s.VarRef(symbol=symbol) if symbol in self.constant:
                return replace(self.constant[symbol], type=expr.type, span=expr.span)
            case s.Assign(target=s.VarRef() as target, value=value):
                return replace(expr, target=target, value=self._expr(value))
            case s.AddressOf():
                if isinstance(expr.operand, s.VarRef):
                    return expr
        done = surface_walk.rebuilt(expr, self._expr_or_nothing if self._gives_parts(expr) else self._expr)
        if isinstance(done, s.Call) and done.callee in self.dropped:
            gone = self.parts.given[done.callee]
            kept = tuple(a for i, a in enumerate(done.arguments) if i not in gone)
            return replace(done, callee=self.dropped[done.callee], arguments=kept)
        return _folded(done)

    def _gives_parts(self, expr: s.Expr) -> bool:
        return isinstance(expr, s.Call) and expr.callee in self.dropped

    def _expr_or_nothing(self, expr: s.Expr) -> s.Expr:
        return expr if self.parts.role(expr) is _Role.PART else self._expr(expr)

    def _of_empty(self, expr: s.Expr) -> s.Expr:
        """What an empty pool says."""
        role, type, span = self.parts.role(expr), expr.type, expr.span
        if role is _Role.TAKEN:
            self.held.append(s.Literal(0, type, span))
            return self.held[-1]
        if role is not _Role.SAID or not isinstance(type, Scalar):
            raise _Found("may be changed through a pointer or reference", span)
        match expr:
            case s.Call(callee=callee):
                name = callee.name
                value = True if name == "empty" else _EQUAL.get(name, 0)
            case s.Binary(op=op):
                value = _COMPARED.get(op, 0)
            case _:
                value = 0
        return s.Literal(bool(value) if type == BOOL else value, type, span)


def _in_turn(exprs: list[s.Expr]) -> s.Expr:
    *before, last = exprs
    for expr in reversed(before):
        last = s.Comma(expr, last, last.type, last.span)
    return last


def _folded(expr: s.Expr) -> s.Expr:
    match expr:
        case s.Unary(op=UnaryOp.NOT, operand=s.Literal(value=value), type=type, span=span):
            return s.Literal(not value, type, span)
        case s.Binary(op=BinaryOp.AND | BinaryOp.OR as op, left=s.Literal(value=value) as left, right=right):
            return right if bool(value) is (op is BinaryOp.AND) else left
        case s.Binary(op=op, left=s.Literal(value=a), right=s.Literal(value=b), type=type, span=span):
            compared = {BinaryOp.EQ: a == b, BinaryOp.NE: a != b, BinaryOp.LT: a < b, BinaryOp.GT: a > b}
            compared |= {BinaryOp.LE: a <= b, BinaryOp.GE: a >= b}
            return s.Literal(compared[op], type, span) if op in compared else expr
        case s.Cast(operand=s.Literal(value=value), type=Scalar() as type, span=span) if not is_floating(type):
            return s.Literal(bool(value) if type == BOOL else value, type, span)
        case _:
            return expr


def _refusals(block: s.Block | None) -> s.Block | None:
    """What is refused in a block that is never come to."""
    if block is None:
        return None
    refused = tuple(
        here
        for here in surface_walk.statements(block)
        if isinstance(here, s.Evaluate) and isinstance(here.expr, s.Unsupported) and here.expr.code == "CP0120"
    )
    return replace(block, statements=refused) if refused else None


def _does_something(expr: s.Expr) -> bool:
    acts = (s.Assign, s.CompoundAssign, s.IncDec, s.Call, s.Construct, s.Unsupported)
    return any(isinstance(e, acts) for e in surface_walk.walk(expr))


def _fills(target: s.Expr, value: s.Expr) -> Iterator[s.Stmt]:
    """Fills memory that is allocated for a pointer."""
    made = allocation(value)
    span = value.span
    if made is not None:
        call, row = made
        yield s.Evaluate(filled(target, call.arguments[row.factors[0]], row.side, span), span)
    elif isinstance(value, s.Call) and isinstance(value.type, Pointer) and isinstance(value.type.pointee, Struct):
        try:
            for fill in filled_object(s.Deref(target, value.type.pointee, span), span):
                yield s.Evaluate(fill, span)
        except Unknown:
            raise _Found("its memory holds something where it is allocated", span) from None


def _filled_by(expr: s.Expr) -> Iterator[s.Stmt]:
    """The same where a call is given the pointer's address."""
    if not isinstance(expr, s.Call):
        return
    row = known.of(expr.callee.name) if expr.callee.in_system_header else None
    if isinstance(row, known.Allocation) and row.place is not None:
        match uncast(expr.arguments[row.place]):
            case s.AddressOf(operand=place):
                pass
            case pointer:
                assert isinstance(pointer.type, Pointer)
                place = s.Deref(pointer, pointer.type.pointee, expr.span)
        yield s.Evaluate(filled(place, expr.arguments[row.factors[0]], row.side, expr.span), expr.span)


def _without(function: s.Function, gone: set[int]) -> FunctionSymbol:
    symbol = function.symbol
    kept = tuple(t for i, t in enumerate(symbol.parameters) if i not in gone)
    return replace(symbol, parameters=kept, is_method=symbol.is_method and 0 not in gone, unnamed=True)


def _reached(entry: FunctionSymbol, functions: dict[FunctionSymbol, s.Function]) -> dict[FunctionSymbol, s.Function]:
    """The functions that are called from the entry."""
    found: dict[FunctionSymbol, None] = {}
    waiting = [entry]
    while waiting:
        here = waiting.pop()
        if here in functions and here not in found:
            found[here] = None
            waiting += scan.callees(functions[here])
    return {f: function for f, function in functions.items() if f in found}
