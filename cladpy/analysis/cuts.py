"""Minimum cuts: the cheapest set of nodes without which no way leads from the sources to the sinks."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def minimum_cut(
    edges: Mapping[K, Iterable[K]],
    costs: Mapping[K, int],
    sources: Iterable[K],
    sinks: Iterable[K],
    limit: int,
) -> set[K] | None:
    """The nodes of a minimum cut, of which there is the one that is closest to the sinks; None where it costs `limit`
    or more. Only nodes with costs can be in it.

    By augmenting shortest paths (Edmonds and Karp 1972) in the graph in which a node is an edge from its entry to its
    exit.
    """
    residual: dict[object, dict[object, int]] = {}
    start, end = object(), object()

    def join(a: object, b: object, capacity: int) -> None:
        residual.setdefault(a, {})[b] = residual.setdefault(a, {}).get(b, 0) + capacity
        residual.setdefault(b, {}).setdefault(a, 0)

    nodes = {*edges, *(k for to in edges.values() for k in to), *sources, *sinks}
    for node in nodes:
        join((node, True), (node, False), costs.get(node, limit))
    for node, to in edges.items():
        for other in to:
            join((node, False), (other, True), limit)
    for node in set(sources):
        join(start, (node, True), limit)
    for node in set(sinks):
        join((node, False), end, limit)

    flow = 0
    while (path := _shortest(residual, start, end)) is not None:
        least = min(residual[a][b] for a, b in path)
        flow += least
        if flow >= limit:
            return None
        for a, b in path:
            residual[a][b] -= least
            residual[b][a] += least
    reaching = _reaching(residual, end)
    return {node for node in nodes if (node, False) in reaching and (node, True) not in reaching}


def _shortest(
    residual: Mapping[object, Mapping[object, int]], start: object, end: object
) -> list[tuple[object, object]] | None:
    came: dict[object, object] = {start: start}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for to, capacity in residual.get(at, {}).items():
            if capacity > 0 and to not in came:
                came[to] = at
                queue.append(to)
                if to is end:
                    path = []
                    while to is not start:
                        path.append((came[to], to))
                        to = came[to]
                    return path
    return None


def _reaching(residual: Mapping[object, Mapping[object, int]], end: object) -> set[object]:
    """From where there is a way left to the end."""
    found, stack = {end}, [end]
    while stack:
        at = stack.pop()
        for before in residual.get(at, {}):
            if before not in found and residual[before][at] > 0:
                found.add(before)
                stack.append(before)
    return found
