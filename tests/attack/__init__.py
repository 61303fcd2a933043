"""Documents whose truth is known by construction, put to dpsym; it has no part in any of this."""
