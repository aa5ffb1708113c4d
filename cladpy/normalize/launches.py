"""Launches of kernels by host code, and how memory is passed to what host code calls."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, replace

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.access import Access
from cladpy.ir.fold import cast
from cladpy.ir.reach import memory_in
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import LONG, ULONG, Array, Field, Scalar, Struct, Type, holds_pointers, scalar_of, spell
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.accesses import Places
from cladpy.normalize.casts import Casts
from cladpy.normalize.layout import comes_apart
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import NULL, Object, Pointer, Target, View, fitted, moved, scalars_in
from cladpy.normalize.policy import Policy
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import SSA
from cladpy.normalize.values import Values

# Of an array beside pointers, each number is passed on by itself.
LONGEST_ARRAY = 64


@dataclass(slots=True, eq=False)
class Launches:
    report: Report
    ssa: SSA
    casts: Casts
    objects: Objects
    places: Places
    values: Values
    policy: Policy
    # the first of memory of which it is not known what it holds
    uses_of_untyped: dict[str, Span] = dataclasses.field(default_factory=dict)

    def launch(self, expr: s.Call) -> None:
        """`kernel<<<grid, block, shared_mem, stream>>>(...)`."""
        assert expr.launch is not None
        callee, span = expr.callee, expr.span
        named = " ".join([callee.qualified_name, *map(spell, callee.parameters)])
        unwritten = next((c for c in self.policy.closures if c.refusal and c.spelling in named), None)
        if unwritten is not None:
            raise self.report.refuse(
                "CP0244",
                f"a kernel is given the {unwritten.spelling[1:-1]}, of which there is no class that a gradient could "
                f"name: {unwritten.refusal}",
                span,
                "write a class with an operator(), whose members are what the lambda captures",
            )
        local = next(
            (t for t in map(scalar_of, callee.parameters) if isinstance(t, Struct) and t.record.is_local), None
        )
        if local is not None:
            raise self.report.refuse(
                "CP0244",
                f"a kernel is given an object of '{spell(local)}', a class of a function, which has no name outside of "
                "that",
                span,
                "define the class before the function",
            )
        if callee not in self.policy.functions:
            raise self.report.refuse(
                "CP0005",
                f"the kernel '{callee.name}' is launched here, but is only declared",
                span,
                "include the file that defines it",
            )
        grid, block = self._sizes(expr.launch.grid), self._sizes(expr.launch.block)
        shared_mem = cast(self.values.rvalue(expr.launch.shared_mem), ULONG)
        stream = None if expr.launch.stream is None else self.stream(expr.launch.stream)
        given = tuple(
            self._given_to_kernel(parameter.type, argument, callee, i)
            for i, (parameter, argument) in enumerate(
                zip(self.policy.functions[callee].parameters, expr.arguments, strict=True)
            )
        )
        # the variables that it names are arguments too, after all others
        assert self.policy.kernels is not None, "only host functions launch"
        given += tuple(self.address(self.places.place_of(v, span), span) for v in self.policy.kernels.variables(callee))
        writes = frozenset(i for i in self.policy.kernels.writes(callee) if memory_in(given[i]))
        configuration = core.Configuration(grid, block, shared_mem, stream)
        self.ssa.out.append(core.Call((), callee, given, span, writes=writes, launch=configuration))

    def _sizes(self, expr: s.Expr) -> tuple[core.Expr, core.Expr, core.Expr]:
        place = self.values.fixed(self.objects.object_of(expr), expr.span)
        assert isinstance(expr.type, Struct)
        x, y, z = (
            self.ssa.named(
                cast(leaf.expr, leaf.expr.type), f"size{leaf.member.removeprefix('{b}').replace('.', '_')}", expr.span
            )
            for leaf in self.objects.numbers(place, expr.type, expr.span)
        )
        return x, y, z

    def stream(self, expr: s.Expr) -> core.Expr | None:
        """The caller's streams are kept; those that the function makes itself are the default one in its gradient."""
        stream = self.values.rvalue(expr)
        return None if isinstance(stream, core.Const) and stream.value <= 0 else stream

    def _given_to_kernel(self, type: Type, argument: s.Expr, kernel: FunctionSymbol, position: int) -> core.Argument:
        span = argument.span
        match type:
            case PointerType(pointee=pointee):
                pointer = self.places.resolved(self.casts.as_type(self.places.pointer(argument), pointee, span), span)
                if pointer.targets == (NULL,):
                    return core.Const(0, type)
                return self.as_seen(pointer, span)
            case Struct() if comes_apart(type):
                leaves = self.objects.numbers(self.objects.object_of(argument), type, span)
                return core.ObjectArgument(type, leaves, core.Passing.VALUE)
            case Struct():
                return self._view(
                    type, self.values.fixed(self.objects.object_of(argument), span), span, kernel, position
                )
            case _:
                return cast(self.values.rvalue(argument), type)

    def _view(
        self, type: Struct, place: Pointer, span: Span, kernel: FunctionSymbol, position: int
    ) -> core.ViewArgument:
        """An object with pointers, member by member, for a kernel's parameter."""
        leaves: list[core.Leaf] = []
        pointers: list[tuple[str, core.MEMORY]] = []
        names: dict[str, str] = {}  # by the members' texts

        def take(of: Struct, place: Pointer, way: Access) -> None:
            for field in of.fields:
                if field.bits is not None:
                    raise refused(field)
                take_one(field, field.type, self.objects.part(place, field, span), way.member(field))

        def take_one(field: Field, type: Type, part: Pointer, here: Access) -> None:
            match type:
                case Scalar():
                    content = self.places.read(part, type, span, field.name)
                    assert not isinstance(content, Pointer)
                    leaves.append(core.Leaf(content, here.text, type))
                case PointerType():
                    led = self.places.read(part, type, span, field.name)
                    assert isinstance(led, Pointer)
                    if led.targets != (NULL,):
                        names[here.text] = re.sub(r"\[\d+\]", "", here.name)
                        pointers.append((here.text, self.as_seen(self.places.resolved(led, span), span)))
                case Struct() if not type.record.is_union:
                    take(type, part, here)
                case Array(element=element, length=length) if scalars_in(type) <= LONGEST_ARRAY:
                    for i in range(length):
                        one = moved(part, core.Const(i, LONG), scalars_in(element))
                        take_one(field, element, one, Access(element, f"{here.text}[{i}]", 0, f"{here.name}[{i}]"))
                case _:
                    raise refused(field)

        def refused(field: Field) -> Abandon:
            return self.report.refuse(
                "CP0244",
                f"a kernel is given an object with pointers, and with a member '{field.name}' of type "
                f"'{spell(field.type)}'",
                span,
                "pass the pointers as arguments of their own",
            )

        take(type, place, Access(type))
        assert self.policy.kernels is not None
        written = self.policy.kernels.written_members(kernel, position)
        unwritten = frozenset(text for text, name in names.items() if name not in written)
        return core.ViewArgument(type, tuple(leaves), tuple(pointers), unwritten)

    def address(
        self, pointer: Pointer, span: Span, *, is_read: bool = True
    ) -> core.PointerArgument | core.ChosenArgument:
        """Where a pointer leads, as an argument; of an array that is seen as one of objects, the numbers. Of memory
        that nothing reads it need not be known what it holds."""
        found = self.as_seen(pointer, span, is_read=is_read)
        if isinstance(found, core.PointerArgument):
            return replace(found, seen=None)
        return replace(found, alternatives=tuple(replace(a, seen=None) for a in found.alternatives))

    def as_seen(
        self, pointer: Pointer, span: Span, *, is_read: bool = True
    ) -> core.PointerArgument | core.ChosenArgument:
        """Where a pointer leads, as an argument of a kernel or of a library's function."""
        live = [(i, t) for i, t in enumerate(pointer.targets) if t is not NULL]
        assert live, "null is no memory, and given as it is"
        found = tuple(self._address_in(t, pointer.offset, span, is_read) for _, t in live)
        if len(found) == 1:
            return found[0]
        assert pointer.tag is not None
        return core.ChosenArgument(found, tuple(i for i, _ in live), pointer.tag)

    def _address_in(self, target: Target, offset: core.Expr, span: Span, is_read: bool) -> core.PointerArgument:
        if isinstance(target, Object) and target.whole is not None:
            target = target.whole()
        seen = target.type if isinstance(target, View) else None
        target = target.root if isinstance(target, View) else target
        if is_read and isinstance(target, core.Root) and target.allocation in self.casts.untyped:
            self.uses_of_untyped.setdefault(target.name, span)  # a conversion may come later
        if not isinstance(target, core.Root):
            raise self.no_array(span)
        if target.kind is core.RootKind.HEAP and holds_pointers(target.element):
            raise self.report.refuse(
                "CP0245",
                f"a copy or a launch is given '{target.name}', objects with pointers in memory that is allocated here",
                span,
                "pass what the pointers lead to as arguments",
            )
        return core.PointerArgument(target, fitted(offset, target), seen=seen)

    def refuse_untyped(self, element: str, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0240",
            f"memory for elements of type '{element}' is allocated",
            span,
            "give the pointer the type of the numbers or objects that it leads to",
        )

    def no_array(self, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0245",
            "a copy or a launch is given the address of something that is no array of numbers",
            span,
            "copy into an array, or into memory that was allocated",
        )
