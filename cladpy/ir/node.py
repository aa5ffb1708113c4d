"""What the classes of a grammar say of their fields, so that a walk need not name the classes.

A field's type says what it is: an expression, or something that holds some, is an operand; statements are a block.
Where a type leaves it open, the declaration says it with a `Role`. What follows is found out once for each class, when
it is first asked for; a class that leaves a role out is an error then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Flag, auto
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

Change = Callable[[Any], Any]
_Collect = Callable[[Any, list[Any]], None]
_Own = tuple[Callable[[Any], Any], _Collect]  # gets something of a node, and collects from that
_Rebuild = Callable[[Any, Change, Change], Any]


class Role(Flag):
    """What a variable, or memory, in a field is to the statement."""

    DEFINED = auto()  # it begins here, and is there for what follows
    INNER = auto()  # the same, in a block of the statement's
    CHANGED = auto()
    USED = auto()
    TOUCHED = auto()  # memory that is read or written: the adjoint's where `adjoint` of the same object says so
    NAMED = auto()  # nothing is done with it here


def classes(hint: Any) -> frozenset[type]:
    """The classes of a union."""
    return frozenset(_options(hint))


def _options(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _with_role(hint: Any, role: Role | None) -> tuple[Any, Role | None]:
    """A type, and the role that its declaration gives it, or else the one that it has from around it."""
    if get_origin(hint) is not Annotated:
        return hint, role
    bare, *marks = get_args(hint)
    return bare, next((m for m in marks if isinstance(m, Role)), role)


@cache
def _declared(cls: type) -> list[tuple[str, Any]]:
    """The fields of a class with their types, in order."""
    hints = get_type_hints(cls, include_extras=True)
    return [(f.name, hints[f.name]) for f in fields(cls)]


def _elements(hint: Any) -> Any:
    """The type of the elements of a tuple of any length, else None."""
    given = get_args(hint) if get_origin(hint) is tuple else ()
    return given[0] if len(given) == 2 and given[1] is Ellipsis else None


class Parts(dict[type, Callable[[Any], tuple[Any, ...]]]):
    """By class, what finds in a node's fields what is `wanted`, in order: objects of these classes, or with `blocks`
    tuples of them. With a `role` only what has that. Nodes that are wanted, or of the classes `beyond`, are not looked
    into; what else of the same modules a node is made of is."""

    def __init__(
        self, wanted: Iterable[type], beyond: Iterable[type] = (), role: Role | None = None, *, blocks: bool = False
    ) -> None:
        super().__init__()
        self._wanted = frozenset(wanted)
        self._beyond = frozenset(beyond)
        self._modules = {cls.__module__ for cls in self._wanted | self._beyond}
        self._role = role
        self._blocks = blocks
        self._open: set[type] = set()

    def __missing__(self, cls: type) -> Callable[[Any], tuple[Any, ...]]:
        found = self[cls] = _finding(self._fields(cls, None))
        return found

    def inside(self, thing: object) -> tuple[Any, ...]:
        """The thing itself, if it is wanted, else what is wanted in its fields, if it is a node."""
        return (thing,) if type(thing) in self._wanted else self[type(thing)](thing)

    def _fields(self, cls: type, role: Role | None) -> list[_Own]:
        if cls in self._open or cls.__module__ not in self._modules or not is_dataclass(cls):
            return []
        self._open.add(cls)
        try:
            made = (self._field(name, *_with_role(hint, role)) for name, hint in _declared(cls))
            return [own for own in made if own is not None]
        except _NoRole as error:
            raise TypeError(f"{cls.__module__}.{cls.__name__} does not say the role of {error}") from None
        finally:
            self._open.remove(cls)

    def _field(self, name: str, hint: Any, role: Role | None) -> _Own | None:
        collect = self._collect(hint, role)
        return None if collect is None else (attrgetter(name), collect)

    def _collect(self, hint: Any, role: Role | None) -> _Collect | None:
        """What collects from something of a type; None where there is nothing to collect."""
        hint, role = _with_role(hint, role)
        if role is Role.NAMED:
            return None
        element = _elements(hint)
        if element is not None:
            whole = self._blocks and classes(element) <= self._wanted
            return _add if whole else _repeated(self._collect(element, role))
        if get_origin(hint) is tuple:
            return _by_position([self._collect(h, role) for h in get_args(hint)])
        if len(_options(hint)) > 1:
            return self._chosen(_options(hint), role)
        if hint in self._wanted:
            return _add if self._is_asked(hint, role) else None
        if hint in self._beyond or not isinstance(hint, type):
            return None
        own = self._fields(hint, role)
        return _each(own) if own else None

    def _is_asked(self, cls: type, role: Role | None) -> bool:
        if self._role is None:
            return not self._blocks
        if role is None:
            raise _NoRole(f"a {cls.__name__}")
        return bool(role & self._role)

    def _chosen(self, options: tuple[Any, ...], role: Role | None) -> _Collect | None:
        table: dict[Any, _Collect] = {}
        for option in options:
            collect = self._collect(option, role)
            if collect is not None:
                bare, _ = _with_role(option, role)
                table[get_origin(bare) or bare] = collect
        if not table:
            return None
        if all(collect is _add for collect in table.values()) and len(options) - len(table) == (type(None) in options):
            return _add_some if type(None) in options else _add

        def choose(thing: Any, found: list[Any]) -> None:
            collect = table.get(type(thing))
            if collect is not None:
                collect(thing, found)

        return choose


class Touched(Parts):
    """By class, the memory that a node reads or writes, and whether it is the adjoint's."""

    def __init__(self, root: type, beyond: Iterable[type]) -> None:
        super().__init__((root,), beyond, Role.TOUCHED)

    def _field(self, name: str, hint: Any, role: Role | None) -> _Own | None:
        own = super()._field(name, hint, role)
        if own is None or own[1] not in (_add, _add_some):
            return own
        get, _ = own

        def collect(node: Any, found: list[Any]) -> None:
            root = get(node)
            if root is not None:
                found.append((root, node.adjoint))

        return _same, collect


class _NoRole(Exception):
    pass


def _finding(own: list[_Own]) -> Callable[[Any], tuple[Any, ...]]:
    if not own:
        return lambda node: ()
    if len(own) == 1:
        get, only = own[0]
        if only is _add:
            return lambda node: (get(node),)
        if only is _extend:
            return get
    elif all(collect is _add for _, collect in own):
        gets = [get for get, _ in own]
        return lambda node: tuple([get(node) for get in gets])
    collect = _each(own)

    def find(node: Any) -> tuple[Any, ...]:
        found: list[Any] = []
        collect(node, found)
        return tuple(found)

    return find


def _same(thing: Any) -> Any:
    return thing


def _add(thing: Any, found: list[Any]) -> None:
    found.append(thing)


def _add_some(thing: Any, found: list[Any]) -> None:
    if thing is not None:
        found.append(thing)


def _extend(things: Any, found: list[Any]) -> None:
    found.extend(things)


def _repeated(collect: _Collect | None) -> _Collect | None:
    if collect is None or collect is _add:
        return None if collect is None else _extend

    def repeat(things: Any, found: list[Any]) -> None:
        for thing in things:
            collect(thing, found)

    return repeat


def _by_position(given: list[_Collect | None]) -> _Collect | None:
    some = [(i, collect) for i, collect in enumerate(given) if collect is not None]

    def each(things: Any, found: list[Any]) -> None:
        for i, collect in some:
            collect(things[i], found)

    return each if some else None


def _each(own: list[_Own]) -> _Collect:
    def each(node: Any, found: list[Any]) -> None:
        for get, collect in own:
            collect(get(node), found)

    return each


class Rebuilt(dict[type, _Rebuild]):
    """By class, what makes a node anew: `rebuilt[type(node)](node, f, g)` has `f` applied to what is `wanted` in its
    fields, and `g` to its blocks. What has neither stays as it is, and so does what is of the classes `beyond`."""

    def __init__(self, wanted: Iterable[type], statements: Iterable[type], beyond: Iterable[type] = ()) -> None:
        super().__init__()
        self._wanted = frozenset(wanted)
        self._statements = frozenset(statements)
        self._beyond = frozenset(beyond) | self._statements
        self._modules = {cls.__module__ for cls in self._wanted | self._beyond}
        self._open: set[type] = set()

    def __missing__(self, cls: type) -> _Rebuild:
        found = self[cls] = self._node(cls) or _kept
        return found

    def _node(self, cls: type) -> _Rebuild | None:
        if cls in self._open or cls.__module__ not in self._modules or not is_dataclass(cls):
            return None
        self._open.add(cls)
        own = [(attrgetter(name), self._change(hint, None)) for name, hint in _declared(cls)]
        self._open.remove(cls)
        if all(change is None for _, change in own):
            return None

        def rebuild(node: Any, f: Change, g: Change) -> Any:
            return cls(*[get(node) if change is None else change(get(node), f, g) for get, change in own])

        return rebuild

    def _change(self, hint: Any, role: Role | None) -> _Rebuild | None:
        hint, role = _with_role(hint, role)
        if role is Role.NAMED:
            return None
        element = _elements(hint)
        if element is not None:
            return _block if classes(element) <= self._statements else _all(self._change(element, role))
        if get_origin(hint) is tuple:
            given = [self._change(h, role) for h in get_args(hint)]
            return None if all(change is None for change in given) else _placed(given)
        options = _options(hint)
        if frozenset(options) == self._wanted:
            return _mapped
        if len(options) > 1:
            return self._chosen(options, role)
        if hint in self._wanted:
            return _only(hint)
        return None if hint in self._beyond or not isinstance(hint, type) else self._node(hint)

    def _chosen(self, options: tuple[Any, ...], role: Role | None) -> _Rebuild | None:
        changes: dict[Any, _Rebuild] = {}
        for option in options:
            change = _mapped if option in self._wanted else self._change(option, role)
            if change is not None:
                bare, _ = _with_role(option, role)
                changes[get_origin(bare) or bare] = change
        if not changes:
            return None

        def choose(thing: Any, f: Change, g: Change) -> Any:
            change = changes.get(type(thing))
            return thing if change is None else change(thing, f, g)

        return choose


def _kept(thing: Any, f: Change, g: Change) -> Any:
    return thing


def _mapped(thing: Any, f: Change, g: Change) -> Any:
    return f(thing)


def _block(thing: Any, f: Change, g: Change) -> Any:
    return g(thing)


def _only(cls: type) -> _Rebuild:
    """Where a field takes one of the wanted classes only, that is what it gets."""

    def change(thing: Any, f: Change, g: Change) -> Any:
        made = f(thing)
        assert isinstance(made, cls)
        return made

    return change


def _all(change: _Rebuild | None) -> _Rebuild | None:
    if change is None:
        return None
    if change is _mapped:
        return lambda things, f, g: tuple([f(thing) for thing in things])
    return lambda things, f, g: tuple([change(thing, f, g) for thing in things])


def _placed(given: list[_Rebuild | None]) -> _Rebuild:
    def each(things: Any, f: Change, g: Change) -> Any:
        pairs = zip(things, given, strict=True)
        return tuple([thing if change is None else change(thing, f, g) for thing, change in pairs])

    return each
