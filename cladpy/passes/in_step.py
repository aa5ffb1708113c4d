"""Loops that the threads of a warp leave one by one are reversed by all of them in step.

On the way forward the threads of a warp begin a loop together, so that in each iteration they read elements beside each
other, and add to one. Counted down from its own last iteration each thread would be in another one than its neighbours:
elements beside each other would be fetched one by one. So all count down from the largest number of the warp, and wait
until their own is reached; the warp runs as often as before. What lanes add to one element, or to one run of elements
(`rows`), they can sum up then before it is added. No thread relies on it: each may as well begin with its own.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.walk import subexpressions


def with_loops_in_step(block: code.Block, function: core.Function) -> code.Block:
    given = {c for p in function.parameters for c in p.contents if isinstance(c, core.Value)}

    def in_step(block: code.Block) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            s = with_blocks(s, in_step)
            if isinstance(s, code.CountDown) and _varies(s.count, given) and _pays(s):
                if not isinstance(s.count, core.Use):  # it is asked in every iteration
                    count = core.Value("_n", s.count.type)
                    out.append(code.Define(count, s.count))
                    s = replace(s, count=core.Use(count))
                s = replace(s, in_step=True)
            out.append(s)
        return tuple(out)

    return in_step(block)


def _varies(count: core.Expr, given: set[core.Value]) -> bool:
    """Whether threads may have different counts: it is made of more than what all are given."""
    parts = list(subexpressions(count))
    return any(isinstance(e, core.Builtin) or (isinstance(e, core.Use) and e.value not in given) for e in parts)


def _pays(loop: code.CountDown) -> bool:
    """Whether an iteration has to do with memory that neighbours have to do with too, and nobody waits in it."""
    inner = list(all_statements(loop.body))
    if loop.mask is not None or any(s.effects.waits.somebody or isinstance(s, code.Invoke | code.Act) for s in inner):
        return False
    return any(isinstance(s, code.Pop) or any(root.outlives for root, _ in touched_roots(s)) for s in inner)
