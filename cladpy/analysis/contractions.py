"""Loops that contract: `sum += A[i, k] * B[k, j]` over k, for threads (i, j), whatever way the elements take to them.

What is asked is of the accesses alone. The index of each factor is a polynomial that is linear in where a thread is
along the axes of the launch and in the turns of the loops; an axis is one of rows, columns or batches by which of the
two indices depend on it (`accesses_of_launch.py`). Conditions are bounds of rows, columns or depth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cladpy.analysis.accesses_of_launch import AXES, Accesses, Place, Read, Unfit
from cladpy.analysis.affine import Affine, Atom
from cladpy.analysis.polynomials import NOTHING, ONE, constant, expression
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import LONG, UINT, is_floating
from cladpy.ir.walk import begun, defined, operands, statements, values

_FUSED = frozenset({"fma", "fmaf", "std::fma", "__fmaf_rn", "__fma_rn"})


@dataclass(frozen=True, slots=True)
class Dimension:
    """So many steps, each of so many elements in the two factors; `axis` is that of the launch, of a loop None. There
    are no more of them than each of the `limits`."""

    count: core.Expr
    strides: tuple[Affine, Affine]
    axis: int | None = None
    limits: tuple[core.Expr, ...] = ()

    @property
    def of(self) -> tuple[bool, bool]:
        return bool(self.strides[0].terms), bool(self.strides[1].terms)


@dataclass(frozen=True, slots=True)
class Contraction:
    """`result`, which threads have after the loop, is `init` and the sum of products of elements of the `factors`,
    which begin at `bases`. It is where the launch fits all `conditions`."""

    loop: core.Loop
    result: core.Value
    init: core.Expr
    factors: tuple[core.Root, core.Root]
    bases: tuple[Affine, Affine]
    dimensions: tuple[Dimension, ...]
    conditions: tuple[core.Expr, ...]


class NoProducts(Unfit):
    """A kernel that does not look like one."""


def find_contraction(function: core.Function) -> Contraction:
    """The contraction of a kernel. Raises Unfit."""
    return _Finder(function).find()


@dataclass(slots=True)
class _Finder(Accesses):
    def find(self) -> Contraction:
        self.place(self.function.body, ())
        self.lets = {s.value: core.primal(s.expr) for s in self.places if isinstance(s, core.Let)}
        self.made = {v: s for s in self.places for v in defined(s)}
        for s, place in self.places.items():
            if isinstance(s, core.Let) and place.loops and is_floating(s.expr.type):
                found = self._accumulation(s, place.loops)
                if found is not None:
                    return self._contraction(s, place, *found)
        raise NoProducts("no loop adds up products of what is loaded")

    def _accumulation(
        self, added: core.Let, loops: tuple[core.Loop, ...]
    ) -> tuple[core.Carried, core.Expr, core.Expr] | None:
        """What the outermost loop carries to which a statement adds a product, and the product's factors."""
        carried: dict[core.Expr, core.Carried] = {core.Use(c.value): c for c in loops[-1].carried}
        expr = core.primal(added.expr)
        match expr:
            case core.Binary(BinaryOp.ADD, left, right) if left in carried or right in carried:
                before, term = (left, right) if left in carried else (right, left)
                product = self.written(term)
                if not isinstance(product, core.Binary) or product.op is not BinaryOp.MUL:
                    return None
                factors = product.left, product.right
            case core.Math(callee, (one, other, before)) if callee.qualified_name in _FUSED and before in carried:
                factors = one, other
            case _:
                return None
        if any(self.element(f) is None for f in factors):
            return None
        last = carried[before]
        self._check_goes_on(last, core.Use(added.value))
        for outer in reversed(loops[:-1]):
            matching = [c for c in outer.carried if core.Use(c.value) == last.init]
            if len(matching) != 1:
                raise Unfit("the sum begins anew in a loop")
            self._check_goes_on(matching[0], core.Use(last.result))
            last = matching[0]
        return last, *factors

    def _check_goes_on(self, carried: core.Carried, after: core.Use) -> None:
        """That the next iteration has the sum, or where a branch is not taken that of before."""
        expr = carried.next
        while expr != after:
            made = self.made.get(expr.value) if isinstance(expr, core.Use) else None
            merges = made.merges if isinstance(made, core.If) else ()
            merge = next((m for m in merges if core.Use(m.value) == expr), None)
            if merge is None or core.Use(carried.value) not in (merge.then, merge.other):
                raise Unfit("what is summed is changed otherwise in the loop")
            expr = merge.then if merge.other == core.Use(carried.value) else merge.other

    def _contraction(
        self, added: core.Let, place: Place, sum: core.Carried, left: core.Expr, right: core.Expr
    ) -> Contraction:
        outermost = place.loops[0]
        self._check_alone(outermost, sum)
        for loop in place.loops:
            self.count(loop)
        reads = [self.read(e, outermost) for e in (left, right)]
        written = {s.root.memory for s in self.places if isinstance(s, core.WRITES)}
        for read in reads:
            if read.root.memory in written or not self._is_plain(read.root):
                raise Unfit("a factor is written by the kernel, or no array of numbers that it is given")
        around = dict.fromkeys((*self.places[outermost].branches, *place.branches))
        below = [p for s, then in around for p in self.below(s.condition, then)]
        return self._laid_out(outermost, sum, reads, [*below, *reads[0].below, *reads[1].below], place.loops)

    def _is_plain(self, root: core.Root) -> bool:
        """Whether a pointer among the arguments leads to it."""
        if root.kind is not core.RootKind.ARGUMENT or root.position is None or root.path != ("{b}[{i}]",):
            return False
        return self.function.parameters[root.position].contents == (root,)

    def _check_alone(self, loop: core.Loop, sum: core.Carried) -> None:
        """That the loop does nothing else."""
        inside = {s for region in (loop.before, loop.body) for s in statements(region)}
        own = {v for s in inside for v in (*defined(s), *begun(s))} | {c.result for c in loop.carried} - {sum.result}
        used = {v for s in self.places if s not in inside and s is not loop for e in operands(s) for v in values(e)}
        used |= {v for leaf in self.function.results for v in values(leaf.expr)}
        if not used.isdisjoint(own):
            raise Unfit("more than the sum of the loop is used behind it")
        stored = {s.root for s in inside if isinstance(s, core.Store)}
        outside = {s.root for s in self.places if s not in inside and isinstance(s, core.Load | core.WRITES)}
        if any(r.kind is not core.RootKind.SHARED or r in outside for r in stored):
            raise Unfit("the loop stores more than it reads itself")
        for s in inside:
            plain = isinstance(s, core.Barrier) and s.predicate is None
            if not plain and not isinstance(s, core.Let | core.Load | core.Store | core.Allocate | core.If | core.Loop):
                raise Unfit("the loop does more than to load and to add")

    def _laid_out(
        self,
        loop: core.Loop,
        sum: core.Carried,
        reads: Sequence[Read],
        below: Sequence[Affine],
        loops: Sequence[core.Loop],
    ) -> Contraction:
        (of_left, left), (of_right, right) = (self.by_dimension(read.index) for read in reads)
        dimensions: list[Dimension] = []
        for axis, ((_, threads), (_, blocks)) in enumerate(AXES):
            strides = of_left.pop(axis, NOTHING), of_right.pop(axis, NOTHING)
            if strides == (NOTHING, NOTHING):
                for extent in (threads, blocks):
                    self.require(BinaryOp.EQ, core.Builtin(extent, UINT), core.Const(1, LONG))
                continue
            each, of_blocks = (core.Cast(core.Builtin(extent, UINT), LONG) for extent in (threads, blocks))
            count = core.Binary(BinaryOp.MUL, each, of_blocks, LONG)
            dimensions.append(Dimension(count, strides, axis))
        shared = {d.of for d in dimensions}
        if (True, False) not in shared or (False, True) not in shared:
            raise Unfit("no axis of the launch goes over rows, or none over columns")
        depths = self._depths(loops, of_left, of_right)
        bounds = [self._bound(p, dimensions, depths) for p in below]
        made = tuple(
            replace(d, limits=tuple(dict.fromkeys(limit for of, limit in bounds if of is d)))
            for d in (*dimensions, *(d for d, _ in depths))
        )
        factors = (reads[0].root, reads[1].root)
        return Contraction(loop, sum.result, sum.init, factors, (left, right), made, tuple(self.conditions))

    def _depths(
        self, loops: Sequence[core.Loop], left: Mapping[int | Atom, Affine], right: Mapping[int | Atom, Affine]
    ) -> list[tuple[Dimension, dict[Atom, int]]]:
        """What is summed over, each with how much a turn of the loops is of it. Loops that together go through one are
        one."""
        turns = [self.turns[loop] for loop in loops]
        if set(left) | set(right) != {t.atom for t in turns} or set(left) != set(right):
            raise Unfit("a factor does not depend on the loop")
        found: list[tuple[Dimension, dict[Atom, int]]] = []
        for turn in reversed(turns):
            strides = left[turn.atom], right[turn.atom]
            count = turn.count
            if found:
                inner, weights = found[-1]
                size = inner.count
                turns_of_inner = int(size.value) if isinstance(size, core.Const) else 0
                if strides == tuple(s.times(constant(turns_of_inner)) for s in inner.strides):
                    product = core.Binary(BinaryOp.MUL, count, size, LONG)
                    found[-1] = Dimension(product, inner.strides), {**weights, turn.atom: turns_of_inner}
                    continue
            found.append((Dimension(count, strides), {turn.atom: 1}))
        if len(found) > 2:
            raise Unfit("sums go over more than two dimensions")
        return found

    def _bound(
        self,
        below: Affine,
        dimensions: Sequence[Dimension],
        depths: Sequence[tuple[Dimension, dict[Atom, int]]],
    ) -> tuple[Dimension | None, core.Expr]:
        """The dimension that a condition bounds, and by what."""
        strides, base = self.by_dimension(below)
        limit = expression(NOTHING.plus(base, -1))
        for d in dimensions:
            if strides == {d.axis: ONE}:
                return d, limit
        for depth, weights in depths:
            if strides == {atom: constant(weight) for atom, weight in weights.items()}:
                return depth, limit
        if strides:
            raise Unfit("a condition is no bound of rows, columns or depth")
        self.require(BinaryOp.LT, core.Const(0, LONG), limit)
        return None, limit
