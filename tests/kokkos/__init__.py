"""Programs for Kokkos: their gradients as text, and as numbers, which differences are compared with.

They are built with Kokkos where it is found, by `Kokkos_ROOT` or as Debian's libtrilinos-kokkos-dev, and always with
`standin`, a small library with its interface, of which layouts and spaces are chosen.
"""
