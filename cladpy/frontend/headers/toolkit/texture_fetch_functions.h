// Empty: clang's wrapper includes it, CUDA no longer has it.
