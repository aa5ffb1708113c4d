"""A whole derivative: the function asked for, the pullbacks that it calls, and what is known about launching it."""

from __future__ import annotations

from dataclasses import dataclass, field

from cladpy.adjoint.cleanup import all_statements, clean
from cladpy.adjoint.counting import Counting, constant_capacity
from cladpy.adjoint.plan import Plan, PullbackReference
from cladpy.adjoint.sweep import Sweep
from cladpy.adjoint.tidy import tidy
from cladpy.analysis import races
from cladpy.analysis.activity import Activity, analyse, differentiable
from cladpy.analysis.needs import Needs, keep_overwritten
from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.ir import code, core
from cladpy.ir import surface as s
from cladpy.ir.code import Update
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import Pointer, Reference, Type, scalar_of
from cladpy.ir.walk import operands, statements, subexpressions
from cladpy.normalize import Policy, normalize
from cladpy.normalize.calls import SMALL
from cladpy.options import Options

# A tape of at most this many slots of eight bytes is a local array.
LOCAL_TAPE = 128


class _InlineMore(Exception):
    """A function was found that must be inlined after all: start again."""


@dataclass(frozen=True, slots=True)
class Gradient:
    """The functions in the order in which they must be defined; the last one is the gradient itself."""

    functions: tuple[code.Function, ...]
    primal: core.Function
    one_dimensional: bool

    @property
    def main(self) -> code.Function:
        return self.functions[-1]


@dataclass(frozen=True, slots=True)
class _Prepared:
    function: core.Function
    activity: Activity
    needs: Needs


@dataclass(slots=True)
class _Pullback:
    name: str
    reference: PullbackReference
    function: code.Function | None = None


@dataclass(slots=True)
class _Builder:
    program: s.Program
    policy: Policy
    options: Options
    integers: bool
    sink: Sink
    growable: bool  # whether the tape can grow: on the host it can
    prepared: dict[tuple[FunctionSymbol, tuple[int, ...]], _Prepared] = field(default_factory=dict)
    summaries: dict[tuple[FunctionSymbol, tuple[int, ...]], races.Summary | None] = field(default_factory=dict)
    pullbacks: dict[tuple[FunctionSymbol, tuple[int, ...], tuple[Update, ...]], _Pullback] = field(default_factory=dict)
    done: list[code.Function] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    # ---- preparing a function: normalised, analysed, with the calls inlined that must be -------------------------------

    def prepare(self, symbol: FunctionSymbol, active: tuple[int, ...]) -> _Prepared:
        key = (symbol, active)
        if key not in self.prepared:
            function = normalize(self.program.functions[symbol], self.policy, self.sink)
            seeded = differentiable(symbol.result, self.integers)
            activity = analyse(function, frozenset(active), seeded, self.integers, self.sink)
            self.sink.raise_if_errors()
            function, needs = keep_overwritten(function, activity, may_alias=self.options.may_alias)
            self._check_calls(function, needs)
            self._check_atomics(function, needs)
            self.sink.raise_if_errors()
            self.prepared[key] = _Prepared(function, activity, needs)
        return self.prepared[key]

    def _check_calls(self, function: core.Function, needs: Needs) -> None:
        """Inlines what reads memory that is written here, what decides something, and what is needed twice."""
        written = {t.root for t in statements(function.body) if isinstance(t, core.Store | core.AtomicAdd)}
        more: set[FunctionSymbol] = set()
        for call in statements(function.body):
            if not isinstance(call, core.Call) or call.callee not in self.program.functions:
                continue
            callee = call.callee
            if callee.qualified_name in self.policy.custom:
                continue
            must = any(
                isinstance(a, core.PointerArgument) and (a.root in written or (written and self.options.may_alias))
                for a in call.arguments
            )
            must |= call.value is not None and call.value in needs.exact
            may = call.value in needs.values and (
                self.policy.size(callee) <= SMALL or self.policy.call_sites(callee) == 1
            )
            if not (must or may):
                continue
            if not self.policy.recursive(callee) and callee not in self.policy.inline:
                more.add(callee)
            elif must:
                self.sink.error(
                    "CP0502",
                    f"the recursive function '{callee.name}' reads memory that the kernel writes, or decides a branch",
                    call.span,
                    hint="write the recursion as a loop",
                )
        if more:
            self.policy.inline |= more
            raise _InlineMore

    def _check_atomics(self, function: core.Function, needs: Needs) -> None:
        for statement in statements(function.body):
            if isinstance(statement, core.AtomicAdd) and statement in needs.stores:
                self.sink.error(
                    "CP0501",
                    f"'{statement.root.name}' is read after atomics of this launch may have changed it",
                    statement.span,
                    hint="split the kernel, so that one launch adds and a later one reads",
                )

    # ---- races -----------------------------------------------------------------------------------------------------

    def active_positions(self, call: core.Call, activity: Activity) -> tuple[int, ...]:
        return tuple(
            i
            for i, a in enumerate(call.arguments)
            if (a.root in activity.shadowed if isinstance(a, core.PointerArgument) else activity.expr(a))
        )

    def call_summaries(self, prepared: _Prepared) -> dict[core.Call, races.Summary | None]:
        found: dict[core.Call, races.Summary | None] = {}
        for call in statements(prepared.function.body):
            if isinstance(call, core.Call):
                found[call] = self.summary(call.callee, self.active_positions(call, prepared.activity))
        return found

    def summary(self, symbol: FunctionSymbol, active: tuple[int, ...]) -> races.Summary | None:
        """How a callee accesses memory; None where that is not known: custom derivatives, recursion."""
        if symbol not in self.program.functions or symbol.qualified_name in self.policy.custom:
            return None
        key = (symbol, active)
        if key not in self.summaries:
            self.summaries[key] = None  # while a recursion is being looked at
            prepared = self.prepare(symbol, active)
            self.summaries[key] = races.summarise(
                prepared.function, prepared.activity.values, self.call_summaries(prepared)
            )
        return self.summaries[key]

    # ---- pullbacks -------------------------------------------------------------------------------------------------

    def request(self, call: core.Call, active: tuple[int, ...], updates: tuple[Update, ...]) -> PullbackReference:
        custom = self._custom(call, active)
        if custom is not None:
            return custom
        key = (call.callee, active, updates)
        if key not in self.pullbacks:
            name = self._name(call, active, updates)
            pullback = _Pullback(name, PullbackReference(name, active))
            self.pullbacks[key] = pullback
            pullback.function = self._build_pullback(call.callee, active, updates, name)
            self.done.append(pullback.function)
        return self.pullbacks[key].reference

    def _custom(self, call: core.Call, active: tuple[int, ...]) -> PullbackReference | None:
        """A user's pullback, by name and signature: the arguments, the result's adjoint, pointers to adjoints."""
        named = [c for c in self.program.custom_pullbacks if c.primal_name == call.callee.qualified_name]
        if not named:
            return None
        parameters = call.callee.parameters
        floating = tuple(i for i, t in enumerate(parameters) if differentiable(scalar_of(t), False))
        own = (call.callee.result,) if call.value is not None else ()
        for candidate in named:
            for positions in (tuple(range(len(parameters))), floating):
                expected = (*parameters, *own, *(_adjoint_type(parameters[i]) for i in positions))
                if tuple(map(_plain, candidate.parameters)) == tuple(map(_plain, expected)):
                    return PullbackReference(candidate.qualified_name, positions)
        expected_text = ", ".join(
            _spelled(t) for t in (*parameters, *own, *(_adjoint_type(parameters[i]) for i in floating))
        )
        self.sink.error(
            "CP0402",
            f"the custom derivative '{named[0].qualified_name}' does not have the signature that is called",
            named[0].span,
            hint=f"its parameters must be ({expected_text})",
        )
        raise DifferentiationError(self.sink.found, self.sink.texts)

    def _name(self, call: core.Call, active: tuple[int, ...], updates: tuple[Update, ...]) -> str:
        """The talk's name: the positions of the global arguments. A letter where a variant of that name exists."""
        parameters = call.callee.parameters
        positions = [i for i, a in enumerate(call.arguments) if isinstance(a, core.PointerArgument)]
        first = len(parameters) + (call.value is not None)
        positions += [
            first + n for n, i in enumerate(active) if isinstance(call.arguments[i], core.PointerArgument)
        ]
        base = f"{call.callee.name}_pullback" + "".join(f"_{p}" for p in positions)
        name = base
        for letter in ("", *"abcdefghijklmnopqrstuvwxyz"):
            name = base + letter
            if name not in self.names:
                break
        number = 0
        while name in self.names:
            number += 1
            name = f"{base}_v{number}"
        self.names.add(name)
        return name

    def _build_pullback(
        self, symbol: FunctionSymbol, active: tuple[int, ...], updates: tuple[Update, ...], name: str
    ) -> code.Function:
        prepared = self.prepare(symbol, active)
        given = dict(zip(active, updates, strict=True))
        function = prepared.function
        by_root = {
            p.content: given[i] for i, p in enumerate(function.parameters) if isinstance(p.content, core.Root) and i in given
        }
        accumulation = races.Accumulation(by_root, frozenset(), False)
        seed = core.Value("_d_y", symbol.result)
        parameters = [code.Parameter(p.name, p.type, p.content) for p in function.parameters]
        if function.result is not None:
            parameters.append(code.Parameter("_d_y", symbol.result, seed))
        for i in active:
            p = function.parameters[i]
            parameters.append(code.Parameter(f"_d_{p.name}", _adjoint_type(p.type), p.content, adjoint=True))
        body, sweep = self._sweep(prepared, accumulation, frozenset(), seed)
        body += self._scalar_adjoints(prepared, sweep, Update.PLAIN)
        block = tidy(clean(body))
        capacity = constant_capacity(sweep)
        if capacity is None or capacity > LOCAL_TAPE:
            if self.policy.recursive(symbol):
                self.sink.error(
                    "CP0504",
                    f"the recursive function '{symbol.name}' has a loop whose state must be kept",
                    function.span,
                    hint="move the loop into a function of its own that is not recursive, or give it a constant bound",
                )
                self.sink.raise_if_errors()
            self.policy.inline.add(symbol)
            raise _InlineMore
        return code.Function(
            name, code.FunctionRole.PULLBACK, tuple(parameters), block, function, tape_slots=capacity
        )

    # ---- sweeps ----------------------------------------------------------------------------------------------------

    def _sweep(
        self,
        prepared: _Prepared,
        accumulation: races.Accumulation,
        consumed: frozenset[core.Root],
        seed: core.Value | None,
    ) -> tuple[list[code.Statement], Sweep]:
        def request(call: core.Call, active: tuple[int, ...]) -> PullbackReference:
            updates = []
            for i in active:
                a = call.arguments[i]
                is_pointer = isinstance(a, core.PointerArgument)
                updates.append(accumulation.update(a.root) if is_pointer else Update.PLAIN)  # type: ignore[union-attr]
            return self.request(call, active, tuple(updates))

        plan = Plan(accumulation, consumed, request)
        sweep = Sweep(prepared.function, prepared.activity, prepared.needs, plan, self.sink)
        body = sweep.run(seed)
        self.sink.raise_if_errors()
        return body, sweep

    def _scalar_adjoints(self, prepared: _Prepared, sweep: Sweep, update: Update) -> list[code.Statement]:
        """Adds the adjoints of scalar parameters to where their pointers point."""
        return [
            code.AddParameter(f"_d_{p.name}", p.content.type, core.Use(sweep.adjoints.adjoint[p.content]), update)
            for p in prepared.function.parameters
            if isinstance(p.content, core.Value) and p.content in sweep.adjoints.adjoint
        ]

    def build(self, active: tuple[int, ...], name: str) -> Gradient:
        symbol = self.program.entry
        kernel = symbol.kind is FunctionKind.KERNEL
        prepared = self.prepare(symbol, active)
        function, activity = prepared.function, prepared.activity
        self._check_flow(prepared, active)
        accesses = races.collect(function, activity.values, self.call_summaries(prepared))
        accumulation = races.accumulate(
            function,
            activity.shadowed,
            accesses,
            single_thread=not kernel,
            atomic=self.options.accumulate == "atomic" or self.options.may_alias,
        )
        self._check_promises(prepared, accumulation)
        consumed = self._consumed(prepared, accumulation)
        seed = core.Value("_d_y", symbol.result) if function.result is not None else None
        body, sweep = self._sweep(prepared, accumulation, consumed, seed)
        body += self._scalar_adjoints(prepared, sweep, Update.REDUCED if kernel else Update.PLAIN)
        block = tidy(clean(body))

        parameters = [code.Parameter(p.name, p.type, p.content) for p in function.parameters]
        for i in active:
            p = function.parameters[i]
            parameters.append(code.Parameter(f"_d_{p.name}", _adjoint_type(p.type), p.content, adjoint=True))
        if seed is not None and differentiable(seed.type, self.integers):
            parameters.append(code.Parameter("_d_y", seed.type, seed))
        capacity = constant_capacity(sweep)
        count: code.Block = ()
        result: core.Expr | None = None
        if capacity is not None and capacity > LOCAL_TAPE:
            capacity = None
        if capacity is None and not kernel and not self.growable and symbol.kind is not FunctionKind.HOST:
            self.sink.error(
                "CP0506",
                f"a loop of '{symbol.name}' keeps state for an unknown number of steps, for which a device function "
                "has no memory",
                function.span,
                hint="differentiate the kernel that calls it, or give the loop a constant bound",
            )
            self.sink.raise_if_errors()
        if capacity is None and kernel:
            self._inline_block_readers(prepared)
            if not self.growable:
                count, result = self._counting(prepared, sweep)
        main = code.Function(
            name,
            code.FunctionRole.KERNEL if kernel else code.FunctionRole.HOST,
            tuple(parameters),
            block,
            function,
            capacity,
            count,
            result,
        )
        return Gradient((*self.done, main), function, accumulation.one_dimensional)

    def _check_promises(self, prepared: _Prepared, accumulation: races.Accumulation) -> None:
        """What the caller's options ask for and this kernel cannot give."""
        function = prepared.function
        for p in function.parameters:
            if p.name in self.options.fresh and p.content in prepared.activity.stored:
                self.sink.error(
                    "CP0311",
                    f"fresh names '{p.name}', which the kernel stores to: its adjoint holds the cotangent",
                    function.span,
                    hint="promise fresh for inputs only",
                )
        if self.options.accumulate == "deterministic":
            for p in function.parameters:
                summed = isinstance(p.content, core.Value) and p.content in prepared.activity.values
                meets = p.content in prepared.activity.read and accumulation.update(p.content) is not Update.PLAIN  # type: ignore[arg-type]
                if summed or meets:
                    self.sink.error(
                        "CP0505",
                        f"deterministic accumulation into the adjoint of '{p.name}', where threads meet, "
                        "is not supported yet",
                        function.span,
                        hint="use accumulate='auto'; the order of its atomic additions varies",
                    )
        self.sink.raise_if_errors()

    def _consumed(self, prepared: _Prepared, accumulation: races.Accumulation) -> frozenset[core.Root]:
        """The outputs whose cotangent need not be zeroed: promised, and touched once by the reverse sweep."""
        found = set()
        for p in prepared.function.parameters:
            if p.name not in self.options.consumed or not isinstance(p.content, core.Root):
                continue
            touching = [
                s
                for s in statements(prepared.function.body)
                if (isinstance(s, core.Store | core.AtomicAdd | core.Load) and s.root is p.content)
                or (
                    isinstance(s, core.Call)
                    and any(isinstance(a, core.PointerArgument) and a.root is p.content for a in s.arguments)
                )
            ]
            looped = {
                s for loop in statements(prepared.function.body) if isinstance(loop, core.Loop) for s in statements(loop.body)
            }
            if len(touching) == 1 and isinstance(touching[0], core.Store) and touching[0] not in looped:
                if accumulation.take(touching[0]) is Update.PLAIN:
                    found.add(p.content)
        return frozenset(found)

    def _counting(self, prepared: _Prepared, sweep: Sweep) -> tuple[code.Block, core.Expr]:
        counting = Counting(prepared.function, prepared.activity, prepared.needs, sweep.plan, self.sink)
        counting.tapes = sweep.tapes
        out, result = counting.count()
        block = tidy(clean(out, (result,)))
        for statement in all_statements(block):
            if isinstance(statement, code.WriteElement) and statement.root.kind is not core.RootKind.LOCAL:
                self.sink.error(
                    "CP0503",
                    f"how often a loop runs depends on '{statement.root.name}', which the kernel overwrites",
                    statement.span,
                    hint="keep the value in a local variable and store it after the loop",
                )
                self.sink.raise_if_errors()
        return tuple(s for s in block if not isinstance(s, code.Perform)), result

    def _inline_block_readers(self, prepared: _Prepared) -> None:
        """With a workspace blocks are logical, and only the kernel itself knows which one it is."""
        more = {
            call.callee
            for call in statements(prepared.function.body)
            if isinstance(call, core.Call)
            and call.callee in self.program.functions
            and self._reads_block(call.callee, set())
            and not self.policy.recursive(call.callee)
        }
        if more - self.policy.inline:
            self.policy.inline |= more
            raise _InlineMore

    def _reads_block(self, symbol: FunctionSymbol, seen: set[FunctionSymbol]) -> bool:
        seen.add(symbol)
        function = normalize(self.program.functions[symbol], self.policy, self.sink)
        for statement in statements(function.body):
            for expr in operands(statement):
                if any(isinstance(e, core.Builtin) and e.var in _BLOCK for e in subexpressions(expr)):
                    return True
            if isinstance(statement, core.Call) and statement.callee in self.program.functions:
                if statement.callee not in seen and self._reads_block(statement.callee, seen):
                    return True
        return False

    def _check_flow(self, prepared: _Prepared, active: tuple[int, ...]) -> None:
        """A gradient that could only be zero is a mistake in the request."""
        function, activity = prepared.function, prepared.activity
        named = ", ".join(f"'{function.parameters[i].name}'" for i in active)
        span = function.span
        if function.result is None or not differentiable(function.symbol.result, self.integers):
            if not activity.stored:
                self.sink.error(
                    "CP0302",
                    f"none of the arguments {named} is stored to, so every derivative is zero",
                    span,
                    hint="name the output among the arguments",
                )
                self.sink.raise_if_errors()
        varied = {p.content for i, p in enumerate(function.parameters) if i in active and p.content in activity.values}
        if not activity.read and not varied:
            self.sink.error(
                "CP0303",
                f"no result depends on the arguments {named}, so every derivative is zero",
                span,
                hint="name an input among the arguments",
            )
            self.sink.raise_if_errors()


_BLOCK = frozenset(
    {
        BuiltinVar.BLOCK_X, BuiltinVar.BLOCK_Y, BuiltinVar.BLOCK_Z,
        BuiltinVar.GRID_DIM_X, BuiltinVar.GRID_DIM_Y, BuiltinVar.GRID_DIM_Z,
    }
)  # fmt: skip


def build_gradient(
    program: s.Program, active: tuple[int, ...], name: str, options: Options, sink: Sink, *, integers: bool, growable: bool
) -> Gradient:
    """The gradient of the program's entry by the parameters at the positions `active`.

    `integers` says that an integer argument is among them; `growable` that the tape can grow at run time, so that
    nothing has to be counted. Raises DifferentiationError.
    """
    policy = Policy(program.functions, frozenset(c.primal_name for c in program.custom_pullbacks))
    while True:
        builder = _Builder(program, policy, options, integers, sink, growable)
        try:
            return builder.build(active, name)
        except _InlineMore:
            continue


def _adjoint_type(type: Type) -> Pointer:
    """The pointer type of the adjoint of a parameter of this type."""
    match type:
        case Pointer(pointee):
            return Pointer(pointee)
        case Reference(referee):
            return Pointer(scalar_of(referee))
        case _:
            return Pointer(type)


def _plain(type: Type) -> Type:
    """Without qualifiers, for comparing signatures."""
    match type:
        case Pointer(pointee):
            return Pointer(_plain(pointee))
        case Reference(referee):
            return Reference(_plain(referee))
        case _:
            return type


def _spelled(type: Type) -> str:
    from cladpy.ir.types import spell

    return spell(type)
