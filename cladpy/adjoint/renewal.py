"""The gradient of a kernel that leaves the adjoints which it takes, and replaces those that it adds to.

In a host program that launches a kernel in turn from one buffer to the other, each reverse step need not zero what it
has read, nor read what is zero: the next one replaces it (`analysis/renewal.py` says where that is so). The run-time
state remembers what has been left, and has `clear` zero it if anything else comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from cladpy.adjoint.plan import RenewingLaunch
from cladpy.analysis.dimensions import Bound
from cladpy.analysis.renewal import Renewal
from cladpy.ir import code, core
from cladpy.ir.code import Update, Verb
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.fold import binary, cast
from cladpy.ir.reach import memory_in
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import BOOL, LONG, UINT
from cladpy.ir.walk import map_children, statements
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.tidy import tidy
from cladpy.variants.variant import Variant


@dataclass(frozen=True, slots=True)
class Renewing:
    """`reverse` is the gradient under the `condition`, or the one that is gathered; `clear` zeroes what it leaves."""

    reverse: code.Function | Variant
    clear: code.Function
    condition: core.Expr | None  # over the launch's extents and the parameters; None where it always holds
    renewal: Renewal
    swept: code.Block | None = None  # what `reverse` is made of, where it is not gathered

    def fits(self, primal: core.Function, body: code.Block) -> bool:
        """Whether another body does what this one does."""
        return _renews_all(primal, body, self.renewal)

    def launch(self, primal: core.Function) -> RenewingLaunch:
        position = {c: i for i, p in enumerate(primal.parameters) for c in p.contents}
        pairs = tuple((position[read], position[stored]) for read, stored in self.renewal.pairs)
        key = tuple(position[v] for v in self.renewal.key)
        values = {c: i for c, i in position.items() if isinstance(c, core.Value)}
        name = self.reverse.name if isinstance(self.reverse, code.Function) else ""
        return RenewingLaunch(name, self.clear.name, self.condition, values, pairs, key, gathers=not name)

    @property
    def kernels(self) -> tuple[code.Function, ...]:
        """Besides those of a variant."""
        return (self.clear, self.reverse) if isinstance(self.reverse, code.Function) else (self.clear,)


def condition(premise: core.Expr | None, covers: Collection[Bound]) -> core.Expr | None:
    """That a launch is within some bounds, and has all of the threads that others ask for."""
    found = premise
    for bound in covers:
        enough = core.Binary(BinaryOp.GE, bound.product, cast(core.Use(bound.limit), LONG), BOOL)
        found = enough if found is None else core.Binary(BinaryOp.AND, found, enough, BOOL)
    return found


def renewing(
    main: code.Function,
    body: code.Block,
    swept: code.Block,
    plain: code.Block,
    renewal: Renewal,
    bounds: core.Expr | None,
) -> Renewing | None:
    """`body` is what has become of `swept`, the gradient with fresh and consumed adjoints; `plain` is the one without.
    None where it does not replace all that it should."""
    if not _renews_all(main.primal, body, renewal):
        return None
    reverse = replace(main, name=f"{main.name}_renewing", body=body)
    return Renewing(reverse, clearing(main, plain, renewal), condition(bounds, renewal.covers), renewal, swept)


def keeps_states(body: code.Block) -> bool:
    """Whether loops keep states: what they hold belongs to one body."""
    return any(isinstance(s, code.DeclareStates | code.Push) for s in all_statements(body))


def clearing(main: code.Function, plain: code.Block, renewal: Renewal) -> code.Function:
    """What zeroes the cotangents that a gradient takes."""
    taken = frozenset(stored for _, stored in renewal.pairs)
    return replace(main, name=f"{main.name}_clear", body=tidy(without_dead_code(list(_only_taken(plain, taken)))))


def _renews_all(primal: core.Function, body: code.Block, renewal: Renewal) -> bool:
    """Whether each element that the primal reads is replaced, where it reads it, and no cotangent is changed."""
    for read, stored in renewal.pairs:
        loads = [s for s in statements(primal.body) if isinstance(s, core.Load) and s.root is read]
        found = [(s, depth) for s, depth in _with_depth(body, 0) if (read, True) in touched_roots(s)]
        added = {s.load for s, _ in found if isinstance(s, code.AddElement) and s.assigned and _is_plain(s)}
        each = len(found) == len(loads) and added == set(loads)
        always = {depth for _, depth in found} == {_depth_of(primal.body, load) for load in loads[:1]}
        changed = any((stored, True) in touched_roots(s) and _changes(s) for s in all_statements(body))
        if not each or not always or changed:
            return False
    return True


def _is_plain(s: code.AddElement) -> bool:
    return s.update is Update.PLAIN and not s.optional


def _changes(s: code.Statement) -> bool:
    return isinstance(s, code.AddElement) or (isinstance(s, code.Take) and s.zero)


def _with_depth(block: code.Block, depth: int) -> Iterator[tuple[code.Statement, int]]:
    """All statements, with the number of branches around them; what stands in a loop is nowhere."""
    for s in block:
        yield s, depth
        match s:
            case code.Branch(_, then, other):
                yield from _with_depth(then, depth + 1)
                yield from _with_depth(other, depth + 1)
            case _:
                yield from ((inner, -1) for inner in all_statements((s,)) if inner is not s)


def _depth_of(region: core.Region, load: core.Statement, depth: int = 0) -> int | None:
    for s in region:
        if s is load:
            return depth
        if isinstance(s, core.If):
            for inner in (s.then, s.other):
                found = _depth_of(inner, load, depth + 1)
                if found is not None:
                    return found
    return None


def _only_taken(block: code.Block, roots: frozenset[core.Root]) -> Iterator[code.Statement]:
    """A gradient without effects other than that it takes the adjoints of some buffers."""
    for s in block:
        match s:
            case code.AddElement(root) | code.WriteElement(root) if root.outlives:
                continue
            case code.Take(root=root) if root not in roots:
                continue
            case code.AddParameter():
                continue
            case _:
                yield with_blocks(s, lambda inner: tuple(_only_taken(inner, roots)))


# ---- in the host program ---------------------------------------------------------------------------------------------


def exchanges(function: core.Function, call: core.Call, launch: RenewingLaunch) -> bool:
    """Whether the program may launch a kernel from the memory that it stored to in another launch."""
    calls = [s for s in statements(function.body) if isinstance(s, core.Call) and s.callee is call.callee]
    return all(
        not _roots(calls, read).isdisjoint(_roots(calls, stored)) and _roots((call,), read) and _roots((call,), stored)
        for read, stored in launch.pairs
    )


def is_apart(call: core.Call, active: Collection[int], launch: RenewingLaunch) -> bool:
    """Whether the launch has no other adjoints in the memory of those that are renewed."""
    paired = {i for pair in launch.pairs for i in pair}
    renewed = {root for i in paired for root in _roots((call,), i)}
    return all(renewed.isdisjoint(_roots((call,), i)) for i in active if i not in paired) and paired <= set(active)


def _roots(calls: Collection[core.Call], position: int) -> set[core.Root]:
    found: set[core.Root] = set()
    for call in calls:
        for memory in memory_in(call.arguments[position]):
            alternatives = memory.alternatives if isinstance(memory, core.ChosenArgument) else (memory,)
            found |= {a.root.memory for a in alternatives}
    return found


def of_launch(expr: core.Expr, given: Mapping[core.Value, core.Expr], launch: core.Configuration) -> core.Expr:
    """A condition of a kernel as the host sees it before the launch."""
    match expr:
        case core.Builtin(var):
            return cast(_EXTENTS[var](launch), UINT)
        case core.Use(value):
            return cast(given[value], value.type)
        case core.Binary(op, left, right, type):
            return binary(op, of_launch(left, given, launch), of_launch(right, given, launch), type)
        case _:
            return map_children(expr, lambda e: of_launch(e, given, launch))


_EXTENTS: dict[BuiltinVar, Callable[[core.Configuration], core.Expr]] = {
    BuiltinVar.GRID_DIM_X: lambda at: at.grid[0],
    BuiltinVar.GRID_DIM_Y: lambda at: at.grid[1],
    BuiltinVar.GRID_DIM_Z: lambda at: at.grid[2],
    BuiltinVar.BLOCK_DIM_X: lambda at: at.block[0],
    BuiltinVar.BLOCK_DIM_Y: lambda at: at.block[1],
    BuiltinVar.BLOCK_DIM_Z: lambda at: at.block[2],
}

# What does not look at adjoints.
_ELSEWHERE = frozenset(
    {
        Verb.ACQUIRE, Verb.LOCATE, Verb.ADJOINT, Verb.KEEP, Verb.RECALL, Verb.WILL_READ, Verb.MAY_KEEP, Verb.BY_HOST,
        Verb.STORED, Verb.STEP, Verb.LAUNCH, Verb.DISTINCT, Verb.RESTORE, Verb.SETTLE,
    }
)  # fmt: skip


def with_settled_adjoints(block: code.Block) -> code.Block:
    """A host program in which all adjoints are as they should be where anything else than a launch that renews looks at
    them, and at the end."""
    if not any(isinstance(s, code.Act) and s.verb is Verb.RENEW for s in all_statements(block)):
        return block
    return (*_settled(block), code.Act(Verb.SETTLE))


def _settled(block: code.Block) -> code.Block:
    out: list[code.Statement] = []
    renews = settled = False
    for s in block:
        if isinstance(s, code.Act) and s.verb is Verb.RENEW:
            renews, settled = True, False
        elif renews and isinstance(s, code.Branch) and _is_launch(s):
            renews = False
        elif _looks(s):
            if not settled:
                out.append(code.Act(Verb.SETTLE))
            settled = True
        else:
            inner = with_blocks(s, _settled)
            settled = settled and inner is s
            s = inner
        out.append(s)
    return tuple(out)


def _is_launch(s: code.Branch) -> bool:
    """The launch after its question, in two variants."""
    return all(len(b) == 1 and isinstance(b[0], code.Act) and b[0].verb is Verb.PULLBACK for b in (s.then, s.other))


def _looks(s: code.Statement) -> bool:
    """Whether a statement itself may look at adjoints in memory."""
    if isinstance(s, code.Act):
        return s.verb not in _ELSEWHERE
    touches = any(adjoint and root.kind is not core.RootKind.LOCAL for root, adjoint in touched_roots(s))
    return touches or isinstance(s, code.CallPullback | code.Undo)
