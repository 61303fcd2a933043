"""One Hypothesis profile for all: no deadlines, since a first call compiles what later ones reuse."""

from hypothesis import settings

settings.register_profile("dpsym", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("dpsym")
