"""Walking and rewriting the core grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from cladpy.ir import core
from cladpy.ir.never import assert_never


def children(expr: core.Expr) -> tuple[core.Expr, ...]:
    match expr:
        case core.Const() | core.Use() | core.Builtin():
            return ()
        case core.IsNull(_, _, _, index):
            return () if index is None else (index,)
        case core.Unary(_, operand) | core.Cast(operand):
            return (operand,)
        case core.Binary(_, left, right) | core.Nested(left, right):
            return (left, right)
        case core.Select(condition, then, other):
            return (condition, then, other)
        case core.Math(_, arguments):
            return arguments
        case core.Formula(_, named):
            return tuple(e for _, e in named)
        case core.Linear(value, terms):
            return (value, *(e for term in terms for e in term))
        case _:
            assert_never(expr)


def subexpressions(expr: core.Expr) -> Iterator[core.Expr]:
    """The expression and all that it is made of."""
    stack = [expr]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))


def values(expr: core.Expr) -> Iterator[core.Value]:
    """The values that an expression uses."""
    return (e.value for e in subexpressions(expr) if isinstance(e, core.Use))


def operands(statement: core.Statement) -> tuple[core.Expr, ...]:
    """The expressions that a statement evaluates itself, not those of its regions; merges and carried values too."""
    match statement:
        case core.Let(_, expr):
            return (expr,)
        case core.Load(_, _, index):
            return (index,)
        case core.Store(_, index, expr) | core.AtomicAdd(_, index, expr):
            return (index, expr)
        case core.Atomic(_, _, index, arguments):
            return (index, *arguments)
        case core.Allocate():
            return ()
        case core.Acquire(bytes=bytes):
            return (bytes,)
        case core.Barrier(predicate=predicate):
            return () if predicate is None else (predicate,)
        case core.Call(_, _, arguments, launch=launch):
            configuration = () if launch is None else launch.expressions
            return (*configuration, *(e for a in arguments for e in argument_operands(a)))
        case core.Effect(_, arguments):
            return tuple(a for a in arguments if not isinstance(a, core.Text))
        case core.Collective():
            return statement.arguments
        case core.If(condition, _, _, merges):
            return (condition, *(m.then for m in merges), *(m.other for m in merges))
        case core.Loop(carried, _, condition, _, _, lanes):
            step = () if lanes is None else (lanes,)
            return (*(c.init for c in carried), condition, *(c.next for c in carried), *step)
        case _:
            assert_never(statement)


def argument_operands(argument: core.Argument) -> tuple[core.Expr, ...]:
    """The expressions that an argument of a call is made of."""
    match argument:
        case core.PointerArgument(offset=offset):
            return (offset,)
        case core.ChosenArgument(alternatives, _, tag):
            return (tag, *(a.offset for a in alternatives))
        case core.ViewArgument(_, leaves, pointers):
            behind = (e for _, memory in pointers for e in argument_operands(memory))
            return (*(leaf.expr for leaf in leaves), *behind)
        case core.ObjectArgument(leaves=leaves, offset=at):
            return (*(leaf.expr for leaf in leaves), *(() if at is None else (at,)))
        case _:
            return (argument,)


def _map_memory(memory: core.MEMORY, f: Callable[[core.Expr], core.Expr]) -> core.MEMORY:
    match memory:
        case core.PointerArgument(offset=offset):
            return replace(memory, offset=f(offset))
        case core.ChosenArgument(alternatives, numbers, tag):
            moved = tuple(replace(a, offset=f(a.offset)) for a in alternatives)
            return core.ChosenArgument(moved, numbers, f(tag))
        case _:
            assert_never(memory)


def _map_argument(argument: core.Argument, f: Callable[[core.Expr], core.Expr]) -> core.Argument:
    match argument:
        case core.ViewArgument(leaves=leaves, pointers=pointers):
            made = tuple(replace(leaf, expr=f(leaf.expr)) for leaf in leaves)
            return replace(argument, leaves=made, pointers=tuple((text, _map_memory(m, f)) for text, m in pointers))
        case core.PointerArgument() | core.ChosenArgument():
            return _map_memory(argument, f)
        case core.ObjectArgument(leaves=leaves, offset=at):
            made = tuple(replace(leaf, expr=f(leaf.expr)) for leaf in leaves)
            return replace(argument, leaves=made, offset=None if at is None else f(at))
        case _:
            return f(argument)


def map_configuration(launch: core.Configuration, f: Callable[[core.Expr], core.Expr]) -> core.Configuration:
    """The configuration with `f` applied to its sizes and its stream."""
    (gx, gy, gz), (bx, by, bz) = launch.grid, launch.block
    stream = None if launch.stream is None else f(launch.stream)
    return core.Configuration((f(gx), f(gy), f(gz)), (f(bx), f(by), f(bz)), f(launch.shared_mem), stream)


def regions(statement: core.Statement) -> tuple[core.Region, ...]:
    match statement:
        case core.If(_, then, other):
            return (then, other)
        case core.Loop(_, before, _, body):
            return (before, body)
        case _:
            return ()


def statements(region: core.Region) -> Iterator[core.Statement]:
    """All statements of a region in program order, those of nested regions after the one that holds them."""
    stack = list(reversed(region))
    while stack:
        here = stack.pop()
        yield here
        for inner in reversed(regions(here)):
            stack.extend(reversed(inner))


def defined(statement: core.Statement) -> tuple[core.Value, ...]:
    """The values that a statement defines in its own region."""
    match statement:
        case core.Let(value) | core.Load(value):
            return (value,)
        case core.AtomicAdd(value=given) | core.Atomic(value=given):
            return () if given is None else (given,)
        case core.Call(outputs):
            return (*(o.value for o in outputs), *statement.states)
        case core.Barrier(value=result):
            return () if result is None else (result,)
        case core.Collective(value):
            return () if value is None else (value,)
        case core.If(_, _, _, merges):
            return tuple(m.value for m in merges)
        case core.Loop(carried):
            return tuple(c.result for c in carried)
        case _:
            return ()


def map_children(expr: core.Expr, f: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """The expression with `f` applied to its direct operands."""
    match expr:
        case core.Const() | core.Use() | core.Builtin():
            return expr
        case core.IsNull(_, _, _, index):
            return expr if index is None else replace(expr, index=f(index))
        case core.Unary(op, operand, type):
            return core.Unary(op, f(operand), type)
        case core.Cast(operand, type):
            return core.Cast(f(operand), type)
        case core.Binary(op, left, right, type):
            return core.Binary(op, f(left), f(right), type)
        case core.Nested(outer, inner, length):
            return core.Nested(f(outer), f(inner), length)
        case core.Select(condition, then, other, type):
            return core.Select(f(condition), f(then), f(other), type)
        case core.Math(callee, arguments, type):
            return core.Math(callee, tuple(f(a) for a in arguments), type)
        case core.Formula(text, named, type):
            return core.Formula(text, tuple((n, f(e)) for n, e in named), type)
        case core.Linear(value, terms, type):
            return core.Linear(f(value), tuple((_used(f(of)), f(partial)) for of, partial in terms), type)
        case _:
            assert_never(expr)


def _used(expr: core.Expr) -> core.Use:
    assert isinstance(expr, core.Use), "derivatives are by values"
    return expr


def substitute(expr: core.Expr, mapping: Mapping[core.Value, core.Expr]) -> core.Expr:
    """The expression with values replaced."""
    if isinstance(expr, core.Use):
        return mapping.get(expr.value, expr)
    return map_children(expr, lambda e: substitute(e, mapping))


def map_operands(statement: core.Statement, f: Callable[[core.Expr], core.Expr]) -> core.Statement:
    """The statement with `f` applied to the expressions that it evaluates itself; regions stay."""
    match statement:
        case core.Let(expr=expr):
            return replace(statement, expr=f(expr))
        case core.Load(index=index):
            return replace(statement, index=f(index))
        case core.Store(index=index, expr=expr) | core.AtomicAdd(index=index, expr=expr):
            return replace(statement, index=f(index), expr=f(expr))
        case core.Atomic(index=index, arguments=arguments):
            return replace(statement, index=f(index), arguments=tuple(f(a) for a in arguments))
        case core.Allocate():
            return statement
        case core.Acquire(bytes=bytes):
            return replace(statement, bytes=f(bytes))
        case core.Barrier(predicate=predicate):
            return statement if predicate is None else replace(statement, predicate=f(predicate))
        case core.Call(arguments=given, launch=launch):
            if launch is not None:
                launch = map_configuration(launch, f)
            return replace(statement, arguments=tuple(_map_argument(a, f) for a in given), launch=launch)
        case core.Effect(arguments=parts):
            return replace(statement, arguments=tuple(a if isinstance(a, core.Text) else f(a) for a in parts))
        case core.Collective(mask=mask, operands=given):
            return replace(statement, mask=None if mask is None else f(mask), operands=tuple(f(e) for e in given))
        case core.If(condition=condition, merges=merges):
            return replace(
                statement,
                condition=f(condition),
                merges=tuple(core.Merge(m.value, f(m.then), f(m.other)) for m in merges),
            )
        case core.Loop(carried=carried, condition=condition, lanes=lanes):
            return replace(
                statement,
                condition=f(condition),
                lanes=None if lanes is None else f(lanes),
                carried=tuple(core.Carried(c.value, f(c.init), f(c.next), c.result) for c in carried),
            )
        case _:
            assert_never(statement)
