"""What cladpy emits compiles without a warning of its own, with nvcc and with the host's compiler."""
