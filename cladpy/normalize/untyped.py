"""Parameters that point to void: what the memory holds that they lead to.

The function asked for says it where it converts them, and a kernel does: `float *x = (float *)p`. From then on `p` is
a parameter of the type that it is converted to, so that it has an adjoint as others have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.ir.types import CHAR, Pointer, Scalar, Type, Void, has_floating, is_floating, size_of, strip_reference


def with_types(program: s.Program) -> s.Program:
    """The program with types for what its entry's pointers to void lead to, and those of kernels."""
    changed = {
        symbol: _with_types(function, program)
        for symbol, function in program.functions.items()
        if symbol is program.entry or symbol.kind is FunctionKind.KERNEL
    }
    return replace(program, functions={**program.functions, **changed})


def _with_types(function: s.Function, program: s.Program) -> s.Function:
    """The function with parameters of other types, out of which those of its body are made."""
    parameters: list[Symbol] = []
    before: list[s.Stmt] = []
    for symbol in function.parameters:
        match symbol.type:
            case Pointer(pointee=Void()) as type:
                known = replace(symbol, type=Pointer(_held(symbol, program), type.const, type.restrict))
                given = s.Cast(s.VarRef(known, known.type, symbol.span), type, symbol.span)
                before.append(s.Declare(symbol, given, symbol.span))
                parameters.append(known)
            case _:
                parameters.append(symbol)
    body = replace(function.body, statements=(*before, *function.body.statements))
    return replace(function, parameters=tuple(parameters), body=body) if before else function


def _held(parameter: Symbol, program: s.Program) -> Type:
    """What a pointer is converted to, here or in what is called: of several types one with a derivative, and of these
    numbers before objects. Bytes, where it is not."""
    return min(_conversions(parameter, program), key=_rank, default=CHAR)


def _rank(type: Type) -> int:
    if isinstance(type, Scalar):
        return 0 if is_floating(type) else 2
    return 1 if has_floating(type) else 3


def _conversions(parameter: Symbol, program: s.Program) -> Iterator[Type]:
    """The types that the memory is used as, which a pointer of no type leads to."""
    same = _copies(parameter, program)
    for function in program.functions.values():
        for expr in _expressions(function):
            match expr:
                case s.Cast(operand=operand, type=Pointer(pointee=pointee) as type) if not _is_untyped(type):
                    if not same.isdisjoint(_sources(operand)):
                        yield pointee


def _copies(parameter: Symbol, program: s.Program) -> set[Symbol]:
    """The variables that hold it as a pointer of no type, parameters of what is called among them."""
    copies = {parameter}
    while True:
        known = len(copies)
        for function in program.functions.values():
            for symbol, value in _given(function, program.functions):
                if _is_untyped(symbol.type) and not copies.isdisjoint(_sources(value)):
                    copies.add(symbol)
        if len(copies) == known:
            return copies


def _given(function: s.Function, functions: dict[FunctionSymbol, s.Function]) -> Iterator[tuple[Symbol, s.Expr]]:
    """What the variables of a function are given, and the parameters of what it calls."""
    for declaration in surface_walk.declarations(function.body):
        if declaration.init is not None:
            yield declaration.symbol, declaration.init
    for expr in _expressions(function):
        match expr:
            case s.Assign(target=s.VarRef(symbol=symbol), value=value):
                yield symbol, value
            case s.Call(callee=callee, arguments=arguments) if callee in functions:
                yield from zip(functions[callee].parameters, arguments, strict=False)


def _sources(expr: s.Expr) -> frozenset[Symbol]:
    """The variables out of which a pointer of no type comes."""
    match expr:
        case s.VarRef(symbol=symbol):
            return frozenset((symbol,)) if _is_untyped(symbol.type) else frozenset()
        case s.Conditional(then=one, other=other) | s.Binary(left=one, right=other):
            return _sources(one) | _sources(other)
        case s.Call(arguments=arguments) if _is_untyped(expr.type):
            return frozenset().union(*map(_sources, arguments))
        case s.Assign(value=inner) | s.Comma(right=inner) | s.CompoundAssign(target=inner) | s.IncDec(target=inner):
            return _sources(inner)
        case s.Cast(operand=inner) | s.Temporary(operand=inner):
            return _sources(inner)
        case s.AddressOf(operand=s.Index(base=inner) | s.Deref(operand=inner)):
            return _sources(inner)
    return frozenset()


def _is_untyped(type: Type) -> bool:
    """Whether a pointer does not say what it leads to: one to void, or to bytes."""
    type = strip_reference(type)
    if not isinstance(type, Pointer):
        return False
    return isinstance(type.pointee, Void) or (isinstance(type.pointee, Scalar) and size_of(type.pointee) == 1)


def _expressions(function: s.Function) -> Iterator[s.Expr]:
    for expr in surface_walk.expressions(function.body):
        yield from surface_walk.walk(expr)
