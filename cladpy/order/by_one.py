"""Programs that begin no team of OpenMP's threads: one thread runs all of it, and what asks for threads finds one.

A function whose directives mean the team of a caller is differentiated as it is called from outside of any region. The
threads share a loop out to themselves there: the one of them runs all iterations, in order.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import surface as s
from cladpy.ir import surface_walk

_GIVES = {
    "omp_get_thread_num": 0,
    "omp_get_num_threads": 1,
    "omp_in_parallel": 0,
    "omp_get_level": 0,
    "omp_get_active_level": 0,
    "omp_get_team_num": 0,
    "omp_get_num_teams": 1,
}


def by_one(program: s.Program) -> s.Program:
    """The program with what OpenMP's functions give to the only thread."""
    if not program.openmp or program.has_teams:
        return program

    def known(expr: s.Expr) -> s.Expr:
        expr = surface_walk.rebuilt(expr, known)
        if isinstance(expr, s.Call) and expr.callee.name in _GIVES:
            return s.Literal(_GIVES[expr.callee.name], expr.type, expr.span)
        return expr

    def inner(statement: s.Stmt) -> s.Stmt:
        return surface_walk.rebuilt(statement, known, inner)

    functions = {
        symbol: replace(function, body=surface_walk.rebuilt(function.body, known, inner))
        for symbol, function in program.functions.items()
    }
    return replace(program, functions=functions)
