"""Calls of the runtime that name a kernel: launches without `<<<...>>>`, and questions about how it would run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.indirect import known_function, leads_to_function
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.names import qualified_name
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Assign, Call, Cast, Comma, Configuration, Deref, Expr, Index, Literal, Member, VarRef
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import INT, KERNEL, STREAM, ULONG, VOID, Array, Pointer, Struct, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

# Questions about how a kernel would run, with the position of the kernel among the arguments: what they give does not
# change while a program runs.
_QUESTIONS = {
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor": 1,
    "cudaOccupancyMaxPotentialBlockSize": 2,
    "cudaFuncGetAttributes": 1,
}
_LAUNCHES = ("cudaLaunchKernel", "cudaLaunchCooperativeKernel")
_ATTRIBUTES = ("sharedSizeBytes", "constSizeBytes", "localSizeBytes", "maxThreadsPerBlock", "numRegs")
_CASTS = (
    CursorKind.UNEXPOSED_EXPR,
    CursorKind.PAREN_EXPR,
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.STATIC_CAST_EXPR,
    CursorKind.REINTERPRET_CAST_EXPR,
    CursorKind.FUNCTIONAL_CAST_EXPR,
    CursorKind.UNARY_OPERATOR,
)


def call_with_kernel(cursor: Cursor, callee: Cursor, scope: FunctionReader, span: Span) -> Expr | None:
    """A call of the runtime with a kernel among its arguments; None for other calls."""
    if not callee.in_system_header:
        return None
    arguments = cursor.arguments
    kernels = [_kernel(a, scope) for a in arguments]
    if any(kernels):
        return _called(cursor, callee, kernels, scope, span)
    for i, argument in enumerate(arguments):
        pointer = _behind(argument)
        if pointer is not None and leads_to_function(pointer.type.canonical):

            def with_one(kernel: Cursor, here: int = i) -> Expr:
                if not _is_kernel(kernel):
                    raise Refused("CP0105", span, f"'{kernel.spelling}'")
                chosen = [kernel if k == here else None for k in range(len(arguments))]
                return _called(cursor, callee, chosen, scope, span)

            return scope.calls.by_number(pointer, with_one, span)
    return None


def _called(cursor: Cursor, callee: Cursor, kernels: list[Cursor | None], scope: FunctionReader, span: Span) -> Expr:
    """The call with these kernels among its arguments."""
    arguments = cursor.arguments
    if callee.spelling in _LAUNCHES and kernels[0] is not None:
        launch = _launch(arguments, kernels[0], scope, span)
        error = scope.statements.expressions.type(cursor, span)
        return Comma(launch, Literal(0, error, span), error, span)
    place = _QUESTIONS.get(callee.spelling)
    if place is not None and kernels[place] is not None:
        return _asked(cursor, callee, place, kernels[place], scope, span)
    types = [
        KERNEL if kernel is not None else scope.types.convert(type, span)
        for kernel, type in zip(kernels, callee.type.canonical.parameters, strict=True)
    ]
    result = scope.types.convert(callee.type.canonical.result, span)
    function = scope.program.library_symbol(callee, result, tuple(types))
    passed: list[Expr] = []
    for i, (argument, kernel) in enumerate(zip(arguments, kernels, strict=True)):
        if kernel is None:
            passed.append(scope.calls.argument(argument, types[i], callee, i, span))
        else:
            name = qualified_name(kernel, with_arguments=True)
            passed.append(VarRef(Symbol(name, KERNEL, Role.GLOBAL, scope.files.span(kernel)), KERNEL, span))
    return Call(function, tuple(passed), strip_reference(result), span)


def _asked(
    cursor: Cursor, callee: Cursor, place: int, kernel: Cursor | None, scope: FunctionReader, span: Span
) -> Expr:
    """A question about a kernel, each answer by a function of its own (<cladpy/host_code.h>)."""
    assert kernel is not None
    read = scope.statements.expressions.read
    arguments = [a for a in cursor.arguments if a.extent()[1]]  # without those that have a default
    given = [read(a) for i, a in enumerate(arguments) if i != place]
    name = qualified_name(kernel, with_arguments=True)
    error = scope.statements.expressions.type(cursor, span)

    def answer(what: str, values: list[Expr], target: Expr) -> Expr:
        types = tuple(v.type for v in values)
        function = FunctionSymbol(
            f"cladpy::{what}<decltype({name}), {name}>",
            f"cladpy::{what}<decltype({name}), {name}>",
            INT,
            types,
            FunctionKind.HOST,
            span,
            True,
        )
        value = Call(function, tuple(values), INT, span)
        return Assign(target, convert(value, target.type), target.type, span)

    def pointed(pointer: Expr) -> Expr:
        if not isinstance(pointer.type, Pointer):
            raise Refused("CP0199", span, f"the call of '{callee.spelling}'")
        return Deref(pointer, pointer.type.pointee, span)

    answers: list[Expr] = []
    if callee.spelling == "cudaFuncGetAttributes":
        whole = pointed(given[0])
        fields = {f.name: f for f in whole.type.fields} if isinstance(whole.type, Struct) else {}
        for i, member in enumerate(_ATTRIBUTES):
            field = fields.get(member)
            if field is not None:
                answers.append(
                    answer("kernel_attribute", [Literal(i, INT, span)], Member(whole, field, field.type, span))
                )
    elif callee.spelling == "cudaOccupancyMaxPotentialBlockSize":
        shared = convert(given[2], ULONG) if len(given) > 2 else Literal(0, ULONG, span)
        limit = convert(given[3], INT) if len(given) > 3 else Literal(0, INT, span)
        for i, what in enumerate(("least_grid", "best_block")):
            answers.append(answer(what, [shared, limit], pointed(given[i])))
    else:
        answers.append(answer("resident_blocks", [convert(given[1], INT), convert(given[2], ULONG)], pointed(given[0])))
    result: Expr = Literal(0, error, span)
    for one in reversed(answers):
        result = Comma(one, result, error, span)
    return result


def _launch(arguments: tuple[Cursor, ...], kernel: Cursor, scope: FunctionReader, span: Span) -> Expr:
    """`cudaLaunchKernel(kernel, grid, block, pointers to the arguments, shared_mem, stream)`."""
    read = scope.statements.expressions.read
    function = scope.program.symbol(kernel, span)
    given: list[Expr] = [read(a) for a in arguments[1:4]]
    pointers = given[2]
    while isinstance(pointers, Cast):
        pointers = pointers.operand
    if not isinstance(pointers.type, Array | Pointer):
        raise Refused("CP0199", span, "the arguments of this launch")
    passed = []
    for i, type in enumerate(map(strip_reference, function.parameters)):
        if isinstance(pointers.type, Array) and i >= pointers.type.length:
            raise Refused("CP0199", span, "a launch with too few arguments")
        pointer = Index(pointers, Literal(i, INT, span), Pointer(VOID), span)
        passed.append(Deref(Cast(pointer, Pointer(type), span), type, span))
    written = [a for a in arguments[4:] if a.extent()[1]]
    shared_mem = scope.objects.passed(read(written[0]), ULONG, span) if written else Literal(0, ULONG, span)
    stream = scope.objects.passed(read(written[1]), STREAM, span) if len(written) > 1 else None
    return Call(function, tuple(passed), VOID, span, launch=Configuration(given[0], given[1], shared_mem, stream))


def _behind(argument: Cursor) -> Cursor | None:
    """What an argument is made of by conversions."""
    inner = argument
    while inner.kind in _CASTS:
        parts = [c for c in inner.children() if is_expression(c.kind)]
        if len(parts) != 1 or (inner.kind == CursorKind.UNARY_OPERATOR and inner.unary_operator != "&"):
            return None
        inner = parts[0]
    return inner


def _kernel(argument: Cursor, scope: FunctionReader) -> Cursor | None:
    """The kernel that an argument names, behind conversions."""
    inner = _behind(argument)
    named = None if inner is None or inner.kind != CursorKind.DECL_REF_EXPR else known_function(inner, scope.given)
    return named if named is not None and _is_kernel(named) else None


def _is_kernel(function: Cursor) -> bool:
    return any(c.kind == CursorKind.CUDA_GLOBAL_ATTR for c in function.children())
