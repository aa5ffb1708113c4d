"""Adjoints that all blocks add to at the same elements, such as those of weights, are added to in two stages: first to
sums of the block's own in shared memory, which go on while it runs one block of the original after the other, then to
memory.

Which elements have sums is said at the launch, by how many the indices can come to and how much shared memory there is;
an element beyond these is added to as it is, so that nothing depends on what is known of indices.

Where the lanes of a warp are at neighbouring elements, as in `d_w[lane + 32 * k]`, each warp has sums of its own, to
which nothing is added by atomics. That too is asked of each index at run time (`cladpy/staging.h`), and only expected
here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import reduce

from cladpy.analysis.affine import Affine, affine
from cladpy.analysis.dimensions import BLOCKS, THREADS
from cladpy.analysis.loops import first_condition
from cladpy.analysis.races import Accesses
from cladpy.analysis.reasons import Access
from cladpy.analysis.shifts import conjuncts
from cladpy.analysis.uniform import Varying, fixpoint
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.flow import constants
from cladpy.ir.fold import binary, cast
from cladpy.ir.halves import adjoint_value
from cladpy.ir.names import through_names, written_out
from cladpy.ir.reach import stored
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import LONG, is_floating, is_half, is_integer
from cladpy.ir.walk import statements, subexpressions

# Sums of so many adjoints at a time.
MOST = 4
_WARP = 32


def privatised(
    block: code.Block, function: core.Function, accesses: Accesses
) -> tuple[code.Block, tuple[code.Privatised, ...]]:
    """The body of a kernel with its additions to such adjoints marked, and these adjoints."""
    candidates = _only_added_to(block)
    if not candidates:
        return block, ()
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    varying = fixpoint(function, Varying(sources=frozenset(BLOCKS)), set(stored(function)), lambda _: False)
    found: list[code.Privatised] = []
    for root in candidates:
        made = accesses.by_root.get(root, [])
        if not made or any(_depends(a.index, varying) for a in made):
            continue
        extents = [_Extents(function, lets).of(a) for a in made]
        known = [e for e in extents if e is not None]
        if len(known) == len(extents):
            found.append(code.Privatised(root, tuple(dict.fromkeys(known)), _is_by_lanes(root, block)))
    return marked(block, found[:MOST]), tuple(found[:MOST])


def _only_added_to(block: code.Block) -> list[core.Root]:
    """The memory whose adjoint is nothing but added to by threads that may meet there. What is summed over the block,
    and over blocks, may be beside."""
    added: dict[core.Root, bool] = {}
    other: set[core.Root] = set()
    for s in all_statements(block):
        if isinstance(s, code.AddElement) and s.adjoint and s.root.outlives:
            if s.update is not Update.BLOCK:
                fits = s.update in (Update.ATOMIC, Update.REDUCED)
                added[s.root] = added.get(s.root, True) and fits
        else:
            other |= {root.memory for root, adjoint in touched_roots(s) if adjoint}
    several = [r for r in added if any(r is not o and r.memory is o.memory for o in added)]
    return [
        root
        for root, fits in added.items()
        if fits
        and root.memory not in other
        and root not in several
        and root.position is not None
        and root.path == ("{b}[{i}]",)
        and is_floating(adjoint_value(root.element))
        and not is_half(root.adjoint_cell)
    ]


def _depends(index: Affine | None, varying: Varying) -> bool:
    return index is None or any(varying.expr(atom) for monomial, _ in index.terms for atom in monomial)


def marked(block: code.Block, chosen: Collection[code.Privatised]) -> code.Block:
    """A block with its additions to these adjoints marked."""
    roots, out = {p.root for p in chosen}, list[code.Statement]()
    for s in block:
        if isinstance(s, code.AddElement) and s.adjoint and s.root in roots and s.update is not Update.BLOCK:
            out.append(replace(s, privatised=True))
        else:
            out.append(with_blocks(s, lambda inner: marked(inner, chosen)))
    return tuple(out)


# ---- sums of a warp's own --------------------------------------------------------------------------------------------


def _is_by_lanes(root: core.Root, block: code.Block) -> bool:
    """Whether lanes add to elements whose numbers have the lane's remainder by 32, as far as that can be seen. Blocks
    are taken to be made of rows of whole warps."""
    every = list(all_statements(block))
    added = [s for s in every if isinstance(s, code.AddElement) and s.adjoint and s.root is root]
    made = constants(every)
    mine = [s for s in added if s.update is not Update.BLOCK]
    return all(s.update is Update.ATOMIC and _by_lane(s.index, made) == (1, 0) for s in mine)


@through_names
def _by_lane(expr: core.Expr, again: Callable[[core.Expr], tuple[int, int] | None]) -> tuple[int, int] | None:
    """The remainder of an integer by 32, as a multiple of the lane and a constant."""
    match expr:
        case core.Const(int(value)):
            return 0, value % _WARP
        case core.Builtin(BuiltinVar.THREAD_X):
            return 1, 0
        case core.Builtin(BuiltinVar.BLOCK_DIM_X):
            return 0, 0
        case core.Cast(operand, type) if is_integer(type):
            return again(operand)
        case core.Binary(BinaryOp.REM, left, core.Const(int(by))) if by % _WARP == 0:
            return again(left)
        case core.Binary(BinaryOp.BIT_AND, left, core.Const(int(by))) if (by + 1) % _WARP == 0:
            return again(left)
        case core.Binary(BinaryOp.ADD | BinaryOp.SUB as op, left, right):
            a, b = again(left), again(right)
            if a is None or b is None:
                return None
            sign = 1 if op is BinaryOp.ADD else -1
            return (a[0] + sign * b[0]) % _WARP, (a[1] + sign * b[1]) % _WARP
        case core.Binary(BinaryOp.MUL, left, right):
            a, b = again(left), again(right)
            if (0, 0) in (a, b):
                return 0, 0
            if a is None or b is None or (a[0] and b[0]):
                return None
            return (a[0] * b[1] + b[0] * a[1]) % _WARP, a[1] * b[1] % _WARP
        case _:
            return None


class _Extents:
    """How many elements indices can come to, in terms of what is known at the launch."""

    def __init__(self, function: core.Function, lets: Mapping[core.Value, core.Expr]) -> None:
        self.lets = lets
        self.known = {c for p in function.parameters for c in p.contents if isinstance(c, core.Value)}

    def of(self, access: Access) -> core.Expr | None:
        """One more than the largest index; None where that is not known."""
        assert access.index is not None
        more = 1
        terms: list[core.Expr] = []
        for monomial, coefficient in access.index.terms:
            limits = [self._limit(atom, access) for atom in monomial]
            known = [limit for limit in limits if limit is not None]
            if (coefficient < 0 and monomial) or len(known) != len(limits):
                return None
            if not monomial:
                more += coefficient
            elif len(known) == 1 and coefficient == 1:
                terms.append(known[0])
                more -= 1
            else:
                product: core.Expr = core.Const(coefficient, LONG)
                for limit in known:
                    largest = binary(BinaryOp.SUB, limit, core.Const(1, LONG), LONG)
                    product = (
                        largest if product == core.Const(1, LONG) else binary(BinaryOp.MUL, product, largest, LONG)
                    )
                terms.append(product)
        terms += [core.Const(more, LONG)] if more or not terms else []
        return reduce(lambda sum, term: binary(BinaryOp.ADD, sum, term, LONG), terms)

    def _limit(self, atom: core.Expr, access: Access) -> core.Expr | None:
        """What an atom of an index stays below."""
        match atom:
            case core.Use(value) if value in self.known:
                return _one_more(atom)
            case core.Builtin(var) if var in THREADS:
                return cast(core.Builtin(THREADS[var], atom.type), LONG)
            case core.Builtin(var):
                return None if var in BLOCKS else _one_more(atom)
            case core.Binary(BinaryOp.REM, _, by) if (limit := self._at_launch(by)) is not None:
                return cast(limit, LONG)
            case _:
                return self._compared(atom, access)

    def _compared(self, atom: core.Expr, access: Access) -> core.Expr | None:
        """By a condition around the access: `c < columns`."""
        searched = affine(atom, self.lets)
        for statement, number in access.around:
            if isinstance(statement, core.Loop) and number == 1:
                condition = first_condition(statement)
            elif isinstance(statement, core.If) and number == 0:
                condition = statement.condition
            else:
                continue
            for test in conjuncts(self._expanded(condition)):
                if isinstance(test, core.Binary) and test.op in (BinaryOp.LT, BinaryOp.LE):
                    limit = self._at_launch(test.right)
                    if limit is not None and affine(test.left, self.lets) == searched:
                        return cast(limit, LONG) if test.op is BinaryOp.LT else _one_more(limit)
        return None

    def _at_launch(self, expr: core.Expr) -> core.Expr | None:
        """An expression in terms of what the launch knows."""
        expr = self._expanded(expr)
        for e in subexpressions(expr):
            match e:
                case core.Use(value) if value not in self.known:
                    return None
                case core.Builtin(var) if var in THREADS or var in BLOCKS:
                    return None
                case core.Use() | core.Builtin() | core.Const() | core.Binary() | core.Cast():
                    pass
                case _:
                    return None
        return expr

    def _expanded(self, expr: core.Expr) -> core.Expr:
        return written_out(expr, self.lets.get) or expr


def _one_more(limit: core.Expr) -> core.Expr:
    return binary(BinaryOp.ADD, cast(limit, LONG), core.Const(1, LONG), LONG)
