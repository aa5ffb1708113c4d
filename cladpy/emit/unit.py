"""A whole file of emitted code, laid out by the templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cladpy.adjoint.cleanup import all_statements, touched_roots
from cladpy.adjoint.custom import writable
from cladpy.adjoint.gradient import AdjointGlobal, Gradient
from cladpy.emit.expressions import Expressions, taken
from cladpy.emit.names import Names
from cladpy.emit.reads import read_variables
from cladpy.emit.split import SplitText, kernel_tape_text, split_text
from cladpy.emit.statements import Statements, staged_name
from cladpy.emit.steps import pointee
from cladpy.emit.style import Style
from cladpy.emit.tapes import is_narrow
from cladpy.emit.texts import ColumnsText, FunctionText, GatherText, GlobalText, Part, SumText
from cladpy.ir import code, core
from cladpy.ir.code import FunctionRole, Update
from cladpy.ir.halves import adjoint_value
from cladpy.ir.shared import shared_memory
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import Array, Pointer, Scalar, Struct, declare, spell
from cladpy.ir.walk import subexpressions, values
from cladpy.normalize.places import element_of, scalars_in
from cladpy.quoting import comment, included
from cladpy.source import Source
from cladpy.templating import template_named

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

# What functions of libraries are called by, and the header that has it.
_LIBRARIES = (("cladpy::algorithms::", "cladpy/algorithms.h"), ("cladpy::blas::", "cladpy/blas.h"))


@dataclass(frozen=True, slots=True)
class Unit:
    """An emitted file in its two forms."""

    code: str
    fragment: str
    launch_name: str
    is_program: bool
    lengths: tuple[str, ...]  # the adjoints whose numbers the launch function is told the count of, after all else


def emit(
    gradient: Gradient,
    source: Source,
    target: str,
    include: str | None,
    original: str | None,
    customs: tuple[str, ...],
    request: str,
    texts: Mapping[str, str],
    *,
    checked: bool = False,
    for_cuda: bool = True,
) -> Unit:
    """The gradient as text for a target.

    `include` is what stands in the #include of the original; where it is None, `original` is put there as it is.
    `customs` are headers of custom derivatives, `request` says in the head what was asked for, `texts` are the sources
    for comments. `for_cuda` says that the program is written for CUDA, whose warps have 32 lanes, and not for HIP.
    """
    globals = [_global_text(g, target) for g in gradient.globals]
    namespace = pullbacks_namespace(gradient.main.name)
    parts: list[Part] = []
    for g in gradient.kernels:
        parts.append(_part(g, target, texts, namespace, checked))
        parts += _parts_in_two(g, target, texts, namespace, checked)
    parts.append(_part(gradient, target, texts, "", checked))
    functions = [f for part in parts for f in part.functions]
    gathers = [part.gather for part in parts if part.gather]
    functions += [f for g in gathers for f in (g.cells, g.rest, g.renewing) if f]
    functions += [f for part in parts if part.columns for f in (part.columns.columns, part.columns.rest) if f]
    sums = parts[-1].sums
    template = template_named(f"unit.{target}.j2")
    main = parts[-1].main
    launch_name = parts[-1].launch_name

    texts_of_functions = [text for f in functions for text in (f.first, f.body, f.last, *f.signature)]
    texts_of_functions += [text for f in functions if f.split for text in (f.split.forward, f.split.reverse)]

    is_program = any(f.program for f in functions)

    def render(fragment: bool) -> str:
        return template.render(
            parts=parts,
            program=is_program,
            libraries=[name for mark, name in _LIBRARIES if any(mark in text for text in texts_of_functions)],
            globals=globals,
            unit=main.name,
            tapes=any(f.split for f in functions),
            kernel_tapes=any(f.tape_class for f in functions),
            sums_anywhere=any(part.sums for part in parts),
            gathers_anywhere=any(part.gather for part in parts),
            columns_anywhere=any(part.columns for part in parts),
            include=None if include is None else included(include),
            original=original,
            customs=[included(c) for c in customs],
            request=comment(request),
            fragment=fragment,
            halves=any(uses_halves(text) for text in texts_of_functions),
            for_cuda=for_cuda,
            warp_size=_computes_with_warp_size(texts_of_functions),
            half_pairs=any("__half2 " in text for text in texts_of_functions),
        )

    return Unit(render(False), render(True), launch_name, is_program, tuple(s.adjoint for s in sums if s.length))


def _parts_in_two(
    gradient: Gradient, target: str, texts: Mapping[str, str], namespace: str, checked: bool
) -> Iterator[Part]:
    """The kernels that keep values of a launch, and compute with them, and those that leave adjoints, and clear them,
    with the pullbacks of the gradient itself."""
    renewing = gradient.renewing
    variants: list[list[code.Function]] = [] if renewing is None else [[renewing.clear]]
    if renewing is not None and isinstance(renewing.reverse, code.Function):
        variants[0].append(renewing.reverse)
    variants += [[f for f in (k.keep, k.reverse, k.renewing) if f is not None] for k in gradient.kept_values]
    for functions in variants:
        for function in functions:
            part = replace(gradient, functions=(*gradient.functions[:-1], function))
            style = replace(
                style_of(part, target, texts, checked=checked), pullbacks=pullbacks_namespace(gradient.main.name)
            )
            text = _function(function, style, target, gradient.main.role)
            yield _laid_out(part, [text], namespace, summing=function.name in style.exact)


def _part(gradient: Gradient, target: str, texts: Mapping[str, str], namespace: str, checked: bool) -> Part:
    style = style_of(gradient, target, texts, checked=checked)
    functions = [_function(f, style, target, gradient.main.role) for f in gradient.functions]
    kernels = _gather(gradient, style, target), _columns(gradient, style, target)
    return _laid_out(gradient, functions, namespace, *kernels)


def _laid_out(
    gradient: Gradient,
    functions: list[FunctionText],
    namespace: str,
    gather: GatherText | None = None,
    columns: ColumnsText | None = None,
    *,
    summing: bool = True,
) -> Part:
    sums = _sums(gradient) if summing else []
    main = functions[-1]
    return Part(
        functions,
        main,
        f"{main.name}_launch",
        pullbacks_namespace(main.name),
        namespace,
        gradient.single_extents,
        gradient.recursive,
        sums,
        tuple(s.length for s in sums if s.length),
        tuple(f"unsigned long long {s.length}" for s in sums if s.length),
        gather,
        columns,
    )


def _gather(gradient: Gradient, style: Style, target: str) -> GatherText | None:
    found = gradient.gather
    if found is None:
        return None
    cells = _function(found.cells, style, target, FunctionRole.KERNEL)
    rest = None if found.rest is None else _function(found.rest, style, target, FunctionRole.KERNEL)
    renewing = None if found.renewing is None else _function(found.renewing, style, target, FunctionRole.KERNEL)
    return GatherText(cells, rest, found.beyond, tuple(e.value for e in found.single), renewing)


def _columns(gradient: Gradient, style: Style, target: str) -> ColumnsText | None:
    found = gradient.columns
    if found is None:
        return None
    columns = _function(found.columns, style, target, FunctionRole.KERNEL)
    rest = None if found.rest is None else _function(found.rest, style, target, FunctionRole.KERNEL)
    _, printer = printers(found.columns, style, logical=False)
    return ColumnsText(columns, rest, printer.e.text(found.count), found.lanes, found.shared)


def _sums(gradient: Gradient) -> list[SumText]:
    types = {p.name: p.type for p in gradient.main.primal.parameters}
    found = []
    for b in gradient.exact:
        type = types[b.adjoint.removeprefix("_d_")]
        count = len(type.fields) if isinstance(type, Struct) else 1
        found.append(SumText(b.adjoint, spell(b.element), count, "" if b.single else f"_n{b.adjoint}"))
    return found


def _summing(gradient: Gradient) -> frozenset[str]:
    """The functions that add to exact sums, themselves or by what they call."""
    found: set[str] = set()
    while True:
        before = len(found)
        for function in gradient.functions:
            for s in all_statements(function.body):
                adds = isinstance(s, code.AddElement | code.AddParameter) and s.update is Update.EXACT
                if adds or (isinstance(s, code.CallPullback) and s.name in found):
                    found.add(function.name)
        if len(found) == before:
            return frozenset(found)


def style_of(gradient: Gradient, target: str, texts: Mapping[str, str], *, checked: bool = False) -> Style:
    """How the functions of a gradient are written for a target."""
    return Style(
        atomics=gradient.main.role is FunctionRole.KERNEL,
        checked=checked and target == "host",
        sources={name: text.split("\n") for name, text in texts.items()},
        pullbacks=pullbacks_namespace(gradient.main.name),
        adjoint_globals={root: g.name for g in gradient.globals for root in g.roots},
        addresses={g.variable.name: g.name for g in gradient.globals},
        exact=_summing(gradient),
        kernels=target != "host",
    )


def _global_text(adjoint: AdjointGlobal, target: str) -> GlobalText:
    """Objects begin as zeros, whatever constructors their class has."""
    element, count = writable(adjoint_value(element_of(adjoint.variable.type))), scalars_in(adjoint.variable.type)
    if isinstance(element, Struct):
        declaration, first = f"cladpy::zeros<{spell(element)}, {count}> {adjoint.name}", f"&{adjoint.name}[0]"
    else:
        declaration, first = declare(Array(element, count), adjoint.name), adjoint.name
    pointer = Pointer(element)
    on_device = adjoint.on_device and target != "host"  # where the variable lies
    accessor = declare(pointer, f"{adjoint.name}_address()")
    return GlobalText(
        adjoint.variable.name, adjoint.name, count, declaration, accessor, spell(pointer), first, on_device
    )


def pullbacks_namespace(gradient: str) -> str:
    """Where the pullbacks of a gradient are: two gradients in one program may have different ones of one name."""
    return f"{gradient}_pullbacks"


def uses_halves(text: str) -> bool:
    """Whether numbers of sixteen bits occur in C++ text."""
    return "__half" in text or "__nv_bfloat16" in text


def _computes_with_warp_size(texts: Sequence[str]) -> bool:
    """Whether a number of lanes is asked for in a program whose lanes do things together."""
    together = any(re.search(r"_sync\(|\bcladpy::(shfl|largest|match_all)", text) for text in texts)
    return together and any("warpSize" in text for text in texts)


def _function(function: code.Function, style: Style, target: str, main: FunctionRole) -> FunctionText:
    if function.role in (FunctionRole.PULLBACK, FunctionRole.FORWARD):
        style = replace(style, pullbacks="", dependent=bool(function.storage))
    workspace = function.tape_slots is None and target != "host" and function.role is FunctionRole.KERNEL
    logical = workspace or function.stands
    parts, signature, pointers, split, sizes = _body(function, function.body, style, logical)
    passed = tuple(p.name for p in function.parameters)
    if function.name in style.exact:
        signature, passed = (*signature, "const cladpy::exact_sums _sums"), (*passed, "_sums")
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
        used = _used_names(function.count, (function.count_result,), counting, names)
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
    )


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


def _qualifiers(function: code.Function, target: str, main: FunctionRole) -> str:
    if function.storage:  # which is that of the gradient, and lives on one side
        return "__device__ inline" if main is FunctionRole.KERNEL else "inline"
    if function.role is FunctionRole.KERNEL:
        return "__global__"
    kind = function.primal.symbol.kind
    if kind is FunctionKind.HOST:
        return "inline"
    if kind is FunctionKind.HOST_DEVICE:
        return "__host__ __device__ inline"
    return "__device__ inline"


def printers(
    function: code.Function, style: Style, logical: bool, *, launching: bool = False
) -> tuple[Names, Statements]:
    """The names of a function's variables, and what prints its statements by them, in the kernel, which may run logical
    blocks, or in a function that launches it."""
    names = Names(_called_names(function))
    for p in function.parameters:
        names.taken.add(p.name)
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
    names.taken |= {code.TAPE, code.LOG, "_start", "_program", *(("_grid",) if function.cells else ())}
    parameters = {p.name for p in function.parameters}
    for root, symbol in _globals(function).items():
        names.claim((root, False), f"::{symbol.name}" if symbol.name in parameters else symbol.name)
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
    split, text = None, ("", "", "")
    if function.split is not None:
        arrays = ((a.root, a.adjoint) for a in function.split.arrays)
        printer.held = frozenset((*function.split.variables, *arrays))
        names.taken |= {"forward", "reverse", "_result", "_value"}
        split = split_text(function, function.split, names, printer, function.primal.symbol.result)
    else:
        end = len(block) - function.standing
        before, each, after = block[: function.standing], block[function.standing : end], block[end:]
        make, add = _stages(function, names, printer.e)
        text = (
            "\n".join([*printer.block(before, 1), *make]),
            "\n".join(printer.block(each, 2 if logical else 1)),
            "\n".join([*add, *printer.block(after, 1)]),
        )
    used = _used_names(block, (), function, names)
    signature = tuple(_declare(p, p.name in used) for p in function.parameters)
    touched = {(r.allocation, adjoint) for s in all_statements(block) for r, adjoint in touched_roots(s)}
    pointers = tuple(line for root in function.heap for line in _declared_pointers(root, touched, names))
    for p in function.parameters:
        own = next((part.content for part in p.parts if part.content in function.scratch), None)
        if isinstance(own, core.Root) and not p.adjoint and isinstance(p.type, Pointer):
            pointers += (f"{spell(adjoint_value(p.type.pointee))} *{names.of((own, True))} = nullptr;",)
    return text, signature, pointers, split, _staging_bytes(function, names)


def _stages(function: code.Function, names: Names, expressions: Expressions) -> tuple[list[str], list[str]]:
    """What makes the sums of a block for adjoints, and what adds them to these."""
    if not function.staged:
        return [], []
    make = ["  extern __shared__ __align__(16) unsigned char _shared[];", "  cladpy::staging _room(_shared, _state);"]
    add = ["  __syncthreads();"]
    for s in function.staged:
        name, type = staged_name(names, s.root), spell(adjoint_value(s.root.element))
        extents = ", ".join(map(expressions.text, s.extents))
        type = f"{type}, true" if s.by_lanes else type
        make.append(
            f"  const cladpy::staged<{type}> {name}(_room, {names.of((s.root, True))}, cladpy::extent_of({extents}));"
        )
        add.append(f"  {name}.add_up();")
    return [*make, "  __syncthreads();"], add


def _staging_bytes(function: code.Function, names: Names) -> str:
    """In the launch function. There are so many copies of what lanes divide."""
    expressions = Expressions(names, _AT_LAUNCH)
    terms = (
        f"cladpy::staging_bytes(cladpy::extent_of({', '.join(map(expressions.text, s.extents))}), "
        f"sizeof({spell(adjoint_value(s.root.element))}){', _copies' if s.by_lanes else ''})"
        for s in function.staged
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
    if parameter.name == "_d_return" and isinstance(parameter.type, Scalar):
        return f"{declared} = 1"
    return f"{declared} = nullptr" if parameter.optional else declared


def _declare(parameter: code.Parameter, used: bool) -> str:
    text = declare(parameter.type, parameter.name)
    return text if used else f"[[maybe_unused]] {text}"


def _used_names(block: code.Block, extra: tuple[core.Expr, ...], function: code.Function, names: Names) -> set[str]:
    """The parameters that the body mentions."""
    members = {part.content: p.name for p in function.parameters for part in p.parts if part.member and not p.adjoint}
    read = read_variables(block) | {v for s in function.staged for e in s.extents for v in values(e)}
    for expr in extra:
        read |= {e.value for e in subexpressions(expr) if isinstance(e, core.Use)}
    found = {members.get(v) or names.given.get(v) for v in read}
    for s in all_statements(block):
        for root, adjoint in touched_roots(s):
            found.add(names.given.get((root, adjoint)))
        if isinstance(s, code.AddParameter):
            found.add(s.name)
    for expr in _all_expressions(block):
        found |= {names.given.get((e.root, False)) for e in subexpressions(expr) if isinstance(e, core.IsNull)}
    return {n for n in found if n is not None}


_NO_EXPRESSIONS = (code.Address, code.ChosenAddress, code.ObjectVariable)


def _all_expressions(block: code.Block) -> list[core.Expr]:
    found: list[core.Expr] = []
    for s in all_statements(block):
        match s:
            case code.Define(_, code.Together(_, given)):
                found += given
            case code.Define(_, init) if not isinstance(
                init, code.Element | code.UserCall | code.MemberOf | code.Together
            ):
                found.append(init)
            case code.Define(_, code.Element(_, index)):
                found.append(index)
            case code.Define(_, code.UserCall(_, arguments)):
                found += [a for a in arguments if not isinstance(a, _NO_EXPRESSIONS)]
            case code.Invoke(call):
                found += [a for a in call.arguments if not isinstance(a, _NO_EXPRESSIONS)]
            case code.Act(arguments=given, launch=launch):
                found += [a for a in given if not isinstance(a, (*_NO_EXPRESSIONS, code.AddressOfVariable))]
                found += [] if launch is None else launch.expressions
            case code.DeclareObject(_, leaves):  # what its pointers lead to has no function in it
                found += [leaf.expr for leaf in leaves]
            case code.Assign(_, expr) | code.Add(_, expr) | code.AddParameter(_, _, expr):
                found.append(expr)
            case code.WriteElement(_, index, expr) | code.AddElement(_, index, expr):
                found += [index, expr]
            case code.Take(_, _, index):
                found.append(index)
            case code.Branch(condition) | code.While(_, condition):
                found.append(condition)
            case code.CountDown():
                found += s.operands
            case code.Push(_, kept, only):
                found += [e for _, e in kept]
                found += [] if only is None else [only]
            case code.Pop():
                found += s.operands
            case code.Keep(_, step, kept):
                found += [step, *(e for _, e in kept)]
            case code.Rewind(_, step):
                found.append(step)
            case code.Synchronize(_, predicate) if predicate is not None:
                found.append(predicate)
            case code.Reserve(slots):
                found.append(slots)
            case _:
                pass
    return found


def _called_names(function: code.Function) -> set[str]:
    """The names of functions and globals that the body uses: no variable may hide them."""
    names: set[str] = set()
    for block in (function.body, function.count):
        for expr in _all_expressions(block):
            names |= {e.callee.name for e in subexpressions(expr) if isinstance(e, core.Math)}
            names |= {
                w for e in subexpressions(expr) if isinstance(e, core.Formula) for w in e.text.replace("(", " ").split()
            }
        for s in all_statements(block):
            match s:
                case code.Define(_, code.UserCall(callee)) | code.Invoke(code.UserCall(callee)) | code.Perform(callee):
                    names.add(callee.name)
                case code.CallPullback(name) | code.Define(_, code.Together(name)):
                    names.add(name)
                case _:
                    pass
    return names | {symbol.name for symbol in _globals(function).values()} | {function.name}


def _globals(function: code.Function) -> dict[core.Root, Symbol]:
    """What the body touches of variables at namespace scope, with the variable."""
    known = {root: v.symbol for v in function.primal.variables for root in v.roots}
    found: dict[core.Root, Symbol] = {}
    for block in (function.body, function.count):
        for s in all_statements(block):
            found |= {root: known[root] for root, _ in touched_roots(s) if root in known}
        for expr in _all_expressions(block):
            nulls = (e.root for e in subexpressions(expr) if isinstance(e, core.IsNull))
            found |= {root: known[root] for root in nulls if root in known}
    return found
