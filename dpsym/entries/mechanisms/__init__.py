"""One mechanism a file, found by walking this folder."""
