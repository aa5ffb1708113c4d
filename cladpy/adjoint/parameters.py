"""The adjoint parameters of a gradient, and what is added to them in the end."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cladpy.adjoint.gradient import AdjointBeside
from cladpy.adjoint.prepare import Prepared
from cladpy.adjoint.sweep import Sweep
from cladpy.ir import code, core
from cladpy.ir.beside import numbers_beside
from cladpy.ir.code import Update
from cladpy.ir.halves import adjoint_value, is_pair
from cladpy.ir.types import Struct, Type, is_floating, is_half


def primal_parameters(function: core.Function) -> list[code.Parameter]:
    """Those of the original. One that is called as the adjoint of another is loses its underscore."""
    names = {p.name for p in function.parameters}
    adjoints = {f"_d_{name}" for name in names} | {"_d_return"}
    found = []
    for p in function.parameters:
        name = p.name
        if name in adjoints:
            name = name.removeprefix("_")
            while name in names:
                name += "_"
            names.add(name)
        found.append(code.Parameter(name, p.type, p.parts))
    return found


def adjoints_beside(function: core.Function, active: tuple[int, ...]) -> tuple[AdjointBeside, ...]:
    taken = {f"_d_{p.name}" for p in function.parameters} | {p.name for p in function.parameters} | {"_d_return"}
    found: list[AdjointBeside] = []
    for i in active:
        p = function.parameters[i]
        for member in numbers_beside(p.type):
            name = base = f"_d_{p.name}_{member.name}"
            number = 0
            while name in taken:
                name, number = f"{base}_v{number}", number + 1
            taken.add(name)
            found.append(AdjointBeside(name, i, member))
    return tuple(found)


def scalar_adjoints(
    prepared: Prepared,
    sweep: Sweep,
    update: Update,
    own: Mapping[tuple[int, int], str] = MappingProxyType({}),
    fresh: tuple[str, ...] = (),
) -> list[code.Statement]:
    """Adds the adjoints of scalar parameters to where their pointers point; `own` names those of members that have
    an adjoint of their own, by position and offset, `fresh` the parameters for which they point to zero."""
    return [
        code.AddParameter(
            f"_d_{p.name}" if part.own is None else own[i, part.own.offset],
            cell_of(p, c),
            core.Use(sweep.adjoints.adjoint[c]),
            Update.ATOMIC if update is Update.EXACT and not is_floating(c.type) else update,
            part.member if part.own is None else part.own.member,
            p.name in fresh and not is_half(cell_of(p, c)),
        )
        for i, p in enumerate(prepared.function.parameters)
        for part in p.parts
        if isinstance(c := part.content, core.Value) and c in sweep.adjoints.adjoint
    ]


def cell_of(parameter: core.Parameter, number: core.Value) -> Type:
    """The type that a number of a parameter has in its adjoint: in a class of the user's, its own."""
    by_class = isinstance(parameter.type, Struct) and not is_pair(parameter.type)
    return number.type if by_class else adjoint_value(number.type)


def seed_parts(function: core.Function) -> tuple[core.Part, ...]:
    """What the parameter with the result's adjoint gives, for each number of the result."""
    names = ((leaf.member or "{b}").replace("{b}", "_d_return") for leaf in function.results)
    return tuple(
        core.Part(core.Value(name, adjoint_value(leaf.expr.type)), leaf.member)
        for name, leaf in zip(names, function.results, strict=True)
    )
