"""The program with variables of the entry in place of those that last, which functions that name them are lent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FAIL, FunctionSymbol, Role, Space, Symbol
from cladpy.ir.types import BOOL, ULONG, VOID, Array, Pointer, Reference, Struct, is_floating
from cladpy.normalize.scratch.decided import Refusals
from cladpy.normalize.scratch.lasting import allocation, given_place, uncast
from cladpy.normalize.scratch.times import shown
from cladpy.normalize.scratch.unwritten import filled
from cladpy.order import scan
from cladpy.quoting import literal

_WRITES = (s.Assign, s.CompoundAssign, s.IncDec)


class Lent:
    """The program with the variables in the entry, and parameters for them where they are named."""

    def __init__(
        self,
        program: s.Program,
        hosts: list[s.Function],
        lasting: dict[Symbol, s.Declare | None],
        times: set[Symbol],
        found: Refusals,
    ) -> None:
        self._program = program
        self._lasting = lasting
        self._times = times
        self._found = found
        self._made = {  # whether a variable has been given its value, where that is no constant
            v: Symbol(f"{v.name}_made", BOOL, Role.GLOBAL, v.span)
            for v, d in lasting.items()
            if v not in times and _is_made(d)
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
        if lasting in self._times or isinstance(type, Struct):  # what else such a one holds has been refused
            yield s.Declare(variable, None, span)
            yield from shown(s.VarRef(variable, type, span), span)
            return
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
            yield s.Declare(variable, s.Literal(lasting.initial or (0.0 if is_floating(type) else 0), type, span), span)


def _with_more(function: FunctionSymbol, variables: Iterable[Symbol]) -> FunctionSymbol:
    more = tuple(Reference(v.type) for v in variables)
    return replace(function, parameters=(*function.parameters, *more), unnamed=True)


def _is_made(declared: s.Declare | None) -> bool:
    """Whether a static variable gets its value when its declaration is come to."""
    if declared is None or isinstance(declared.symbol.type, Array) or declared.init is None:
        return False
    return not isinstance(uncast(declared.init), s.Literal)


@dataclass(slots=True)
class _Rewritten:
    """The statements of one function with its own variables for those that last."""

    own: dict[Symbol, Symbol]
    made: dict[Symbol, Symbol]
    symbols: dict[FunctionSymbol, FunctionSymbol]
    named: dict[FunctionSymbol, dict[Symbol, None]]
    found: Refusals

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
            case s.Call(arguments=arguments) if self._is_own(given_place(done)):
                row = known.of(done.callee.name)
                assert isinstance(row, known.Allocation) and row.place is not None
                place = given_place(done)
                assert place is not None
                pointer = s.VarRef(place, _type_of(place), done.span)
                fill = filled(pointer, arguments[row.factors[0]], row.side, done.span)
                return s.Comma(done, s.Cast(fill, done.type, done.span), done.type, done.span)
            case s.Assign(target=s.VarRef(symbol=symbol) as target, value=value, type=type, span=span) if self._is_own(
                symbol
            ):
                allocated = allocation(value)
                if allocated is None:
                    return done
                call, row = allocated
                fill = filled(target, call.arguments[row.factors[0]], row.side, span)
                return s.Comma(s.Comma(done, fill, fill.type, span), target, type, span)
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
