"""What the caller asks for and promises, against what the analyses know: is there a derivative, may it be cheaper?"""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.adjoint.prepare import Prepared
from cladpy.analysis import races
from cladpy.analysis.activity import seeded
from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir.code import Update
from cladpy.ir.reach import reached
from cladpy.ir.symbols import Symbol
from cladpy.ir.walk import statements
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


def consumed_roots(prepared: Prepared, accumulation: races.Accumulation, options: Options) -> frozenset[core.Root]:
    """The outputs whose cotangent need not be zeroed: promised, and touched once by the reverse sweep."""
    promised = [c for name, contents in _named(prepared) if name in options.consumed for c in contents]
    found = set()
    for root in promised:
        if not isinstance(root, core.Root):
            continue
        touching = [
            s
            for s in statements(prepared.function.body)
            if (isinstance(s, core.Store | core.AtomicAdd | core.Atomic | core.Load) and s.root is root)
            or (
                isinstance(s, core.Call)
                and any(
                    isinstance(a, core.PointerArgument) and root in reached(a, prepared.function) for a in s.arguments
                )
            )
        ]
        looped = {
            s
            for loop in statements(prepared.function.body)
            if isinstance(loop, core.Loop)
            for s in statements(loop.body)
        }
        once = len(touching) == 1 and touching[0] not in looped
        if once and isinstance(touching[0], core.Store) and accumulation.take(touching[0]) is Update.PLAIN:
            found.add(root)
    return frozenset(found)


def check_flow(
    prepared: Prepared, active: tuple[int, ...], globals: tuple[Symbol, ...], integers: bool, sink: Sink
) -> None:
    """A gradient that could only be zero is a mistake in the request."""
    function, activity = prepared.function, prepared.activity
    names = [*(function.parameters[i].name for i in active), *(g.name for g in globals)]
    named = ", ".join(f"'{n}'" for n in names)
    span = function.span
    if not seeded(function.symbol.result, integers) and not activity.stored:
        sink.error(
            "CP0302",
            f"none of the arguments {named} is stored to, so every derivative is zero",
            span,
            hint="name the output among the arguments",
        )
        sink.raise_if_errors()
    varied = {c for i, p in enumerate(function.parameters) if i in active for c in p.contents if c in activity.values}
    if not activity.read and not varied:
        sink.error(
            "CP0303",
            f"no result depends on the arguments {named}, so every derivative is zero",
            span,
            hint="name an input among the arguments",
        )
        sink.raise_if_errors()
