"""Programs for budgets of copies (test_checkpoints.py); here they have none."""

from tests.kernels.making import real
from tests.programs.case import Program

X = real(40, 0.1, 0.9)
CASES = (
    Program("budgets", "until", "x, rate", (X, 0.05, 40, 30.0, 23)),
    Program("budgets", "host_state", "x, rate", (X, 0.1, 40, 12)),
    Program("budgets", "by_force", "x, strength", (X, real(40, 0.5, 1.5), 40, 12)),
    Program("budgets", "managed", "x, rate", (X, 0.05, 40, 11)),
    Program("budgets", "rounds", "x, rate", (X, 0.1, 40, 3, 5)),
    Program("budgets", "by_symbol", "x, rate", (X, 0.2, 40, 12)),
    Program("budgets", "by_list", "x, rate", (X, 0.05, 40, 4)),
)
