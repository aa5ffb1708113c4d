"""A kernel's gradient in two: one kernel keeps a few values of each thread, the other computes the adjoints from them.

The second reads nothing of the memory that a host program changes. So a program that overwrites such memory may have
the first kernel run just before, in place of keeping a copy of what it overwrites, where that takes less room.

Which values are kept is a minimum cut of the gradient's data flow, between the loads of that memory and all that has an
effect: what lies between the cut and the effects is computed again. Only what a thread computes once can be kept,
outside of loops; what a loop leaves behind is among that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from cladpy.analysis.cuts import minimum_cut
from cladpy.ir import code, core
from cladpy.ir.code_text import format_code
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import UINT, ULONG, Pointer, Type, size_of, spell
from cladpy.ir.walk import regions
from cladpy.passes.dead_code import without_dead_code
from cladpy.variants.kept_flow import CHANGING, EFFECT, Flow, Naming, Node, before


@dataclass(frozen=True, slots=True)
class KeptValues:
    """`keep` writes what `reverse` reads: of each type so many numbers per thread, those of all threads one after the
    other."""

    keep: code.Function
    reverse: code.Function
    types: tuple[tuple[Type, int], ...]
    bodies: tuple[code.Block | None, ...] = ()  # of `reverse`, in several variants
    renewing: code.Function | None = None  # `reverse` with cotangents that are left, and adjoints that are replaced

    @property
    def kernels(self) -> tuple[code.Function, ...]:
        return (self.keep, self.reverse, *(() if self.renewing is None else (self.renewing,)))

    def renamed(self, suffix: str) -> KeptValues:
        return replace(
            self,
            keep=replace(self.keep, name=self.keep.name + suffix),
            reverse=replace(self.reverse, name=self.reverse.name + suffix),
            renewing=self.renewing and replace(self.renewing, name=self.renewing.name + suffix),
        )

    @property
    def bytes(self) -> int:
        """Per thread."""
        return sum(size_of(type) * count for type, count in self.types)


def from_kept_values(
    main: code.Function, variants: Sequence[code.Block], changing: Collection[core.Root]
) -> KeptValues | None:
    """The two kernels for a gradient, where memory is `changing`. None where that cannot be, or what would be kept is
    no less than what is loaded.

    The gradient's body was `variants[0]` before it was tidied. Others do the same in other ways: `bodies` has what
    becomes of each, and None for those that would keep something else. No body is tidied.
    """
    if main.tape_slots != 0 or main.storage or main.logs:
        return None
    divided = [_Divided.of(block, main, frozenset(changing)) for block in variants]
    first = divided[0]
    if first is None:
        return None
    slots = _Slots(first.kept, main)
    keep = tuple(_slice(first.block, first.needed, slots))
    assert not any(adjoint and root.outlives for s in all_statements(keep) for root, adjoint in touched_roots(s))
    keeping = _body(keep, slots)
    body = _body(_reading(first.block, slots), slots)
    bodies: list[code.Block | None] = [body]
    for other in divided[1:]:
        fits = (
            other is not None
            and slots.stand_for(other.kept)
            and _text(_slice(other.block, other.needed, slots), main) == _text(keep, main)
        )
        bodies.append(_body(_reading(other.block, slots), slots) if other is not None and fits else None)
    own = main.parameters[: len(main.primal.parameters)]
    rest = main.parameters[len(own) :]
    return KeptValues(
        replace(main, name=f"{main.name}_keep", parameters=(*own, *slots.parameters), body=keeping),
        replace(main, name=f"{main.name}_from_kept", parameters=(*own, *slots.parameters, *rest), body=body),
        slots.types,
        tuple(bodies),
    )


def _text(block: Iterable[code.Statement], main: code.Function) -> str:
    return format_code(replace(main, body=tuple(block)))


def _body(block: Iterable[code.Statement], slots: _Slots) -> code.Block:
    return without_dead_code([*slots.thread(), *block])


@dataclass(frozen=True, slots=True)
class _Divided:
    """The body of a gradient with names for the values that are `kept`, and what these are made of."""

    block: code.Block
    kept: list[core.Value]
    needed: set[Node]

    @staticmethod
    def of(swept: code.Block, main: code.Function, changing: frozenset[core.Root]) -> _Divided | None:
        naming = Naming()
        block = naming.named(swept)
        flow = Flow(block, changing)
        if not flow.fits:
            return None
        cut = minimum_cut(flow.edges, flow.costs, [CHANGING], [EFFECT], _loaded(main.primal.body, changing))
        if not cut:
            return None
        kept = sorted((v for v in cut if isinstance(v, core.Value)), key=flow.order.__getitem__)
        return _Divided(naming.unnamed(block, kept), kept, before(kept, flow.edges))


# How often a loop is taken to load something, where the question is only what may be worth a trial at run time.
_TURNS = 16


def _loaded(region: core.Region, changing: Collection[core.Root]) -> int:
    """How many bytes of some memory a thread of the primal loads, or functions that it calls: about so much of it is
    its share."""
    total = 0
    for s in region:
        match s:
            case core.Load(value, root) if root in changing:
                total += size_of(value.type)
            case core.Call(arguments=arguments):
                total += sum(8 for a in arguments if isinstance(a, core.PointerArgument) and a.root in changing)
            case _:
                turns = _TURNS if isinstance(s, core.Loop) else 1
                total += turns * sum(_loaded(inner, changing) for inner in regions(s))
    return total


# ---- the two kernels -------------------------------------------------------------------------------------------------


class _Slots:
    """Where values are kept: for each type an array, in which those of all threads are neighbours."""

    def __init__(self, kept: list[core.Value], main: code.Function) -> None:
        self._kept = kept
        by_type: dict[Type, list[core.Value]] = defaultdict(list)
        for value in kept:
            by_type[value.type].append(value)
        taken = {p.name for p in main.parameters}
        self._name_thread()
        self._places: dict[core.Value, tuple[core.Root, int]] = {}
        parameters = []
        ordered = sorted(by_type.items(), key=lambda entry: (-size_of(entry[0]), spell(entry[0])))
        for type, held in ordered:
            name = "_kept_" + spell(type).replace(" ", "_").replace(":", "_")
            while name in taken:
                name += "_"
            taken.add(name)
            root = core.Root(name, type, core.RootKind.ARGUMENT, main.primal.span)
            parameters.append(code.Parameter(name, Pointer(type), (core.Part(root),)))
            self._places |= {value: (root, number) for number, value in enumerate(held)}
        self.parameters = tuple(parameters)
        self.types = tuple((type, len(held)) for type, held in ordered)

    def _name_thread(self) -> None:
        self._thread, self._threads = core.Value("_thread", ULONG), core.Value("_threads", ULONG)

    def thread(self) -> list[code.Statement]:
        """Definitions of the thread's number in the launch, and of how many there are, for the body whose places were
        asked for last. The next body has values of its own: two may come to stand in one function."""
        block = _linear(_BLOCK, _GRID)
        inside = _linear(_THREAD, _BLOCK_SIZE)
        size = _product(_BLOCK_SIZE)
        number = binary(BinaryOp.ADD, binary(BinaryOp.MUL, block, size, ULONG), inside, ULONG)
        threads = binary(BinaryOp.MUL, _product(_GRID), size, ULONG)
        definitions: list[code.Statement] = [code.Define(self._thread, number), code.Define(self._threads, threads)]
        self._name_thread()
        return definitions

    def stand_for(self, others: list[core.Value]) -> bool:
        """Gives other values the places of those that are kept, if they may be the same in another variant."""
        self._places |= {other: self._places[v] for v, other in zip(self._kept, others, strict=False)}
        return [(v.name, v.type) for v in self._kept] == [(v.name, v.type) for v in others]

    def place(self, value: core.Value) -> tuple[core.Root, core.Expr] | None:
        if value not in self._places:
            return None
        root, number = self._places[value]
        if number == 0:
            return root, core.Use(self._thread)
        start = binary(BinaryOp.MUL, core.Const(number, ULONG), core.Use(self._threads), ULONG)
        return root, binary(BinaryOp.ADD, start, core.Use(self._thread), ULONG)


_THREAD = (BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z)
_BLOCK = (BuiltinVar.BLOCK_X, BuiltinVar.BLOCK_Y, BuiltinVar.BLOCK_Z)
_BLOCK_SIZE = (BuiltinVar.BLOCK_DIM_X, BuiltinVar.BLOCK_DIM_Y, BuiltinVar.BLOCK_DIM_Z)
_GRID = (BuiltinVar.GRID_DIM_X, BuiltinVar.GRID_DIM_Y, BuiltinVar.GRID_DIM_Z)
_Triple = tuple[BuiltinVar, BuiltinVar, BuiltinVar]


def _linear(at: _Triple, size: _Triple) -> core.Expr:
    x, y, z = (cast(core.Builtin(v, UINT), ULONG) for v in at)
    wide, high = (cast(core.Builtin(v, UINT), ULONG) for v in size[:2])
    rows = binary(BinaryOp.ADD, binary(BinaryOp.MUL, z, high, ULONG), y, ULONG)
    return binary(BinaryOp.ADD, binary(BinaryOp.MUL, rows, wide, ULONG), x, ULONG)


def _product(size: _Triple) -> core.Expr:
    x, y, z = (cast(core.Builtin(v, UINT), ULONG) for v in size)
    return binary(BinaryOp.MUL, binary(BinaryOp.MUL, x, y, ULONG), z, ULONG)


def _slice(block: code.Block, needed: set[Node], slots: _Slots) -> list[code.Statement]:
    """What makes the values that are kept, and keeps them."""
    out: list[code.Statement] = []
    for s in block:
        made = _made(s)
        if made is None or not needed.isdisjoint(made):
            out.append(with_blocks(s, lambda inner: tuple(_slice(inner, needed, slots))))
        place = slots.place(s.variable) if isinstance(s, code.Define) else None
        if place is not None:
            assert isinstance(s, code.Define)
            out.append(code.WriteElement(*place, core.Use(s.variable)))
    return out


def _made(s: code.Statement) -> set[Node] | None:
    """What a statement is there for; None for what is there for all that is in it, or for the other threads."""
    match s:
        case code.Define(variable) | code.Assign(variable) | code.Add(variable) | code.DeclareObject(variable):
            return {variable}
        case code.CallPullback(outputs=outputs):
            return set(outputs)
        case code.WriteElement(root):
            return {(root.memory, False)}
        case code.DeclareArray(root, adjoint) | code.AddElement(root, adjoint=adjoint):
            return {(root.memory, adjoint)}
        case code.Take() | code.AddParameter():
            return set()
        case _:
            return None


def _reading(block: code.Block, slots: _Slots) -> list[code.Statement]:
    """The gradient, with what is kept in place of what it was made of."""
    out: list[code.Statement] = []
    for s in block:
        place = slots.place(s.variable) if isinstance(s, code.Define) else None
        if place is not None:
            assert isinstance(s, code.Define)
            s = replace(s, init=code.Element(*place))
        out.append(with_blocks(s, lambda inner: tuple(_reading(inner, slots))))
    return out
