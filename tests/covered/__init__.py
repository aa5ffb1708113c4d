"""Which branches of cladpy the tests take, as far as that needs no compiler.

`python -m tests.covered` differentiates the programs of the tables and random ones, each as is and in one more of the
ways that the options allow, and runs the tests of the stages. For each package it says how many lines and branches
something came to. What makes a number right or wrong is in `ir`, `normalize`, `analysis`, `adjoint` and `derivatives`:
`--at-least` is about these.

It may be done in parts: `--part 1/4 --keep FILE` takes every fourth program, and joins what it finds with what FILE has
from other parts. The tests are run with the last part. `--missing` lists what nothing came to.
"""
