"""Tests of the adjoint stage: what the gradients of small programs look like."""
