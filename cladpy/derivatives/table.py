"""All rules by name, and what may be called freely without having a derivative."""

from __future__ import annotations

import re
from functools import cache

from cladpy.derivatives import elementary, emitted, halves, inactive, intrinsics, piecewise, special
from cladpy.derivatives.rule import MathRule

RULES: tuple[MathRule, ...] = (*elementary.RULES, *special.RULES, *piecewise.RULES, *intrinsics.RULES, *emitted.RULES)

# `std::`, `::std::`, libstdc++'s and libc++'s inline namespaces, libcu++'s `cuda::std::`
_STANDARD = re.compile(r"^(?:::)?(?:cuda::)?std::(?:__\w+::)*")


_ARGUMENTS = re.compile(r"\s*<[^<>]*>")


@cache
def _overloads() -> dict[str, tuple[MathRule, ...]]:
    overloads: dict[str, tuple[MathRule, ...]] = {}
    for rule in (*RULES, *halves.RULES):
        overloads[rule.name] = (*overloads.get(rule.name, ()), rule)
    return overloads


def spellings(name: str) -> tuple[str, ...]:
    """The names under which a function may stand in the tables, the closest first."""
    removed = 1
    while removed:  # template arguments, the innermost first
        name, removed = _ARGUMENTS.subn("", name)
    plain, standard = _STANDARD.subn("", name)
    if standard:
        return (f"std::{plain}", plain)
    return (name.removeprefix("::"),)


def lookup(name: str, arity: int | None = None) -> MathRule | None:
    """The rule of a library function: `sin`, `::sinf`, `std::sin`, `std::max<double>`, or None.

    With `arity`, only a rule for that many operands (`std::hypot` has one for two and one for three); else the one with
    the fewest. This looks at the name alone: a function that the user defined under the same name must be recognised
    by the caller, and a call whose result is an integer (`abs(int)`) has no use for the rule.
    """
    found = [rule for s in spellings(name) for rule in _overloads().get(s, ()) if arity is None or rule.arity == arity]
    return min(found, key=lambda rule: rule.arity, default=None)


def has_kinks(name: str, arity: int) -> bool:
    """Whether a library function has a kink where its operands are equal, or its only one is a certain number."""
    rule = lookup(name, arity)
    return rule is not None and bool(rule.kinks)


def compares_halves(name: str) -> bool:
    """Whether a function of CUDA compares two halves."""
    return name in halves.COMPARISONS


def is_inactive(name: str, *, integer_result: bool = False) -> bool:
    """Whether a library function has no side effects and zero derivative everywhere it has one.

    `integer_result` says that this call returns an integer: then the integer overloads of `abs`, `min`, `max` and of
    every function with a rule count too. Reinterpretations of a float's bits are not among them: their result carries
    the value on (see `is_bit_cast`).
    """
    rule = lookup(name)
    if rule is not None and (integer_result or all(p is None for p in rule.partials)):
        return True
    return any(spelling in inactive.FUNCTIONS for spelling in spellings(name))


def is_bit_cast(name: str) -> bool:
    """Whether this takes a floating-point number's bits as an integer (`__float_as_int`).

    Such a call is free of side effects, but a derivative may be lost through it: with an active operand it is for the
    caller to refuse or to warn.
    """
    return any(spelling in inactive.BIT_CASTS for spelling in spellings(name))


def is_pure(name: str) -> bool:
    """Whether a library function is free of side effects and depends on its operands only."""
    return lookup(name) is not None or is_inactive(name) or is_bit_cast(name)
