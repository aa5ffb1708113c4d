"""A whole file of emitted code, laid out by the templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from cladpy.adjoint.gradient import AdjointGlobal, Gradient
from cladpy.diagnostics import UsageError
from cladpy.emit.closures import Named
from cladpy.emit.expressions import Expressions
from cladpy.emit.folding import WIDTH, folded
from cladpy.emit.functions import function_text, marked, printers
from cladpy.emit.kokkos import KokkosUnit, pullbacks_namespace
from cladpy.emit.kokkos import support as support_of
from cladpy.emit.macros import Macros, again, included_words, without
from cladpy.emit.names import MARK, final_names, resolved, words
from cladpy.emit.origins import Origins
from cladpy.emit.registers import registers_of
from cladpy.emit.shared_arrays import shared_arrays
from cladpy.emit.style import Style
from cladpy.emit.texts import FunctionText, GlobalText, Part, StepText, SumText, VariantText
from cladpy.ir import code, core, surface
from cladpy.ir.code import FunctionRole, Update
from cladpy.ir.code_walk import all_statements
from cladpy.ir.customs import writable
from cladpy.ir.halves import adjoint_value
from cladpy.ir.launching import Counting, Launching, Sum
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Array, Pointer, Struct, declare, spell
from cladpy.normalize.places import element_of, scalars_in
from cladpy.quoting import comment, included, literal
from cladpy.targets import TARGETS
from cladpy.templating import template_named
from cladpy.variants.table import KINDS
from cladpy.variants.variant import Variant

# Stand for the original until names are given, which are none of its own, and for where the user's macros are undefined
# and come again: around the headers before the original, and around what is behind it.
_ORIGINAL = "# \0original\0"
_CLOSURES = "# \0closures\0"
# Around what the host alone has of a gradient for a device.
_APART = {name: f"# \0apart {name}\0" for name in ("begin", "end")}
_MARKS = {name: f"# \0{name}\0" for name in ("head", "head_end", "tail", "tail_end")}

# What functions of libraries are called by, and the header that has it.
_LIBRARIES = tuple((f"cladpy::{name}::", f"cladpy/{name}.h") for name in ("algorithms", "blas", "sorting"))


@dataclass(frozen=True, slots=True)
class Unit:
    """An emitted file in its two forms."""

    code: str
    fragment: str
    launch_name: str
    is_program: bool
    lengths: tuple[str, ...]  # the adjoints whose numbers the launch function is told the count of, after all else
    scope: str = ""  # how names of it begin for callers
    header: str = ""
    apart: tuple[str, ...] = ()  # the parts of the code that are the host's, of what is for a device
    launching: Launching | None = None  # what these do for the gradient of a kernel


@dataclass(frozen=True, slots=True)
class Around:
    """What an emitted file has besides a gradient.

    `include` is what stands in the #include of the original; where it is None, `original` is put there as it is.
    `customs` are headers of custom derivatives, `request` says in the head what was asked for, `macros` are those that
    are the user's. Callers name it in the `namespace`, if there is one.
    """

    target: str
    program: surface.Program
    include: str | None
    original: str | None
    macros: Macros
    request: str = "A function as it is."
    customs: tuple[str, ...] = ()
    namespace: str = ""
    inlined: bool = False  # several files may include it
    header: bool = False  # others have declarations alone, in a header, which includes what `directives` say
    directives: tuple[str, ...] = ()

    def finished(self, text: str, *, fragment: bool = False) -> str:
        """A file, or what of it stands behind the original, as it is given to the user."""
        text = folded(_without_macros(text, self.macros, fragment=fragment))
        return text.replace(_ORIGINAL, self.original or "")


def emit(
    gradient: Gradient,
    around: Around,
    texts: Mapping[str, str],
    *,
    checked: bool = False,
    traced: bool = False,
    origins: Origins | None = None,
) -> Unit:
    """The gradient as text for a target.

    `texts` are the sources for comments. `traced` makes it tell where an adjoint is not finite. With `origins` lines
    are marked with the statements that they are of.
    """
    target, closures = around.target, around.program.closures
    namespace = pullbacks_namespace(gradient.main.name)
    style = partial(style_of, target=target, texts=texts, checked=checked, origins=origins)
    parts: list[Part] = []
    for g in gradient.kernels:
        parts.append(_part(g, style(g, traced=traced), target, namespace))
        parts += _parts_asked_for(g, style, target, namespace)
    parts.append(_part(gradient, style(gradient, traced=traced), target, ""))
    if around.header:
        parts[-1] = parts[-1].for_others
    globals = [_global_text(g, target) for g in gradient.globals]
    if globals and around.inlined:
        raise UsageError(
            f"inline: the adjoint of {globals[0].variable!r} would be another in each file\n"
            "hint: let one file have the gradient, and the others its header (--header)"
        )

    def render(fragment: bool, *, declared_only: bool = False) -> str:
        name = parts[-1].main.name
        return _rendered(around, name, parts, globals, fragment=fragment, traced=traced, declared_only=declared_only)

    named = Named(closures, gradient.main.name)
    code, part = render(False), render(True)
    classes = named.classes(code)
    code, part = named.within(code), named.within(part)
    given = final_names(code)
    code, part = (
        around.finished(resolved(text, given), fragment=is_part).replace(f"{_CLOSURES}\n", classes)
        for text, is_part in ((code, False), (part, True))
    )
    code, apart = _set_apart(code)
    part, _ = _set_apart(part)
    header = around.finished(resolved(render(True, declared_only=True), given), fragment=True) if around.header else ""
    lengths = tuple(t.adjoint.removesuffix(MARK) for t in parts[-1].sums if t.length)
    scope = f"{around.namespace}::" if around.namespace else ""
    is_program = any(f.program for f in _functions(parts))
    launching = _launching(parts[-1], given, scope) if TARGETS[target].runs_on_device else None
    return Unit(code, part, parts[-1].launch_name, is_program, lengths, scope, header, apart, launching)


def _set_apart(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without marks of what is the host's, and these parts of it."""
    begin, end = (f"{mark}\n" for mark in _APART.values())
    first, *rest = text.split(begin)
    parts = [piece.split(end) for piece in rest]
    return first + "".join(map("".join, parts)), tuple(part for part, _ in parts)


def emit_kokkos(gradient: Gradient, around: Around, texts: Mapping[str, str], origins: Origins | None = None) -> Unit:
    """The gradient of a program for Kokkos, which is included; arguments as those of `emit`."""
    name = gradient.main.name
    style = style_of(gradient, around.target, texts, origins=origins)
    made = KokkosUnit(gradient, replace(style, atomics=True, pullbacks=f"{name}_loops"))
    loops = list(made.functions())
    main = made.main()

    def render(fragment: bool, support: str) -> str:
        return template_named(TARGETS[around.target].unit_template).render(
            unit=name,
            main=main,
            loops=loops,
            pullbacks=list(made.pullbacks()),
            support=support,
            include=None if around.include is None else included(around.include),
            original=_ORIGINAL,
            customs=[included(c) for c in around.customs],
            request=comment(around.request),
            fragment=fragment,
            marks=_MARKS,
        )

    support = support_of(render(True, ""))
    code, part = (render(fragment, support).replace("cladpy::", f"{name}_support::") for fragment in (False, True))
    given = final_names(code)
    code, part = (
        around.finished(resolved(text, given), fragment=is_part) for text, is_part in ((code, False), (part, True))
    )
    return Unit(code, part, "", main.program, ())


def emit_original(around: Around) -> str:
    """The original alone, with what it is compiled with."""
    return around.finished(_rendered(around, "original"))


def _functions(parts: Sequence[Part]) -> list[FunctionText]:
    """All functions of the parts, those of their variants too."""
    return [
        *(f for part in parts for f in part.functions),
        *(s.kernel for part in parts for v in part.variants for s in v.steps),
    ]


def _rendered(
    around: Around,
    unit: str,
    parts: Sequence[Part] = (),
    globals: Sequence[GlobalText] = (),
    *,
    fragment: bool = False,
    traced: bool = False,
    declared_only: bool = False,
) -> str:
    """The text as the template has it, with marks in it."""
    program, include = around.program, around.include
    declared, besides = _names(parts[-1], globals) if parts else ([], [])
    inner = f"{re.sub('_*::_*', '_', around.namespace)}_{unit}".replace("__", "_") if around.namespace else ""
    guarded = () if TARGETS[around.target].is_one_program or not parts else program.guarded
    functions = _functions(parts)
    variants = [v for part in parts for v in part.variants]
    texts = [text for f in functions for text in (f.first, f.body, f.last, *f.signature)]
    texts += [text for f in functions if f.split for text in (f.split.forward, f.split.reverse)]
    return template_named(TARGETS[around.target].unit_template).render(
        parts=parts,
        program=any(f.program for f in functions),
        libraries=[name for mark, name in _LIBRARIES if any(mark in text for text in texts)],
        globals=globals,
        guard=(inner or unit).upper(),
        inner=inner,  # in which names mean what they mean in the original, since nothing else is in it
        namespace=around.namespace,
        declared=declared,
        besides=besides,
        api=TARGETS[around.target].api,
        inlined=around.inlined,
        header=around.header,
        declared_only=declared_only,
        directives=around.directives,
        tapes=any(f.split for f in functions),
        kernel_tapes=any(f.tape_class for f in functions),
        launches=any(f.role == "kernel" for f in functions),
        sums_anywhere=any(part.sums for part in parts),
        checks=any(part.main.checked and not part.namespace for part in parts),
        of_a_team=program.of_a_team,
        variant_headers=[kind.header for kind in KINDS if any(v.header == kind.header for v in variants)],
        teams_anywhere=any(f.teams for f in functions),
        include=None if include is None else included(include),
        original=None if around.original is None else _ORIGINAL,
        customs=[included(c) for c in around.customs],
        request=comment(around.request),
        fragment=fragment,
        traced=traced,
        shared_arrays=shared_arrays(program.dynamic_shared),
        closures=_CLOSURES if program.closures and parts else "",
        marks=_MARKS,
        apart=_APART,
        halves=any(uses_halves(text) for text in texts),
        for_cuda=not program.is_for_hip,  # CUDA's warps have 32 lanes
        of_host=program.is_of_host,
        warp_size=_computes_with_warp_size(texts),
        half_pairs=any("__half2 " in text for text in texts),
        missing=comment(", ".join(program.missing)).removeprefix("// ") if guarded else "",
        guarded=_wrapped([f"defined({name})" for name in guarded]),  # which a missing header may have
        brought=program.brought,
        redefined=program.redefined,
    )


def _launching(part: Part, given: Mapping[str, str], scope: str) -> Launching | None:
    """What the launch function does, but for the kernels that it may run in place of the gradient's."""
    f = part.main
    if f.role != "kernel":
        return None

    def final(declarations: Sequence[str]) -> tuple[str, ...]:
        return tuple(resolved(d, given).replace("[[maybe_unused]] ", "") for d in declarations)

    counting = None
    if f.tape == "workspace":
        counting = Counting(
            f"{scope}{f.name}_{'slots' if f.count_at_launch else 'count'}",
            final(f.count_signature),
            f.count_at_launch,
            f.log,
            f.count_memory,
            4 if f.narrow else 8,
            f.whole_grid,
        )
    names = list(f.names)
    sums = [
        Sum(names.index(s.adjoint), s.element, s.count, part.lengths.index(s.length) if s.length else None)
        for s in part.sums
    ]
    return Launching(
        scope + f.name,
        final(f.signature),
        f.sizes,
        f.memory,
        f.standing,
        counting,
        part.recursive,
        part.single,
        tuple(sums),
    )


def _names(main: Part, globals: Sequence[GlobalText]) -> tuple[list[str], list[str]]:
    """What callers name of a unit: what its header declares, and what is in the file besides."""
    function, tape = main.main, f"{main.main.name}_tape"
    declared, besides = [function.name], [g.name for g in globals]
    if function.role == "kernel":
        declared, besides = [main.launch_name], [function.name, *besides, *([tape] if function.tape_class else [])]
    elif function.split:
        declared = [tape]
    return [*declared, *(f"{g.name}_address" for g in globals)], besides


def _wrapped(conditions: Sequence[str]) -> str:
    """What a directive asks for, on lines of their own where one is too short."""
    lines = [""]
    for condition in conditions:
        if len(lines[-1]) + len(condition) > WIDTH - 10:
            lines.append("")
        lines[-1] += f"{condition} || "
    return " \\\n    ".join(line.rstrip() for line in lines).removesuffix(" ||")


def _without_macros(text: str, macros: Macros, *, fragment: bool) -> str:
    """The text of a file in which the user's macros say nothing. Before the original, there are those of the user's
    options only; a fragment stands behind it."""
    before, rest = text.split(_MARKS["head_end"])
    head = macros.named_by(included_words(before), of_options=not fragment)
    tail = macros.named_by(words(text) | included_words(rest))
    lines = {"head": without(head), "head_end": again(head), "tail": without(tail), "tail_end": again(tail)}
    for name, mark in _MARKS.items():
        text = text.replace(f"{mark}\n", lines[name])
    return text


def _parts_asked_for(
    gradient: Gradient, style: Callable[[Gradient], Style], target: str, namespace: str
) -> Iterator[Part]:
    """The kernels of the forms that a host program asks for, with the pullbacks of the gradient itself."""
    for form in gradient.asked:
        for function in form.kernels:
            part = replace(gradient, functions=(*gradient.functions[:-1], function))
            own = replace(style(part), pullbacks=pullbacks_namespace(gradient.main.name))
            text = function_text(function, own, target, gradient.main.role)
            yield _laid_out(part, [text], namespace, summing=function.name in own.exact)


def _part(gradient: Gradient, style: Style, target: str, namespace: str) -> Part:
    functions = [function_text(f, style, target, gradient.main.role) for f in gradient.functions]
    variants = tuple(_variant(v, style, target) for v in gradient.variants)
    return _laid_out(gradient, functions, namespace, variants)


def _laid_out(
    gradient: Gradient,
    functions: list[FunctionText],
    namespace: str,
    variants: tuple[VariantText, ...] = (),
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
        variants,
    )


def _variant(variant: Variant, style: Style, target: str) -> VariantText:
    steps = [StepText(step, function_text(step.kernel, style, target, FunctionRole.KERNEL)) for step in variant.steps]
    _, printer = printers(marked(variant.steps[0].kernel), style, logical=False, launching=True)
    return VariantText(variant.header, variant.verb, tuple(steps), *variant.test(_AtLaunch(printer.e)), variant.end)


@dataclass(frozen=True, slots=True)
class _AtLaunch:
    """Writes what a launch function tests."""

    expressions: Expressions

    def __call__(self, expr: core.Expr) -> str:
        return self.expressions.text(expr)

    def pointer(self, name: str) -> str:
        return name + MARK


def _sums(gradient: Gradient) -> list[SumText]:
    types = {p.name: p.type for p in gradient.main.primal.parameters}
    found = []
    for b in gradient.exact:
        type = types[b.adjoint.removeprefix("_d_")]
        count = len(type.fields) if isinstance(type, Struct) else 1
        adjoint = b.adjoint + MARK
        found.append(SumText(adjoint, spell(b.element), count, "" if b.single else f"_n{adjoint}{MARK}"))
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


def style_of(
    gradient: Gradient,
    target: str,
    texts: Mapping[str, str],
    *,
    checked: bool = False,
    traced: bool = False,
    origins: Origins | None = None,
) -> Style:
    """How the functions of a gradient are written for a target."""
    return Style(
        atomics=gradient.main.role is FunctionRole.KERNEL,
        checked=checked and TARGETS[target].has_workers,
        sources={name: text.split("\n") for name, text in texts.items()},
        pullbacks=pullbacks_namespace(gradient.main.name),
        adjoint_globals={root: g.name for g in gradient.globals for root in g.roots},
        addresses={g.variable.name: g.name for g in gradient.globals},
        exact=_summing(gradient),
        origins=origins,
        tracer=_tracer(gradient) if traced else "",
        kernels=TARGETS[target].runs_on_device,
        registers=registers_of(gradient.functions[:-1]) if TARGETS[target].runs_on_device else {},
        workers=TARGETS[target].has_workers and gradient.main.role is FunctionRole.KERNEL,
    )


def _tracer(gradient: Gradient) -> str:
    """Where the code runs, and the kernel or function whose gradient it is."""
    symbol = gradient.main.primal.symbol
    at = {FunctionKind.KERNEL: "kernel", FunctionKind.HOST: "host"}.get(symbol.kind, "device")
    return f"cladpy::traced_at::{at}, {literal(symbol.qualified_name)}"


def _global_text(adjoint: AdjointGlobal, target: str) -> GlobalText:
    """Objects begin as zeros, whatever constructors their class has."""
    element, count = writable(adjoint_value(element_of(adjoint.variable.type))), scalars_in(adjoint.variable.type)
    if isinstance(element, Struct):
        declaration, first = f"cladpy::zeros<{spell(element)}, {count}> {adjoint.name}", f"&{adjoint.name}[0]"
    else:
        declaration, first = declare(Array(element, count), adjoint.name), adjoint.name
    pointer = Pointer(element)
    on_device = adjoint.on_device and TARGETS[target].runs_on_device  # where the variable lies
    accessor = declare(pointer, f"{adjoint.name}_address()")
    return GlobalText(
        adjoint.variable.name, adjoint.name, count, declaration, accessor, spell(pointer), first, on_device
    )


def uses_halves(text: str) -> bool:
    """Whether numbers of sixteen bits occur in C++ text."""
    return "__half" in text or "__nv_bfloat16" in text


def _computes_with_warp_size(texts: Sequence[str]) -> bool:
    """Whether a number of lanes is asked for in a program whose lanes do things together."""
    together = any(re.search(r"_sync\(|\bcladpy::(shfl|largest|match_all)", text) for text in texts)
    return together and any("warpSize" in text for text in texts)
