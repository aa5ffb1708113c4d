"""Statements of generated code as C++ text."""

from __future__ import annotations

from cladpy.diagnostics import Span
from cladpy.emit.expressions import Expressions, taken
from cladpy.emit.late_zeros import alone, meets
from cladpy.emit.literals import literal
from cladpy.emit.loops import Loops
from cladpy.emit.mentioned import read_variables
from cladpy.emit.names import MARK, Names, called
from cladpy.emit.readable import belongs_to, handed_on, mentions_in
from cladpy.emit.steps import Steps
from cladpy.emit.style import Style
from cladpy.emit.vectors import kept_together
from cladpy.emit.ways import Ways
from cladpy.emit.worker_sums import WorkerSums
from cladpy.ir import code, core
from cladpy.ir.access import through_pointer
from cladpy.ir.code import Update
from cladpy.ir.fold import cast, unary
from cladpy.ir.never import assert_never
from cladpy.ir.shared import shared_memory
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.tracing import TRACER
from cladpy.ir.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    LONG,
    UINT,
    Array,
    Opaque,
    Pointer,
    Type,
    declare,
    is_floating,
    is_half,
    scalar_of,
    spell,
)
from cladpy.passes.elsewhere import lasting
from cladpy.passes.neighbours import are_alike, is_one_of_several
from cladpy.passes.paired_sums import are_paired
from cladpy.quoting import comment
from cladpy.quoting import literal as text_literal

_SHARED_ADD = {Update.ATOMIC: "atomic_add", Update.REDUCED: "reduce_add", Update.BLOCK: "block_add"}
_COMPOUND = frozenset({BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV})


class Statements:
    def __init__(self, expressions: Expressions, style: Style, optional: frozenset[str] = frozenset()) -> None:
        """`optional` names adjoint parameters that may be null."""
        self.optional = optional
        self.e = expressions
        self.names = expressions.names
        self.ways = Ways()
        self.style = style
        self.steps = Steps(expressions, style, self.argument, self._user_call)
        self.loops = Loops(self)
        self.quoted: tuple[str, int] | None = None
        self.launched = False  # whether the shared memory that the launch gives has been declared
        self.dynamic_adjoint = 0  # what that takes, in multiples of dynamic shared memory
        self.held: frozenset[core.Value | tuple[core.Root, bool]] = frozenset()  # what is declared elsewhere
        self.cleared = False  # whether the adjoint of dynamic shared memory has been zeroed
        self.alone: set[code.Take] = set()  # see `late_zeros.alone`
        self.lets: dict[core.Value, core.Expr] = {}  # what constants are made of
        self.sums: WorkerSums | None = None  # in a kernel of the host backend
        self.rows: dict[code.AddElement, str] = {}  # the elements of rows of sums that take the place of others
        self.tape = code.TAPE  # what is called so here
        self.said = ""  # the last comment
        self.whole_block = False  # whether one thread of the operating system runs a whole block

    def block(self, block: code.Block, depth: int) -> list[str]:
        lines: list[str] = []
        late: list[code.Take] = []
        with_first: code.Block = ()  # what was printed with the statement before
        for position, statement in enumerate(block):
            if any(statement is s for s in with_first):
                continue
            following = block[position + 1] if position + 1 < len(block) else None
            with_first = self._added_with(statement, block[position + 1 :])
            printed = (statement, *with_first)
            due = [
                take
                for take in late
                if any(meets(s, take, self.lets, alone=take.alone or take in self.alone) for s in printed)
            ]
            for take in due:
                lines += self._marked(["  " * depth + self._clear(take)], take)
            begin = len(lines)
            late = [take for take in late if take not in due]
            if isinstance(statement, code.Take) and self._comes_late(statement):
                late.append(statement)
            if isinstance(statement, code.Comment):
                if following is None or isinstance(following, code.Comment) or statement.text == self.said:
                    continue
                self.said = statement.text
            lines += self.quote(statement, depth)
            if with_first:
                lines.append("  " * depth + self._add_together(printed))
            elif isinstance(statement, code.Define) and (target := self._handed_on(statement, following)) is not None:
                with_first = block[position + 1 : position + 2]
                lines.append(f"{'  ' * depth}{self.names.of(target)} = {self.initial(statement)};")
            elif (
                isinstance(statement, code.Define)
                and isinstance(following, code.While)
                and self._begins(statement, following)
            ):
                with_first = block[position + 1 : position + 2]
                lines += self.quote(following, depth)
                lines += self.loops.while_(following, depth, statement)
            else:
                lines += self._statement(statement, depth)
            lines[begin:] = self._marked(lines[begin:], statement, *with_first)
        for take in late:
            lines += self._marked(["  " * depth + self._clear(take)], take)
        return lines

    def _marked(self, lines: list[str], *statements: code.Statement) -> list[str]:
        return lines if self.style.origins is None else self.style.origins.mark(lines, statements)

    def quote(self, statement: code.Statement, depth: int) -> list[str]:
        """The user's line that a statement comes from, once for all statements in a row that come from it."""
        span: Span | None = getattr(statement, "span", None)
        if span is None or not span.line or (span.file, span.line) == self.quoted:
            return []
        lines = self.style.sources.get(span.file)
        if lines is None or span.line > len(lines):
            return []
        self.quoted = (span.file, span.line)
        return ["  " * depth + comment(f"{span.line}: {lines[span.line - 1].strip()}")]

    def _added_with(self, first: code.Statement, following: code.Block) -> code.Block:
        """The additions that are made together with the one before them."""
        apart = not self.style.atomics or bool(self.style.tracer)
        if apart or not isinstance(first, code.AddElement) or first in self.rows:
            return ()
        if first.beside:
            together = following[: first.beside]
            fit = (
                isinstance(s, code.AddElement) and is_one_of_several(s) and are_alike(first, s)
                for s in (first, *together)
            )
            apart = self.style.workers and not self._is_scattered(first)
            return together if all(fit) and not apart else ()
        pairs = (s for s in following[:1] if isinstance(s, code.AddElement) and are_paired(first, s))
        second = next(pairs, None)
        if second is None or any(map(self._may_be_null, (first, second))):
            return ()
        if self.style.workers and not (first.privatised or all(self._deferred(s.root) for s in (first, second))):
            return ()
        return (second,)

    def _may_be_null(self, added: code.AddElement) -> bool:
        return self.names.of((added.root, True)) in self.optional

    def _statement(self, statement: code.Statement, depth: int) -> list[str]:
        pad = "  " * depth
        match statement:
            case code.Define():
                return [pad + line for line in self.define(statement)]
            case code.Assign(variable, expr):
                return [pad + self.assign(variable, expr)]
            case code.Add(variable, expr):
                return [pad + _adding(self.names.of(variable), self.e, expr)]
            case code.DeclareArray():
                return [pad + line for line in self._declare_array(statement)]
            case code.DeclareObject():
                return [pad + line for line in self._declare_object(statement)]
            case code.Invoke(call, _, result):
                text = self.initializer(call)
                lines = [f"{text};"] if result is None else self._given_to(result, text, mutable=False)
                return [pad + line for line in lines]
            case code.WriteElement(root, index, expr, _, saved):
                element = self.e.element(root, index)
                save = [f"{pad}if (!{code.LOG}.save(&{element})) return;"] if saved else []
                return [*save, f"{pad}{element} = {self.e.given(expr, root.element)};"]
            case code.AddElement() | code.AddParameter():
                return [pad + line for line in self._adding(statement)]
            case code.Take():
                return [pad + line for line in self._take(statement)]
            case code.Branch(condition, then, other):
                return self._branch(condition, then, other, depth)
            case code.While():
                return self.loops.while_(statement, depth)
            case code.CountDown():
                return self.loops.count_down(statement, depth)
            case code.Rewind():
                return self.loops.rewind(statement, depth)
            case code.Push() | code.Pop() | code.Undo() | code.Reserve() | code.DeclareStates() | code.Keep():
                return [pad + line for line in self._storage(statement)]
            case code.CallPullback():
                return [pad + line for line in self._call(statement)]
            case code.Synchronize() | code.Perform() | code.UpdateElement():
                return [pad + line for line in self._effect(statement)]
            case code.Act():
                lines = self.steps.lines(statement)
                if self.style.tracer and statement.verb is code.Verb.PULLBACK:
                    lines = [*lines, "cladpy::raise_nonfinite();"]
                return [pad + line for line in lines]
            case code.Comment(text):
                return [pad + comment(text)]
            case _:
                assert_never(statement)

    def _storage(
        self, statement: code.Push | code.Pop | code.Undo | code.Reserve | code.DeclareStates | code.Keep
    ) -> list[str]:
        match statement:
            case code.DeclareStates(states):
                types = ", ".join(spell(slot.type) for slot in states.slots)
                name, memory = self.names.of(states.variable), self.names.fresh("_held")
                kind = f"{states.levels}, {types}"
                return [
                    f"cladpy::checkpoint_memory<{kind}> {memory};",
                    f"cladpy::checkpoints<{spell(states.steps)}, {kind}> {name}({memory});",
                ]
            case code.Keep(states, step, kept):
                state = ", ".join(self.e.text(expr) for _, expr in kept)
                return [f"{self.names.of(states.variable)}.put({self.e.text(step)}, {state});"]
            case code.Push(_, kept, only):
                push = f"{self.tape}.push(" if only is None else f"{self.tape}.push_if({self.e.text(only)}, "
                return [f"{push}{self.e.text(expr)});" for _, expr in kept]
            case code.Pop(_, variables):
                pop = f"{self.tape}.{'template ' if self.style.dependent else ''}pop"
                pop += "" if statement.only is None else "_if"
                asked = ", ".join(map(self.e.text, statement.operands))
                popped = ((v, f"{pop}<{spell(v.type)}>({asked})") for _, v in reversed(variables))
                return [line for v, text in popped for line in self._constant(v, text)]
            case code.Undo():
                return [f"{self.tape}.undo();"]
            case code.Reserve(slots):
                return [f"{code.LOG}.reserve({self.e.text(slots)});"]

    def _call(self, call: code.CallPullback) -> list[str]:
        name, storage = call.name, call.storage
        function = name if "::" in name or not self.style.pullbacks else f"{self.style.pullbacks}::{name}"
        sums = ["_sums"] if name in self.style.exact else []
        given = [*(self.argument(a) for a in call.arguments), *sums, *([storage] if storage else [])]
        leave = [f"if ({storage}.full()) return;"] if storage == code.LOG else []
        forget = [f"{storage}.forget(&*{self.names.of(v)});" for v in call.copies]
        drop = [f"{storage}.drop();"] if call.dropped else []
        return [f"{function}({', '.join(given)});", *leave, *forget, *drop]

    def _handed_on(self, statement: code.Define, following: code.Statement | None) -> core.Value | None:
        return None if statement.variable in self.held else handed_on(statement, following, self.mentioned)

    def _begins(self, statement: code.Define, loop: code.While) -> bool:
        return statement.variable not in self.held and belongs_to(statement, loop, self.mentioned)

    def define(self, statement: code.Define) -> list[str]:
        return self._given_to(statement.variable, self.initial(statement), mutable=statement.mutable)

    def initial(self, statement: code.Define) -> str:
        """What a variable is defined with."""
        init = statement.init
        text = self.initializer(init)
        if isinstance(init, code.MemberOf) and is_half(init.type) and not is_half(statement.variable.type):
            return f"cladpy::wide({text})"  # of the adjoint of a class with halves
        return text

    def _given_to(self, variable: core.Value, text: str, *, mutable: bool) -> list[str]:
        """A variable that gets its first value: it is declared there, or elsewhere."""
        name = self.names.of(variable)
        if variable in self.held:
            return [f"{name} = {text};"]
        return self._constant(variable, text) if not mutable else self._declared(variable, text, const=False)

    def _constant(self, variable: core.Value, text: str) -> list[str]:
        if isinstance(variable.type, Opaque) and variable.type.spelling.endswith("*"):
            return [f"auto {self.names.of(variable)} = {text};"]  # a handle, whose type has another name elsewhere
        return self._declared(variable, text, const=True)

    def _declared(self, variable: core.Value, text: str, *, const: bool) -> list[str]:
        name = self.names.of(variable)
        return self.ways.declared(name, declare(variable.type, name), text, const=const)

    def initializer(self, init: code.Initializer) -> str:
        match init:
            case code.Element(root, index, adjoint):
                element = self.e.element(root, index, adjoint)
                shared = root.kind is not core.RootKind.LOCAL
                if adjoint and shared and self.style.checked:
                    return f"cladpy::plain_read(&{element})"
                if adjoint and is_half(root.adjoint_cell):
                    return f"cladpy::wide({element})"
                return element if adjoint else taken(element, root.element)
            case code.UserCall():
                return self._user_call(init)
            case code.MemberOf(variable, member, made):
                return taken(self._member(variable, member, made), init.type)
            case code.Together(name, given):
                whole = without_default(given)
                texts = [self.e.text(e) for e in whole]
                if whole and isinstance(whole[0], core.Const):
                    texts[0] = f"0x{int(whole[0].value):x}u"  # a mask
                return f"{name}({', '.join(texts)})"
            case _:
                return self.e.text(init)

    def _member(self, variable: core.Value, member: str, made: bool) -> str:
        """A number of an object; one that was made for a call is behind a `cladpy::blank`."""
        name = self.names.of(variable)
        return through_pointer(member, name) if made else member.replace("{b}", name)

    def _user_call(self, call: code.UserCall) -> str:
        callee = call.callee
        types = callee.parameters[call.makes is not None :]
        given = [self.argument(a, type) for a, type in zip(call.arguments, types, strict=True)]
        if call.makes is not None:
            return f"{call.makes.spelling}({', '.join(given)})"
        if not callee.is_method:
            return taken(f"{called(callee)}({', '.join(given)})", callee.result)
        object = call.arguments[0]
        match object:
            case code.ObjectVariable(variable):
                whole = f"{self.names.of(variable)}->"
            case _:
                text = self.argument(object)
                whole = f"{text}->" if text.replace(MARK, "").isidentifier() else f"({text})->"
        owner = scalar_of(callee.parameters[0])
        name = callee.qualified_name.removeprefix(f"{spell(owner)}::")
        return taken(f"{whole}{name}({', '.join(given[1:])})", callee.result)

    def _object(self, argument: code.ObjectVariable) -> str:
        variable = argument.variable
        whole = f"*{self.names.of(variable)}"
        if not isinstance(variable.type, Array):
            return f"&{whole}" if argument.passing is core.Passing.POINTER else whole
        offset = core.Const(0, LONG) if argument.offset is None else argument.offset
        if argument.passing is core.Passing.REFERENCE:
            return f"({whole})[{self.e.text(offset)}]"
        return whole if isinstance(offset, core.Const) and not offset.value else f"{whole} + {self.e.operand(offset)}"

    def argument(self, argument: code.Passed, type: Type | None = None) -> str:
        """An argument for a parameter of some type."""
        match argument:
            case code.Address():
                return self.e.address(argument)
            case code.ChosenAddress(alternatives, numbers, tag):
                *others, last = (self.e.address(a) for a in alternatives)
                chosen = (f"{self.e.operand(tag)} == {n} ? {a}" for n, a in zip(numbers, others, strict=False))
                return " : ".join((*chosen, last))
            case code.AddressOfVariable(variable):
                return f"&{self.names.of(variable)}"
            case code.ObjectVariable():
                return self._object(argument)
            case _:
                return self.e.text(argument) if type is None else self.e.given(argument, type)

    def assign(self, variable: core.Value, expr: core.Expr) -> str:
        name = self.names.of(variable)
        match expr:
            case core.Binary(op, core.Use(left), right) if left is variable and op in _COMPOUND:
                if right == core.Const(1, variable.type) and op in (BinaryOp.ADD, BinaryOp.SUB):
                    return f"{'++' if op is BinaryOp.ADD else '--'}{name};"
                return f"{name} {op.value}= {self.e.text(right)};"
            case _:
                return f"{name} = {self.e.text(expr)};"

    def if_asked_for(self, name: str) -> str:
        return f"if ({name}) " if name in self.optional else ""

    def _add_parameter(self, statement: code.AddParameter) -> str:
        name, member = self.names.adjoint(statement.name), statement.member
        expr, update = statement.expr, statement.update
        cell = through_pointer(member, name) if member else f"*{name}"
        if statement.assigned:
            return f"{cell} = {self.e.text(expr)};"
        address = f"&{cell}" if member else name
        if update is Update.EXACT:
            return f"cladpy::exact_add(_sums, {address}, {self.e.text(expr)});"
        if is_half(statement.type) and not (update is not Update.PLAIN and self.style.atomics):
            return f"cladpy::add({address}, {self.e.text(expr)});"
        if update is not Update.PLAIN and self.style.atomics:
            placed = None if self.sums is None else self.sums.of_parameter(statement)
            return f"cladpy::{placed or _SHARED_ADD[update]}({address}, {self.e.text(expr)});"
        return _adding(cell, self.e, expr)

    def _declare_object(self, statement: code.DeclareObject) -> list[str]:
        variable = statement.variable
        lines = [f"cladpy::blank<{spell(variable.type)}> {self.names.of(variable)};"]
        for leaf in statement.leaves:
            lines.append(f"{self._member(variable, leaf.member, made=True)} = {self.e.given(leaf.expr, leaf.memory)};")
        for member, address in statement.pointers:
            lines.append(f"{self._member(variable, member, made=True)} = {self._led(address)};")
        return lines

    def _led(self, address: code.Passed) -> str:
        """What a pointer in an object holds. It has the primal's type, where that of adjoints is a wider one."""
        text = self.argument(address)
        match address:
            case code.Address(root=root, adjoint=True) if root.adjoint_cell != root.element:
                return f"({spell(Pointer(root.element))})({text})"
            case _:
                return text

    def _declare_dynamic(self, array: code.DeclareArray, name: str) -> list[str]:
        """What lies in the memory that the launch gives: first arrays of known size, then the original's memory, then
        as much for its adjoint."""
        root, adjoint = array.root, array.adjoint
        lines = [] if self.launched else [self.style.dynamic_shared]
        self.launched = True
        element = spell(root.adjoint_cell if adjoint else root.element)
        place = f"_shared + {array.offset}" if array.offset else "_shared"
        if root.dynamic and adjoint:
            place += " + _shared_size"
        pointer = f"reinterpret_cast<{element} *>({place})"
        if array.stride == 1:
            lines.append(f"{element} *const {name} = {pointer};")
        else:
            lines.append(f"const cladpy::spread<{element}, {array.stride}> {name} = {{{pointer}}};")
        if not root.dynamic and array.zeroed:
            lines.append(f"{self._clear_array}({name}, {root.length});")
        elif adjoint and not self.cleared:
            count = "_shared_size / 8" if self.dynamic_adjoint == 1 else f"_shared_size / 8 * {self.dynamic_adjoint}"
            lines.append(f"{self._clear_array}(reinterpret_cast<unsigned long long *>({place}), {count});")
            self.cleared = True
        return lines

    def _effect(self, statement: code.Synchronize | code.Perform | code.UpdateElement) -> list[str]:
        match statement:
            case code.UpdateElement(root, index, arguments, callee):
                operands = [f"&{self.e.element(root, index)}", *map(self.e.text, arguments)]
                return [f"{callee.qualified_name}({', '.join(operands)});"]
            case code.Synchronize(callee, predicate, variable):
                text = f"{callee.qualified_name}({'' if predicate is None else self.e.text(predicate)})"
                return [f"{text};"] if variable is None else self._constant(variable, text)
            case code.Perform(callee, parts):
                if callee.name == "__syncwarp" and parts == (core.Const(0xFFFFFFFF, UINT),):
                    parts = ()  # the default
                given = ", ".join(p.spelling if isinstance(p, core.Text) else self.e.text(p) for p in parts)
                return [f"{callee.qualified_name}({given});"]

    def _declare_array(self, statement: code.DeclareArray) -> list[str]:
        """An array of the thread, or one of the block, which the threads zero together."""
        root, zeroed = statement.root, statement.zeroed
        name = self.names.of((root, statement.adjoint))
        if root.dynamic or statement.offset is not None:
            return self._declare_dynamic(statement, name)
        if (root, statement.adjoint) in self.held:
            return [f"std::memset({name}, 0, sizeof {name});"] if zeroed else []
        length = root.length or 1
        vectors = None if statement.adjoint else self.e.vectors.get(root)
        if vectors is not None:
            first = vectors.field == vectors.type.fields[0].name  # of the arrays that make it up
            return [f"{self._of_block(vectors.type, length, name)};"] if first else []
        element = root.adjoint_cell if statement.adjoint else root.element
        if root.kind is not core.RootKind.SHARED and statement.below and self.style.kernels:
            limits = " || ".join(f"_i < {self.e.text(limit)}" for limit in statement.below)
            every = f"({limits})" if len(statement.below) > 1 else limits
            text = f"for (int _i = 0; {every} && _i < {length}; ++_i) {name}[_i] = 0;"
            return [f"{declare(Array(element, length), name)};", text]
        if root.kind is not core.RootKind.SHARED:
            return [f"{declare(Array(element, length), name)}{' = {}' if zeroed else ''};"]
        array = self._of_block(element, length, name)
        return [f"{array};", *([f"{self._clear_array}({name}, {length});"] if zeroed else [])]

    @property
    def _clear_array(self) -> str:
        """What zeroes an array of the block."""
        return "cladpy::host::clear_whole" if self.whole_block else "cladpy::clear_shared"

    def _of_block(self, element: Type, length: int, name: str) -> str:
        text = declare(Array(element, length), name)
        return f"CLADPY_OF_BLOCK({name}, {text})" if self.whole_block else f"__shared__ {text}"

    def _add_element(self, statement: code.AddElement) -> str:
        root, expr, update = statement.root, statement.expr, statement.update
        cell = self.e.element(root, statement.index, adjoint=statement.adjoint)
        value = self.e.text(cast(expr, FLOAT) if is_half(expr.type) else expr)
        shared = root.kind is not core.RootKind.LOCAL
        half = is_half(root.adjoint_cell if statement.adjoint else root.element)
        together = shared and self.style.atomics and update is Update.REDUCED
        # where lanes add together all of them come; what is zero is left out there
        guarded = statement.optional and not (together and not half and root.path == ("{b}[{i}]",))
        guard = f"if ({value} != 0) " if guarded else ""
        if statement in self.rows:
            return _adding(self.rows[statement], self.e, cast(expr, FLOAT) if is_half(expr.type) else expr)
        at_once = self.style.workers and not self._deferred(root)
        if statement.row is not None:
            how = "add_each" if at_once else "add_row_along" if statement.along else "add_row"
            return f"cladpy::{how}(&{cell}, {self.names.of((statement.row, False))});"
        if update is Update.EXACT:
            return f"{guard}cladpy::exact_add(_sums, &{cell}, {self.e.text(statement.expr)});"
        if update is Update.TEAM:
            return f"{guard}cladpy::team_add(&{cell}, {value});"
        if statement.privatised:
            added = "reduce_add" if update is Update.REDUCED else "add"
            return f"{guard}{privatised_name(self.names, root)}.{added}({self.e.text(statement.index)}, {value});"
        if shared and self.style.atomics and update is not Update.PLAIN:
            placed = None if self.sums is None else self.sums.of_element(statement)
            how = "add_at_once" if at_once and update is Update.REDUCED else _SHARED_ADD[update]
            if statement.meeting and not self.style.workers:
                how = "meeting_add"
            elif self._is_scattered(statement):
                how = "scatter_add"
            if self.style.workers and root.kind is core.RootKind.SHARED:
                how = "shared_add"
            return f"{guard}cladpy::{placed or how}(&{cell}, {value});"
        if shared and self.style.checked and statement.adjoint:
            return f"{guard}cladpy::plain_{'set' if statement.assigned else 'add'}(&{cell}, {value});"
        if half:
            return f"{guard}cladpy::add(&{cell}, {value});"
        return guard + (f"{cell} = {value};" if statement.assigned else _adding(cell, self.e, expr))

    def _adding(self, statement: code.AddElement | code.AddParameter) -> list[str]:
        """What is added; in a traced gradient what looks at the sum, too."""
        if isinstance(statement, code.AddElement):
            asked = self.if_asked_for(self.names.of((statement.root, True)) if statement.adjoint else "")
            lines = [self._add_element(statement), *self._sum_of_element(statement)]
        else:
            asked = self.if_asked_for(self.names.adjoint(statement.name))
            lines = [self._add_parameter(statement), *self._sum_of_parameter(statement)]
        return [asked + line for line in lines]

    def _sum_of_element(self, added: code.AddElement) -> list[str]:
        """In a traced gradient a sum may be infinite though what is added is not. Local memory waits for its store."""
        local = added.root.kind is core.RootKind.LOCAL
        numbers = is_floating(added.root.element) and not is_half(added.root.adjoint_cell)
        if not self.style.tracer or not added.adjoint or local or not numbers or added.update is Update.EXACT:
            return []
        cell = self.e.element(added.root, added.index, adjoint=True)
        return [self._sum(cell, added.root.name, added.origin, self.e.text(added.expr))]

    def _sum_of_parameter(self, added: code.AddParameter) -> list[str]:
        numbers = is_floating(added.type) and not is_half(added.type)
        if not self.style.tracer or added.assigned or not numbers or added.update is Update.EXACT:
            return []
        name = self.names.adjoint(added.name)
        cell = through_pointer(added.member, name) if added.member else f"*{name}"
        argument = added.name.replace(MARK, "").removeprefix("_d_")
        return [self._sum(cell, argument, None, self.e.text(added.expr))]

    def _sum(self, cell: str, name: str, span: Span | None, added: str) -> str:
        file, line = ("", 0) if span is None else (span.file, span.line)
        return f"{TRACER}.sum(&{cell}, {text_literal(file)}, {line}, {text_literal(name)}, {added});"

    def _deferred(self, root: core.Root) -> bool:
        return self.sums is not None and self.sums.deferred(root)

    def _is_scattered(self, added: code.AddElement) -> bool:
        """Whether workers may have sums of their own for what it adds, wherever threads come to."""
        number = added.root.adjoint_cell in (FLOAT, DOUBLE)
        atomic = added.update is Update.ATOMIC and added.adjoint
        return self.style.workers and atomic and number and self._deferred(added.root)

    def _add_together(self, added: code.Block) -> str:
        first, given = added[0], list[str]()
        assert isinstance(first, code.AddElement)
        at_one_index = first.privatised and not first.beside
        for s in added:
            assert isinstance(s, code.AddElement)
            if at_one_index:
                cell = privatised_name(self.names, s.root)
            elif s.privatised:
                cell = f"{privatised_name(self.names, s.root)}.cell({self.e.text(s.index)})"
            else:
                cell = f"&{self.e.element(s.root, s.index, adjoint=True)}"
            given += [cell, self.e.text(s.expr)]
        index = [self.e.text(first.index)] if at_one_index else []
        how = "meeting_add" if first.meeting else "add_beside" if first.update is Update.ATOMIC else "reduce_add"
        if self._is_scattered(first):
            how = "scatter_add"
        asked = self.if_asked_for(self.names.of((first.root, True)))
        return f"{asked}cladpy::{how}({', '.join([*index, *given])});"

    def _take(self, statement: code.Take) -> list[str]:
        root, variable = statement.root, statement.variable
        cell = self.e.element(root, statement.index, adjoint=True)
        shared = root.kind is not core.RootKind.LOCAL
        read = self.is_read(variable)
        if shared and self.style.atomics and statement.update is not Update.PLAIN and statement.zero:
            text = f"cladpy::exchange(&{cell})"
            return self._constant(variable, text) if read else [f"{text};"]
        if shared and self.style.checked:
            text = f"cladpy::plain_take(&{cell}, {'true' if statement.zero else 'false'})"
            return self._constant(variable, text) if read else [f"{text};"]
        content = f"cladpy::wide({cell})" if is_half(root.adjoint_cell) else cell
        lines = self._constant(variable, content) if read else []
        return [*lines, self._clear(statement)] if statement.zero and not self._comes_late(statement) else lines

    def _clear(self, take: code.Take) -> str:
        return f"{self.e.element(take.root, take.index, adjoint=True)} = {literal(0, take.root.adjoint_cell)};"

    def _comes_late(self, take: code.Take) -> bool:
        """Whether what is taken is zeroed at the end of the block, or before the next that has to do with it."""
        exchanged = self.style.atomics and take.update is not Update.PLAIN
        return take.late and take.zero and self.is_read(take.variable) and not exchanged and not self.style.checked

    def is_read(self, variable: core.Value) -> bool:
        return variable in self.read

    def prepare(self, block: code.Block) -> None:
        """Looks at which variables are read, since a taken adjoint need not have a name; and at shared memory."""
        self.dynamic_adjoint = shared_memory(block).dynamic_adjoint
        self.read = read_variables(block)
        self.mentioned = mentions_in(block)
        self.said = ""
        self.alone = alone(block)
        self.lets = lasting(block)
        self.e.vectors = kept_together(block)
        for root, vectors in self.e.vectors.items():
            self.names.given[(root, False)] = self.names.of((vectors.array, False))

    # ---- control flow ----------------------------------------------------------------------------------------------

    def _branch(self, condition: core.Expr, then: code.Block, other: code.Block, depth: int) -> list[str]:
        pad = "  " * depth
        yes, no = self.block(then, depth + 1), None
        if not yes:
            no = self.block(other, depth + 1)
            opposite = self.e.text(unary(UnaryOp.NOT, condition, BOOL))
            return [f"{pad}if ({opposite}) {{", *no, f"{pad}}}"] if no else []
        lines = [f"{pad}if ({self.e.text(condition)}) {{", *yes]
        no = self.block(other, depth + 1)
        if no:
            lines += [f"{pad}}} else {{", *no]
        return [*lines, f"{pad}}}"]


def privatised_name(names: Names, root: core.Root) -> str:
    """What the sums of a block for an adjoint are called."""
    return f"_staged{names.of((root, True))}{names.mark}"


def without_default(given: tuple[core.Expr, ...]) -> tuple[core.Expr, ...]:
    """The arguments of what lanes do together without the width that shuffles have by default."""
    return given[:-1] if given and _is_warp_size(given[-1]) else given


def _is_warp_size(expr: core.Expr) -> bool:
    return isinstance(expr, core.Builtin) and expr.var is BuiltinVar.WARP_SIZE


def _adding(target: str, expressions: Expressions, expr: core.Expr) -> str:
    """`target += expr`, or `-=` where the expression is a negation."""
    if isinstance(expr, core.Unary) and expr.op.value == "-":
        return f"{target} -= {expressions.operand(expr.operand)};"
    return f"{target} += {expressions.text(expr)};"
