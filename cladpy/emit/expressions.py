"""Expressions as C++ text, with as few parentheses and casts as the meaning allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cladpy import derivatives
from cladpy.emit.literals import converted, literal
from cladpy.emit.names import Names
from cladpy.ir import code, core
from cladpy.ir.fold import cast
from cladpy.ir.halves import adjoint_value
from cladpy.ir.never import assert_never
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import (
    INT,
    Pointer,
    Scalar,
    Type,
    arithmetic_conversion,
    is_floating,
    is_half,
    is_integer,
    is_signed,
    size_of,
    spell,
)

_PRECEDENCE = {
    BinaryOp.MUL: 5, BinaryOp.DIV: 5, BinaryOp.REM: 5, BinaryOp.ADD: 6, BinaryOp.SUB: 6,
    BinaryOp.SHL: 7, BinaryOp.SHR: 7,
    BinaryOp.LT: 9, BinaryOp.LE: 9, BinaryOp.GT: 9, BinaryOp.GE: 9, BinaryOp.EQ: 10, BinaryOp.NE: 10,
    BinaryOp.BIT_AND: 11, BinaryOp.BIT_XOR: 12, BinaryOp.BIT_OR: 13, BinaryOp.AND: 14, BinaryOp.OR: 15,
}  # fmt: skip
_PRIMARY, _UNARY, _CONDITIONAL = 0, 3, 16
# operators that may be nested in each other without parentheses that a reader, or -Wparentheses, would miss
_ARITHMETIC = frozenset({BinaryOp.MUL, BinaryOp.DIV, BinaryOp.ADD, BinaryOp.SUB})
_COMPARISONS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE, BinaryOp.EQ, BinaryOp.NE})


class Expressions:
    """Prints expressions of one function. `builtins` spells CUDA's built-in variables where they are not themselves."""

    def __init__(self, names: Names, builtins: dict[BuiltinVar, str]) -> None:
        self.names = names
        self.builtins = builtins
        self.vectors: Mapping[core.Root, core.InVectors] = {}  # memory that is part of arrays of vectors

    def text(self, expr: core.Expr) -> str:
        return self._print(expr)[0]

    def operand(self, expr: core.Expr) -> str:
        """In parentheses unless it is one word or a call."""
        text, precedence = self._print(expr)
        return text if precedence == _PRIMARY else f"({text})"

    def given(self, expr: core.Expr, type: Type) -> str:
        """A value for memory or a parameter of a type, which may be an enumeration."""
        if isinstance(type, Scalar) and type.enum:
            return f"({type.enum}){self.operand(expr)}"
        return self.text(cast(expr, type) if is_half(type) else expr)

    def _print(self, expr: core.Expr) -> tuple[str, int]:
        match expr:
            case core.Const(value, type):
                text = literal(value, type)
                if is_half(type):
                    return text, _PRIMARY
                return text, _UNARY if text[0] in "-(" and not text.startswith("(-") else _PRIMARY
            case core.Use(value):
                return self.names.of(value), _PRIMARY
            case core.Builtin(var):
                return self.builtins.get(var, var.value), _PRIMARY
            case core.Unary(op, operand):
                inner, precedence = self._print(operand)
                if precedence > _PRIMARY:
                    inner = f"({inner})"
                return op.value + inner, _UNARY
            case core.Binary():
                return self._binary(expr)
            case core.Select(condition, then, other):
                parts = [self._wrapped(e, _CONDITIONAL - 1) for e in (condition, then, other)]
                return f"{parts[0]} ? {parts[1]} : {parts[2]}", _CONDITIONAL
            case core.Cast(operand, type) if is_half(operand.type) or is_half(type):
                assert isinstance(operand.type, Scalar) and isinstance(type, Scalar)
                return converted(self.text(operand), operand.type, type), _PRIMARY
            case core.Cast(operand, type):
                return f"({spell(type)}){self.operand(operand)}", _UNARY
            case core.Math(callee, arguments):
                given = ", ".join(self.text(a) for a in arguments)
                return f"{callee.qualified_name}({given})", _PRIMARY
            case core.IsNull():
                return f"{self._pointer(expr)} == nullptr", _PRECEDENCE[BinaryOp.EQ]
            case core.Address(type=type):
                return f"({spell(type)}){self._pointer(expr)}", _UNARY
            case core.Nested():
                raise AssertionError("a subscript of several steps outside of an element")
            case core.Formula(partial, operands, type):
                return self._formula(partial, operands, type)
            case core.Linear():
                raise AssertionError("a derivative where a value is computed")
            case _:
                assert_never(expr)

    def _formula(self, partial: str, operands: tuple[tuple[str, core.Expr], ...], type: Type) -> tuple[str, int]:
        call = partial.endswith(")") and partial.startswith("cladpy::") and partial.count("(") == 1
        texts = {n: (self.text(e) if call else self.operand(e)) for n, e in operands}
        text = derivatives.substitute(partial, {**texts, "T": spell(type)})
        simple = call or text.replace("_", "").isalnum()
        return (text, _PRIMARY) if simple else (f"({text})", _PRIMARY)

    def _wrapped(self, expr: core.Expr, most: int) -> str:
        text, precedence = self._print(expr)
        return text if precedence <= most else f"({text})"

    def _binary(self, expr: core.Binary) -> tuple[str, int]:
        op, precedence = expr.op, _PRECEDENCE[expr.op]
        left, right = _without_implied_casts(expr)
        return f"{self._side(left, op, False)} {op.value} {self._side(right, op, True)}", precedence

    def _side(self, expr: core.Expr, op: BinaryOp, right: bool) -> str:
        text, precedence = self._print(expr)
        mine = _PRECEDENCE[op]
        fits = precedence < mine or (
            precedence == mine and not right and op in (*_ARITHMETIC, BinaryOp.AND, BinaryOp.OR)
        )
        if isinstance(expr, core.Binary) and expr.op is not op:
            familiar = (expr.op in _ARITHMETIC and op in (*_ARITHMETIC, *_COMPARISONS)) or (
                expr.op in _COMPARISONS and op in (BinaryOp.AND, BinaryOp.OR)
            )
            fits = fits and familiar
        return text if fits else f"({text})"

    def _pointer(self, test: core.OfPointer) -> str:
        """The pointer by which a root is reached."""
        text = self.names.of((test.root, False))
        if test.index is not None:
            path, indices = self._path(test.root, test.index, adjoint=False)
            for step, i in zip(path[: test.held.steps], indices, strict=True):
                text = self._step(step, text, i)
        return test.held.text.format(b=text)

    # ---- memory ----------------------------------------------------------------------------------------------------

    def element(self, root: core.Root, index: core.Expr, adjoint: bool = False) -> str:
        path, indices = self._path(root, index, adjoint)
        text = self.names.of((root, adjoint))
        for step, i in zip(path, indices, strict=True):
            text = self._step(step, text, i)
        return text

    def _path(self, root: core.Root, index: core.Expr, adjoint: bool) -> tuple[tuple[str, ...], list[core.Expr]]:
        """The text of each step to an element, and its index."""
        path = root.path if not adjoint or root.adjoint_path is None else root.adjoint_path
        vectors = None if adjoint else self.vectors.get(root.storage)
        if vectors is not None:
            path = (f"{{b}}[{{i}}].{vectors.field}",)
        indices: list[core.Expr] = []
        while isinstance(index, core.Nested):
            indices.append(index.inner)
            index = index.outer
        return path, [_without_widening(i) for i in (index, *reversed(indices))]

    def _step(self, step: str, base: str, index: core.Expr) -> str:
        first = isinstance(index, core.Const) and index.value == 0
        if first and step == "(&{b})[{i}]":
            return base
        if first and step.startswith("{b}[{i}]."):
            step = "{b}->" + step.removeprefix("{b}[{i}].")
        return step.format(b=base, i=self.text(index) if "{i}" in step else "")

    def address(self, address: code.Address) -> str:
        if address.seen is not None:
            element = adjoint_value(address.seen) if address.adjoint else address.seen
            place = self.address(replace(address, seen=None))
            return f"({spell(Pointer(element))})" + (f"({place})" if " + " in place else place)
        assert address.adjoint or address.root.storage not in self.vectors, "a pointer into vectors"
        if address.by_reference and not address.adjoint:
            return self.element(address.root, address.offset)
        path, indices = self._path(address.root, address.offset, address.adjoint)
        if not path[-1].endswith("[{i}]"):
            return f"&{self.element(address.root, address.offset, address.adjoint)}"
        base = self.names.of((address.root, address.adjoint))
        for step, i in zip(path[:-1], indices[:-1], strict=True):
            base = self._step(step, base, i)
        base = path[-1].removesuffix("[{i}]").format(b=base, i="")
        offset = indices[-1]
        if isinstance(offset, core.Const) and offset.value == 0:
            return base
        return f"{base} + {self._wrapped(offset, _PRECEDENCE[BinaryOp.ADD] - 1)}"


def taken(text: str, type: Type) -> str:
    """The value of what has a type, as an integer where that is an enumeration."""
    return f"({spell(type)}){text}" if isinstance(type, Scalar) and type.enum else text


def _without_implied_casts(expr: core.Binary) -> tuple[core.Expr, core.Expr]:
    """The operands, less one cast that C++ would make by itself anyway."""
    left, right = expr.left, expr.right
    if expr.op in _ARITHMETIC:
        if _implied(left, right):
            assert isinstance(left, core.Cast)
            return left.operand, right
        if _implied(right, left):
            assert isinstance(right, core.Cast)
            return left, right.operand
    return left, right


def _implied(cast: core.Expr, other: core.Expr) -> bool:
    if not isinstance(cast, core.Cast) or isinstance(other, core.Cast):
        return False
    before, after = cast.operand.type, cast.type
    if not isinstance(before, Scalar) or not isinstance(after, Scalar) or not isinstance(other.type, Scalar):
        return False
    if is_half(before):
        return False
    harmless = is_floating(after) or (is_integer(before) and is_signed(before) == is_signed(after))
    return harmless and other.type == after and arithmetic_conversion(before, other.type) == after


def _without_widening(index: core.Expr) -> core.Expr:
    """A subscript less a conversion to a wider integer, which changes nothing about the element."""
    if isinstance(index, core.Cast) and is_integer(index.operand.type) and is_integer(index.type):
        before, after = index.operand.type, index.type
        if size_of(after) > size_of(before) and (is_signed(after) or not is_signed(before)):
            return index.operand
    if isinstance(index, core.Const):
        return core.Const(index.value, INT)
    return index
