"""The example notebooks run, and show what they are kept with."""

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("notebook"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def _outputs(notebook):
    """The plain text of every output, without the time that a check took and the size of a picture."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [
        [output.get("data", {}).get("text/plain", output.get("text", "")) for output in cell.outputs] for cell in cells
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_running_it_shows(path):
    import nbformat
    from nbclient import NotebookClient

    kept = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    NotebookClient(run, timeout=300, kernel_name="python3").execute()

    assert _outputs(run) == _outputs(kept)
    assert all("text/html" in o["data"] for c in run.cells if c.cell_type == "code" for o in c.outputs if "data" in o)


def test_there_are_two():
    assert len(NOTEBOOKS) == 2
