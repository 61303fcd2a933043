#!/bin/sh
# An environment of its own for each accountant that benchmarks/accounting.py compares with: `sh benchmarks/peers.sh DIR`.
set -eu
directory="${1:?where to put the environments}"
mkdir -p "$directory"
for peer in dp-accounting prv-accountant autodp opacus; do
    python3 -m venv "$directory/$peer"
    "$directory/$peer/bin/pip" install --quiet --extra-index-url https://download.pytorch.org/whl/cpu "$peer"
done
