"""Monte Carlo."""

from tests.programs.case import Program

CASES = (
    Program("chance", "asian_option", "spot, rate, sigma, strike", (1.0, 0.05, 0.3, 0.95, 5, 50)),
    Program("chance", "diffusion", "drift, width", (0.2, 0.7, 16, 5)),
)
