"""Programs for Kokkos: their gradients as text, and as numbers, which differences are compared with.

`standin` has a small library with Kokkos' interface, so that nothing has to be built; with `Kokkos_ROOT` set the real
one is taken as well.
"""
