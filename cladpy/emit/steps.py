"""Steps of a host program as C++ text: calls of `_program`, a `cladpy::program`, and launches."""

from __future__ import annotations

from collections.abc import Callable

from cladpy.emit.expressions import Expressions
from cladpy.emit.names import called
from cladpy.emit.style import Style
from cladpy.ir import code, core
from cladpy.ir.code import Verb
from cladpy.ir.halves import adjoint_value
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import Array, Pointer, size_of, spell

_PROGRAM = "_program"


def pointee(symbol: Symbol, adjoint: bool = False) -> str:
    """What the pointer of an allocation leads to, as C++ text."""
    assert isinstance(symbol.type, Pointer)
    return spell(adjoint_value(symbol.type.pointee) if adjoint else symbol.type.pointee)


class Steps:
    def __init__(
        self,
        expressions: Expressions,
        style: Style,
        argument: Callable[[code.Passed], str],
        user_call: Callable[[code.UserCall], str],
    ) -> None:
        self.e = expressions
        self.style = style
        self.argument = argument
        self.user_call = user_call

    def lines(self, act: code.Act) -> list[str]:
        given = [self._given(a) for a in act.arguments]
        match act.verb:
            case Verb.ACQUIRE:
                assert act.pointer is not None and act.pointer.allocation is not None
                zeroed = ["true"] if act.zeroed else []
                side = act.pointer.side.value
                call = f"{side}<{pointee(act.pointer.allocation)}>({', '.join([*given, *zeroed])})"
                if act.pointer.numbered:
                    return [f"{self._pointer(act)}.push_back({_PROGRAM}.{call});"]
                return [f"{self._pointer(act)} = {_PROGRAM}.{call};"]
            case Verb.LOCATE:
                assert act.pointer is not None and act.pointer.allocation is not None
                adjoint = self.style.addresses.get(act.name)
                own = [] if adjoint is None else [f"{adjoint}_address()"]
                call = f"variable<{pointee(act.pointer.allocation)}>({', '.join([f'::{act.name}', *given, *own])})"
                return [f"{self._pointer(act)} = {_PROGRAM}.{call};"]
            case Verb.ADJOINT:
                assert act.pointer is not None
                known = act.pointer.allocation
                element = pointee(known, adjoint=True) if known else spell(act.element or act.pointer.adjoint_cell)
                primal = self.e.names.of((act.pointer, False))
                return [f"{self._pointer(act)} = {_PROGRAM}.adjoint<{element}>({primal});"]
            case Verb.RECALL:
                assert act.pointer is not None and act.pointer.allocation is not None
                return [f"{self._pointer(act)} = {_PROGRAM}.recall<{pointee(act.pointer.allocation)}>();"]
            case Verb.RELEASE if act.pointer is not None and act.pointer.numbered:
                name = self._pointer(act)
                return [f"{_PROGRAM}.release({name}.back());", f"{name}.pop_back();"]
            case Verb.RELEASE | Verb.KEEP:
                return [f"{_PROGRAM}.{act.verb.value}({self._pointer(act)});"]
            case Verb.STORED:
                return [f"{_PROGRAM}.stored();"]
            case Verb.WILL_READ | Verb.BY_HOST:
                return [f"{_PROGRAM}.{act.verb.value}({{{', '.join(given)}}});"]
            case Verb.STEP | Verb.REVERSE:
                return [f"{_PROGRAM}.{act.name}({', '.join([*given, *self._stream(act)])});"]
            case Verb.RESTORE:
                return [f"{_PROGRAM}.restore();"]
            case Verb.MAY_KEEP:
                return [self._may_keep(act, given)]
            case Verb.LAUNCH:
                return self._launch(act, given)
            case Verb.CALL:
                return self._custom(act)
            case Verb.DISTINCT:
                return [f'{_PROGRAM}.distinct("{act.name}", {act.written}, {{{", ".join(given)}}});']
            case Verb.PULLBACK:
                return self._pullback(act, given)
            case Verb.RENEW:
                return [self._renews(act, given)]
            case Verb.SETTLE:
                return [f"{_PROGRAM}.settle_adjoints();"]

    def _given(self, argument: code.Passed) -> str:
        if isinstance(argument, code.AddressOfVariable):
            return f"&{self.e.names.of(argument.variable)}"
        return self.argument(argument)

    def _pointer(self, act: code.Act) -> str:
        assert act.pointer is not None
        return self.e.names.of((act.pointer, act.adjoint))

    def _stream(self, act: code.Act) -> list[str]:
        stream = None if act.launch is None else act.launch.stream
        return [] if stream is None else [self.e.text(stream)]

    def _configuration(self, launch: core.Configuration) -> list[str]:
        stream = "nullptr" if launch.stream is None else self.e.text(launch.stream)
        return [self._size(launch.grid), self._size(launch.block), self.e.text(launch.shared_mem), stream]

    def _size(self, size: tuple[core.Expr, core.Expr, core.Expr]) -> str:
        """Without the ones at the end."""
        shown = list(size)
        while len(shown) > 1 and isinstance(shown[-1], core.Const) and shown[-1].value == 1:
            shown.pop()
        return f"dim3({', '.join(self.e.text(e) for e in shown)})"

    def _launch(self, act: code.Act, given: list[str]) -> list[str]:
        """A kernel of the original: what it may overwrite is saved before."""
        assert act.launch is not None and act.callee is not None
        at = self._configuration(act.launch)
        writes = ", ".join(self.argument(a) for a in act.saved)
        kernel, named, arguments = called(act.callee), act.callee.qualified_name, ", ".join(given)
        if self.style.kernels:
            large = (
                []
                if isinstance(act.launch.shared_mem, core.Const) and int(act.launch.shared_mem.value) <= 48 * 1024
                else [f"{_PROGRAM}.allow({kernel}, {at[2]});"]
            )
            short = at if at[3] != "nullptr" else at[:3] if at[2] != "0UL" else at[:2]
            call = f"{kernel}<<<{', '.join(short)}>>>({arguments});"
            if act.again:
                again = f"[=] {{ {call} return cladpy::last_error(); }}"
                return [*large, f'{_PROGRAM}.run("{named}", {{{writes}}}, {at[3]}, {again});']
            return [f"{_PROGRAM}.save({{{writes}}}, {at[3]});", *large, call, f'{_PROGRAM}.launched("{named}");']
        call = f"cladpy::host::launch({', '.join(at)}, [&] {{ {kernel}({arguments}); }})"
        if act.again:
            return [f'{_PROGRAM}.run("{named}", {{{writes}}}, {at[3]}, [=] {{ return {call}; }});']
        return [f"{_PROGRAM}.save({{{writes}}}, {at[3]});", f'{_PROGRAM}.check({call}, "{named}");']

    def _custom(self, act: code.Act) -> list[str]:
        """A function of the user's: what it may overwrite is saved before."""
        assert act.callee is not None
        writes = ", ".join(self.argument(a) for a in act.saved)
        results = len(act.arguments) - len(act.callee.parameters)
        given = tuple(a for a in act.arguments[results:] if not isinstance(a, code.AddressOfVariable))
        call = self.user_call(code.UserCall(act.callee, given))
        name = f"{self.e.names.of(act.outputs[0])} = " if results else ""
        return [f"{_PROGRAM}.save({{{writes}}});", f"{name}{call};"]

    def _pullback(self, act: code.Act, given: list[str]) -> list[str]:
        """The adjoints of numbers come back through memory of the device."""
        assert act.launch is not None and act.callee is not None
        numbers = {
            i
            for i, a in enumerate(act.arguments)
            if isinstance(a, code.AddressOfVariable)
            or (isinstance(a, code.ObjectVariable) and a.variable in act.outputs)
        }
        passed = [
            f"{_PROGRAM}.number({g}{_count(act.arguments[i])})" if i in numbers else g for i, g in enumerate(given)
        ]
        passed += [f"{_PROGRAM}.numbers_from<{spell(element)}>({given[i]})" for i, element in act.counted]
        collect = [f"{_PROGRAM}.collect();"] if numbers else []
        together = ", ".join(self.argument(a) for a in act.saved)
        apart = [f'{_PROGRAM}.apart("{act.callee.qualified_name}", {act.written}, {{{together}}});'] if together else []
        renews = ["true"] if act.gathers else []
        launch = f'{_PROGRAM}.check({self._kernel_launch(act.name, act.launch, [*passed, *renews])}, "{act.name}");'
        if not act.kept:
            return [*apart, launch, *collect]
        if not act.from_kept:
            return [*apart, f"(void){_PROGRAM}.kept();", launch, *collect]
        primal = len(act.callee.parameters)
        instead = [*passed[:primal], *_kept_pointers(act), *passed[primal:]]
        return [
            *apart,
            f"if (const cladpy::kept_values _kept = {_PROGRAM}.kept()) {{",
            f'  {_PROGRAM}.check({self._kernel_launch(act.from_kept, act.launch, instead)}, "{act.from_kept}");',
            f"  {_PROGRAM}.drop(_kept);",
            "} else {",
            f"  {launch}",
            "}",
            *collect,
        ]

    def _renews(self, act: code.Act, given: list[str]) -> str:
        """What clears has no use for the adjoints of numbers."""
        assert act.launch is not None
        answer, condition, *rest = given
        key, passed = rest[: act.written], rest[act.written :]
        arguments = act.arguments[2 + act.written :]
        passed = [
            "nullptr" if isinstance(a, code.AddressOfVariable) else g for a, g in zip(arguments, passed, strict=True)
        ]
        adjoints = [self.argument(a) for a in act.saved]
        read, stored = adjoints[: len(adjoints) // 2], adjoints[len(adjoints) // 2 :]
        clear = f"[=] {{ return {self._kernel_launch(act.name, act.launch, passed)}; }}"
        lists = ", ".join(f"{{{', '.join(each)}}}" for each in (key, read, stored))
        conditions = [] if condition == "true" else [condition]
        if act.gathers:
            at = self._configuration(act.launch)[:2]
            conditions.append(f"{self.style.pullbacks}::{act.gathers}_gathers({', '.join(at)})")
        conditions += [f"!{_PROGRAM}.keeps()"] if act.kept else []
        possible = " && ".join(conditions) or "true"
        return f'{_PROGRAM}.renews({answer}, {possible}, "{act.name}", {lists}, {clear});'

    def _may_keep(self, act: code.Act, given: list[str]) -> str:
        assert act.launch is not None
        reads = ", ".join(self.argument(a) for a in act.saved)
        grid, block = self._size(act.launch.grid), self._size(act.launch.block)
        bytes = sum(size_of(type) * count for type, count in act.kept)
        call = self._kernel_launch(act.name, act.launch, [*given, *_kept_pointers(act)])
        keep = f"[=](const cladpy::kept_values &_kept) {{ return {call}; }}"
        return f'{_PROGRAM}.may_keep("{act.name}", {{{reads}}}, cladpy::threads_of({grid}, {block}), {bytes}, {keep});'

    def _kernel_launch(self, name: str, launch: core.Configuration, given: list[str]) -> str:
        return f"{self.style.pullbacks}::{name}_launch({', '.join([*self._configuration(launch), *given])})"


def _kept_pointers(act: code.Act) -> list[str]:
    """Where the numbers of each type begin: `_kept.at` is told the bytes per thread that come before."""
    found, before = [], 0
    for type, count in act.kept:
        found.append(f"_kept.at<{spell(type)}>({before})")
        before += size_of(type) * count
    return found


def _count(argument: code.Passed) -> str:
    """How many numbers an array has, as another argument."""
    type = argument.variable.type if isinstance(argument, code.ObjectVariable) else None
    return f", {type.length}" if isinstance(type, Array) else ""
