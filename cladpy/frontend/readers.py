"""Vectors of the C++ library and of Thrust, and views of Kokkos, are read by classes of cladpy's own. How C++ asks for
their members, which lie in another way in the compiler's class; `{b}` stands for the object."""

from __future__ import annotations

from collections.abc import Collection

from cladpy.ir.access import NOWHERE

_SIZES = {"size_": "{b}.size()", "capacity_": "{b}.capacity()"}
_OF_OURS = frozenset(("size_", "number_", "count_"))  # by which classes of cladpy's own are told from the library's
_RANKS = range(8)  # of views
_READERS = {
    "std::vector<bool": _SIZES,
    "std::vector<": {"data_": "{b}.data()", **_SIZES},
    "Kokkos::View<": {"data_": "{b}.data()"},
    **{
        f"Kokkos::cladpy_kokkos::dimension<{k}": {
            f"extent_{k}_": f"{{b}}.extent({k})",
            **dict.fromkeys((f"stride_{k}_", f"asked_stride_{k}_", f"unit_{k}_"), f"{{b}}.stride({k})"),
        }
        for k in _RANKS
    },
    "KokkosSparse::CrsMatrix<": {"columns_": "{b}.numCols()", "graph": "{b}.graph", "values": "{b}.values"},
    "std::function<": {"number_": NOWHERE},
    "std::shared_ptr<": {"data_": "{b}.get()", "count_": NOWHERE},
    "thrust::device_vector<": {"data_": "thrust::raw_pointer_cast({b}.data())", **_SIZES},
}


def readers_of(spelling: str, members: Collection[str]) -> dict[str, str] | None:
    """By the members that can be asked for; None for a class that is the compiler's."""
    found = next((readers for start, readers in _READERS.items() if spelling.startswith(start)), None)
    return found if not _OF_OURS.isdisjoint(members) or spelling.startswith("Kokkos") else None
