"""What the caller asked for, checked against the function: which arguments are active, what the gradient is called."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cladpy.diagnostics import Sink
from cladpy.edits import MARK
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface_walk import walk
from cladpy.ir.symbols import FunctionKind, Space, Symbol, gradient_of
from cladpy.ir.types import (
    BOOL,
    Array,
    Pointer,
    Reference,
    Scalar,
    ScalarKind,
    Struct,
    Type,
    Void,
    has_floating,
    holds_pointers,
    is_floating,
    is_integer,
    scalar_of,
    spell,
)
from cladpy.options import Options, split_names
from cladpy.order.scan import globals_of

# Integers that CUDA adds to atomically.
_ATOMIC_INTEGERS = frozenset(
    {
        ScalarKind.INT,
        ScalarKind.UINT,
        ScalarKind.LONG,
        ScalarKind.ULONG,
        ScalarKind.LONGLONG,
        ScalarKind.ULONGLONG,
    }
)


_ADOPT = "PyTorch's tensors are differentiated by where they are arguments of cladpy.torch.adopt(FILE, FUNCTION)"


@dataclass(frozen=True, slots=True)
class Request:
    """`active` are the positions of the arguments that get adjoints, in order; `globals` the variables at namespace
    scope that do; `integers` says that one is an integer."""

    active: tuple[int, ...]
    globals: tuple[Symbol, ...]
    name: str
    integers: bool


def resolve(program: s.Program, args: str, options: Options, sink: Sink) -> Request:
    """The request in terms of the entry's parameters and of the program's variables. Reports CP0304 to CP0309 and
    CP0312 to CP0316, and CP0320."""
    function = program.functions[program.entry]
    globals: tuple[Symbol, ...] = ()
    names = split_names(args)
    parameters = function.parameters
    every = tuple(i for i, p in enumerate(parameters) if has_floating(p.type) and not p.nondifferentiable)
    if names:
        active, globals = _named(names, program, sink)
    else:
        active = every
        if not active:
            said = f"'{function.symbol.name}' has no floating-point argument to differentiate by"
            if _has_tensors(parameters):
                sink.error("CP0305", said, function.span, hint=_ADOPT)
            else:
                sink.error("CP0305", said, function.span, hint="name the arguments that are meant")
        others = (p for i, p in enumerate(parameters) if i not in every and not p.nondifferentiable)
        for symbol in (p for p in others if _leads_to_untyped(p, function)):
            sink.error(
                "CP0308",
                f"argument '{symbol.name}' leads to floating-point numbers by a pointer to void, which has no adjoint",
                symbol.span,
                hint="give that member the type of what it leads to, or name the arguments that are meant",
            )
    integers = False
    for i in active:
        integers |= _check_type(parameters[i], sink)
    for symbol in (*(parameters[i] for i in active), *globals):
        if symbol.nondifferentiable:
            sink.error(
                "CP0315",
                f"'{symbol.name}' is marked as nondifferentiable, and named among the arguments",
                symbol.span,
                hint="take the mark away, or do not name it",
                patch=sink.follows(symbol.span, rf"{MARK}\s*", ""),
            )
    for variable in globals:
        _check_global(variable, program, sink)
    _check_promises(function, active, globals, options, sink)
    sink.raise_if_errors()
    active = tuple(sorted(active))
    suffix = "" if active == every else "".join(f"_{i}" for i in active)
    suffix += "".join(f"_{name}" for name in identifiers([g.name for g in globals]))
    return Request(active, globals, _unused(gradient_of(function.symbol.name) + suffix, program, sink), integers)


def _leads_to_untyped(parameter: Symbol, function: s.Function) -> bool:
    """Whether a pointer to void in an object is used as one to numbers that have derivatives."""
    return any(
        isinstance(e, s.Cast)
        and isinstance(e.type, Pointer)
        and has_floating(e.type)
        and isinstance(e.operand.type, Pointer)
        and isinstance(e.operand.type.pointee, Void)
        and any(isinstance(v, s.VarRef) and v.symbol is parameter for v in walk(e.operand))
        for expr in surface_walk.expressions(function.body)
        for e in walk(expr)
    )


# What is emitted beside a gradient of that name.
_BESIDE = (
    "",
    "_cells",
    "_columns",
    "_count",
    "_gathers",
    "_launch",
    "_launch_with_sums",
    "_pullbacks",
    "_rest",
    "_shared_bytes",
    "_slots",
    "_tape",
)


def _unused(name: str, program: s.Program, sink: Sink) -> str:
    """The name, with a number where the user's files define something that is called so. Reports CP0320."""
    taken = dict(program.taken)

    def meets(name: str) -> str | None:
        return next((name + ending for ending in _BESIDE if name + ending in taken), None)

    met = meets(name)
    if met is None:
        return name
    given = next(n for k in itertools.count(1) if meets(n := f"{name}_v{k}") is None)
    sink.warning(
        "CP0320",
        f"'{met}' is defined here: the gradient is called '{given}'",
        taken[met],
        hint=f"call '{given}', or give what is defined here another name",
    )
    return given


def identifiers(names: list[str]) -> list[str]:
    """Qualified names as identifiers, no two of them the same, with no two underscores more than they have."""
    found: list[str] = []
    for name in names:
        base = plain = re.sub(r"_*\W[\W_]*", "_", re.sub(r"\W+$", "", name))
        number = 0
        while plain in found:
            plain, number = f"{base}_v{number}", number + 1
        found.append(plain)
    return found


def _named(names: tuple[str, ...], program: s.Program, sink: Sink) -> tuple[tuple[int, ...], tuple[Symbol, ...]]:
    function = program.functions[program.entry]
    every = variables(program)
    variable_names = [g.name for g in every]
    globals: list[Symbol] = []
    positions = {p.name: i for i, p in enumerate(function.parameters)}
    found: list[int] = []
    for name in names:
        meant = [] if name in positions else _variables_called(name, every)
        if len(meant) > 1:
            listed = ", ".join(g.name for g in meant)
            sink.error(
                "CP0316", f"'{name}' may be one of several variables: {listed}", function.span, hint="write it in full"
            )
        elif meant and meant[0] in globals:
            sink.error("CP0306", f"argument '{name}' is named twice", function.span, hint="name it once")
        elif meant:
            globals += meant
        elif name not in positions and (refused := _refused(program)) is not None:  # with what names it, perhaps
            sink.error(refused.code, refused.message, refused.span, notes=refused.notes, hint=refused.hint)
        elif name not in positions:
            near = difflib.get_close_matches(name, [*positions, *variable_names], 1)
            listed = ", ".join([*positions, *variable_names]) or "none"
            sink.error(
                "CP0304",
                f"'{function.symbol.name}' has no argument '{name}'",
                function.span,
                hint=f"did you mean '{near[0]}'?" if near else f"its arguments are: {listed}",
            )
        elif positions[name] in found:
            sink.error("CP0306", f"argument '{name}' is named twice", function.span, hint="name it once")
        else:
            found.append(positions[name])
    return tuple(found), tuple(sorted(globals, key=every.index))


def _refused(program: s.Program) -> s.Unsupported | None:
    """The first of what is not supported in the program."""
    found = (e for f in program.functions.values() for x in surface_walk.expressions(f.body) for e in walk(x))
    return next((e for e in found if isinstance(e, s.Unsupported) and e.operands is None), None)


def variables(program: s.Program) -> list[Symbol]:
    """The variables at namespace scope that a program names, in the order of their declarations."""
    found = dict.fromkeys(g for f in program.functions.values() for g in globals_of(f))
    return sorted((g for g in found if g.space is not Space.SHARED), key=lambda g: g.span)


def _variables_called(name: str, every: list[Symbol]) -> list[Symbol]:
    """Those that a name may mean: the whole qualified name, else the end of one."""
    whole = [g for g in every if g.name == name.removeprefix("::")]
    return whole or [g for g in every if g.name.endswith(f"::{name}")]


def _check_global(variable: Symbol, program: s.Program, sink: Sink) -> None:
    if not has_floating(variable.type):
        sink.error(
            "CP0313",
            f"the variable '{variable.name}' is not differentiable: its type has no adjoint",
            variable.span,
            hint="floating-point numbers have one, and classes and pointers that lead to some",
        )
    elif program.entry.kind is FunctionKind.HOST_DEVICE:
        sink.error(
            "CP0314",
            f"'{program.entry.name}' may run on the host and on a device, and the adjoint of '{variable.name}' lies on "
            "one of them",
            variable.span,
            hint="differentiate the kernel that calls the function",
        )


def _has_tensors(parameters: Sequence[Symbol]) -> bool:
    return any(re.search(r"\bat::Tensor\b", spell(p.type)) for p in parameters)


def _check_type(parameter: Symbol, sink: Sink) -> bool:
    """Whether the argument is an integer that is differentiated all the same."""
    element = scalar_of(parameter.type)
    if isinstance(parameter.type, Struct):
        _check_object(parameter, parameter.type, sink)
    if has_floating(parameter.type):
        return False
    if is_integer(element) and element != BOOL and _depth(parameter.type) <= 1:
        assert isinstance(element, Scalar)
        if element.kind in _ATOMIC_INTEGERS:
            sink.warning(
                "CP0307",
                f"argument '{parameter.name}' is an integer: its adjoint is one too, in integer arithmetic",
                parameter.span,
                hint="use floating-point arguments for derivatives in the usual sense",
            )
            return True
    said = f"argument '{parameter.name}' is not differentiable: its type has no adjoint"
    if _has_tensors((parameter,)):
        sink.error("CP0308", said, parameter.span, hint=_ADOPT)
    else:
        hint = "floating-point numbers have one, and classes and pointers that lead to some"
        sink.error("CP0308", said, parameter.span, hint=hint)
    return False


def _check_object(parameter: Symbol, type: Struct, sink: Sink) -> None:
    """What an object holds beside pointers has adjoints of its own, but for objects with pointers in arrays."""
    if not holds_pointers(type):
        return
    numbers = [name for name, of in _numbers_in_arrays(type) if is_floating(of)]
    if numbers:
        listed = ", ".join(f"'{parameter.name}.{n}'" for n in numbers)
        sink.warning(
            "CP0312",
            f"{listed} {'gets' if len(numbers) == 1 else 'get'} no adjoint, beside the pointers of '{parameter.name}'",
            parameter.span,
            hint="pass a number by itself where its derivative is wanted",
        )


def _numbers_in_arrays(type: Struct, path: str = "", inside: bool = False) -> Iterator[tuple[str, Type]]:
    """The numbers beside pointers in the elements of arrays, and their types; an array of them counts as one."""
    for field in type.fields:
        inner = field.type
        while isinstance(inner, Array):
            inner = inner.element
        here = f"{path}{field.name}"
        if isinstance(inner, Struct) and (inside or holds_pointers(inner)):
            within = inside or isinstance(field.type, Array)
            yield from _numbers_in_arrays(inner, f"{here}." if field.name else path, within)
        elif isinstance(inner, Scalar) and inside:
            yield here, inner


def _depth(type: Type) -> int:
    """How many pointers and references lie on each other."""
    depth = 0
    while isinstance(type, Pointer | Reference):
        type = type.pointee if isinstance(type, Pointer) else type.referee
        depth += 1
    return depth


def _check_promises(
    function: s.Function, active: tuple[int, ...], globals: tuple[Symbol, ...], options: Options, sink: Sink
) -> None:
    known = {function.parameters[i].name for i in active} | {g.name for g in globals}
    for option, names in (("fresh", options.fresh), ("consumed", options.consumed)):
        for name in names:
            if name not in known:
                sink.error(
                    "CP0309",
                    f"{option} names '{name}', which is not among the arguments that are differentiated",
                    function.span,
                    hint=f"{option} takes names out of: {', '.join(sorted(known))}",
                )
