"""What calls in generated code are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.never import assert_never
from cladpy.ir.walk import substitute

Environment = Mapping[core.Value, core.Expr]


def argument(
    argument: core.Argument, env: Environment, out: list[code.Statement]
) -> core.Expr | code.Address | code.ChosenAddress | code.ObjectVariable:
    """What is passed; an object is made before."""
    match argument:
        case core.PointerArgument() | core.ChosenArgument():
            return address(argument, env)
        case core.ViewArgument(type, leaves, pointers):
            variable = core.Value("_object", type)
            made = tuple(replace(leaf, expr=substitute(leaf.expr, env)) for leaf in leaves)
            led = tuple((text, address(memory, env)) for text, memory in pointers)
            out.append(code.DeclareObject(variable, made, pointers=led))
            return code.ObjectVariable(variable, core.Passing.VALUE)
        case core.ObjectArgument(type, leaves, passing, offset):
            variable = core.Value("_object", type)
            made = tuple(replace(leaf, expr=substitute(leaf.expr, env)) for leaf in leaves)
            out.append(code.DeclareObject(variable, made))
            how = core.Passing.POINTER if passing is core.Passing.MADE else passing
            return code.ObjectVariable(variable, how, None if offset is None else substitute(offset, env))
        case _:
            return substitute(argument, env)


def address(argument: core.MEMORY, env: Environment, *, adjoint: bool = False) -> code.Address | code.ChosenAddress:
    """Where memory lies that a call is given, or its adjoint."""
    match argument:
        case core.PointerArgument(root, offset, by_reference, seen):
            return code.Address(root, substitute(offset, env), adjoint, by_reference and not adjoint, seen)
        case core.ChosenArgument(alternatives, numbers, tag):
            found = tuple(code.Address(a.root, substitute(a.offset, env), adjoint, seen=a.seen) for a in alternatives)
            return code.ChosenAddress(found, numbers, substitute(tag, env))
        case _:
            assert_never(argument)


def beginning(argument: core.MEMORY, env: Environment) -> code.Address | code.ChosenAddress:
    """Where memory begins that a call is given: that stands for all of it at run time. The address that the call is
    given may be one past the end, where other memory begins."""
    match argument:
        case core.PointerArgument(root, offset):
            return code.Address(root, _first(substitute(offset, env)))
        case core.ChosenArgument(alternatives, numbers, tag):
            found = tuple(code.Address(a.root, _first(substitute(a.offset, env))) for a in alternatives)
            return code.ChosenAddress(found, numbers, substitute(tag, env))
        case _:
            assert_never(argument)


def _first(offset: core.Expr) -> core.Expr:
    """The index of the first element of an array, of an allocation, or of what a pointer in memory leads to."""
    match offset:
        case core.Nested(outer, inner, length):
            start = outer if length is None else _first(outer)
            return core.Nested(start, core.Const(0, inner.type), length)
        case _:
            return core.Const(0, offset.type)
