"""Destructors as calls that stand where C++ makes them: at the end of scopes and before jumps, last object first.

Only host code has them; in device code objects whose destructor does something are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.hoisting import Hoisted, check_expression, check_order
from cladpy.frontend.refused import Refused
from cladpy.ir import surface as s
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import INT, Array, Pointer, Reference, Struct, Type, Void, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_LARGEST = 64  # arrays of more objects are refused


class Around(Enum):
    """What a scope belongs to: it decides which jumps leave it."""

    FUNCTION = auto()
    LOOP = auto()
    SWITCH = auto()
    TRY = auto()
    BLOCK = auto()


@dataclass(slots=True)
class _Scope:
    around: Around
    objects: list[Symbol] = field(default_factory=list)


class Destructors:
    """The objects of one function that are alive where it is being read."""

    def __init__(self, scope: FunctionReader) -> None:
        self._reader = scope
        self._scopes: list[_Scope] = [_Scope(Around.FUNCTION)]
        self._waiting: list[s.Stmt] = []  # what stands before the statement that is being read
        self._temporaries: list[Symbol] = []  # those of the statement that is being read
        self._hoisted: list[Hoisted] = []  # calls that were taken out of it
        self._is_certain = True  # whether what is being read is evaluated once, with its statement
        self._is_fixed = False  # whether calls stay in the expressions that they stand in
        self._is_whole = False  # whether what is being read is all that its statement evaluates

    # ---- scopes -----------------------------------------------------------------------------------------------------

    def enter(self, around: Around) -> None:
        self._scopes.append(_Scope(around))

    @property
    def depth(self) -> int:
        """How many scopes are open."""
        return len(self._scopes)

    def abandon(self, depth: int) -> None:
        """Forgets what belongs to a statement that is refused."""
        del self._scopes[depth:]
        self._waiting, self._temporaries, self._hoisted = [], [], []
        self._is_certain, self._is_whole = True, False

    def leave(self, statements: list[s.Stmt], span: Span) -> list[s.Stmt]:
        """The statements of a scope that ends here, with what happens at its end."""
        scope = self._scopes.pop()
        if statements and isinstance(statements[-1], s.Return | s.Break | s.Continue):
            return statements
        return [*statements, *self._calls(scope.objects, span)]

    def declared(self, symbol: Symbol, span: Span) -> None:
        """Notes a variable of the innermost scope. Raises Refused where its destructor cannot be called."""
        if not isinstance(symbol.type, Reference) and self._reader.program.specials.destructor(symbol.type) is not None:
            self.call(s.VarRef(symbol, symbol.type, span), span)
            self._scopes[-1].objects.append(symbol)

    def before_jump(self, left: tuple[Around, ...], span: Span) -> list[s.Stmt]:
        """What happens before control leaves all scopes up to the next that belongs to one of these."""
        found: list[s.Stmt] = []
        for scope in reversed(self._scopes):
            found += self._calls(scope.objects, span)
            if scope.around in left:
                break
        return found

    def returned(self, value: s.Expr, result: Type, span: Span) -> list[s.Stmt]:
        """`return value`: the value is found before objects are destroyed."""
        after = self.before_jump((Around.FUNCTION,), span)
        if not after or isinstance(value, s.Literal):
            return [*after, s.Return(value, span)]
        symbol = Symbol("returned", result, Role.VARIABLE, span)
        return [s.Declare(symbol, value, span), *after, s.Return(s.VarRef(symbol, strip_reference(result), span), span)]

    # ---- temporaries ------------------------------------------------------------------------------------------------

    def kept(self, value: s.Expr, span: Span) -> s.Expr:
        """An object that is not an lvalue, in a variable where its destructor does something; it is destroyed when the
        statement ends. Raises Refused for one that may not be made, or more than once."""
        if is_lvalue(value) or not self._reader.is_host:
            return value
        if not isinstance(value.type, Struct) or self._reader.program.specials.destructor(value.type) is None:
            return value
        if not self._is_certain:
            raise Refused("CP0131", span, f"'{self._name(value.type)}' of a temporary")
        symbol = Symbol("temporary", value.type, Role.VARIABLE, span)
        self._waiting.append(s.Declare(symbol, value, span))
        self._temporaries.append(symbol)
        return s.VarRef(symbol, value.type, span)

    @contextmanager
    def uncertain(self) -> Iterator[None]:
        """What is read inside may be evaluated more or less than once."""
        before, self._is_certain = self._is_certain, False
        try:
            yield
        finally:
            self._is_certain = before

    @property
    def may_hoist(self) -> bool:
        """Whether a call may be taken out of what is being read."""
        return self._is_whole and self._is_certain and not self._is_fixed

    @contextmanager
    def whole(self) -> Iterator[None]:
        """What is read inside is all that a statement evaluates, before anything else that it does."""
        before, self._is_whole = self._is_whole, True
        try:
            yield
        finally:
            self._is_whole = before

    @contextmanager
    def fixed(self) -> Iterator[None]:
        """Calls inside stay where they are."""
        before, self._is_fixed = self._is_fixed, True
        try:
            yield
        finally:
            self._is_fixed = before

    def hoist(self, call: s.Call, own: int, behind: Callable[[], list[s.Stmt]], span: Span) -> s.Expr:
        """A call as a statement of its own, before the one that is being read; its last `own` arguments are variables
        of ours. `behind` is what follows it, where the temporaries that there are end with a jump."""
        symbol: Symbol | None = None
        if isinstance(call.type, Void):
            self._waiting.append(s.Evaluate(call, span))
        else:
            symbol = Symbol("given", call.type, Role.VARIABLE, span)
            self._waiting.append(s.Declare(symbol, call, span))
        self._hoisted.append(Hoisted.of(call, own))
        made, alive, hoisted = self._waiting, self._temporaries, self._hoisted
        self._waiting, self._temporaries, self._hoisted = [], [], []
        self._scopes.append(_Scope(Around.BLOCK, list(alive)))
        try:
            made += behind()
        finally:
            self._scopes.pop()
            self._waiting, self._temporaries, self._hoisted = made, alive, hoisted
        return s.Literal(0, INT, span) if symbol is None else s.VarRef(symbol, call.type, span)

    def condition(self, condition: s.Expr, span: Span) -> tuple[list[s.Stmt], s.Expr]:
        """A condition that is evaluated once, with what stands before it where it needs temporaries. Raises
        Unordered."""
        if not self._waiting:
            return [], condition
        if self._hoisted:
            check_expression(condition, self._hoisted, self._given())
            self._hoisted = []
        symbol = Symbol("condition", condition.type, Role.VARIABLE, span)
        return self.complete([s.Declare(symbol, condition, span)], span), s.VarRef(symbol, condition.type, span)

    def _given(self) -> set[Symbol]:
        return {d.symbol for d in self._waiting if isinstance(d, s.Declare)}

    def complete(self, statements: list[s.Stmt], span: Span) -> list[s.Stmt]:
        """A statement with the temporaries that it needs. Raises Unordered."""
        if self._hoisted:
            check_order(statements, self._hoisted, self._given())
        made, self._waiting = self._waiting, []
        temporaries, self._temporaries, self._hoisted = self._temporaries, [], []
        if not temporaries:
            return [*made, *statements]
        after = self._calls(temporaries, span)
        if statements and isinstance(statements[-1], s.Return):
            *first, last = statements
            assert isinstance(last, s.Return)
            if last.value is None:
                return [*made, *first, *after, last]
            symbol = Symbol("returned", last.value.type, Role.VARIABLE, span)
            use = s.VarRef(symbol, last.value.type, span)
            if isinstance(self._reader.result, Reference):
                raise Refused("CP0199", span, "a reference from a temporary")
            return [*made, *first, s.Declare(symbol, last.value, span), *after, s.Return(use, span)]
        return [*made, *statements, *after]

    # ---- calls ------------------------------------------------------------------------------------------------------

    def _calls(self, objects: list[Symbol], span: Span) -> list[s.Stmt]:
        return [s.Evaluate(c, span) for o in reversed(objects) for c in self.call(s.VarRef(o, o.type, span), span)]

    def call(self, place: s.Expr, span: Span) -> list[s.Expr]:
        """The calls that end an object, or all of an array, the last one first."""
        if isinstance(place.type, Array):
            if place.type.length > _LARGEST:
                raise Refused("CP0131", span, "of a large array's elements")
            element = place.type.element
            found: list[s.Expr] = []
            for i in reversed(range(place.type.length)):
                found += self.call(s.Index(place, s.Literal(i, INT, span), element, span), span)
            return found
        assert isinstance(place.type, Struct)
        function = self._reader.program.implicit.destructor(place.type, span)
        address = place.operand if isinstance(place, s.Deref) else s.AddressOf(place, Pointer(place.type), span)
        return [s.Call(function, (address,), function.result, span)]

    def _name(self, type: Type) -> str:
        destructor = self._reader.program.specials.destructor(type)
        return "" if destructor is None else destructor.spelling
