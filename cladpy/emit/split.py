"""The split form of a host function's gradient as C++ text: a class whose objects lie between its two sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cladpy.emit.names import MARK, Names, called
from cladpy.emit.statements import Statements
from cladpy.ir import code
from cladpy.ir.declared import arguments, parameter_types
from cladpy.ir.types import Array, Pointer, Reference, Scalar, Type, Void, declare, spell


@dataclass(frozen=True, slots=True)
class SplitText:
    """What the template puts together to a class."""

    result: str  # the type that the function returns; empty where it returns nothing
    number: str  # the type of its value where that is a number, which is an enumeration's underlying integer
    value: str  # what it returns
    constructor: tuple[str, ...]  # declarations of the original's parameters
    arguments: tuple[str, ...]  # declarations of the members that hold them
    initializers: tuple[str, ...]
    aliases: tuple[str, ...]  # what both sweeps begin with: names for memory that stands in
    replaced: tuple[str, ...]  # where the forward sweep takes memory that stands in
    state: tuple[str, ...]  # declarations of what the one leaves for the other
    forward: str
    reverse: str


@dataclass(frozen=True, slots=True)
class KernelTapeText:
    """The same for a kernel, whose tape keeps copies of memory."""

    kernel: str  # as C++ calls it
    types: str  # of its parameters
    passed: str  # what the kernel is given
    constructor: tuple[str, ...]  # after the launch: the original's parameters, and how large what is kept is
    arguments: tuple[str, ...]
    initializers: tuple[str, ...]
    # pointers, each with the names of its size and of the pointer to its copy, and the declaration of that
    kept: tuple[tuple[str, str, str, str], ...]
    given: tuple[str, ...]  # what the gradient is given in their place


def kernel_tape_text(function: code.Function, kept: Sequence[int]) -> KernelTapeText:
    """`kept` are the positions of the parameters whose memory is kept."""
    primal = function.parameters[: len(function.primal.parameters)]
    types = [Pointer(p.type.element) if isinstance(p.type, Array) else p.type for p in primal]
    names = [p.name for p in primal]
    sizes = [f"_n_{names[i]}{MARK}" for i in kept]
    copies = {i: f"_kept_{names[i]}{MARK}" for i in kept}
    return KernelTapeText(
        called(function.primal.symbol),
        parameter_types(function.primal.symbol, types),
        arguments(function.primal.symbol, types, names),
        tuple(declare(type, p.name) for type, p in zip(types, primal, strict=True))
        + tuple(f"std::size_t {size}" for size in sizes),
        tuple(declare(type, p.name) for type, p in zip(types, primal, strict=True))
        + tuple(f"std::size_t {size}" for size in sizes),
        tuple(f"{name}({name})" for name in (*names, *sizes)),
        tuple((names[i], s, copies[i], declare(types[i], copies[i])) for i, s in zip(kept, sizes, strict=True)),
        tuple(copies.get(i, name) for i, name in enumerate(names)),
    )


def split_text(
    function: code.Function, split: code.Split, names: Names, printer: Statements, result: Type
) -> SplitText:
    """`printer` knows what is held (`Statements.held`)."""
    forward = "\n".join(printer.block(split.forward, 2))
    printer.quoted = None
    reverse = "\n".join(printer.block(split.reverse, 2))
    primal = function.parameters[: len(function.primal.parameters)]
    arguments, initializers, aliases, replaced = [], [], [], []
    for position, p in enumerate(primal):
        stands_in = position in split.stand_ins
        if stands_in and isinstance(p.type, Reference):
            place, at = Pointer(p.type.referee), f"_at_{p.name}{MARK}"
            arguments.append(declare(place, at))
            initializers.append(f"{at}(&{p.name})")
            aliases.append(f"[[maybe_unused]] {declare(p.type, p.name)} = *{at};")
            replaced.append(f"{at} = _program.stand_in({at}, 1);")
        else:
            type = Pointer(p.type.element) if isinstance(p.type, Array) else p.type
            arguments.append(declare(type, p.name))
            initializers.append(f"{p.name}({p.name})")
            if stands_in:
                replaced.append(f"{p.name} = _program.stand_in({p.name});")
    state = [f"{declare(v.type, names.of(v))}{{}};" for v in split.variables]
    for s in split.arrays:
        element = s.root.adjoint_cell if s.adjoint else s.root.element
        state.append(f"{declare(Array(element, s.root.length or 1), names.of((s.root, s.adjoint)))};")
    is_number = isinstance(result, Scalar)
    enumeration = result.enum if isinstance(result, Scalar) else ""
    returned = f"({enumeration})_value" if enumeration else "_value"
    return SplitText(
        "" if isinstance(result, Void) else enumeration or spell(result),
        spell(result) if is_number else "",
        returned if is_number else "*_value",
        tuple(declare(p.type, p.name) for p in primal),
        tuple(arguments),
        tuple(initializers),
        tuple(aliases),
        tuple(replaced),
        tuple(state),
        forward,
        reverse,
    )
