"""Walks over the surface grammar: the expressions and statements inside of others."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.ir import surface as s
from cladpy.ir.never import assert_never


def children(expr: s.Expr) -> tuple[s.Expr, ...]:
    match expr:
        case s.Literal() | s.StringLiteral() | s.VarRef() | s.Builtin():
            return ()
        case s.Unsupported(operands=operands):
            return operands or ()
        case s.Unary(operand=e) | s.Cast(operand=e) | s.Deref(operand=e) | s.AddressOf(operand=e):
            return (e,)
        case s.Binary(left=a, right=b) | s.Comma(left=a, right=b):
            return (a, b)
        case s.Assign(target=a, value=b) | s.CompoundAssign(target=a, value=b) | s.Index(base=a, index=b):
            return (a, b)
        case s.IncDec(target=a):
            return (a,)
        case s.Conditional(condition=a, then=b, other=c):
            return (a, b, c)
        case s.Call(arguments=arguments, launch=launch):
            return arguments if launch is None else (*launch.expressions, *arguments)
        case s.Construct(arguments=arguments):
            return arguments
        case s.Member(base=e) | s.Temporary(operand=e):
            return (e,)
        case s.InitList(elements=elements):
            return elements
        case _:
            assert_never(expr)


def expressions(statement: s.Stmt) -> Iterator[s.Expr]:
    """The expressions directly in a statement and in all statements within."""
    stack: list[s.Stmt] = [statement]
    while stack:
        match stack.pop():
            case s.Declare(init=init):
                if init is not None:
                    yield init
            case s.Evaluate(expr=expr):
                yield expr
            case s.Bind(base=base, referred=referred):
                yield base
                yield referred
            case s.If(condition=c, then=then, other=other):
                yield c
                stack.append(then)
                if other is not None:
                    stack.append(other)
            case s.For(init=first, condition=test, step=step, body=body):
                if test is not None:
                    yield test
                if step is not None:
                    yield step
                stack += [*first, body]
            case s.While(condition=c, body=body) | s.DoWhile(body=body, condition=c):
                yield c
                stack.append(body)
            case s.Switch(value=v, sections=sections):
                yield v
                for section in sections:
                    stack += section.body
            case s.Return(value=value):
                if value is not None:
                    yield value
            case s.Block(statements=inner):
                stack += inner
            case s.Break() | s.Continue():
                pass
            case other_statement:
                assert_never(other_statement)


def statements(statement: s.Stmt) -> Iterator[s.Stmt]:
    """The statement and all within."""
    stack = [statement]
    while stack:
        here = stack.pop()
        yield here
        stack += inner_statements(here)


def declarations(statement: s.Stmt) -> Iterator[s.Declare]:
    return (here for here in statements(statement) if isinstance(here, s.Declare))


def returns(statement: s.Stmt) -> Iterator[s.Return]:
    """The return statements of a function's body."""
    return (here for here in statements(statement) if isinstance(here, s.Return))


def inner_statements(statement: s.Stmt) -> tuple[s.Stmt, ...]:
    match statement:
        case s.If(then=then, other=other):
            return (then,) if other is None else (then, other)
        case s.For(init=first, body=body):
            return (*first, body)
        case s.While(body=body) | s.DoWhile(body=body):
            return (body,)
        case s.Switch(sections=sections):
            return tuple(inner for section in sections for inner in section.body)
        case s.Block(statements=inner):
            return inner
        case _:
            return ()


def walk(expr: s.Expr) -> Iterator[s.Expr]:
    stack = [expr]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))


def own_expressions(statement: s.Stmt) -> tuple[s.Expr, ...]:
    """The expressions that stand in a statement itself; statements in it are looked at by themselves."""
    match statement:
        case s.Block():
            return ()
        case s.If(condition=condition) | s.While(condition=condition) | s.DoWhile(condition=condition):
            return (condition,)
        case s.For(condition=condition, step=step):
            return tuple(e for e in (condition, step) if e is not None)
        case s.Switch(value=value):
            return (value,)
        case _:
            return tuple(expressions(statement))
