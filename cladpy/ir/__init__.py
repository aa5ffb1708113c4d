"""Stage 2: the intermediate representation. Types, symbols, and the two closed grammars: `surface` and `core`."""
