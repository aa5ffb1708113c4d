"""Makes generated code read as if written by hand: no copies of constants, no variable that only waits for its use."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection

from cladpy.ir import code, core
from cladpy.ir.code_walk import (
    all_statements,
    inner_blocks,
    map_block,
    mentions,
    own_mentions,
    variables_read,
    with_blocks,
)
from cladpy.ir.flow import changed_in, uses_in
from cladpy.ir.fold import unary
from cladpy.ir.products import product
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, is_integer
from cladpy.ir.walk import map_children, substitute, values

# A value of more operators than this keeps a name of its own.
_LONGEST = 6


def tidy(block: code.Block) -> code.Block:
    block = _without_copies(block)
    block = _inlined(block)
    return _joined(_without_repeated_waits(_without_zeros(block)), uses_in(block))


def without_unused(block: code.Block) -> code.Block:
    """Without variables that nothing reads, but for what calls give."""
    every = list(all_statements(block))
    read = uses_in(block)
    changing: defaultdict[core.Value, list[code.Statement]] = defaultdict(list)
    candidates: set[core.Value] = set()
    for s in every:
        if isinstance(s, code.Define | code.Assign | code.Add):
            changing[s.variable].append(s)
        if isinstance(s, code.Define) and not isinstance(s.init, code.UserCall | code.Together):
            candidates.add(s.variable)
    candidates -= {v for s in every for v in _given(s)}
    gone = {v for v in candidates if not read[v]}
    work = list(gone)
    while work:  # what only these read goes as well
        for s in changing[work.pop()]:
            for v in variables_read(s):
                read[v] -= 1
                if not read[v] and v in candidates and v not in gone:
                    gone.add(v)
                    work.append(v)

    def without(block: code.Block) -> code.Block:
        return tuple(with_blocks(s, without) for s in block if not _changes(s, gone))

    return without(block) if gone else block


def _changes(s: code.Statement, variables: Collection[core.Value]) -> bool:
    return isinstance(s, code.Define | code.Assign | code.Add) and s.variable in variables


def without_empty_branches(block: code.Block) -> code.Block:
    """Without branches that do nothing, and the constants that only these ask for: what stood there was a copy, or
    nobody's."""

    def without(block: code.Block) -> code.Block:
        return tuple(inner for s in block if not _does_nothing(inner := with_blocks(s, without)))

    while any(map(_does_nothing, all_statements(block))):
        block = without_unused(without(block))
    return block


def _does_nothing(s: code.Statement) -> bool:
    return isinstance(s, code.Branch) and all(isinstance(inner, code.Comment) for inner in (*s.then, *s.other))


def without_idle_loops(block: code.Block) -> code.Block:
    """Without loops of which nothing is left."""
    out: list[code.Statement] = []
    for s in block:
        s = with_blocks(s, without_idle_loops)
        if not isinstance(s, code.CountDown) or any(not isinstance(t, code.Comment) for t in s.body):
            out.append(s)
    return tuple(out)


def _given(s: code.Statement) -> set[core.Value]:
    """The variables that get something there which is no expression."""
    match s:
        case code.Define() | code.Assign() | code.Add():
            return set()
        case code.Pop(_, variables) | code.Rewind(variables=variables):
            return {v for _, v in variables}
        case code.CallPullback(outputs=outputs) | code.Act(outputs=outputs) | code.Invoke(_, outputs):
            return {*outputs, *mentions(s)}
        case _:
            return own_mentions(s)


def _without_copies(block: code.Block) -> code.Block:
    """`const T a = b`, where b does not change: b stands for both."""
    changed = changed_in(block)
    same: dict[core.Value, core.Expr] = {}
    for s in all_statements(block):
        match s:
            case code.Define(variable, core.Use(source), False) if source not in changed:
                same[variable] = same.get(source, core.Use(source))
            case code.Define(variable, core.Const() as constant, False):
                same[variable] = constant
            case _:
                pass
    if not same:
        return block
    block = map_block(block, lambda e: substitute(e, same))
    return _filtered(block, set(same))


def with_conditions(block: code.Block) -> code.Block:
    """`const bool b = e; if (b)`, where nothing else asks for b, and e stays as it is: `if (e)`."""
    uses, varying = uses_in(block), changed_in(block)

    def within(block: code.Block) -> code.Block:
        out: list[code.Statement] = []
        named: dict[core.Value, tuple[code.Statement, core.Expr]] = {}
        for s in block:
            s = with_blocks(s, within)
            match s:
                case code.Define(variable, init, False) if not isinstance(init, code.LOADED):
                    decides = variable.type == init.type == BOOL  # else it is converted where it gets its name
                    if decides and uses[variable] == 1 and varying.isdisjoint(values(init)):
                        named[variable] = (s, init)
                case code.Branch(condition, then, other):
                    for variable in [v for v in values(condition) if v in named]:
                        definition, init = named[variable]
                        out.remove(definition)
                        condition = _decided(condition, variable, init)
                    s = code.Branch(condition, then, other)
                case _:
                    pass
            out.append(s)
        return tuple(out)

    return within(block)


def _decided(condition: core.Expr, variable: core.Value, init: core.Expr) -> core.Expr:
    match condition:
        case core.Use(value) if value is variable:
            return init
        case core.Unary(UnaryOp.NOT, operand):
            return unary(UnaryOp.NOT, _decided(operand, variable, init), BOOL)
        case _:
            return substitute(condition, {variable: init})


def _without_zeros(block: code.Block) -> code.Block:
    """Without `n += 0`, for integers."""
    return tuple(
        with_blocks(s, _without_zeros)
        for s in block
        if not (isinstance(s, code.Add) and is_integer(s.variable.type) and s.expr == core.Const(0, s.variable.type))
    )


def _without_repeated_waits(block: code.Block) -> code.Block:
    """Lanes that have just waited for each other need not do so again."""
    out: list[code.Statement] = []
    for s in block:
        last = next((o for o in reversed(out) if not isinstance(o, code.Comment)), None)
        if (
            isinstance(s, code.Perform)
            and s.callee.name == "__syncwarp"
            and isinstance(last, code.Perform)
            and (last.callee.name, last.arguments) == (s.callee.name, s.arguments)
        ):
            continue
        out.append(with_blocks(s, _without_repeated_waits))
    return tuple(out)


def _inlined(block: code.Block) -> code.Block:
    """A variable of cladpy's own that is used once, in the same block, and made of constants, goes to its use."""
    changed = changed_in(block)
    uses = uses_in(block)
    moved: dict[core.Value, core.Expr] = {}
    for inner in _blocks(block):
        candidates: dict[core.Value, core.Expr] = {}
        for s in inner:
            match s:
                case code.Define(variable, init, False) if (
                    variable.name.startswith("_")
                    and uses[variable] == 1
                    and not isinstance(init, code.LOADED)
                    and not any(v in changed for v in values(init))
                ):
                    init = substitute(init, moved)
                    if sum(1 for _ in values(init)) <= _LONGEST:
                        candidates[variable] = init
                case _:
                    pass
            if not isinstance(s, code.Branch | code.While | code.CountDown | code.Rewind):
                for v in mentions(s):
                    if v in candidates and not (isinstance(s, code.Define) and s.variable is v):
                        moved[v] = candidates[v]
    if not moved:
        return block
    block = map_block(block, lambda e: _substituted(e, moved))
    return _filtered(block, set(moved))


def _substituted(expr: core.Expr, moved: dict[core.Value, core.Expr]) -> core.Expr:
    """Replaces until nothing is left: what is moved may hold what is moved. A product that begins with what is moved is
    an adjoint's."""
    if isinstance(expr, core.Use):
        return _substituted(moved[expr.value], moved) if expr.value in moved else expr
    replaced = map_children(expr, lambda e: _substituted(e, moved))
    if isinstance(replaced, core.Binary) and replaced.op is BinaryOp.MUL and _first_factor(expr) in moved:
        return product(replaced.left, replaced.right, replaced.type)
    return replaced


def _first_factor(expr: core.Expr) -> core.Value | None:
    while isinstance(expr, core.Binary) and expr.op is BinaryOp.MUL:
        expr = expr.left
    return expr.value if isinstance(expr, core.Use) else None


def _blocks(block: code.Block) -> list[code.Block]:
    return [block, *(b for s in block for inner in inner_blocks(s) for b in _blocks(inner))]


def _filtered(block: code.Block, gone: set[core.Value]) -> code.Block:
    """Without the definitions of some variables."""
    out: list[code.Statement] = []
    for s in block:
        if isinstance(s, code.Define) and s.variable in gone:
            continue
        out.append(with_blocks(s, lambda b: _filtered(b, gone)))
    return tuple(out)


def _joined(block: code.Block, uses: Counter[core.Value]) -> code.Block:
    """`const T a = e; ... x = a;`, where nothing in between has to do with x: `x = e; ...`."""
    out: list[code.Statement | None] = []
    at: dict[core.Value, int] = {}
    for s in block:
        s = with_blocks(s, lambda b: _joined(b, uses))
        match s:
            case code.Assign(target, core.Use(source)) if source in at and uses[source] == 1:
                position = at[source]
                between = out[position + 1 :]
                definition = out[position]
                assert isinstance(definition, code.Define)
                plain = not isinstance(definition.init, code.LOADED)
                if plain and not any(b is not None and target in mentions(b) for b in between):
                    out[position] = code.Assign(target, definition.init)  # type: ignore[arg-type]
                    continue
            case code.Define(variable, _, False):
                at[variable] = len(out)
            case _:
                pass
        out.append(s)
    return tuple(s for s in out if s is not None)
