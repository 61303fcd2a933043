#!/usr/bin/env bash
# The oldest and the newest SymPy that pyproject.toml admits, with every Python that is at hand, pass a focused subset;
# and the source archive and the wheel install and run.  Takes PYTHONS, e.g. PYTHONS="python3.11 python3.13".
set -uo pipefail
cd "$(dirname "$0")/.."

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
failed=()
focus=(tests/unit/test_deciding.py tests/unit/test_rendering.py tests/unit/test_deciding_algebra.py tests/unit/test_core_verdicts.py)
read -r -a pythons <<<"${PYTHONS:-$(compgen -c | grep -xE 'python3\.[0-9]+' | sort -uV | tr '\n' ' ')}"

for python in "${pythons[@]}"; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    for sympy in "sympy==1.13.*" "sympy<1.15"; do
        name="$python with $sympy"
        echo "== $name"
        place="$scratch/$python-${sympy//[^0-9]/}"
        "$python" -m venv "$place" && "$place/bin/pip" install --quiet ".[test]" "$sympy" \
            && "$place/bin/python" -c 'import sympy, sys; print(sys.version.split()[0], "SymPy", sympy.__version__)' \
            && timeout 900 "$place/bin/python" -m pytest -q "${focus[@]}" || failed+=("$name")
    done
done

echo "== source archive and wheel"
python3 -m venv "$scratch/build" && "$scratch/build/bin/pip" install --quiet build \
    && "$scratch/build/bin/python" -m build --outdir "$scratch/dist" . >"$scratch/log" || failed+=("build")
for archive in "$scratch"/dist/*; do
    place="$scratch/install-${archive##*.}"
    python3 -m venv "$place" && "$place/bin/pip" install --quiet "$archive" \
        && (cd "$scratch" && "$place/bin/dpsym" show zcdp_to_approx --format c >/dev/null \
            && "$place/bin/dpsym" proofs zcdp_to_approx | grep -q proved) || failed+=("${archive##*/}")
done

if ((${#failed[@]})); then
    printf 'failed: %s\n' "${failed[@]}"
    exit 1
fi
echo "all supported versions passed"
