"""Read this first: the stages in order. Each is a typed function; a program flows through them and never back,
but for `Restart` (normalize/decisions.py).

source text  --frontend.parse-->  surface.Program
             --order-->           the same, without expressions whose value depends on an order that C++ leaves open
             --marks.detach-->    the same, without marks of what is nondifferentiable
             --untyped-->         the same, with types for what parameters lead to that point to void
             --request.resolve--> which arguments, which names
             --normalize-->       core.Function (inlined and versioned)
             --analysis-->        activity, needs, races
             --adjoint-->         code.Function (the gradient, its pullbacks; bodies go through `passes`)
             --emit-->            C++ text for a target
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from cladpy.adjoint.build import build_gradient
from cladpy.adjoint.gradient import Gradient
from cladpy.adjoint.originals import check_originals
from cladpy.decoding import decoded
from cladpy.deep import run_deep
from cladpy.derivative import Adjoint, Derivative, GlobalVariable, MemberAdjoint, Parameter
from cladpy.diagnostics import Diagnostic, DifferentiationError, Sink, UsageError
from cladpy.emit.host_source import host_source
from cladpy.emit.macros import macros_of
from cladpy.emit.origins import Origins
from cladpy.emit.unit import Around, Unit, emit, emit_kokkos, emit_original
from cladpy.explain import Annotated, Report, annotated
from cladpy.explain import explain as explain_gradient
from cladpy.frontend import parse
from cladpy.frontend.custom import header_files
from cladpy.ir import code, surface
from cladpy.ir.core_text import format_function
from cladpy.ir.shared import shared_memory
from cladpy.ir.surface_text import format_program
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Opaque, Pointer, Struct, scalar_of
from cladpy.normalize.flat_launches import with_flat_launches
from cladpy.normalize.fragments import check_fragments
from cladpy.normalize.marks import detach
from cladpy.normalize.places import scalars_in
from cladpy.normalize.retyped import keeps_types
from cladpy.normalize.scratch import with_scratch
from cladpy.normalize.team_sizes import check_team_sizes
from cladpy.normalize.untyped import with_types
from cladpy.options import Options
from cladpy.order import apart, by_one, in_order, settled
from cladpy.order.scan import globals_of
from cladpy.passes.order import watched
from cladpy.passes.phases.divide import computes_in_loops_over_threads
from cladpy.quoting import included, literal
from cladpy.request import Request, resolve, variables
from cladpy.source import Source
from cladpy.targets import TARGETS


def differentiate(
    source: Source,
    function: str,
    args: str,
    options: Options,
    target: str,
    *,
    include: str | None = None,
    checked: bool = False,
) -> Derivative:
    """The gradient of `function` as source text for `target` ("cuda", "hip" or "host").

    `args` are the names of the arguments meant, comma-separated; without any, every floating-point one. `include` is
    what the emitted #include of the original says instead of the file's name. `checked` makes host code report every
    access to an adjoint to the race check. Raises DifferentiationError and UsageError.
    """
    sink = Sink({source.name: source.text})
    return run_deep(
        lambda: _differentiate(source, function, args, options, target, include, checked, sink), lambda: _too_deep(sink)
    )


def _differentiate(
    source: Source,
    function: str,
    args: str,
    options: Options,
    target: str,
    include: str | None,
    checked: bool,
    sink: Sink,
) -> Derivative:
    if TARGETS[target].is_portable:
        _check_portable(options, target)
    program, request, gradient = _made(source, function, args, options, target, sink)
    if TARGETS[target].is_one_program:
        check_originals(program, sink)
    unit = _laid_out(gradient, program, request, source, options, target, include, checked=checked)
    return Derivative(
        source=source,
        options=options,
        program=program,
        target=target,
        kind=program.entry.kind,
        function_name=program.entry.qualified_name,
        parameters=_parameters(program),
        result=program.entry.result,
        adjoints=_adjoints(gradient, request),
        globals=_variables(program, gradient, unit.scope),
        gradient_name=unit.scope + gradient.main.name,
        launch_name=unit.scope + unit.launch_name,
        shared=shared_memory(gradient.main.body),
        lengths=unit.lengths,
        code=unit.code,
        fragment=unit.fragment,
        header=unit.header,
        apart=unit.apart,
        launching=unit.launching,
        single=gradient.single_extents,
        warnings=sink.warnings,
        is_program=unit.is_program,
        straight=target == "host" and _is_straight(gradient),
        keeps_types=target == "host" and keeps_types(program),
        given_to_kernels=gradient.given_to_device,
        split=gradient.main.split is not None,
        requested=(function, args),
        written=gradient.written,
        found=gradient.found,
        changed=gradient.changed,
        member_adjoints=tuple(
            MemberAdjoint(b.name, b.parameter, b.member.path, b.type, scalars_in(b.member.type))
            for b in gradient.besides
        ),
    )


def _check_portable(options: Options, target: str) -> None:
    """Raises UsageError for options of what other targets are emitted with."""
    asked = {
        "--split": options.split,
        "--checkpoint": options.budget,
        "--trace-nonfinite": options.trace_nonfinite,
        "--accumulate deterministic": options.accumulate == "deterministic",
        "--namespace": bool(options.namespace),
        "--inline": options.inline,
        "--header": options.header,
    }
    for option, is_asked in asked.items():
        if is_asked:
            raise UsageError(f"{option} is not to be had for the target {target!r} yet")


def _laid_out(
    gradient: Gradient,
    program: surface.Program,
    request: Request,
    source: Source,
    options: Options,
    target: str,
    include: str | None = None,
    *,
    checked: bool = False,
    origins: Origins | None = None,
) -> Unit:
    """The file that is emitted."""
    customs = tuple(str(h) for h in header_files(options.custom_derivatives))
    said = f"The gradient of '{program.entry.qualified_name}' by {', '.join(_names(program, request))}."
    around = replace(
        _around(source, program, options, target, include),
        request=said,
        customs=customs,
        namespace=options.namespace,
        inlined=options.inline,
        header=options.header,
        directives=_directives(source, program, include),
    )
    texts = _texts(source, program)
    if TARGETS[target].is_portable:
        for variable in gradient.globals:
            raise UsageError(f"the adjoint of {variable.variable.name!r}, a variable, is not emitted for Kokkos yet")
        return emit_kokkos(gradient, around, texts, origins)
    return emit(gradient, around, texts, checked=checked, traced=options.trace_nonfinite, origins=origins)


def _directives(source: Source, program: surface.Program, include: str | None) -> tuple[str, ...]:
    """What a header includes for the classes in the signature, each as the original includes it, but for what lies
    beside that. Raises UsageError for a class that only the original has."""
    found = []
    for type, directive in program.named:
        if not directive:
            raise UsageError(
                f"header: {type!r}, which the function takes, is defined in {source.name!r} itself, which other files "
                f"cannot include beside its gradient\nhint: put {type!r} into a header that {source.name!r} includes"
            )
        beside = source.path is not None and (source.path.parent / directive[1:-1]).is_file()
        if directive.startswith('"') and beside and include is not None:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(include), directive[1:-1]))
            directive = f'"{included(path)}"'
        found.append(directive)
    return tuple(dict.fromkeys(found))


def undifferentiated(source: Source, function: str, args: str, options: Options, target: str = "host") -> Derivative:
    """A function by itself, as the backend of a target compiles and calls it: a derivative by none of its arguments,
    that has no gradient. Raises DifferentiationError for what cannot be read."""
    sink = Sink({source.name: source.text})

    def made() -> Derivative:
        program = read(source, function, options, sink, target)
        if TARGETS[target].is_one_program:
            check_originals(program, sink)
        symbol = program.entry
        return Derivative(
            source=source,
            options=options,
            program=program,
            target=target,
            kind=symbol.kind,
            function_name=symbol.qualified_name,
            parameters=_parameters(program),
            result=symbol.result,
            adjoints=(),
            globals=(),
            gradient_name="",
            launch_name="",
            code=emit_original(_around(source, program, options, target, None)),
            fragment="",
            single=(),
            warnings=sink.warnings,
            requested=(function, ""),
        )

    return run_deep(made, lambda: _too_deep(sink))


def _around(
    source: Source,
    program: surface.Program,
    options: Options,
    target: str,
    include: str | None,
    without: Collection[surface.Omission] = (),
) -> Around:
    """What an emitted file has of the original, as text or by including it, and of the user's macros."""
    for_host = None
    if without or TARGETS[target].is_one_program:
        called = TARGETS[target].is_one_program  # what launches, by a compiler for the host
        for_host = host_source(source, program, program.include_dirs, without, launches=called)
    original = None
    if for_host is not None:
        original, include = _embedded(source, for_host), None
    elif source.path is None:
        original, include = source.text, None
    elif include is None:
        include = source.path.name
    return Around(target, program, include, original, macros_of(program, options))


def without_parts(derivative: Derivative, parts: Collection[surface.Omission]) -> Derivative:
    """A derivative whose original lacks some parts that it does not need, for the host, or for a device alone."""
    source, program, options = derivative.source, derivative.program, derivative.options

    def stands(parts: Collection[surface.Omission]) -> str:
        around = _around(source, program, options, derivative.target, None, parts)
        return f'#include "{included(around.include or "")}"' if around.original is None else around.original

    return replace(derivative, code=derivative.code.replace(stands(()), stands(parts), 1))


def dump(source: Source, function: str, args: str, options: Options, stage: str) -> str:
    """A stage's result as text: "surface", "ir" (the core form), "adjoint-ir" (the gradient's generated code), or
    "passes" (its bodies after each pass that changed something)."""
    sink = Sink({source.name: source.text})
    return run_deep(lambda: _dump(source, function, args, options, stage, sink), lambda: _too_deep(sink))


def _dump(source: Source, function: str, args: str, options: Options, stage: str, sink: Sink) -> str:
    program = read(source, function, options, sink)
    if stage == "surface":
        return format_program(program)
    from cladpy.ir.code_text import format_block, format_code  # only this asks for them

    request = resolve(program, args, options, sink)
    after: list[tuple[str, str]] = []  # names of passes, and texts

    def note(name: str, block: code.Block) -> None:
        text = format_block(block)
        if not after or text != after[-1][1]:
            after.append((name, text))

    with watched(note) if stage == "passes" else nullcontext():
        gradient = _gradient(program, request, options, sink, "host")
    if stage == "passes":
        return "\n".join(f"==== {name}\n{text}" for name, text in after)
    if stage == "ir":
        return format_function(gradient.primal)
    return "\n".join(format_code(f) for f in gradient.functions)


def explain(
    source: Source, function: str, args: str, options: Options, target: str
) -> tuple[Report, tuple[Diagnostic, ...]]:
    """What the gradient for a target costs, and why; and the warnings about it. Raises as `differentiate` does."""
    sink = Sink({source.name: source.text})

    def report() -> Report:
        program, request, gradient = _made(source, function, args, options, target, sink)
        return explain_gradient(gradient, tuple(_names(program, request)), target)

    return run_deep(report, lambda: _too_deep(sink)), sink.warnings


def annotate(source: Source, function: str, args: str, options: Options, target: str) -> Annotated:
    """The same with the emitted code, whose lines know what of the source they come from. Raises as `differentiate`
    does."""
    sink = Sink({source.name: source.text})

    def made() -> Annotated:
        program, request, gradient = _made(source, function, args, options, target, sink)
        origins = Origins()
        unit = _laid_out(gradient, program, request, source, options, target, origins=origins)
        report = explain_gradient(gradient, tuple(_names(program, request)), target)
        return annotated(report, source.name, source.text, gradient, origins.of(unit.fragment), sink.warnings)

    return run_deep(made, lambda: _too_deep(sink))


def read(source: Source, function: str, options: Options, sink: Sink, target: str = "cuda") -> surface.Program:
    """The function, as it is differentiated, with all that it calls. Reports what it finds; raises
    DifferentiationError."""
    program = settled(by_one(parse(source, function, options, sink, target=target)))
    check_team_sizes(program, sink)
    check_fragments(program, sink)
    sink.raise_if_errors()
    program = in_order(apart(with_scratch(program)), options.std)
    program = with_types(detach(program, sink))
    return with_flat_launches(program) if TARGETS[target].is_portable else program


def _too_deep(sink: Sink) -> DifferentiationError:
    """What is raised where a program nests deeper than recursion goes."""
    sink.error(
        "CP0009",
        "the program is nested too deeply",
        hint="split long chains of nested statements, calls or parentheses",
    )
    return sink.failure()


def _made(
    source: Source, function: str, args: str, options: Options, target: str, sink: Sink
) -> tuple[surface.Program, Request, Gradient]:
    program = read(source, function, options, sink, target)
    request = resolve(program, args, options, sink)
    return program, request, _gradient(program, request, options, sink, target)


def _gradient(program: surface.Program, request: Request, options: Options, sink: Sink, target: str) -> Gradient:
    def built(sink: Sink, *, operands: bool = False) -> Gradient:
        return build_gradient(
            program,
            request.active,
            request.globals,
            request.name,
            options,
            sink,
            integers=request.integers,
            growable=TARGETS[target].tape_grows,
            operands=operands,
            portable=TARGETS[target].is_portable,
        )

    if options.trace_nonfinite:  # what statements read is told, but where the gradient cannot have it
        tried = Sink(sink.texts, list(sink.found))
        with suppress(DifferentiationError):
            gradient = built(tried, operands=True)
            sink.found = tried.found
            return gradient
    return built(sink)


def _names(program: surface.Program, request: Request) -> list[str]:
    parameters = program.functions[program.entry].parameters
    return [*(parameters[i].name for i in request.active), *(g.name for g in request.globals)]


def _is_straight(gradient: Gradient) -> bool:
    """Whether there are kernels, and functions of numbers are called in loops over threads that are ones of vectors."""
    if gradient.main.role is code.FunctionRole.KERNEL:
        return gradient.straight or computes_in_loops_over_threads(gradient.main.plain)
    return bool(gradient.kernels) and all(map(_is_straight, gradient.kernels))


def _parameters(program: surface.Program) -> tuple[Parameter, ...]:
    counts, parameters = dict(program.counts), program.functions[program.entry].parameters
    return tuple(Parameter(p.name, p.type, counts.get(k)) for k, p in enumerate(parameters))


def _adjoints(gradient: Gradient, request: Request) -> tuple[Adjoint, ...]:
    by_name = {p.name: p for p in gradient.main.parameters}
    found = []
    for i in request.active:
        name = f"_d_{gradient.primal.parameters[i].name}"
        type = by_name[name].type
        assert isinstance(type, Pointer | Struct)
        found.append(Adjoint(name, i, type, gradient.followed(gradient.primal.parameters[i].name)))
    return tuple(found)


def _variables(program: surface.Program, gradient: Gradient, scope: str) -> tuple[GlobalVariable, ...]:
    """Those of const type that have no adjoint are left out: they need not exist where the gradient runs. So are
    handles, which the program makes."""
    adjoints = {g.variable: scope + g.name for g in gradient.globals}
    functions = program.functions.values()
    of_device = {g for f in functions if f.symbol.kind is not FunctionKind.HOST for g in globals_of(f)}
    held = (g for g in variables(program) if not isinstance(scalar_of(g.type), Opaque))
    wanted = (g for g in held if g in adjoints or (g.defined and not g.const))
    return tuple(
        GlobalVariable(g.name, g.type, adjoints.get(g, ""), g.const, gradient.followed(g.name), g in of_device)
        for g in wanted
    )


def _texts(source: Source, program: surface.Program) -> dict[str, str]:
    """The sources whose lines may be quoted: the main file, and the headers next to it that functions come from.
    Those of the system, and cladpy's own, users never see."""
    texts = {source.name: source.text}
    for function in program.functions.values():
        name = function.span.file
        if name not in texts and not function.of_system:
            try:
                texts[name] = decoded(Path(name).read_bytes())
            except OSError:
                continue
    return texts


def _embedded(source: Source, text: str) -> str:
    """Text of the original to stand in the emitted file, as if it were a system header included there."""
    return f'# 1 {literal(source.name)} 3\n{text}\n# 1 "<cladpy>"'
