"""Value numbering of generated code: what a block computes a second time is read from the variable that has it.

A variable, an element that is loaded, and the content of a local array have a number, by what they were made of. Where
branches meet it is made of the condition and of both numbers; behind a loop, of what the loop begins with and of what
an iteration makes of that, so that two loops which do the same give the same, as do two sums of one loop. So nothing is
compared but numbers: a branch that is evaluated again leaves variables which nobody reads.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import copysign

from cladpy.ir import code, core
from cladpy.ir.code_walk import (
    all_statements,
    changed,
    defined,
    expressions,
    inner_blocks,
    map_statement,
    touched_roots,
    variables_read,
)
from cladpy.ir.effects import Memory
from cladpy.ir.flow import changed_in, written
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import Type
from cladpy.ir.walk import map_children, values

Array = tuple[core.Root, bool]  # with whether it is the adjoint
Number = int


def numbered(block: code.Block, body: code.Block) -> code.Block:
    """A block of the body without what it computes, or loads, a second time."""
    return _Numbering(body).block(block)


class _Numbering:
    def __init__(self, body: code.Block) -> None:
        self.ids: dict[Hashable, Number] = {}
        self.symbols: dict[Number, core.Value] = {}
        self.numbers: dict[core.Value, Number] = {}
        self.arrays: dict[Array, Number] = {}
        self.epoch: Number = 0  # of memory that is not the thread's own
        self.fresh = 0
        self.depth = 0
        self.holders: ChainMap[Number, core.Value] = ChainMap({})
        self.holding: ChainMap[Number, core.Root] = ChainMap({})  # local arrays, likewise
        self.changing = changed_in(body)
        self.seen = {s.variable for s in all_statements(body) if isinstance(s, code.Take)}  # constants that are there
        # what is more than a part of expressions keeps its name
        self.named = {v for s in all_statements(body) for v in _named(s)}

    # ---- numbers -----------------------------------------------------------------------------------------------------

    def _id(self, *key: Hashable) -> Number:
        return self.ids.setdefault(key, len(self.ids) + 1)

    def _new(self) -> Number:
        self.fresh += 1
        return self._id("new", self.fresh)

    def _number(self, variable: core.Value) -> Number:
        if variable not in self.numbers:
            self.numbers[variable] = self._id("outside", variable)
        return self.numbers[variable]

    def _array(self, array: Array) -> Number:
        root, adjoint = array
        if root.kind is not core.RootKind.LOCAL:
            return self._id("memory", root.memory, adjoint, self.epoch)
        return self.arrays.setdefault(array, self._id("outside", root, adjoint))

    def _symbol(self, number: Number, type: Type) -> core.Expr:
        if number not in self.symbols:
            self.symbols[number] = core.Value(f"_{number}", type)
        return core.Use(self.symbols[number])

    def _canonical(self, expr: core.Expr) -> core.Expr:
        match expr:
            case core.Use(value):
                return self._symbol(self._number(value), expr.type)
            case core.Const(float(value), type) if value == 0 and copysign(1, value) < 0:  # which equals the other zero
                return core.Unary(UnaryOp.NEG, core.Const(0.0, type), type)
            case _:
                return map_children(expr, self._canonical)

    def _made(self, expr: core.Expr, type: Type) -> Number:
        """The number of what a variable of a type is given."""
        if isinstance(expr, core.Use) and expr.type == type:
            return self._number(expr.value)
        return self._id("made", self._canonical(expr), type)

    def _initial(self, init: code.Initializer, type: Type) -> Number:
        if isinstance(init, code.Element) and not init.adjoint:
            member = None if init.root.kind is core.RootKind.LOCAL else init.root
            return self._id("load", self._array((init.root, False)), member, self._canonical(init.index), type)
        return self._new() if isinstance(init, code.LOADED) else self._made(init, type)

    # ---- statements --------------------------------------------------------------------------------------------------

    def block(self, block: code.Block) -> code.Block:
        return tuple(made for s in block for made in self._statement(s))

    def _inner(self, block: code.Block) -> code.Block:
        with self._scope():
            return self.block(block)

    @contextmanager
    def _scope(self) -> Iterator[None]:
        self.holders, self.holding = self.holders.new_child(), self.holding.new_child()
        yield
        self.holders, self.holding = self.holders.parents, self.holding.parents

    def _statement(self, s: code.Statement) -> Iterator[code.Statement]:
        match s:
            case code.Comment():
                yield s
            case code.Branch(condition, then, other):
                yield self._branch(condition, then, other)
            case code.While() | code.CountDown():
                yield self._loop(s)
            case code.Define(variable, init, mutable):
                number = self._initial(init, variable.type)
                held = self._holder(number, variable)
                if not mutable and variable not in self.named and held is not variable and held not in self.changing:
                    self.numbers[variable] = number
                    return
                yield self._loaded_elsewhere(map_statement(s, self._rewritten))
                if not mutable:
                    self.seen.add(variable)
                self._forget((s,))
                self._give(variable, number)
            case code.Assign(variable, expr) | code.Add(variable, expr):
                if isinstance(s, code.Add):
                    expr = core.Binary(BinaryOp.ADD, core.Use(variable), expr, variable.type)
                number = self._made(expr, variable.type)
                # a sum stays one
                yield map_statement(s, lambda e: self._rewritten(e, variable))
                self._give(variable, number)
            case code.DeclareArray(root, adjoint, zeroed):
                yield s
                self._fill((root, adjoint), self._id("array", root.element, root.length) if zeroed else self._new())
            case code.WriteElement(root, index, expr) if root.kind is core.RootKind.LOCAL and not s.saved:
                content = self._id("written", self._array((root, False)), self._canonical(index), self._canonical(expr))
                yield map_statement(s, self._rewritten)
                self._fill((root, False), content)
            case _:
                yield s if inner_blocks(s) else map_statement(s, self._rewritten)
                self._forget((s,))

    def _give(self, variable: core.Value, number: Number) -> None:
        self.numbers[variable] = number
        held = self._holder(number, variable)
        if held is variable or (held in self.changing and variable not in self.changing):
            self.holders[number] = variable

    def _fill(self, array: Array, number: Number) -> None:
        self.arrays[array] = number
        root, adjoint = array
        held = self.holding.get(number)
        if not adjoint and (held is None or self.arrays.get((held, False)) != number):
            self.holding[number] = root

    def _loaded_elsewhere(self, s: code.Statement) -> code.Statement:
        """What loads an element of a local array loads it from the first that has this content now."""
        match s:
            case code.Define(_, code.Element(root, _, False) as init) if root.kind is core.RootKind.LOCAL:
                number = self._array((root, False))
                held = self.holding.get(number, root)
                if held is not root and held.element == root.element and self.arrays.get((held, False)) == number:
                    return replace(s, init=replace(init, root=held))
            case _:
                pass
        return s

    def _holder(self, number: Number, variable: core.Value) -> core.Value:
        """A variable that has this number now, of the same type; `variable` itself where no other does."""
        held = self.holders.get(number)
        fits = held is not None and held.type == variable.type and self.numbers.get(held) == number
        return held if held is not None and fits and held not in self.named else variable

    def _rewritten(self, expr: core.Expr, kept: core.Value | None = None) -> core.Expr:
        """In terms of what has the numbers, but for one variable."""
        if not isinstance(expr, core.Use):
            return map_children(expr, lambda e: self._rewritten(e, kept))
        variable = expr.value
        held = self._holder(self._number(variable), variable)
        stays = variable is kept or (held in self.changing and variable in self.seen)
        return expr if stays else core.Use(held)

    def _forget(self, block: code.Block) -> None:
        """Of what these statements change nothing is known."""
        for s in all_statements(block):
            for v in written(s):
                self.numbers[v] = self._new()
            if s.effects.writes is not Memory.NONE or s.effects.calls or s.effects.begins:
                for array in touched_roots(s):
                    self.arrays[array] = self._new()
            if _is_elsewhere(s):
                self.epoch = self._new()

    # ---- branches and loops ------------------------------------------------------------------------------------------

    def _branch(self, condition: core.Expr, then: code.Block, other: code.Block) -> code.Statement:
        asked = self._id("if", self._canonical(condition))
        rewritten = self._rewritten(condition)
        for s in all_statements((*then, *other)):
            for v in changed(s):
                self._number(v)
            for array in touched_roots(s):
                self._array(array)
        before, arrays, epoch = dict(self.numbers), dict(self.arrays), self.epoch
        first = self._inner(then)
        numbers, self.numbers = self.numbers, dict(before)
        contents, self.arrays = self.arrays, dict(arrays)
        first_epoch, self.epoch = self.epoch, epoch
        second = self._inner(other)
        for variable in before:
            pair = numbers[variable], self.numbers[variable]
            if pair[0] != pair[1]:
                self._give(variable, self._id("met", asked, *pair))
        for array in arrays:
            both = contents[array], self.arrays[array]
            if both[0] != both[1]:
                self._fill(array, self._id("met", asked, *both))
        if self.epoch != first_epoch:
            self.epoch = self._new()
        return code.Branch(rewritten, first, second)

    def _loop(self, s: code.While | code.CountDown) -> code.Statement:
        every = [t for inner in inner_blocks(s) for t in all_statements(inner)]
        own = {v for t in every for v in defined(t)}
        carried = list(dict.fromkeys(v for t in every for v in changed(t) if v not in own))
        begun = {(t.root, t.adjoint) for t in every if isinstance(t, code.DeclareArray)}
        kept: list[Array] = []
        for t in every:
            if t.effects.writes is not Memory.NONE:
                kept += [a for a in touched_roots(t) if a not in begun and a[0].kind is core.RootKind.LOCAL]
        kept = list(dict.fromkeys(kept))
        if any(_is_elsewhere(t) for t in every):
            self.epoch = self._new()
        count = 0
        if isinstance(s, code.CountDown):
            count = self._made(s.count, s.count.type)
            mask = None if s.mask is None else self._rewritten(s.mask)
            s = replace(s, count=self._rewritten(s.count), mask=mask)
        starts = [*(self._number(v) for v in carried), *(self._array(a) for a in kept)]
        types = [*(v.type for v in carried), *(None for _ in kept)]
        kinds = _classes(zip(starts, types, strict=True))
        self.depth += 1
        while True:
            with self._on_trial():
                self._begin(s, carried, kept, kinds, starts)
                condition = self._run(s)[1]
                ends = [*(self._number(v) for v in carried), *(self._array(a) for a in kept)]
            finer = _classes(zip(kinds, ends, strict=True))
            if finer == kinds:
                break
            kinds = finer
        self._begin(s, carried, kept, kinds, starts)
        made, _ = self._run(s)
        self.depth -= 1
        key = self._id("loop", type(s).__name__, count, condition, *kinds, *starts, *ends)
        for place, v in enumerate(carried):
            self._give(v, self._id("out", key, kinds[place]))
        for place, array in enumerate(kept, len(carried)):
            self._fill(array, self._id("out", key, kinds[place]))
        return made

    def _begin(
        self,
        s: code.While | code.CountDown,
        carried: list[core.Value],
        kept: list[Array],
        kinds: list[int],
        starts: list[Number],
    ) -> None:
        for place, v in enumerate(carried):
            self._give(v, self._id("carried", self.depth, kinds[place], starts[place]))
        for place, array in enumerate(kept, len(carried)):
            self.arrays[array] = self._id("carried", self.depth, kinds[place], starts[place])
        if isinstance(s, code.CountDown):
            self.numbers[s.variable] = self._id("counter", self.depth)

    def _run(self, s: code.While | code.CountDown) -> tuple[code.Statement, Number]:
        """One iteration, and the number of what the condition is then."""
        if isinstance(s, code.CountDown):
            return replace(s, body=self._inner(s.body)), 0
        with self._scope():
            before = self.block(s.before)
            condition, asked = self._rewritten(s.condition), self._made(s.condition, s.condition.type)
            body = self._inner(s.body)
        return replace(s, before=before, condition=condition, body=body), asked

    @contextmanager
    def _on_trial(self) -> Iterator[None]:
        """What is found out here is forgotten."""
        numbers, arrays, epoch = self.numbers, self.arrays, self.epoch
        self.numbers, self.arrays = dict(numbers), dict(arrays)
        with self._scope():
            yield
        self.numbers, self.arrays, self.epoch = numbers, arrays, epoch


def _classes(keys: Iterable[Hashable]) -> list[int]:
    """For each key the place of the first that is equal, among the different ones."""
    found: dict[Hashable, int] = {}
    return [found.setdefault(key, len(found)) for key in keys]


def _named(s: code.Statement) -> Iterator[core.Value]:
    """The variables that a statement uses by something else than by their content."""
    inside = {v for e in expressions(s) for v in values(e)}
    return (v for v in variables_read(s) if v not in inside)


def _is_elsewhere(s: code.Statement) -> bool:
    """Whether memory that is not the thread's own may be another after a statement."""
    effects = s.effects
    if effects.writes is Memory.ANY or effects.calls or effects.waits.somebody:
        return True
    writes = effects.writes is not Memory.NONE
    return writes and any(not adjoint and root.kind is not core.RootKind.LOCAL for root, adjoint in touched_roots(s))
