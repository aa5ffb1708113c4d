"""Every derivative rule with a wrong sign, factor or argument, and what the tests of rules say of each."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.derivatives import RULES, MathRule, substitute, used
from cladpy.derivatives.halves import RULES as HALVES
from cladpy.derivatives.text import OPERANDS
from cladpy.toolchain import compile_host
from tests.derivatives.judgement import DTYPE, EPSILON, conventions, disagreement, half_disagreement, sample
from tests.derivatives.program import entries, integer_operand

FACTOR = "1.001"
# What the host does not look at: its own `tanh_dx` of a float is made of the operand alone.
NOT_USED = (("cladpy::tanh_dx<T>", "float", "r"),)


@dataclass(frozen=True)
class Mutant:
    rule: MathRule
    precision: str  # "half" for rules of numbers of sixteen bits
    position: int
    error: str
    partial: str

    def __str__(self) -> str:
        return f"{self.rule.name} ({self.precision}) by operand {self.position}: {self.error}: {self.partial}"


def wrong(rule: MathRule, precision: str) -> Iterator[Mutant]:
    """The rule with one error at a time."""
    for position, partial in enumerate(rule.partials):
        if integer_operand(rule.name, position):
            continue
        if partial is None:
            yield Mutant(rule, precision, position, "one for zero", "T(1)")
            continue
        yield Mutant(rule, precision, position, "sign", f"-({partial})")
        yield Mutant(rule, precision, position, "factor", f"T({FACTOR}) * ({partial})")
        unused = {name for function, of, name in NOT_USED if function in partial and of == precision}
        for name, other in _arguments(rule, partial):
            if name in unused:
                continue
            text = substitute(partial, {name: other})
            if not _symmetric(partial, text):
                yield Mutant(rule, precision, position, f"{name} made {other}", text)


def _arguments(rule: MathRule, partial: str) -> Iterator[tuple[str, str]]:
    """What is used, and what stands in its place: another operand, and a number that is another function of it."""
    numbers = [v for k, v in enumerate(OPERANDS[: rule.arity]) if not integer_operand(rule.name, k)]
    for name in sorted(used(partial)):
        if name != "r" and name not in numbers:
            continue
        yield name, f"(T(0.7) - {name})"
        for other in numbers:
            if other != name and name != "r":
                yield name, other


def _symmetric(partial: str, other: str) -> bool:
    """Whether the text is the same after all."""
    return re.sub(r"\s", "", partial) == re.sub(r"\s", "", other)


def mutants() -> list[Mutant]:
    """Of all rules."""
    found = [m for _, rule, precision in entries() for m in wrong(rule, precision)]
    return found + [m for rule in HALVES for m in wrong(rule, "half")]


def originals() -> list[Mutant]:
    """The rules as they are, which nothing may be said against."""
    found = []
    for rule, precision in [*((r, p) for _, r, p in entries()), *((r, "half") for r in HALVES)]:
        for position, partial in enumerate(rule.partials):
            if not integer_operand(rule.name, position):
                found.append(Mutant(rule, precision, position, "none", partial or "T(0)"))
    return found


def verdicts(chosen: list[Mutant]) -> list[str]:
    """What the tests of rules say of each; empty where they say nothing."""
    parts = ["#include <algorithm>", "#include <cmath>", "#include <cladpy/math.h>"]
    parts += [_text(k, mutant) for k, mutant in enumerate(chosen)]
    library = ctypes.CDLL(str(compile_host("\n".join(parts), optimize="-O0")))
    return [_verdict(getattr(library, f"mutant_{k}"), mutant) for k, mutant in enumerate(chosen)]


def _text(number: int, mutant: Mutant) -> str:
    """`extern "C" void mutant_N(int n, const T *x, ..., T *d)`."""
    rule, precision = mutant.rule, "float" if mutant.precision == "half" else mutant.precision
    operands = OPERANDS[: rule.arity]
    types = [integer_operand(rule.name, k) or precision for k in range(rule.arity)]
    if rule.name.startswith("__double2float") and mutant.precision != "half":
        types = ["double"]
    takes = ", ".join(f"const {t} *{v}_" for t, v in zip(types, operands, strict=True))
    lines = [f'extern "C" void mutant_{number}(int n, {takes}, {precision} *d_) {{', "  for (int i = 0; i < n; ++i) {"]
    lines += [f"    [[maybe_unused]] const {t} {v} = {v}_[i];" for t, v in zip(types, operands, strict=True)]
    if "r" in used(mutant.partial):
        name = rule.name if rule.name.startswith(("std::", "cladpy::")) else f"::{rule.name}"
        lines.append(f"    const {precision} r = {name}({', '.join(operands)});")
    lines.append(f"    d_[i] = {substitute(mutant.partial, {'T': precision})};")
    return "\n".join([*lines, "  }", "}"])


def _verdict(function: Any, mutant: Mutant) -> str:
    if mutant.precision == "half":

        def partial(*point: float) -> float:
            return float(_run(function, [np.array([v], np.float32) for v in point], np.float32)[0])

        return half_disagreement(mutant.rule, mutant.position, partial)
    operands = sample(mutant.rule, mutant.precision)
    partials = _run(function, operands, DTYPE[mutant.precision])
    found = disagreement(mutant.rule, mutant.precision, operands, mutant.position, partials)
    return found or _convention(function, mutant)


def _convention(function: Any, mutant: Mutant) -> str:
    """As the test of conventions at kinks."""
    precision = mutant.precision
    for point, partials in conventions(mutant.rule, precision):
        found = _run(function, [np.array([v], DTYPE[precision]) for v in point], DTYPE[precision])[0]
        if not np.isclose(found, partials[mutant.position], rtol=8 * EPSILON[precision], atol=0.0, equal_nan=True):
            return f"{mutant.rule.name}{point} by {mutant.position}: {found} not {partials[mutant.position]}"
    return ""


def _run(function: Any, operands: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    result = np.zeros(len(operands[0]), dtype)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*operands, result)]
    function(ctypes.c_int(len(operands[0])), *pointers)
    return result


__all__ = ["RULES", "Mutant", "mutants", "originals", "verdicts"]
