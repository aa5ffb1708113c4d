"""Random conditions on the bits of integers and of numbers, and loops over the bits that are set."""

from __future__ import annotations

from tests.generator.constructs import Lines, indented
from tests.generator.expressions import atom, condition, small_integer, stored
from tests.generator.scope import Scope, Variable


def _bits(scope: Scope) -> str:
    """An unsigned integer."""
    rng = scope.rng
    number = atom(scope)
    single, double = f"(float)({number.text})", f"(double)({number.text})"
    return rng.choice(
        (
            f"(unsigned)({small_integer(scope)})",
            f"__float_as_uint({single})",
            f"(unsigned)__float_as_int({single}) >> {rng.randint(1, 31)}",
            f"(unsigned)((unsigned long long)__double_as_longlong({double}) >> {rng.randint(32, 63)})",
            f"(unsigned)__double2hiint({double})",
            f"(unsigned)(int)({number.text} * 16)",
            f"__brev((unsigned)({small_integer(scope)}))",
            f"~(unsigned)({small_integer(scope)})",
        )
    )


def _test(scope: Scope, b: str) -> str:
    rng = scope.rng
    return rng.choice(
        (
            f"({b} >> {rng.randint(0, 31)} & 1)",
            f"({b} & {1 << rng.randint(0, 5)}u) != 0",
            f"__popc({b}) % {rng.randint(2, 3)} == 1",
            f"__clz({b}) > {rng.randint(0, 8)}",
            f"__ffs({b}) > {rng.randint(1, 6)}",
            f"(({b} ^ {rng.randint(1, 9)}u) & 3u) > 1u",
            f"(int){b} < 0",
            f"!({b} & {rng.randint(1, 255)}u)",
        )
    )


def bit_branch(scope: Scope) -> Lines:
    """What bits decide: a branch, a choice, or both."""
    b, v, type = scope.fresh("b"), scope.fresh("v"), scope.type()
    lines = [f"const unsigned {b} = {_bits(scope)};"]
    if scope.chance(0.5):
        inner = scope.inner()
        lines += [f"if ({_test(scope, b)}) {{", *indented(scope.statements(inner, scope.rng.randint(1, 2)))]
        if scope.chance(0.4):
            other = scope.inner()
            lines += [f"}} else if ({_test(scope, b)}) {{", *indented(scope.statements(other, 1))]
        lines.append("}")
    lines.append(f"{type} {v} = {_test(scope, b)} ? {stored(scope, 2).text} : {stored(scope, 1).text};")
    scope.variables.append(Variable(v, type))
    return lines


def over_bits(scope: Scope) -> Lines:
    """A loop over the bits that are set, lowest first or from the end."""
    if scope.loops >= 3:
        return []
    b, k, rng = scope.fresh("b"), scope.fresh("k"), scope.rng
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    inner.integers.append(k)
    few = f"({_bits(scope)}) & {rng.choice((0xB, 0x15, 0x1E))}u"
    if rng.random() < 0.6:
        head, first = f"for (unsigned {b} = {few}; {b}; {b} &= {b} - 1)", f"const int {k} = __ffs({b}) - 1;"
        return [f"{head} {{", *indented([first, *scope.statements(inner, rng.randint(1, 2))]), "}"]
    head = f"for (int {k} = 0; {k} < 5; ++{k})"
    body = [f"if (!({b} >> {k} & 1)) continue;", *scope.statements(inner, rng.randint(1, 2))]
    if rng.random() < 0.4:
        body.append(f"if ({condition(inner)}) break;")
    return [f"const unsigned {b} = {few};", f"{head} {{", *indented(body), "}"]


BITS = (bit_branch, bit_branch, over_bits)
