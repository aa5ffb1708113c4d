"""Surface statements and functions as forward-mode C++, with the program's own control flow."""

from __future__ import annotations

from cladpy.check.expressions import Expressions
from cladpy.check.globals import named
from cladpy.check.storage import is_pair, walk
from cladpy.ir import surface as s
from cladpy.ir.never import assert_never
from cladpy.ir.symbols import Space, Symbol, is_dynamic_shared
from cladpy.ir.types import FLOAT, Array, Pointer, Reference, Scalar, Struct, is_floating, is_integer, scalar_of, spell
from cladpy.quoting import literal


def signature(function: s.Function, name: str, emit: Expressions) -> str:
    """The head of an emitted function, without braces or semicolon."""
    parameters = []
    for p in function.parameters:
        if is_floating(p.type) or isinstance(p.type, Struct):
            parameters.append(f"{emit.value_type(p.type)} {_incoming(p, emit)}")
        else:
            parameters.append(emit.classes.declare(p.type, emit.name(p)))
    return f"static {emit.value_type(function.symbol.result)} {name}({', '.join(parameters)})"


def _incoming(p: Symbol, emit: Expressions) -> str:
    return emit.name(p) if is_pair(p, emit.memory) else f"{emit.name(p)}_in"


def definition(function: s.Function, name: str, emit: Expressions) -> str:
    head = [signature(function, name, emit) + " {"]
    for p in function.parameters:
        if isinstance(p.type, Struct) or (is_floating(p.type) and not is_pair(p, emit.memory)):
            of = emit.classes.spell(p.type)
            head.append(f"  {of} {emit.name(p)}; (void)store<{of}>{{{_incoming(p, emit)}, {emit.name(p)}}};")
        elif is_integer(p.type) and p in emit.memory:
            head.append(f"  forget({emit.name(p)});")
    returns_reference = isinstance(function.symbol.result, Reference)
    emit.slots = []
    body = Statements(emit, returns_reference)
    for statement in function.body.statements:
        body.statement(statement, 1)
    return "\n".join([*head, *(f"  {slot}" for slot in emit.slots), *body.lines, "}"])


class Statements:
    """Collects the lines of one function's body."""

    def __init__(self, emit: Expressions, returns_reference: bool) -> None:
        self.emit = emit
        self.returns_reference = returns_reference
        self.lines: list[str] = []
        self._hoisted: set[Symbol] = set()

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def _block(self, statements: tuple[s.Stmt, ...], depth: int) -> None:
        for statement in statements:
            self.statement(statement, depth)

    def statement(self, statement: s.Stmt, depth: int) -> None:
        emit = self.emit
        if emit.watched and not isinstance(statement, s.Block):
            self._line(depth, f"{_at(statement, emit.watched)};")
        match statement:
            case s.Declare():
                self._declare(statement, depth)
            case s.Bind(base, field, referred):
                self._line(depth, emit.binding(base, field, referred) + ";")
            case s.Evaluate(expr):
                self._line(depth, emit.effect(expr) + ";")
            case s.If(condition, then, other):
                self._line(depth, f"if ({emit.rvalue(condition)}) {{")
                self._block(then.statements, depth + 1)
                if other is not None:
                    self._line(depth, "} else {")
                    self._block(other.statements, depth + 1)
                self._line(depth, "}")
            case s.For(init, condition, step, body):
                self._line(depth, "{")
                self._block(init, depth + 1)
                test = self._test(condition, statement) if condition is not None else ""
                after = emit.effect(step) if step is not None else ""
                self._line(depth + 1, f"for (; {test}; {after}) {{")
                self._block(body.statements, depth + 2)
                self._line(depth + 1, "}")
                self._line(depth, "}")
            case s.While(condition, body):
                self._line(depth, f"while ({self._test(condition, statement)}) {{")
                self._block(body.statements, depth + 1)
                self._line(depth, "}")
            case s.DoWhile(body, condition):
                self._line(depth, "do {")
                self._block(body.statements, depth + 1)
                self._line(depth, f"}} while ({self._test(condition, condition)});")
            case s.Switch():
                self._switch(statement, depth)
            case s.Break():
                self._line(depth, "break;")
            case s.Continue():
                self._line(depth, "continue;")
            case s.Return(value):
                if value is None:
                    self._line(depth, "return;")
                else:
                    text = emit.bound(value) if self.returns_reference else emit.rvalue(value)
                    self._line(depth, f"return {text};")
            case s.Block(statements):
                self._line(depth, "{")
                self._block(statements, depth + 1)
                self._line(depth, "}")
            case _:
                assert_never(statement)

    def _test(self, condition: s.Expr, place: s.Stmt | s.Expr) -> str:
        """The condition of a loop, which is come to from elsewhere."""
        test = self.emit.rvalue(condition)
        return f"({_at(place, self.emit.watched)}, {test})" if self.emit.watched else test

    def _switch(self, statement: s.Switch, depth: int) -> None:
        # A variable declared without initialiser in one section may be used in the next: it goes before the switch,
        # and every section gets braces, so that no label jumps into the scope of an initialised one.
        self._line(depth, "{")
        for section in statement.sections:
            for inner in section.body:
                if isinstance(inner, s.Declare) and inner.init is None:
                    self._declare(inner, depth + 1)
                    self._hoisted.add(inner.symbol)
        self._line(depth + 1, f"switch ({self.emit.rvalue(statement.value)}) {{")
        kind = spell(statement.value.type)
        for section in statement.sections:
            for label in section.labels:
                self._line(depth + 1, "default:" if label is None else f"case static_cast<{kind}>({_label(label)}):")
            self._line(depth + 1, "{")
            self._block(section.body, depth + 2)
            self._line(depth + 1, "}")
        self._line(depth + 1, "}")
        self._line(depth, "}")

    def _declare(self, statement: s.Declare, depth: int) -> None:
        symbol, init = statement.symbol, statement.init
        if symbol in self._hoisted:
            return
        emit = self.emit
        name = emit.name(symbol)
        type = symbol.type
        if is_dynamic_shared(symbol):
            element = emit.classes.spell(scalar_of(type))
            self._line(depth, f"{element} *const {name} = dynamic_shared<{element}>();")
            self._shared("dynamic_shared_bytes", symbol, depth)
        elif symbol.space is Space.SHARED:
            self._line(depth, f"CLADPY_ORACLE_SHARED static {emit.classes.declare(type, name)};")
            self._shared(name, symbol, depth)
        elif isinstance(type, Reference) and init is not None:
            self._line(depth, f"{emit.classes.declare(type, name)} = {emit.bound(init)};")
        elif is_pair(symbol, emit.memory):
            value = f"dual<{spell(type)}>{{}}" if init is None else emit.rvalue(init)
            self._line(depth, f"dual<{spell(type)}> {name} = {value};")
        elif is_floating(type) or isinstance(type, Array | Struct):
            self._line(depth, f"{emit.classes.declare(type, name)}; blank({name});")
            for fill in emit.fills(name, init) if init is not None else ():
                self._line(depth, fill + ";")
        else:
            lies = is_integer(type) and symbol in emit.memory
            moves = lies and init is not None and init.type == type and emit.lies(init)
            value = "" if init is None else f" = {emit.rvalue(init)}"
            self._line(depth, f"{emit.classes.declare(type, name)}{value};")
            if moves and init is not None:
                self._line(depth, f"carried({name}, {emit.lvalue(init)});")
            elif lies:
                self._line(depth, f"forget({name});")

    def _shared(self, place: str, symbol: Symbol, depth: int) -> None:
        if self.emit.watched:
            self._line(depth, named(place, symbol))


def _at(node: s.Stmt | s.Expr, file: str) -> str:
    """What tells what watches where the thread is: the line, with the file where that is not this one."""
    span = node.span
    place = f"line {span.line}" if span.file == file else f"{span.file}:{span.line}"
    return f"cladpy::host::race_check.at({literal(place)})"


def _label(value: int) -> str:
    if value > 2**63 - 1:
        return f"{value}ULL"
    return "-9223372036854775807LL - 1" if value == -(2**63) else f"{value}LL"


def uses_float(program: s.Program) -> bool:
    """Whether single precision occurs in the program's values, which decides the tolerance of a check."""
    for function in program.functions.values():
        if any(_is_float(p.type) for p in function.parameters):
            return True
        if any(_is_float(getattr(node, "type", None)) for node in walk(function.body)):
            return True
    return False


def _is_float(type: object) -> bool:
    if not isinstance(type, (Scalar, Pointer, Reference, Array, Struct)):
        return False
    inner = scalar_of(type)
    if isinstance(inner, Struct):
        return any(not isinstance(f.type, Pointer | Reference) and _is_float(f.type) for f in inner.fields)
    return inner == FLOAT
