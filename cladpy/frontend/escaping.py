"""What functions throw to those that call them.

A call from where something may be caught goes to a function of its own, which takes two kinds of references beside
its arguments: to the number of what has been thrown, 0 for nothing, and to the value of it, one for each type of
numbers. It returns where the original throws, and the caller goes on with what has been thrown (`exceptions.py`). So
the call has to be a statement of its own (`hoisting.py`). Recursive functions, and those that return references or
objects whose end does something, are called as they are: what they throw ends the gradient.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.frontend.dispatch import is_resolved, object_of
from cladpy.frontend.indirect import known_function
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.library import is_read
from cladpy.frontend.refused import Refused
from cladpy.ir.types import Scalar

if TYPE_CHECKING:
    from cladpy.frontend.functions import Functions

Key = tuple[int, int]

_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION)
_POINTERS = (TypeKind.POINTER, TypeKind.NULLPTR, TypeKind.CONSTANT_ARRAY)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A place that throws; `scalar` is the type of a number that is thrown."""

    number: int
    cursor: Cursor
    type: ClangType
    scalar: Scalar | None


@dataclass(frozen=True, slots=True)
class _Part:
    """A site or a call in a body, with the handlers of the blocks around it, the innermost first."""

    site: Site | None
    callee: Cursor | None
    around: tuple[tuple[Cursor, ...], ...]


class Escaping:
    """The sites of a program, and which of them leave its functions."""

    def __init__(self, program: Functions) -> None:
        self._program = program
        self._sites: dict[int, Site] = {}
        self._parts: dict[Key, tuple[_Part, ...]] = {}
        self._escaping: dict[Key, tuple[Site, ...]] = {}

    def site(self, cursor: Cursor) -> Site | None:
        """That of an expression that throws; None for one that throws what is being handled."""
        operands = [c for c in cursor.children() if is_expression(c.kind)]
        if not operands:
            return None
        known = self._sites.get(cursor.node)
        if known is None:
            type = bare(operands[0].type)
            try:
                converted = self._program.types.convert(type, self._program.files.span(cursor))
            except Refused:
                converted = None
            scalar = converted if isinstance(converted, Scalar) else None
            known = self._sites[cursor.node] = Site(len(self._sites) + 1, cursor, type, scalar)
        return known

    def leaving(self, callee: Cursor) -> tuple[Site, ...]:
        """What a function throws to those that call it; none where that cannot be followed."""
        key = callee.canonical.key
        if key not in self._escaping:
            reached = self._reached(callee)
            found: dict[Key, dict[int, Site]] = {k: {} for k in reached}
            is_done = False
            while not is_done:
                is_done = True
                for k, parts in reached.items():
                    sites = {s.number: s for p in parts for s in self._out_of(p, found)}
                    is_done = is_done and len(sites) == len(found[k])
                    found[k] = sites
            recursive = self._is_recursive(key, reached)
            sites = found[key]
            self._escaping[key] = () if recursive else tuple(sites[n] for n in sorted(sites))
        return self._escaping[key]

    def happens_in(self, body: Cursor) -> bool:
        """Whether a block throws, or calls what does."""
        return any(p.site is not None or (p.callee is not None and self.leaving(p.callee)) for p in self._inside(body))

    # ---- what a body has in it --------------------------------------------------------------------------------------

    def _reached(self, callee: Cursor) -> dict[Key, tuple[_Part, ...]]:
        reached: dict[Key, tuple[_Part, ...]] = {}
        waiting = [callee]
        while waiting:
            here = waiting.pop()
            key = here.canonical.key
            if key in reached:
                continue
            if key not in self._parts:
                definition = here.definition
                self._parts[key] = () if definition is None else tuple(self._inside(definition))
            reached[key] = self._parts[key]
            waiting += [p.callee for p in self._parts[key] if p.callee is not None]
        return reached

    def _is_recursive(self, key: Key, reached: dict[Key, tuple[_Part, ...]]) -> bool:
        seen: set[Key] = set()
        waiting = [p.callee for p in reached[key]]
        while waiting:
            here = waiting.pop()
            if here is None:
                continue
            callee = here.canonical.key
            if callee == key:
                return True
            if callee not in seen:
                seen.add(callee)
                waiting += [p.callee for p in reached[callee]]
        return False

    def _out_of(self, part: _Part, found: dict[Key, dict[int, Site]]) -> Iterator[Site]:
        sites = [part.site] if part.site is not None else []
        if part.callee is not None:
            sites += found[part.callee.canonical.key].values()
        for site in sites:
            if not any(self._is_taken(site, catches) for catches in part.around):
                yield site

    @staticmethod
    def _is_taken(site: Site, catches: tuple[Cursor, ...]) -> bool:
        """Whether one of these handlers takes what is thrown, and does not throw it again."""
        for catch in catches:
            takes = taken(caught(catch), site.type)
            if takes is not False:
                return takes is True and not throws_again(catch)
        return False

    def _inside(self, body: Cursor) -> Iterator[_Part]:
        waiting: list[tuple[Cursor, tuple[tuple[Cursor, ...], ...]]] = [(body, ())]
        while waiting:
            here, around = waiting.pop()
            if here.kind == CursorKind.TRY_STMT:
                tried, *catches = here.children()
                waiting += [(c, around) for c in catches]
                waiting.append((tried, (tuple(catches), *around)))
                continue
            if here.kind == CursorKind.THROW_EXPR:
                site = self.site(here)
                if site is not None:
                    yield _Part(site, None, around)
            elif here.kind == CursorKind.CALL_EXPR:
                callee = _called(here)
                if callee is not None:
                    yield _Part(None, callee, around)
            if here.kind != CursorKind.LAMBDA_EXPR:
                waiting += [(c, around) for c in reversed(here.children())]


def _called(call: Cursor) -> Cursor | None:
    """The function with a body of the user's that is called, or one of a library's that is read."""
    callee = call.referenced
    children = call.children()
    if (callee.is_null or callee.kind not in _FUNCTIONS) and children:
        callee = known_function(children[0]) or callee
    if callee.is_null or callee.kind not in _FUNCTIONS or callee.definition is None:
        return None
    if callee.in_system_header and not (callee.kind == CursorKind.FUNCTION_DECL and is_read(callee)):
        return None
    if callee.is_virtual:
        inner = [c for c in children if c.kind == CursorKind.MEMBER_REF_EXPR]
        if not inner or not is_resolved(call, callee, object_of(inner[0])):
            return None
    return callee


# ---- what handlers take ---------------------------------------------------------------------------------------------


def caught(catch: Cursor) -> ClangType | None:
    """The type that a handler names, without reference and const; None for `catch (...)`."""
    declaration = next((c for c in catch.children() if c.kind == CursorKind.VAR_DECL), None)
    return None if declaration is None else bare(declaration.type)


def taken(type: ClangType | None, thrown: ClangType) -> bool | None:
    """Whether a handler of a type takes what is thrown; None where it is not known."""
    if type is None or _name(type) == _name(thrown):
        return True
    if TypeKind.POINTER in (type.kind, thrown.kind):
        return (
            None if type.kind in _POINTERS and thrown.kind in _POINTERS else False
        )  # one to another type is converted
    return any(_name(b.type.canonical) == _name(type) for b in _bases(thrown))


def bare(type: ClangType) -> ClangType:
    """A type without reference and const; what is thrown is a copy."""
    canonical = type.canonical
    if canonical.kind in (TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE):
        canonical = canonical.pointee.canonical
    return canonical


def _name(type: ClangType) -> str:
    """Of a canonical type, whether it is const or not; of an array, that of the pointer that is thrown."""
    if type.kind == TypeKind.CONSTANT_ARRAY:
        return f"{type.element.spelling} *"
    return type.spelling if type.kind == TypeKind.POINTER else type.spelling.removeprefix("const ")


def _bases(type: ClangType) -> Iterator[Cursor]:
    """The public base classes, and theirs: what is caught by them."""
    for base in type.bases:
        if base.is_public:
            yield base
            yield from _bases(base.type.canonical)


def throws_again(handler: Cursor) -> bool:
    """Whether there is a `throw;` in a handler."""
    waiting = [handler]
    while waiting:
        here = waiting.pop()
        if here.kind == CursorKind.THROW_EXPR and not any(is_expression(c.kind) for c in here.children()):
            return True
        if here.kind != CursorKind.LAMBDA_EXPR:
            waiting += here.children()
    return False
