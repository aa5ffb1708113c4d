"""`python -m cladpy.derivatives.document` prints docs/math.md from the tables."""

from __future__ import annotations

from cladpy.derivatives import elementary, emitted, halves, intrinsics, piecewise, special
from cladpy.derivatives.conventions import tables
from cladpy.derivatives.inactive import BIT_CASTS, GROUPS
from cladpy.derivatives.outputs import MULTI_OUTPUTS, VECTOR_NORMS
from cladpy.derivatives.rule import MathRule
from cladpy.derivatives.text import OPERANDS

_HEAD = """\
# Math functions

Generated from the tables in `cladpy/derivatives/` by `python -m cladpy.derivatives.document`; do not edit.

A function is found by its plain name, with `::`, `std::` or `cuda::std::`. Operands are called `x`, `y`, `z`, `w` in
order, `r` is the result and `T` its type. Functions named `cladpy::` are in `custom_derivatives/cladpy/math.h`. A dash
means that the partial derivative is zero, or that the operand is an integer.

**Singular** functions have partials that can be infinite or NaN at finite operands, overflow included. There, a zero
adjoint contributes zero: `sqrt(x)` at 0 in a branch whose result is not used adds nothing.

"""

_TABLE = "| Function | Partial derivatives | Singular |\n| --- | --- | --- |\n"

_GROUPS = (
    ("Elementary functions", elementary.RULES),
    ("Special functions", special.RULES),
    ("Piecewise functions, minimum and maximum, fused and rounded arithmetic", piecewise.RULES),
    ("CUDA intrinsics", intrinsics.RULES),
    ("What gradients are made of, for gradients of gradients", emitted.RULES),
    ("`__half` and `__nv_bfloat16`, with `T` float and operands converted to it", halves.RULES),
)


def document() -> str:
    """The text of docs/math.md."""
    parts = [_HEAD, tables()]
    for title, rules in _GROUPS:
        parts.append(f"\n## {title}\n\n{_TABLE}{_rows(rules)}")
    parts.append(_outputs())
    parts.append(_without_derivative())
    return "".join(parts)


def _rows(rules: tuple[MathRule, ...]) -> str:
    """A line per rule; names with the same partials share one."""
    groups: dict[tuple[object, ...], list[MathRule]] = {}
    for rule in rules:
        groups.setdefault((_family(rule.name), rule.partials, rule.singular), []).append(rule)
    lines = []
    for same in groups.values():
        rule = same[0]
        names = ", ".join(f"`{r.name}`" for r in same)
        operands = ", ".join(OPERANDS[: rule.arity])
        partials = "<br>".join(
            f"{v}: {'-' if p is None else f'`{p}`'}" for v, p in zip(OPERANDS, rule.partials, strict=False)
        )
        lines.append(f"| {names} ({operands}) | {partials} | {'yes' if rule.singular else ''} |\n")
    return "".join(lines)


def _family(name: str) -> str:
    """What `sin` and `sinf`, or `__fadd_rn` and `__dadd_ru`, have in common."""
    if not name.startswith("__"):
        return name.removesuffix("f")
    stem = name.removeprefix("__").partition("_r")[0]
    return f"__{stem[1:]}" if stem[:1] in "df" and "_r" in name else name


def _outputs() -> str:
    lines = ["\n## Functions with output pointers\n\nThey are taken apart into plain functions.\n\n"]
    lines.append("| Function | Argument receives | Returns |\n| --- | --- | --- |\n")
    for function in MULTI_OUTPUTS.values():
        received = ", ".join(f"{position}: `{name}`" for position, name in function.outputs)
        lines.append(f"| `{function.name}` | {received} | {f'`{function.result}`' if function.result else ''} |\n")
    lines.append("\n## Lengths of vectors in memory\n\n")
    lines.append("| Function of `(n, p)` | Partial by an element `x` |\n| --- | --- |\n")
    lines += [f"| `{norm.name}` | `{norm.partial}` |\n" for norm in VECTOR_NORMS.values()]
    return "".join(lines)


def _without_derivative() -> str:
    lines = [
        "\n## Functions without a derivative\n\nThey may be called freely, and their derivative is zero. So may the"
        " integer overloads of `abs`, `min` and `max`.\n\n| Group | Functions |\n| --- | --- |\n"
    ]
    lines += [f"| {title} | {_listed(names)} |\n" for title, names in GROUPS.items()]
    lines.append(
        "\n## Functions whose derivative is undefined\n\n"
        f"These give the bits of a floating-point number: {_listed(BIT_CASTS)}. A derivative cannot follow there. Where"
        " the result of a gradient depends on such bits, that is an error (CP0310).\n"
    )
    return "".join(lines)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


if __name__ == "__main__":
    print(document(), end="")
