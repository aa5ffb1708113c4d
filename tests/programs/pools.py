"""Scratch that an allocator keeps for the next one who asks, and pointers in objects that change."""

from tests.kernels.making import members, real, rows, single, zeros
from tests.programs.case import Program

N = 12
X, Y = real(N), zeros(N)
MESH = members(n=N, x=X, y=real(N), strain=None, streams=zeros(2, "u8"), nu=0.3)
GRIDS = members(u=rows(2, N), out=Y, nu=0.2)
CASES = (
    Program("pools", "run", "mesh", (MESH, 3)),
    Program("pools", "relax", "grids", (GRIDS, N, 3)),
    Program("pools", "by_class", "x, y", (X, Y, N)),
    Program("pools", "by_size", "x", (single(N), N)),
    Program("pools", "on_host", "x", (X, N)),
)
