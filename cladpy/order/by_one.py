"""Programs that begin no team of OpenMP's threads: one thread runs all of it, and what asks for threads finds one.

A function whose directives mean the team of a caller is differentiated as it is called from outside of any region. The
threads share a loop out to themselves there: the one of them runs all iterations, in order. The gradient looks whether
it is called so (<cladpy/team.h>).
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

    of_a_team = any(_means_a_team(f.body) for f in program.functions.values())
    functions = {
        symbol: replace(function, body=surface_walk.rebuilt(function.body, known, inner))
        for symbol, function in program.functions.items()
    }
    return replace(program, functions=functions, of_a_team=of_a_team)


def _means_a_team(body: s.Block) -> bool:
    """Whether something in it is the work of one of several threads, or depends on which of them does it."""
    calls = (e for top in surface_walk.expressions(body) for e in surface_walk.walk(top) if isinstance(e, s.Call))
    return any(call.callee.name in _GIVES for call in calls) or any(map(_is_shared_out, surface_walk.statements(body)))


def _is_shared_out(statement: s.Stmt) -> bool:
    match statement:
        case s.For(shared=s.Shared(is_elsewhere=True)):
            return True
        case s.Block(is_once=is_once, sections=sections):
            return is_once or (sections is not None and sections.is_elsewhere)
        case _:
            return False
