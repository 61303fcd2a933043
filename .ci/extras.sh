#!/usr/bin/env bash
# Each extra of pyproject.toml alone, in a fresh environment, does what it promises: `.ci/extras.sh [EXTRA...]`.
# An extra for which nothing is written here is a failure, so a new one has to be added.  The site, which `docs` is for, is left in
# the folder $DPSYM_SITE where that is set.
set -uo pipefail
cd "$(dirname "$0")/.."

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
failed=()
unset PYTHONPATH
export PIP_DISABLE_PIP_VERSION_CHECK=1

try() { # what an extra is for, with $bin/ the programs of its environment
    case "$1" in
    plot) "$bin/dpsym" plot profile "gaussian(sigma=1)" -o "$scratch/profile.svg" && grep -q "<svg" "$scratch/profile.svg" ;;
    testing)
        printf '%s\n' 'from hypothesis import given' 'from dpsym.testing import mechanisms' \
            '@given(mechanisms())' 'def test_drawn(use):' '    assert use is not None' >"$scratch/test_own.py"
        (cd "$scratch" && "$bin/python" -m pytest -q -p no:cacheprovider test_own.py)
        ;;
    test) "$bin/python" -m pytest -q -n 2 tests/unit/test_statements.py tests/unit/test_arrays.py tests/unit/test_editing.py ;;
    cluster)
        cat >"$scratch/sweep.py" <<'CODE'
from fractions import Fraction
from distributed import Client
import dpsym
from dpsym.accounting import sweep
from dpsym.core.notation import sigma
if __name__ == "__main__":
    with Client(processes=True, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        found = sweep(dpsym.gaussian(sigma) ** 10, {"sigma": [20, 40]}, given={"delta": Fraction(1, 10**5)},
                      executor=client.get_executor())
    assert float(found[0].upper) > float(found[1].lower) > 0, found
CODE
        (cd "$scratch" && "$bin/python" sweep.py)
        ;;
    arrays)
        (cd "$scratch" && "$bin/python" -) <<'CODE'
import numpy
from dpsym.arrays import compiled
from dpsym.core.notation import Delta, b
values = compiled(Delta / b, (Delta, b))(numpy.ones(3), numpy.array([1.0, 2.0, 3.0]))
assert all(1 / n <= value < 1.001 / n for n, value in enumerate(values, 1)), values
CODE
        ;;
    editor)
        printf 'Content-Length: 95\r\n\r\n%s' \
            '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"processId":null   }}' \
            | timeout 60 "$bin/dpsym" lsp 2>"$scratch/lsp.log" | grep -aq '"capabilities"'
        ;;
    notebook)
        (cd "$scratch" && "$bin/python" -) <<'CODE'
import nbformat
from nbclient import NotebookClient
cell = nbformat.v4.new_code_cell("import dpsym\ndpsym.derive(dpsym.gaussian(2), to=dpsym.zcdp)")
notebook = nbformat.v4.new_notebook(cells=[cell])
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
assert "text/html" in notebook.cells[0].outputs[0]["data"]
CODE
        ;;
    docs)
        local site="${DPSYM_SITE:-$scratch/html}"
        PATH="$bin:$PATH" sphinx-build -W --keep-going -q -j 2 -b html -d "$scratch/doctrees" docs "$site" \
            && test -s "$site/index.html"
        ;;
    dev) PATH="$bin:$PATH" && ruff check . && ruff format --check . && mypy && lint-imports ;;
    *) echo "nothing tried for $1" && return 1 ;;
    esac
}

every="$(python3 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"])')"
for extra in $every; do
    grep -qE "^    $extra\)" .ci/extras.sh || failed+=("$extra, which is not tried")
done
for extra in ${@:-$every}; do
    echo "== $extra"
    bin="$scratch/$extra/bin"
    python3 -m venv "$scratch/$extra" && "$bin/pip" install --quiet ".[$extra]" && try "$extra" || failed+=("$extra")
    rm -rf "${scratch:?}/$extra"
done

if ((${#failed[@]})); then
    echo "failed: ${failed[*]}"
    exit 1
fi
echo "every extra does what it promises"
