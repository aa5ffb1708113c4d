"""`python -m tests.sanitizer`: gradients under ThreadSanitizer, to which every CUDA thread is a thread."""
