"""Adjoints that all threads add to are summed over the block, at the end of the kernel, where all of its threads are.

What is added to one element in several places, or in a loop, is summed in a variable before. All threads reach the end
together: a kernel in which they come to barriers in different numbers on the way is refused.

Where threads have elements of their own beside these, as in `y[i] = x[0] * x[i]`, the one that comes to an element of
all adds to its sum: the others are then added to plainly.

What is added at the end to an element that is the same for all blocks is not added by each of them: a GPU adds some
half a billion numbers to one address in a second. As many blocks as are resident run all those of the original, one
after the other, and add once.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.analysis.dimensions import INDICES, THREADS
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, own_mentions, touched_roots, with_blocks
from cladpy.ir.fold import cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, LONG
from cladpy.ir.walk import subexpressions, values


def sum_at_exit(
    body: code.Block, function: core.Function, beside: frozenset[core.Root], *, may_alias: bool
) -> code.Block:
    """The body of a kernel with its uniform updates at the end, where they may be there. `beside` are the roots in
    whose adjoints threads do not meet otherwise; adjoints of arguments that may overlap are one memory."""
    known = {c for p in function.parameters for c in p.contents if isinstance(c, core.Value)}
    asked = _asked_for(body)
    overlaps = may_alias and any(root.outlives for root in asked)
    sums: Sums = {}

    def moved(statement: code.Statement) -> code.Statement:
        if not isinstance(statement, code.AddElement) or statement.update is not Update.REDUCED:
            return with_blocks(statement, lambda block: tuple(map(moved, block)))
        root, index = statement.root, statement.index
        # only addresses that can be computed wherever the kernel ends
        simple = root.path == ("{b}[{i}]",) and all(v in known for v in values(index)) and _is_of_block(index)
        if not simple or root in asked or (overlaps and root.outlives):
            return statement
        if (root, index) not in sums:
            sums[root, index] = (core.Value(f"_d_{root.name}_sum", adjoint_value(root.element)), statement)
        return code.Add(sums[root, index][0], statement.expr)

    body = tuple(map(moved, body))
    told_apart = {root: _of_root(sums, root) for root in beside if _is_alone(root, sums, body)}
    body = _told_apart(body, told_apart)
    first: list[code.Statement] = [code.Define(total, zero(total.type), mutable=True) for total, _ in sums.values()]
    last: list[code.Statement] = [
        replace(added, expr=core.Use(total), update=Update.BLOCK) for total, added in sums.values()
    ]
    return (*first, *map(_over_block, body), *last)


def _is_of_block(index: core.Expr) -> bool:
    """Whether an index of parameters is the same for the threads of a block."""
    return not any(isinstance(e, core.Builtin) and e.var in THREADS for e in subexpressions(index))


def _over_block(statement: code.Statement) -> code.Statement:
    """The adjoints of scalar arguments are added to at the end anyway."""
    if isinstance(statement, code.AddParameter) and statement.update is Update.REDUCED:
        return replace(statement, update=Update.BLOCK)
    return statement


Sums = dict[tuple[core.Root, core.Expr], tuple[core.Value, code.AddElement]]


def _of_root(sums: Sums, root: core.Root) -> list[tuple[core.Expr, core.Value]]:
    return [(index, total) for (other, index), (total, _) in sums.items() if other is root]


def _is_alone(root: core.Root, sums: Sums, body: code.Block) -> bool:
    """Whether what is left of the additions to an adjoint is that of threads to elements of their own, or to one that
    has a sum: what all threads add to has been taken out."""
    left = [s for s in all_statements(body) if isinstance(s, code.AddElement) and s.root is root]
    return bool(_of_root(sums, root)) and all(s.adjoint and s.update is Update.ATOMIC for s in left)


def _told_apart(block: code.Block, roots: dict[core.Root, list[tuple[core.Expr, core.Value]]]) -> code.Block:
    out: list[code.Statement] = []
    for s in block:
        s = with_blocks(s, lambda inner: _told_apart(inner, roots))
        if isinstance(s, code.AddElement) and s.root in roots:
            added: code.Statement = replace(s, update=Update.PLAIN)
            for index, total in roots[s.root]:
                same = core.Binary(BinaryOp.EQ, cast(s.index, LONG), cast(index, LONG), BOOL)
                added = code.Branch(same, (code.Add(total, s.expr),), (added,))
            s = added
        out.append(s)
    return tuple(out)


def _asked_for(block: code.Block) -> set[core.Root]:
    """The memory whose adjoint is read, taken or passed on before the end."""
    found: set[core.Root] = set()
    for s in all_statements(block):
        if not isinstance(s, code.AddElement):
            found |= {root for root, adjoint in touched_roots(s) if adjoint}
    return found


def summed_over_blocks(body: code.Block) -> tuple[code.Block, int]:
    """The body with sums that go on from one block to the next, and how many there are: so many statements at its
    beginning make them, and so many at its end add them."""
    first: list[code.Statement] = []
    last: list[code.Statement] = []
    rest = list(body)
    while rest and _is_for_all_blocks(added := rest[-1]):
        assert isinstance(added, code.AddElement | code.AddParameter)
        rest.pop()
        made = _made_only_to_sum(rest, added.expr)
        if made is None:
            made = code.Define(core.Value("_sum", added.expr.type), zero(added.expr.type), mutable=True)
            rest.append(code.Add(made.variable, added.expr))
        else:
            rest.remove(made)
        first.append(made)
        last.insert(0, replace(added, expr=core.Use(made.variable)))
    return (*first, *rest, *last), len(first)


def _is_for_all_blocks(statement: code.Statement) -> bool:
    """Whether a statement adds, at the end, to an element that is known before the kernel begins."""
    match statement:
        case code.AddParameter(update=Update.BLOCK):
            return True
        case code.AddElement(update=Update.BLOCK, index=index):
            varying = INDICES.keys()
            return not any(isinstance(e, core.Builtin) and e.var in varying for e in subexpressions(index))
        case _:
            return False


def _made_only_to_sum(block: list[code.Statement], total: core.Expr) -> code.Define | None:
    """The definition of a sum that starts at zero and is only added to."""
    if not isinstance(total, core.Use):
        return None
    found = None
    for s in all_statements(tuple(block)):
        match s:
            case code.Define(variable, init, True) if variable is total.value and init == zero(total.type):
                found = s
            case code.Add(variable, expr) if variable is total.value and variable not in values(expr):
                pass
            case _:
                if total.value in own_mentions(s):
                    return None
    return found if found in block else None
