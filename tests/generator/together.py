"""Random statements that the threads of a block run together: barriers, shared memory, shuffles, votes, sums.

Between two barriers each array that threads share is in one of a few modes, so that there is no race: every thread has
an element of its own, all read, one thread writes, or threads add atomically. Control flow around barriers is decided
by what is the same for all threads of the block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from tests.generator.classes import add_object
from tests.generator.constructs import Lines, indented
from tests.generator.expressions import condition, squash, stored
from tests.generator.lanes import LANES, SEGMENT, joined
from tests.generator.scope import Array, Class, Scope, Variable
from tests.generator.statements import block
from tests.generator.tied import of_block, of_lanes

SYNC = "__syncthreads();"


class Mode(Enum):
    OWN = auto()  # thread t has element t
    MOVED = auto()  # thread t has another element, each a different one
    READ = auto()
    ONE = auto()  # one thread writes
    HIDDEN = auto()


@dataclass(frozen=True)
class Tile:
    """An array with an element for each thread of the block, in shared memory or in global memory."""

    name: str
    type: str
    rows: int = 0  # a plane with so many columns, where it is not zero
    of: Class | None = None

    def at(self, index: str) -> str:
        if self.rows:
            return f"{self.name}[({index}) / {self.rows}][({index}) % {self.rows}]"
        return f"{self.name}[{index}]"


@dataclass
class Together:
    """What all threads of the block know, beside the scope of each thread."""

    size: int  # of the block
    tiles: list[Tile]
    leaving: bool  # whether threads may return
    uniform: list[str] = field(default_factory=list)  # integers that are the same in all threads
    level: list[str] = field(default_factory=list)  # numbers that are
    loops: int = 0

    def inner(self) -> Together:
        return replace(
            self, tiles=list(self.tiles), uniform=list(self.uniform), level=list(self.level), loops=self.loops + 1
        )


# ---- conditions ------------------------------------------------------------------------------------------------------


def same_integer(scope: Scope, with_: Together) -> str:
    return scope.rng.choice([*with_.uniform, str(scope.rng.randint(0, 5))])


def same_condition(scope: Scope, with_: Together) -> str:
    """A condition that is the same for all threads of the block."""
    rng = scope.rng
    form = rng.random()
    if form < 0.3 and with_.level:
        return f"{rng.choice(with_.level)} {rng.choice('<>')} {rng.uniform(-0.5, 1.2):.7f}"
    if form < 0.45:
        return f"__syncthreads_{rng.choice(('or', 'and'))}({condition(scope)})"
    if form < 0.55:
        return f"__syncthreads_count({condition(scope)}) % 3 == {rng.randint(0, 1)}"
    return f"{same_integer(scope, with_)} % {rng.randint(2, 3)} {rng.choice(('==', '!='))} {rng.randint(0, 1)}"


# ---- between barriers ------------------------------------------------------------------------------------------------


def interval(scope: Scope, with_: Together) -> Lines:
    """Statements of each thread, with what it may touch until the next barrier."""
    rng = scope.rng
    inner = scope.inner()
    alone: list[Tile] = []
    for tile in with_.tiles:
        mode = rng.choice((Mode.OWN, Mode.OWN, Mode.READ, Mode.READ, Mode.MOVED, Mode.ONE, Mode.HIDDEN))
        match mode:
            case Mode.OWN | Mode.MOVED:
                turned = rng.choice((f"(t + {rng.randint(1, 9)}) % {with_.size}", f"{with_.size - 1} - t"))
                place = tile.at("t" if mode is Mode.OWN else turned)
                if tile.of is not None:
                    add_object(inner, place, tile.of)
                else:
                    inner.variables += [Variable(place, tile.type)] * 2
            case Mode.READ if tile.of is not None:
                add_object(inner, f"{tile.name}[(t + {rng.randint(1, 9)}) % {with_.size}]", tile.of, writable=False)
            case Mode.READ:
                inner.arrays += [_array(tile, with_, writable=False)] * 2
            case Mode.ONE if tile.of is None:
                alone.append(tile)
            case _:
                pass
    lines = block(inner, rng.randint(1, 4))
    if alone:
        one = inner.inner(leaves=False)
        one.arrays += [_array(tile, with_, writable=True) for tile in alone] * 2
        who = f"t == {rng.randrange(with_.size)}"
        lines += [f"if ({who}) {{", *indented(block(one, rng.randint(1, 3))), "}"]
    return ["{", *indented(lines), "}", SYNC]


def _array(tile: Tile, with_: Together, writable: bool) -> Array:
    lengths = (str(with_.size // tile.rows), str(tile.rows)) if tile.rows else (str(with_.size),)
    return Array(tile.name, tile.type, lengths, writable)


def private(scope: Scope, with_: Together) -> Lines:
    """What a thread does by itself."""
    return block(scope, scope.rng.randint(1, 3))


# ---- control flow around barriers ------------------------------------------------------------------------------------


def same_branch(scope: Scope, with_: Together) -> Lines:
    lines = [f"if ({same_condition(scope, with_)}) {{", *indented(steps(scope.inner(), with_.inner(), 2))]
    if scope.chance(0.4):
        lines += ["} else {", *indented(steps(scope.inner(), with_.inner(), 1))]
    return [*lines, "}", SYNC]


def same_loop(scope: Scope, with_: Together) -> Lines:
    if with_.loops >= 2:
        return interval(scope, with_)
    rng = scope.rng
    k = scope.fresh("k")
    form = rng.randrange(4)
    if form == 0:
        head = f"for (int {k} = 0; {k} < {rng.randint(1, 4)}; ++{k})"
    elif form == 1:
        head = f"for (int {k} = 0; {k} < {same_integer(scope, with_)} % 4; ++{k})"
    elif form == 2:
        head = f"for (int {k} = {rng.randint(4, 16)}; {k} > 0; {k} >>= 1)"
    else:
        head = f"for (int {k} = 0; {k} < 4 && {same_condition(scope, with_)}; {k}++)"
    inner, beside = scope.inner(loops=scope.loops + 1), with_.inner()
    inner.integers.append(k)
    beside.uniform.append(k)
    body = steps(inner, beside, 2)
    if rng.random() < 0.2:
        body.append(f"if ({same_condition(inner, beside)}) {rng.choice(('break', 'continue'))};")
        body += interval(inner, beside)
    lines = [f"{head} {{", *indented(body), "}", SYNC]
    return lines


# ---- shared memory ---------------------------------------------------------------------------------------------------


def _tile(scope: Scope, with_: Together) -> Tile | None:
    fits = [tile for tile in with_.tiles if tile.of is None and not tile.rows]
    return scope.rng.choice(fits) if fits else None


def tree(scope: Scope, with_: Together) -> Lines:
    tile = _tile(scope, with_)
    if tile is None or with_.leaving:
        return []
    size, half, s = scope.fresh("m"), scope.fresh("m"), tile.name
    made = joined(scope, f"{s}[t]", f"{s}[t + {half}]")
    level = scope.fresh("v")
    lines = [
        f"for (int {size} = {with_.size}; {size} > 1; ) {{",
        f"  int {half} = ({size} + 1) / 2;",
        f"  if (t + {half} < {size}) {s}[t] = {made};",
        f"  {size} = {half};",
        f"  {SYNC}",
        "}",
        f"const double {level} = {s}[0];",
        SYNC,
    ]
    with_.level.append(level)
    scope.variables.append(Variable(level, "double", False))
    return lines


def sweep(scope: Scope, with_: Together) -> Lines:
    """Each step reads another's element, waits, and writes its own."""
    tile = _tile(scope, with_)
    if tile is None:
        return []
    d, v, s = scope.fresh("k"), scope.fresh("v"), tile.name
    return [
        f"for (int {d} = 1; {d} < {with_.size}; {d} <<= 1) {{",
        f"  {tile.type} {v} = t >= {d} ? {s}[t - {d}] : {tile.type}(0.3);",
        f"  {SYNC}",
        f"  {s}[t] = {joined(scope, f'{s}[t]', v)};",
        f"  {SYNC}",
        "}",
    ]


def change_places(scope: Scope, with_: Together) -> Lines:
    """Two arrays, one read and one written, which change places in every step."""
    first = _tile(scope, with_)
    if first is None:
        return []
    same = [o for o in with_.tiles if o.type == first.type and o is not first and not o.rows and o.of is None]
    if not same:
        return []
    second = scope.rng.choice(same)
    a, b, c, k = scope.fresh("p"), scope.fresh("p"), scope.fresh("p"), scope.fresh("k")
    made = joined(scope, f"{a}[t]", f"{a}[(t + {scope.rng.randint(1, 5)}) % {with_.size}]")
    v = scope.fresh("v")
    lines = [
        f"{first.type} *{a} = {first.name}, *{b} = {second.name};",
        f"for (int {k} = 0; {k} < {scope.rng.choice((same_integer(scope, with_) + ' % 4', '3'))}; ++{k}) {{",
        f"  {b}[t] = {made};",
        f"  {SYNC}",
        f"  {first.type} *{c} = {a};",
        f"  {a} = {b};",
        f"  {b} = {c};",
        "}",
        f"{first.type} {v} = {a}[t];",
        SYNC,
    ]
    scope.variables.append(Variable(v, first.type))
    return lines


def in_order(scope: Scope, with_: Together) -> Lines:
    """Neighbours that change places where they are out of order."""
    tile = _tile(scope, with_)
    if tile is None or with_.leaving:
        return []
    r, p, s = scope.fresh("k"), scope.fresh("m"), tile.name
    return [
        f"for (int {r} = 0; {r} < {scope.rng.randint(2, 5)}; ++{r}) {{",
        f"  int {p} = 2 * t + {r} % 2;",
        f"  if ({p} + 1 < {with_.size} && {s}[{p}] > {s}[{p} + 1]) {{",
        f"    SWAP({tile.type}, {s}[{p}], {s}[{p} + 1]);",
        "  }",
        f"  {SYNC}",
        "}",
    ]


def reloaded(scope: Scope, with_: Together) -> Lines:
    """Tiles of global memory pass through shared memory."""
    tile = _tile(scope, with_)
    if tile is None or with_.loops >= 2:
        return []
    base, q, v = scope.fresh("m"), scope.fresh("q"), scope.fresh("v")
    step = scope.rng.choice((str(with_.size), f"{with_.size} * (int)gridDim.x"))
    start = "0" if step == str(with_.size) else f"(int)blockIdx.x * {with_.size}"
    inner = scope.inner()
    inner.variables.append(Variable(v, "double"))
    inner.integers += [base, q]
    inner.variables += [Variable(f"{tile.name}[{q}]", tile.type, False)] * 3
    turn = f"for (int {q} = 0; {q} < {scope.rng.randint(2, min(8, with_.size))}; ++{q})"
    lines = [
        f"double {v} = 0.1;",
        f"for (int {base} = {start}; {base} < n; {base} += {step}) {{",
        f"  {tile.name}[t] = {base} + t < n ? {tile.type}(x0[{base} + t] * 0.5) : {tile.type}(0.25);",
        f"  {SYNC}",
        f"  {turn} {v} = 0.5 * {v} + {squash(inner, stored(inner, 2)).text};",
        f"  {SYNC}",
        "}",
    ]
    scope.variables.append(Variable(v, "double"))
    return lines


def shared_sum(scope: Scope, with_: Together) -> Lines:
    """What all threads add to one number of the block's."""
    name, v = scope.fresh("sum"), scope.fresh("v")
    type = scope.type()
    who = "true" if not scope.chance(0.5) else condition(scope)
    lines = [
        f"__shared__ {type} {name};",
        f"if (t == 0) {name} = 0.5f;" if not with_.leaving else f"{name} = 0.5f;",
        SYNC,
        f"if ({who}) atomicAdd(&{name}, {type}({squash(scope, stored(scope, 2)).text} * 0.0125));",
        SYNC,
        f"const double {v} = {name};",
        SYNC,
    ]
    with_.level.append(v)
    scope.variables.append(Variable(v, "double", False))
    return lines


def block_sum(scope: Scope, with_: Together) -> Lines:
    if with_.leaving:
        return []
    v = scope.fresh("v")
    lines = [f"const double {v} = block_sum({squash(scope, stored(scope, 2)).text}, t) * 0.05;"]
    with_.level.append(v)
    scope.variables.append(Variable(v, "double", False))
    return lines


def largest(scope: Scope, with_: Together) -> Lines:
    """The largest of what the threads of a block have, or the lanes of a segment."""
    if with_.leaving:
        return interval(scope, with_)
    v, type, rng = scope.fresh("v"), scope.type(), scope.rng
    lines = [f"{type} {v} = {squash(scope, stored(scope, 1)).text};"]
    scope.variables += [Variable(v, type)] * 3
    if rng.random() < 0.5:
        return [*lines, *of_lanes(rng, v, type, "lanes", SEGMENT, v)]
    return [*lines, *of_block(rng, v, type, with_.size, v)]


# ---- warps -----------------------------------------------------------------------------------------------------------


def shuffle(scope: Scope, with_: Together) -> Lines:
    if with_.leaving:
        return []
    rng = scope.rng
    v, type = scope.fresh("v"), scope.type()
    given = f"{type}({stored(scope, 2).text})"
    width = rng.choice((2, 4, 8))
    form = rng.randrange(4)
    if form == 0:
        text = f"__shfl_xor_sync(lanes, {given}, {rng.randint(1, width - 1)}, {width})"
    elif form == 1:
        text = f"__shfl_up_sync(lanes, {given}, {rng.randint(1, width)}, {width})"
    elif form == 2:
        text = f"__shfl_down_sync(lanes, {given}, {rng.randint(1, width)}, {width})"
    else:
        text = f"__shfl_sync(lanes, {given}, {rng.choice(scope.integers)} % {width}, {width})"
    scope.variables.append(Variable(v, type))
    return [f"{type} {v} = {text};"]


def shuffle_loop(scope: Scope, with_: Together) -> Lines:
    if with_.leaving:
        return []
    v, d, type = scope.fresh("v"), scope.fresh("k"), scope.type()
    kind = scope.rng.choice(("down", "up", "xor"))
    o = scope.fresh("v")
    lines = [
        f"{type} {v} = {stored(scope, 2).text};",
        f"for (int {d} = {SEGMENT // 2}; {d} > 0; {d} >>= 1) {{",
        f"  {type} {o} = __shfl_{kind}_sync(lanes, {v}, {d}, {SEGMENT});",
        f"  {v} = {joined(scope, v, o)};",
        "}",
    ]
    scope.variables.append(Variable(v, type))
    return lines


def parting(scope: Scope, with_: Together) -> Lines:
    """What lanes do that part, or wait for each other alone."""
    return [] if with_.leaving else scope.rng.choice(LANES)(scope, with_.size)


def vote(scope: Scope, with_: Together) -> Lines:
    if with_.leaving:
        return []
    n, test = scope.fresh("n"), condition(scope)
    scope.integers.append(n)
    if scope.chance(0.5):
        return [f"int {n} = __popc(__ballot_sync(lanes, {test}));"]
    return [f"int {n} = __{scope.rng.choice(('any', 'all'))}_sync(lanes, {test}) ? 2 : 5;"]


def some_lanes(scope: Scope, with_: Together) -> Lines:
    """A shuffle among the lanes for which something holds."""
    if with_.leaving:
        return []
    c, m, v, type = scope.fresh("c"), scope.fresh("h"), scope.fresh("v"), scope.type()
    inner = scope.inner(leaves=False)
    body = block(inner, 1)
    first = scope.rng.choice((f"__ffs({m}) - 1", f"31 - __clz({m})"))
    lines = [
        f"const bool {c} = {condition(scope)};",
        f"const unsigned {m} = __ballot_sync(lanes, {c});",
        f"{type} {v} = 0.4f;",
        f"if ({c}) {{",
        *indented(body),
        f"  {v} = __shfl_sync({m}, {type}({stored(inner, 2).text}), {first});",
        "}",
    ]
    scope.variables.append(Variable(v, type))
    return lines


def warp_memory(scope: Scope, with_: Together) -> Lines:
    """What lanes of a warp exchange through shared memory, without a barrier of the block."""
    tile = _tile(scope, with_)
    if tile is None or with_.leaving:
        return []
    v = scope.fresh("v")
    s = tile.name
    neighbour = f"t / {SEGMENT} * {SEGMENT} + (t + {scope.rng.randint(1, 7)}) % {SEGMENT}"
    lines = [
        f"{s}[t] = {joined(scope, f'{s}[t]', squash(scope, stored(scope, 1)).text)};",
        "__syncwarp(lanes);",
        f"{tile.type} {v} = {s}[{neighbour}];",
        "__syncwarp(lanes);",
        f"{s}[t] = {joined(scope, v, f'{s}[t]')};",
        SYNC,
    ]
    scope.variables.append(Variable(v, tile.type))
    return lines


STEPS: tuple[Callable[[Scope, Together], Lines], ...] = (
    interval, interval, interval, interval, private, same_branch, same_loop, same_loop, tree, sweep, change_places,
    in_order, reloaded, shared_sum, block_sum, shuffle, shuffle, shuffle_loop, vote, some_lanes, warp_memory,
    parting, parting, parting,
)  # fmt: skip


def steps(scope: Scope, with_: Together, count: int) -> Lines:
    lines: Lines = []
    for _ in range(count):
        if scope.budget[0] <= 0:
            break
        scope.budget[0] -= 1
        if scope.kinks and scope.chance(0.25):
            lines += largest(scope, with_)
            continue
        lines += scope.rng.choice(STEPS)(scope, with_) or interval(scope, with_)
    return lines or interval(scope, with_)
