"""A number's bits taken as an integer carry its value on where no rule follows them: through integer variables and
memory, through shuffles and atomics, and through the calls that are given them. A result that depends on them once they
have become a floating-point number again has no derivative that could be right. What they decide, by an
`if` or by `?:`, has the derivative of what is chosen. Sign and exponent alone, as in `__float_as_int(x) >> 23`, are a
step of the number, as `floor(x)` is, and carry nothing on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from cladpy import derivatives, known
from cladpy.analysis.flow import Useful, Varied
from cladpy.diagnostics import Note, Sink
from cladpy.ir import core, reach
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import BFLOAT16, DOUBLE, FLOAT, HALF, Struct, Type, is_floating, is_integer
from cladpy.ir.walk import children, defined, operands, statements

_MANTISSA: Mapping[Type, int] = {HALF: 10, BFLOAT16: 7, FLOAT: 23, DOUBLE: 52}  # the lowest bits
_MANTISSA_ABOVE = {"__double2hiint": 20}
_Made = Mapping[core.Value, core.Expr]


def check_bits(
    function: core.Function, varied: Varied, useful: Useful, takes_bits: Callable[[FunctionSymbol], bool], sink: Sink
) -> None:
    """Reports CP0310 where a result depends on bits of what has a derivative. `takes_bits` says of a function that is
    called whether it takes numbers for their bits."""
    every = list(statements(function.body))
    made = {s.value: s.expr for s in every if isinstance(s, core.Let)}
    beside = _beside_numbers(every, function, varied, made)
    taken = [s for s in every if _takes(s, function, varied, takes_bits, beside, made)]
    if not taken:
        return
    found = _Carried(function, varied, set(taken), beside, made)
    found.run(every)
    for s in every:
        if found.reaches(s, useful):
            sink.error(
                "CP0310",
                "a result depends on the bits of a floating-point number taken as an integer",
                s.span,
                notes=tuple(Note("the bits are taken here", t.span) for t in taken[:1]),
                hint="compute with the number itself, or give the function a custom derivative",
            )
            return


def _takes(
    statement: core.Statement,
    function: core.Function,
    varied: Varied,
    takes_bits: Callable[[FunctionSymbol], bool],
    beside: _Carried | None,
    made: _Made,
) -> bool:
    """Whether bits of what depends on an independent are taken by a statement, or by a function that it calls."""
    if any(_is_taken(e, varied, beside) for expr in operands(statement) for e in _carrying(expr, made)):
        return True
    if not isinstance(statement, core.Call) or not takes_bits(statement.callee):
        return False
    return any(varied.expr(e) for e in operands(statement)) or any(
        root in varied.roots for root in reach.touched(statement, function)
    )


def _carrying(expr: core.Expr, made: _Made) -> Iterator[core.Expr]:
    """The expression and what its value is made of: not what decides a choice, nor what only steps."""
    if _is_step(expr, made):
        return
    yield expr
    for child in (expr.then, expr.other) if isinstance(expr, core.Select) else children(expr):
        yield from _carrying(child, made)


def _is_step(expr: core.Expr, made: _Made) -> bool:
    """Whether this is made of the bits of a number without those of its mantissa."""
    match expr:
        case core.Binary(op=BinaryOp.SHR, left=bits, right=core.Const(value=int() as by)):
            mantissa = _mantissa(bits, made)
            return mantissa is not None and by >= mantissa
        case (
            core.Binary(op=BinaryOp.BIT_AND, left=bits, right=core.Const(value=int() as mask))
            | core.Binary(op=BinaryOp.BIT_AND, left=core.Const(value=int() as mask), right=bits)
        ):
            mantissa = _mantissa(bits, made)
            return mantissa is not None and mask & ((1 << mantissa) - 1) == 0
        case _:
            return False


def _mantissa(expr: core.Expr, made: _Made) -> int | None:
    """How many of the lowest bits are of the mantissa, where these are the bits of a number, or some of them."""
    match expr:
        case core.Math(callee=callee, arguments=(number,)) if derivatives.is_bit_cast(callee.qualified_name):
            return _MANTISSA_ABOVE.get(callee.name, _MANTISSA.get(number.type))
        case core.Use(value=value) if value in made:
            return _mantissa(made[value], made)
        case core.Cast(operand=bits) if is_integer(bits.type) and is_integer(expr.type):
            return _mantissa(bits, made)
        case (
            core.Binary(op=BinaryOp.BIT_AND | BinaryOp.ADD, left=bits, right=core.Const())
            | core.Binary(op=BinaryOp.BIT_AND | BinaryOp.ADD, left=core.Const(), right=bits)
        ):
            return _mantissa(bits, made)  # a sum, as in rounding, carries upwards only
        case _:
            return None


def _is_taken(expr: core.Expr, varied: Varied, beside: _Carried | None) -> bool:
    if not isinstance(expr, core.Math):
        return False
    if beside is not None and is_floating(expr.type) and isinstance(known.of(expr.callee.name), known.Bits):
        return any(beside.expr(a) for a in expr.arguments)
    return derivatives.is_bit_cast(expr.callee.qualified_name) and any(varied.expr(a) for a in expr.arguments)


def _beside_numbers(
    every: list[core.Statement], function: core.Function, varied: Varied, made: _Made
) -> _Carried | None:
    """What comes of integers in dynamic shared memory that also holds numbers with a derivative: their bits, perhaps,
    where such integers become numbers by their bits. None where there are none."""
    numbers = {root.memory for root in varied.roots if is_floating(root.element) and root.dynamic}
    loads = (s for s in every if isinstance(s, core.Load) and s.root.memory in numbers)
    values = {s.value for s in loads if is_integer(s.root.element)}
    if not values:
        return None
    found = _Carried(function, varied, set(), None, made, values)
    found.run(every)
    return found


class _Carried:
    """The values and the memory that bits may have come to."""

    def __init__(
        self,
        function: core.Function,
        varied: Varied,
        taken: set[core.Statement],
        beside: _Carried | None,
        made: _Made,
        values: Iterable[core.Value] = (),
    ) -> None:
        self.function = function
        self.varied = varied
        self.taken = taken
        self.beside = beside
        self.made = made
        self.values = set(values)
        self.memory: dict[core.Root, set[core.Statement]] = {}  # with the statements that have put them there

    def run(self, every: list[core.Statement]) -> None:
        before = -1
        while before != self._size():
            before = self._size()
            for s in every:
                self._statement(s)

    def _size(self) -> int:
        return len(self.values) + sum(map(len, self.memory.values()))

    def expr(self, expr: core.Expr) -> bool:
        return any(
            (isinstance(e, core.Use) and e.value in self.values) or _is_taken(e, self.varied, self.beside)
            for e in _carrying(expr, self.made)
        )

    def _statement(self, statement: core.Statement) -> None:
        match statement:
            case core.Let(value, expr) if self.expr(expr):
                self.values.add(value)
            case core.Load(value, root) if root.memory in self.memory:
                self.values.add(value)
            case core.Store(root=root) | core.AtomicAdd(root=root) | core.Atomic(root=root):
                given = statement.arguments if isinstance(statement, core.Atomic) else (statement.expr,)
                if any(self.expr(e) for e in given):
                    self.memory.setdefault(root.memory, set()).add(statement)
                if root.memory in self.memory:  # what an atomic gives is what the memory held
                    self.values.update(defined(statement))
            case core.Collective(value, callee, _, given) if value is not None:
                if known.collective(callee.name).passes_numbers and any(self.expr(e) for e in given):
                    self.values.add(value)
            case core.If(_, _, _, merges):
                self.values |= {m.value for m in merges if self.expr(m.then) or self.expr(m.other)}
            case core.Loop(carried):
                for c in carried:
                    if self.expr(c.init) or self.expr(c.next):
                        self.values |= {c.value, c.result}
            case core.Call():
                self._call(statement)
            case _:
                pass

    def _call(self, call: core.Call) -> None:
        given = self._is_given(call)
        if not given and call not in self.taken:
            return
        # of numbers, what it makes of bits that it takes itself is checked where it is differentiated
        self.values |= {o.value for o in call.outputs if given or is_integer(o.value.type)}
        for root in reach.written(call, self.function):
            if not is_floating(root.element):
                self.memory.setdefault(root.memory, set()).add(call)

    def _is_given(self, call: core.Call) -> bool:
        """Whether a call is given bits that come from elsewhere: those that it puts somewhere and reads there itself
        are checked where it is differentiated."""
        return any(self.expr(e) for e in operands(call)) or any(
            self.memory.get(root.memory, set()) - {call} for root in reach.touched(call, self.function)
        )

    def reaches(self, statement: core.Statement, useful: Useful) -> bool:
        """Whether a statement makes a number of bits that matters."""
        match statement:
            case core.Store(root, _, expr) | core.AtomicAdd(root, _, expr):
                return root in useful.roots and is_floating(expr.type) and self.expr(expr)
            case core.Call():
                matters = any(r in useful.roots for r in self._numbers_written(statement))
                matters |= any(v in useful.values and is_floating(v.type) for v in defined(statement))
                return matters and self._is_given(statement)
            case _:
                return any(v in self.values and v in useful.values and is_floating(v.type) for v in defined(statement))

    def _numbers_written(self, call: core.Call) -> Iterator[core.Root]:
        for root in reach.written(call, self.function):
            if is_floating(root.element) or isinstance(root.element, Struct):
                yield root
