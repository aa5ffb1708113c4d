"""Emitted code for Kokkos: loops of its own, over memory that views lead to, and nothing of cladpy's to include.

What a kernel is elsewhere is a function here that runs a loop. Sums of all iterations are those of `parallel_reduce`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cladpy.adjoint.gradient import Gradient
from cladpy.adjoint.loops_as_they_are import rank_of
from cladpy.emit.embedded import copies
from cladpy.emit.expressions import Expressions
from cladpy.emit.functions import marked, printers
from cladpy.emit.mentioned import used_names
from cladpy.emit.names import MARK, Names
from cladpy.emit.statements import Statements
from cladpy.emit.steps import Steps, pointee
from cladpy.emit.style import Style
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import LONG, Pointer, Reference, Scalar, Struct, declare, spell
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.tidy import tidy
from cladpy.resources import custom_derivatives_dir, kokkos_shim_dir

_PROGRAM = "_program"
_INDICES = ("_i", "_j", "_k")
_ITERATION = {
    variable: text
    for axis, index in zip("xyz", _INDICES, strict=True)
    for variable, text in (
        (BuiltinVar(f"blockIdx.{axis}"), index),
        (BuiltinVar(f"blockDim.{axis}"), "1u"),
        (BuiltinVar(f"threadIdx.{axis}"), "0u"),
    )
}
_INDEX = re.compile(r"\(long\)(_[ijk]) \* \(long\)1u \+ \(long\)0u")
_VIEW = "Kokkos::View<"
_WHOLE = "{b}[{i}]"
_DEFAULT_SPACE = "Kokkos::DefaultExecutionSpace"


class _Expressions(Expressions):
    """Adjoints of views are given by reference, and named by what their address is made of."""

    def _step(self, step: str, base: str, index: core.Expr) -> str:
        return re.sub(r"\(&(\w+)\)(?:->|\.)", r"\1.", super()._step(step, base, index))


class _Steps(Steps):
    """Steps of host code: a launch is a call of the function that runs the loop."""

    def __init__(
        self,
        expressions: Expressions,
        style: Style,
        argument: Callable[[code.Passed], str],
        user_call: Callable[[code.UserCall], str],
        loops: Mapping[FunctionSymbol, str],
        used: Mapping[str, tuple[bool, ...]],
    ) -> None:
        super().__init__(expressions, style, argument, user_call)
        self._loops, self._used = loops, used

    def _launch(self, act: code.Act, given: list[str]) -> list[str]:
        assert act.callee is not None
        writes = ", ".join(self.argument(a) for a in act.saved)
        call = self._call(self._loops[act.callee], given)
        return [f"{_PROGRAM}.save({{{writes}}});", call, f"{_PROGRAM}.launched();"]

    def _pullback(self, act: code.Act, given: list[str]) -> list[str]:
        assert act.callee is not None
        numbers = [isinstance(a, code.AddressOfVariable) for a in act.arguments]
        passed = [f"{_PROGRAM}.number({g})" if is_number else g for g, is_number in zip(given, numbers, strict=True)]
        together = ", ".join(self.argument(a) for a in act.saved)
        apart = [f'{_PROGRAM}.apart("{act.callee.name}", {act.written}, {{{together}}});'] if together else []
        collect = [f"{_PROGRAM}.collect();"] if any(numbers) else []
        call = self._call(act.name, passed)
        return [*apart, call, f"{_PROGRAM}.launched();", *collect]

    def _call(self, loop: str, given: list[str]) -> str:
        passed = (g for g, is_used in zip(given, self._used[loop], strict=True) if is_used)
        return f"{self.style.pullbacks}::{loop}({', '.join(passed)});"


class _LoopStatements(Statements):
    """Statements of a loop's body. What all iterations add to one number is a sum of the loop."""

    def __init__(self, expressions: Expressions, style: Style, optional: frozenset[str] = frozenset()) -> None:
        super().__init__(expressions, style, optional)
        self.totals: dict[str, str] = {}  # their types, by the pointers to the numbers

    def _add_parameter(self, statement: code.AddParameter) -> str:
        name = self.names.adjoint(statement.name)
        if statement.update is Update.PLAIN or statement.member:
            return super()._add_parameter(statement)
        return self._total(name, spell(adjoint_value(statement.type)), statement.expr)

    def _add_element(self, statement: code.AddElement) -> str:
        root, at = statement.root, statement.index
        is_first = isinstance(at, core.Const) and not at.value and root.path == (_WHOLE,)
        if statement.update is Update.PLAIN or not is_first or root.kind is not core.RootKind.ARGUMENT:
            return super()._add_element(statement)
        element = root.adjoint_cell if statement.adjoint else root.element
        return self._total(self.names.of((root, statement.adjoint)), spell(element), statement.expr)

    def _total(self, pointer: str, type: str, expr: core.Expr) -> str:
        self.totals[pointer] = type
        return f"_sum_{pointer} += {self.e.text(expr)};"


@dataclass(frozen=True, slots=True)
class _Loop:
    """A function that runs a loop."""

    name: str
    signature: tuple[str, ...]
    space: str
    counts: tuple[str, ...]  # how many iterations it has along each index
    reaches: str  # what must be so for the loop to have the gradient's memory, where that is not known
    indices: tuple[str, ...]
    totals: tuple[tuple[str, str], ...]  # pointers to numbers that it adds sums to, and their types
    tape: str
    body: str
    count: str = ""  # of one whose iterations keep what takes memory: what counts the slots that one takes
    slots: str = ""


@dataclass(frozen=True, slots=True)
class _Pullback:
    """What loops, or the gradient, call for functions of the original."""

    name: str
    namespace: str
    signature: tuple[str, ...]
    tape: str
    body: str


@dataclass(frozen=True, slots=True)
class _Main:
    """The gradient."""

    signature: tuple[str, ...]
    pointers: tuple[str, ...]
    program: bool
    waits: bool
    views: tuple[str, ...]  # of the caller's, which its steps may overwrite
    pairs: tuple[tuple[str, str], ...]  # views of the caller's, and their adjoints
    tape: str  # the class of its tape, if it has one
    body: str


@dataclass(slots=True)
class KokkosUnit:
    """An emitted file for Kokkos."""

    gradient: Gradient
    style: Style
    loops: dict[FunctionSymbol, str] = field(default_factory=dict)
    used: dict[str, tuple[bool, ...]] = field(default_factory=dict)  # which of its parameters a loop uses

    def __post_init__(self) -> None:
        self.loops = {symbol: f.name for symbol, f in self.gradient.loops}

    # ---- loops ------------------------------------------------------------------------------------------------------

    def functions(self) -> Iterator[_Loop]:
        for _, function in self.gradient.loops:
            yield self._loop(function)
        for gradient in self.gradient.kernels:
            yield self._loop(gradient.main)

    def pullbacks(self) -> Iterator[_Pullback]:
        for gradient in (*self.gradient.kernels, self.gradient):
            for function in gradient.functions[:-1]:
                namespace = pullbacks_namespace(gradient.main.name)
                function = marked(function)
                _, printer = printers(function, replace(self.style, pullbacks=""), False)
                printer.prepare(function.body)
                body = "\n".join(printer.block(function.body, 1))
                signature = tuple(f"[[maybe_unused]] {declare(p.type, p.name)}" for p in function.parameters)
                yield _Pullback(function.name, namespace, signature, _tape(function), body)

    def _loop(self, function: code.Function) -> _Loop:
        style = replace(self.style, pullbacks=pullbacks_namespace(function.name))
        function = marked(function)
        body, printer = _body(function, style)
        rank = rank_of(function.primal.symbol)
        bounds = [p.name for p in function.parameters[: 2 * rank]]
        used = used_names(function.body, (), function, printer.names).union(bounds)
        count, slots = "", ""
        if function.tape_slots is None:
            assert function.count_result is not None
            counting = replace(function, body=function.count)
            count, counter = _body(counting, style)
            slots = counter.e.text(function.count_result)
            used |= used_names(function.count, (function.count_result,), counting, counter.names)
        self.used[function.name] = tuple(p.name in used for p in function.parameters)
        signature = tuple(declare(p.type, p.name) for p in function.parameters if p.name in used)
        totals = tuple(printer.totals.items())
        counts = tuple(f"{last} - {first}" for first, last in zip(bounds[::2], bounds[1::2], strict=True))
        return _Loop(
            function.name,
            signature,
            _space(function),
            counts,
            _reaches(_space(function)),
            _INDICES[:rank],
            totals,
            _tape(function, "cladpy::iteration_tape"),
            body,
            count,
            slots,
        )

    # ---- the gradient -----------------------------------------------------------------------------------------------

    def main(self) -> _Main:
        function = marked(self.gradient.main)
        names, _ = printers(function, self.style, False)
        given = {p.name for p in function.parameters if _is_given_by_reference(p)}
        for thing, name in list(names.given.items()):
            if name in given:
                names.given[thing] = f"(&{name})"
        style = replace(self.style, pullbacks=f"{self.style.pullbacks}::{pullbacks_namespace(self.gradient.main.name)}")
        printer = Statements(_Expressions(names, {}), style, frozenset())
        printer.steps = _Steps(printer.e, self.style, printer.argument, printer._user_call, self.loops, self.used)
        block = tidy(without_dead_code(self._without_unused(function.body)))
        printer.prepare(block)
        body = "\n".join(printer.block(block, 1))
        used = {n.removeprefix("(&").removesuffix(")") for n in used_names(block, (), function, names)}
        signature = []
        for p in function.parameters:
            text = _declared(p, p.name in used, given=p.name in given)
            default = " = 1" if p.name == f"_d_return{MARK}" and isinstance(p.type, Scalar) else ""
            signature.append(text + default)
        touched = {(r.allocation, adjoint) for s in all_statements(block) for r, adjoint in touched_roots(s)}
        pointers = []
        for root in function.heap:
            for adjoint in (False, True):
                if (root.allocation, adjoint) in touched:
                    assert root.allocation is not None
                    pointers.append(f"{pointee(root.allocation, adjoint)} *{names.of((root, adjoint))} = nullptr;")
        program = any(isinstance(s, code.Act) for s in all_statements(block))
        views, adjoints = (self._views(function, names, adjoint) for adjoint in (False, True))
        return _Main(
            tuple(signature),
            tuple(pointers),
            program,
            function.waits,
            tuple(dict.fromkeys(views.values())),
            tuple(dict.fromkeys((views[root], adjoint) for root, adjoint in adjoints.items())),
            _tape(function),
            body,
        )

    def _without_unused(self, block: code.Block) -> code.Block:
        """The body without what is computed for loops that do not use it."""
        done: list[code.Statement] = []
        for s in block:
            if isinstance(s, code.Act) and s.verb in (code.Verb.LAUNCH, code.Verb.PULLBACK):
                assert s.callee is not None
                used = self.used[self.loops[s.callee] if s.verb is code.Verb.LAUNCH else s.name]
                given = zip(s.arguments, used, strict=True)
                s = replace(s, arguments=tuple(a if is_used else core.Const(0, LONG) for a, is_used in given))
            done.append(with_blocks(s, self._without_unused))
        return tuple(done)

    def _views(self, function: code.Function, names: Names, adjoint: bool) -> dict[core.Root, str]:
        """The views of the caller's by what they lead to, or their adjoints, as the function names them."""
        found: dict[core.Root, str] = {}
        for p in function.parameters:
            for part in p.parts:
                root = part.content
                if isinstance(root, core.Root) and p.adjoint == adjoint:
                    view, asked, _ = root.path[0].partition(".data()")
                    if asked:
                        found[root] = re.sub(r"^\(&(\w+)\)(?=\.|$)", r"\1", view.format(b=names.of((root, adjoint))))
        return found


def _body(function: code.Function, style: Style) -> tuple[str, _LoopStatements]:
    """What an iteration does."""
    names, _ = printers(function, style, False)
    for p in function.primal.parameters:
        if p.layout is not None and p.layout.is_one:
            names.given.update((content, "1") for content in p.contents if isinstance(content, core.Value))
    optional = frozenset(p.name for p in function.parameters if p.optional)
    printer = _LoopStatements(Expressions(names, _ITERATION), style, optional)
    printer.prepare(function.body)
    return _INDEX.sub(r"\1", "\n".join(printer.block(function.body, 2))), printer


def _tape(function: code.Function, growing: str = "cladpy::growing_tape") -> str:
    """The class of a function's tape, if it has one."""
    if function.tape_slots == 0:
        return ""
    return growing if function.tape_slots is None else f"cladpy::local_tape<{function.tape_slots}>"


def _is_given_by_reference(parameter: code.Parameter) -> bool:
    """Whether an adjoint is a view, or an object of views: of the class of the parameter, which is given by
    reference."""
    return parameter.adjoint and isinstance(parameter.type, Pointer) and isinstance(parameter.type.pointee, Struct)


def _declared(parameter: code.Parameter, used: bool, *, given: bool = False) -> str:
    type = parameter.type
    if given:
        assert isinstance(type, Pointer)
        type = Reference(type.pointee)
    text = declare(type, parameter.name)
    if parameter.adjoint:
        text = text.replace(f"{_VIEW}const ", _VIEW)
    return text if used else f"[[maybe_unused]] {text}"


def pullbacks_namespace(gradient: str) -> str:
    """Where the pullbacks of a gradient are: two gradients in one program may have different ones of one name."""
    return f"{gradient}_pullbacks"


def _reaches(space: str) -> str:
    """The condition for a space's loops to reach the memory in which a gradient has its adjoints."""
    if space == _DEFAULT_SPACE:
        return ""
    return f"Kokkos::SpaceAccessibility<{space}, {_DEFAULT_SPACE}::memory_space>::accessible"


def _space(function: code.Function) -> str:
    """The execution space of a loop, which is the first argument of the template that it is read as."""
    arguments = function.primal.symbol.qualified_name.partition("<")[2]
    depth = 0
    for i, letter in enumerate(arguments):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if depth == 0 and letter == ",":
            return arguments[:i]
    raise AssertionError("a kernel that is no loop of Kokkos")


def support(text: str) -> str:
    """Copies of what a text names of cladpy's own."""
    own, library = kokkos_shim_dir() / "emitted", custom_derivatives_dir() / "cladpy"
    files = [own / f"{name}.h" for name in ("loops", "tapes", "program")]
    return copies(
        text,
        [*files, *(library / f"{name}.h" for name in ("arithmetic", "math", "checkpoints", "members", "host_code"))],
    )
