"""The catalogue of what the front end refuses: code, what is said, and what the user can do about it."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import Note, Sink, Span
from cladpy.edits import Edit
from cladpy.ir.surface import (
    Binary,
    Cast,
    Expr,
    Index,
    Literal,
    Member,
    StringLiteral,
    Temporary,
    Unary,
    Unsupported,
    VarRef,
)
from cladpy.ir.types import Opaque, Type


@dataclass(frozen=True, slots=True)
class Refusal:
    """`what` may hold {name}, the construct's name in the program."""

    what: str
    hint: str


REFUSALS: dict[str, Refusal] = {
    # The program as a whole, and the function that was asked for.
    "CP0001": Refusal("{name}", ""),
    "CP0002": Refusal("there is no function {name}", "name it as C++ would: 'kernel', 'ns::kernel'"),
    "CP0003": Refusal("{name} is ambiguous", 'name the overload with its parameter types, such as "f(double*, int)"'),
    "CP0004": Refusal("{name} is a template", 'name it with its arguments, such as "kernel<double, 3>"'),
    "CP0005": Refusal("{name} is declared here but has no body", "include the file that defines it"),
    "CP0006": Refusal(
        "{name} cannot be called from namespace scope",
        "name a function that can call it: what is private, and what a lambda captures, is known there only",
    ),
    "CP0011": Refusal("this number has too many digits", "17 digits say all that a double holds"),
    "CP0013": Refusal(
        "whether this part is compiled depends on {name}, which is not known here as the compiler knows it",
        "write the condition with macros that the compiler defines, or define one of your own with -D",
    ),
    "CP0014": Refusal(
        "{name}, which this gradient uses, is not differentiated again",
        "give the loops of the function a fixed length, and differentiate what a kernel calls in place of what "
        "launches it; or take differences of this gradient",
    ),
    "CP0016": Refusal(
        "this function is the host's alone, and device code calls it",
        "put __device__ before it, or __host__ __device__ where the host calls it as well",
    ),
    "CP0018": Refusal(
        "{name} is not among what is known here of Kokkos",
        "docs/kokkos.md has what is; a function around it may have a derivative of its own: docs/custom-derivatives.md",
    ),
    "CP0008": Refusal("this macro stands for too much", "write a loop, or use the macro in fewer macros"),
    "CP0007": Refusal("this is nested too deeply", "split the expression or the statement"),
    # Statements and expressions.
    "CP0101": Refusal(
        "goto is not supported here: into another block, into the middle of what another goes back over, or computed",
        "write it with if, loops, break and return",
    ),
    "CP0102": Refusal(
        "inline assembly cannot be differentiated",
        "use CUDA's intrinsics, or only declare the function around it here, and give it a derivative of its own",
    ),
    "CP0103": Refusal("exceptions are not supported in differentiated code", "return an error value instead"),
    "CP0104": Refusal("the virtual call of {name} is not supported", "call a function that is known at compile time"),
    "CP0105": Refusal(
        "function pointers and indirect calls are not supported: {name}",
        "call the function by its name, make it an argument of a template or of a function, or hold it in a local "
        "pointer, or in a table or an object that is made with braces and not assigned to",
    ),
    "CP0106": Refusal(
        "cladpy cannot tell what this lambda captures",
        "declare it in the function that uses it, capture by name, such as [x, &y], or make it a function object",
    ),
    "CP0108": Refusal(
        "new and delete are not supported in differentiated code",
        "use an array of fixed size, or a buffer passed as an argument",
    ),
    "CP0109": Refusal("the variadic function {name} is not supported", "give it a fixed list of parameters"),
    "CP0110": Refusal(
        "surfaces, and this use of textures, are not supported: {name}",
        "of a cudaTextureObject_t tex1Dfetch, tex1D, tex2D, tex3D, those of layers and of levels (tex2DLod) are, where "
        "all else that is done with it is in <cladpy/texture_objects.h>; pass other memory as a plain pointer",
    ),
    "CP0111": Refusal("half-precision types are not supported yet: {name}", "compute in float or double"),
    "CP0112": Refusal("the type {name} is not supported", "use float, double or an integer of at most 64 bits"),
    "CP0113": Refusal(
        "this conversion reinterprets memory: {name}",
        "give the pointer the type of what it leads to; for the bits of a number use __float_as_int and its like",
    ),
    "CP0115": Refusal(
        "arrays of variable length are not supported but for numbers, in one dimension, on the host",
        "give the array a constant length",
    ),
    "CP0116": Refusal(
        "volatile is not supported here: {name}",
        "drop it; where threads exchange values use __syncthreads() or __syncwarp()",
    ),
    "CP0117": Refusal("a statement expression that is left by '{name}' is not supported", "make it a function"),
    "CP0118": Refusal("coroutines are not supported", "make it an ordinary function"),
    "CP0119": Refusal(
        "this range-based for is not supported: what its iterators do is not found in their class",
        "give the class begin, end, and its iterators !=, ++ and * as members, or write a loop over an index",
    ),
    "CP0120": Refusal(
        "the static local variable {name} is not supported",
        "pass it as an argument, or make it const with a constant value",
    ),
    "CP0122": Refusal("case ranges are not supported", "write one label per value, or an if"),
    "CP0126": Refusal("a string with a prefix cannot initialise an array", "write the characters as a list"),
    "CP0127": Refusal(
        "this init-statement of a switch is not supported: it is no declaration of variables that the switch names",
        "write it before the switch, and braces around both",
    ),
    "CP0129": Refusal(
        "the parts of this {name} cannot be told apart because it comes out of a macro",
        "write it without the macro, or with all its parts",
    ),
    "CP0130": Refusal("{name} has a virtual base class, which is not supported", "inherit without virtual"),
    "CP0131": Refusal(
        "the destructor {name} would run in differentiated code, which is not supported",
        "leave the destructor to the compiler, and release what it releases outside of the function",
    ),
    "CP0132": Refusal(
        "the value of {name} is not known in differentiated code, which leaves out text and streams",
        "pass what depends on it as an argument",
    ),
    "CP0133": Refusal(
        "an argument that holds {name} is not supported in the function that is differentiated",
        "pass an object with vectors by pointer or by reference, and vectors of numbers, or of classes of numbers, as "
        "arguments of their own; text is no argument, and neither is a std::function: differentiate what makes it",
    ),
    "CP0134": Refusal(
        "{name} may change what the program computes, and is not supported in differentiated code",
        "share loops by '#pragma omp parallel for', 'for' or 'simd', say how many threads a region has by "
        "num_threads(4), or a variable's name in its place, or differentiate a function without it",
    ),
    "CP0135": Refusal(
        "which constructor of '{name}' makes this value in braces cannot be seen: it is a template",
        "call it there: {name}(...)",
    ),
    "CP0136": Refusal(
        "{name} is not supported in differentiated code",
        "hold the object in a variable, or by std::make_unique in a std::unique_ptr to the class itself, not to a base",
    ),
    "CP0206": Refusal(
        "where the C++ library puts what this holds is not known in differentiated code",
        "in place of a map, a set or a list take std::vector or std::array, with integers to find elements by; what "
        "has no derivative may be found before, and passed as an argument",
    ),
    "CP0198": Refusal("clang could not make sense of this", "see clang's other messages"),
    "CP0199": Refusal(
        "this construct is not supported: {name}", "rewrite it with plain arithmetic, if, loops and calls"
    ),
}


# Stands in a function's signature for a type that was refused.
REFUSED_TYPE = Opaque("?")


class Refused(Exception):
    """A construct that cannot be taken over. Raised inside the front end; the statement around it reports it."""

    def __init__(self, code: str, span: Span | None, name: str = "", patch: tuple[Edit, ...] = ()) -> None:
        self.code = code
        self.span = span
        self.name = name
        self.patch = patch
        super().__init__(code)

    def report(self, sink: Sink) -> None:
        refuse(sink, self.code, self.span, self.name, patch=self.patch)

    def instead(self, type: Type, span: Span, operands: tuple[Expr, ...] | None = None) -> Unsupported:
        """An expression for what stands at `span` that says the same where the program comes to it."""
        message, hint = _texts(self.code, self.name)
        return Unsupported(self.code, message, hint, type, self.span or span, operands, patch=self.patch)


def left_out(name: str, type: Type, span: Span, operands: tuple[Expr, ...]) -> Unsupported:
    """What has no effect but its operands', such as output: it is refused only where its value matters."""
    return Refused("CP0132", span, name).instead(type, span, operands)


def effects(expr: Expr) -> tuple[Expr, ...]:
    """What has to be evaluated of an operand whose value is left out."""
    match expr:
        case Unsupported(operands=operands) if operands is not None:
            return operands
        case Literal() | StringLiteral() | VarRef():
            return ()
        case Unary(operand=inner) | Cast(operand=inner) | Temporary(operand=inner) | Member(base=inner):
            return effects(inner)
        case Binary(left=left, right=right) | Index(base=left, index=right):
            return (*effects(left), *effects(right))
        case _:
            return (expr,)


class AlreadyReported(Exception):
    """Something that was refused before is used again: says nothing a second time."""


def confirm_reported(sink: Sink, span: Span | None) -> None:
    """Called where AlreadyReported ends: nothing may be left out of a program without an error."""
    if not sink.errors:
        refuse(sink, "CP0199", span, "something that was refused without a word")


def refuse(
    sink: Sink,
    code: str,
    span: Span | None,
    name: str = "",
    hint: str | None = None,
    notes: tuple[Note, ...] = (),
    patch: tuple[Edit, ...] = (),
) -> None:
    """Reports the catalogue's entry `code`."""
    what, known = _texts(code, name)
    sink.error(code, what, span, notes=notes, hint=(hint or None) if hint is not None else known, patch=patch)


def _texts(code: str, name: str) -> tuple[str, str | None]:
    """What the catalogue says, and its hint."""
    refusal = REFUSALS[code]
    return refusal.what.replace("{name}", name), refusal.hint.replace("{name}", name) or None
