"""`python -m tests.fuzz`: random programs in worker processes; what fails is reduced to a minimal program and kept in
`tests/regressions`."""

import os

# Nothing here is a matter of BLAS, whose threads every process would begin with.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
