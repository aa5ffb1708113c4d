"""Surface expressions as forward-mode C++: floating-point rvalues are pairs, rvalues of classes are bundles, lvalues
stay, the rest is plain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cladpy.check.classes import Classes, bit_positions
from cladpy.check.globals import Globals
from cladpy.check.host_calls import launch
from cladpy.check.library_calls import library_call
from cladpy.check.storage import is_pair, walk
from cladpy.diagnostics import Sink, Span
from cladpy.ir import surface as s
from cladpy.ir.never import assert_never
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import FunctionSymbol, Role, Symbol, is_dynamic_shared
from cladpy.ir.types import (
    ASIDE,
    BOOL,
    CHAR,
    KERNEL,
    Array,
    Field,
    Opaque,
    Pointer,
    Reference,
    Struct,
    Type,
    Void,
    decay,
    is_floating,
    is_integer,
    scalar_of,
    size_of,
    spell,
    strip_reference,
)

_ORDERS = {  # whether the left operand has to be the larger, and whether it may be equal
    s.BinaryOp.LT: ("false", "false"),
    s.BinaryOp.LE: ("false", "true"),
    s.BinaryOp.GT: ("true", "false"),
    s.BinaryOp.GE: ("true", "true"),
}
_OPERATIONS = {s.BinaryOp.ADD: "add", s.BinaryOp.SUB: "sub", s.BinaryOp.MUL: "mul", s.BinaryOp.DIV: "div"}


class Expressions:
    """Emits expressions; knows the names of variables and functions and which variables lie in memory."""

    def __init__(
        self,
        memory: frozenset[Symbol],
        functions: Mapping[FunctionSymbol, str],
        sink: Sink,
        *,
        swaps: bool = False,
        watched: str = "",
    ) -> None:
        """`swaps`: tangents follow the bits of numbers through integers. `watched`: the program's file, if threads
        are to say at which of its lines they are."""
        self.memory = memory
        self.watched = watched
        self.swaps = swaps
        self.functions = functions
        self.sink = sink
        self.classes = Classes()
        self.globals = Globals(self.classes, watched=bool(watched))
        self._beside_orders: set[tuple[str, str]] = set()  # of operands that a condition asks for the order of, too
        self.slots: list[str] = []  # declarations that the function's body begins with, see `temporary`
        self._names: dict[Symbol, str] = {}
        self._slot_count = 0

    def name(self, symbol: Symbol) -> str:
        if symbol not in self._names:
            self._names[symbol] = f"{symbol.name}_{len(self._names)}"
        return self._names[symbol]

    # ---- rvalues ----------------------------------------------------------------------------------------------------

    def rvalue(self, e: s.Expr) -> str:
        """The value: a pair where the type is floating-point, a bundle where it is a class."""
        if isinstance(e, s.Unsupported):
            return self._unsupported(e)
        if is_floating(e.type):
            return self._pair(e)
        if isinstance(e.type, Struct):
            return self._bundle(e)
        return self._plain(e)

    def _unsupported(self, e: s.Unsupported) -> str:
        """What no program comes to, and what is left out but for its operands."""
        of = self.value_type(e.type)
        value = f"({of})0"
        if is_floating(e.type) or isinstance(e.type, Struct) or e.type == ASIDE:
            value = f"{of}{{}}"
        elif isinstance(e.type, Pointer) and e.type.pointee == CHAR:
            value = f'({of})""'
        parts = [f"cladpy::fail({_quoted(e.message)})"] if e.operands is None else [self.effect(o) for o in e.operands]
        return f"({', '.join([*parts, value])})"

    def plain(self, e: s.Expr) -> str:
        """The value without its tangent."""
        return f"({self._pair(e)}).v" if is_floating(e.type) else self.rvalue(e)

    def effect(self, e: s.Expr) -> str:
        """The expression as a statement without its semicolon."""
        if isinstance(e, (s.Assign, s.CompoundAssign)):
            return f"(void)({self.lvalue(e)})"
        if isinstance(e, s.Cast) and isinstance(e.type, Void):
            return self.effect(e.operand)
        if isinstance(e, s.Comma):
            return f"({self.effect(e.left)}, {self.effect(e.right)})"
        return f"(void)({self.rvalue(e)})"

    def _pair(self, e: s.Expr) -> str:
        of = spell(e.type)
        match e:
            case s.Literal(value):
                return f"constant({_floating_literal(float(value), of)})"
            case s.VarRef() | s.Index() | s.Deref() | s.Assign() | s.CompoundAssign() | s.Member() | s.Temporary():
                return self._read(e)
            case s.IncDec(target, delta, prefix):
                if prefix:
                    return self._read(e)
                return f"increase_after({self.lvalue(target)}, {delta})"
            case s.Unary(s.UnaryOp.NEG, operand):
                return f"negate({self.rvalue(operand)})"
            case s.Unary(_, operand):
                return self.rvalue(operand)
            case s.Binary(op, left, right):
                return f"{_OPERATIONS[op]}<{of}>{{{self.rvalue(left)}, {self.rvalue(right)}}}.r"
            case s.Conditional(condition, then, other):
                return f"({self.rvalue(condition)} ? {self.rvalue(then)} : {self.rvalue(other)})"
            case s.Cast(operand):
                if is_floating(operand.type):
                    return f"convert<{of}>({self.rvalue(operand)})"
                return f"constant(static_cast<{of}>({self.rvalue(operand)}))"
            case s.Call():
                text = self._call(e)
                return f"load({text})" if isinstance(e.callee.result, Reference) else text
            case s.Comma(left, right):
                return f"({self.effect(left)}, {self.rvalue(right)})"
            case s.InitList(elements):
                return self.rvalue(elements[0]) if elements else f"dual<{of}>{{}}"
            case _:
                self.sink.error("CP0902", "the oracle does not know this expression", e.span)
                return f"dual<{of}>{{}}"

    def _bundle(self, e: s.Expr) -> str:
        of = self.classes.spell(e.type)
        match e:
            case s.Call() if not isinstance(e.callee.result, Reference):
                return self._call(e)
            case s.Conditional(condition, then, other):
                return f"({self.rvalue(condition)} ? {self.rvalue(then)} : {self.rvalue(other)})"
            case s.Comma(left, right):
                return f"({self.effect(left)}, {self.rvalue(right)})"
            case s.Construct() | s.InitList():
                fills = "".join(f"{text}; " for text in self.fills("fresh", e))
                return f"[&]() -> bundle<{of}> {{ {of} fresh; blank(fresh); {fills}return take(fresh); }}()"
            case s.Cast(operand) if isinstance(operand.type, Struct):
                return self.rvalue(operand)
            case _ if is_lvalue(e) or isinstance(e, s.Member):
                return f"load({self.lvalue(e)})"
            case _:
                self.sink.error("CP0902", "the oracle does not know this expression", e.span)
                return f"bundle<{of}>{{}}"

    def _plain(self, e: s.Expr) -> str:
        match e:
            case s.Literal(value, type):
                return self._literal(value, type)
            case s.StringLiteral(text):
                return text
            case s.VarRef() | s.Index() | s.Deref() | s.Assign() | s.CompoundAssign() | s.Member() | s.Temporary():
                return self._read_plain(e)
            case s.Builtin(var):
                return var.value
            case s.Unary(op, operand):
                return f"({op.value}{self.plain(operand)})"
            case s.Binary(op, left, right) if op in _ORDERS and is_floating(left.type):
                larger, or_equal = _ORDERS[op]
                types = f"{larger}, {or_equal}, {spell(left.type)}"
                return f"ordered<{types}>{{{self.rvalue(left)}, {self.rvalue(right)}}}.r"
            case s.Binary(s.BinaryOp.EQ | s.BinaryOp.NE as op, left, right) if self._is_beside_order(left, right):
                types = f"{'true' if op is s.BinaryOp.EQ else 'false'}, {spell(left.type)}"
                return f"same<{types}>{{{self.rvalue(left)}, {self.rvalue(right)}}}.r"
            case s.Binary(op, left, right):
                if op in (s.BinaryOp.AND, s.BinaryOp.OR):
                    self._note_orders(e)
                return f"({self.plain(left)} {op.value} {self.plain(right)})"
            case s.IncDec(target, delta, prefix):
                if prefix:
                    return self._read_plain(e)
                return f"({self._overwritten(target)}{'++' if delta > 0 else '--'})"
            case s.Conditional(condition, then, other):
                return f"({self.rvalue(condition)} ? {self.plain(then)} : {self.plain(other)})"
            case s.Cast(operand, type):
                if isinstance(type, Void):
                    return self.effect(operand)
                if self.swaps and _sees_bits(decay(operand.type), type):
                    assert isinstance(type, Pointer)
                    return f"swaps::seen<{self.classes.spell(type.pointee)}>({self.plain(operand)})"
                return f"(({self.classes.spell(type)})({self.plain(operand)}))"
            case s.AddressOf(operand):
                return f"(&{self.lvalue(operand)})"
            case s.Call():
                return self._call(e)
            case s.Comma(left, right):
                return f"({self.effect(left)}, {self.rvalue(right)})"
            case s.InitList(elements, type) if not isinstance(type, Array):
                return self.rvalue(elements[0]) if elements else f"{self.classes.spell(type)}()"
            case _:
                self.sink.error("CP0902", "the oracle does not know this expression", e.span)
                return "0"

    def _note_orders(self, condition: s.Binary) -> None:
        """Takes down of which numbers a condition of several parts asks for the order."""
        for part in (condition.left, condition.right):
            if isinstance(part, s.Binary) and part.op in _ORDERS and is_floating(part.left.type):
                both = (self.rvalue(part.left), self.rvalue(part.right))
                self._beside_orders |= {both, both[::-1]}

    def _is_beside_order(self, left: s.Expr, right: s.Expr) -> bool:
        return is_floating(left.type) and (self.rvalue(left), self.rvalue(right)) in self._beside_orders

    def _read_plain(self, e: s.Expr) -> str:
        """What an lvalue without a tangent holds."""
        text = self.lvalue(e)
        return f"static_cast<{self.classes.spell(e.type)}>({text})" if _is_bits(e) else text

    def _literal(self, value: int | float | bool, type: Type) -> str:
        if isinstance(type, Opaque):
            return f"(({type.spelling}){int(value)})"
        if isinstance(type, Pointer):
            return f"(({self.classes.spell(type)})nullptr)"
        return _literal(value, type)

    # ---- lvalues ----------------------------------------------------------------------------------------------------

    def is_pair_lvalue(self, e: s.Expr) -> bool:
        """Whether the lvalue is a variable that is emitted as a pair, not memory."""
        match e:
            case s.VarRef(symbol):
                return is_pair(symbol, self.memory)
            case s.Assign(target) | s.CompoundAssign(_, target) | s.IncDec(target):
                return self.is_pair_lvalue(target)
            case s.Conditional(_, then):
                return self.is_pair_lvalue(then)
            case s.Comma(_, right):
                return self.is_pair_lvalue(right)
            case _:
                return False

    def _read(self, e: s.Expr) -> str:
        text = self.lvalue(e)
        return text if self.is_pair_lvalue(e) else f"load({text})"

    def _variable(self, symbol: Symbol, span: Span) -> str:
        """A variable at namespace scope."""
        if symbol.type == KERNEL:
            return f'((const void *)"{symbol.name}")'  # it is not called
        if isinstance(symbol.type, Opaque) and (symbol.type == ASIDE or symbol.defined):
            return f"(*new {symbol.type.spelling}())"  # text, or a handle: these hold nothing
        if isinstance(symbol.type, Opaque):
            return symbol.name  # stderr and its like
        if is_dynamic_shared(symbol):
            return f"dynamic_shared<{self.classes.spell(scalar_of(symbol.type))}>()"
        if not self.globals.knows(symbol):
            message = f"at namespace scope the oracle knows no references: '{symbol.name}'"
            self.sink.error("CP0903", message, span)
        return self.globals.place(symbol)

    def lvalue(self, e: s.Expr) -> str:
        match e:
            case s.VarRef(symbol):
                return self._variable(symbol, e.span) if symbol.role is Role.GLOBAL else self.name(symbol)
            case s.Member():
                return self._member(e)
            case s.Temporary(operand):
                return self.temporary(operand)
            case s.Index(base, index):
                inner = self.lvalue(base) if isinstance(base.type, Array) else self.rvalue(base)
                return f"({inner}[({self.rvalue(index)})])"  # `[[`, of a lambda, would begin an attribute
            case s.Deref(operand):
                return f"(*{self.rvalue(operand)})"
            case s.StringLiteral(text):
                return text
            case s.Assign() | s.CompoundAssign():
                return self._assigned(e)
            case s.IncDec(target, delta, True):
                if is_floating(target.type):
                    return f"increase({self.lvalue(target)}, {delta})"
                return f"({'++' if delta > 0 else '--'}{self._overwritten(target)})"
            case s.Conditional(condition, then, other):
                return f"({self.rvalue(condition)} ? {self.lvalue(then)} : {self.lvalue(other)})"
            case s.Comma(left, right):
                return f"({self.effect(left)}, {self.lvalue(right)})"
            case s.Call() if isinstance(e.callee.result, Reference):
                return self._call(e)
            case s.Cast(operand) if is_lvalue(operand):  # a change of constness only
                return self.lvalue(operand)
            case _ if isinstance(e, s.Construct | s.InitList | s.Call) or isinstance(e.type, Struct):
                return self.temporary(e)
            case _:
                self.sink.error("CP0902", "the oracle does not know this expression as an lvalue", e.span)
                return "0"

    def _assigned(self, e: s.Assign | s.CompoundAssign) -> str:
        """What an assignment leaves as an lvalue."""
        match e:
            case s.Assign(target, value):
                if isinstance(target.type, Array):  # a member, in a constructor
                    fills = "".join(f"{text}; " for text in self.fills("whole", value))
                    return f"[&]() -> auto & {{ auto &whole = {self.lvalue(target)}; {fills}return whole; }}()"
                if is_integer(target.type) and target.type == value.type and self.lies(target) and self.lies(value):
                    return f"carried({self.lvalue(target)}, {self.lvalue(value)})"
                if isinstance(target.type, Struct) and not target.type.fields:  # its byte may be another member's
                    return f"({self.effect(value)}, {self.lvalue(target)})"
                if not is_floating(target.type) and not isinstance(target.type, Struct):
                    return f"({self._overwritten(target)} = {self.rvalue(value)})"
                how = "assign" if self.is_pair_lvalue(target) else "store"
                return f"{how}<{self.classes.spell(target.type)}>{{{self.rvalue(value)}, {self.lvalue(target)}}}.r"
            case s.CompoundAssign(op, target, value, compute_type):
                if not is_floating(compute_type):
                    return f"({self._overwritten(target)} {op.value}= {self.rvalue(value)})"
                how = "compound" if is_floating(target.type) else "compound_integer"
                of = spell(target.type)
                place = f"dual<{of}>" if self.is_pair_lvalue(target) and is_floating(target.type) else of
                if isinstance(target, s.Member) and target.field.bits is not None:
                    place = self._bits_type(target)
                types = f"{_OPERATIONS[op]}, {spell(compute_type)}, {place}"
                return f"{how}<{types}>{{{self.rvalue(value)}, {self.lvalue(target)}}}.r"
            case _:
                assert_never(e)

    def lies(self, e: s.Expr) -> bool:
        """Whether a number lies in memory, where pointers may lead: an integer takes tangents along, if bits of other
        numbers are copied by it."""
        match e:
            case s.Deref() | s.Index():
                return True
            case s.Member(field=field):
                return field.bits is None and is_lvalue(e)
            case s.VarRef(symbol):
                return symbol in self.memory or isinstance(symbol.type, Reference)
            case _:
                return False

    def _overwritten(self, target: s.Expr) -> str:
        """The target of a store that is no floating-point number."""
        text = self.lvalue(target)
        variable = isinstance(target, s.VarRef) and target.symbol not in self.memory
        return text if variable or not is_integer(target.type) or _is_bits(target) else f"overwritten({text})"

    def _member(self, e: s.Member) -> str:
        """A member as an lvalue; that of a value is one of a temporary."""
        base = self.lvalue(e.base)
        if e.field.bits is not None:
            return f"bits_of<{self._bits_arguments(e)}>({base})"
        if isinstance(e.field.type, Reference):
            return f"(*member<{self._stored(e.field.type)}, {e.field.offset}>({base}))"
        return f"member<{self.classes.spell(e.field.type)}, {e.field.offset}>({base})"

    def _stored(self, type: Reference) -> str:
        """What a reference is in memory."""
        return self.classes.spell(Pointer(type.referee, type.const))

    def _bits_arguments(self, e: s.Member) -> str:
        assert isinstance(e.base.type, Struct)
        return f"{self.classes.spell(e.field.type)}, {bit_positions(e.base.type)[e.field]}, {e.field.bits}"

    def _bits_type(self, e: s.Member) -> str:
        return f"bits<{self._bits_arguments(e)}>"

    def bound(self, e: s.Expr) -> str:
        """What a reference is bound to: an lvalue, or a temporary that holds the value. That it may be written to is
        for the program to know: its casts away from const are not expressions of the grammar."""
        if not is_lvalue(e) or _is_bits(e):
            return self.temporary(e)
        return f"const_cast<{self.classes.declare(Reference(e.type), '')}>({self.lvalue(e)})"

    def temporary(self, e: s.Expr) -> str:
        """The value in storage of its own, as an lvalue.

        The storage is a variable of the function: it outlives the full expression, as it must where a reference is
        bound to it, and when the expression is evaluated again, what it gave before is dead.
        """
        slot = f"slot_{self._slot_count}"
        self._slot_count += 1
        self.slots.append(f"{self.classes.declare(e.type, slot)};")
        if isinstance(e.type, Opaque):
            return f"({slot} = {self.rvalue(e)})"
        return f"({', '.join([f'blank({slot})', *self.fills(slot, e), slot])})"

    # ---- initialisation ---------------------------------------------------------------------------------------------

    def fills(self, place: str, e: s.Expr) -> list[str]:
        """Expressions that, one after the other, make storage hold the value; it is blank before."""
        match e:
            case s.Construct(constructor, arguments):
                return [f"(void){self._called(constructor, [f'&{place}'], arguments)}"]
            case s.InitList(elements, Struct() as type):
                fills: list[str] = []
                for field, element in zip(type.fields, elements, strict=False):
                    fills += self._field_fills(place, type, field, element)
                return fills
            case s.InitList(elements, Array()):
                return [text for i, element in enumerate(elements) for text in self.fills(f"{place}[{i}]", element)]
            case s.StringLiteral(text):
                return [f"std::memcpy({place}, {text}, sizeof {text})"]
            case _ if isinstance(e.type, Array):
                return [f"copy({place}, {self.lvalue(e)})"]
            case _ if is_floating(e.type) or isinstance(e.type, Struct):
                return [f"(void)store<{self.classes.spell(e.type)}>{{{self.rvalue(e)}, {place}}}"]
            case _ if is_integer(e.type) and self.lies(e):
                return [f"(void)carried({place}, {self.lvalue(e)})"]
            case _:
                return [f"(void)({place} = {self.rvalue(e)})"]

    def _field_fills(self, place: str, type: Struct, field: Field, element: s.Expr) -> list[str]:
        if field.bits is not None:
            bits = f"{self.classes.spell(field.type)}, {bit_positions(type)[field]}, {field.bits}"
            return [f"(void)(bits_of<{bits}>({place}) = {self.rvalue(element)})"]
        if isinstance(field.type, Reference):
            return [self._binding(place, field, field.type, element)]
        return self.fills(f"member<{self.classes.spell(field.type)}, {field.offset}>({place})", element)

    def binding(self, base: s.Expr, field: Field, referred: s.Expr) -> str:
        """Makes a reference member refer to an lvalue."""
        assert isinstance(field.type, Reference)
        return self._binding(self.lvalue(base), field, field.type, referred)

    def _binding(self, place: str, field: Field, type: Reference, referred: s.Expr) -> str:
        return f"(void)(member<{self._stored(type)}, {field.offset}>({place}) = &{self.bound(referred)})"

    # ---- calls ------------------------------------------------------------------------------------------------------

    def _call(self, e: s.Call) -> str:
        if e.launch is not None:
            return launch(self, e)
        if e.callee not in self.functions:
            return library_call(self, e)
        return self._called(e.callee, [], e.arguments, e.last_first)

    def _called(
        self, callee: FunctionSymbol, objects: list[str], given: Sequence[s.Expr], last_first: bool = False
    ) -> str:
        """A call of a function with a body. `objects` are texts of leading arguments without effects."""
        name = self.functions[callee]
        types = callee.parameters[len(objects) :]
        arguments = []
        for position, argument in enumerate(given):
            referred = position < len(types) and isinstance(types[position], Reference)
            arguments.append((referred, self.bound(argument) if referred else self.rvalue(argument)))
        if len(given) < 2 or not any(map(_has_effects, given)):
            return f"{name}({', '.join([*objects, *(text for _, text in arguments)])})"
        # the order of evaluation of arguments is ours to choose: left to right, but for assignments
        lets = [f"auto {'&' if ref else ''}a{i} = {text}; " for i, (ref, text) in enumerate(arguments)]
        ordered = reversed(lets) if last_first else lets
        passed = ", ".join([*objects, *(f"a{i}" for i in range(len(arguments)))])
        return f"[&]() -> {self.value_type(callee.result)} {{ {''.join(ordered)}return {name}({passed}); }}()"

    def value_type(self, type: Type) -> str:
        """The C++ type that emitted functions have for what they take and return."""
        of = self.classes.spell(type)
        if isinstance(type, Struct):
            return f"bundle<{of}>"
        return f"dual<{of}>" if is_floating(type) else of


def _quoted(text: str) -> str:
    """A string literal of C++."""
    return '"' + text.translate({ord("\\"): "\\\\", ord('"'): '\\"', ord("\n"): " "}) + '"'


def _sees_bits(before: Type, after: Type) -> bool:
    """Whether a pointer to numbers becomes one to integers of their size."""
    if not (isinstance(before, Pointer) and isinstance(after, Pointer)):
        return False
    numbers, bits = before.pointee, after.pointee
    return is_floating(numbers) and is_integer(bits) and not after.const and size_of(numbers) == size_of(bits)


def _is_bits(e: s.Expr) -> bool:
    """Whether the lvalue is a bit-field, which has no address."""
    match e:
        case s.Member(field=field):
            return field.bits is not None
        case s.Assign(target) | s.CompoundAssign(_, target) | s.IncDec(target):
            return _is_bits(target)
        case s.Conditional(_, then, other):
            return _is_bits(then) or _is_bits(other)
        case s.Comma(_, right):
            return _is_bits(right)
        case _:
            return False


def _has_effects(e: s.Expr) -> bool:
    effects = (s.Assign, s.CompoundAssign, s.IncDec, s.Call, s.Construct)
    return any(isinstance(n, effects) for n in walk(e))


def _floating_literal(value: float, of: str) -> str:
    if of not in ("float", "double"):
        return f"static_cast<{of}>({_floating_literal(value, 'float')})"
    if math.isnan(value):
        return f"static_cast<{of}>(NAN)"
    if math.isinf(value):
        return f"static_cast<{of}>({'-' if value < 0 else ''}INFINITY)"
    return f"({value.hex()}{'f' if of == 'float' else ''})"


def _literal(value: int | float | bool, type: Type) -> str:
    if isinstance(type, Void):
        return "(void)0"
    if type == BOOL:
        return "true" if value else "false"
    number = int(value)
    if number > 2**63 - 1:
        text = f"{number}ULL"
    elif number == -(2**63):
        text = "(-9223372036854775807LL - 1)"
    else:
        text = f"{number}LL"
    return f"static_cast<{spell(strip_reference(type))}>({text})"
