"""Measurements: `transform` for the transformation itself, `gpu_check.sh` and its parts for a machine with a GPU."""
