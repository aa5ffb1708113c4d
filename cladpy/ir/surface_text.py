"""The surface grammar as text: compact, deterministic, every type and conversion in view."""

from __future__ import annotations

from cladpy.deep import run_deep
from cladpy.ir.never import assert_never
from cladpy.ir.surface import (
    AddressOf,
    Assign,
    Binary,
    Bind,
    Block,
    Break,
    Builtin,
    Call,
    Cast,
    Comma,
    CompoundAssign,
    Conditional,
    Construct,
    Continue,
    CustomForward,
    CustomPullback,
    Declare,
    Deref,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    IncDec,
    Index,
    InitList,
    Literal,
    Member,
    Program,
    Return,
    Stmt,
    StringLiteral,
    Switch,
    Temporary,
    Unary,
    Unsupported,
    VarRef,
    While,
)
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


def format_program(program: Program) -> str:
    """All functions, the entry first."""
    functions = sorted(program.functions.values(), key=lambda f: f.symbol is not program.entry)
    parts = run_deep(lambda: [format_function(function) for function in functions])
    customs: tuple[CustomForward | CustomPullback, ...] = (*program.custom_forwards, *program.custom_pullbacks)
    for pullback in customs:
        types = ", ".join(spell(p) for p in pullback.parameters)
        parts.append(f"pullback of {pullback.primal_name}: {pullback.qualified_name}({types})\n")
    for launch in program.launches:
        configuration, arguments = ", ".join(launch.configuration), ", ".join(launch.arguments)
        parts.append(f"launch {launch.start}-{launch.end}: {launch.kernel}<<<{configuration}>>>({arguments})\n")
    return "\n".join(parts)


def format_function(function: Function) -> str:
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

    def block(self, block: Block, depth: int) -> None:
        for statement in block.statements:
            self.statement(statement, depth)

    def _line(self, text: str, depth: int) -> None:
        self._lines.append("  " * depth + text)

    def statement(self, statement: Stmt, depth: int) -> None:
        match statement:
            case Declare(symbol, init):
                value = f" = {self.expr(init)}" if init is not None else ""
                self._line(f"let {self._names.declare(symbol)}{value}", depth)
            case Bind(base, field, referred):
                self._line(f"bind {self.expr(base)}.{field.name} = {self.expr(referred)}", depth)
            case Evaluate(expr):
                self._line(self.expr(expr), depth)
            case If(condition, then, other):
                self._line(f"if {self.expr(condition)} {{", depth)
                self.block(then, depth + 1)
                if other is not None:
                    self._line("} else {", depth)
                    self.block(other, depth + 1)
                self._line("}", depth)
            case For(init, condition, step, body):
                self._line("for {", depth)
                for part in init:
                    self.statement(part, depth + 2)
                self._line(f"}} while {self.expr(condition) if condition is not None else 'true'}", depth + 1)
                self._line(f"step {self.expr(step) if step is not None else 'nothing'} {{", depth + 1)
                self.block(body, depth + 2)
                self._line("}", depth)
            case While(condition, body):
                self._line(f"while {self.expr(condition)} {{", depth)
                self.block(body, depth + 1)
                self._line("}", depth)
            case DoWhile(body, condition):
                self._line("do {", depth)
                self.block(body, depth + 1)
                self._line(f"}} while {self.expr(condition)}", depth)
            case Switch(value, sections):
                self._line(f"switch {self.expr(value)} {{", depth)
                for section in sections:
                    labels = ", ".join("default" if label is None else str(label) for label in section.labels)
                    self._line(f"{labels}:", depth)
                    for part in section.body:
                        self.statement(part, depth + 1)
                self._line("}", depth)
            case Break():
                self._line("break", depth)
            case Continue():
                self._line("continue", depth)
            case Return(value):
                self._line(f"return {self.expr(value)}" if value is not None else "return", depth)
            case Block():
                self._line("{", depth)
                self.block(statement, depth + 1)
                self._line("}", depth)
            case _:
                assert_never(statement)

    def expr(self, expr: Expr) -> str:
        match expr:
            case Literal() | StringLiteral() | VarRef() | Builtin():
                return self._leaf(expr)
            case Unary(op, operand):
                return f"{op.value}{self.expr(operand)}"
            case Binary(op, left, right):
                return f"({self.expr(left)} {op.value} {self.expr(right)})"
            case Assign(target, value):
                return f"({self.expr(target)} = {self.expr(value)})"
            case CompoundAssign(op, target, value, compute_type, type):
                compute = f"[{spell(compute_type)}]" if compute_type != type else ""
                return f"({self.expr(target)} {op.value}={compute} {self.expr(value)})"
            case IncDec(target, delta, prefix):
                sign = "++" if delta == 1 else "--"
                return f"{sign}{self.expr(target)}" if prefix else f"{self.expr(target)}{sign}"
            case Conditional(condition, then, other):
                return f"({self.expr(condition)} ? {self.expr(then)} : {self.expr(other)})"
            case Cast(operand, type):
                return f"<{spell(type)}>{self.expr(operand)}"
            case Index(base, index):
                text = self.expr(base)
                return f"{text if isinstance(base, (VarRef, Index, Call)) else f'({text})'}[{self.expr(index)}]"
            case Deref(operand):
                return f"*{self.expr(operand)}"
            case AddressOf(operand):
                return f"&{self.expr(operand)}"
            case Call(callee, arguments, launch=launch):
                at = "" if launch is None else f"<<<{', '.join(map(self.expr, launch.expressions))}>>>"
                return f"{callee.qualified_name}{at}({', '.join(map(self.expr, arguments))})"
            case Member() | Construct() | Temporary():
                return self._object(expr)
            case Comma(left, right):
                return f"({self.expr(left)}, {self.expr(right)})"
            case InitList(elements):
                return f"{{{', '.join(map(self.expr, elements))}}}"
            case Unsupported(code, message, operands=operands):
                if operands is None:
                    return f"unsupported {code}: {message}"
                return f"unused {code}({', '.join(map(self.expr, operands))})"
            case _:
                assert_never(expr)

    def _leaf(self, expr: Literal | StringLiteral | VarRef | Builtin) -> str:
        match expr:
            case Literal(value, type):
                return _literal(value, type)
            case StringLiteral(text):
                return text
            case VarRef(symbol):
                return self._names.use(symbol)
            case Builtin(var):
                return var.value
            case _:
                assert_never(expr)

    def _object(self, expr: Member | Construct | Temporary) -> str:
        match expr:
            case Member(base, field):
                text = self.expr(base)
                text = text if isinstance(base, (VarRef, Index, Call, Member)) else f"({text})"
                return f"{text}.{f'<{spell(field.type)}>' if field.base else field.name}"
            case Construct(_, arguments, type):
                return f"new {spell(type)}({', '.join(map(self.expr, arguments))})"
            case Temporary(operand):
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
