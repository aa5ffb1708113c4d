"""What a function's body mentions: parameters, functions, variables at namespace scope."""

from __future__ import annotations

from cladpy.emit.names import Names
from cladpy.emit.reads import read_variables
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.ir.symbols import Symbol
from cladpy.ir.walk import subexpressions, values


def used_names(block: code.Block, extra: tuple[core.Expr, ...], function: code.Function, names: Names) -> set[str]:
    """The parameters that the body mentions."""
    members = {part.content: p.name for p in function.parameters for part in p.parts if part.member and not p.adjoint}
    read = read_variables(block) | {v for s in function.staged for e in s.extents for v in values(e)}
    for expr in extra:
        read |= {e.value for e in subexpressions(expr) if isinstance(e, core.Use)}
    found = {members.get(v) or names.given.get(v) for v in read}
    for s in all_statements(block):
        for root, adjoint in touched_roots(s):
            found.add(names.given.get((root, adjoint)))
        if isinstance(s, code.AddParameter):
            found.add(s.name)
    for expr in _all_expressions(block):
        found |= {names.given.get((e.root, False)) for e in subexpressions(expr) if isinstance(e, core.IsNull)}
    return {n for n in found if n is not None}


_NO_EXPRESSIONS = (code.Address, code.ChosenAddress, code.ObjectVariable)


def _all_expressions(block: code.Block) -> list[core.Expr]:
    found: list[core.Expr] = []
    for s in all_statements(block):
        match s:
            case code.Define(_, code.Together(_, given)):
                found += given
            case code.Define(_, init) if not isinstance(
                init, code.Element | code.UserCall | code.MemberOf | code.Together
            ):
                found.append(init)
            case code.Define(_, code.Element(_, index)):
                found.append(index)
            case code.Define(_, code.UserCall(_, arguments)):
                found += [a for a in arguments if not isinstance(a, _NO_EXPRESSIONS)]
            case code.Invoke(call):
                found += [a for a in call.arguments if not isinstance(a, _NO_EXPRESSIONS)]
            case code.Act(arguments=given, launch=launch):
                found += [a for a in given if not isinstance(a, (*_NO_EXPRESSIONS, code.AddressOfVariable))]
                found += [] if launch is None else launch.expressions
            case code.DeclareObject(_, leaves):  # what its pointers lead to has no function in it
                found += [leaf.expr for leaf in leaves]
            case code.Assign(_, expr) | code.Add(_, expr) | code.AddParameter(_, _, expr):
                found.append(expr)
            case code.WriteElement(_, index, expr) | code.AddElement(_, index, expr):
                found += [index, expr]
            case code.Take(_, _, index):
                found.append(index)
            case code.Branch(condition) | code.While(_, condition):
                found.append(condition)
            case code.CountDown():
                found += s.operands
            case code.Push(_, kept, only):
                found += [e for _, e in kept]
                found += [] if only is None else [only]
            case code.Pop():
                found += s.operands
            case code.Keep(_, step, kept):
                found += [step, *(e for _, e in kept)]
            case code.Rewind(_, step):
                found.append(step)
            case code.Synchronize(_, predicate) if predicate is not None:
                found.append(predicate)
            case code.Reserve(slots):
                found.append(slots)
            case _:
                pass
    return found


def called_names(function: code.Function) -> set[str]:
    """The names of functions and globals that the body uses: no variable may hide them."""
    names: set[str] = set()
    for block in (function.body, function.count):
        for expr in _all_expressions(block):
            names |= {e.callee.name for e in subexpressions(expr) if isinstance(e, core.Math)}
            names |= {
                w for e in subexpressions(expr) if isinstance(e, core.Formula) for w in e.text.replace("(", " ").split()
            }
        for s in all_statements(block):
            match s:
                case code.Define(_, code.UserCall(callee)) | code.Invoke(code.UserCall(callee)) | code.Perform(callee):
                    names.add(callee.name)
                case code.CallPullback(name) | code.Define(_, code.Together(name)):
                    names.add(name)
                case _:
                    pass
    return names | {symbol.name for symbol in globals_of(function).values()} | {function.name}


def globals_of(function: code.Function) -> dict[core.Root, Symbol]:
    """What the body touches of variables at namespace scope, with the variable."""
    known = {root: v.symbol for v in function.primal.variables for root in v.roots}
    found: dict[core.Root, Symbol] = {}
    for block in (function.body, function.count):
        for s in all_statements(block):
            found |= {root: known[root] for root, _ in touched_roots(s) if root in known}
        for expr in _all_expressions(block):
            nulls = (e.root for e in subexpressions(expr) if isinstance(e, core.IsNull))
            found |= {root: known[root] for root in nulls if root in known}
    return found
