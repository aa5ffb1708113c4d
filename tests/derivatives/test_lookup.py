"""Finding rules by the names that a front end sees."""

from __future__ import annotations

import pytest

from cladpy.derivatives import (
    RULES,
    is_bit_cast,
    is_inactive,
    is_pure,
    lookup,
    multi_output,
    substitute,
    used,
    vector_norm,
)
from cladpy.derivatives.forms import function


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("sin", "sin"),
        ("::sin", "sin"),
        ("std::sin", "sin"),
        ("::std::sin", "sin"),
        ("std::__1::sin", "sin"),
        ("cuda::std::__4::sinf", "sinf"),
        ("std::pow<float, int>", "pow"),
        ("std::max<double>", "std::max"),
        ("max", "max"),
        ("std::abs", "abs"),
        ("__sinf", "__sinf"),
        ("std::fmax", "fmax"),
    ],
)
def test_spellings_of_a_name(name: str, found: str) -> None:
    rule = lookup(name)
    assert rule is not None
    assert rule.name == found


@pytest.mark.parametrize("name", ["my::sin", "sinful", "lerp", "std::lerpf", "norm", "", "operator<", "printf"])
def test_other_functions_have_no_rule(name: str) -> None:
    assert lookup(name) is None


def test_the_number_of_operands_decides_between_overloads() -> None:
    two, three = lookup("std::hypot", 2), lookup("std::hypot", 3)
    assert two is not None
    assert three is not None
    assert (two.arity, three.arity) == (2, 3)
    assert lookup("std::hypot") == two
    assert lookup("std::max", 3) is None


def test_every_rule_is_found_by_its_own_name() -> None:
    assert len({(rule.name, rule.arity) for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert lookup(rule.name, rule.arity) == rule


def test_a_row_has_an_interval_for_each_operand() -> None:
    assert function("f", "y", "x", on=(0, 1)).domain == ((0.0, 1.0), (0.0, 1.0))
    with pytest.raises(ValueError, match="f: 1 partials but 2 intervals"):
        function("f", "T(1)", on=((0.0, 1.0), (2.0, 3.0)))


def test_inactive_functions() -> None:
    for name in ("std::isnan", "lrint", "__float2int_rn", "__double2uint_rz", "__popc", "floor", "logb", "__vadd2"):
        assert is_inactive(name), name
    for name in ("sin", "abs", "fmax", "__float_as_int", "printf", "atomicAdd", "my::isnan", "clock"):
        assert not is_inactive(name), name
    assert is_inactive("std::numeric_limits<double>::max")


def test_integer_overloads_are_inactive_and_float_overloads_are_not() -> None:
    for name in ("abs", "min", "max", "std::max<int>"):
        assert is_inactive(name, integer_result=True)
        assert not is_inactive(name)


def test_bits_of_a_float_are_pure_but_not_inactive() -> None:
    assert is_bit_cast("__double_as_longlong")
    assert is_pure("__double_as_longlong")
    assert not is_inactive("__double_as_longlong")
    assert not is_pure("atomicAdd")


def test_functions_with_output_pointers() -> None:
    sincos = multi_output("sincos")
    assert sincos is not None
    assert dict(sincos.outputs) == {1: "sin", 2: "cos"}
    modf = multi_output("std::modf")
    assert modf is not None
    assert modf.result == "cladpy::modf_fraction"
    assert multi_output("sin") is None
    assert vector_norm("norm") is not None
    assert vector_norm("std::norm") is None  # of a complex number


def test_the_functions_that_outputs_name_are_known() -> None:
    for name in ("sincosf", "__sincosf", "sincospif", "modff", "frexp", "remquof"):
        description = multi_output(name)
        assert description is not None
        for _, name_of_part in description.outputs:
            assert is_pure(name_of_part)
        assert description.result is None or lookup(description.result) is not None


def test_operands_in_a_partial() -> None:
    assert used("cladpy::pow_dx<T>(x, y)") == {"x", "y"}
    assert used("-::rint((x - r) / y)") == {"x", "y", "r"}
    assert used("::y1(x) * T(2)") == {"x"}
    assert used("T(1)") == frozenset()


def test_substitution_replaces_whole_words_only() -> None:
    names = {"x": "a", "y": "(b + 1)", "r": "t0", "T": "float"}
    assert substitute("-::rint((x - r) / y)", names) == "-::rint((a - t0) / (b + 1))"
    assert substitute("cladpy::norm_dx<T>(x, r)", names) == "cladpy::norm_dx<float>(a, t0)"
    assert substitute("::max(x, T(2))", {"x": "y"}) == "::max(y, T(2))"
