"""The compile unit of a derivative: its code and the entry by which the runtime calls it, from `templates/entry.*`."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.derivative import Derivative
from cladpy.diagnostics import ToolchainError, UsageError
from cladpy.emit.macros import again, macros_of, without
from cladpy.ir.declared import arguments, parameter_types
from cladpy.ir.halves import adjoint_value
from cladpy.ir.launching import Launching
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
from cladpy.toolchain.discovery import NVCC_HINT


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
    return _followed(derivative, derivative.code, TARGETS[derivative.target].entry_template)


@dataclass(frozen=True, slots=True)
class DeviceUnit:
    """What is compiled for a device alone, and how C++ spells what the runtime asks for by name: the kernels
    `gradient`, `primal`, `count`, `finish` and `addresses`, and variables `variable` and `adjoint`, each with a number.
    NVRTC knows no name of those that are managed, whose addresses the kernel gives."""

    text: str
    names: dict[str, str]


def takes_host_code(derivative: Derivative) -> bool:
    """Whether code for a device alone does not run it."""
    return derivative.kind in (FunctionKind.HOST, FunctionKind.HOST_DEVICE) or derivative.options.trace_nonfinite


def device_unit(derivative: Derivative) -> DeviceUnit:
    """Raises ToolchainError for what takes code of the host's."""
    if takes_host_code(derivative):
        what = "a function of the host's" if derivative.kind is not FunctionKind.KERNEL else "trace_nonfinite"
        hint = f"{NVCC_HINT}; or use backend='host'"
        raise ToolchainError(f"{what} is compiled by nvcc, which is not used here, and not by NVRTC\nhint: {hint}")
    code = derivative.code
    for part in derivative.apart:
        code = code.replace(part, "", 1)
    names = {f"variable {k}": f"&::{g.name}" for k, g in enumerate(derivative.globals) if g.on_device}
    names |= {f"adjoint {k}": f"&::{g.adjoint}" for k, g in enumerate(derivative.globals) if g.on_device and g.adjoint}
    names |= {"addresses 0": "cladpy_addresses"} if names else {}
    if derivative.kind is FunctionKind.DEVICE:
        names |= {"primal 0": "cladpy_call_primal"}
        names |= {"gradient 0": "cladpy_call_gradient"} if derivative.gradient_name else {}
    else:
        types = parameter_types(derivative.program.entry, [p.type for p in derivative.parameters])
        names["primal 0"] = _kernel(f"::{derivative.function_name}", types)
    if derivative.launching is not None:
        names |= _launched(derivative.launching)
    return DeviceUnit(_followed(derivative, code, "entry.nvrtc.j2"), names)


def _launched(launching: Launching) -> dict[str, str]:
    size = ["unsigned long long"] if launching.memory.dynamic_adjoint else []
    state = ["const cladpy::launch_state"] if launching.standing or launching.counting is not None else []
    types = ", ".join([*launching.signature, *size, *state])
    sizes = [f"<{size}>" for size in launching.sizes] or [""]
    names = {f"gradient {k}": _kernel(f"::{launching.kernel}{size}", types) for k, size in enumerate(sizes)}
    names |= {f"finish {k}": f"cladpy::exact_finish<{s.element}>" for k, s in enumerate(launching.sums)}
    counting = launching.counting
    if counting is not None:
        found = ["unsigned long long *"] * (1 + counting.with_log)
        given = ["const cladpy::launch_state"] if counting.with_log else []
        types = ", ".join([*counting.signature, *given, *found])
        names["count 0"] = "cladpy_slots" if counting.by_formula else _kernel(f"::{counting.name}", types)
    return names


def _kernel(name: str, types: str) -> str:
    """Kernels may be overloaded."""
    return f"static_cast<void (*)({types})>({name})"


def _followed(derivative: Derivative, code: str, template_name: str) -> str:
    """The code followed by what a template makes of the arguments."""
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
    template = template_named(template_name)
    counting = None if derivative.launching is None else derivative.launching.counting
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
        slots=f"::{counting.name}" if counting is not None and counting.by_formula else "",
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
    return "".join((code, derivative.program.appended, without(macros), entry, again(macros)))


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
