"""One theorem a file, found by walking this folder."""
