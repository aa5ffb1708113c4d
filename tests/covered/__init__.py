"""Which branches of cladpy the tests take, as far as that can be seen from inside of one process.

`python -m tests.covered` differentiates the programs of the tables and random ones, each as is and in one more of the
ways that the options allow, and runs the tests of the stages. For each package it says how many lines and branches
something came to. What makes a number right or wrong is in `ir`, `normalize`, `analysis`, `adjoint` and `derivatives`:
`--at-least` is about these.

It may be done in parts: `--part 1/4 --keep FILE` takes every fourth program and test, and joins what it finds with what
FILE has from other parts; `--workers 4` does four parts side by side. `--missing` lists what nothing came to.
`--sample` is what `python -m tests` runs: a few of the programs, the same each time, since rows are chosen by their
names. It shows that what is added is tested, not what is left.
"""
