"""The kernels, and beside each program what its kernels compute."""
