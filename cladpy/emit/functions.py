"""One function of emitted code: its signature, its body, what counts for it and what stands around it."""

from __future__ import annotations

from dataclasses import replace

from cladpy.emit.expressions import Expressions, taken
from cladpy.emit.mentioned import globals_of, used_names
from cladpy.emit.names import MARK, Names
from cladpy.emit.narrow_counts import with_narrow_counts
from cladpy.emit.phases import phases_text
from cladpy.emit.registers import sizes_of_blocks
from cladpy.emit.split import SplitText, kernel_tape_text, split_text
from cladpy.emit.statements import Statements, privatised_name
from cladpy.emit.steps import pointee
from cladpy.emit.style import Style
from cladpy.emit.tapes import is_narrow
from cladpy.emit.texts import FunctionText
from cladpy.emit.worker_sums import WorkerSums
from cladpy.ir import code, core
from cladpy.ir.code import FunctionRole
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.ir.halves import adjoint_value
from cladpy.ir.shared import shared_memory
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.tracing import TRACER
from cladpy.ir.types import Pointer, Reference, Scalar, declare, spell
from cladpy.passes.phases.divide import in_phases
from cladpy.passes.phases.steady import without_copies
from cladpy.quoting import literal
from cladpy.targets import TARGETS

_LOGICAL = {
    BuiltinVar.BLOCK_X: "_block.x",
    BuiltinVar.BLOCK_Y: "_block.y",
    BuiltinVar.BLOCK_Z: "_block.z",
    BuiltinVar.GRID_DIM_X: "_state.grid.x",
    BuiltinVar.GRID_DIM_Y: "_state.grid.y",
    BuiltinVar.GRID_DIM_Z: "_state.grid.z",
}


_ORIGINAL = {
    BuiltinVar.GRID_DIM_X: "_grid.x",
    BuiltinVar.GRID_DIM_Y: "_grid.y",
    BuiltinVar.GRID_DIM_Z: "_grid.z",
}

# In functions that launch, which have grid and block as arguments.
_AT_LAUNCH = {v: v.value.replace("blockDim", "_block").replace("gridDim", "_grid") for v in BuiltinVar}


def function_text(function: code.Function, style: Style, target: str, main: FunctionRole) -> FunctionText:
    if function.role in (FunctionRole.PULLBACK, FunctionRole.FORWARD):
        style = replace(style, pullbacks="", dependent=bool(function.storage))
    function = marked(function)
    if style.kernels and function.split is None:
        function = replace(function, body=with_narrow_counts(function.body))
    workspace = function.tape_slots is None and not TARGETS[target].tape_grows and function.role is FunctionRole.KERNEL
    logical = workspace or function.stands
    parts, signature, pointers, split, sizes = _body(function, function.body, style, logical)
    passed = tuple(p.name for p in function.parameters)
    if function.name in style.exact:
        signature, passed = (*signature, "const cladpy::exact_sums _sums"), (*passed, "_sums")
    if function.cells:
        signature, passed = (*signature, "[[maybe_unused]] const dim3 _grid"), (*passed, "_grid")
    count, result, log = "", "", False
    count_signature: tuple[str, ...] = ()
    if function.count and function.count_result is not None:
        primal = function.parameters[: len(function.primal.parameters)]
        counting = code.Function(function.name, function.role, primal, function.count, function.primal)
        log = any(
            (isinstance(s, code.WriteElement) and s.saved) or (isinstance(s, code.CallPullback) and bool(s.storage))
            for s in all_statements(function.count)
        )
        names, printer = printers(counting, style, logical=log, launching=function.count_at_launch)
        printer.prepare(function.count)
        count = "\n".join(printer.block(function.count, 2 if log else 1))
        result = printer.e.text(function.count_result)
        used = used_names(function.count, (function.count_result,), counting, names)
        count_signature = tuple(_declare(p, p.name in used) for p in primal)
    if function.tape_slots == 0:
        tape = ""
    elif function.tape_slots is not None:
        tape = "local"
    else:
        tape = "workspace" if workspace else "growing"
    return FunctionText(
        function.name,
        function.role.value,
        _qualifiers(function, target, main),
        signature,
        signature if passed[-1:] == ("_sums",) else tuple(map(_with_default, function.parameters, signature)),
        passed,
        len(function.primal.parameters),
        tape,
        function.tape_slots or 0,
        parts[1],
        count,
        result,
        count_signature,
        function.count_at_launch,
        shared_memory(function.body),
        shared_memory(function.count),
        log,
        function.whole_grid,
        function.storage,
        function.logs,
        function.guarded,
        any(isinstance(s, code.Act) for s in all_statements(function.body))
        or (function.split is not None and bool(function.split.stand_ins)),
        function.waits,
        pointers,
        split,
        None if function.kept is None else kernel_tape_text(function, function.kept),
        function.budget,
        _left(function),
        function.stands,
        parts[0],
        parts[2],
        sizes,
        tape == "workspace" and not log and is_narrow(function),
        sizes_of_blocks(function, style.registers) if style.kernels and function.role is FunctionRole.KERNEL else (),
        any(not t.reason for t in function.teams),
        _phases(function, style, tape),
        _checked(function),
    )


def _phases(function: code.Function, style: Style, tape: str) -> str:
    """The body for a whole block, where the host runs kernels and its threads wait for each other."""
    if (
        not style.workers
        or style.tracer
        or style.checked
        or function.overlaps
        or function.role is not FunctionRole.KERNEL
    ):
        return ""
    block = without_copies(function.plain)
    phases = in_phases(block)
    if phases is None:
        return ""
    _, printer = printers(function, style, logical=False)
    printer.prepare(block)
    printer.sums = _worker_sums(function, block)
    printer.whole_block = True
    kind = f"cladpy::local_tape<{function.tape_slots}>" if tape == "local" else "cladpy::growing_tape"
    sums = [f"  const cladpy::host::row_of_piece{_given(s, printer.names, printer.e)};" for s in function.privatised]
    return "\n".join([*sums, phases_text(phases, printer, kind)])


def _worker_sums(function: code.Function, block: code.Block) -> WorkerSums:
    contents = (part.content for p in function.parameters if not p.adjoint for part in p.parts)
    return WorkerSums(block, frozenset(c for c in contents if isinstance(c, core.Value)))


def marked(function: code.Function) -> code.Function:
    """The function with marks at the names of its parameters: see `cladpy.emit.names`."""
    parameters = (p if p.of_launch else replace(p, name=p.name + MARK) for p in function.parameters)
    return replace(function, parameters=tuple(parameters))


def _left(function: code.Function) -> tuple[str, ...]:
    """The pointers to adjoints of the caller's, if steps overwrite memory of the caller's: how much that is may be told
    by the driver, for which they may be one."""
    acts = (s for s in all_statements(function.body) if isinstance(s, code.Act))
    given = (a for act in acts for a in act.saved)
    addresses = (a for g in given for a in (g.alternatives if isinstance(g, code.ChosenAddress) else (g,)))
    if not any(isinstance(a, code.Address) and a.root.outlives for a in addresses):
        return ()
    adjoints = function.parameters[len(function.primal.parameters) :]
    return tuple(p.name for p in adjoints if isinstance(p.type, Pointer))


def _checked(function: code.Function) -> str:
    """The arguments of a check of where the adjoints lie, which must be apart: nothing where they need not, or where
    the function may be called on a device."""
    on_host = function.role is FunctionRole.KERNEL or function.primal.symbol.kind is FunctionKind.HOST
    adjoints = [p for p in function.parameters if p.adjoint and isinstance(p.type, Pointer)]
    if function.overlaps or not on_host or not adjoints:
        return ""
    primal = [p for p in function.parameters if not p.adjoint]
    given = [f"&{p.name}" if isinstance(p.type, Reference) else p.name for p in primal if _is_address(p)]
    needed = [p.name for p in adjoints if not p.optional]
    pointers = given + needed + [p.name for p in adjoints if p.optional]
    return ", ".join([literal(function.name), str(len(given)), str(len(given) + len(needed)), *pointers])


def _is_address(parameter: code.Parameter) -> bool:
    return isinstance(parameter.type, Pointer | Reference)


def _qualifiers(function: code.Function, target: str, main: FunctionRole) -> str:
    if function.storage:  # which is that of the gradient, and lives on one side
        return "__device__ inline " if main is FunctionRole.KERNEL else "inline "
    if function.role is FunctionRole.KERNEL:
        return "__global__ "
    kind = function.primal.symbol.kind
    if kind is FunctionKind.HOST:
        return "inline "
    if kind is FunctionKind.HOST_DEVICE:
        return "__host__ __device__ inline "
    return "__device__ inline "


def printers(
    function: code.Function, style: Style, logical: bool, *, launching: bool = False, mark: str = MARK
) -> tuple[Names, Statements]:
    """The names of a function's variables, and what prints its statements by them, in the kernel, which may run logical
    blocks, or in a function that launches it. The names of its parameters have the `mark`."""
    names = Names(mark)
    names.adjoints = {p.name.replace(MARK, ""): p.name for p in function.parameters if p.adjoint}
    for p in function.parameters:
        names.taken.add(p.name.replace(MARK, ""))
        for part in p.parts:
            if isinstance(part.content, core.Root):
                names.claim((part.content, p.adjoint), p.name)
            elif not p.adjoint:
                text = (part.member or "{b}").replace("{b}", p.name)
                value = taken(text, part.content.type) if part.member else text
                names.claim(part.content, text if value == text else f"({value})")
    for p in function.parameters:
        own = [
            c
            for part in p.parts
            if isinstance(c := part.content, core.Root) and c in function.scratch and not p.adjoint
        ]
        name = names.fresh(f"_d_{p.name}") if own else ""
        for root in own:  # of objects, each member
            names.claim((root, True), name)
    for root, symbol in globals_of(function).items():
        names.claim((root, False), symbol.name)
        if root in style.adjoint_globals:
            names.claim((root, True), style.adjoint_globals[root])
    original = _AT_LAUNCH if launching else _ORIGINAL if function.cells else {}
    expressions = Expressions(names, _LOGICAL if logical else original)
    optional = frozenset(p.name for p in function.parameters if p.optional)
    return names, Statements(expressions, style, optional)


def _body(
    function: code.Function, block: code.Block, style: Style, logical: bool
) -> tuple[tuple[str, str, str], tuple[str, ...], tuple[str, ...], SplitText | None, str]:
    """The text of the body, with what is not for each of the `logical` blocks before and after it, or its two parts,
    the parameters, the pointers to what it allocates, and the bytes that sums of a block's own take."""
    names, printer = printers(function, style, logical)
    printer.prepare(block)
    if style.workers and not style.tracer and not function.overlaps and function.role is FunctionRole.KERNEL:
        printer.sums = _worker_sums(function, block)
    split, text = None, ("", "", "")
    if function.split is not None:
        arrays = ((a.root, a.adjoint) for a in function.split.arrays)
        printer.held = frozenset((*function.split.variables, *arrays))
        split = split_text(function, function.split, names, printer, function.primal.symbol.result)
        split = replace(split, reverse="\n".join([*_tracer(function, style, 2), split.reverse]))
    else:
        end = len(block) - function.standing
        before, each, after = block[: function.standing], block[function.standing : end], block[end:]
        make, add = _stages(function, names, printer.e, style)
        text = (
            "\n".join([*printer.block(before, 1), *make]),
            "\n".join([*_tracer(function, style, 2 if logical else 1), *printer.block(each, 2 if logical else 1)]),
            "\n".join([*add, *printer.block(after, 1)]),
        )
    used = used_names(block, (), function, names)
    signature = tuple(_declare(p, p.name in used) for p in function.parameters)
    touched = {(r.allocation, adjoint) for s in all_statements(block) for r, adjoint in touched_roots(s)}
    pointers = tuple(line for root in function.heap for line in _declared_pointers(root, touched, names))
    for p in function.parameters:
        own = next((part.content for part in p.parts if part.content in function.scratch), None)
        if isinstance(own, core.Root) and not p.adjoint and isinstance(p.type, Pointer):
            pointers += (f"{spell(adjoint_value(p.type.pointee))} *{names.of((own, True))} = nullptr;",)
    return text, signature, pointers, split, _staging_bytes(function, names)


def _tracer(function: code.Function, style: Style, depth: int) -> list[str]:
    """What looks at the adjoints of a function where that is asked for."""
    if not style.tracer or function.role is FunctionRole.FORWARD:
        return []
    name = literal(function.primal.symbol.qualified_name)
    return [f"{'  ' * depth}[[maybe_unused]] cladpy::tracer {TRACER}({style.tracer}, {name});"]


def _stages(
    function: code.Function, names: Names, expressions: Expressions, style: Style
) -> tuple[list[str], list[str]]:
    """What makes the sums of a block for adjoints, and what adds them to these."""
    if not function.privatised:
        return [], []
    make = [f"  {style.dynamic_shared}", "  cladpy::staging _room(_shared, _state);"]
    wait = "  cladpy::wait_for_stages();" if style.workers else "  __syncthreads();"
    add = [wait]
    for s in function.privatised:
        given = _given(s, names, expressions, ", true" if s.by_lanes else "", "_room, ")
        make.append(f"  const cladpy::staged{given};")
        add.append(f"  {privatised_name(names, s.root)}.add_up();")
    return [*make, wait], add


def _given(s: code.Privatised, names: Names, expressions: Expressions, by: str = "", room: str = "") -> str:
    """What follows the class of an adjoint's sums where these are made."""
    type, extents = spell(adjoint_value(s.root.element)), ", ".join(map(expressions.text, s.extents))
    adjoint = names.of((s.root, True))
    return f"<{type}{by}> {privatised_name(names, s.root)}({room}{adjoint}, cladpy::extent_of({extents}))"


def _staging_bytes(function: code.Function, names: Names) -> str:
    """In the launch function. There are so many copies of what lanes divide."""
    expressions = Expressions(names, _AT_LAUNCH)
    terms = (
        f"cladpy::staging_bytes(cladpy::extent_of({', '.join(map(expressions.text, s.extents))}), "
        f"sizeof({spell(adjoint_value(s.root.element))}){', _copies' if s.by_lanes else ''})"
        for s in function.privatised
    )
    return " + ".join(terms)


def _declared_pointers(root: core.Root, touched: set[tuple[Symbol | None, bool]], names: Names) -> list[str]:
    """The pointer to what a call allocates, or all of them where they are told apart by numbers, and to the adjoint."""
    assert root.allocation is not None
    own, adjoint = ((root.allocation, side) in touched for side in (False, True))
    primal, element = pointee(root.allocation), pointee(root.allocation, adjoint=True)
    lines = []
    if own or (adjoint and root.numbered):
        name = names.of((root, False))
        lines.append(f"std::vector<{primal} *> {name};" if root.numbered else f"{primal} *{name} = nullptr;")
    if adjoint:
        name = names.of((root, True))
        many = f"cladpy::adjoints<{element}, {primal}> {name}{{_program, {names.of((root, False))}}};"
        lines.append(many if root.numbered else f"{element} *{name} = nullptr;")
    return lines


def _with_default(parameter: code.Parameter, declared: str) -> str:
    """A caller may leave out the adjoint of the number that is returned, and those of members beside pointers."""
    if parameter.name == f"_d_return{MARK}" and isinstance(parameter.type, Scalar):
        return f"{declared} = 1"
    return f"{declared} = nullptr" if parameter.optional else declared


def _declare(parameter: code.Parameter, used: bool) -> str:
    text = declare(parameter.type, parameter.name)
    return text if used else f"[[maybe_unused]] {text}"
