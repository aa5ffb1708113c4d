"""What is marked as nondifferentiable, made explicit: `cladpy::detached(x)` is x, with a derivative of zero.

It stands around what is read from a marked variable, parameter or member by its name, and around the results of a
marked function. Within such a function it stands around all that is stored, too. So neither the gradient nor the
oracle needs to know of marks.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.diagnostics import NOWHERE, Note, Sink
from cladpy.edits import MARK, Edit
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.never import assert_never
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import VOID, Array, Pointer, Reference, Struct, Type, is_floating
from cladpy.normalize.layout import members_of
from cladpy.normalize.writes import EFFECT, written_through
from cladpy.order import scan

DETACHED = "cladpy::detached"


def detach(program: s.Program, sink: Sink) -> s.Program:
    """The program without marks. Reports CP0403 and CP0404; raises DifferentiationError."""
    functions = program.functions
    if not any(_names_mark(f) for f in functions.values()):
        return program
    if program.entry.nondifferentiable:
        sink.error(
            "CP0403",
            f"'{program.entry.name}' is marked as nondifferentiable",
            functions[program.entry].span,
            hint="differentiate a function that calls it",
        )
    for function in functions.values():
        if function.symbol.nondifferentiable:
            _check_below(function, program, sink)
    changed = {symbol: _Detaching(f, functions, sink).function() for symbol, f in functions.items()}
    sink.raise_if_errors()
    return replace(program, functions=changed)


def detaching(type: Type) -> FunctionSymbol:
    """The function that gives what it is given, without derivatives."""
    name = DETACHED.rpartition("::")[2]
    return FunctionSymbol(name, DETACHED, type, (type,), FunctionKind.HOST_DEVICE, NOWHERE, True)


def calls_detached(program: s.Program) -> bool:
    """Whether anything was marked."""
    return any(c.qualified_name == DETACHED for f in program.functions.values() for c in scan.callees(f))


def _names_mark(function: s.Function) -> bool:
    if function.symbol.nondifferentiable or any(p.nondifferentiable for p in function.parameters):
        return True
    if any(d.symbol.nondifferentiable for d in surface_walk.declarations(function.body)):
        return True
    for expr in surface_walk.expressions(function.body):
        for e in surface_walk.walk(expr):
            match e:
                case s.VarRef(symbol) if symbol.nondifferentiable:
                    return True
                case s.Member(field=field) if field.nondifferentiable:
                    return True
                case s.Call(callee=callee) | s.Construct(constructor=callee) if callee.nondifferentiable:
                    return True
                case _:
                    pass
    return False


def _check_below(function: s.Function, program: s.Program, sink: Sink) -> None:
    """What a marked function calls may not store: that happens in a body of its own, which others call too."""
    for callee in scan.callees(function):
        body = program.functions.get(callee)
        if body is not None and not callee.nondifferentiable and written_through(callee, program.functions) - {EFFECT}:
            sink.error(
                "CP0404",
                f"'{callee.name}', which the nondifferentiable function '{function.symbol.name}' calls, writes memory",
                body.span,
                notes=(Note("the function that is marked", function.span),),
                hint=f"mark '{callee.name}' as nondifferentiable too",
                patch=_marked_too(function, body, sink),
            )


def _marked_too(marked: s.Function, other: s.Function, sink: Sink) -> tuple[Edit, ...]:
    """What writes one function's mark in front of another; nothing where it does not stand in front of the first."""
    mark = sink.follows(marked.span, rf"({MARK})", r"\1 ")
    if not mark:
        return ()
    return tuple(replace(edit, text=mark[0].text) for edit in sink.follows(other.span, r"(?!template\b)", ""))


class _Detaching:
    """Rewrites one function. An expression is rewritten as a value, or as a place that something is done with."""

    def __init__(self, function: s.Function, functions: dict[FunctionSymbol, s.Function], sink: Sink) -> None:
        self._function = function
        self._functions = functions
        self._sink = sink
        self._inside = function.symbol.nondifferentiable

    def function(self) -> s.Function:
        return replace(self._function, body=self._block(self._function.body))

    # ---- statements ------------------------------------------------------------------------------------------------

    def _block(self, block: s.Block) -> s.Block:
        return replace(block, statements=tuple(map(self._statement, block.statements)))

    def _statement(self, statement: s.Stmt) -> s.Stmt:
        match statement:
            case s.Declare(symbol, init):
                if init is None:
                    return statement
                return replace(statement, init=self._given(symbol.type, init))
            case s.Evaluate(expr):
                return replace(statement, expr=self._rebuilt(expr))
            case s.Bind(base, field, referred):
                return replace(statement, base=self._rebuilt(base), referred=self._given(field.type, referred))
            case s.If(condition, then, other):
                return replace(
                    statement,
                    condition=self._value(condition),
                    then=self._block(then),
                    other=None if other is None else self._block(other),
                )
            case s.For(init, condition, step, body):
                return replace(
                    statement,
                    init=tuple(map(self._statement, init)),
                    condition=None if condition is None else self._value(condition),
                    step=None if step is None else self._rebuilt(step),
                    body=self._block(body),
                )
            case s.While(condition, body) | s.DoWhile(body, condition):
                return replace(statement, condition=self._value(condition), body=self._block(body))
            case s.Switch(value, sections):
                done = tuple(replace(x, body=tuple(map(self._statement, x.body))) for x in sections)
                return replace(statement, value=self._value(value), sections=done)
            case s.Return(value):
                if value is None:
                    return statement
                return replace(statement, value=self._given(self._function.symbol.result, value))
            case s.Block():
                return self._block(statement)
            case s.Break() | s.Continue():
                return statement
            case _:
                assert_never(statement)

    # ---- expressions -----------------------------------------------------------------------------------------------

    def _given(self, type: Type, expr: s.Expr) -> s.Expr:
        """What something of this type is initialised with: a reference with a place, all else with a value."""
        if isinstance(type, Reference) and is_lvalue(expr) and not (type.const and self._is_marked(expr)):
            return self._rebuilt(expr)
        return self._value(expr)

    def _value(self, expr: s.Expr) -> s.Expr:
        if isinstance(expr, s.Conditional):  # each arm has a name of its own
            then, other = self._value(expr.then), self._value(expr.other)
            return replace(expr, condition=self._value(expr.condition), then=then, other=other)
        done = self._rebuilt(expr)
        return _detached(done) if self._is_marked(expr) else done

    def _stored(self, value: s.Expr) -> s.Expr:
        """What is assigned: within a marked function without its derivative."""
        done = self._value(value)
        return _detached(done) if self._inside else done

    def _rebuilt(self, expr: s.Expr) -> s.Expr:
        match expr:
            case s.Literal() | s.StringLiteral() | s.VarRef() | s.Builtin():
                return expr
            case s.Unsupported(operands=operands):
                return replace(expr, operands=None if operands is None else tuple(map(self._rebuilt, operands)))
            case s.Unary(operand=operand):
                return replace(expr, operand=self._value(operand))
            case s.Cast(operand=operand):
                unread = isinstance(operand.type, Array) or expr.type == VOID
                return replace(expr, operand=self._rebuilt(operand) if unread else self._value(operand))
            case s.Binary(left=left, right=right):
                return replace(expr, left=self._value(left), right=self._value(right))
            case s.Assign(target, value):
                return replace(expr, target=self._rebuilt(target), value=self._stored(value))
            case s.CompoundAssign(target=target, value=value):
                return replace(expr, target=self._rebuilt(target), value=self._stored(value))
            case s.IncDec(target):
                return replace(expr, target=self._rebuilt(target))
            case s.Conditional(condition, then, other):
                both = self._rebuilt if is_lvalue(expr) else self._value
                return replace(expr, condition=self._value(condition), then=both(then), other=both(other))
            case s.Comma(left, right):
                last = self._rebuilt if is_lvalue(expr) else self._value
                return replace(expr, left=self._rebuilt(left), right=last(right))
            case s.Index(base, index):
                return replace(expr, base=self._rebuilt(base), index=self._value(index))
            case s.Deref(operand) | s.AddressOf(operand):
                return replace(expr, operand=self._rebuilt(operand))
            case s.Member(base):
                return replace(expr, base=self._rebuilt(base))
            case s.Temporary(operand):
                return replace(expr, operand=self._value(operand))
            case s.Call(callee, arguments, launch=launch):
                if launch is not None:
                    stream = None if launch.stream is None else self._value(launch.stream)
                    grid, block, bytes = map(self._value, (launch.grid, launch.block, launch.shared_mem))
                    launch = s.Configuration(grid, block, bytes, stream)
                return replace(expr, arguments=self._arguments(callee, arguments, 0), launch=launch)
            case s.Construct(constructor, arguments):
                return replace(expr, arguments=self._arguments(constructor, arguments, 1))
            case s.InitList(elements, type):
                types = [f.type for f in type.fields] if isinstance(type, Struct) else []
                given = [*types, *(e.type for e in elements[len(types) :])]
                done = (self._given(t, e) for t, e in zip(given, elements, strict=False))
                return replace(expr, elements=tuple(_detached(e) if self._inside else e for e in done))
            case _:
                assert_never(expr)

    def _arguments(self, callee: FunctionSymbol, arguments: tuple[s.Expr, ...], first: int) -> tuple[s.Expr, ...]:
        """The arguments from the parameter `first` on."""
        body = self._functions.get(callee)
        cut = self._inside or callee.nondifferentiable
        found = []
        for i, argument in enumerate(arguments, first):
            type = callee.parameters[i] if i < len(callee.parameters) else argument.type
            done = self._given(type, argument)
            if i == 0 and callee.is_method and self._reads_marked(callee, argument):
                assert isinstance(argument, s.AddressOf)
                object = s.Temporary(self._value(argument.operand), argument.operand.type, argument.span)
                done = replace(argument, operand=object)
            by_value = not (isinstance(type, Reference) and is_lvalue(done))
            marked = body is not None and body.parameters[i].nondifferentiable
            found.append(_detached(done) if by_value and (cut or marked) else done)
        return tuple(found)

    def _reads_marked(self, callee: FunctionSymbol, object: s.Expr) -> bool:
        """Whether a member function that changes nothing is called on a marked object, and gives a value."""
        this = callee.parameters[0]
        reads = isinstance(this, Pointer) and this.const and not isinstance(callee.result, Pointer | Reference)
        return reads and isinstance(object, s.AddressOf) and self._is_marked(object.operand)

    def _is_marked(self, expr: s.Expr) -> bool:
        """Whether a number or an object is read from what is marked, or made by a marked function."""
        if not _has_derivative(expr.type):
            return False
        match expr:
            case s.Call(callee=callee) if not isinstance(callee.result, Reference):
                return callee.nondifferentiable
            case s.IncDec() | s.Member():  # of a value, too
                return _leads_to_mark(expr)
            case _:
                return is_lvalue(expr) and _leads_to_mark(expr)


def _leads_to_mark(expr: s.Expr) -> bool:
    """Whether the name of something marked stands in the path to a place."""
    match expr:
        case s.VarRef(symbol):
            return symbol.nondifferentiable
        case s.Index(base=e) | s.Deref(operand=e) | s.AddressOf(operand=e) | s.Cast(operand=e) | s.Temporary(operand=e):
            return _leads_to_mark(e)
        case s.Assign(target=e) | s.CompoundAssign(target=e) | s.IncDec(target=e) | s.Comma(right=e):
            return _leads_to_mark(e)
        case s.Member(base=base, field=field):
            return field.nondifferentiable or _leads_to_mark(base)
        case s.Binary(left=left, right=right):
            return _leads_to_mark(left) or _leads_to_mark(right)
        case s.Conditional(then=then, other=other):
            return _leads_to_mark(then) or _leads_to_mark(other)
        case s.Call(callee=callee, arguments=arguments):  # what a member function refers to is the object's
            refers = callee.is_method and isinstance(callee.result, Reference)
            return callee.nondifferentiable or (refers and _leads_to_mark(arguments[0]))
        case _:
            return False


def _has_derivative(type: Type) -> bool:
    """Whether something is a floating-point number, or an object that holds some."""
    return is_floating(type) or (isinstance(type, Struct) and any(is_floating(m.type) for m in members_of(type)))


def _detached(expr: s.Expr) -> s.Expr:
    """A number without its derivative, or an object without those of its numbers; anything else as it is."""
    type = expr.type
    if not _has_derivative(type) or isinstance(expr, s.Literal | s.InitList):
        return expr
    if isinstance(expr, s.Call) and expr.callee.qualified_name == DETACHED:
        return expr
    return s.Call(detaching(type), (expr,), type, expr.span)
