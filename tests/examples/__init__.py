"""The examples run as a reader runs them, and their gradients are checked by what shares no code with them."""
