"""The text form of the grammar of generated code, for `--emit adjoint-ir` and `passes`, tests and debugging.
Deterministic.

A variable is `%name`, memory `@name` and its adjoint `d@name`; slots of a loop's frame are numbered in the order in
which they are first met.
"""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.core_text import Printer
from cladpy.ir.never import assert_never
from cladpy.ir.types import spell


def format_code(function: code.Function) -> str:
    """A generated function as text: its parameters, its body, and what the counting launch runs, if there is one."""
    return "\n".join(_CodePrinter().function(function)) + "\n"


def format_block(block: code.Block, names: Printer | None = None) -> str:
    """Statements as text, as in the body of a function, by the `names` of what is around them."""
    return "\n".join(_CodePrinter(names).block(block)) + "\n"


class _CodePrinter:
    def __init__(self, names: Printer | None = None) -> None:
        self._core = names or Printer()
        self._frames: dict[code.Frame, int] = {}
        self._slots: dict[code.Slot, str] = {}

    def function(self, function: code.Function) -> list[str]:
        parameters = ", ".join(self._parameter(p) for p in function.parameters)
        lines = [f"{function.role.value} {function.name}({parameters}) {{"]
        if function.tape_slots is None:
            lines.append("  tape in the workspace")
        elif function.tape_slots:
            lines.append(f"  tape of {function.tape_slots} slots")
        if function.standing:
            lines.append(f"  blocks run several: not for each are the first and last {function.standing}")
        for s in function.privatised:
            how = "privatise by lanes" if s.by_lanes else "privatise"
            lines.append(f"  {how} {self._root(s.root, True)} below {', '.join(map(self._expr, s.extents))}")
        lines += self._block(function.body, 1)
        if function.count_result is not None:
            where = "count at the launch" if function.count_at_launch else "count"
            lines += [f"}} {where} {{", *self._block(function.count, 1)]
            lines.append(f"  result {self._expr(function.count_result)}")
        return [*lines, "}"]

    def block(self, block: code.Block) -> list[str]:
        return self._block(block, 1)

    def _parameter(self, parameter: code.Parameter) -> str:
        match parameter.parts:
            case (core.Part(core.Root() as root, ""),):
                name = self._root(root, parameter.adjoint)
            case (core.Part(core.Value() as value, ""),) if not parameter.adjoint:
                name = self._core.name(value)
            case _:
                name = parameter.name
        return f"{spell(parameter.type)} {name}"

    # ---- names -------------------------------------------------------------------------------------------------------

    def _root(self, root: core.Root, adjoint: bool) -> str:
        return ("d" if adjoint else "") + self._core.name(root)

    def _element(self, root: core.Root, index: core.Expr, adjoint: bool) -> str:
        return f"{self._root(root, adjoint)}[{self._expr(index)}]"

    def _frame(self, frame: code.Frame) -> str:
        return f"#{self._frames.setdefault(frame, len(self._frames))}"

    def _slot(self, frame: code.Frame, slot: code.Slot) -> str:
        if slot not in self._slots:
            prefix = self._frame(frame) + "."
            count = sum(name.startswith(prefix) for name in self._slots.values())
            self._slots[slot] = f"{prefix}{count}"
        return self._slots[slot]

    def _expr(self, expr: core.Expr) -> str:
        return self._core.expr(expr)

    def _argument(self, argument: code.Passed) -> str:
        match argument:
            case code.Address(root, offset, adjoint, _, seen):
                return "&" + self._element(root, offset, adjoint) + ("" if seen is None else f" as {spell(seen)}")
            case code.ChosenAddress(alternatives, numbers, tag):
                listed = (f"{n}: {self._argument(a)}" for n, a in zip(numbers, alternatives, strict=True))
                return f"{self._expr(tag)} of {{{', '.join(listed)}}}"
            case code.AddressOfVariable(variable):
                return "&" + self._core.name(variable)
            case code.ObjectVariable(variable, passing, offset):
                at = "" if offset is None else f" at {self._expr(offset)}"
                return f"{passing.value} {self._core.name(variable)}{at}"
            case _:
                return self._expr(argument)

    def _arguments(self, arguments: tuple[code.Passed, ...]) -> str:
        return ", ".join(self._argument(a) for a in arguments)

    def _initializer(self, init: code.Initializer) -> str:
        match init:
            case code.Element(root, index, adjoint):
                return self._element(root, index, adjoint)
            case code.UserCall(callee, arguments):
                return f"call {callee.qualified_name}({self._arguments(arguments)})"
            case code.MemberOf(variable, member):
                return member.replace("{b}", self._core.name(variable))
            case code.Together(name, given):
                return f"together {name}({', '.join(self._expr(e) for e in given)})"
            case _:
                return self._expr(init)

    # ---- statements --------------------------------------------------------------------------------------------------

    def _block(self, block: code.Block, depth: int) -> list[str]:
        lines: list[str] = []
        for statement in block:
            lines += self._statement(statement, depth)
        return lines

    def _statement(self, statement: code.Statement, depth: int) -> list[str]:
        pad = "  " * depth
        match statement:
            case code.Branch(condition, then, other):
                lines = [f"{pad}if {self._expr(condition)} {{", *self._block(then, depth + 1)]
                if other:
                    lines += [f"{pad}}} else {{", *self._block(other, depth + 1)]
                return [*lines, f"{pad}}}"]
            case code.While(before, condition, body):
                lines = [f"{pad}before {{", *self._block(before, depth + 1), f"{pad}}}"] if before else []
                shared = "" if statement.team is None else " of a team"
                lines += [
                    f"{pad}while {self._expr(condition)}{_fetching(statement)}{shared} {{",
                    *self._block(body, depth + 1),
                ]
                return [*lines, f"{pad}}}"]
            case code.CountDown(variable, count, body, mask):
                name = self._core.name(variable)
                step = " in step" * statement.in_step if mask is None else f" in step with {self._expr(mask)}"
                step += " unrolled" * statement.unrolled + _fetching(statement)
                step += "" if statement.team is None else " of a team" if statement.at_once is None else " at once"
                soon = [] if statement.soon is None else [f"{pad}fetch the slot on top if {self._expr(statement.soon)}"]
                return [
                    *soon,
                    f"{pad}count {name} down from {self._expr(count)}{step} {{",
                    *self._block(body, depth + 1),
                    f"{pad}}}",
                ]
            case code.Rewind(states, at, variables, clock, body):
                names = ", ".join(f"{self._core.name(v)} = {self._slot(states, slot)}" for slot, v in variables)
                name = self._core.name(clock)
                return [
                    f"{pad}rewind {self._frame(states)} to {self._expr(at)} ({names}) by step {name} {{",
                    *self._block(body, depth + 1),
                    f"{pad}}}",
                ]
            case code.Act():
                return [pad + self._act(statement)]
            case _:
                return [pad + self._simple(statement)]

    def _act(self, act: code.Act) -> str:
        target = "" if act.pointer is None else f" {self._root(act.pointer, act.adjoint)}"
        at = "" if act.launch is None else f"<<<{', '.join(map(self._expr, act.launch.expressions))}>>>"
        return f"{act.verb.value}{target}{f' {act.name}' if act.name else ''}{at}({self._arguments(act.arguments)})"

    def _kept(self, statement: code.Push | code.Pop | code.DeclareStates | code.Keep) -> str:
        match statement:
            case code.Push(frame, kept):
                return f"push {self._frame(frame)}({self._held(frame, kept)}){self._only(statement.only)}"
            case code.Pop(frame, variables):
                names = ", ".join(
                    f"{self._core.name(v)}: {spell(v.type)} = {self._slot(frame, slot)}" for slot, v in variables
                )
                early = "" if statement.next is None else f", and fetch the next if {self._expr(statement.next)}"
                return f"pop {self._frame(frame)}({names}){self._only(statement.only)}{early}"
            case code.DeclareStates(states):
                return f"states {self._frame(states)} in {states.levels} levels"
            case code.Keep(states, at, kept):
                return f"keep {self._frame(states)} before {self._expr(at)} ({self._held(states, kept)})"
            case _:
                assert_never(statement)

    def _only(self, condition: core.Expr | None) -> str:
        return "" if condition is None else f" if {self._expr(condition)}"

    def _held(self, frame: code.Frame, kept: tuple[tuple[code.Slot, core.Expr], ...]) -> str:
        return ", ".join(f"{self._slot(frame, slot)} = {self._expr(e)}" for slot, e in kept)

    def _simple(self, statement: code.Simple) -> str:
        """A statement without blocks."""
        match statement:
            case code.Define(variable, init, mutable):
                keyword = "var" if mutable else "let"
                return f"{keyword} {self._core.name(variable)}: {spell(variable.type)} = {self._initializer(init)}"
            case code.Assign(variable, expr):
                return f"{self._core.name(variable)} = {self._expr(expr)}"
            case code.Add(variable, expr):
                return f"{self._core.name(variable)} += {self._expr(expr)}"
            case code.DeclareArray(root, adjoint, zeroed, offset, below=below):
                array = f"{self._root(root, adjoint)}: {spell(root.element)}[{root.length}]"
                place = f" at {offset}" if offset else ""
                limits = f" below {', '.join(map(self._expr, below))}" if below else ""
                return f"array {array}{' zeroed' if zeroed else ''}{limits}{place}"
            case code.DeclareObject(variable, leaves, pointers=pointers):
                led = "".join(f" {text.replace('{b}', '')} = {self._argument(a)}" for text, a in pointers)
                made = ", ".join(f"{leaf.member.replace('{b}', '')} = {self._expr(leaf.expr)}" for leaf in leaves)
                return f"object {self._core.name(variable)}: {spell(variable.type)} {{{made}{led}}}"
            case code.Invoke(call, _, result):
                name = "" if result is None else f"let {self._core.name(result)}: {spell(result.type)} = "
                return name + self._initializer(call)
            case code.WriteElement(root, index, expr, _, saved):
                return f"{'save ' if saved else ''}{self._element(root, index, False)} = {self._expr(expr)}"
            case code.AddElement(
                root, index, expr, update, adjoint, assigned=assigned, optional=optional, privatised=privatised
            ):
                sign = "=" if assigned else "+="
                unless = " unless zero" if optional else ""
                how = "privatised " * privatised + "meeting " * statement.meeting + update.value
                if statement.row is not None:
                    how += " along" * statement.along
                    return f"{how} {self._element(root, index, adjoint)}... += {self._root(statement.row, False)}"
                beside = f" beside {statement.beside}" if statement.beside else ""
                return f"{how} {self._element(root, index, adjoint)} {sign} {self._expr(expr)}{unless}{beside}"
            case code.UpdateElement(root, index, operands, callee):
                parts = ", ".join([self._element(root, index, False), *map(self._expr, operands)])
                return f"atomic {callee.qualified_name}({parts})"
            case code.Take(variable, root, index, update, zero):
                verb = "take" if zero else "read"
                name = f"{self._core.name(variable)}: {spell(variable.type)}"
                return f"let {name} = {verb} {update.value} {self._element(root, index, True)}"
            case code.AddParameter(name, _, expr, update, member, assigned):
                place = (member or "{b}").replace("{b}", f"*{name}")
                return f"{update.value} {place} {'=' if assigned else '+='} {self._expr(expr)}"
            case code.Push() | code.Pop() | code.DeclareStates() | code.Keep():
                return self._kept(statement)
            case code.CallPullback(name, arguments, _, storage, undone, _, dropped):
                log = f" logged as {self._frame(undone)}" if undone is not None else ""
                log += " dropped" * dropped
                return f"{name}({self._arguments(arguments)}){' with ' + storage if storage else ''}{log}"
            case code.Undo(undone):
                return f"undo {self._frame(undone)}"
            case code.Reserve(slots):
                return f"reserve {self._expr(slots)}"
            case code.Perform(callee, parts):
                given = ", ".join(p.spelling if isinstance(p, core.Text) else self._expr(p) for p in parts)
                return f"effect {callee.qualified_name}({given})"
            case code.Synchronize(callee, predicate, variable):
                target = "" if variable is None else f"let {self._core.name(variable)}: {spell(variable.type)} = "
                return f"{target}barrier {callee.qualified_name}({'' if predicate is None else self._expr(predicate)})"
            case code.Comment(text):
                return f"// {text}"
            case _:
                assert_never(statement)


def _fetching(loop: code.While | code.CountDown) -> str:
    return f", the first {loop.fetched} for {loop.batch} at a time" if loop.fetched else ""
