"""`python -m cladpy` is the command `cladpy`."""

from cladpy.cli import main

if __name__ == "__main__":
    main()
