"""Statements: clang's tree as surface statements.

A statement that is refused is reported and left out, and reading goes on behind it: one run shows all that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cladpy import known
from cladpy.diagnostics import NOWHERE, Span
from cladpy.frontend.allocations import read_variable_length
from cladpy.frontend.bindings import read_bindings
from cladpy.frontend.conversions import convert
from cladpy.frontend.destructors import Around
from cladpy.frontend.directives import Directive
from cladpy.frontend.entered import Entered
from cladpy.frontend.exceptions import Exceptions
from cladpy.frontend.expressions import Expressions, kind_name
from cladpy.frontend.gotos import Gotos
from cladpy.frontend.hoisting import Unordered
from cladpy.frontend.indirect import holds_functions, known_function, names_function
from cladpy.frontend.jumps import Jumps
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.kokkos import unmet
from cladpy.frontend.lambdas import is_shared, is_shared_with_lambdas
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.loops import for_parts
from cladpy.frontend.objects import elided
from cladpy.frontend.ranges import read_range_for
from cladpy.frontend.refused import AlreadyReported, Refused, confirm_reported
from cladpy.frontend.shared import read_directed, refusals
from cladpy.frontend.switches import read_label, read_switch
from cladpy.frontend.types import is_const
from cladpy.ir.containers import is_pool
from cladpy.ir.surface import (
    Block,
    Break,
    Cast,
    Comma,
    Conditional,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    If,
    InitList,
    Literal,
    Return,
    Stmt,
    Temporary,
    Unary,
    UnaryOp,
    Unsupported,
    VarRef,
    While,
)
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import Role, Space, Symbol
from cladpy.ir.types import BOOL, INT, Pointer, Reference, Type, Void, is_of_numbers

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_REFUSED_KINDS: dict[int, str] = {
    CursorKind.INDIRECT_GOTO_STMT: "CP0101",
    CursorKind.ASM_STMT: "CP0102",
    229: "CP0102",
    CursorKind.CATCH_STMT: "CP0103",
}


def _is_made_of_literals(init: Expr | None) -> bool:
    """Whether an initialiser gives the same value each time: then it does not matter that a static variable is
    initialised only once."""
    match init:
        case Literal():
            return True
        case Cast(operand=operand) | Unary(operand=operand):
            return _is_made_of_literals(operand)
        case InitList(elements=elements):
            return all(_is_made_of_literals(e) for e in elements)
        case _:
            return False


_DEEPEST = 1100  # statements in statements, such as an `else if` after another: more take more than twice as long


class Statements:
    """Reads the statements of one function."""

    def __init__(self, scope: FunctionReader) -> None:
        self._scope = scope
        self._depth = 0
        self._entered: list[Entered] = []  # the switches around with labels in the middle of statements
        self.expressions = Expressions(scope)
        self._jumps = Jumps(scope)
        self._gotos = Gotos(scope, self._jumps)
        self.exceptions = Exceptions(scope, self._jumps)
        within = self._jumps.within
        self._readers: dict[int, Callable[[Cursor, Span], list[Stmt]]] = {
            CursorKind.COMPOUND_STMT: self._compound,
            CursorKind.DECL_STMT: self._declarations,
            CursorKind.IF_STMT: self._if,
            CursorKind.FOR_STMT: within(self._for),
            CursorKind.FOR_RANGE_STMT: within(lambda cursor, span: read_range_for(cursor, span, scope)),
            CursorKind.WHILE_STMT: within(self._while),
            CursorKind.DO_STMT: within(self._do),
            CursorKind.SWITCH_STMT: within(self._switch, is_loop=False),
            CursorKind.CASE_STMT: self._label,
            CursorKind.DEFAULT_STMT: self._label,
            CursorKind.RETURN_STMT: self._return,
            CursorKind.BREAK_STMT: self._break,
            CursorKind.CONTINUE_STMT: self._continue,
            CursorKind.NULL_STMT: lambda cursor, span: [],
            CursorKind.UNEXPOSED_STMT: self._attributed,
            CursorKind.LABEL_STMT: self._labelled,
            CursorKind.GOTO_STMT: self._gotos.jump,
            CursorKind.TRY_STMT: self.exceptions.read,
        }

    def read(self, cursor: Cursor, *, as_result: bool = False) -> list[Stmt]:
        """The statement, as none, one or several; what is refused goes to the sink, or stands in its place. With
        `as_result` it is an expression that the function returns."""
        found = self._scope.directives.before(cursor.extent()[3]) if self._scope.directives.all else []
        return read_directed(cursor, found, self._scope) if found else self.plain(cursor, as_result=as_result)

    def directed(self, cursor: Cursor, directives: Sequence[Directive]) -> list[Stmt]:
        """The statement with these directives before it."""
        return read_directed(cursor, directives, self._scope) if directives else self.plain(cursor)

    def plain(self, cursor: Cursor, *, as_result: bool = False) -> list[Stmt]:
        """The statement without what directives before it say."""
        destructors = self._scope.destructors
        depth = destructors.depth
        span = NOWHERE
        try:
            span = self._scope.files.span(cursor)
            if self._depth == _DEEPEST:
                raise Refused("CP0007", span)
            self._depth += 1
            read = self._returned if as_result else self._read
            try:
                return destructors.complete(read(cursor, span), span)
            except Unordered:
                destructors.abandon(depth)
                with destructors.fixed():
                    return destructors.complete(read(cursor, span), span)
            finally:
                self._depth -= 1
        except Refused as refused:
            destructors.abandon(depth)
            refused.span = refused.span or span
            return self._scope.left_out(refused, refused.span)
        except AlreadyReported:
            destructors.abandon(depth)
            confirm_reported(self._scope.sink, span)
        return []

    def _read(self, cursor: Cursor, span: Span) -> list[Stmt]:
        if is_expression(cursor.kind):
            row = known.of(cursor.spelling) if cursor.kind == CursorKind.CALL_EXPR else None
            if isinstance(row, known.Ignored):
                return []
            if isinstance(row, known.Setting) and self._scope.is_host:
                return self._set(cursor, span)
            thrown = self.exceptions.thrown(cursor, span)
            if thrown is not None:
                return thrown
            with self._scope.destructors.whole():
                value = self._scope.destructors.kept(self.expressions.read(cursor), span)
            return self.evaluate(value, span)
        reader = self._readers.get(cursor.kind)
        if reader is not None:
            return reader(cursor, span)
        if cursor.kind in _REFUSED_KINDS:
            raise Refused(_REFUSED_KINDS[cursor.kind], span)
        raise Refused("CP0199", span, kind_name(cursor))

    def _set(self, cursor: Cursor, span: Span) -> list[Stmt]:
        """A setting of OpenMP's. How many threads there are is known to regions behind it, if no way leads around."""
        given = [self.expressions.read(a) for a in cursor.arguments]
        refused, scope = Refused("CP0134", span, f"'{cursor.spelling}'"), self._scope
        if cursor.spelling == "omp_set_num_threads" and self._depth == 1 and not scope.has_teams:
            threads = Symbol("asked", INT, Role.VARIABLE, span)
            scope.program.untold.append((refused, scope.function))
            scope.threads = VarRef(threads, INT, span)
            return [Declare(threads, given[0], span)]
        is_of_numbers = cursor.spelling in ("omp_set_num_threads", "omp_set_dynamic")
        if is_of_numbers and not any(isinstance(value, Literal) and value.value == 0 for value in given):
            scope.program.untold.append((refused, None))
        return [s for value in given for s in self.evaluate(value, span)]

    def block(self, cursor: Cursor, around: Around = Around.BLOCK) -> Block:
        """A statement in a scope of its own."""
        span = self._scope.files.span(cursor)
        self._scope.destructors.enter(around)
        is_compound = cursor.kind == CursorKind.COMPOUND_STMT
        statements = self._gotos.read(cursor.children()) if is_compound else self.read(cursor)
        if self._scope.directives.all and is_compound:
            statements += refusals(self._scope.directives.before(cursor.extent()[6] - 1), self._scope)
        return Block(tuple(self._scope.destructors.leave(statements, span)), span)

    def evaluate(self, expr: Expr, span: Span) -> list[Stmt]:
        """An expression for its effects: discarded values are not converted, and a choice between effects is an if."""
        while isinstance(expr, Cast) and isinstance(expr.type, Void):
            expr = expr.operand
        match expr:
            case Literal() | VarRef() | Unsupported(operands=()):
                return []
            case Comma(left, Literal()):
                return self.evaluate(left, span)
            case Conditional(condition, then, other, type) if isinstance(type, Void):
                arms = [Block(tuple(self.evaluate(arm, arm.span)), arm.span) for arm in (then, other)]
                if not arms[0].statements:
                    inverse = Unary(UnaryOp.NOT, condition, BOOL, condition.span)
                    return [If(inverse, arms[1], None, span)] if arms[1].statements else [Evaluate(condition, span)]
                return [If(condition, arms[0], arms[1] if arms[1].statements else None, span)]
            case _:
                return [Evaluate(expr, span)]

    def _compound(self, cursor: Cursor, span: Span) -> list[Stmt]:
        return [self.block(cursor)]

    def _attributed(self, cursor: Cursor, span: Span) -> list[Stmt]:
        """`#pragma unroll`, `[[likely]]` and the like before a statement."""
        inner = [c for c in cursor.children() if 100 <= c.kind < 300]
        if len(inner) == 1 and (
            inner[0].kind >= 200 or self._scope.files.starts_with(cursor, b"[[", b"__attribute", b"#pragma")
        ):
            return self.read(inner[0])
        raise Refused("CP0199", span, kind_name(cursor))

    def _labelled(self, cursor: Cursor, span: Span) -> list[Stmt]:
        """What stands behind a label, which is reached from above too: it is `goto` that is refused."""
        return [s for c in cursor.children() if 100 <= c.kind < 300 for s in self.read(c)]

    def _break(self, cursor: Cursor, span: Span) -> list[Stmt]:
        left = self._jumps.broken(cursor, span)
        if left is not None:
            return left
        return [*self._scope.destructors.before_jump((Around.LOOP, Around.SWITCH), span), Break(span)]

    def _continue(self, cursor: Cursor, span: Span) -> list[Stmt]:
        left = self._jumps.continued(cursor, span)
        if left is not None:
            return left
        return [*self._scope.destructors.before_jump((Around.LOOP,), span), Continue(span)]

    # ---- declarations -----------------------------------------------------------------------------------------------

    def _declarations(self, cursor: Cursor, span: Span) -> list[Stmt]:
        found: list[Stmt] = []
        for child in cursor.children():
            if child.kind == CursorKind.VAR_DECL:
                if holds_functions(child) or (names_function(child) and known_function(child.initializer) is not None):
                    continue  # calls go to the function
                found += self._declaration(child, self.declare)
            elif child.kind == 1:  # a structured binding
                found += self._declaration(child, self.bindings)
            elif child.kind == CursorKind.STATIC_ASSERT:
                self._scope.program.unmet.update(unmet(child))
        return found

    def _declaration(self, cursor: Cursor, read: Callable[[Cursor], Declare | None]) -> list[Stmt]:
        try:
            declared = read(cursor)
        except Refused as refused:
            return self._scope.left_out(refused, self._scope.files.span(cursor))
        return [] if declared is None else [declared]

    def bindings(self, cursor: Cursor) -> Declare | None:
        """The object behind a structured binding; None where it was refused, which has been reported. Raises Refused
        where that is left to the next stage."""
        return self._declared(cursor, read_bindings, cursor.children())

    def declare(self, cursor: Cursor) -> Declare | None:
        """One variable; None where it was refused, which has been reported. Raises Refused where that is left to the
        next stage."""
        return self._declared(cursor, lambda cursor, span, _: self._declare(cursor, span), [cursor])

    def _declared(
        self, cursor: Cursor, read: Callable[[Cursor, Span, FunctionReader], Declare | None], names: list[Cursor]
    ) -> Declare | None:
        span = self._scope.files.span(cursor)
        try:
            return read(cursor, span, self._scope)
        except Refused as refused:
            for name in names:
                self._scope.forget(name, refused)
            self._scope.report(refused)
        except AlreadyReported:
            confirm_reported(self._scope.sink, span)
            for name in names:
                self._scope.forget(name)
        return None

    def _declare(self, cursor: Cursor, span: Span) -> Declare | None:
        name = cursor.spelling
        shared = is_shared(cursor)
        static = cursor.is_static_storage and not shared
        lasting = (static or cursor.is_thread_local) and not is_const(cursor.type.canonical)
        if cursor.is_thread_local and not lasting:
            raise Refused("CP0120", span, f"'{name}'")
        if cursor.is_extern and not shared:
            raise Refused("CP0199", span, f"the local declaration of '{name}'")
        type = self._scope.types.convert(cursor.type, span)
        if lasting and not (self._scope.may_fail and _may_last(type)):
            raise Refused("CP0120", span, f"'{name}'")
        if shared and is_shared_with_lambdas(cursor):
            return None  # as a variable of the program
        if shared:
            return Declare(self._scope.declare(cursor, type, Space.SHARED, span), None, span)
        initializer = cursor.initializer
        objects = self._scope.objects
        if isinstance(type, Reference):
            if initializer is None:
                raise Refused("CP0199", span, f"the reference '{name}'")
            if initializer.kind == CursorKind.INIT_LIST_EXPR:
                value = self.expressions.initializer(initializer, type.referee)
            else:
                value = objects.bind(self.expressions.read(initializer), type, span, lasting=True)
            if is_lvalue(value) and not isinstance(value, Temporary):
                return Declare(self._scope.declare(cursor, type, Space.LOCAL, span), value, span)
            # A temporary that lives as long as the reference.
            value = value.operand if isinstance(value, Temporary) else value
            held = self._scope.declare(cursor, type.referee, Space.LOCAL, span)
            self._scope.destructors.declared(held, span)
            return Declare(held, value, span)
        if cursor.type.canonical.kind == TypeKind.VARIABLE_ARRAY:
            assert isinstance(type, Pointer)
            length = read_variable_length(cursor, type, self._scope, span)
            return Declare(self._scope.declare(cursor, type, Space.LOCAL, span), length, span)
        objects.check_destructor(type, span)
        # The name is in scope in its own initialiser.
        role = Role.GLOBAL if lasting else Role.VARIABLE
        symbol = self._scope.declare(cursor, type, Space.LOCAL, span, role)
        if initializer is None or _is_implied(initializer, cursor):
            init = objects.default(type, span)
        else:
            with self._scope.destructors.whole():
                init = self.expressions.initializer(initializer, type)
        # of what is constant, each call may have its own
        if static and not lasting and cursor.evaluate() is None and not _is_made_of_literals(init):
            raise Refused("CP0120", span, f"'{name}'")
        if not static:
            self._scope.destructors.declared(symbol, span)
        return Declare(symbol, init, span)

    # ---- control flow -----------------------------------------------------------------------------------------------

    def _if(self, cursor: Cursor, span: Span) -> list[Stmt]:
        children = cursor.children()
        header = self._scope.files.header(cursor, b"if")
        before: list[Stmt] = []
        declared: Cursor | None = None
        if children and children[0].kind == CursorKind.VAR_DECL:
            declared = children.pop(0)
        has_init = children[0].kind == CursorKind.DECL_STMT
        if not has_init and len(children) > 2:
            has_init = len(children) == 4 if header is None else bool(header.semicolons)
        if has_init:
            before += self.read(children.pop(0))
        if declared is not None:
            found = self.declare(declared)
            if found is None:
                raise AlreadyReported
            before.append(found)
        with self._scope.destructors.whole():
            condition, arms = self.expressions.condition(children[0]), children[1:]
        temporaries, condition = self._scope.destructors.condition(condition, span)
        before += temporaries
        if isinstance(condition, Literal) and cursor.in_system_header:  # is_constant_evaluated()
            arms = arms[0:1] if condition.value else arms[1:2]
            return [Block((*before, *self.block(arms[0]).statements), span)] if arms else before
        value = children[0].evaluate() if header is not None and header.constexpr else None
        if value is not None:
            taken, discarded = (arms[0:1], arms[1:2]) if value else (arms[1:2], arms[0:1])
            for arm in discarded:
                self._scope.directives.discard(*self._scope.files.place(arm)[1:])
            return [Block((*before, *self.block(arm).statements), span) for arm in taken] if taken else before
        then = self.block(arms[0])
        other = self.block(arms[1]) if len(arms) > 1 else None
        statement = If(condition, then, other, span)
        return [Block((*before, statement), span)] if before else [statement]

    def _for(self, cursor: Cursor, span: Span) -> list[Stmt]:
        parts = for_parts(cursor, self._scope.files, span)
        destructors = self._scope.destructors
        destructors.enter(Around.BLOCK)
        with destructors.fixed():
            init = tuple(self.read(parts.init)) if parts.init is not None else ()
        with destructors.uncertain():
            declared = self.declare(parts.declared) if parts.declared is not None else None
            condition = self.expressions.condition(parts.condition) if parts.condition is not None else None
            step = self.expressions.read(parts.step) if parts.step is not None else None
        body = self.block(parts.body, Around.LOOP)
        if parts.declared is not None:
            body, condition = self._with_declared_condition(declared, condition, body), None
        return destructors.leave([For(init, condition, step, body, span)], span)

    def _while(self, cursor: Cursor, span: Span) -> list[Stmt]:
        children = cursor.children()
        declared: Declare | None = None
        has_declaration = children[0].kind == CursorKind.VAR_DECL
        with self._scope.destructors.uncertain():
            if has_declaration:
                declared = self.declare(children.pop(0))
            condition = self.expressions.condition(children[0])
        body = self.block(children[1], Around.LOOP)
        if has_declaration:
            body = self._with_declared_condition(declared, condition, body)
            condition = Literal(True, BOOL, condition.span)
        return [While(condition, body, span)]

    @staticmethod
    def _with_declared_condition(declared: Declare | None, condition: Expr | None, body: Block) -> Block:
        """`T x = e` as a loop's condition: declared anew and tested at the start of each round."""
        if declared is None or condition is None:
            raise AlreadyReported
        leave = Block((Break(condition.span),), condition.span)
        inverse = Unary(UnaryOp.NOT, condition, BOOL, condition.span)
        return Block((declared, If(inverse, leave, None, condition.span), body), body.span)

    def _do(self, cursor: Cursor, span: Span) -> list[Stmt]:
        body, condition = cursor.children()
        done = self.block(body, Around.LOOP)
        with self._scope.destructors.uncertain():
            return [DoWhile(done, self.expressions.condition(condition), span)]

    def _switch(self, cursor: Cursor, span: Span) -> list[Stmt]:
        self._scope.destructors.enter(Around.SWITCH)
        found = read_switch(cursor, span, self, self._scope.files)
        if self._scope.destructors.leave([], span):
            raise Refused("CP0131", span, "of a variable in a switch")
        return found

    @contextmanager
    def entering(self, entered: Entered) -> Iterator[Entered]:
        """What is read inside is the body of this switch."""
        self._entered.append(entered)
        try:
            yield entered
        finally:
            self._entered.pop()

    def _label(self, cursor: Cursor, span: Span) -> list[Stmt]:
        if not self._entered:
            raise Refused("CP0199", span, "a case label in an expression")
        return read_label(cursor, span, self._entered[-1], self)

    def _return(self, cursor: Cursor, span: Span) -> list[Stmt]:
        children = [c for c in cursor.children() if is_expression(c.kind)]
        if children:
            return self._returned(children[0], span)
        return [*self._scope.destructors.before_jump((Around.FUNCTION,), span), Return(None, span)]

    def _returned(self, cursor: Cursor, span: Span) -> list[Stmt]:
        destructors = self._scope.destructors
        result = self._scope.result
        if cursor.kind == CursorKind.INIT_LIST_EXPR and not isinstance(result, Reference):
            with destructors.whole():
                made = self.expressions.initializer(cursor, result)
            return destructors.returned(made, result, span)
        with destructors.whole():
            value = self.expressions.read(cursor)
        if isinstance(result, Void):
            done = destructors.complete(self.evaluate(value, span), span)
            return [*done, *destructors.before_jump((Around.FUNCTION,), span), Return(None, span)]
        if isinstance(result, Reference):
            value = self._scope.objects.bind(value, result, span)
            if not is_lvalue(value) or isinstance(value, Temporary):
                raise Refused("CP0199", span, "a reference to a temporary")
            return destructors.returned(value, result, span)
        return destructors.returned(convert(elided(value), result), result, span)


def _may_last(type: Type) -> bool:
    """Whether a static variable may be scratch, or hold the time: pointers, pools, numbers and what is made of them."""
    return isinstance(type, Pointer) or is_of_numbers(type) or is_pool(type)


def _is_implied(initializer: Cursor, variable: Cursor) -> bool:
    """Whether clang's initialiser of a variable is the default constructor that `T x;` calls, not `T x{}`."""
    if initializer.kind != CursorKind.CALL_EXPR or not initializer.referenced.is_default_constructor:
        return False
    if not initializer.referenced.is_defaulted or initializer.children():
        return False
    file, _, _, start, _, _, end = initializer.extent()
    return initializer.spelled_at() == (file, start) and end - start == len(variable.spelling.encode())
