"""What the expressions of a function read and write, calls by what their bodies do.

Pointers and references are followed to what they were made of or assigned, whatever the order of the statements. What
different parameters lead to is taken to be apart, as everywhere; so is the memory of different objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cladpy import known
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import TEAM, FunctionSymbol, Role, Symbol
from cladpy.ir.types import Array, Pointer, Reference, Struct
from cladpy.order import scan
from cladpy.order.places import (
    ANYWHERE,
    BEHIND,
    NOTHING,
    UNKNOWN,
    Effects,
    Element,
    Place,
    Step,
    element,
    key,
)

Places = frozenset[Place]
_NONE: Places = frozenset()
_ANY: Places = frozenset({ANYWHERE})
_QUIET = known.Effect | known.Barrier | known.Fence | known.Collective


class Summary:
    """What a function does with what it is given, in terms of its parameters, and what its result leads to."""

    def __init__(self) -> None:
        self.effects = NOTHING
        self.result: Places = _NONE


class Summaries:
    """Those of a program, each found when it is asked for; of functions that call each other as often as they grow."""

    def __init__(self, functions: Mapping[FunctionSymbol, s.Function]) -> None:
        self.functions = functions
        self._known: dict[FunctionSymbol, Summary] = {}
        self._states: dict[str, Symbol] = {}
        self._asked: list[FunctionSymbol] = []
        self._is_recursive = False

    def of(self, callee: FunctionSymbol) -> Summary:
        known = self._known.get(callee)
        if known is not None:
            self._is_recursive |= callee in self._asked
            return known
        summary = self._known[callee] = Summary()
        self._asked.append(callee)
        while True:
            self._is_recursive = False
            within = Within(self.functions[callee], self)
            before = (summary.effects, summary.result)
            summary.effects, summary.result = within.summary()
            if not self._is_recursive or before == (summary.effects, summary.result):
                break
        self._asked.pop()
        return summary

    def state(self, callee: FunctionSymbol) -> Place:
        """What a clock or a generator of random numbers keeps."""
        name = "a random number" if "rand" in callee.name else "a clock"
        name = "the team of threads" if callee is TEAM else name
        if name not in self._states:
            self._states[name] = Symbol(name, callee.result, Role.GLOBAL, callee.span)
        return Place(self._states[name])

    def is_state(self, symbol: Symbol) -> bool:
        """Whether this stands for something that no variable holds."""
        return symbol in self._states.values()


class Within:
    """The expressions of one function."""

    def __init__(self, function: s.Function, summaries: Summaries) -> None:
        self._function = function
        self._summaries = summaries
        self._sources: dict[Symbol, list[s.Expr]] = {}  # what pointers and references are made of, or assigned
        self._members: dict[Symbol, list[s.Expr]] = {}  # what objects are made of
        self._following: set[Symbol] = set()
        self._values: dict[int, Effects] = {}  # of expressions, by identity
        self.exposed: set[Symbol] = set()  # variables whose address is taken
        for declared in surface_walk.declarations(function.body):
            if declared.init is not None:
                self._note(declared.symbol, declared.init)
        for expr in surface_walk.expressions(function.body):
            for e in surface_walk.walk(expr):
                match e:
                    case s.Assign(target=s.VarRef(symbol=symbol), value=value):
                        if not isinstance(symbol.type, Reference):  # what it leads to is assigned
                            self._note(symbol, value)
                    case s.AddressOf(operand=operand):
                        self.exposed.update(scan.lvalue_symbols(operand))
                    case s.VarRef(symbol=symbol, type=Array()):
                        self.exposed.add(symbol)
                    case s.InitList(elements=elements, type=Struct() as type):
                        for field, given in zip(type.fields, elements, strict=False):
                            if isinstance(field.type, Reference):
                                self.exposed.update(scan.lvalue_symbols(given))
                    case _:
                        pass

    def _note(self, symbol: Symbol, init: s.Expr) -> None:
        if isinstance(symbol.type, Pointer | Reference):
            self._sources.setdefault(symbol, []).append(init)
            if isinstance(symbol.type, Reference):
                self.exposed.update(scan.lvalue_symbols(init))
        elif isinstance(symbol.type, Struct):
            self._members.setdefault(symbol, []).append(init)

    def summary(self) -> tuple[Effects, Places]:
        found = NOTHING
        for expr in surface_walk.expressions(self._function.body):
            found |= self.value(expr)
        result: Places = _NONE
        for returned in surface_walk.returns(self._function.body):
            if returned.value is None:
                continue
            if isinstance(self._function.symbol.result, Reference):
                result |= self.place(returned.value)
            elif isinstance(self._function.symbol.result, Pointer):
                result |= self.behind(returned.value)
        return Effects(self._outside(found.reads), self._outside(found.writes)), self._outside(result)

    def _outside(self, places: Iterable[Place]) -> Places:
        """Those that outlive a call, as the caller may see them."""
        own = set(self._function.parameters)
        found = set()
        for place in places:
            symbol = place.symbol
            if (
                symbol is None
                or symbol.role is Role.GLOBAL
                or (symbol in own and (place.behind or BEHIND in place.path))
            ):
                path = tuple(UNKNOWN if isinstance(step, Element) else step for step in place.path)
                found.add(Place(symbol, place.behind, path))
        return frozenset(found)

    # ---- effects ----------------------------------------------------------------------------------------------------

    def value(self, expr: s.Expr) -> Effects:
        """What happens where an expression is evaluated and its value used."""
        done = self.evaluated(expr)
        if is_lvalue(expr) and not isinstance(expr.type, Array) and not isinstance(expr, s.Temporary):
            done |= Effects(reads=self.place(expr))
        return done

    def evaluated(self, expr: s.Expr) -> Effects:
        """What happens where an expression is evaluated, but for reading what it names."""
        known = self._values.get(id(expr))
        if known is None:
            known = self._values[id(expr)] = self._evaluated(expr)
        return known

    def _evaluated(self, expr: s.Expr) -> Effects:
        match expr:
            case s.Assign(target=target, value=value):
                return self.evaluated(target) | self.value(value) | Effects(writes=self.place(target))
            case s.CompoundAssign(target=target, value=value):
                place = self.place(target)
                return self.evaluated(target) | self.value(value) | Effects(place, place)
            case s.IncDec(target=target):
                place = self.place(target)
                return self.evaluated(target) | Effects(place, place)
            case s.Member(base=base) | s.AddressOf(operand=base):
                return self.evaluated(base)
            case s.Index(base=base, index=index):
                return (self.evaluated if isinstance(base.type, Array) else self.value)(base) | self.value(index)
            case s.Conditional(condition=condition, then=then, other=other):
                return self.value(condition) | self.evaluated(then) | self.evaluated(other)
            case s.Comma(left=left, right=right):
                return self.evaluated(left) | self.evaluated(right)
            case s.Call(callee=callee, arguments=arguments, launch=launch):
                done = self._called(callee, arguments)
                for given in () if launch is None else launch.expressions:
                    done |= self.value(given)
                return done
            case s.Construct(constructor=callee, arguments=arguments):
                return self._called(callee, (None, *arguments))
            case s.InitList(elements=elements, type=type):
                done = NOTHING
                for i, given in enumerate(elements):
                    by_reference = isinstance(type, Struct) and isinstance(type.fields[i].type, Reference)
                    done |= (self.evaluated if by_reference else self.value)(given)
                return done
            case _:
                done = NOTHING
                for child in surface_walk.children(expr):
                    done |= self.value(child)
                return done

    def given(self, callee: FunctionSymbol, i: int, argument: s.Expr) -> Effects:
        """What happens where an argument is evaluated: a reference reads nothing."""
        by_reference = i < len(callee.parameters) and isinstance(callee.parameters[i], Reference)
        return self.evaluated(argument) if by_reference else self.value(argument)

    def _called(self, callee: FunctionSymbol, arguments: tuple[s.Expr | None, ...]) -> Effects:
        done = NOTHING
        for i, argument in enumerate(arguments):
            if argument is not None:
                done |= self.given(callee, i, argument)
        if callee in self._summaries.functions:
            effects = self._summaries.of(callee).effects
            return done | Effects(
                self._mapped(effects.reads, callee, arguments), self._mapped(effects.writes, callee, arguments)
            )
        row = known.of(callee.name)
        if isinstance(row, known.Clock) or callee is TEAM:
            state = frozenset({self._summaries.state(callee)})
            return done | Effects(state, state)
        if isinstance(row, _QUIET):
            return done
        for type, argument in zip(callee.parameters, arguments, strict=False):
            if argument is not None and isinstance(type, Pointer | Reference):
                places = self.place(argument) if isinstance(type, Reference) else self.behind(argument)
                places |= {p.at(BEHIND) for p in places}
                done |= Effects(places, _NONE if type.const else places)
        return done

    def _mapped(self, places: Places, callee: FunctionSymbol, arguments: tuple[s.Expr | None, ...]) -> Places:
        """What a function touches, as the caller sees it."""
        found: set[Place] = set()
        positions = {p: i for i, p in enumerate(self._summaries.functions[callee].parameters)}
        for place in places:
            i = None if place.symbol is None else positions.get(place.symbol)
            if i is None:
                found.add(place)
                continue
            argument = arguments[i] if i < len(arguments) else None
            if argument is None:
                continue  # an object of the expression's own
            if not place.behind:
                base = self.place(argument) if is_lvalue(argument) else _ANY
            elif isinstance(callee.parameters[i], Reference):
                base = self.place(argument) if is_lvalue(argument) else _NONE
            else:
                base = self.behind(argument)
            path = place.path
            if path and isinstance(path[0], Element) and self._is_single(argument):
                path = path[1:]
            found |= self._part(base, path)
        return frozenset(found)

    def _part(self, base: Places, path: tuple[Step, ...]) -> Places:
        """The part of an argument that a function touches."""
        for step, after in zip(path, (*path[1:], None), strict=False):
            if step == BEHIND:
                continue
            if after == BEHIND and isinstance(step, str):
                base = self._through(base, step)
            else:
                base = frozenset(p.at(step) for p in base)
        return base

    @staticmethod
    def _is_single(pointer: s.Expr) -> bool:
        """Whether a pointer leads to one object that is no element of an array."""
        return isinstance(pointer, s.AddressOf) and not isinstance(pointer.operand, s.Index | s.Deref)

    # ---- places -----------------------------------------------------------------------------------------------------

    def place(self, expr: s.Expr) -> Places:
        """What an lvalue may stand for."""
        match expr:
            case s.VarRef(symbol=symbol):
                if isinstance(symbol.type, Reference):
                    return self._followed(symbol)
                return frozenset({Place(symbol)})
            case s.Index(base=base, index=index) if isinstance(base.type, Array):
                return frozenset(p.at(element(None, index)) for p in self.place(base))
            case s.Index(base=base, index=index):
                return frozenset(p.at(element(key(base), index)) for p in self.behind(base))
            case s.Deref(operand=operand):
                if self._is_single(operand):
                    return self.behind(operand)
                return frozenset(p.at(Element(key(operand), None, 0)) for p in self.behind(operand))
            case s.Member(base=base, field=field):
                places = self.place(base) if is_lvalue(base) else self._made(base)
                if isinstance(base.type, Struct) and base.type.record.is_union:
                    return places
                if isinstance(field.type, Reference):
                    return self._through(places, field.name)
                return frozenset(p.at(field.name) for p in places)
            case s.Assign(target=target) | s.CompoundAssign(target=target) | s.IncDec(target=target):
                return self.place(target)
            case s.Conditional(then=then, other=other):
                return self.place(then) | self.place(other)
            case s.Comma(right=right) | s.Cast(operand=right):
                return self.place(right)
            case s.Temporary() | s.StringLiteral():  # nobody else writes these
                return _NONE
            case s.Call(callee=callee, arguments=arguments):
                return self._result(callee, arguments)
            case _:
                return _ANY

    def _made(self, expr: s.Expr) -> Places:
        """What the members of an object that is no lvalue lead to is not followed."""
        return _ANY if isinstance(expr.type, Struct) else _NONE

    def behind(self, expr: s.Expr) -> Places:
        """Where a pointer may lead."""
        if isinstance(expr.type, Array):
            return self.place(expr)
        match expr:
            case s.VarRef(symbol=symbol) if isinstance(symbol.type, Pointer):
                return self._followed(symbol)
            case s.AddressOf(operand=s.Index(base=base)):
                return self.behind(base)
            case s.AddressOf(operand=operand):
                return self.place(operand)
            case s.Literal() | s.StringLiteral():
                return _NONE
            case s.Cast(operand=operand) if isinstance(operand.type, Pointer | Array):
                return self.behind(operand)
            case s.Binary(left=left) if isinstance(left.type, Pointer | Array):
                return self.behind(left)
            case s.Conditional(then=then, other=other):
                return self.behind(then) | self.behind(other)
            case s.Comma(right=right) | s.Assign(value=right):
                return self.behind(right)
            case s.CompoundAssign(target=target) | s.IncDec(target=target):
                return self.behind(target)
            case s.Member(base=base, field=field) if is_lvalue(base) and not isinstance(field.type, Reference):
                return self._through(self.place(base), field.name)
            case s.Call(callee=callee, arguments=arguments):
                return self._result(callee, arguments)
            case _ if is_lvalue(expr):
                return frozenset(p.at(BEHIND) for p in self.place(expr))
            case _:
                return _ANY

    def _followed(self, symbol: Symbol) -> Places:
        """Where a variable that is a pointer or reference may lead."""
        found = _NONE
        if symbol.role is not Role.VARIABLE:
            found = frozenset({Place(symbol, behind=True)})
        elif symbol not in self._sources:
            return frozenset({Place(symbol, behind=True)})  # what a call has allocated
        if symbol in self._following:
            return found
        self._following.add(symbol)
        for source in self._sources.get(symbol, ()):
            found |= self.place(source) if isinstance(symbol.type, Reference) else self.behind(source)
        self._following.discard(symbol)
        return found

    def _through(self, places: Places, name: str) -> Places:
        """Where a member that is a pointer or reference may lead: what it was made of, where that is seen."""
        found: set[Place] = set()
        for place in places:
            made = self._members.get(place.symbol, []) if place.symbol is not None and not place.behind else []
            lists = [m for m in made if isinstance(m, s.InitList)]
            if place.path or not lists or len(lists) < len(made):
                found.add(place.at(name, BEHIND))
                continue
            for init in lists:
                assert isinstance(init.type, Struct)
                for field, given in zip(init.type.fields, init.elements, strict=False):
                    if field.name == name:
                        found |= self.place(given) if isinstance(field.type, Reference) else self.behind(given)
        return frozenset(found)

    def _result(self, callee: FunctionSymbol, arguments: tuple[s.Expr, ...]) -> Places:
        """Where the pointer or reference that a call gives may lead."""
        if callee in self._summaries.functions:
            return self._mapped(self._summaries.of(callee).result, callee, arguments)
        found = _NONE
        for type, argument in zip(callee.parameters, arguments, strict=False):
            if isinstance(type, Pointer | Reference):
                found |= self.place(argument) if isinstance(type, Reference) else self.behind(argument)
        return frozenset(p.at(UNKNOWN) for p in found)
