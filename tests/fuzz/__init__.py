"""`python -m tests.fuzz`: random programs in worker processes; what fails is reduced to a minimal program and kept in
`tests/regressions`."""
