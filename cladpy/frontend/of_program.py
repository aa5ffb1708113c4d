"""What directives say of a function, or of all the program, rather than of a statement under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cladpy.frontend.directives import Pending
from cladpy.frontend.refused import Refused
from cladpy.ir import surface_walk
from cladpy.ir.surface import Evaluate, Function, VarRef
from cladpy.ir.symbols import FunctionSymbol, Role
from cladpy.ir.types import VOID

_Functions = dict[FunctionSymbol, Function]


def refuse_unseen(functions: _Functions, with_directives: Sequence[tuple[FunctionSymbol, Pending]]) -> None:
    """Refuses functions with directives that belong to no statement that was read."""
    for symbol, directives in with_directives:
        _refuse(functions, symbol, [d.refusal() for d in directives.unseen if not d.is_harmless])


def refuse_own(
    functions: _Functions, with_directives: Sequence[tuple[FunctionSymbol, Pending]], own: frozenset[str]
) -> None:
    """Refuses functions that name variables of which each thread has its own all the time, where threads share work."""
    if not own or all(d.is_harmless for _, directives in with_directives for d in directives.all):
        return
    for symbol, function in list(functions.items()):
        named = (e for expr in surface_walk.expressions(function.body) for e in surface_walk.walk(expr))
        variables = (e for e in named if isinstance(e, VarRef) and e.symbol.role is Role.GLOBAL)
        found = next((e for e in variables if e.symbol.name.rpartition("::")[2] in own), None)
        if found is not None:
            name = f"'#pragma omp threadprivate({found.symbol.name})'"
            _refuse(functions, symbol, [Refused("CP0134", found.span, name)])


def _refuse(functions: _Functions, symbol: FunctionSymbol, refused: Sequence[Refused]) -> None:
    function = functions.get(symbol)
    if refused and function is not None:
        left = [Evaluate(r.instead(VOID, function.span), function.span) for r in refused]
        body = replace(function.body, statements=(*left, *function.body.statements))
        functions[symbol] = replace(function, body=body)
