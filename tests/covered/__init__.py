"""Which branches of the stages the tests take, as far as that needs no compiler.

`python -m tests.covered [--every K] [--at-least PERCENT]` differentiates each K-th program of the tables, runs
the tests of the stages, and reports lines and branches of `ir`, `normalize`, `analysis`, `adjoint` and `derivatives`
that nothing came to.
"""
