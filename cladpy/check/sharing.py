"""Arguments that are one memory: whole, shifted, or by what their members lead to.

An adjoint belongs to memory, and a number that several arguments lead to counts once: it belongs to the one of them
that begins first. So each array has numbers of its own, behind those that it shares with arrays before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, Tree
from cladpy.diagnostics import UsageError

# So many arrangements are looked at where arguments may be one memory.
_MOST = 12


@dataclass(frozen=True, slots=True)
class Span:
    """Where an array lies in the memory that it shares with others, in elements."""

    start: int
    size: int
    shared: int  # of its first elements, which belong to arrays before it


@dataclass(frozen=True, slots=True)
class Piece:
    """One memory, and the arrays in it by the names of what leads there: "a", "v.to", "rows[0]"."""

    spans: Mapping[str, Span]
    size: int

    @classmethod
    def of(cls, places: Mapping[str, tuple[int, int]]) -> Piece:
        """Of where the arrays start, and their sizes. The first starts at 0, and each meets one before it."""
        spans: dict[str, Span] = {}
        end = 0
        for name, (start, size) in sorted(places.items(), key=lambda item: item[1][0]):
            spans[name] = Span(start, size, min(max(end - start, 0), size))
            end = max(end, start + size)
        return cls(spans, end)

    def __str__(self) -> str:
        names = list(self.spans)
        starts = [span.start for span in self.spans.values()]
        if not any(starts):
            return f"{', '.join(names[:-1])} and {names[-1]} at one element"
        behind = [
            f"{name} {s} behind" if s else f"{name} beside" for name, s in zip(names[1:], starts[1:], strict=True)
        ]
        return f"{', '.join(behind)} {names[0]}"


@dataclass(frozen=True, slots=True)
class Sharing:
    """Which arrays of a call share memory."""

    pieces: tuple[Piece, ...] = ()
    _spans: dict[str, Span] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_spans", {n: s for piece in self.pieces for n, s in piece.spans.items()})

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def __str__(self) -> str:
        return "; ".join(map(str, self.pieces))

    def joined(
        self, trees: Mapping[str, Tree], made: Callable[[Array, str], Array] = lambda base, _: base
    ) -> dict[str, Tree]:
        """The same with arrays that share memory in one, which `made` may put elsewhere. Where their contents are not
        those of one memory, the last one's are taken."""
        if not self.pieces:
            return dict(trees)
        known = {path: array for name, tree in trees.items() for path, array in leaves(tree, name)}
        views: dict[str, Array] = {}
        for piece in self.pieces:
            inside = {path: span for path, span in piece.spans.items() if path in known}
            if not inside:
                continue
            dtype = known[next(iter(inside))].dtype
            base = np.zeros(piece.size, dtype)
            for path, span in inside.items():  # all bytes: bit-fields have no name
                into = base[span.start : span.start + span.size].view(np.uint8)
                into[...] = np.ascontiguousarray(known[path]).reshape(-1).view(np.uint8)
            base = made(base, " and ".join(inside))
            for path, span in inside.items():
                views[path] = base[span.start : span.start + span.size].reshape(known[path].shape)
        return {name: mapped(tree, name, lambda path, array: views.get(path, array)) for name, tree in trees.items()}

    def own(self, name: str, tree: Tree) -> Tree:
        """Views of what counts for an argument: without what arguments before it share with it."""
        if not self.pieces:
            return tree

        def counted(path: str, array: Array) -> Array:
            span = self._spans.get(path)
            return array if span is None else array.reshape(-1)[span.shared :]

        return mapped(tree, name, counted)

    def shared(self, path: str) -> int:
        """How many of an array's first elements do not count."""
        return self._spans[path].shared if path in self._spans else 0


def leaves(tree: Tree, name: str) -> Iterator[tuple[str, Array]]:
    """The arrays in a tree, those of objects whole, with the names of what leads there."""
    if isinstance(tree, dict):
        for key, part in tree.items():
            yield from leaves(part, f"{name}.{key}")
    elif isinstance(tree, list):
        for k, part in enumerate(tree):
            yield from leaves(part, f"{name}[{k}]")
    elif isinstance(tree, np.ndarray):
        yield name, tree


def mapped(tree: Tree, name: str, to: Callable[[str, Array], Array]) -> Tree:
    """A tree with other arrays."""
    if isinstance(tree, dict):
        return {key: mapped(part, f"{name}.{key}", to) for key, part in tree.items()}
    if isinstance(tree, list):
        return [mapped(part, f"{name}[{k}]", to) for k, part in enumerate(tree)]
    return to(name, tree) if isinstance(tree, np.ndarray) else tree


def given_sharing(values: Mapping[str, Any], copies: Mapping[str, Tree], paths: Sequence[str]) -> Sharing:
    """How the arrays that a caller gave lie to each other, of those that pointers lead to.

    Raises UsageError where they share memory in a way that a check cannot copy.
    """
    found = [(path, a) for name, v in values.items() for path, a in _given(v, copies[name], name) if path in paths]
    return sharing_of(found)


def sharing_of(arrays: Sequence[tuple[str, Array]]) -> Sharing:
    """How arrays lie to each other. Raises UsageError where not by whole elements of one type, in C order."""
    order = sorted((a for a in arrays if a[1].nbytes), key=lambda a: _bounds(a[1]))
    groups: list[list[tuple[str, Array]]] = []
    end = 0
    for path, array in order:
        first, last = _bounds(array)
        if first >= end:
            groups.append([])
        groups[-1].append((path, array))
        end = max(end, last)
    pieces = []
    for group in groups:
        if len(group) == 1:
            continue
        (first_path, base), begin = group[0], group[0][1].ctypes.data
        for path, array in group:
            apart = array.ctypes.data - begin
            if array.dtype != base.dtype or apart % base.itemsize or not array.flags.c_contiguous:
                raise UsageError(
                    f"'{first_path}' and '{path}' overlap, but not by whole elements of one type in C order: "
                    "a check cannot give copies that do"
                )
        pieces.append(Piece.of({p: ((a.ctypes.data - begin) // base.itemsize, a.size) for p, a in group}))
    return Sharing(tuple(pieces))


def _bounds(array: Array) -> tuple[int, int]:
    """Of the bytes that an array's elements are among."""
    steps = [(n - 1) * stride for n, stride in zip(array.shape, array.strides, strict=True)]
    begin = array.ctypes.data + sum(min(step, 0) for step in steps)
    return begin, begin + sum(map(abs, steps)) + array.itemsize


def _given(value: Any, tree: Tree, name: str) -> Iterator[tuple[str, Array]]:
    """The caller's arrays, by the form of what was made of them."""
    if isinstance(tree, dict):
        for key, part in tree.items():
            inner = value.get(key) if isinstance(value, Mapping) else getattr(value, key, value)
            yield from _given(inner, part, f"{name}.{key}")
    elif isinstance(tree, list):
        for k, part in enumerate(tree):
            yield from _given(value[k], part, f"{name}[{k}]")
    elif isinstance(value, np.ndarray):  # complex numbers are copied as two
        numbers = value.dtype.kind == "c" and value.flags.c_contiguous
        yield name, value.view(value.real.dtype) if numbers else value


def arrangements(arrays: Mapping[str, Array], written: Sequence[str]) -> Iterator[Sharing]:
    """Ways in which arrays of one type may be one memory that is written: two of them at one element, one an element
    behind the other, or by half its size; then all of them at one element."""
    found: list[Sharing] = []
    pairs = [p for p in combinations(arrays, 2) if not set(p).isdisjoint(written) and _alike(arrays, p)]
    for one, other in pairs:
        sizes = arrays[one].size, arrays[other].size
        found.append(_at(arrays, {one: 0, other: 0}))
        for shift in sorted({1, sizes[0] // 2} & set(range(1, sizes[0]))):
            found.append(_at(arrays, {one: 0, other: shift}))
        if sizes[1] > 1:
            found.append(_at(arrays, {other: 0, one: 1}))
    alike = [name for name in arrays if any(name in pair for pair in pairs)]
    if len(alike) > 2 and _alike(arrays, alike):
        found.insert(0, _at(arrays, dict.fromkeys(alike, 0)))
    chosen = np.unique(np.linspace(0, len(found) - 1, min(_MOST, len(found))).astype(int)) if found else ()
    for k in chosen:
        yield found[k]


def _alike(arrays: Mapping[str, Array], names: Sequence[str]) -> bool:
    return len({arrays[name].dtype for name in names}) == 1


def _at(arrays: Mapping[str, Array], starts: Mapping[str, int]) -> Sharing:
    return Sharing((Piece.of({name: (start, arrays[name].size) for name, start in starts.items()}),))
