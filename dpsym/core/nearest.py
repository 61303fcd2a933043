"""What is said of a name or a word that is not one of those that there are: what there is, and the nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_MOST_LISTED = 12  # names that a message can hold
_MOST_COMPARED = 5000  # names: each is compared with the one that is asked for, letter by letter
_SHORTEST_PART = 3  # letters of a name by which another one may be found that holds them
_ELSEWHERE = {  # what words of options are elsewhere
    "replace": "substitute substitution replace_one swap bounded",
    "add-remove": "unbounded add_or_remove add_remove_one both zero_out",
    "fixed-size": "without_replacement wor", "variance": "mse var", "absolute": "mae l1", "tail": "quantile",
    "mean": "average avg", "sum": "total", "count": "len size length",
    "L1": "l1 1", "L2": "l2 2 euclidean", "Linf": "inf oo max", "rdp": "moments renyi", "latex": "tex",
    "markdown": "md", "javascript": "js", "proved": "proven", "delta": "deltas",
    "adjacency": "adjacent neighbours neighbors neighbouring relation", "sampling": "samples sampler subsampling",
}  # fmt: skip


_OF_MECHANISMS = {  # what is part of a mechanism here, and an option elsewhere
    "steps compositions iterations k": "a number of steps is written MECHANISM ** {}",
    "q rate sampling_rate sample_rate": "a rate is written subsampled(MECHANISM, q={})",
    "noise_multiplier": "it is written in the mechanism: gaussian(sigma={})",
    "sensitivity": "it is written in the mechanism: Delta={}",
}


def _folded(name: str) -> str:
    return re.sub(r"[-_ ]+", "_", name.strip().lower())


def nearest(name: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Those that may be meant, the nearest first: in other letters, by another word for it, misspelled, or in part."""
    from difflib import get_close_matches

    there = list(names)
    if len(there) > _MOST_COMPARED:
        return []
    asked = _folded(name)
    folded = {_folded(one): one for one in reversed(there)}
    if asked in folded:
        return [folded[asked]]
    if meant := [one for one in there if asked in _ELSEWHERE.get(one, "").split()]:
        return meant[:most]
    begun = sorted((key for key in folded if key.startswith(f"{asked}_")), key=len)
    near = [folded[key] for key in begun[:most] or get_close_matches(asked, folded, n=most, cutoff=0.6)]
    if near or len(asked) < _SHORTEST_PART:
        return near
    return [one for key, one in folded.items() if asked in key][:most]


def did_you_mean(name: str, names: Iterable[str], most: int = 1) -> str:
    """The question, to be added to a message; empty where none of the names is near."""
    near = nearest(name, names, most)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def there_are(names: Iterable[str], listing: str = "") -> str:
    """All of the names, to be added to a message; where they are many, the command that lists them, if there is one."""
    there = sorted(names)
    if len(there) > _MOST_LISTED and listing:
        return f" (all of them: {listing})"
    return f" (there are: {', '.join(there) or 'none'})"


def one_of_these(words: Iterable[str]) -> str:
    """The words in a row: `replace, add or remove`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def expected_one_of(word: str, words: Iterable[str]) -> str:
    """What is said of a word that is none of these."""
    there = list(words)
    return f"expected {one_of_these(there)}{did_you_mean(word, there)}"


def in_a_mechanism(name: str, value: object) -> str:
    """How what is an option elsewhere is written in a mechanism; empty for what is none."""
    return next((how.format(value) for names, how in _OF_MECHANISMS.items() if _folded(name) in names.split()), "")


def why_not_opened(path: str | Path, error: OSError) -> str:
    """What is said of a file that cannot be opened, with the nearest that is there."""
    file = Path(path)
    if isinstance(error, IsADirectoryError):
        return f"{path} is a folder: name a file in it, such as {file / 'FILE'}"
    if isinstance(error, FileNotFoundError):
        try:
            there = [one.name for one in file.parent.iterdir()]
        except OSError:
            return f"{path}: there is no folder {file.parent}"
        return f"{path}: there is no such file{did_you_mean(file.name, there)}"
    return f"{path}: {error.strerror or error}"
