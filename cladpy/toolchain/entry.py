"""The compile unit of a derivative: its code and the entry by which the runtime calls it, from `templates/entry.*`."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.derivative import Derivative
from cladpy.diagnostics import UsageError
from cladpy.emit.macros import again, macros_of, without
from cladpy.ir.declared import arguments, parameter_types
from cladpy.ir.halves import adjoint_value
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import (
    Array,
    Pointer,
    Reference,
    Scalar,
    ScalarKind,
    Struct,
    Type,
    Void,
    declare,
    holds_pointers,
    is_floating,
    scalar_of,
    spell,
    taken,
)
from cladpy.ir.views import spelled, view_class, words_of
from cladpy.targets import TARGETS
from cladpy.templating import template_named


@dataclass(frozen=True, slots=True)
class _Passed:
    """An argument on its way from `args` into a call: what `name` is declared as, and how the call spells it."""

    name: str
    type: Type
    spelling: str

    @property
    def declaration(self) -> str:
        return declare(self.type, self.name)

    def unpacked(self, position: int) -> str:
        """An object is used where it lies, since its class may not allow a copy that is no argument."""
        declared = declare(Reference(self.type), self.name) if isinstance(self.type, Struct) else self.declaration
        value = Scalar(self.type.kind) if isinstance(self.type, Scalar) else self.type  # not as an enumeration
        return f"{declared} = *static_cast<{spell(Pointer(value))}>(cladpy_args[{position}]);"


@dataclass(frozen=True, slots=True)
class _View(_Passed):
    """A view of Kokkos', made of what the runtime says of an array."""

    shown: str  # what the parameter is called
    class_name: str

    def unpacked(self, position: int) -> str:
        view = view_class(self.type)
        assert view is not None
        words = words_of(view)
        listed = (", ".join(map(str, places)) for places in (words.extents, words.steps))
        offsets = ", ".join(f"{{{places}}}" for places in listed)
        place = f"cladpy_args[{position}]"
        place = f"*static_cast<void **>({place})" if isinstance(self.type, Pointer) else place
        made = f'cladpy_words<{self.class_name}, {len(words.extents)}>{{"{self.shown}", {words.data}, {offsets}}}'
        return f"auto {self.name} = {made}({place});"


@dataclass(frozen=True, slots=True)
class _Global:
    """A variable at namespace scope as the entry spells it, with its adjoint, if it has one."""

    spelling: str
    adjoint: str
    const: bool
    on_device: bool


def with_entry(derivative: Derivative) -> str:
    """`derivative.code` followed by `cladpy_run_gradient` and `cladpy_run_primal`, each `int (launch, void **args)`."""
    function, types = derivative.program.entry, [p.type for p in derivative.parameters]
    target = TARGETS[derivative.target]
    primal = [_passed(p.type, f"cladpy_{k}") for k, p in enumerate(derivative.parameters)]
    adjoints = [_passed(a.type, f"cladpy_d_{k}") for k, a in enumerate(derivative.adjoints)]
    if target.is_portable:
        primal = [_by_array(p, of.name) for p, of in zip(primal, derivative.parameters, strict=True)]
        adjoints = [_by_array(p, of.name, True) for p, of in zip(adjoints, derivative.adjoints, strict=True)]
    seed = _passed(adjoint_value(derivative.result), "cladpy_cotangent")
    cotangent = [seed] if takes_cotangent(derivative.result) else []
    result = [] if isinstance(derivative.result, Void) else [_passed(Pointer(derivative.result), "cladpy_result")]
    members = [_passed(a.type, f"cladpy_m_{k}") for k, a in enumerate(derivative.member_adjoints)]
    lengths = [_passed(Scalar(ScalarKind.ULONGLONG), f"cladpy_n_{k}") for k, _ in enumerate(derivative.lengths)]
    gradient = [*primal, *adjoints, *members, *cotangent, *lengths]
    in_order = [*primal, *adjoints, *cotangent, *members, *lengths]  # as the gradient takes them
    # where the address of a tape lies, or is put
    cell = [_passed(Scalar(ScalarKind.ULONGLONG), "cladpy_cell")] if derivative.split else []
    called = [*primal, *cell, *result]
    template = template_named(target.entry_template)
    entry = template.render(
        api=target.api,
        kernel=derivative.kind is FunctionKind.KERNEL,
        globals=[
            _Global(
                f"::{g.name}",
                f"::{g.adjoint}" if g.adjoint else "",
                g.const,
                target.runs_on_device and g.on_device,
            )
            for g in derivative.globals
        ],
        # run by one thread of a device
        device=derivative.kind is FunctionKind.DEVICE
        or (derivative.kind is FunctionKind.HOST_DEVICE and not target.runs_on_device),
        program=derivative.is_program,
        traced=derivative.options.trace_nonfinite,
        function_name=derivative.function_name,
        gradient_name=derivative.gradient_name,
        launch_name=derivative.launch_name,
        store_result="*cladpy_result = " if result else "",
        gradient_declarations=_declarations([*gradient, *cell]),
        split=derivative.split,
        adjoint_list=", ".join(p.spelling for p in in_order[len(primal) :]),
        gradient_parameters=", ".join(p.declaration for p in gradient),
        gradient_list=", ".join(p.spelling for p in in_order),
        gradient_list_tail="".join(f", {p.spelling}" for p in in_order),
        gradient_names=", ".join(p.name for p in gradient),
        primal_declarations=_declarations(called),
        primal_parameters=", ".join(p.declaration for p in called),
        primal_list=arguments(function, types, [p.spelling for p in primal]),
        primal_names=", ".join(p.name for p in called),
        # numbers and pointers by value, so that a loop over threads has them in registers
        primal_captures=", ".join(f"&{p.name}" if isinstance(p.type, Struct) else p.name for p in primal),
        primal_types=parameter_types(function, types),
    )
    macros = macros_of(derivative.program, derivative.options).all()  # it includes headers of the C++ library
    return "".join((derivative.code, derivative.program.appended, without(macros), entry, again(macros)))


def takes_cotangent(result: Type) -> bool:
    """Whether the gradient has a parameter for the adjoint of what the function returns."""
    match result:
        case Array(element):
            return takes_cotangent(element)
        case Struct():
            return any(takes_cotangent(f.type) for f in result.fields)
        case _:
            return is_floating(result)


def _by_array(passed: _Passed, shown: str, adjoint: bool = False) -> _Passed:
    """A view is made of an array. Raises UsageError for other objects that lead to memory."""
    view = view_class(passed.type)
    if view is not None:
        return _View(passed.name, passed.type, passed.name, shown, spelled(view, adjoint))
    if isinstance(scalar_of(passed.type), Struct) and holds_pointers(scalar_of(passed.type)):
        raise UsageError(f"{shown}: of what holds memory, a program for Kokkos is given views and pointers, one by one")
    return passed


def _passed(type: Type, name: str) -> _Passed:
    """A reference is passed as a pointer, but for one to a handle."""
    type = taken(type)
    if isinstance(type, Reference):
        return _Passed(name, Pointer(type.referee, const=type.const), f"*{name}")
    if isinstance(type, Pointer):
        return _Passed(name, Pointer(type.pointee, const=type.const), name)
    return _Passed(name, type, name)


def _declarations(passed: list[_Passed]) -> list[str]:
    return [p.unpacked(position) for position, p in enumerate(passed)]
