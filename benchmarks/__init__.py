"""Measurements: `python -m benchmarks` for gradients on a GPU, `transform` for the transformation itself, and
`gpu_check.sh` with its parts for whether gradients are right on a machine with a GPU."""
