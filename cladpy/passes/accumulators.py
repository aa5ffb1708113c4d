"""Fewer reads and writes of adjoints in memory.

What the iterations of a loop add to one element is summed in a variable, and added once after the loop; where nothing
else is ever added to an element that starts at zero, the sum replaces it. What is taken from an element and given back
stays there.

A sum may wait until after a loop if nothing in the loop looks at the element: this thread by asking for it, or another
one beyond a barrier. Where the loop is not run at all, or the element is not reached in it, the sum is zero and is not
added: the element may lie outside of its array then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, mentions, own_mentions, touched_roots, with_blocks
from cladpy.ir.flow import constants, from_outside, written, written_in
from cladpy.ir.fold import zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.types import is_half
from cladpy.ir.walk import values
from cladpy.passes.elsewhere import is_elsewhere, lasting
from cladpy.passes.tidy import without_unused

# Sums of one loop that are held in registers.
MOST = 16

Target = tuple[core.Root, core.Expr]


def with_less_traffic(block: code.Block, *, may_alias: bool) -> code.Block:
    """The body of a function with fewer accesses to adjoints; with arguments that may overlap, with those it has. Of a
    host program, whose memory others work on meanwhile, only what starts at zero is left to say."""
    if may_alias:
        return block
    if any(isinstance(s, code.Act) for s in all_statements(block)):
        return _assigned(block, 0)
    return _assigned(_without_idle(settled(_Summing(block).block(block))), 0)


def summed(loop: code.CountDown, body: code.Block) -> code.Block:
    """A loop of this body in which nothing but the body works on memory, with its sums before and after it."""
    return tuple(_Summing(body).block((replace(loop, body=settled(loop.body)),)))


# ---- sums over loops ---------------------------------------------------------------------------------------------


class _Summing:
    def __init__(self, body: code.Block) -> None:
        self.asked = set(observed(all_statements(body)))

    def block(self, block: code.Block) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            s = with_blocks(s, self.block)
            out += self._summed(s) if isinstance(s, code.CountDown) and s.mask is None else (s,)
        return tuple(out)

    def _summed(self, loop: code.CountDown) -> list[code.Statement]:
        """A loop with its sums before and after it."""
        inside = list(all_statements(loop.body))
        found: dict[Target, list[code.AddElement]] = defaultdict(list)
        changed = {loop.variable, *written_in(loop.body)}
        fixed = constants(inside)
        looked_at = set(observed(inside))
        declared = {s.root for s in inside if isinstance(s, code.DeclareArray)}
        ordered = any(s.effects.waits.somebody for s in inside)
        for s in inside:
            if not isinstance(s, code.AddElement) or s.root in declared:
                continue
            if not may_wait(s, looked_at, self.asked, ordered=ordered):
                continue
            index = from_outside(s.index, fixed, changed)
            if index is not None:
                found[s.root, index].append(s)
        if not found:
            return [loop]
        sums: dict[code.Statement, core.Value] = {}
        before: list[code.Statement] = []
        after: list[code.Statement] = []
        for (root, index), added in list(found.items())[:MOST]:
            total = core.Value(f"_d_{root.name}_sum", adjoint_value(root.element))
            sums.update(dict.fromkeys(added, total))
            once = added[0].once if len(added) == 1 else None
            before.append(code.Define(total, zero(total.type), mutable=True))
            after.append(replace(added[0], index=index, expr=core.Use(total), once=once, optional=True))
        indices = {v for s in sums if isinstance(s, code.AddElement) for v in values(s.index)}
        return [*before, replace(loop, body=_without(_replaced(loop.body, sums), indices)), *after]


def may_wait(s: code.AddElement, looked_at: set[core.Root], asked: set[core.Root], *, ordered: bool) -> bool:
    """Whether what a loop adds may be added after it: `looked_at` is the memory whose adjoint is looked at in the loop,
    `asked` that of all the function. In a loop that is `ordered` threads wait for each other."""
    if not s.adjoint or s.update not in (Update.PLAIN, Update.ATOMIC, Update.REDUCED):
        return False
    if s.root.kind is core.RootKind.LOCAL or s.root.memory in looked_at:
        return False
    return not ordered or (s.update is not Update.PLAIN and s.root.memory not in asked)


def observed(inside: Iterator[code.Statement] | list[code.Statement]) -> Iterator[core.Root]:
    """The memory whose adjoint is read, taken or passed on."""
    for s in inside:
        if not isinstance(s, code.AddElement):
            yield from (root.memory for root, adjoint in touched_roots(s) if adjoint)


def _replaced(block: code.Block, sums: dict[code.Statement, core.Value]) -> code.Block:
    out: list[code.Statement] = []
    for s in block:
        if isinstance(s, code.AddElement) and s in sums:
            out.append(code.Add(sums[s], s.expr))
        else:
            out.append(with_blocks(s, lambda inner: _replaced(inner, sums)))
    return tuple(out)


def _without(block: code.Block, unused: set[core.Value]) -> code.Block:
    """The block without the definitions of these values, and of what they alone are made of, where nothing names them
    any more."""
    while True:
        named: set[core.Value] = set()
        for s in all_statements(block):
            here = own_mentions(s)
            named |= here - {s.variable} if isinstance(s, code.Define) else here
        gone = {
            s.variable: s
            for s in all_statements(block)
            if isinstance(s, code.Define) and s.variable in unused - named and not isinstance(s.init, code.Together)
        }
        if not gone:
            return block
        block = _less(block, set(gone.values()))
        unused = unused.union(*(mentions(s) for s in gone.values()))


def _less(block: code.Block, gone: set[code.Statement]) -> code.Block:
    return tuple(with_blocks(s, lambda inner: _less(inner, gone)) for s in block if s not in gone)


# ---- what is taken and given back --------------------------------------------------------------------------------


def settled(block: code.Block) -> code.Block:
    """What an element is given after it was taken replaces it; it stays where it is just what was taken."""
    return _settled(block, lasting(block))


def _settled(block: code.Block, lets: Mapping[core.Value, core.Expr]) -> code.Block:
    out = [with_blocks(s, lambda inner: _settled(inner, lets)) for s in block]
    for position, taken in enumerate(out):
        if not isinstance(taken, code.Take) or taken.update is not Update.PLAIN or not taken.zero:
            continue
        given = _given_back(taken, out[position + 1 :], lets)
        if given is None or is_half(taken.root.adjoint_cell):
            continue
        out[position] = replace(taken, zero=False)
        at = out.index(given)
        if given.expr == core.Use(taken.variable):
            del out[at]
        else:
            out[at] = replace(given, assigned=True)
    return tuple(out)


def _given_back(
    taken: code.Take, later: list[code.Statement], lets: Mapping[core.Value, core.Expr]
) -> code.AddElement | None:
    """The first statement that has to do with an element after it was taken, if it adds to it."""
    used = {taken.variable, *values(taken.index)}
    for s in later:
        for inner in all_statements((s,)):
            if inner.effects.waits.somebody or not used.isdisjoint(written(inner)):
                return None
            near = any(adjoint and root.memory is taken.root.memory for root, adjoint in touched_roots(inner))
            if near and not is_elsewhere(inner, taken.root, taken.index, lets):
                same = isinstance(s, code.AddElement) and (s.root, s.index) == (taken.root, taken.index)
                fits = same and isinstance(s, code.AddElement) and s.update is Update.PLAIN and not s.optional
                return s if fits and isinstance(s, code.AddElement) else None
    return None


def _without_idle(block: code.Block) -> code.Block:
    """Without what is taken from an element, stays there, and is read by nobody: an array that is used nowhere else
    would have an adjoint parameter that the compiler warns of."""
    statements = list(all_statements(block))
    named: set[core.Value] = set()
    for s in statements:
        here = own_mentions(s)
        named |= here - {s.variable} if isinstance(s, code.Take) else here
    idle: set[code.Statement] = {
        s for s in statements if isinstance(s, code.Take) and not s.zero and s.variable not in named
    }
    return without_unused(_less(block, idle)) if idle else block


# ---- what starts at zero -----------------------------------------------------------------------------------------


def _assigned(block: code.Block, depth: int) -> code.Block:
    out: list[code.Statement] = []
    for s in block:
        if isinstance(s, code.CountDown):
            s = replace(s, body=_assigned(s.body, depth + 1))
        elif isinstance(s, code.AddElement):
            alone = s.once is not None and depth <= s.once and s.update is Update.PLAIN
            if alone and not is_half(s.root.adjoint_cell):
                s = replace(s, assigned=True)
        else:
            s = with_blocks(s, lambda inner: _assigned(inner, depth))
        out.append(s)
    return tuple(out)
