"""Golden texts: programs `NAME.cu` in a folder, each with what a stage makes of it in `NAME.txt`.

`python -m tests.golden` writes all of them anew and says which changed: read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.cu"))


def golden(folder: Path, name: str) -> str:
    return (folder / f"{name}.txt").read_text()


def rewrite(folder: Path, produce: Callable[[str], str]) -> None:
    """Writes the text of every program in the folder, and removes those without a program."""
    for name in names(folder):
        path, text = folder / f"{name}.txt", produce(name)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"{path} written")
    for path in folder.glob("*.txt"):
        if path.stem not in names(folder):
            path.unlink()
            print(f"{path} removed")


def main() -> None:
    from tests.adjoint import test_golden as adjoint
    from tests.explain import test_golden as explain
    from tests.normalize import test_golden as normalize
    from tests.packaging import emitted_page
    from tests.reject import programs as reject

    rewrite(normalize.FOLDER, normalize.produce)
    rewrite(adjoint.FOLDER, adjoint.produce)
    rewrite(explain.FOLDER, explain.produce)
    rewrite(reject.FOLDER, lambda name: reject.answer(name).text)
    page = emitted_page.document()
    if page != emitted_page.PAGE.read_text():
        emitted_page.PAGE.write_text(page)
        print(f"{emitted_page.PAGE} written")


if __name__ == "__main__":
    main()
