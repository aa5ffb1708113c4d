"""What `cladpy.gradient` returns: the derivative's text, and the calls that run it and its primal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError, TapeError, UsageError
from cladpy.given import text
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Scalar, ScalarKind, Struct, scalar_of, size_of
from cladpy.runtime.arguments import Argument, check, check_fresh, slots_of
from cladpy.runtime.backends import on_devices
from cladpy.runtime.blocks import Block
from cladpy.runtime.carried import carried
from cladpy.runtime.checked import CheckedExecutor
from cladpy.runtime.cotangents import cotangent_of, warn_of_zero_cotangents
from cladpy.runtime.direct import Direct
from cladpy.runtime.executor import Executor, HostExecutor, Result, Run
from cladpy.runtime.executor_device import DeviceExecutor
from cladpy.runtime.executor_kokkos import KokkosExecutor
from cladpy.runtime.forms import Forms
from cladpy.runtime.globals import Globals
from cladpy.runtime.halves import Halves
from cladpy.runtime.library import GRADIENT, ONE_THREAD, PRIMAL, ProgramReport
from cladpy.runtime.passing import block_for
from cladpy.runtime.repeats import Repeats
from cladpy.runtime.shape import LaunchShape, launch_shape
from cladpy.runtime.signature import ByName, Signature, in_order, signature_of, with_launch
from cladpy.runtime.structs import dtype_of
from cladpy.runtime.tape import Tape, begin_tape
from cladpy.targets import TARGETS
from cladpy.toolchain.entry import takes_cotangent

_PRIMAL_KERNEL, _PRIMAL = "primal.execute_kernel", "primal.execute"
USE_EXECUTE_KERNEL = "Use execute_kernel() for global CUDA kernels"
USE_EXECUTE = "Use execute() for non-global CUDA kernels"


class Primal:
    """The original function, called as the gradient is, without adjoints."""

    def __init__(self, derivative: Derivative, executor: Executor, globals: Globals) -> None:
        self._derivative = derivative
        self._executor = executor
        self._slots = slots_of(derivative, gradient=False)
        self._globals = globals
        self._by_name, self._repeats, self._calls = ByName(self._slots), Repeats(), Repeats()

    def execute_kernel(
        self,
        grid: object = None,
        block: object = None,
        /,
        *args: object,
        shared_mem: int = 0,
        stream: object = None,
        **named: object,
    ) -> None:
        """Launches the kernel. Raises as `Gradient.execute_kernel` does."""
        if named:
            grid, block, args = self._by_name.launch(_PRIMAL_KERNEL, grid, block, args, named)
        at = (grid, block, shared_mem)
        if self._repeats.again(at, stream, args):
            return
        _need_kernel(self._derivative)
        shape = launch_shape(grid, block, shared_mem)
        arguments = check(f"{_PRIMAL_KERNEL}: the kernel", self._slots, args)
        run = Run(PRIMAL, shape, stream, arguments)
        _ran(self._executor, run)
        self._repeats.remember(at, self._executor.repeated(run))

    def execute(self, /, *args: object, **named: object) -> Result:
        """Calls the function; its value (an object is a structured scalar), or None if it returns nothing. Raises as
        `Gradient.execute` does."""
        if named:
            _need_function(self._derivative)
            args = self._by_name.call(_PRIMAL, args, named)
        made = self._calls.again((), None, args)
        if made is not None:
            return made[0]
        _need_function(self._derivative)
        arguments = check(_PRIMAL, self._slots, args)
        result = self._derivative.result
        value = result if isinstance(result, Scalar | Struct) else None
        run = Run(PRIMAL, ONE_THREAD, None, arguments, result=value)
        found = _ran(self._executor, run)
        self._calls.remember((), self._executor.repeated(run))
        return found

    def value_of(self, name: str) -> NDArray[Any]:
        """A copy of a variable at namespace scope that was named among the arguments. Raises LaunchError for others."""
        return self._globals.read(name, adjoint=False)

    def set_value(self, name: str, value: object) -> None:
        """Sets such a variable, for the primal and its gradient: an array of its shape, or a number for all elements.

        Raises LaunchError for a name or a shape that does not fit, or a const variable; ArgumentTypeError for values
        of another kind.
        """
        self._globals.write(name, value, adjoint=False)


class Gradient:
    """The gradient of one function, compiled when it is first run."""

    def __init__(self, derivative: Derivative, backend: str) -> None:
        """`backend` is "cuda", "hip" or "host", for which the derivative was emitted. Raises BackendError for another,
        and where the backend cannot be used."""
        if backend not in TARGETS:
            raise BackendError(f"gradients cannot be run on backend {backend!r}")
        make: Callable[[Derivative], Executor] = CheckedExecutor if derivative.options.checked else HostExecutor
        if TARGETS[backend].is_portable:
            make = KokkosExecutor
        if TARGETS[backend].runs_on_device:
            make = partial(DeviceExecutor, api=on_devices()[backend].api())
        self._derivative = derivative
        self._backend = backend
        self._executor = executor = make(derivative)
        self._halves = Halves(derivative, make)
        self._slots = slots_of(derivative, gradient=True)
        self._globals = Globals(derivative, executor)
        self._primal = Primal(derivative, executor, self._globals)
        self._by_name, self._repeats, self._calls = ByName(self._slots), Repeats(), Repeats()
        self._of_primal, self._forms = ByName(slots_of(derivative, gradient=False)), Forms(derivative)
        self._takes_cotangent = takes_cotangent(derivative.result)
        self._looked = False

    @property
    def code(self) -> str:
        """The derivative as source text: what is compiled and run."""
        return self._derivative.code

    @property
    def header(self) -> str:
        """Declarations of what the code defines, if that is asked for."""
        return self._derivative.header

    @property
    def backend(self) -> str:
        """Where it runs: "cuda", "hip" or "host"."""
        return self._backend

    @property
    def derivative(self) -> Derivative:
        """What differentiation gave."""
        return self._derivative

    @property
    def primal(self) -> Primal:
        """The original function."""
        return self._primal

    @property
    def report(self) -> ProgramReport | None:
        """What the gradient of a host program kept of what its steps overwrote, when it was run last; None for other
        functions, and before it was run."""
        return self._executor.report()

    def adjoint_of(self, name: str) -> NDArray[Any]:
        """A copy of the adjoint of a variable at namespace scope that was named among the arguments.

        It is zero at first, and the gradient adds to it with each call. Raises LaunchError for another name.
        """
        return self._globals.read(name, adjoint=True)

    def set_adjoint(self, name: str, value: object) -> None:
        """Sets such an adjoint: the cotangent of an output, or zero before the next call.

        `value` is an array of the variable's shape, or a number for all elements. Raises LaunchError and
        ArgumentTypeError as `Primal.set_value` does.
        """
        self._globals.write(name, value, adjoint=True)

    @property
    def signature(self) -> Signature:
        """What `execute_kernel` or `execute` takes, in order, with types; `str()` has a line for each."""
        return signature_of(self._derivative, self._slots)

    def __repr__(self) -> str:
        names = ", ".join(f"{p.name}" for p in self.signature.parameters if p.adjoint_of is None)
        return f"<gradient of {self._derivative.function_name}({names}) on {self._backend}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: source and gradient side by side, as `cladpy explain --html` has them."""
        from cladpy.explain.html import as_html
        from cladpy.pipeline import annotate

        derivative = self._derivative
        asked = derivative.source, *derivative.requested, derivative.options, derivative.target
        return as_html(annotate(*asked), whole=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied as source, options and code; it is compiled where it arrives. Variables at namespace scope
        begin there as in the program."""
        return carried(Gradient, self._derivative, self._backend)

    def __call__(
        self,
        /,
        *args: object,
        cotangents: Mapping[str, object] | None = None,
        shared_mem: int = 0,
        stream: object = None,
        **named: object,
    ) -> dict[str, Any]:
        """The functional form: the adjoints of the arguments that are differentiated by, by their names.

        Takes what the primal takes (for kernels `grid` and `block` first), by place or by name. `cotangents` has those
        of outputs, as arrays of their shapes or as a number for all elements, and of a function's value as "return".
        What is not named has cotangent zero; where nothing is named, a function's value has one. Adjoints are made for
        the call: arrays like the arguments, numbers for numbers, dicts for objects with pointers.

        Raises as `execute_kernel` does, and LaunchError where every adjoint would be zero for want of a cotangent.
        """
        derivative = self._derivative
        if cotangents is not None and not isinstance(cotangents, Mapping):
            raise ArgumentTypeError(f"cotangents: expected a dict, got an object of type {type(cotangents).__name__}")
        call = f"the gradient of {derivative.function_name}"
        at: tuple[object, ...] = ()
        if derivative.kind is FunctionKind.KERNEL:
            grid, block, values = self._of_primal.launch(call, *_first_two(args), args[2:], named)
            run: Callable[..., None] = partial(self.execute_kernel, grid, block, shared_mem=shared_mem, stream=stream)
            repeats, at = self._repeats, (grid, block, shared_mem)
        elif shared_mem or stream is not None:
            raise LaunchError(f"{call}: it is not __global__: it has no launch")
        else:
            values = self._of_primal.call(call, args, named)
            run, repeats = self.execute, self._calls
        return self._forms.adjoints(call, values, cotangents or {}, run, partial(repeats.again, at, stream), repeats)

    def execute_kernel(
        self,
        grid: object = None,
        block: object = None,
        /,
        *args: object,
        shared_mem: int = 0,
        stream: object = None,
        **named: object,
    ) -> None:
        """Launches the gradient of a kernel: the primal's arguments, then the adjoints, which it adds to. By place, or
        by name, as `signature` shows them.

        `grid` and `block` are those of the primal, an int or a tuple of one to three. With device arrays the call only
        enqueues on `stream` (a handle, or a stream of PyCUDA, CuPy or PyTorch); with NumPy arrays the results are there
        when it returns.

        Raises LaunchError or ArgumentTypeError, before anything is launched, where the call does not fit;
        ToolchainError where the code cannot be compiled; BackendError for errors of the device.
        """
        if named:
            grid, block, args = self._by_name.launch("execute_kernel", grid, block, args, named)
        self._launch_kernel(grid, block, args, shared_mem, stream)

    def _launch_kernel(
        self, grid: object, block: object, args: tuple[object, ...], shared_mem: int, stream: object
    ) -> None:
        at = (grid, block, shared_mem)
        if self._repeats.again(at, stream, args):
            return
        _need_kernel(self._derivative)
        shape = launch_shape(grid, block, shared_mem)
        self._check_shape(shape)
        options = self._derivative.options
        arguments = check("execute_kernel: the gradient", self._slots, args, options)
        check_fresh(arguments, options.fresh)
        self._globals.check_adjoints()
        self._look_at_cotangents(arguments)
        self._check_shared(shape.shared_mem, arguments)
        run = Run(GRADIENT, shape, stream, arguments, self._lengths(arguments))
        _ran(self._executor, run)
        if not self._derivative.globals:  # of which others may ask between two calls
            self._repeats.remember(at, self._executor.repeated(run))

    def bind(
        self,
        grid: object = None,
        block: object = None,
        /,
        *args: object,
        shared_mem: int = 0,
        stream: object = None,
        **named: object,
    ) -> Callable[[], None]:
        """What makes the call of `execute_kernel` with these arguments, each time that it is called: for loops that
        change what arrays hold. It keeps the arrays alive.

        Raises as `execute_kernel` does where the call does not fit, before anything is launched.
        """
        if named:
            grid, block, args = self._by_name.launch("bind", grid, block, args, named)
        _need_kernel(self._derivative)
        self._check_shape(launch_shape(grid, block, shared_mem))
        check("bind: the gradient", self._slots, args, self._derivative.options)
        return partial(self._launch_kernel, grid, block, args, shared_mem, stream)

    def forward(
        self,
        /,
        *args: object,
        shared_mem: int = 0,
        stream: object = None,
        reusable: bool = False,
        **named: object,
    ) -> tuple[Result, Tape]:
        """The forward half: runs the original, and keeps what `reverse` needs.

        Takes what `primal.execute_kernel` takes (for kernels `grid` and `block` first), or `primal.execute`. Gives the
        function's value, None if it returns nothing, and a tape for one call of `reverse`. Memory that the original
        overwrites, and that the gradient needs as it was, is copied; what it only reads must hold the same until then.
        A `reusable` tape is for any number of calls, until it is closed or forgotten; a host function makes its forward
        sweep in each of them.

        Raises as these do; LaunchError too where a launch has no gradient, and for memory that cannot be kept.
        """
        derivative, options = self._derivative, self._derivative.options
        slots = self._of_primal.slots
        result = None
        if derivative.kind is FunctionKind.KERNEL:
            grid, block = with_launch("forward", *_first_two(args), slots, named)
            if grid is None or block is None:
                raise LaunchError("forward: a kernel needs grid and block before its arguments")
            args_left: Sequence[object] = args[2:]
            shape = launch_shape(grid, block, shared_mem)
            self._check_shape(shape)
        else:
            if shared_mem or stream is not None:
                raise LaunchError(f"forward: {derivative.function_name} is not __global__: it has no launch")
            shape, args_left = ONE_THREAD, args
            result = derivative.result if isinstance(derivative.result, Scalar | Struct) else None
        if named:
            args_left = in_order("forward", slots, args_left, named)
        arguments = check("forward: the function", slots, args_left, options, split=True)
        if derivative.kind is FunctionKind.KERNEL:
            self._check_shared(shape.shared_mem, arguments)
        if not reusable and self._halves.fit(arguments):
            cell = np.zeros(1, np.uint64)
            tape = Tape(self, arguments, shape, None, (), self._halves.executor, cell=cell)
            with tape.closed_if_it_fails():
                return self._halves.forward(arguments, cell, result), tape
        tape = begin_tape(
            self, derivative, self._executor, self._globals, arguments, shape, stream, reusable=bool(reusable)
        )
        with tape.closed_if_it_fails():
            return _ran(self._executor, Run(PRIMAL, shape, stream, arguments, result=result)), tape

    def reverse(
        self, tape: Tape, /, *adjoints: object, cotangent: object = 1.0, stream: object = None, **named: object
    ) -> None:
        """The reverse half: adds to the adjoints of what `forward` was given, and uses the tape up, unless that is
        reusable.

        The arguments keep what they hold. `cotangent` is as for `execute`; `stream` is that of the forward half where
        it is None, and another one goes on after that. Raises TapeError for a tape that cannot be used, and as
        `execute_kernel` does; where nothing has been launched, the tape can still be used.
        """
        if not isinstance(tape, Tape):
            raise TapeError(f"reverse: expected a tape, got an object of type {type(tape).__name__}")
        tape.check(self)
        options = self._derivative.options
        given = tape.arguments
        if named:
            adjoints = tuple(in_order("reverse", self._slots[len(given) :], adjoints, named))
        arguments = check("reverse: the gradient", self._slots, adjoints, options, given=given, split=True)
        check_fresh(arguments, options.fresh)
        self._globals.check_adjoints()
        if self._derivative.kind is not FunctionKind.KERNEL:
            extra = [seed.block for seed in cotangent_of(self._derivative, cotangent)]
        else:
            if cotangent != 1.0:
                raise LaunchError(f"cotangent: {self._derivative.function_name} is a kernel, which returns nothing")
            extra = self._lengths(arguments)
        at = tape.stream if stream is None else stream
        try:
            if tape.cell is not None:
                self._halves.reverse(arguments, extra, tape.cell)
            else:
                self._executor.follow(arguments, at, tape.stream)
                with self._globals.holding(tape.variables):
                    self._executor.run(Run(GRADIENT, tape.shape, at, arguments, extra))
        except LaunchError:
            raise
        except BaseException:
            tape.close(at)
            raise
        for argument in arguments[len(given) :]:
            argument.block.bring_back()
        if tape.reusable:
            tape.stream = at  # what comes next runs after this
        else:
            tape.close(at)

    def _look_at_cotangents(self, arguments: Sequence[Argument]) -> None:
        """Warns, in the first call, where all cotangents are zero: adjoints may be in another order than was meant."""
        if not self._looked:
            self._looked = True
            warn_of_zero_cotangents(self._derivative, arguments)

    def _check_shape(self, shape: LaunchShape) -> None:
        larger = [name for name in self._derivative.single if shape.extent(name) != 1]
        if larger:
            listed = ", ".join(larger)
            raise LaunchError(
                f"grid {shape.grid} and block {shape.block}: {listed} must be 1, since the kernel "
                f"{self._derivative.function_name} asks for no index along "
                f"{'that dimension' if len(larger) == 1 else 'these dimensions'}, and its gradient is right for such "
                "launches only\nhint: launch so, or differentiate with accumulate='atomic'"
            )

    def _lengths(self, arguments: Sequence[Argument]) -> list[Block]:
        """How many numbers the adjoints have of which the launch function is told that."""
        return [
            block_for(f"the length of {a.slot.name}", Scalar(ScalarKind.ULONGLONG), _numbers_in(a), adjoint=False)
            for a in arguments
            if a.slot.name in self._derivative.lengths and a.slot.adjoint_of is not None
        ]

    def _check_shared(self, launch: int, arguments: Sequence[Argument]) -> None:
        """Raises LaunchError where a block needs more shared memory than there is."""
        needed, limit = self._derivative.shared.total(launch), self._executor.shared_limit(arguments)
        if needed > limit:
            raise LaunchError(
                f"a block of the gradient of {self._derivative.function_name} needs {needed} bytes of shared memory, "
                f"adjoints included; there are {limit}\nhint: make the tiles smaller, in the kernel or by shared_mem"
            )

    def dtype_of(self, argument: str) -> np.dtype[Any]:
        """The NumPy type of a parameter's value, or of what its pointer leads to: for a class a structured type.

        Raises UsageError where there is no such parameter.
        """
        argument = text("argument", argument, "the name of an argument")
        for parameter in self._derivative.parameters:
            if parameter.name == argument:
                return dtype_of(scalar_of(parameter.type))
        known = ", ".join(p.name for p in self._derivative.parameters)
        raise UsageError(f"there is no argument '{argument}'; there are {known}")

    def execute(self, /, *args: object, cotangent: object = 1.0, **named: object) -> None:
        """Calls the gradient of a function that is no kernel: the primal's arguments, then the adjoints. By place, or
        by name, as `signature` shows them.

        `cotangent` is the adjoint of what the function returns, in the form of an argument of that type. Raises
        LaunchError, ArgumentTypeError, ToolchainError and BackendError as `execute_kernel` does.
        """
        if named:
            _need_function(self._derivative)
            args = self._by_name.call("execute", args, named)
        seeded = (*args, cotangent) if self._takes_cotangent else args
        fits = self._takes_cotangent or (type(cotangent) is float and cotangent == 1.0)
        if fits and self._calls.again((), None, seeded):
            return
        _need_function(self._derivative)
        options = self._derivative.options
        arguments = check("execute: the gradient", self._slots, args, options)
        check_fresh(arguments, options.fresh)
        self._globals.check_adjoints()
        if not self._takes_cotangent:
            self._look_at_cotangents(arguments)
        seed = cotangent_of(self._derivative, cotangent)
        run = Run(GRADIENT, ONE_THREAD, None, arguments, [s.block for s in seed])
        _ran(self._executor, run)
        if not self._derivative.globals:
            self._calls.remember((), self._executor.repeated(replace(run, arguments=[*arguments, *seed], extra=())))

    def directly(self, entry: str, device: int) -> Direct:
        """What calls the gradient of a host function, or the function, with addresses and numbers that the caller has
        looked at. `entry` is GRADIENT or PRIMAL of `cladpy.runtime.library`."""
        return self._executor.directly(entry, device)


def _ran(executor: Executor, run: Run) -> Result:
    found = executor.run(run)
    for block in run.blocks:  # what it has changed in memory of ours is the caller's again
        block.bring_back()
    return found


def _first_two(args: Sequence[object]) -> tuple[object, object]:
    """Grid and block, as far as they are given by their place."""
    return args[0] if args else None, args[1] if len(args) > 1 else None


def _numbers_in(adjoint: Argument) -> int:
    """How many numbers an adjoint array has."""
    element = scalar_of(adjoint.slot.type)
    size = size_of(element.fields[0].type if isinstance(element, Struct) else element)
    return sum(array.nbytes for _, array in adjoint.block.arrays()) // size


def _need_kernel(derivative: Derivative) -> None:
    if derivative.kind is not FunctionKind.KERNEL:
        raise LaunchError(f"{USE_EXECUTE}: {derivative.function_name} is not __global__")


def _need_function(derivative: Derivative) -> None:
    if derivative.kind is FunctionKind.KERNEL:
        raise LaunchError(f"{USE_EXECUTE_KERNEL}: {derivative.function_name} is __global__")
