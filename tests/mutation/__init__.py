"""`python -m tests.mutation`: which errors, put into derivative rules and into gradients, the tests would find."""
