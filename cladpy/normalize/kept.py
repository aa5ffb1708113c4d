"""Calls that are kept: the gradient calls the function as it is, and a pullback of it in the reverse sweep.

What is passed is numbers, memory that the caller was given itself, and copies of the caller's own objects and arrays,
made of their numbers. What a call gives comes as numbers too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import INT, VOID, Array, Reference, Scalar, Struct, Type, Void, scalar_of, spell, strip_reference
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.accesses import Places
from cladpy.normalize.decisions import Restart
from cladpy.normalize.here import Here
from cladpy.normalize.launches import Launches
from cladpy.normalize.layout import comes_apart, leaves, members_of
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import (
    NULL,
    ZERO,
    Cell,
    Flat,
    Object,
    Pointer,
    Target,
    element_of,
    fitted,
    is_local,
    moved,
    nested,
    unnested,
    zero_of,
)
from cladpy.normalize.policy import Policy
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import SSA
from cladpy.normalize.storage import Storage
from cladpy.normalize.values import Values

# Local arrays of at most this many numbers are copied for a call.
LARGEST_COPY = 64


@dataclass(frozen=True, slots=True)
class Given:
    """What is passed for a parameter; `place` is where it was taken from, where the function changes it."""

    argument: core.Argument
    place: Pointer | None = None
    source: Target | None = None  # what local memory was copied


@dataclass(frozen=True, slots=True)
class Kept:
    """What a call gave: its outputs, and the places of the objects that it changed, by position."""

    outputs: tuple[core.Output, ...]
    places: dict[int, Pointer]


@dataclass(slots=True, eq=False)
class KeptCalls:
    report: Report
    here: Here
    ssa: SSA
    storage: Storage
    objects: Objects
    places: Places
    values: Values
    launches: Launches
    policy: Policy

    def is_kept(self, expr: s.Call) -> bool:
        callee = expr.callee
        if self.policy.is_custom(callee):
            return True
        if self.policy.is_program(callee):
            return False
        if callee not in self.policy.functions or callee in self.policy.decisions.inline or callee.unnamed:
            return False
        if callee.qualified_name.startswith(("cooperative_groups::", "Kokkos::cladpy_kokkos::")):
            return False  # cladpy's own, which are not there when CUDA's, or Kokkos', are compiled
        if callee.name.startswith("operator") and not self.policy.recursive(callee):
            return False  # the numbers that have operators of their own have small ones
        if not self.policy.only_reads(callee):
            return self.policy.recursive(callee) and self.policy.writes_given(callee) and _takes_copies(callee)
        passes_local = any(self._passes_local(t, a) for t, a in zip(callee.parameters, expr.arguments, strict=True))
        if _has_simple_types(callee) and not passes_local:
            return True
        return self.policy.recursive(callee) and _takes_copies(callee)

    def _passes_local(self, type: Type, argument: s.Expr) -> bool:
        """Whether a pointer or reference argument may point to local memory. Looks without side effects."""
        if isinstance(type, Reference):
            if type.const and not _is_lvalue(argument):
                return True
            return self._may_be_local(argument)
        return isinstance(type, PointerType) and self._may_be_local(argument)

    def _may_be_local(self, expr: s.Expr) -> bool:
        """Whether an lvalue or a pointer expression may denote local memory, or more than one thing."""
        match expr:
            case s.VarRef(symbol=symbol):
                bound = self.here.frame.bindings.get(symbol)
                if isinstance(bound, Cell):
                    content = self.ssa.lookup(bound)
                    return not isinstance(content, Pointer) or _may_be_local(content)
                if isinstance(bound, Pointer):
                    return _may_be_local(bound)
                return bound is not None and is_local(bound)
            case s.Index(base=base) | s.Member(base=base):
                return self._may_be_local(base)
            case s.Deref(operand=operand) | s.AddressOf(operand=operand) | s.Cast(operand=operand):
                return self._may_be_local(operand)
            case s.Binary(left=left):
                return self._may_be_local(left)
            case _:
                return True

    def keep(
        self, callee: FunctionSymbol, arguments: tuple[s.Expr, ...], span: Span, made: Struct | None = None
    ) -> Kept:
        """Calls a function; `made` is the class of the object that a constructor makes."""
        given: list[Given] = []
        outputs: list[core.Output] = []
        match callee.result:
            case Scalar() as result:
                outputs.append(core.Output(core.Value(callee.name + "_", result)))
            case Struct() as result:
                outputs += self._outputs(callee, result, None, span)
        if made is not None:
            given.append(Given(core.ObjectArgument(made, (), core.Passing.MADE)))
            outputs += self._outputs(callee, made, 0, span)
        for argument in arguments:
            position = len(given)
            given.append(self._given(callee, position, argument))
            if given[-1].place is not None:
                of = strip_reference(callee.parameters[position])
                of = of.pointee if isinstance(of, PointerType) else of
                passed_array = given[-1].argument
                assert isinstance(passed_array, core.ObjectArgument)
                if isinstance(passed_array.type, Array):
                    outputs += _elements(callee, passed_array, position)
                else:
                    outputs += self._outputs(callee, of, position, argument.span)
        forward = self.policy.forwards.get(callee.qualified_name)
        name = None if forward is None else forward.qualified_name
        states = () if forward is None else self._states(callee, forward)
        passed = tuple(g.argument for g in given)
        if not self.policy.is_custom(callee):
            self._check_overlap(callee, given, span)
        library = self.here.on_host and self.policy.is_library(callee)
        writes = frozenset(
            i
            for i, a in enumerate(passed)
            if isinstance(a, core.MEMORY) and (self._writes(callee, i) if library else self._is_changed(callee, i))
        )
        custom = library and any(isinstance(a, core.MEMORY) for a in passed)
        self.ssa.out.append(core.Call(tuple(outputs), callee, passed, span, name, states, writes, custom=custom))
        places = {i: g.place for i, g in enumerate(given) if g.place is not None}
        for i, place in places.items():
            self._give_back(place, tuple(o for o in outputs if o.argument == i), span)
        return Kept(tuple(outputs), places)

    def assembled(self, kept: Kept, type: Type, name: str, span: Span) -> Pointer:
        """The object that a call returned, or that a constructor made."""
        assert isinstance(type, Struct)
        place = Pointer((self.storage.local(name, type, span),), ZERO)
        changed = set(kept.places)
        self._give_back(place, tuple(o for o in kept.outputs if o.argument not in changed), span)
        return place

    def _give_back(self, place: Pointer, outputs: tuple[core.Output, ...], span: Span) -> None:
        if outputs and outputs[0].member == "{b}[0]":
            flat = place.targets[0]
            known = leaves(flat.object.type, flat.element) if isinstance(flat, Flat) else range(len(outputs))
            for i, output in enumerate(outputs):
                if i in known:  # what lies between the numbers of an object is none of them
                    self.places.write(moved(place, core.Const(i, INT), 1) if i else place, core.Use(output.value), span)
            return
        object = place.targets[0]
        assert isinstance(object, Object)
        for member, output in zip(members_of(object.type), outputs, strict=True):
            self.places.write(self.objects.place_of_number(place, member, span), core.Use(output.value), span)

    def _outputs(self, callee: FunctionSymbol, type: Type, position: int | None, span: Span) -> list[core.Output]:
        assert isinstance(type, Struct), "a number is given as an array of one"
        if not comes_apart(type):
            raise self._refuse_object(callee, span)
        return [core.Output(core.Value(f"{callee.name}{m.name}", m.type), m.text, position) for m in members_of(type)]

    # ---- arguments -------------------------------------------------------------------------------------------------

    def _given(self, callee: FunctionSymbol, position: int, argument: s.Expr) -> Given:
        type, span = callee.parameters[position], argument.span
        match type:
            case Reference() | PointerType():
                by_reference = isinstance(type, Reference)
                place = self.places.place(argument) if by_reference else self.places.pointer(argument)
                flat = place.targets[0]
                if not by_reference and isinstance(flat, Flat) and is_local(flat):
                    return self._copy_of_numbers(callee, position, flat, place, span)
                return self.memory_given(callee, position, self.places.resolved(place, span), span)
            case Struct():
                if not comes_apart(type):
                    raise self._refuse_object(callee, span)
                leaves = self.objects.numbers(self.objects.object_of(argument), type, span)
                return Given(core.ObjectArgument(type, leaves, core.Passing.VALUE))
            case _:
                return Given(self.values.rvalue(argument))

    def memory_given(self, callee: FunctionSymbol, position: int, place: Pointer, span: Span) -> Given:
        """Memory that was passed to the caller is passed on, and null; of the caller's own a copy is."""
        type = callee.parameters[position]
        if self.here.on_host and self.policy.is_library(callee) and isinstance(type, PointerType):
            # as a kernel is: what is not the caller's own, chosen at run time too
            live = [t for t in place.targets if t is not NULL]
            if live and not any(map(is_local, live)):
                return Given(self.launches.as_seen(place, span))
        by_reference = isinstance(type, Reference)
        assert isinstance(type, Reference | PointerType)
        referee = type.referee if isinstance(type, Reference) else type.pointee
        custom = self.policy.is_custom(callee)
        writes = self._writes(callee, position)
        one = by_reference or (callee.is_method and position == 0)
        target = place.targets[0]
        if place.targets == (NULL,) and not one:
            return Given(core.Const(0, type))
        if any(isinstance(t, core.Root) and _is_seen_as_other(t, referee) for t in place.targets):
            raise self._refuse_address(callee, span)
        if len(place.targets) == 1 and target is not NULL:
            # a user's pullback need not know where an object lies, nor whether other threads add to its adjoint
            in_place = not custom or not (writes or one)
            if isinstance(target, Object) and target.whole is not None and in_place:
                target = target.whole()
            changed_number = custom and writes and by_reference and isinstance(referee, Scalar)
            if isinstance(target, core.Root) and target.kind is not core.RootKind.LOCAL and not changed_number:
                if writes and target.by_value and target.position is not None:
                    raise self.places.copy_of_arrays(target.position)
                return Given(core.PointerArgument(target, fitted(place.offset, target), by_reference))
        if one or (isinstance(target, Object | Cell) and len(place.targets) == 1 and _is_one(target)):
            return self._copy_of_one(callee, referee, place, by_reference, writes, span)
        if isinstance(target, core.Root) and len(place.targets) == 1 and not (custom and writes):
            return self._copy_of_array(callee, target, place, writes, span)
        raise self._refuse_address(callee, span)

    def _copy_of_one(
        self, callee: FunctionSymbol, type: Type, place: Pointer, by_reference: bool, writes: bool, span: Span
    ) -> Given:
        passing = core.Passing.REFERENCE if by_reference else core.Passing.POINTER
        place = self.values.fixed(place, span)
        match type:
            case Scalar():
                content = self.places.read(place, type, span)
                assert not isinstance(content, Pointer)
                copy = core.ObjectArgument(Array(type, 1), (core.Leaf(content, "{b}[0]"),), passing, ZERO)
            case Struct() if comes_apart(type):
                copy = core.ObjectArgument(type, self.objects.numbers(place, type, span), passing)
            case Struct():
                raise self._refuse_object(callee, span)
            case _:
                raise self._refuse_address(callee, span)
        if writes and len(place.targets) != 1:
            raise self._refuse_address(callee, span)
        return Given(copy, place if writes else None, place.targets[0])

    def _copy_of_array(
        self, callee: FunctionSymbol, root: core.Root, place: Pointer, writes: bool, span: Span
    ) -> Given:
        offset = fitted(place.offset, root)
        if isinstance(offset, core.Nested) or root.members or (root.length or 0) > LARGEST_COPY:
            raise self._refuse_address(callee, span)
        length = root.length or 1
        leaves = []
        for i in range(length):
            value = core.Value(root.name, root.element)
            self.ssa.out.append(core.Load(value, root, core.Const(i, ZERO.type), span))
            leaves.append(core.Leaf(core.Use(value), f"{{b}}[{i}]"))
        copy = core.ObjectArgument(Array(root.element, length), tuple(leaves), core.Passing.POINTER, offset)
        return Given(copy, Pointer((root,), ZERO) if writes else None, root)

    def _copy_of_numbers(self, callee: FunctionSymbol, position: int, flat: Flat, place: Pointer, span: Span) -> Given:
        """A local object is given as numbers: all of them, since the function may move the pointer to the others."""
        found = leaves(flat.object.type, flat.element)
        length, writes = max(found) + 1, self._writes(callee, position)
        if len(place.targets) > 1 or not _is_one(flat.object):
            raise self._refuse_address(callee, span)
        *outer, at = unnested(place.offset)
        whole = Pointer((flat,), nested([*outer, ZERO]))
        numbers = []
        for i in range(length):
            known = i in found  # else it is something else that lies between
            content = (
                self.places.read(moved(whole, core.Const(i, INT), 1), flat.element, span)
                if known
                else zero_of(flat.element)
            )
            assert not isinstance(content, Pointer)
            numbers.append(core.Leaf(content, f"{{b}}[{i}]"))
        copy = core.ObjectArgument(Array(flat.element, length), tuple(numbers), core.Passing.POINTER, at)
        return Given(copy, whole if writes else None, flat.object)

    def _check_overlap(self, callee: FunctionSymbol, given: list[Given], span: Span) -> None:
        """Copies of one thing do not know of each other."""
        changed = [set(_variables(g.source)) for g in given if g.place is not None and g.source is not None]
        sources = [set(_variables(g.source)) for g in given if g.source is not None]
        if any(sum(not own.isdisjoint(other) for other in sources) > 1 for own in changed):
            raise self.report.refuse(
                "CP0510",
                f"the recursive function '{callee.name}' is given the same memory twice, and writes it",
                span,
                "pass one pointer, and indices",
            )

    def _writes(self, callee: FunctionSymbol, position: int) -> bool:
        """Whether a function may write the memory that it is given at a position."""
        type = callee.parameters[position]
        assert isinstance(type, Reference | PointerType)
        if not self.policy.is_custom(callee):
            return position in self.policy.written(callee)
        return not type.const and not (callee in self.policy.functions and self.policy.only_reads(callee))

    def _is_changed(self, callee: FunctionSymbol, position: int) -> bool:
        """Whether a call of a recursive function changes memory; what the user's functions do is their pullbacks'
        matter."""
        return not self.policy.is_custom(callee) and self._writes(callee, position)

    def _refuse_address(self, callee: FunctionSymbol, span: Span) -> Abandon | Restart:
        """A function that cannot be given what it is called with need not be called."""
        if not self.policy.is_custom(callee) and not self.policy.recursive(callee):
            return Restart(self.policy.decisions.inlined(callee))
        return self.report.refuse(
            "CP0222",
            f"the address passed to '{callee.name}' is that of local memory of which no copy can be passed, or chosen "
            "at run time",
            span,
            "pass the element by value, or call in both branches",
        )

    def _refuse_object(self, callee: FunctionSymbol, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0238",
            f"'{callee.name}' has a derivative of its own, and takes or gives an object with pointers, unions or "
            "bit-fields",
            span,
            "pass what the pointers lead to as arguments",
        )

    def _states(self, callee: FunctionSymbol, forward: s.CustomForward) -> tuple[core.Value, ...]:
        """The intermediate values that a forward half gives: what its parameters after the result's point to."""
        taken = len(callee.parameters) + 1
        kept = [t.pointee for t in forward.parameters[taken:] if isinstance(t, PointerType) and not t.const]
        own = tuple(map(unqualified, (*callee.parameters, PointerType(callee.result))))
        fits = tuple(map(unqualified, forward.parameters[:taken])) == own and isinstance(callee.result, Scalar)
        fits = fits and forward.result == VOID
        if not fits or len(kept) != len(forward.parameters) - taken or not all(isinstance(t, Scalar) for t in kept):
            listed = ", ".join(spell(t) for t in (*callee.parameters, PointerType(callee.result)))
            raise self.report.refuse(
                "CP0406",
                f"the forward half '{forward.qualified_name}' of a custom derivative does not have the signature that "
                "is called",
                forward.span,
                f"it must be void, with the parameters ({listed}, pointers to intermediate numbers...)",
            )
        return tuple(core.Value(f"{callee.name}_state", t) for t in kept)


def _elements(callee: FunctionSymbol, array: core.ObjectArgument, position: int) -> list[core.Output]:
    """What a call leaves in a copy of an array, or of a number."""
    return [core.Output(core.Value(f"{callee.name}_", leaf.expr.type), leaf.member, position) for leaf in array.leaves]


def _variables(target: Target) -> Iterator[Target]:
    """What local memory is made of: variables and arrays."""
    match target:
        case Object(parts=parts):
            for part in parts.values():
                yield from _variables(part)
        case _:
            yield target


def _is_lvalue(expr: s.Expr) -> bool:
    return isinstance(expr, s.VarRef | s.Index | s.Deref)


def _may_be_local(pointer: Pointer) -> bool:
    return len(pointer.targets) != 1 or any(is_local(t) for t in pointer.targets)


def _is_seen_as_other(root: core.Root, type: Type) -> bool:
    """Whether numbers are given to a function that takes them for others of that size."""
    element = element_of(type)
    return (
        root is not NULL
        and isinstance(element, Scalar)
        and isinstance(root.element, Scalar)
        and root.element != element
    )


def _has_simple_types(symbol: FunctionSymbol) -> bool:
    """Whether a function has a pullback's signature: numbers, and pointers and references to numbers; it returns a
    number."""
    return isinstance(symbol.result, Scalar | Void) and all(
        isinstance(scalar_of(t), Scalar) and not _is_deep(t) for t in symbol.parameters
    )


def _is_deep(type: Type) -> bool:
    """Whether a pointer leads to another pointer."""
    inner = type.pointee if isinstance(type, PointerType) else strip_reference(type)
    while isinstance(inner, Array):
        inner = inner.element
    return inner is not type and isinstance(inner, PointerType)


def _is_one(target: Object | Cell) -> bool:
    """Whether a place is a single local object: no array of them, and no memory of an argument, which may be one."""
    if isinstance(target, Cell):
        return True
    if target.whole is not None:
        return False
    return all(
        not p.members if isinstance(p, core.Root) else _is_one(p) if isinstance(p, Object | Cell) else False
        for p in target.parts.values()
    )


def _takes_copies(symbol: FunctionSymbol) -> bool:
    """Whether what a function takes and returns is numbers, objects made of numbers, and pointers to such. A lambda's
    class has no name by which another function could take it."""
    taken = []
    for type in symbol.parameters:
        inner = type.pointee if isinstance(type, PointerType) else strip_reference(type)
        is_lambda = isinstance(inner, Struct) and inner.record.is_lambda
        taken.append(not isinstance(inner, Array) and not is_lambda and comes_apart(inner))
    return all(taken) and (symbol.result == VOID or comes_apart(symbol.result))
