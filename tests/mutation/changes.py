"""What may go wrong with a statement of generated code: it is left out, or does what it does otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from cladpy.adjoint.gradient import Gradient
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, with_blocks
from cladpy.ir.fold import zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, INT, Type, is_floating
from cladpy.ir.walk import subexpressions

ATOMIC = "an atomic made plain"
EXCHANGE = "an exchange made plain"
BARRIER = "a barrier removed"


@dataclass(frozen=True)
class Change:
    """What becomes of a statement; and, where it writes a number, the same with NaN for the number."""

    error: str
    made: code.Block
    poisoned: code.Block | None = None


def changes(statement: code.Statement) -> Iterator[Change]:
    """What may go wrong with a statement."""
    yield from _of_adjoints(statement)
    yield from _of_values(statement)
    yield from _of_control(statement)


def _of_adjoints(statement: code.Statement) -> Iterator[Change]:
    match statement:
        case code.AddElement(update=update, adjoint=True):
            if update in (code.Update.ATOMIC, code.Update.REDUCED, code.Update.BLOCK):
                yield Change(ATOMIC, (replace(statement, update=code.Update.PLAIN),))
            yield Change("an addition left out", (), _poisoned(statement, statement.root.element))
        case code.Add(variable, expr):
            if not _is_for_no_number(expr):
                yield Change("an addition left out", (), _poisoned(statement, variable.type))
        case code.AddParameter(type=type):
            yield Change("an addition left out", (), _poisoned(statement, type))
        case code.Take(variable, root, index, update, zeroed):
            if zeroed:
                kept = replace(statement, zero=False)
                number = _not_a_number(variable.type)
                spoilt = None if number is None else code.AddElement(root, index, number, code.Update.PLAIN)
                yield Change("a zeroing left out", (kept,), spoilt and (kept, spoilt))
                if update is not code.Update.PLAIN:
                    yield Change(EXCHANGE, (replace(statement, update=code.Update.PLAIN),))
        case code.DeclareArray(root, zeroed=True):
            type = adjoint_value(root.element) if statement.adjoint else root.element
            number = _not_a_number(type)
            spoilt = None if number is None else _begun(statement, number)
            yield Change("a zeroing left out", _begun(statement, core.Const(1, type)), spoilt)
        case code.CallPullback(undone=None):
            yield Change("a pullback left out", ())
        case code.Define(_, code.Together(name, (_, given, *_))) if name.startswith("__shfl"):
            yield Change("a shuffle left out", (replace(statement, init=given),))
        case _:
            pass


def _of_values(statement: code.Statement) -> Iterator[Change]:
    match statement:
        case code.WriteElement(root):
            yield Change("a store left out", (), _poisoned(statement, root.element))
        case code.Assign(variable, expr):
            zeroes = isinstance(expr, core.Const) and expr.value == 0
            error = "a zeroing left out" if zeroes else "an assignment left out"
            yield Change(error, (), _poisoned(statement, variable.type))
        case code.Push(_, values) | code.Keep(_, _, values):
            for k, (slot, _) in enumerate(values):
                number = _not_a_number(slot.type)
                spoilt = None if number is None else (_with_value(statement, k, number),)
                yield Change("a kept value dropped", (_with_value(statement, k, zero(slot.type)),), spoilt)
        case code.Undo():
            yield Change("an undo left out", ())
        case code.Act(verb=code.Verb.RESTORE | code.Verb.PULLBACK | code.Verb.REVERSE):
            yield Change(f"'{statement.verb.value}' left out", ())
        case _:
            pass


def _of_control(statement: code.Statement) -> Iterator[Change]:
    match statement:
        case code.Branch(condition, then, other):
            if then and other:
                yield Change("a merge swapped", (replace(statement, then=other, other=then),))
            else:
                yield Change("a condition turned round", (replace(statement, condition=_not(condition)),))
        case code.Push(only=condition) | code.Pop(only=condition) if condition is not None:
            yield Change("a slot's condition turned round", (replace(statement, only=_not(condition)),))
        case code.Synchronize(variable=None):
            yield Change(BARRIER, ())
        case code.CountDown(count=count):
            one = core.Binary(BinaryOp.SUB, count, core.Const(1, count.type), count.type)
            yield Change("the last iteration not reversed", (replace(statement, count=one),))
        case _:
            pass


def _begun(statement: code.DeclareArray, number: core.Expr) -> code.Block:
    """An array that is declared with any content: in local memory it may well be zero, so it is made a number there."""
    root, declared = statement.root, replace(statement, zeroed=False)
    if root.kind is not core.RootKind.LOCAL or root.length is None or not is_floating(root.element):
        return (declared,)
    k = core.Value("_k", INT)
    element: code.Statement
    if statement.adjoint:
        element = code.AddElement(root, core.Use(k), number, code.Update.PLAIN)
    else:
        element = code.WriteElement(root, core.Use(k), number)
    return statement, code.CountDown(k, core.Const(root.length, INT), (element,))


def _with_value(statement: code.Push | code.Keep, k: int, value: core.Expr) -> code.Statement:
    slot, _ = statement.values[k]
    return replace(statement, values=(*statement.values[:k], (slot, value), *statement.values[k + 1 :]))


def _not(condition: core.Expr) -> core.Expr:
    return core.Unary(UnaryOp.NOT, condition, BOOL)


def _is_for_no_number(expr: core.Expr) -> bool:
    """Whether a term is zero wherever there are numbers: the derivative of an extremum by what is no number (see
    `adjoint.extrema`), which the check has nothing to compare with."""
    return any(
        isinstance(e, core.Formula)
        and e.text.startswith(("cladpy::fmax_dx", "cladpy::fmin_dx"))
        and any(isinstance(given, core.Const) and math.isnan(given.value) for _, given in e.operands)
        for e in subexpressions(expr)
    )


def _not_a_number(type: Type) -> core.Expr | None:
    return core.Binary(BinaryOp.DIV, zero(type), zero(type), type) if is_floating(type) else None


def _poisoned(
    statement: code.AddElement | code.Add | code.AddParameter | code.WriteElement | code.Assign, type: Type
) -> code.Block | None:
    number = _not_a_number(type)
    return None if number is None else (replace(statement, expr=number),)


def all_changes(gradient: Gradient) -> list[tuple[str, str]]:
    """Each change that can be made, and the function in which."""
    found = []
    for function in _every_function(gradient):
        found += [(error, function.name) for error, _, _ in _in_block(function.body, _overwritten(function.body))]
    return found


def _every_function(gradient: Gradient) -> list[code.Function]:
    return [f for kernel in gradient.kernels for f in kernel.functions] + list(gradient.functions)


def _in_block(
    block: code.Block,
    overwritten: Mapping[code.Statement, set[core.Root]],
    holds: Mapping[core.Value, core.Expr] = MappingProxyType({}),
    later: code.Block = (),
) -> Iterator[tuple[str, code.Block, code.Block | None]]:
    """Each change, with the block that it makes, and the one that is poisoned in place of it. `holds` has the constants
    that variables are known to hold, and `later` is what runs after the block: to assign a constant again is no step,
    nor to put memory back that nothing reads."""
    now = dict(holds)
    for k, s in enumerate(block):
        before, after = block[:k], block[k + 1 :]
        idle = isinstance(s, code.Assign) and now.get(s.variable) == s.expr
        if isinstance(s, code.Act) and s.verb is code.Verb.RESTORE:
            idle = not _is_read(s, after + later, overwritten)
        if not idle:
            for c in changes(s):
                poisoned = None if c.poisoned is None else (*before, *c.poisoned, *after)
                yield c.error, (*before, *c.made, *after), poisoned
        if not isinstance(s, code.Branch):
            _forget(now, s)
        repeated = (s,) if isinstance(s, code.CountDown | code.While) else ()
        for position in range(len(_inner(s))):
            for error, made, there in _in_block(_inner(s)[position], overwritten, now, (*repeated, *after, *later)):
                inside = None if there is None else (*before, _with_inner(s, position, there), *after)
                yield error, (*before, _with_inner(s, position, made), *after), inside
        _forget(now, s)
        if isinstance(s, code.Define) and isinstance(s.init, core.Const):
            now[s.variable] = s.init


def _forget(now: dict[core.Value, core.Expr], s: code.Statement) -> None:
    """What a statement may change."""
    for inner in all_statements((s,)):
        if isinstance(inner, code.Assign | code.Add):
            now.pop(inner.variable, None)


def _is_read(put_back: code.Statement, later: code.Block, overwritten: Mapping[code.Statement, set[core.Root]]) -> bool:
    """Whether anything that runs after memory was put back reads it; any memory, where it is not known which it is."""
    roots = overwritten.get(put_back)
    for s in all_statements(later):
        match s:
            case code.Act(arguments=given, outputs=outputs):
                if outputs or any(isinstance(a, code.ChosenAddress | code.ObjectVariable) for a in given):
                    return True
                read = {a.root for a in given if isinstance(a, code.Address) and not a.adjoint}
                if read if roots is None else read & roots:
                    return True
            case code.Define(_, code.Element(_, _, False) | code.UserCall()) | code.CallPullback() | code.Invoke():
                return True
            case _:
                pass
    return False


def _overwritten(body: code.Block) -> dict[code.Statement, set[core.Root]]:
    """What each step of a host program that has its contents put back has overwritten, by what puts it back; of those
    in loops and branches nothing is known."""
    making = (code.Verb.STEP, code.Verb.LAUNCH, code.Verb.CALL)
    steps = [s for s in body if isinstance(s, code.Act) and s.verb in making]
    restoring = [s for s in body if isinstance(s, code.Act) and s.verb is code.Verb.RESTORE]
    known = len(steps) == len(restoring) and all(isinstance(m, code.Address) for s in steps for m in s.saved)
    pairs = zip(restoring, reversed(steps), strict=True) if known else ()
    return {r: {m.root for m in s.saved if isinstance(m, code.Address)} for r, s in pairs}


def _inner(s: code.Statement) -> list[code.Block]:
    found: list[code.Block] = []

    def keep(inner: code.Block) -> code.Block:
        found.append(inner)
        return inner

    with_blocks(s, keep)
    return found


def _with_inner(s: code.Statement, position: int, changed: code.Block) -> code.Statement:
    at = [-1]

    def chosen(inner: code.Block) -> code.Block:
        at[0] += 1
        return changed if at[0] == position else inner

    return with_blocks(s, chosen)


def changed(gradient: Gradient, number: int, *, poisoned: bool = False) -> Gradient | None:
    """The gradient with this change, or with poison in its place; None where there is none."""
    lacking = False

    def made(functions: tuple[code.Function, ...]) -> tuple[code.Function, ...]:
        nonlocal number, lacking
        out = []
        for f in functions:
            bodies = list(_in_block(f.body, _overwritten(f.body)))
            if 0 <= number < len(bodies):
                body = bodies[number][2 if poisoned else 1]
                lacking = body is None
                f = f if body is None else replace(f, body=body)
            number -= len(bodies)
            out.append(f)
        return tuple(out)

    kernels = tuple(replace(k, functions=made(k.functions)) for k in gradient.kernels)
    result = replace(gradient, kernels=kernels, functions=made(gradient.functions))
    return None if lacking else result


def emptied(gradient: Gradient, name: str) -> Gradient:
    """The gradient in which a function of this name does nothing."""

    def made(functions: tuple[code.Function, ...]) -> tuple[code.Function, ...]:
        return tuple(replace(f, body=()) if f.name == name else f for f in functions)

    kernels = tuple(replace(k, functions=made(k.functions)) for k in gradient.kernels)
    return replace(gradient, kernels=kernels, functions=made(gradient.functions))
