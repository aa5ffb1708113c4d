"""What is differentiated in beside_pointers.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, members, real, shaped

VIEW = members(data=real(N), gain=0.75, n=N)
LAW = {"a": 0.8, "b": 0.5, "w": [0.4, 0.9, 1.2], "order": 3}
MODEL = members(
    shift=0.35,
    offsets=real(N),
    view=VIEW,
    law=LAW,
    weights=shaped(2, 2),
    laws=[LAW, LAW | {"a": 0.3}],
    origin=[0.5, 1.5, 2.5],
    hidden=1.1,
)

RATES = members(at=real(N), low=0.6, high=1.3, scale=0.75)

CASES = (
    Case("beside_pointers", "scaled", "x, y, v", (X, Y, VIEW)),
    Case("beside_pointers", "members", "x, y, m, m_shift", (X, Y, MODEL, 0.9)),
    Case("beside_pointers", "stepped", "x, y, v", (X, Y, VIEW, indices(N, 4))),
    Case("beside_pointers", "unnamed", "p, y, r", (shaped(N, 3), Y, RATES, N)),
    Case("beside_pointers", "on_host", "v, x", (VIEW, 0.7), None, None),
)
