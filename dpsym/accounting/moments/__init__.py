"""Moment functions of privacy losses, at complex arguments, with every error bounded."""
