"""The surface grammar as text: compact, deterministic, every type and conversion in view."""

from __future__ import annotations

from cladpy.deep import run_deep
from cladpy.ir import surface as s
from cladpy.ir.never import assert_never
from cladpy.ir.symbols import Space, Symbol
from cladpy.ir.types import Opaque, ScalarKind, Type, is_floating, scalar_of, spell

_SUFFIX = {
    ScalarKind.FLOAT: "f",
    ScalarKind.UINT: "u",
    ScalarKind.LONG: "l",
    ScalarKind.ULONG: "ul",
    ScalarKind.LONGLONG: "ll",
    ScalarKind.ULONGLONG: "ull",
}


def format_program(program: s.Program) -> str:
    """All functions, the entry first."""
    functions = sorted(program.functions.values(), key=lambda f: f.symbol is not program.entry)
    parts = run_deep(lambda: [format_function(function) for function in functions])
    customs: tuple[s.CustomForward | s.CustomPullback, ...] = (*program.custom_forwards, *program.custom_pullbacks)
    for pullback in customs:
        types = ", ".join(spell(p) for p in pullback.parameters)
        parts.append(f"pullback of {pullback.primal_name}: {pullback.qualified_name}({types})\n")
    for launch in program.launches:
        configuration, arguments = ", ".join(launch.configuration), ", ".join(launch.arguments)
        parts.append(f"launch {launch.start}-{launch.end}: {launch.kernel}<<<{configuration}>>>({arguments})\n")
    return "\n".join(parts)


def format_function(function: s.Function) -> str:
    names = _Names()
    symbol = function.symbol
    parameters = ", ".join(names.declare(p) for p in function.parameters)
    lines = [f"{symbol.kind.value} {spell(symbol.result)} {symbol.qualified_name}({parameters}) {{"]
    _Printer(names, lines).block(function.body, 1)
    return "\n".join([*lines, "}"]) + "\n"


class _Names:
    """Symbols of one name are told apart by a number."""

    def __init__(self) -> None:
        self._names: dict[Symbol, str] = {}
        self._count: dict[str, int] = {}

    def declare(self, symbol: Symbol) -> str:
        count = self._count.get(symbol.name, 0)
        self._count[symbol.name] = count + 1
        self._names[symbol] = symbol.name if not count else f"{symbol.name}.{count}"
        const = "const " if symbol.const else ""
        space = f"{symbol.space.value} " if symbol.space is not Space.LOCAL else ""
        return f"{const}{space}{self._names[symbol]}: {spell(symbol.type)}"

    def use(self, symbol: Symbol) -> str:
        return self._names.get(symbol, symbol.name)


class _Printer:
    def __init__(self, names: _Names, lines: list[str]) -> None:
        self._names = names
        self._lines = lines

    def block(self, block: s.Block, depth: int) -> None:
        for statement in block.statements:
            self.statement(statement, depth)

    def _line(self, text: str, depth: int) -> None:
        self._lines.append("  " * depth + text)

    def statement(self, statement: s.Stmt, depth: int) -> None:
        match statement:
            case s.Declare(symbol, init):
                value = f" = {self.expr(init)}" if init is not None else ""
                self._line(f"let {self._names.declare(symbol)}{value}", depth)
            case s.Bind(base, field, referred):
                self._line(f"bind {self.expr(base)}.{field.name} = {self.expr(referred)}", depth)
            case s.Evaluate(expr):
                self._line(self.expr(expr), depth)
            case s.If(condition, then, other):
                self._line(f"if {self.expr(condition)} {{", depth)
                self.block(then, depth + 1)
                if other is not None:
                    self._line("} else {", depth)
                    self.block(other, depth + 1)
                self._line("}", depth)
            case s.For(init, condition, step, body):
                self._line("for {", depth)
                for part in init:
                    self.statement(part, depth + 2)
                self._line(f"}} while {self.expr(condition) if condition is not None else 'true'}", depth + 1)
                self._line(f"step {self.expr(step) if step is not None else 'nothing'} {{", depth + 1)
                self.block(body, depth + 2)
                self._line("}", depth)
            case s.While(condition, body):
                self._line(f"while {self.expr(condition)} {{", depth)
                self.block(body, depth + 1)
                self._line("}", depth)
            case s.DoWhile(body, condition):
                self._line("do {", depth)
                self.block(body, depth + 1)
                self._line(f"}} while {self.expr(condition)}", depth)
            case s.Switch(value, sections):
                self._line(f"switch {self.expr(value)} {{", depth)
                for section in sections:
                    labels = ", ".join("default" if label is None else str(label) for label in section.labels)
                    self._line(f"{labels}:", depth)
                    for part in section.body:
                        self.statement(part, depth + 1)
                self._line("}", depth)
            case s.Break():
                self._line("break", depth)
            case s.Continue():
                self._line("continue", depth)
            case s.Return(value):
                self._line(f"return {self.expr(value)}" if value is not None else "return", depth)
            case s.Block():
                self._line("{", depth)
                self.block(statement, depth + 1)
                self._line("}", depth)
            case _:
                assert_never(statement)

    def expr(self, expr: s.Expr) -> str:
        match expr:
            case s.Literal() | s.StringLiteral() | s.VarRef() | s.Builtin():
                return self._leaf(expr)
            case s.Unary(op, operand):
                return f"{op.value}{self.expr(operand)}"
            case s.Binary(op, left, right):
                return f"({self.expr(left)} {op.value} {self.expr(right)})"
            case s.Assign(target, value):
                return f"({self.expr(target)} = {self.expr(value)})"
            case s.CompoundAssign(op, target, value, compute_type, type):
                compute = f"[{spell(compute_type)}]" if compute_type != type else ""
                return f"({self.expr(target)} {op.value}={compute} {self.expr(value)})"
            case s.IncDec(target, delta, prefix):
                sign = "++" if delta == 1 else "--"
                return f"{sign}{self.expr(target)}" if prefix else f"{self.expr(target)}{sign}"
            case s.Conditional(condition, then, other):
                return f"({self.expr(condition)} ? {self.expr(then)} : {self.expr(other)})"
            case s.Cast(operand, type):
                return f"<{spell(type)}>{self.expr(operand)}"
            case s.Index(base, index):
                text = self.expr(base)
                return f"{text if isinstance(base, (s.VarRef, s.Index, s.Call)) else f'({text})'}[{self.expr(index)}]"
            case s.Deref(operand):
                return f"*{self.expr(operand)}"
            case s.AddressOf(operand):
                return f"&{self.expr(operand)}"
            case s.Call(callee, arguments, launch=launch):
                at = "" if launch is None else f"<<<{', '.join(map(self.expr, launch.expressions))}>>>"
                return f"{callee.qualified_name}{at}({', '.join(map(self.expr, arguments))})"
            case s.Member() | s.Construct() | s.Temporary():
                return self._object(expr)
            case s.Comma(left, right):
                return f"({self.expr(left)}, {self.expr(right)})"
            case s.InitList(elements):
                return f"{{{', '.join(map(self.expr, elements))}}}"
            case s.Unsupported(code, message, operands=operands):
                if operands is None:
                    return f"unsupported {code}: {message}"
                return f"unused {code}({', '.join(map(self.expr, operands))})"
            case _:
                assert_never(expr)

    def _leaf(self, expr: s.Literal | s.StringLiteral | s.VarRef | s.Builtin) -> str:
        match expr:
            case s.Literal(value, type):
                return _literal(value, type)
            case s.StringLiteral(text):
                return text
            case s.VarRef(symbol):
                return self._names.use(symbol)
            case s.Builtin(var):
                return var.value
            case _:
                assert_never(expr)

    def _object(self, expr: s.Member | s.Construct | s.Temporary) -> str:
        match expr:
            case s.Member(base, field):
                text = self.expr(base)
                text = text if isinstance(base, (s.VarRef, s.Index, s.Call, s.Member)) else f"({text})"
                return f"{text}.{f'<{spell(field.type)}>' if field.base else field.name}"
            case s.Construct(_, arguments, type):
                return f"new {spell(type)}({', '.join(map(self.expr, arguments))})"
            case s.Temporary(operand):
                return f"temporary({self.expr(operand)})"
            case _:
                assert_never(expr)


def _literal(value: int | float | bool, type: Type) -> str:
    scalar = scalar_of(type)
    if scalar is not type or (isinstance(type, Opaque) and value == 0):
        return "nullptr"
    if isinstance(value, bool):
        return "true" if value else "false"
    suffix = _SUFFIX.get(getattr(scalar, "kind", ScalarKind.INT), "")
    if not is_floating(type) and not suffix and getattr(scalar, "kind", None) is not ScalarKind.INT:
        return f"<{spell(type)}>{value}"
    return f"{value!r}{suffix}"
