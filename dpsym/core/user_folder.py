"""Where results are kept for a user."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_folder(name: str) -> Path:
    """The folder of that name among what dpsym keeps."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "dpsym" / name
