"""How many registers a kernel may want, as far as its text tells: whether it is compiled for several sizes of blocks.

A block of 1,024 threads leaves 64 registers to each of them. Counted is what is live at once in the order in which it
is written. Compilers move loads up and unroll loops, so that this is a guess, and a kernel counts as one that wants
many long before: of the kernels of the tests, none of the others takes more than 64 where it may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, defined, expressions, touched_roots, variables_read
from cladpy.ir.types import DOUBLE, Scalar, size_of
from cladpy.ir.walk import subexpressions

# Registers that are counted: where there are 64, and above all that a thread can have, whatever the block.
FEW, ALL = 24, 512
_UNKNOWN = 64  # what another function takes
_UNROLLED = 4  # iterations of a loop

_Key = core.Value | tuple[core.Root, bool]


def sizes_of_blocks(function: code.Function, called: Mapping[str, int]) -> tuple[int, ...]:
    """The largest sizes of blocks for which a kernel is compiled; none where one will do. `called` says what pullbacks
    take."""
    wanted = _Pressure(called).of(function.body)
    if wanted <= FEW:
        return ()
    # how many may be used is the same for up to 256 threads; that there are few decides how they are
    return (256, 1024) if wanted > ALL else (128, 256, 512, 1024)


def registers_of(functions: Iterable[code.Function]) -> dict[str, int]:
    """Those of pullbacks, by name. Each may call the ones before it; recursive ones are called by what comes first."""
    found: dict[str, int] = {}
    for function in functions:
        found[function.name] = _Pressure(found).of(function.body)
    return found


class _Live:
    """What is live, and the words that it takes."""

    def __init__(self, keys: Iterable[_Key] = ()) -> None:
        self.keys: set[_Key] = set()
        self.words = 0
        self.add(keys)

    def add(self, keys: Iterable[_Key]) -> _Live:
        new = {key for key in keys if key not in self.keys}
        self.keys |= new
        self.words += sum(map(_words, new))
        return self

    def drop(self, keys: Iterable[_Key]) -> _Live:
        gone = self.keys.intersection(keys)
        self.keys -= gone
        self.words -= sum(map(_words, gone))
        return self

    def copy(self) -> _Live:
        made = _Live()
        made.keys, made.words = set(self.keys), self.words
        return made


class _Pressure:
    """Liveness, backwards: the most words that are live at once."""

    def __init__(self, called: Mapping[str, int]) -> None:
        self.called = called
        self.most = 0
        self.fetched = 0  # what compilers load for further iterations

    def of(self, block: code.Block) -> int:
        self._block(block, _Live())
        return self.most

    def _block(self, block: code.Block, live: _Live) -> _Live:
        """What is live before it; `live` behind it is used up."""
        for s in reversed(block):
            live = self._before(s, live)
        return live

    def _before(self, s: code.Statement, live: _Live) -> _Live:
        match s:
            case code.Branch(_, then, other):
                live = self._block(then, live.copy()).add(self._block(other, live).keys)
            case code.While(before, _, body):
                self.fetched += (fetched := _fetched((*before, *body)))
                for _ in range(2):  # what an iteration uses of the one before
                    inner = self._block(body, live.copy())
                    live = self._block(before, live.add(variables_read(s)).add(inner.keys))
                self.fetched -= fetched
            case code.CountDown(variable=variable, body=body):
                self.fetched += (fetched := _fetched(body))
                self._repeated(body, variable, live)
                self.fetched -= fetched
            case code.Rewind(clock=clock, body=body):
                self._repeated(body, clock, live)
            case _:
                pass
        used = set(_used(s))
        live.add(used)
        self.most = max(self.most, live.words + self._inside(s) + self.fetched)
        return live.drop(set(_defined(s)) - used)

    def _repeated(self, body: code.Block, counter: core.Value, live: _Live) -> None:
        for _ in range(2):
            live.add(self._block(body, live.copy().add((counter,))).keys)
        live.drop((counter,))

    def _inside(self, s: code.Statement) -> int:
        """What a statement takes for itself."""
        calls = 0
        if isinstance(s, code.CallPullback):
            calls = self.called.get(s.name, _UNKNOWN)
        elif isinstance(s, code.Invoke | code.Perform) or isinstance(_loaded(s), code.UserCall):
            calls = _UNKNOWN
        functions = [e for expr in expressions(s) for e in subexpressions(expr) if isinstance(e, core.Math)]
        return calls + max((20 if e.type == DOUBLE else 10 for e in functions), default=0)


def _defined(s: code.Statement) -> Iterator[_Key]:
    yield from defined(s)
    if isinstance(s, code.Assign):
        yield s.variable
    if isinstance(s, code.DeclareArray):
        yield (s.root, s.adjoint)


def _fetched(body: code.Block) -> int:
    """What compilers load at once for the iterations of a loop that they unroll, where it holds no other loop."""
    inner = list(all_statements(body))
    if any(isinstance(s, code.While | code.CountDown | code.Rewind) for s in inner):
        return 0
    loaded = (s.variable for s in inner if isinstance(s, code.Take | code.Define) and _loaded(s) is not None)
    return (_UNROLLED - 1) * sum(map(_words, loaded))


def _loaded(s: code.Statement) -> code.LOADED | code.Take | None:
    """What a variable is set to that is no expression."""
    if isinstance(s, code.Take):
        return s
    return s.init if isinstance(s, code.Define) and isinstance(s.init, code.LOADED) else None


def _used(s: code.Statement) -> Iterator[_Key]:
    yield from variables_read(s)
    if isinstance(s, code.Add):
        yield s.variable
    yield from ((r, adjoint) for r, adjoint in touched_roots(s) if r.kind is core.RootKind.LOCAL)


def _words(key: _Key) -> int:
    if isinstance(key, core.Value):
        return 2 if isinstance(key.type, Scalar) and size_of(key.type) == 8 else 1
    root, _ = key
    return max(1, (root.length or _UNKNOWN) * size_of(root.element) // 4)
