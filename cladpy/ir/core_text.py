"""The text form of the core grammar, for `--emit ir`, tests and debugging. Deterministic."""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.never import assert_never
from cladpy.ir.types import Struct, scalar_of, spell


def format_function(function: core.Function) -> str:
    printer = Printer()
    parameters = ", ".join(f"{spell(p.type)} {printer.parameter(p)}" for p in function.parameters)
    lines = [f"function {function.symbol.qualified_name}({parameters}) {{"]
    lines += printer.region(function.body, 1)
    lines += [f"  result{leaf.member.replace('{b}', '')} {printer.expr(leaf.expr)}" for leaf in function.results]
    return "\n".join([*lines, "}"]) + "\n"


class Printer:
    """Writes one function; values and roots of one name are told apart by a number. `code_text` builds on it."""

    def __init__(self) -> None:
        self.names: dict[core.Value | core.Root, str] = {}
        self.used: dict[str, int] = {}

    def name(self, thing: core.Value | core.Root) -> str:
        if thing not in self.names:
            prefix = "%" if isinstance(thing, core.Value) else "@"
            count = self.used.get(prefix + thing.name, 0)
            self.used[prefix + thing.name] = count + 1
            self.names[thing] = f"{prefix}{thing.name}" + (f".{count}" if count else "")
        return self.names[thing]

    def parameter(self, parameter: core.Parameter | code.Parameter) -> str:
        """The parts of a parameter, in braces where it is of class type."""
        if len(parameter.parts) == 1 and not isinstance(scalar_of(parameter.type), Struct):
            return self.name(parameter.parts[0].content)
        parts = (p.member.replace("{b}", "") or self.name(p.content) for p in parameter.parts)
        return f"{parameter.name} {{{', '.join(parts)}}}"

    def region(self, region: core.Region, depth: int) -> list[str]:
        lines: list[str] = []
        for statement in region:
            lines += self.statement(statement, depth)
        return lines

    def statement(self, statement: core.Statement, depth: int) -> list[str]:
        pad = "  " * depth
        match statement:
            case core.Let(value, expr):
                return [f"{pad}{self.name(value)}: {spell(value.type)} = {self.expr(expr)}"]
            case core.Load(value, root, index):
                return [f"{pad}{self.name(value)}: {spell(value.type)} = load {self.element(root, index)}"]
            case core.Store(root, index, expr, _, old):
                undo = "" if old is None else f" undo {self.name(old)}"
                return [f"{pad}store {self.element(root, index)} = {self.expr(expr)}{undo}"]
            case core.AtomicAdd(root, index, expr, value=value):
                return [f"{pad}{self._given(value)}atomic {self.element(root, index)} += {self.expr(expr)}"]
            case core.Atomic(value, root, index, arguments, callee):
                operands = ", ".join(self.expr(a) for a in arguments)
                return [f"{pad}{self._given(value)}{callee.name} {self.element(root, index)} by {operands}"]
            case core.Allocate(root, zeroed):
                return [f"{pad}allocate {self.name(root)}: {spell(root.element)}[{root.length}]" + " zeroed" * zeroed]
            case core.Acquire():
                return [pad + self._acquired(statement)]
            case core.Barrier(callee, _, predicate, result):
                target = "" if result is None else f"{self.name(result)}: {spell(result.type)} = "
                given = "" if predicate is None else self.expr(predicate)
                return [f"{pad}{target}barrier {callee.qualified_name}({given})"]
            case core.Call():
                return [pad + self._called(statement)]
            case core.Effect(callee, parts):
                given = ", ".join(a.spelling if isinstance(a, core.Text) else self.expr(a) for a in parts)
                return [f"{pad}effect {callee.qualified_name}({given})"]
            case core.Collective(value, callee):
                target = "" if value is None else f"{self.name(value)}: {spell(value.type)} = "
                given = ", ".join(self.expr(e) for e in statement.arguments)
                return [f"{pad}{target}together {callee.qualified_name}({given})"]
            case core.If(condition, then, other, merges):
                lines = [f"{pad}if {self.expr(condition)} {{", *self.region(then, depth + 1)]
                if other:
                    lines += [f"{pad}}} else {{", *self.region(other, depth + 1)]
                for m in merges:
                    lines.append(f"{pad}  {self.name(m.value)} = {self.expr(m.then)} | {self.expr(m.other)}")
                return [*lines, f"{pad}}}"]
            case core.Loop(carried, before, condition, body, _, lanes):
                shared = "" if statement.team is None else " of a team"
                lines = [f"{pad}loop{shared} {{" if lanes is None else f"{pad}loop of lanes {self.expr(lanes)} {{"]
                for c in carried:
                    lines.append(f"{pad}  {self.name(c.value)}: {spell(c.value.type)} = {self.expr(c.init)}")
                if before:
                    lines += [f"{pad}before {{", *self.region(before, depth + 1), f"{pad}}}"]
                lines += [f"{pad}while {self.expr(condition)} {{", *self.region(body, depth + 1)]
                for c in carried:
                    lines.append(f"{pad}  next {self.name(c.value)} = {self.expr(c.next)} -> {self.name(c.result)}")
                return [*lines, f"{pad}}}"]
            case _:
                assert_never(statement)

    def _acquired(self, memory: core.Acquire) -> str:
        if memory.variable is not None:
            return f"locate {memory.allocation.name}: {spell(memory.element)} of {memory.variable.name}"
        what = f"{memory.allocation.name}: {memory.side.value} {spell(memory.element)}"
        return f"acquire {what} of {self.expr(memory.bytes)} bytes" + " zeroed" * memory.zeroed

    def _called(self, call: core.Call) -> str:
        callee, states, launch = call.callee, call.states, call.launch
        given = ", ".join(self.argument(a) for a in call.arguments)
        target = ", ".join(self._output(o) for o in call.outputs) + " = " if call.outputs else ""
        kept = f" by {call.forward} keeps {', '.join(map(self.name, states))}" if call.forward is not None else ""
        changes = f" writes {', '.join(map(str, sorted(call.writes)))}" if call.writes else ""
        verb = "call" if launch is None else "launch"
        at = "" if launch is None else f"<<<{', '.join(map(self.expr, launch.expressions))}>>>"
        return f"{target}{verb} {callee.qualified_name}{at}({given}){kept}{changes}"

    def _given(self, value: core.Value | None) -> str:
        return "" if value is None else f"{self.name(value)}: {spell(value.type)} = "

    def argument(self, argument: core.Argument) -> str:
        match argument:
            case core.PointerArgument(root, offset, _, seen):
                return "&" + self.element(root, offset) + ("" if seen is None else f" as {spell(seen)}")
            case core.ChosenArgument(alternatives, numbers, tag):
                listed = (f"{n}: {self.argument(a)}" for n, a in zip(numbers, alternatives, strict=True))
                return f"{self.expr(tag)} of {{{', '.join(listed)}}}"
            case core.ViewArgument(_, leaves, pointers):
                parts = [f"{leaf.member.replace('{b}', '')} = {self.expr(leaf.expr)}" for leaf in leaves]
                parts += [f"{text.replace('{b}', '')} = {self.argument(memory)}" for text, memory in pointers]
                return f"value {{{', '.join(parts)}}}"
            case core.ObjectArgument(_, leaves, passing, offset):
                made = ", ".join(f"{leaf.member.replace('{b}', '')} = {self.expr(leaf.expr)}" for leaf in leaves)
                at = "" if offset is None else f" at {self.expr(offset)}"
                return f"{passing.value} {{{made}}}{at}"
            case _:
                return self.expr(argument)

    def _output(self, output: core.Output) -> str:
        member = ("" if output.argument is None else f"{output.argument}") + output.member.replace("{b}", "")
        return f"{self.name(output.value)}: {spell(output.value.type)}{' by ' + member if member else ''}"

    def element(self, root: core.Root, index: core.Expr) -> str:
        return f"{self.name(root)}[{self.expr(index)}]"

    def _pointed(self, root: core.Root, index: core.Expr | None) -> str:
        """The pointer by which a root is reached, and where it lies in memory."""
        return self.name(root) + ("" if index is None else f"[{self.expr(index)}]")

    def expr(self, expr: core.Expr) -> str:
        match expr:
            case core.Const(value):
                return repr(value)
            case core.Use(value):
                return self.name(value)
            case core.Builtin(var):
                return var.value
            case core.Unary(op, operand):
                return f"{op.value}{self.expr(operand)}"
            case core.Binary(op, left, right):
                return f"({self.expr(left)} {op.value} {self.expr(right)})"
            case core.Select(condition, then, other):
                return f"({self.expr(condition)} ? {self.expr(then)} : {self.expr(other)})"
            case core.Cast(operand, type):
                return f"{spell(type)}({self.expr(operand)})"
            case core.Math(callee, arguments):
                return f"{callee.qualified_name}({', '.join(self.expr(a) for a in arguments)})"
            case core.Nested(outer, inner):
                return f"{self.expr(outer)}, {self.expr(inner)}"
            case core.IsNull(root, _, _, index):
                return f"null({self._pointed(root, index)})"
            case core.Address(root, _, _, index):
                return f"address({self._pointed(root, index)})"
            case core.Formula(text, named):
                return f"[{text}]({', '.join(f'{n} = {self.expr(e)}' for n, e in named)})"
            case core.Linear(value, terms):
                partials = ", ".join(f"{self.expr(partial)} by {self.expr(of)}" for of, partial in terms)
                return f"{self.expr(value)} with partials {partials}"
            case _:
                assert_never(expr)
