"""The entry of normalisation: a function with its parameters bound, its body in structured SSA."""

from __future__ import annotations

from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import BOOL, Array, Pointer, Reference, Scalar, Type, scalar_of
from cladpy.normalize.builder import FALSE, Abandon
from cladpy.normalize.calls import Policy
from cladpy.normalize.exits import Exits
from cladpy.normalize.expressions import Frame
from cladpy.normalize.loads import merge_loads
from cladpy.normalize.places import ZERO, Cell, scalars_in, zero_of
from cladpy.normalize.places import Pointer as Place
from cladpy.normalize.simplify import simplify
from cladpy.normalize.statements import Statements


def normalize(function: s.Function, policy: Policy, sink: Sink) -> core.Function:
    """The function in core form, with the calls inlined that `policy` says. Raises DifferentiationError."""
    lowering = _Lowering(function, policy, sink)
    try:
        result = lowering.run()
    except Abandon:
        sink.raise_if_errors()
        raise AssertionError("a refusal without a diagnostic") from None
    sink.raise_if_errors()
    return merge_loads(simplify(result), may_alias=policy.may_alias)


class _Lowering(Statements):
    def __init__(self, function: s.Function, policy: Policy, sink: Sink) -> None:
        super().__init__(sink)
        self.function = function
        self.policy = policy
        self.globals: dict[Symbol, core.Root] = {}
        self.active_calls = [function.symbol]
        self.outer_references: list[Place] = []
        self.frame = Frame()
        returned = Cell("returned", BOOL)
        self.layers[-1][returned] = FALSE
        self.exits = Exits(returned)
        result = function.symbol.result
        self.result = Cell("result", result) if isinstance(result, Scalar) else None
        if self.result is not None:
            self.layers[-1][self.result] = zero_of(result)

    def run(self) -> core.Function:
        parameters = [self._parameter(symbol, i) for i, symbol in enumerate(self.function.parameters)]
        self.sequence(self.function.body.statements)
        result = None if self.result is None else self.scalar(self.result)
        return core.Function(self.function.symbol, tuple(parameters), tuple(self.out), result, self.function.span)

    def _parameter(self, symbol: Symbol, position: int) -> core.Parameter:
        match symbol.type:
            case Scalar() as type:
                value = core.Value(symbol.name, type)
                cell = Cell(symbol.name, type)
                self.frame.bindings[symbol] = cell
                self.layers[-1][cell] = core.Use(value)
                return core.Parameter(symbol.name, type, value)
            case Pointer(pointee, const) as type if isinstance(scalar_of(pointee), Scalar) and not _has_pointer(
                pointee
            ):
                access = f"(&(*{symbol.name}){'[0]' * _depth(pointee)})" if isinstance(pointee, Array) else None
                root = self._root(symbol, pointee, const, position, access)
                cell = Cell(symbol.name, type)
                self.frame.bindings[symbol] = cell
                self.layers[-1][cell] = Place((root,), ZERO)
                return core.Parameter(symbol.name, type, root)
            case Reference(referee, const) as type if isinstance(referee, Scalar | Array) and not _has_pointer(referee):
                access = f"(&{symbol.name}{'[0]' * _depth(referee)})"
                root = self._root(symbol, referee, const, position, access)
                self.frame.bindings[symbol] = root
                return core.Parameter(symbol.name, type, root)
            case _:
                raise self.refuse(
                    "CP0214",
                    f"parameter '{symbol.name}' has a type that is not supported",
                    symbol.span,
                    "numbers, and pointers and references to numbers, are",
                )

    def _root(self, symbol: Symbol, type: Type, const: bool, position: int, access: str | None) -> core.Root:
        return core.Root(
            symbol.name,
            scalar_of(type),
            core.RootKind.ARGUMENT,
            symbol.span,
            length=scalars_in(type) if isinstance(symbol.type, Reference) else None,
            access=access,
            writable=not const,
            position=position,
        )


def _depth(type: Type) -> int:
    return 1 + _depth(type.element) if isinstance(type, Array) else 0


def _has_pointer(type: Type) -> bool:
    while isinstance(type, Array):
        type = type.element
    return isinstance(type, Pointer | Reference)
