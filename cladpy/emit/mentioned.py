"""What a function's body mentions: parameters, functions, variables at namespace scope."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.emit.names import Names
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, expressions, touched_roots, variables_read
from cladpy.ir.symbols import Symbol
from cladpy.ir.walk import subexpressions, values


def used_names(block: code.Block, extra: tuple[core.Expr, ...], function: code.Function, names: Names) -> set[str]:
    """The parameters that the body mentions."""
    members = {part.content: p.name for p in function.parameters for part in p.parts if part.member and not p.adjoint}
    read = read_variables(block) | {v for s in function.privatised for e in s.extents for v in values(e)}
    for expr in extra:
        read |= {e.value for e in subexpressions(expr) if isinstance(e, core.Use)}
    found = {members.get(v) or names.given.get(v) for v in read}
    for s in all_statements(block):
        for root, adjoint in touched_roots(s):
            found.add(names.given.get((root, adjoint)))
        if isinstance(s, code.AddParameter):
            found.add(names.adjoint(s.name))
    for expr in _all_expressions(block):
        found |= {names.given.get((e.root, False)) for e in subexpressions(expr) if isinstance(e, core.OfPointer)}
    return {n for n in found if n is not None}


def read_variables(block: code.Block) -> set[core.Value]:
    """The variables whose content, or whose address, some statement uses."""
    return {v for s in all_statements(block) for v in variables_read(s)}


def _all_expressions(block: code.Block) -> Iterator[core.Expr]:
    return (e for s in all_statements(block) for e in expressions(s))


def globals_of(function: code.Function) -> dict[core.Root, Symbol]:
    """What the body touches of variables at namespace scope, with the variable."""
    known = {root: v.symbol for v in function.primal.variables for root in v.roots}
    found: dict[core.Root, Symbol] = {}
    for block in (function.body, function.count):
        for s in all_statements(block):
            found |= {root: known[root] for root, _ in touched_roots(s) if root in known}
        for expr in _all_expressions(block):
            nulls = (e.root for e in subexpressions(expr) if isinstance(e, core.OfPointer))
            found |= {root: known[root] for root in nulls if root in known}
    return found
