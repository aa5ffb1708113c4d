"""`python -m tests.reject` writes the texts beside the programs anew, and says which changed."""

from __future__ import annotations

from tests.reject.programs import FOLDER, answer, golden, names


def main() -> None:
    for name in names():
        text = answer(name).text
        path = golden(name)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"{path.name} written")
    for path in FOLDER.glob("*.txt"):
        if path.stem not in names():
            path.unlink()
            print(f"{path.name} removed")


if __name__ == "__main__":
    main()
