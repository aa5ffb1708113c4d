"""Indices that follow the thread: `stride * (coordinate + shift) + rest` for each coordinate that they are made of.

`tile[threadIdx.y + i][threadIdx.x + j]` in rows of 26 is `26 * (y + i) + (x + j)`: the shifts are `i` and `j`, sums of
the counters of loops of constant length. A thread at coordinates (x, y) comes to the *place* (x + j, y + i) of such an
index, and which threads come to a place follows from the shifts alone. Different places are different elements where
each extent, shifts included, fits into the next stride.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cladpy.analysis.affine import Affine, affine
from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import INT, UINT
from cladpy.ir.walk import children, subexpressions, values

THREADS = (BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z)
SIZES = {
    BuiltinVar.THREAD_X: core.Builtin(BuiltinVar.BLOCK_DIM_X, UINT),
    BuiltinVar.THREAD_Y: core.Builtin(BuiltinVar.BLOCK_DIM_Y, UINT),
    BuiltinVar.THREAD_Z: core.Builtin(BuiltinVar.BLOCK_DIM_Z, UINT),
}


@dataclass(frozen=True, slots=True)
class Shift:
    """A sum of counters, times factors, and a constant."""

    constant: int
    factors: tuple[tuple[core.Value, int], ...] = ()

    def range(self, counts: Mapping[core.Value, int]) -> tuple[int, int]:
        ends = [(0, factor * (counts[v] - 1)) for v, factor in self.factors]
        return self.constant + sum(map(min, ends)), self.constant + sum(map(max, ends))

    def back(self, place: core.Expr, names: Mapping[core.Value, core.Expr], first: int) -> core.Expr:
        """The coordinate of the thread that comes to a place; places are counted from the `first` shift on."""
        for v, factor in self.factors:
            counter, times = cast(names[v], INT), core.Const(abs(factor), INT)
            term = counter if times.value == 1 else binary(BinaryOp.MUL, counter, times, INT)
            place = binary(BinaryOp.SUB if factor > 0 else BinaryOp.ADD, place, term, INT)
        constant = self.constant - first
        if constant == 0:
            return place
        return binary(BinaryOp.SUB if constant > 0 else BinaryOp.ADD, place, core.Const(abs(constant), INT), INT)


@dataclass(frozen=True, slots=True)
class Shifted:
    """`strides` by coordinates, the shortest first, with the `shifts` in their order; `residue` is less than the
    shortest stride, and `rest` is the same for all threads."""

    strides: tuple[tuple[BuiltinVar, int], ...]
    shifts: tuple[Shift, ...]
    residue: int
    rest: Affine


def shifted(index: core.Expr, counts: Mapping[core.Value, int | None]) -> Shifted | None:
    """An index as such a sum, by the lengths of the loops around; of those without a constant length the counters may
    not be in it. Where a coordinate counts blocks of threads, as in the number of a thread in its block, it is taken to
    be zero."""
    strides: dict[BuiltinVar, int] = {}
    factors: dict[core.Value, int] = {}
    rest: dict[tuple[core.Expr, ...], int] = {}
    absent: set[BuiltinVar] = set()
    constant = 0
    for monomial, coefficient in affine(index, {}).terms:
        match monomial:
            case ():
                constant = coefficient
            case (core.Builtin(var),) if var in THREADS:
                strides[var] = coefficient
            case (core.Use(value),) if value in counts:
                if counts[value] is None:
                    return None
                factors[value] = coefficient
            case _ if not any(_moves(atom, counts) for atom in monomial):
                rest[monomial] = coefficient
            case _ if (across := {atom.var for atom in monomial if isinstance(atom, core.Builtin)} & set(THREADS)) and (
                not any(_moves(atom, counts) for atom in monomial if not isinstance(atom, core.Builtin))
            ):
                absent |= across
            case _:
                return None
    if not strides or absent & set(strides):
        return None
    order = sorted(strides, key=lambda t: abs(strides[t]))
    least = strides[order[0]]
    constants: dict[BuiltinVar, int] = {}
    for t in reversed(order[1:]):
        constants[t] = round(constant / strides[t])
        constant -= constants[t] * strides[t]
    residue = constant % abs(least)
    constants[order[0]] = (constant - residue) // least
    by: dict[BuiltinVar, list[tuple[core.Value, int]]] = {t: [] for t in order}
    for value, factor in factors.items():
        fitting = [t for t in order if factor % strides[t] == 0 and abs(strides[t]) <= abs(factor)]
        if not fitting:
            return None
        by[fitting[-1]].append((value, factor // strides[fitting[-1]]))
    shifts = tuple(Shift(constants[t], tuple(by[t])) for t in order)
    return Shifted(tuple((t, strides[t]) for t in order), shifts, residue, Affine.of(rest))


def asked(expr: core.Expr) -> set[BuiltinVar]:
    """The coordinates of which there may be several in a block: in `x + blockDim.x * (y + blockDim.y * z)`, which
    counts the threads of a block of whatever dimensions, that is the first."""
    match expr:
        case core.Builtin(var) if var in THREADS:
            return {var}
        case core.Binary(BinaryOp.MUL, left, right) if left in SIZES.values() or right in SIZES.values():
            return set()
        case _:
            return {t for e in children(expr) for t in asked(e)}


def _moves(atom: core.Expr, counts: Mapping[core.Value, int | None]) -> bool:
    """Whether it may be another number for another thread, or in another turn of a loop."""
    threads = any(isinstance(e, core.Builtin) and e.var in THREADS for e in subexpressions(atom))
    return threads or any(v in counts for v in values(atom))


@dataclass(frozen=True, slots=True)
class Hull:
    """The places that the threads of a block come to: along each coordinate those of the threads, shifted by `first`,
    and so many `more`."""

    strides: tuple[tuple[BuiltinVar, int], ...]
    first: tuple[int, ...]
    more: tuple[int, ...]
    rest: Affine

    @staticmethod
    def of(every: Iterable[tuple[Shifted, Mapping[core.Value, int]]]) -> Hull | None:
        found = list(every)
        strides, rest = found[0][0].strides, found[0][0].rest
        if any(s.strides != strides or s.rest != rest for s, _ in found):
            return None
        ranges = [[shift.range(counts) for shift in s.shifts] for s, counts in found]
        first = tuple(min(r[k][0] for r in ranges) for k in range(len(strides)))
        last = tuple(max(r[k][1] for r in ranges) for k in range(len(strides)))
        hull = Hull(strides, first, tuple(b - a for a, b in zip(first, last, strict=True)), rest)
        return hull if all(limit > 0 for _, limit in hull.limits()) else None

    @property
    def coordinates(self) -> tuple[BuiltinVar, ...]:
        return tuple(t for t, _ in self.strides)

    def limits(self) -> list[tuple[BuiltinVar, int]]:
        """How large a block may be along a coordinate for different places to be different elements."""
        pairs = zip(self.strides, self.strides[1:], self.more, strict=False)
        return [(t, abs(longer) // abs(stride) - more) for (t, stride), (_, longer), more in pairs]

    def element(self, at: Mapping[BuiltinVar, core.Expr], residue: int) -> core.Expr:
        """The index of the element at a place, which is counted from the first."""
        total: core.Expr | None = None
        for (t, stride), first in zip(self.strides, self.first, strict=True):
            residue += stride * first
            term = binary(BinaryOp.MUL, at[t], core.Const(stride, INT), INT) if stride != 1 else at[t]
            total = term if total is None else binary(BinaryOp.ADD, total, term, INT)
        for monomial, coefficient in self.rest.terms:
            product: core.Expr = core.Const(coefficient, INT)
            for atom in monomial:
                factor = cast(atom, INT)
                product = factor if product == core.Const(1, INT) else binary(BinaryOp.MUL, product, factor, INT)
            total = product if total is None else binary(BinaryOp.ADD, total, product, INT)
        assert total is not None
        return total if residue == 0 else binary(BinaryOp.ADD, total, core.Const(residue, INT), INT)


Taken = tuple[core.Expr, Mapping[core.Value, int]]


def taken_once(every: Sequence[Taken]) -> dict[BuiltinVar, int] | None:
    """How large a block may be along coordinates where no element is met twice, of indices with the lengths of the
    loops in which they are; None where that cannot be said.

    Coordinates and counters are the digits of a number, each less than the quotient of the next stride and its own. So
    numbers differ by the first stride at least, and constants may differ by less; those that differ by a multiple of
    the last stride, or by so little more, make another digit.
    """
    limits: dict[BuiltinVar, int] = {}
    before: list[tuple[list[tuple[int, core.Expr]], int, Affine, Mapping[core.Value, int]]] = []
    for index, counts in every:
        digits: list[tuple[int, core.Expr]] = []
        rest: dict[tuple[core.Expr, ...], int] = {}
        places = affine(index, {})
        for monomial, coefficient in places.terms:
            if not any(_moves(atom, counts) for atom in monomial):
                rest[monomial] = coefficient if monomial else 0
            elif len(monomial) == 1 and isinstance(monomial[0], core.Builtin | core.Use):
                digits.append((coefficient, monomial[0]))
            else:
                return None
        met = {d.value for _, d in digits if isinstance(d, core.Use)}
        if not digits or any(n > 1 and v not in met for v, n in counts.items()):
            return None
        digits.sort(key=lambda d: abs(d[0]))
        strides = [abs(c) for c, _ in digits]
        limited = [(d, longer // abs(c)) for (c, d), longer in zip(digits, strides[1:], strict=False)]
        lengths = dict(counts)
        constant, others = places.constant(), Affine.of(rest)
        for digits_of_other, constant_of_other, others_of_other, counts_of_other in before:
            lengths |= counts_of_other
            same = [_place(d) for d in digits] == [_place(d) for d in digits_of_other]
            if not same or others != others_of_other or constant == constant_of_other:
                return None
            apart = abs(constant - constant_of_other)
            if apart >= strides[0]:
                times = round(apart / strides[-1])
                if abs(apart - times * strides[-1]) >= strides[0]:
                    return None
                limited += [(digits[-1][1], times), (digits_of_other[-1][1], times)]
        for digit, most in limited:
            if isinstance(digit, core.Builtin):
                limits[digit.var] = min(most, limits.get(digit.var, most))
            elif not isinstance(digit, core.Use) or lengths.get(digit.value, most + 1) > most:
                return None
        before.append((digits, constant, others, counts))
    return limits if all(most > 0 for most in limits.values()) else None


def _place(digit: tuple[int, core.Expr]) -> tuple[int, object]:
    return digit[0], digit[1].var if isinstance(digit[1], core.Builtin) else None
