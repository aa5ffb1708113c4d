"""Indices as numbers of several digits: which thread, in which iterations, comes to an element.

Two accesses come to one element where their indices are equal. From that follows more, digit by digit: in
`row * cols + col` with `0 <= col < cols` the rows are equal, and the columns; a column `blockIdx.x * blockDim.x +
threadIdx.x` has two digits itself, and so has the index of a loop that goes from one multiple of all threads to the
next. Quotient and remainder by one number are the digits of what is divided. Where this leads to all of what tells
threads apart, the two accesses are made by one thread; where it leads to a contradiction they never meet.

What conditions say about the digits comes from the control flow around the access. Polynomials are taken for the
integers that they stand for: subscripts that are valid, and thread indices and counters, do not wrap around.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from cladpy import derivatives
from cladpy.analysis.affine import Affine, affine
from cladpy.analysis.bounds import ONE, Conditions, Facts, is_not_negative, may_wrap, sharpened
from cladpy.analysis.comparison import ZERO, Comparison, Part, Same, both
from cladpy.analysis.dimensions import INDICES, Premise
from cladpy.analysis.extents import MOST
from cladpy.analysis.halved_and_doubled import Shifts, shifts
from cladpy.analysis.layouts import subscripts
from cladpy.analysis.loops import first_condition, loop_facts
from cladpy.analysis.periodic import Periodic
from cladpy.analysis.quotients import Quotients
from cladpy.analysis.reasons import Access
from cladpy.analysis.uniform import Varying, varying_in_block, varying_values
from cladpy.derivatives.rule import Extremum
from cladpy.ir import core
from cladpy.ir.names import meanings
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import BOOL, LONG, UINT, is_integer, is_signed
from cladpy.ir.walk import defined, statements, values


@dataclass(slots=True, eq=False)
class Site:
    """An access with what is known where it is made."""

    index: Affine
    facts: Facts
    around: tuple[tuple[core.Statement, int], ...]
    loops: tuple[core.Loop, ...]
    strides: frozenset[core.Value] = frozenset()


@dataclass(slots=True)
class Elements:
    """The accesses of a function's threads, in a launch with the bounds `assumed`; those of one block with each other
    where `in_block`."""

    function: core.Function
    in_block: bool = False
    assumed: tuple[Premise, ...] = ()
    suggested: set[Premise] = field(init=False, default_factory=set)  # what would have led to more, were it assumed
    lets: dict[core.Value, core.Expr] = field(init=False)
    varying: Varying = field(init=False)
    fixed: set[core.Value] = field(init=False)  # what is the same for all threads, and does not change
    counters: dict[core.Loop, core.Expr] = field(init=False, default_factory=dict)
    _loops: list[core.Loop] = field(init=False)
    _loop_of: dict[core.Value, tuple[core.Loop, core.Carried]] = field(init=False)
    _steady: dict[frozenset[core.Loop], frozenset[core.Value]] = field(init=False, default_factory=dict)
    _inner: dict[core.Loop, set[core.Value]] = field(init=False, default_factory=dict)
    _known: dict[core.Value, Affine | None] = field(init=False, default_factory=dict)  # inductions
    _parts: dict[tuple[Affine, Affine, bool], core.Expr] = field(init=False, default_factory=dict)
    _part_of: dict[core.Expr, Part] = field(init=False, default_factory=dict)
    _normal: dict[Affine, Affine] = field(init=False, default_factory=dict)
    periodic: Periodic = field(init=False)
    quotients: Quotients = field(init=False)
    _conditions: Conditions = field(init=False)
    _shifts: dict[core.Loop, Shifts] = field(init=False, default_factory=dict)
    _facts: dict[tuple[core.Statement, int], Facts] = field(init=False, default_factory=dict)
    _digits: dict[tuple[Affine, Affine, tuple[Affine, ...]], bool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        every = list(statements(self.function.body))
        self.lets = meanings(every)
        self.varying = varying_in_block(self.function) if self.in_block else varying_values(self.function)
        self._loops = [s for s in every if isinstance(s, core.Loop)]
        self._loop_of = {c.value: (loop, c) for loop in self._loops for c in loop.carried}
        changing = {v for loop in self._loops for v in self._defined_in(loop)}
        known = {v for s in every for v in defined(s)}
        known |= {c for p in self.function.parameters for c in p.contents if isinstance(c, core.Value)}
        self.fixed = {v for v in known if v not in changing and v not in self.varying.values}
        self._conditions = Conditions(self.lets, lambda e: self.normal(affine(e, self.lets)), self.positive)
        self.quotients = Quotients(
            self.assumed, self.suggested, lambda of, by: self._part(of, by, False), self.known, self.positive
        )
        self.periodic = Periodic(
            self.function,
            self.lets,
            self._conditions,
            self.normal,
            self.known,
            self.positive,
            self.is_uniform,
            lambda of, by: self._part(of, by, True),
            self.suggested,
        )

    # ---- what is asked ---------------------------------------------------------------------------------------------

    def site(self, access: Access) -> Site | None:
        if access.index is None:
            return None
        facts = Facts(tuple(fact for premise in self.assumed for fact in premise.facts))
        for here in access.around:
            facts = facts.and_also(self._facts_of(*here))
        loops = tuple(s for s, number in access.around if isinstance(s, core.Loop) and number == 1)
        for loop in loops:
            facts = facts.and_also(Facts(tuple(self._shifts_of(loop).products(facts.at_least_zero))))
        facts = sharpened(facts, self.known, self.positive)
        divided = tuple(self.quotients.of_signed(facts.at_least_zero, lambda e: self.normal(affine(e, self.lets))))
        facts = facts.and_also(Facts(divided))
        index = self.periodic.resolved(self.normal(access.index), facts)
        return None if may_wrap(index) else Site(index, facts, access.around, loops, access.strides)

    def same(self, a: Site, b: Site, once: Collection[core.Loop] = ()) -> Same:
        """What is equal where the two come to one element, in one iteration of the loops `once`."""
        comparison = Comparison(self, a.facts, b.facts, self.steady(once))
        found = self._same_subscripts(comparison, a, b)
        if found is None:
            found = comparison.equal(a.index, b.index, 0)
        for mine, other in a.facts.equal:
            for his, theirs in b.facts.equal:
                if other == theirs and self.is_uniform(other, comparison.steady):
                    found = both(found, comparison.equal(mine, his, 0))
        return comparison.closed(found)

    def _same_subscripts(self, comparison: Comparison, a: Site, b: Site) -> Same | None:
        """What is equal where the subscripts of a view are; None where the two are not made of such."""
        mine, other = subscripts(a.index, a.strides), subscripts(b.index, b.strides)
        if mine is None or other is None or not mine[0] or mine[1] != other[1] or not self.is_uniform(mine[1]):
            return None
        found: Same = frozenset()
        for stride in a.strides:
            found = both(found, comparison.equal(mine[0].get(stride, ZERO), other[0].get(stride, ZERO), 0))
        return found

    def facts(self, condition: core.Expr, holds: bool) -> Facts:
        """What follows where a condition holds, or does not."""
        return self._conditions.facts(condition, holds)

    def exactly(self, condition: core.Expr, holds: bool) -> tuple[Affine, ...] | None:
        """What is at least zero just where a condition holds, or does not; None where there is more to it."""
        return self._conditions.exactly(condition, holds)

    def in_first_warp(self, site: Site) -> bool:
        """Whether the thread's index along x is below 32 where an access is made."""
        thread, size = _of(BuiltinVar.THREAD_X), _of(BuiltinVar.BLOCK_DIM_X)
        largest = Affine.of({(): MOST[BuiltinVar.BLOCK_DIM_X]}).plus(size, -1)
        every = tuple(dict.fromkeys((*self.known((thread, *site.facts.at_least_zero)), *site.facts.at_least_zero)))
        below = Affine.of({(): 31 * 32}).plus(thread, -32)  # by 32, which a number of warps is divided by
        return is_not_negative(below, (*every, largest), self.positive, most=4)

    # ---- normal form -----------------------------------------------------------------------------------------------

    def normal(self, polynomial: Affine) -> Affine:
        """With what a loop adds to in each iteration in terms of their number, and with one name for each quotient
        and remainder."""
        if polynomial not in self._normal:
            total = ZERO
            for monomial, coefficient in polynomial.terms:
                product = Affine.of({(): coefficient})
                for atom in monomial:
                    product = product.times(self._atom(atom))
                total = total.plus(product)
            self._normal[polynomial] = self._put_together(total)
        return self._normal[polynomial]

    def _put_together(self, polynomial: Affine) -> Affine:
        """With `x / n * n + x % n` as x."""
        for monomial, coefficient in polynomial.terms:
            part = self._part_of.get(monomial[0]) if len(monomial) == 1 else None
            if part is None or not part.remainder or (part.of, part.by, False) not in self._parts:
                continue
            quotient = Affine.of({(self._parts[part.of, part.by, False],): coefficient})
            whole = quotient.times(part.by).plus(Affine.of({monomial: coefficient}))
            if whole.every <= polynomial.every:
                rest = polynomial.plus(whole, -1).plus(part.of, coefficient)
                return self._put_together(rest)
        return polynomial

    def _atom(self, atom: core.Expr) -> Affine:
        match atom:
            case core.Use(value) if value in self._loop_of and is_integer(value.type) and value.type != BOOL:
                known = self._induction(value)
                return Affine.of({(atom,): 1}) if known is None else known
            case core.Cast(operand) if is_integer(operand.type) and operand.type != BOOL:
                return Affine.of({(atom,): 1})
            case core.Binary(op, left, right) if op in _DIVISIONS:
                of, by = self.normal(affine(left, self.lets)), self._divisor(op, right)
                if by is None or may_wrap(of) or not is_not_negative(of, (), self.positive):
                    return Affine.of({(atom,): 1})
                whole, rest = self.quotients.divided(of, by)
                number = _is_positive_number(by) and not rest.without_constant().terms
                digit = rest if number else Affine.of({(self._part(rest, by, op in _REMAINDERS),): 1})
                if op in _REMAINDERS:
                    return digit
                return whole if number else whole.plus(digit)
            case core.Binary(BinaryOp.SHL, left, core.Const(by)) if 0 <= int(by) < 31:
                return self.normal(affine(left, self.lets)).times(Affine.of({(): 2 ** int(by)}))
            case _:
                return Affine.of({(atom,): 1})

    def _divisor(self, op: BinaryOp, right: core.Expr) -> Affine | None:
        """What is divided by; a mask of ones or a shift divides by a power of two."""
        number = int(right.value) if isinstance(right, core.Const) and not isinstance(right.value, float) else None
        match op:
            case BinaryOp.DIV | BinaryOp.REM:
                by = self.normal(affine(right, self.lets))
                return by if self.is_uniform(by) else None
            case BinaryOp.SHR if number is not None and 0 <= number < 31:
                return Affine.of({(): 2**number})
            case BinaryOp.BIT_AND if number is not None and number > 0 and number & (number + 1) == 0:
                return Affine.of({(): number + 1})
            case _:
                return None

    def _part(self, of: Affine, by: Affine, remainder: bool) -> core.Expr:
        key = (of, by, remainder)
        if key not in self._parts:
            name = "remainder" if remainder else "quotient"
            self._parts[key] = core.Use(core.Value(name, LONG))
            self._part_of[self._parts[key]] = Part(of, by, remainder)
        return self._parts[key]

    def _induction(self, value: core.Value) -> Affine | None:
        """`init + k * step`, where an iteration adds what does not change in the loop."""
        if value not in self._known:
            self._known[value] = None  # while it is being looked at
            loop, carried = self._loop_of[value]
            step = affine(carried.next, self.lets).plus(Affine.of({(core.Use(value),): 1}), -1)
            if not step.symbols().isdisjoint(self._defined_in(loop)):  # not in the iteration that leaves, perhaps
                found = loop_facts(loop, self.lets).inductions.get(value)
                if found is not None and found.is_linear:
                    step = affine(found.step, self.lets)
            if step.symbols().isdisjoint(self._defined_in(loop)):
                if loop not in self.counters:
                    self.counters[loop] = core.Use(core.Value("k", UINT))
                count = Affine.of({(self.counters[loop],): 1})
                init = self.normal(affine(carried.init, self.lets))
                self._known[value] = init.plus(count.times(self.normal(step)))
        return self._known[value]

    def _defined_in(self, loop: core.Loop) -> set[core.Value]:
        if loop not in self._inner:
            found = {c.value for c in loop.carried}
            for s in statements((*loop.before, *loop.body)):
                found.update(defined(s))
                if isinstance(s, core.Loop):
                    found.update(c.value for c in s.carried)
            self._inner[loop] = found
        return self._inner[loop]

    # ---- what is known of atoms ------------------------------------------------------------------------------------

    def is_uniform(self, polynomial: Affine, steady: frozenset[core.Value] = frozenset()) -> bool:
        """Whether it is the same for all threads, whenever they ask; or while the values that are `steady` are."""
        return all(self._is_shared(atom, steady) for monomial, _ in polynomial.terms for atom in monomial)

    def _is_shared(self, atom: core.Expr, steady: frozenset[core.Value]) -> bool:
        if atom in self._part_of:
            part = self._part_of[atom]
            return self.is_uniform(part.of, steady) and self.is_uniform(part.by, steady)
        return not self.varying.expr(atom) and all(v in self.fixed or v in steady for v in values(atom))

    def steady(self, loops: Collection[core.Loop]) -> frozenset[core.Value]:
        """The values that are the same for all threads within an iteration of each of these loops."""
        key = frozenset(loops)
        if key not in self._steady:
            others = [loop for loop in self._loops if loop not in key]
            elsewhere = {v for loop in others for v in self._defined_in(loop)}
            made = {v for loop in key for v in self._defined_in(loop)}
            self._steady[key] = frozenset(made - elsewhere - set(self.varying.values))
        return self._steady[key]

    def positive(self, atom: core.Expr) -> bool:
        """Whether an atom is never below zero."""
        if atom in self._part_of:
            part = self._part_of[atom]
            return part.remainder or is_not_negative(part.by, (), self.positive)
        if isinstance(atom, core.Builtin) or (is_integer(atom.type) and not is_signed(atom.type)):
            return True
        known = self._loop_of.get(atom.value) if isinstance(atom, core.Use) else None
        return known is not None and known[1].value in self._shifts_of(known[0]).lowest

    def _shifts_of(self, loop: core.Loop) -> Shifts:
        if loop not in self._shifts:
            self._shifts[loop] = shifts(loop, self.lets, lambda e: affine(e, self.lets))
        return self._shifts[loop]

    def known(self, polynomials: Iterable[Affine], facts: tuple[Affine, ...] = ()) -> tuple[Affine, ...]:
        """What holds of the atoms of some polynomials where the facts do: indices are below their extents, remainders
        below the divisor, the smaller of two numbers is at most as large as either."""
        found: list[Affine] = []
        atoms = dict.fromkeys(a for p in polynomials for monomial, _ in p.terms for a in monomial)
        for thread, block in _AXES:
            named = (thread, block, INDICES[thread], INDICES[block])
            if not any(core.Builtin(v, UINT) in atoms for v in named):
                continue
            t, size = _of(thread), _of(INDICES[thread])
            b, count = _of(block), _of(INDICES[block])
            found += (
                size.plus(t, -1).plus(ONE, -1),
                count.plus(b, -1).plus(ONE, -1),
                count.times(size).plus(b.times(size), -1).plus(t, -1).plus(ONE, -1),
            )
        if core.Builtin(BuiltinVar.THREAD_Z, UINT) in atoms:
            found.append(_BEHIND)
        for atom in atoms:
            part = self._part_of.get(atom)
            if part is not None and part.remainder and _is_positive_number(part.by):
                found.append(part.by.plus(Affine.of({(atom,): 1}), -1).plus(ONE, -1))
            found += self._of_chosen(atom, facts)
        parts = {atom: part for atom in atoms if (part := self._part_of.get(atom)) is not None}
        found += self.quotients.facts({atom: part for atom, part in parts.items() if not part.remainder})
        return tuple(found)

    def _of_chosen(self, atom: core.Expr, facts: tuple[Affine, ...]) -> Iterator[Affine]:
        """How the smaller or larger of two integers compares with both, if an atom is one."""
        match atom:
            case core.Math(_, (first, second)) | core.Select(_, first, second) if not (
                is_integer(atom.type) and all(self._conditions.is_itself(e, facts) for e in (first, second))
            ):
                return
            case core.Math(callee, (first, second)):
                rule = derivatives.lookup(callee.qualified_name, 2)
                smaller = rule is not None and rule.extremum is Extremum.SMALLER
                larger = rule is not None and rule.extremum is Extremum.LARGER
                chosen = ((first, smaller, larger), (second, smaller, larger))
            case core.Select(condition, first, second):
                apart = self.normal(affine(second, self.lets)).plus(self.normal(affine(first, self.lets)), -1)
                where = self.facts(condition, True).at_least_zero, self.facts(condition, False).at_least_zero
                below, above = (is_not_negative(apart, w, self.positive) for w in where)
                less, more = (is_not_negative(ZERO.plus(apart, -1), w, self.positive) for w in where)
                chosen = ((first, more, above), (second, below, less))
            case _:
                return
        for operand, at_most, at_least in chosen:
            apart = self.normal(affine(operand, self.lets)).plus(Affine.of({(atom,): 1}), -1)
            if at_most:
                yield apart
            if at_least:
                yield ZERO.plus(apart, -1)

    def _facts_of(self, statement: core.Statement, number: int) -> Facts:
        key = (statement, number)
        if key not in self._facts:
            if isinstance(statement, core.If):
                self._facts[key] = self._conditions.facts(statement.condition, number == 0)
            else:
                assert isinstance(statement, core.Loop)
                held = (first_condition(statement), statement.condition) if number == 1 else ()  # not in the test
                self._facts[key] = Facts()
                for condition in held:
                    self._facts[key] = self._facts[key].and_also(self._conditions.facts(condition, True))
                if number == 1:
                    self._facts[key] = self._facts[key].and_also(self._shifts_of(statement).facts())
        return self._facts[key]

    def is_digit(self, low: Affine, radix: Affine, facts: tuple[Affine, ...]) -> bool:
        """Whether `0 <= low < radix` where the facts hold."""
        key = (low, radix, facts)
        if key not in self._digits:
            every = tuple(dict.fromkeys((*self.known((low, radix, *facts)), *facts)))
            above = radix.plus(low, -1).plus(ONE, -1)
            self._digits[key] = all(is_not_negative(p, every, self.positive) for p in (low, above))
        return self._digits[key]

    def other_part(self, part: Part) -> core.Expr | None:
        """The remainder for a quotient, and the other way around."""
        return self._parts.get((part.of, part.by, not part.remainder))

    def part(self, atom: core.Expr) -> Part | None:
        return self._part_of.get(atom)


_AXES = (
    (BuiltinVar.THREAD_X, BuiltinVar.BLOCK_X),
    (BuiltinVar.THREAD_Y, BuiltinVar.BLOCK_Y),
    (BuiltinVar.THREAD_Z, BuiltinVar.BLOCK_Z),
)
_REMAINDERS = frozenset({BinaryOp.REM, BinaryOp.BIT_AND})
_DIVISIONS = _REMAINDERS | {BinaryOp.DIV, BinaryOp.SHR}


def _of(variable: BuiltinVar) -> Affine:
    return Affine.of({(core.Builtin(variable, UINT),): 1})


def _unnumbered() -> Affine:
    """How many threads of a block come behind one, counted along x, then along y, then along z."""
    x, y, z = BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z
    planes = _of(INDICES[z]).plus(_of(z), -1).plus(ONE, -1).times(_of(INDICES[y]))
    rows = planes.plus(_of(INDICES[y])).plus(_of(y), -1).plus(ONE, -1).times(_of(INDICES[x]))
    return rows.plus(_of(INDICES[x])).plus(_of(x), -1).plus(ONE, -1)


_BEHIND = _unnumbered()


def _is_positive_number(by: Affine) -> bool:
    return not by.without_constant().terms and by.constant() > 0
