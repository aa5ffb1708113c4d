"""Which branches of cladpy the tests take, as far as that can be seen from inside of one process.

`python -m tests.covered` runs the tests of the stages, and differentiates the programs of the tables and random ones,
each as is and in one more of the ways that the options allow. For each package it says how many lines and branches
something came to. What makes a number right or wrong is in `ir`, `normalize`, `analysis`, `adjoint` and `derivatives`:
`--at-least` is about these.

`--workers 4` has four processes share the work. `--missing` lists what nothing came to. That takes long: `--choose`
writes to `chosen.txt` which of the programs are enough to take the same branches, and `--chosen`, as in
`python -m tests`, does only those.
"""
