"""Unions and bit-fields: tangents move with the bits of a number, and end where they are overwritten."""

from __future__ import annotations

import ctypes

import numpy as np

from cladpy.check.classes import bit_positions, cell_offsets, float_offsets
from cladpy.diagnostics import NOWHERE
from cladpy.ir import surface as s
from cladpy.ir.types import (
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    Array,
)
from cladpy.runtime.structs import dtype_of
from tests.check.classes import P, X, Y, at, f, run
from tests.check.handmade import (
    add,
    address,
    binary,
    cast,
    compound,
    deref,
    do,
    give,
    increment,
    index,
    integer,
    kernel,
    let,
    member,
    mul,
    num,
    oracle,
    parameter,
    put,
    ref,
    struct,
    values,
    variable,
)


def test_members_of_unnamed_unions() -> None:
    either = struct("", ("d", DOUBLE), ("v", Array(FLOAT, 2)), ("n", INT), union=True)
    owner = struct("Owner", ("kind", INT), ("", either))
    assert float_offsets(owner) == (8, 12)
    assert cell_offsets(owner) == (0, 8, 12)
    a, b = variable("a", owner), variable("b", owner)
    body = [
        let(a),
        put(member(ref(a), "kind"), integer(1)),
        put(member(ref(a), "", "d"), ref(X)),
        let(b, ref(a)),
        put(index(member(ref(a), "", "v"), 1), cast(ref(Y), FLOAT)),
        give(add(member(ref(b), "", "d"), cast(index(member(ref(a), "", "v"), 1), DOUBLE))),
    ]
    assert at(3.0, 2.0, 1.0, 10.0, oracle(f(*body))) == (5.0, 11.0)


def test_bits_that_are_overwritten_have_no_tangent() -> None:
    """The first guess of a fast reciprocal square root, by a union and by pointers: a function that has steps only."""
    either = struct("Either", ("f", FLOAT), ("i", INT), union=True)
    u, a, i = variable("u", either), variable("a", FLOAT), variable("i", INT)
    magic = integer(0x5F3759DF)
    bits = member(ref(u), "i")
    body = [
        let(u),
        put(member(ref(u), "f"), cast(ref(X), FLOAT)),
        put(bits, binary("-", magic, binary(">>", bits, integer(1)))),
        let(a, cast(ref(Y), FLOAT)),
        let(i, deref(cast(address(ref(a)), P(INT)))),
        put(deref(cast(address(ref(a)), P(INT))), binary("-", magic, binary(">>", ref(i), integer(1)))),
        give(cast(add(member(ref(u), "f"), ref(a)), DOUBLE)),
    ]
    value, tangent = at(4.0, 4.0, 1.0, 1.0, oracle(f(*body)))
    assert abs(value / 2 - 0.5) < 0.02
    assert tangent == 0.0


def test_numbers_moved_as_integers_keep_their_tangents() -> None:
    int4 = struct("int4", *((n, INT) for n in "xyzw"))
    p = parameter("p", P(FLOAT))
    whole = cast(ref(p), P(int4))
    subject = oracle(kernel([p], put(index(whole, 1), index(whole, 0))))
    result = run(subject, [np.arange(8, dtype=np.float32)], {"p": np.arange(8.0)})
    np.testing.assert_array_equal(result.values["p"], [0, 1, 2, 3, 0, 1, 2, 3])
    np.testing.assert_array_equal(result.tangents["p"].astype(float), [0, 1, 2, 3, 0, 1, 2, 3])


FLAGS = struct("Flags", ("a", UINT, 0, 3), ("b", INT, 0, 7), ("c", UINT, 1, 20), ("d", UINT, 4, 5), ("x", DOUBLE))


class CFlags(ctypes.Structure):
    _fields_ = (("a", ctypes.c_uint, 3), ("b", ctypes.c_int, 7), ("c", ctypes.c_uint, 20), ("d", ctypes.c_uint, 5),
                ("x", ctypes.c_double))  # fmt: skip


def test_bit_fields_lie_where_the_compiler_has_them() -> None:
    assert list(bit_positions(FLAGS).values()) == [0, 3, 10, 32]
    p = parameter("p", P(FLAGS))
    v = variable("v", FLAGS)
    body = [
        let(v, index(ref(p), 0)),
        compound(member(ref(v), "b"), "-", integer(5)),
        put(member(ref(v), "c"), member(ref(v), "d")),
        do(increment(member(ref(v), "d"))),
        do(s.CompoundAssign(s.BinaryOp.MUL, member(ref(v), "a"), num(2.5), DOUBLE, UINT, NOWHERE)),
        compound(member(ref(v), "x"), "*", cast(member(ref(v), "b"), DOUBLE)),
        put(index(ref(p), 1), ref(v)),
    ]
    before, after = CFlags(2, -33, 12345, 17, 1.5), CFlags(5, -38, 17, 18, 1.5 * -38)
    array = np.zeros(2, dtype_of(FLAGS))
    array.view(np.uint8)[:16] = np.frombuffer(bytes(before), np.uint8)
    direction = np.zeros(2, dtype_of(FLAGS))
    direction["x"][0] = 1.0
    result = run(oracle(kernel([p], *body)), [array], {"p": direction})
    assert result.values["p"][1].tobytes() == bytes(after)
    assert result.tangents["p"]["x"][1] == -38.0


def test_bit_fields_in_lists() -> None:
    v = variable("v", FLAGS)
    body = [
        let(v, values(FLAGS, s.Literal(5, UINT, NOWHERE), integer(-3), s.Literal(9, UINT, NOWHERE))),
        give(mul(ref(X), cast(binary("*", member(ref(v), "b"), cast(member(ref(v), "c"), INT)), DOUBLE))),
    ]
    assert at(2.0, 0.0, 1.0, 0.0, oracle(f(*body))) == (-54.0, -27.0)
