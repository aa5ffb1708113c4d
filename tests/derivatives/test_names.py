"""The front end's names for library functions lead to their rules, whatever headers it reads."""

from __future__ import annotations

import pytest

from cladpy.derivatives import lookup
from cladpy.diagnostics import Sink
from cladpy.frontend import parse
from cladpy.frontend.toolkit import packages_include, toolkit_include
from cladpy.ir import surface
from cladpy.ir.types import spell
from cladpy.options import Options
from cladpy.source import Source
from tests.derivatives.program import CXX20, HOST_ONLY, entries, integer_operand

# what clang's wrapper of the toolkit's headers lacks; a user who includes these meets a diagnostic
UNDECLARED = frozenset(["__tanhf", "fdivide", *(f"__fmaf_ieee_{mode}" for mode in ("rn", "rz", "ru", "rd"))])
STANDARD = ("sin", "cos", "exp", "log", "pow", "hypot", "fmax", "abs", "fabs", "atan2", "lgamma", "erf", "fma", "ldexp")
PRESENT = {"toolkit": toolkit_include(), "packages": packages_include()}
ROUTES = ["declarations", *[route for route, include in PRESENT.items() if include is not None][:1]]


def calls(route: str) -> list[tuple[str, str, str]]:
    """The call of every rule's function as C++, the rule's name, and the type of the result."""
    found = []
    for _, rule, precision in entries(CXX20 | HOST_ONLY | (frozenset() if route == "declarations" else UNDECLARED)):
        if rule.name.startswith("cladpy::"):
            continue
        array = "d" if precision == "double" or rule.name.startswith("__double2float") else "f"
        operands = [f"{'i' if integer_operand(rule.name, k) else array}[{k}]" for k in range(rule.arity)]
        for prefix in ("", "std::") if rule.name in STANDARD else ("",):
            found.append((f"{prefix}{rule.name}({', '.join(operands)})", rule.name, precision))
    return found


def called(expression: surface.Expr) -> surface.Call:
    while isinstance(expression, surface.Cast):
        expression = expression.operand
    assert isinstance(expression, surface.Call)
    return expression


@pytest.mark.parametrize("route", ROUTES)
def test_names_from_the_front_end_are_found(route: str) -> None:
    wanted = calls(route)
    body = "".join(f"    {'d' if precision == 'double' else 'f'}[0] = {text};\n" for text, _, precision in wanted)
    text = f"#include <cmath>\n__global__ void k(double *d, float *f, int *i) {{\n{body}}}\n"
    sink = Sink()
    program = parse(Source.load(text), "k", Options.make(), sink, headers=route)
    statements = program.functions[program.entry].body.statements
    assert len(statements) == len(wanted)
    for statement, (text, name, precision) in zip(statements, wanted, strict=True):
        assert isinstance(statement, surface.Evaluate)
        assert isinstance(statement.expr, surface.Assign)
        call = called(statement.expr.value)
        rule = lookup(call.callee.qualified_name, len(call.arguments))
        assert rule is not None, f"{text}: no rule for {call.callee.qualified_name}"
        assert rule.name == name
        assert spell(call.type) == precision, text
        assert call.callee not in program.functions, f"{text}: differentiated through its body"
