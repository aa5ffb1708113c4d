"""What the caller asks for and promises, against what the analyses know: is there a derivative, may it be cheaper?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cladpy.adjoint.prepare import Prepared
from cladpy.analysis.flow import seeded
from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import has_floating
from cladpy.options import Options


def check_promises(prepared: Prepared, options: Options, sink: Sink) -> None:
    """What the caller's options ask for and this kernel cannot give."""
    function = prepared.function
    for name, contents in _named(prepared):
        if name in options.fresh and any(c in prepared.activity.stored for c in contents):
            sink.error(
                "CP0311",
                f"fresh names '{name}', which the kernel stores to: its adjoint holds the cotangent",
                function.span,
                hint="promise fresh for inputs only",
            )
    sink.raise_if_errors()


def _named(prepared: Prepared) -> Iterator[tuple[str, tuple[core.Value | core.Root, ...]]]:
    """What can be named, with what it gives: the parameters, and the variables at namespace scope with an adjoint."""
    yield from ((p.name, p.contents) for p in prepared.function.parameters)
    shadowed = prepared.activity.shadowed
    for variable in sorted(prepared.function.variables, key=lambda v: v.symbol.name):
        roots = tuple(root for root in variable.roots if root in shadowed)
        if roots:
            yield variable.symbol.name, roots


@dataclass(frozen=True, slots=True)
class Promised:
    """Memory whose adjoint is zero before, and memory whose adjoint nobody looks at afterwards."""

    fresh: frozenset[core.Root]
    consumed: frozenset[core.Root]


NOTHING_PROMISED = Promised(frozenset(), frozenset())


def promised_roots(prepared: Prepared, options: Options) -> Promised:
    """What is promised of the memory of arguments. The adjoint of a variable is zero before the first call only."""

    def named(names: tuple[str, ...]) -> frozenset[core.Root]:
        given = (c for name, contents in _named(prepared) if name in names for c in contents)
        return frozenset(c for c in given if isinstance(c, core.Root) and c.kind is core.RootKind.ARGUMENT)

    return Promised(named(options.fresh), named(options.consumed))


def check_flow(
    prepared: Prepared, active: tuple[int, ...], globals: tuple[Symbol, ...], integers: bool, sink: Sink
) -> None:
    """A gradient that could only be zero is a mistake in the request, if another could have been made; where all that
    could be named is, it is the function's own, and zero it is."""
    function, activity = prepared.function, prepared.activity
    asked = {*active}
    others = any(i not in asked and has_floating(p.type) for i, p in enumerate(function.parameters))
    report = sink.error if others else sink.warning
    named = ", ".join(f"'{n}'" for n in (*(function.parameters[i].name for i in active), *(g.name for g in globals)))
    varied = {c for i, p in enumerate(function.parameters) if i in asked for c in p.contents if c in activity.values}
    if not seeded(function.symbol.result, integers) and not activity.stored:
        report(
            "CP0302",
            f"none of the arguments {named} is stored to, so every derivative is zero",
            function.span,
            hint="name the output among the arguments" if others else None,
        )
    elif not activity.read and not varied:
        report(
            "CP0303",
            f"no result depends on the arguments {named}, so every derivative is zero",
            function.span,
            hint="name an input among the arguments" if others else None,
        )
    sink.raise_if_errors()
