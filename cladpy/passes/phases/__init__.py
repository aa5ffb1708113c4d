"""The body of a kernel as loops over the threads of a block."""
