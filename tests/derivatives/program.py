"""One C++ program with every rule's value and partials as functions over arrays, in float and in double."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.derivatives import RULES, MathRule, substitute
from cladpy.derivatives.text import OPERANDS

# operands that are integers: function, position -> C++ type
INTEGER_OPERANDS = {
    ("ldexp", 1): "int",
    ("scalbn", 1): "int",
    ("scalbln", 1): "long",
    ("jn", 0): "int",
    ("yn", 0): "int",
}
# Functions whose name fits one precision only, though it lacks or shows an `f` at its end.
_FLOAT_ONLY = ("__fdividef", "__saturatef", "__double2float")
# CUDA has these for double alone under the unsuffixed name.
_DOUBLE_ONLY = ("fdivide", "norm3d", "norm4d", "rhypot", "rnorm3d", "rnorm4d")


CXX20 = frozenset(["std::lerp"])
# the standard library has these without a device form; CUDA users call norm3d
HOST_ONLY = frozenset(["std::hypot"])


def integer_operand(name: str, position: int) -> str | None:
    """The type of an operand that is an integer, or None."""
    return INTEGER_OPERANDS.get((name, position)) or INTEGER_OPERANDS.get((name.removesuffix("f"), position))


def precisions(rule: MathRule) -> tuple[str, ...]:
    """The result types with which the function exists."""
    name = rule.name
    suffixed = any(other.name == name.removesuffix("f") for other in RULES) and name.endswith("f")
    if name.startswith("__"):
        return ("double",) if name.startswith(("__d", "__fma_")) and not name.startswith(_FLOAT_ONLY) else ("float",)
    if suffixed:
        return ("float",)
    if name in _DOUBLE_ONLY:
        return ("double",)
    return ("float", "double")


def entries(left_out: frozenset[str] = CXX20) -> Iterator[tuple[str, MathRule, str]]:
    """A name for the C++ function, the rule and the precision, for every combination that exists."""
    for number, rule in enumerate(RULES):
        if rule.name in left_out:
            continue
        for precision in precisions(rule):
            yield f"entry_{number}_{precision}", rule, precision


def program(qualifier: str = "") -> str:
    """The text: `extern "C" void entry(int n, const T *x, ..., T *r, T *dx, ...)` for every entry.

    `qualifier` is empty for the host; with `__global__` the functions are compiled for a device.
    """
    parts = ["#include <cmath>", "#include <algorithm>", "#include <type_traits>"]
    parts += ["#include <cladpy/arithmetic.h>", "#include <cladpy/math.h>"]
    for entry, rule, precision in entries(CXX20 | HOST_ONLY if qualifier else CXX20):
        operands = OPERANDS[: rule.arity]
        types = [integer_operand(rule.name, k) or precision for k in range(rule.arity)]
        if rule.name.startswith("__double2float"):
            types = ["double"]
        takes = [f"const {t} *{v}_" for t, v in zip(types, operands, strict=True)]
        gives = [f"{precision} *r_", *(f"{precision} *d{v}_" for v in operands)]
        name = rule.name if rule.name.startswith(("std::", "cladpy::")) else f"::{rule.name}"
        call = f"{name}({', '.join(operands)})"
        head = f'extern "C" {qualifier} void {entry}(int n, {", ".join(takes + gives)}) {{'
        lines = [head, "    for (int i = 0; i < n; ++i) {"]
        lines += [f"        const {t} {v} = {v}_[i];" for t, v in zip(types, operands, strict=True)]
        lines += [f"        const {precision} r = {call};", "        r_[i] = r;"]
        for v, partial in zip(operands, rule.partials, strict=True):
            text = "0" if partial is None else substitute(partial, {"T": precision})
            if partial is not None:  # a float function has float partials: one double constant would make it slow
                lines.append(f"        static_assert(std::is_same_v<std::decay_t<decltype({text})>, {precision}>);")
            lines.append(f"        d{v}_[i] = {text};")
        parts.append("\n".join([*lines, "    }", "}"]))
    return "\n".join(parts) + "\n"
