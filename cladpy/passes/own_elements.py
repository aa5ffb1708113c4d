"""Whether the iterations of a loop, run by several threads, add to elements of their own.

The loop is looked at as a kernel, with a thread for each iteration: then the proofs for kernels (`analysis.races`) say
so. What takes an adjoint stands for the store of the primal that it reverses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cladpy.analysis import races
from cladpy.analysis.dimensions import PLANES
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, declared
from cladpy.ir.flow import changed_in
from cladpy.ir.fold import cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, UINT, Pointer, is_integer
from cladpy.ir.walk import defined, operands, statements, values


def with_own_elements(
    loop: code.CountDown, function: core.Function, lets: Mapping[core.Value, core.Expr]
) -> frozenset[core.Root]:
    """The memory to whose adjoint no two iterations add at one element. `lets` has the constants of the function."""
    assert loop.team is not None
    return _Twin(loop, loop.team, function, lets).alone()


class _Twin:
    """The kernel."""

    def __init__(
        self, loop: code.CountDown, team: core.Team, function: core.Function, lets: Mapping[core.Value, core.Expr]
    ) -> None:
        self.loop, self.team, self.function, self.lets = loop, team, function, lets
        self.roots: dict[core.Root, core.Root] = {}  # memory to what stands for it
        self.active: set[core.Value] = set()
        every = list(all_statements(loop.body))
        self.changing = changed_in(loop.body)
        self.own = {s.root for s in every if isinstance(s, code.DeclareArray)}
        self.inside = declared(loop.body)
        self.known = {loop.variable}  # what the kernel has of the loop's variables
        self.unknown: set[core.Root] = set()  # memory that is accessed where nothing is known

    def alone(self) -> frozenset[core.Root]:
        span = self.function.span
        index: core.Expr = core.Builtin(BuiltinVar.BLOCK_X, UINT)
        index = core.Binary(BinaryOp.MUL, index, core.Builtin(BuiltinVar.BLOCK_DIM_X, UINT), UINT)
        index = core.Binary(BinaryOp.ADD, index, core.Builtin(BuiltinVar.THREAD_X, UINT), UINT)
        counter = self.loop.variable
        number = core.Let(counter, cast(index, counter.type), span)
        bound = _is_below(core.Use(counter), self.loop.count)
        body: core.Region = (number, core.If(bound, self._region(self.loop.body), (), (), span))
        body = (*self._outside(body), *body)
        known = {v for s in statements(body) for v in defined(s)}
        known |= {c.value for s in statements(body) if isinstance(s, core.Loop) for c in s.carried}
        free = dict.fromkeys(
            v for s in statements(body) for e in operands(s) for v in values(e) if v not in known | self.changing
        )
        parameters = [core.Parameter(v.name, v.type, (core.Part(v),)) for v in free]
        parameters += [core.Parameter(r.name, Pointer(r.element), (core.Part(r),)) for r in self.roots.values()]
        symbol = replace(self.function.symbol, kind=FunctionKind.KERNEL)
        kernel = core.Function(symbol, tuple(parameters), body, (), span)
        accesses = races.collect(kernel, frozenset(self.active), {})
        shadowed = frozenset(self.roots.values())
        found = races.accumulate(kernel, shadowed, accesses, single_thread=False, unproved=None, unread=PLANES)
        memory = [root.memory for root in self.roots]
        return frozenset(
            root
            for root, twin in self.roots.items()
            if root not in self.unknown and memory.count(root.memory) == 1 and found.updates[twin] is code.Update.PLAIN
        )

    def _outside(self, body: core.Region) -> Iterator[core.Let]:
        """What the loop's indices are made of before it."""
        needed = [v for s in statements(body) for e in operands(s) for v in values(e)]
        found: dict[core.Value, core.Let] = {}
        known = {v for s in statements(body) for v in defined(s)}
        while needed:
            value = needed.pop()
            expr = self.lets.get(value)
            if expr is not None and value not in found and value not in known and is_integer(value.type):
                found[value] = core.Let(value, expr, self.function.span)
                needed += values(expr)
        order = {value: n for n, value in enumerate(self.lets)}
        return iter(sorted(found.values(), key=lambda let: order[let.value]))

    def _region(self, block: code.Block) -> core.Region:
        return tuple(made for s in block for made in self._statement(s))

    def _statement(self, s: code.Statement) -> Iterator[core.Statement]:
        span = self.function.span
        match s:
            case code.Define(variable, code.Element(root, index, adjoint)):
                if adjoint:
                    yield from self._access(root, index, is_store=False)
                elif root not in self.own and is_integer(variable.type) and self._is_known(index):
                    self.known.add(variable)
                    yield core.Load(variable, self._twin(root), index, span)
            case code.Define(variable, init) if not isinstance(init, code.LOADED) and is_integer(variable.type):
                if not s.mutable and self._is_known(init):
                    self.known.add(variable)
                    yield core.Let(variable, init, span)
            case code.AddElement(root, index, adjoint=True):
                # what replaces an adjoint was taken from there, if it is not the only one that adds to it at all
                yield from self._access(root, index, is_store=self.team.apart and s.assigned and s.once is None)
            case code.Take(_, root, index):
                yield from self._access(root, index, is_store=self.team.apart)
            case code.Branch(condition, then, other):
                if not self._is_known(condition):
                    condition = core.Use(core.Value("unknown", BOOL))
                yield core.If(condition, self._region(then), self._region(other), (), span)
            case code.CountDown(variable, count, body) if self._is_known(count):
                self.known.add(variable)
                after = core.Binary(BinaryOp.ADD, core.Use(variable), core.Const(1, variable.type), variable.type)
                carried = core.Carried(
                    variable, core.Const(0, variable.type), after, core.Value(variable.name, variable.type)
                )
                goes_on = _is_below(core.Use(variable), count)
                yield core.Loop((carried,), (), goes_on, self._region(body), span)
            case code.While() | code.CountDown():
                for inner in all_statements((s,)):
                    match inner:
                        case code.AddElement(root, adjoint=True) | code.Take(_, root):
                            self.unknown.add(root)
                        case code.Define(_, code.Element(root, _, True)):
                            self.unknown.add(root)
                        case _:
                            pass
            case _:
                pass

    def _access(self, root: core.Root, index: core.Expr, *, is_store: bool) -> Iterator[core.Statement]:
        if root in self.own:
            return
        twin = self._twin(root)
        if not self._is_known(index):
            if not is_store:
                self.unknown.add(root)
            return
        if is_store:
            yield core.Store(twin, index, core.Const(0, root.element), self.function.span)
            return
        value = core.Value("loaded", root.element)
        self.active.add(value)
        yield core.Load(value, twin, index, self.function.span)

    def _is_known(self, expr: core.Expr) -> bool:
        """Whether the kernel has all that an expression is made of: integers that do not change."""
        return all(
            v not in self.changing and is_integer(v.type) and (v in self.known or v not in self.inside)
            for v in values(expr)
        )

    def _twin(self, root: core.Root) -> core.Root:
        """Local memory of the function is all threads', too."""
        if root not in self.roots:
            self.roots[root] = core.Root(root.name, root.element, core.RootKind.ARGUMENT, root.span, path=root.path)
        return self.roots[root]


def _is_below(counter: core.Use, count: core.Expr) -> core.Expr:
    """Whether an iteration is one of so many, of which there may be none."""
    if isinstance(count, core.Select) and isinstance(count.other, core.Const) and count.other.value == 0:
        count = count.then
    return core.Binary(BinaryOp.LT, counter, cast(count, counter.type), BOOL)
