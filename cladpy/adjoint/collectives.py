"""Warp intrinsics in generated code, and where their adjoints go.

The adjoint of a shuffle is a shuffle as well, of the result's adjoint: back to the lane whose number was read. The
lanes that ran the one run the other, also those whose own adjoint is zero.
"""

from __future__ import annotations

from collections.abc import Mapping

from cladpy import known
from cladpy.analysis.uniform import Varying
from cladpy.diagnostics import Sink
from cladpy.ir import code, core
from cladpy.ir.exact import exactly
from cladpy.ir.halves import adjoint_value
from cladpy.ir.walk import substitute

Environment = Mapping[core.Value, core.Expr]


def together(statement: core.Collective, env: Environment, exact: bool) -> code.Together:
    """The intrinsic as the original calls it. `exact` says that the number which it passes on decides something."""
    assert statement.value is not None
    asked = (e if e in statement.operands[:1] and not exact else exactly(e) for e in statement.arguments)
    given = tuple(substitute(e, env) for e in asked)
    return code.Together(statement.callee.qualified_name, given, statement.value.type)


def wait(statement: core.Collective, env: Environment) -> code.Perform:
    """The lanes wait for each other, in both directions."""
    return code.Perform(statement.callee, tuple(substitute(exactly(e), env) for e in statement.arguments))


def is_effect(statement: code.Statement) -> bool:
    """Whether a statement does something that the original does for its own sake, such as printing."""
    return isinstance(statement, code.Perform) and not isinstance(known.of(statement.callee.name), known.Collective)


def transposed(
    statement: core.Collective, seed: core.Expr, env: Environment, lanes: Varying, sink: Sink
) -> code.Together:
    """What the lanes that read this one have as adjoints, in sum. `lanes` has what may differ between lanes."""
    name, type = statement.callee.name, adjoint_value(statement.operands[0].type)
    asked = statement.operands[1:]
    assert statement.mask is not None
    mask = substitute(exactly(statement.mask), env)
    function = known.collective(name).adjoint
    if function is None:
        sink.error(
            "CP0460",
            f"no derivative is known for '{name}', through which one passes",
            statement.span,
            hint="leave the integer argument out of the arguments that are differentiated",
        )
        return code.Together(name, (mask, seed), type)
    if any(lanes.expr(e) for e in asked):
        function += "_of_any"
    return code.Together(function, (mask, seed, *(substitute(exactly(e), env) for e in asked)), type)
