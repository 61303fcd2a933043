"""Points at which a relation fails."""
