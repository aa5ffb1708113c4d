"""Drops what nothing uses from generated code, and brings declarations to their first use.

Needed are the statements with an effect outside of the function, and what they use, transitively. A frame of the tape
shrinks to the slots that somebody reads back.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import addresses, all_statements, changed, mentions, touched_roots, variables_read, with_blocks
from cladpy.ir.effects import Waits
from cladpy.ir.never import assert_never
from cladpy.ir.symbols import SYNCTHREADS, Symbol
from cladpy.ir.walk import values

Key = core.Value | tuple[core.Root | Symbol, bool] | code.Slot | code.Statement


def without_dead_code(
    body: Sequence[code.Statement], extra: tuple[core.Expr, ...] = (), *, stores_matter: bool = True
) -> code.Block:
    """The body with dead code removed. `extra` are expressions that are used after it; without `stores_matter` a store
    to global memory is needed only where something loads from there."""
    block, unread = tuple(body), True
    while unread:
        needed = _Liveness(block, extra, stores_matter).needed
        for statement in all_statements(block):
            if isinstance(statement, code.Push):
                statement.frame.slots = [slot for slot in statement.frame.slots if slot in needed]
            elif isinstance(statement, code.DeclareStates):
                statement.states.slots = [slot for slot in statement.states.slots if slot in needed]
        block, unread = _without_unread_arrays(_strip(block, needed))
    return _place(block)


# ---- liveness ------------------------------------------------------------------------------------


def _memory(root: core.Root, adjoint: bool) -> Key:
    """What stands for memory. What is allocated is one thing, whichever members of its objects are meant."""
    return (root, adjoint) if root.allocation is None else (root.allocation, adjoint)


def _uses(s: code.Statement) -> Iterator[Key]:
    """What a statement itself reads, or has passed on."""
    yield from variables_read(s)
    pointers = (a for _, led in s.pointers for a in addresses(led)) if isinstance(s, code.DeclareObject) else ()
    for root, adjoint in (*touched_roots(s), *((a.root, a.adjoint) for a in pointers)):
        yield _memory(root, adjoint)


class _Liveness:
    """A fixpoint over keys: variables, arrays (with whether it is the adjoint), slots, and statements."""

    def __init__(self, body: code.Block, extra: tuple[core.Expr, ...], stores_matter: bool) -> None:
        self.stores_matter = stores_matter
        self.needed: set[Key] = set()
        self.uses: dict[Key, list[Key]] = defaultdict(list)
        self.work: list[Key] = []
        self.barriers: list[tuple[code.Statement, tuple[Key, ...]]] = []
        for expr in extra:
            for key in values(expr):
                self._need(key)
        self._collect(body, ())
        self._spread()
        # a barrier stays where what is around it does
        while any(b not in self.needed and self.needed.issuperset(around) for b, around in self.barriers):
            for barrier, around in self.barriers:
                if self.needed.issuperset(around):
                    self._need(barrier)
            self._spread()

    def _spread(self) -> None:
        while self.work:
            for key in self.uses[self.work.pop()]:
                self._need(key)

    def _need(self, key: Key) -> None:
        if key not in self.needed:
            self.needed.add(key)
            self.work.append(key)

    def _link(self, owner: Key, statement: code.Statement, uses: Iterator[Key], around: tuple[Key, ...]) -> None:
        """If `owner` is needed then so is the statement, with what it uses and what is around it."""
        self.uses[owner].append(statement)
        self.uses[statement] += [*uses, *around]

    def _collect(self, block: code.Block, around: tuple[Key, ...]) -> None:
        for s in block:
            match s:
                case code.Define(variable) | code.Assign(variable) | code.Add(variable) | code.DeclareObject(variable):
                    self._link(variable, s, _uses(s), around)
                case code.DeclareArray(root, adjoint):
                    self._link(_memory(root, adjoint), s, iter(()), around)
                case code.Invoke(_, outputs, result):
                    self.uses[s] += [*_uses(s), *around]
                    for variable in (*outputs, *(() if result is None else (result,))):
                        self.uses[variable].append(s)
                case code.WriteElement() | code.AddElement() | code.UpdateElement() | code.Take():
                    self._collect_memory(s, around)
                case code.AddParameter():
                    self._root(s, _uses(s), around)
                case code.CallPullback(_, arguments, outputs):
                    if s.storage or any(address.adjoint for a in arguments for address in addresses(a)):
                        self._root(s, _uses(s), around)
                    else:
                        self.uses[s] += [*_uses(s), *around]
                        for variable in outputs:
                            self.uses[variable].append(s)
                case code.Synchronize() | code.Perform() | code.Act():
                    self._collect_effect(s, around)
                case code.Push() | code.Pop() | code.Undo() | code.Reserve() | code.DeclareStates() | code.Keep():
                    self._collect_storage(s, around)
                case code.Branch() | code.While() | code.CountDown() | code.Rewind():
                    self._collect_control(s, around)
                case code.Comment():
                    pass
                case _:
                    assert_never(s)

    def _collect_effect(self, s: code.Synchronize | code.Perform | code.Act, around: tuple[Key, ...]) -> None:
        match s:
            case code.Act(verb=code.Verb.STEP) if s.outputs:  # a number that is fetched
                self.uses[s] += [*_uses(s), *around]
                for variable in s.outputs:
                    self.uses[variable].append(s)
            case code.Synchronize(variable=variable):
                self.uses[s] += around
                self.barriers.append((s, around))
                if variable is not None:
                    self.uses[variable] += [s, *variables_read(s)]
            case code.Act() | code.Perform():
                self._root(s, _uses(s), around)
            case _:
                assert_never(s)

    def _collect_memory(
        self, s: code.WriteElement | code.AddElement | code.UpdateElement | code.Take, around: tuple[Key, ...]
    ) -> None:
        match s:
            case code.WriteElement(root) | code.AddElement(root, adjoint=False) | code.UpdateElement(root):
                if not root.outlives or not self.stores_matter:
                    self._link(_memory(root, False), s, variables_read(s), around)
                else:
                    self._root(s, variables_read(s), around)
            case code.AddElement(root):
                if not root.outlives:
                    self._link(_memory(root, True), s, variables_read(s), around)
                else:
                    self._root(s, variables_read(s), around)
            case code.Take(variable, root):
                if not root.outlives:
                    # it clears what later reads of the array see, and it defines the variable
                    self._link(_memory(root, True), s, _uses(s), around)
                    self.uses[variable].append(s)
                else:
                    self._root(s, _uses(s), around)
            case _:
                assert_never(s)

    def _collect_storage(
        self,
        s: code.Push | code.Pop | code.Undo | code.Reserve | code.DeclareStates | code.Keep,
        around: tuple[Key, ...],
    ) -> None:
        match s:
            case code.DeclareStates(states):
                for slot in states.slots:
                    self._link(slot, s, iter(()), around)
            case code.Keep(_, step, kept):
                for slot, expr in kept:
                    self._link(slot, s, values(step), around)
                    self.uses[slot] += values(expr)
            case code.Push(_, kept):
                only = [v for e in s.operands for v in values(e)]
                for slot, expr in kept:
                    self._link(slot, s, iter(only), around)
                    self.uses[slot] += values(expr)
            case code.Pop(_, variables):
                # a slot that is read drags its push along, and the loops around both
                for slot, variable in variables:
                    self.uses[variable] += [slot, s]
                self.uses[s] += [*(v for e in s.operands for v in values(e)), *around]
            case code.Undo():
                self._root(s, [], around)
            case code.Reserve():
                self._root(s, variables_read(s), around)
            case _:
                assert_never(s)

    def _collect_control(
        self, s: code.Branch | code.While | code.CountDown | code.Rewind, around: tuple[Key, ...]
    ) -> None:
        match s:
            case code.Rewind(_, step, variables, _, body):
                for slot, variable in variables:
                    self.uses[variable] += [slot, s]
                self.uses[s] += [*values(step), *around]
                self._collect(body, (s,))
            case code.Branch(condition, then, other):
                self.uses[s] += [*values(condition), *around]
                self._collect(then, (s,))
                self._collect(other, (s,))
            case code.While(before, condition, body):
                self.uses[s] += [*values(condition), *around]
                self._collect(before, (s,))
                self._collect(body, (s,))
            case code.CountDown(_, _, body):
                self.uses[s] += [*(k for e in s.operands for k in values(e)), *around]
                self._collect(body, (s,))
            case _:
                assert_never(s)

    def _root(self, statement: code.Statement, uses: Iterable[Key], around: tuple[Key, ...]) -> None:
        self.uses[statement] += [*uses, *around]
        self._need(statement)


def _without_unread_arrays(block: code.Block) -> tuple[code.Block, bool]:
    """Without arrays, and the stores to them, that nothing reads where they are in scope: several passes have an array
    of their own for one of the primal's. Says whether there were stores, whose operands may be needed no longer."""
    out: list[code.Statement] = []
    dropped: set[tuple[core.Root, bool]] = set()
    stored = False

    def inner(nested: code.Block) -> code.Block:
        nonlocal stored
        kept, found = _without_unread_arrays(nested)
        stored = stored or found
        return kept

    for position, s in enumerate(block):
        if isinstance(s, code.DeclareArray):
            array = (s.root, s.adjoint)
            later = [t for t in all_statements(block[position + 1 :]) if array in touched_roots(t)]
            if all(isinstance(t, code.WriteElement | code.AddElement) for t in later):
                stored = stored or bool(later)
                dropped.add(array)
                continue
        out.append(with_blocks(s, inner))
    return (_without_stores(tuple(out), dropped) if dropped else tuple(out)), stored


def _without_stores(block: code.Block, arrays: set[tuple[core.Root, bool]]) -> code.Block:
    return tuple(
        with_blocks(s, lambda inner: _without_stores(inner, arrays))
        for s in block
        if not (isinstance(s, code.WriteElement | code.AddElement) and touched_roots(s)[0] in arrays)
    )


def _strip(block: code.Block, needed: set[Key]) -> code.Block:
    out: list[code.Statement] = []
    for s in block:
        match s:
            case code.Comment():
                out.append(s)
            case code.Branch() | code.While() | code.CountDown() | code.Rewind() if s not in needed:
                if any(inner.effects.waits is Waits.BLOCK for inner in all_statements((s,))):
                    out.append(code.Synchronize(SYNCTHREADS))  # what is around it may count on it
            case code.Synchronize(variable=variable) if variable is not None and variable not in needed:
                out.append(code.Synchronize(SYNCTHREADS, span=s.span))
            case code.Rewind(variables=rewound, body=body):
                still = tuple((slot, v) for slot, v in rewound if slot in needed)
                out.append(replace(s, variables=still, body=_strip(body, needed)))
            case code.Branch() | code.While() | code.CountDown():
                out.append(with_blocks(s, lambda inner: _strip(inner, needed)))
            case code.Push(values=kept) | code.Keep(values=kept):
                left = tuple((slot, e) for slot, e in kept if slot in needed)
                if left:
                    out.append(replace(s, values=left))
            case code.Pop(variables=variables):
                left_variables = tuple((slot, v) for slot, v in variables if slot in needed)
                if left_variables:
                    out.append(replace(s, variables=left_variables))
            case code.Invoke(result=result) if s in needed and result is not None and result not in needed:
                out.append(replace(s, result=None))  # called for what it does to objects
            case _:
                if s in needed:
                    out.append(s)
    return tuple(out)


# ---- declarations at their first use -------------------------------------------------------------


def _place(block: code.Block) -> code.Block:
    """Moves a declaration of a zero to the first statement that mentions it, and joins the two where that adds to it
    or assigns it."""
    block = tuple(with_blocks(s, _place) for s in block)
    order = itertools.count()
    pending: dict[core.Value, tuple[int, code.Define]] = {}  # with their place in the order of declarations
    out: list[code.Statement] = []
    for s in block:
        if isinstance(s, code.Define) and s.mutable and isinstance(s.init, core.Const) and s.init.value == 0:
            pending[s.variable] = (next(order), s)
            continue
        if pending:
            for _, declaration in sorted(
                (pending.pop(v) for v in mentions(s) if v in pending), key=lambda entry: entry[0]
            ):
                variable = declaration.variable
                if isinstance(s, code.Add | code.Assign) and s.variable is variable and variable not in values(s.expr):
                    s = code.Define(variable, s.expr, mutable=True)
                else:
                    out.append(declaration)
        out.append(s)
    return _seal([*out, *(declaration for _, declaration in pending.values())])


def sealed(block: code.Block) -> code.Block:
    """The block, in which variables that are never changed are constant."""
    return _seal([with_blocks(s, sealed) for s in block])


def _seal(block: list[code.Statement]) -> code.Block:
    """Marks variables that are never changed after their definition as constant."""
    rewritten = {v for s in all_statements(tuple(block)) for v in changed(s)}
    return tuple(
        replace(s, mutable=s.variable in rewritten) if isinstance(s, code.Define) and s.mutable else s for s in block
    )
