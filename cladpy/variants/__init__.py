"""Stage 5c: other kernels than the gradient as it was swept, which a launch runs in its place where they are faster.

`table.py` has the kinds that launches run in place of a kernel (`variant.py`): `gather.py` has each thread gather what
others would add to its elements, `columns.py` transposes a loop. `bounded.py` relies on extents that the launch knows,
`kept_values.py` divides a gradient into two kernels with what lies between kept; `adjoint/variants.py` asks them.
"""
